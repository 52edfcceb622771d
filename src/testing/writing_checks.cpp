// What a commit does, and what it refuses.
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "resumable/error.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"
#include "testing/store_check.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {
namespace {

using Names = std::vector<std::string>;

/// Cannot be read.
class Failing final : public Payload {
  [[nodiscard]] std::uint64_t size() const override { return 100; }
  std::size_t read(std::uint64_t, std::span<char>) const override {
    throw std::runtime_error("gone");
  }
};

template <class Thrown, class Call>
void promise_throws(const Call& call) {
  bool thrown = false;
  try {
    call();
  } catch (const Thrown&) {
    thrown = true;
  }
  promise(thrown, "what a payload throws comes out");
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
      Errc::fenced, [&] { lease->commit({.puts = batch.all(), .erases = {}}); },
      "a batch with a record that exists");
  promise(!test.store().get("run", {"other", 1}), "a refused batch leaves nothing");
  Puts first(2);
  first.add("x", 1, "batched");
  first.add("y", 1, "batched");
  lease->commit({.puts = first.all(), .erases = {}});
  refuses(
      Errc::fenced, [&] { commit(*lease, "x", 1, "new"); }, "a batched record that exists");
  expect_same(payload(test.store(), "run", {"draft", 1}), std::optional<std::string>("old"),
              "old value");
  expect_same(payload(test.store(), "run", {"x", 1}), std::optional<std::string>("batched"),
              "old value");
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
  lease->commit({.puts = batch.all(), .erases = {}});
  const std::array<RecordId, 2> both{{{"a", 1}, {"b", 1}}};
  lease->commit({.puts = {}, .erases = both});
  expect_same(scan(test.store(), "run"), Names{"draft.3"}, "a batch that was erased");
}

void batches_are_whole(StoreUnderTest& test) {
  Puts batch(100);
  for (int i = 0; i < 100; ++i) {
    batch.add("item/" + std::to_string(i), 1, "value " + std::to_string(i));
  }
  {
    const auto lease = test.store().lease("run");
    lease->commit({.puts = batch.all(), .erases = {}});
    expect_same(scan(test.store(), "run").size(), std::size_t{100}, "seen beside the lease");
  }
  test.reopen();
  expect_same(scan(test.store(), "run").size(), std::size_t{100}, "seen later");
  for (int i = 0; i < 100; ++i) {
    expect_same(payload(test.store(), "run", {"item/" + std::to_string(i), 1}),
                std::optional("value " + std::to_string(i)), "payload");
  }
}

void failing_payloads_leave_nothing(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  const Failing failing;
  const Put put{{"a", 1}, {}, "{}", &failing};
  promise_throws<std::runtime_error>([&] { lease->commit({.puts = {&put, 1}, .erases = {}}); });
  promise(scan(test.store(), "run").empty(), "nothing was committed");
  commit(*lease, "a", 1, "now");
  expect_same(payload(test.store(), "run", {"a", 1}), std::optional<std::string>("now"), "goes on");
}

void a_refused_batch_leaves_nothing(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  commit(*lease, "b", 1, "old");
  const Failing failing;
  const StringPayload fine{"fine"};
  const std::array<Put, 2> fails{Put{{"a", 1}, {}, "{}", &fine}, Put{{"c", 1}, {}, "{}", &failing}};
  promise_throws<std::runtime_error>([&] { lease->commit({.puts = fails, .erases = {}}); });
  const std::array<Put, 2> clashes{Put{{"a", 1}, {}, "{}", &fine}, Put{{"b", 1}, {}, "{}", &fine}};
  const RecordId old{"b", 1};
  refuses(
      Errc::fenced,
      [&] {
        lease->commit({.puts = clashes, .erases = {&old, 1}});
      },
      "a batch with a record that exists");
  expect_same(scan(test.store(), "run"), Names{"b.1"}, "what a refused batch leaves");
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

void threads_share_a_lease(StoreUnderTest& test) {
  constexpr int threads = 4;
  constexpr int each = 10;
  const auto lease = test.store().lease("run");
  std::vector<std::thread> workers;
  workers.reserve(threads);
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
  expect_same(scan(test.store(), "run").size(), std::size_t{threads} * each, "all are there");
  expect_same(lease->durable(), Ticket{threads} * each, "and durable");
}

constexpr std::array of_writing{
    Check{{"immutable", "RecordsNeverChange"}, records_never_change},
    Check{{"erasing", "ErasedGoes"}, erased_goes},
    Check{{"atomic", "BatchesAreWhole"}, batches_are_whole},
    Check{{"atomic", "FailingPayloadsLeaveNothing"}, failing_payloads_leave_nothing},
    Check{{"atomic", "ARefusedBatchLeavesNothing"}, a_refused_batch_leaves_nothing},
    Check{{"names", "BadNamesAreRefused"}, bad_names_are_refused},
    Check{{"names", "BadHeadersAreRefused"}, bad_headers_are_refused},
    Check{{"threads", "ThreadsShareALease"}, threads_share_a_lease},
};

}  // namespace

std::span<const Check> writing_checks() { return of_writing; }

}  // namespace testing
}  // namespace v0
}  // namespace resumable
