#include "store/contract.hpp"

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/time.hpp"
#include "resumable/error.hpp"
#include "store/promises.hpp"
#include "store/records.hpp"

namespace resumable::test {
namespace {

using Names = std::vector<std::string>;

void absent_is_nothing(StoreUnderTest& test) {
  const CheckpointStore& store = test.store();
  promise(!store.get("run", {"draft", 1}), "a record of no run is absent");
  promise(scan(store, "run").empty(), "a run that does not exist has no records");
  promise(!store.owner("run"), "and no owner");
  promise(!store.manifest("run"), "and no manifest");
  promise(runs(store).empty(), "and is not listed");
}

void committed_is_found(StoreUnderTest& test) {
  const StringPayload bytes{std::string("the\0value\n\n", 11)};
  {
    const auto lease = test.store().lease("run");
    const Put put{{"draft/team", 3}, tag_of(5), R"({"key":"draft/team"})", &bytes};
    const Ticket ticket = lease->commit({.puts = {&put, 1}, .erases = {}});
    lease->wait(ticket);
    promise(lease->durable() >= ticket, "a full commit is durable on return");
  }
  test.reopen();
  const auto stored = test.store().get("run", {"draft/team", 3});
  promise(stored.has_value(), "what was committed is there");
  expect_same(stored->header, std::string(R"({"key":"draft/team"})"), "header");
  expect_same(read_all(*stored->payload), std::string("the\0value\n\n", 11), "payload");
  promise(stored->tag == tag_of(5), "tag");
  promise(!test.store().get("run", {"draft/team", 2}), "another generation is absent");
  promise(!test.store().get("run", {"draft", 3}), "another path is absent");
}

void heads_say_what_is_stored(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  commit(*lease, "draft", 7, "12345");
  std::size_t count = 0;
  test.store().scan("run", {}, [&](const RecordHead& head) {
    ++count;
    expect_same(std::string(head.id.path), std::string("draft"), "path");
    expect_same(head.id.generation, std::uint64_t{7}, "generation");
    promise(head.tag == tag_of(7), "tag");
    expect_same(head.header_bytes, std::uint64_t{12}, "header bytes");
    expect_same(head.payload_bytes, std::uint64_t{5}, "payload bytes");
    promise(head.damage == Damage::none && !head.quarantined, "whole");
    return true;
  });
  expect_same(count, std::size_t{1}, "records");
}

void scans_are_in_order(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  for (const char* path : {"draft", "draft/b", "draft-2", "draft/a", "a", "@items/draft"}) {
    commit(*lease, path, 1, path);
  }
  for (const std::uint64_t generation : {10U, 9U, 2U}) commit(*lease, "draft", generation, "x");
  Puts batch(2);
  batch.add("draft/aa", 1, "x");
  batch.add("draft.x", 1, "x");
  lease->commit({.puts = batch.puts(), .erases = {}});
  expect_same(scan(test.store(), "run"),
              Names{"@items/draft.1", "a.1", "draft.1", "draft.2", "draft.9", "draft.10",
                    "draft-2.1", "draft.x.1", "draft/a.1", "draft/aa.1", "draft/b.1"},
              "by path in byte order, then by generation");
}

void scans_obey(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  for (const char* path : {"draft", "draft/a", "draft/b", "drab", "research/a"}) {
    commit(*lease, path, 1, path);
  }
  expect_same(scan(test.store(), "run", {.prefix = "draft/"}), Names{"draft/a.1", "draft/b.1"},
              "below");
  expect_same(scan(test.store(), "run", {.prefix = "dra"}),
              Names{"drab.1", "draft.1", "draft/a.1", "draft/b.1"}, "prefix");
  std::size_t count = 0;
  test.store().scan("run", {}, [&](const RecordHead&) { return ++count < 2; });
  expect_same(count, std::size_t{2}, "a scan ends when told to");
}

void records_never_change(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  commit(*lease, "draft", 1, "old");
  refuses(
      Errc::fenced, [&] { commit(*lease, "draft", 1, "new"); }, "a record that exists");
  Puts batch(2);
  batch.add("other", 1, "new");
  batch.add("draft", 1, "new");
  refuses(
      Errc::fenced, [&] { lease->commit({.puts = batch.puts(), .erases = {}}); },
      "a batch with a record that exists");
  promise(!test.store().get("run", {"other", 1}), "a refused batch leaves nothing");
  Puts first(2);
  first.add("x", 1, "batched");
  first.add("y", 1, "batched");
  lease->commit({.puts = first.puts(), .erases = {}});
  refuses(
      Errc::fenced, [&] { commit(*lease, "x", 1, "new"); }, "a batched record that exists");
  expect_same(payload(test.store(), "run", {"draft", 1}), std::optional<std::string>("old"),
              "old value");
  expect_same(payload(test.store(), "run", {"x", 1}), std::optional<std::string>("batched"),
              "old value");
}

void batches_are_whole(StoreUnderTest& test) {
  Puts batch(100);
  for (int i = 0; i < 100; ++i) {
    batch.add("item/" + std::to_string(i), 1, "value " + std::to_string(i));
  }
  {
    const auto lease = test.store().lease("run");
    lease->commit({.puts = batch.puts(), .erases = {}});
    expect_same(scan(test.store(), "run").size(), std::size_t{100}, "seen beside the lease");
  }
  test.reopen();
  expect_same(scan(test.store(), "run").size(), std::size_t{100}, "seen later");
  for (int i = 0; i < 100; ++i) {
    expect_same(payload(test.store(), "run", {"item/" + std::to_string(i), 1}),
                std::optional("value " + std::to_string(i)), "payload");
  }
}

void erased_goes(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  for (const std::uint64_t generation : {1U, 2U, 3U}) commit(*lease, "draft", generation, "x");
  const std::array<RecordId, 3> erases{{{"draft", 1}, {"draft", 2}, {"nothing", 1}}};
  lease->commit({.puts = {}, .erases = erases});
  lease->commit({.puts = {}, .erases = erases});
  expect_same(scan(test.store(), "run"), Names{"draft.3"},
              "erased, also again, also what is not there");
  Puts batch(2);
  batch.add("a", 1, "x");
  batch.add("b", 1, "x");
  lease->commit({.puts = batch.puts(), .erases = {}});
  const std::array<RecordId, 2> both{{{"a", 1}, {"b", 1}}};
  lease->commit({.puts = {}, .erases = both});
  expect_same(scan(test.store(), "run"), Names{"draft.3"}, "a batch that was erased");
}

void payloads_stream(StoreUnderTest& test) {
  std::string large(std::size_t{3} << 20U, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 31 >> 7U);
  const auto lease = test.store().lease("run");
  commit(*lease, "large", 1, large);
  commit(*lease, "empty", 1, "");
  const auto stored = test.store().get("run", {"large", 1});
  const RecordId old{"large", 1};
  lease->commit({.puts = {}, .erases = {&old, 1}});
  expect_same(stored->payload->size(), std::uint64_t{large.size()}, "size");
  promise(read_all(*stored->payload) == large, "a payload outlives its record");
  std::array<char, 10> piece{};
  expect_same(stored->payload->read(large.size() - 4, piece), std::size_t{4}, "short at the end");
  expect_same(stored->payload->read(large.size(), piece), std::size_t{0}, "nothing after it");
  expect_same(payload(test.store(), "run", {"empty", 1}), std::optional<std::string>(""), "empty");
}

void one_writer(StoreUnderTest& test) {
  auto lease = test.store().lease("run");
  const auto owner = test.store().owner("run");
  promise(owner && owner->pid > 0 && !owner->host.empty() &&
              owner->since > std::chrono::sys_days{std::chrono::year{2026} / 1 / 1},
          "owner");
  expect_same(owner->fence, lease->fence(), "the owner's fence");
  try {
    static_cast<void>(test.store().lease("run"));
    throw Violation("two leases of one run");
  } catch (const Error& error) {
    promise(error.errc() == Errc::busy, "busy");
    const std::string text = error.explain();
    promise(text.find(std::to_string(owner->pid)) != text.npos &&
                text.find(owner->host) != text.npos &&
                text.find(core::format_utc_seconds(owner->since)) != text.npos,
            "who owns it, where and since when: " + text);
  }
  const auto other = test.store().lease("other");
  promise(other != nullptr, "another run is free");
  lease.reset();
  promise(!test.store().owner("run"), "nobody owns it afterwards");
  promise(test.store().lease("run") != nullptr, "free again");
}

void fences_rise(StoreUnderTest& test) {
  std::uint64_t last = 0;
  for (int i = 0; i < 4; ++i) {
    const auto lease = test.store().lease("run");
    promise(lease->fence() > last, "a later lease has a higher fence");
    last = lease->fence();
  }
  test.reopen();
  promise(test.store().lease("run")->fence() > last, "also after the store was opened again");
}

void waiting_ends(StoreUnderTest& test) {
  auto lease = test.store().lease("run");
  std::stop_source stop;
  stop.request_stop();
  refuses(
      Errc::busy,
      [&] {
        static_cast<void>(
            test.store().lease("run", {.wait = std::chrono::hours(1), .stop = stop.get_token()}));
      },
      "a wait that was stopped");
  std::atomic<bool> got{false};
  std::thread waits(
      [&] { got = test.store().lease("run", {.wait = std::chrono::hours(1)}) != nullptr; });
  lease.reset();
  waits.join();
  promise(got, "who waits gets it");
}

void runs_begin_as_asked(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  const auto take = [&](std::string_view run, Create create) {
    return [&store, run, create] { static_cast<void>(store.lease(run, {.create = create})); };
  };
  refuses(Errc::unknown_run, take("new", Create::never), "a run that must exist");
  promise(runs(store).empty(), "that brought nothing into being");
  take("new", Create::must)();
  refuses(Errc::duplicate_name, take("new", Create::must), "a run that must not exist");
  take("new", Create::if_absent)();
  take("new", Create::never)();
  refuses(Errc::duplicate_name, take("NEW", Create::if_absent), "a twin in case");
  take("Caf\xC3\xA9", Create::must)();
  refuses(Errc::duplicate_name, take("Cafe\xCC\x81", Create::must), "a twin in normal form");
  expect_same(runs(store), Names{"Caf\xC3\xA9", "new"}, "runs in byte order");
}

void runs_are_listed(StoreUnderTest& test) {
  const Names ids{"a b", "a/b", "a%20b", "memo-v0.0.10", "memo-v0.0.9", "\xE5\x8C\x97", "~"};
  for (const std::string& id : ids) commit(*test.store().lease(id), "x", 1, id);
  test.reopen();
  Names sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  expect_same(runs(test.store()), sorted, "all, in byte order");
  expect_same(runs(test.store(), "memo-"), Names{"memo-v0.0.10", "memo-v0.0.9"}, "by prefix");
  for (const std::string& id : ids) {
    expect_same(payload(test.store(), id, {"x", 1}), std::optional(id), "each its own");
  }
}

void bad_names_are_refused(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  const Names bad{"",
                  ".",
                  "..",
                  ".hidden",
                  "../x",
                  "a/../b",
                  std::string("a\0b", 3),
                  std::string(129, 'a'),
                  std::string(10'000, 'a'),
                  std::string(128, ' ')};
  for (const std::string& run : bad) {
    refuses(
        Errc::bad_name, [&] { static_cast<void>(store.lease(run)); }, "run " + run);
    refuses(
        Errc::bad_name,
        [&] {
          static_cast<void>(store.get(run, {"x", 1}));
        },
        "run " + run);
  }
  const auto lease = store.lease("run");
  for (const std::string path : {"", "/", "a//b", "a/", "/a", "..", "a/..", "a/b/c/d/e/f", "a b",
                                 "\xC3\xA9", "@batch", "@batch/x", "a.ckpt/b"}) {
    refuses(
        Errc::bad_name, [&] { commit(*lease, path, 1, "x"); }, "path " + path);
  }
  refuses(
      Errc::bad_name, [&] { commit(*lease, std::string(221, 'a'), 1, "x"); }, "long path");
  refuses(
      Errc::bad_name, [&] { commit(*lease, "a", 0, "x"); }, "generation 0");
  promise(scan(store, "run").empty() && runs(store) == Names{"run"}, "nothing was changed");
}

void bad_headers_are_refused(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  const StringPayload bytes{"x"};
  const auto put = [&](const std::string& header) {
    const Put one{{"a", 1}, {}, header, &bytes};
    lease->commit({.puts = {&one, 1}, .erases = {}});
  };
  refuses(
      Errc::bad_name, [&] { put("two\nlines"); }, "a header of two lines");
  refuses(
      Errc::too_large, [&] { put(std::string(65'537, 'x')); }, "a header over 64 KiB");
  put(std::string(65'536, 'x'));
  expect_same(test.store().get("run", {"a", 1})->header.size(), std::size_t{65'536}, "the longest");
}

void quarantined_is_kept(StoreUnderTest& test) {
  {
    const auto lease = test.store().lease("run");
    commit(*lease, "draft", 1, "one");
    commit(*lease, "draft", 2, "two");
    Puts batch(3);
    for (const char* path : {"x", "y", "z"}) batch.add(path, 1, path);
    lease->commit({.puts = batch.puts(), .erases = {}});
    promise(!lease->quarantine({"draft", 2}).empty(), "says where it is now");
    promise(!lease->quarantine({"y", 1}).empty(), "also of a batch");
  }
  test.reopen();
  const Names expected{"draft.1", "draft.2?", "x.1", "y.1?", "z.1"};
  expect_same(scan(test.store(), "run"), expected, "set aside, still counted");
  expect_same(scan(test.store(), "run", {.quarantined = false}), Names{"draft.1", "x.1", "z.1"},
              "without those");
  promise(!test.store().get("run", {"draft", 2}), "not there to be used");
  promise(!test.store().get("run", {"y", 1}), "not there to be used");
  expect_same(payload(test.store(), "run", {"x", 1}), std::optional<std::string>("x"),
              "its neighbour");
  expect_same(payload(test.store(), "run", {"z", 1}), std::optional<std::string>("z"),
              "its neighbour");
}

void manifests_are_replaced(StoreUnderTest& test) {
  {
    const auto lease = test.store().lease("run");
    lease->manifest(R"({"status":"running, for a long time"})");
    lease->manifest(R"({"status":"done"})");
  }
  test.reopen();
  expect_same(test.store().manifest("run"), std::optional<std::string>(R"({"status":"done"})"),
              "last");
}

void failing_payloads_leave_nothing(StoreUnderTest& test) {
  class Failing final : public Payload {
    [[nodiscard]] std::uint64_t size() const override { return 100; }
    std::size_t read(std::uint64_t, std::span<char>) const override {
      throw std::runtime_error("gone");
    }
  };
  const auto lease = test.store().lease("run");
  const Failing failing;
  const Put put{{"a", 1}, {}, "{}", &failing};
  bool thrown = false;
  try {
    lease->commit({.puts = {&put, 1}, .erases = {}});
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  promise(thrown, "what a payload throws comes out");
  promise(scan(test.store(), "run").empty(), "nothing was committed");
  commit(*lease, "a", 1, "now");
  expect_same(payload(test.store(), "run", {"a", 1}), std::optional<std::string>("now"), "goes on");
}

void threads_share_a_lease(StoreUnderTest& test) {
  constexpr int threads = 4;
  constexpr int each = 10;
  const auto lease = test.store().lease("run");
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        const std::string path = "item/" + std::to_string(t) + "-" + std::to_string(i);
        commit(*lease, path, 1, path);
        static_cast<void>(payload(test.store(), "run", {path, 1}));
        if (i % 5 == 0) static_cast<void>(scan(test.store(), "run"));
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  expect_same(scan(test.store(), "run").size(), std::size_t{threads * each}, "all are there");
  expect_same(lease->durable(), Ticket{threads * each}, "and durable");
}

constexpr std::array all{
    Capability{"AbsentIsNothing", absent_is_nothing},
    Capability{"CommittedIsFound", committed_is_found},
    Capability{"HeadsSayWhatIsStored", heads_say_what_is_stored},
    Capability{"ScansAreInOrder", scans_are_in_order},
    Capability{"ScansObey", scans_obey},
    Capability{"RecordsNeverChange", records_never_change},
    Capability{"BatchesAreWhole", batches_are_whole},
    Capability{"ErasedGoes", erased_goes},
    Capability{"PayloadsStream", payloads_stream},
    Capability{"OneWriter", one_writer},
    Capability{"FencesRise", fences_rise},
    Capability{"WaitingEnds", waiting_ends},
    Capability{"RunsBeginAsAsked", runs_begin_as_asked},
    Capability{"RunsAreListed", runs_are_listed},
    Capability{"BadNamesAreRefused", bad_names_are_refused},
    Capability{"BadHeadersAreRefused", bad_headers_are_refused},
    Capability{"QuarantinedIsKept", quarantined_is_kept},
    Capability{"ManifestsAreReplaced", manifests_are_replaced},
    Capability{"FailingPayloadsLeaveNothing", failing_payloads_leave_nothing},
    Capability{"ThreadsShareALease", threads_share_a_lease},
};

}  // namespace

std::span<const Capability> capabilities() { return all; }

}  // namespace resumable::test
