// What every store promises beyond reading and writing single records. Where a promise is optional,
// a store may say that it cannot; it may not say something else.
#include <array>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "resumable/digest.hpp"
#include "resumable/error.hpp"
#include "store/contract.hpp"
#include "store/promises.hpp"
#include "store/records.hpp"

namespace resumable::test {
namespace {

void put_with_header(Lease& lease, std::string_view path, std::string_view header) {
  const StringPayload payload{std::string{path}};
  const Put one{{path, 1}, tag_of(1), header, &payload};
  lease.commit({.puts = {&one, 1}, .erases = {}});
}

void scans_bring_headers(StoreUnderTest& test) {
  {
    const auto lease = test.store().lease("run");
    put_with_header(*lease, "a", R"({"of":"a"})");
    put_with_header(*lease, "long", std::string(60'000, 'x'));
    Puts batch(2);
    batch.add("x", 1, std::string(5'000, 'x'));
    batch.add("y", 1, "y");
    lease->commit({.puts = batch.puts(), .erases = {}});
    put_with_header(*lease, "z", "{}");
    lease->quarantine({"z", 1});
  }
  test.reopen();
  std::map<std::string, std::string> headers;
  test.store().scan("run", {.headers = true}, [&](const RecordHead& head) {
    headers[std::string{head.id.path}] = head.header ? std::string{*head.header} : "none";
    promise(!head.header || head.header->size() == head.header_bytes, "its size");
    return true;
  });
  const std::map<std::string, std::string> expected{{"a", R"({"of":"a"})"},
                                                    {"long", std::string(60'000, 'x')},
                                                    {"x", R"({"header":1})"},
                                                    {"y", R"({"header":1})"},
                                                    {"z", "none"}};
  promise(headers == expected, "the headers that were written, and none of what was set aside");
}

void many_are_read_at_once(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  for (const char* path : {"draft/b", "a", "draft/a"}) commit(*lease, path, 1, path);
  Puts batch(2);
  batch.add("x", 1, "batched x");
  batch.add("y", 1, "batched y");
  lease->commit({.puts = batch.puts(), .erases = {}});
  const std::vector<RecordId> ids{{"draft/a", 1}, {"none", 1},    {"y", 1},
                                  {"a", 1},       {"draft/b", 1}, {"x", 1}};
  const std::vector<std::string> expected{"draft/a", "absent",  "batched y",
                                          "a",       "draft/b", "batched x"};
  std::vector<std::string> found(ids.size());
  std::size_t visits = 0;
  test.store().get_many("run", ids, [&](Fetched one) {
    ++visits;
    promise(!one.error, "no error");
    found.at(one.index) = one.record ? read_all(*one.record->payload) : "absent";
    return true;
  });
  promise(found == expected && visits == ids.size(), "each once, under its own index");
  visits = 0;
  test.store().get_many("run", ids, [&](Fetched) { return ++visits < 2; });
  promise(visits == 2, "it ends when the visitor says so");
  test.store().get_many("no run", ids, [&](Fetched one) {
    promise(!one.record && !one.error, "nothing in a run that is not there");
    return true;
  });
}

void stamps_tell_commits(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  commit(*store.lease("run"), "a", 1, "x");
  const auto first = store.stamp("run");
  if (!first) return;
  promise(store.stamp("run") == first, "reading changes no stamp");
  {
    const auto lease = store.lease("run");
    promise(lease->stamp_when_taken() == first, "nothing was committed in between");
    commit(*lease, "a", 2, "x");
    promise(store.stamp("run") != first, "another after a commit, or none");
  }
  const auto second = store.stamp("run");
  promise(second && *second > *first, "it grows");
  const auto lease = store.lease("run");
  promise(lease->stamp_when_taken() == second, "the stamp of what the lease found");
}

void seals_are_used(StoreUnderTest& test) {
  const std::string value(300'000, 'v');
  const StringPayload bytes{value};
  const auto make = [](const Digest& digest) {
    return Seal{tag_of(digest.bytes[0]), fmt::format("{{\"digest\":\"{}\"}}", digest.hex())};
  };
  {
    const auto lease = test.store().lease("run");
    const Put one{{"a", 1}, {}, {}, &bytes, make};
    lease->commit({.puts = {&one, 1}, .erases = {}});
    const std::array<Put, 2> two{Put{{"b", 1}, {}, {}, &bytes, make},
                                 Put{{"c", 1}, tag_of(3), "{}", &bytes}};
    lease->commit({.puts = two, .erases = {}});
    const auto broken = [](const Digest&) { return Seal{{}, "two\nlines"}; };
    const Put bad{{"d", 1}, {}, {}, &bytes, broken};
    refuses(
        Errc::bad_name,
        [&] {
          lease->commit({.puts = {&bad, 1}, .erases = {}});
        },
        "a header of two lines");
  }
  test.reopen();
  const Seal expected = make(digest(value));
  for (const char* path : {"a", "b"}) {
    const auto stored = test.store().get("run", {path, 1});
    promise(stored && stored->header == expected.header && stored->tag == expected.tag,
            "the header and the tag that the seal made");
    promise(read_all(*stored->payload) == value, "and the payload");
  }
  promise(test.store().get("run", {"c", 1})->header == "{}", "its neighbour has its header");
  promise(!test.store().get("run", {"d", 1}), "a bad seal leaves nothing");
}

void waits_end(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  commit(*lease, "a", 1, "x");
  const Wait past{.deadline = std::chrono::steady_clock::now()};
  std::stop_source source;
  source.request_stop();
  for (const Wait& wait : {past, Wait{.stop = source.get_token()}}) {
    const StringPayload payload{"y"};
    const Put one{{"b", 1}, {}, "{}", &payload};
    const RecordId id{"a", 1};
    refuses(
        Errc::cancelled,
        [&] {
          lease->commit({.puts = {&one, 1}, .erases = {}}, {.wait = wait});
        },
        "commit");
    refuses(
        Errc::cancelled, [&] { static_cast<void>(test.store().get("run", id, wait)); }, "get");
    refuses(
        Errc::cancelled,
        [&] { test.store().scan("run", {.wait = wait}, [](const RecordHead&) { return true; }); },
        "scan");
    refuses(
        Errc::cancelled,
        [&] {
          test.store().get_many(
              "run", {&id, 1}, [](Fetched) { return true; }, wait);
        },
        "get_many");
  }
  promise(scan(test.store(), "run") == std::vector<std::string>{"a.1"}, "nothing was changed");
}

void sums_are_those_of_a_scan(StoreUnderTest& test) {
  {
    const auto lease = test.store().lease("run");
    for (const char* path : {"draft/a", "draft/b", "other"}) commit(*lease, path, 1, "12345");
    commit(*lease, "draft/c", 1, "x");
    lease->quarantine({"draft/c", 1});
  }
  const RecordTotals all = record_totals(test.store(), "run");
  const RecordTotals some = record_totals(test.store(), "run", "draft/");
  promise(all.records == 3 && all.payload_bytes == 15 && all.header_bytes == 36, "of all");
  promise(some.records == 2 && some.payload_bytes == 10, "below a prefix");
  promise(record_totals(test.store(), "none").records == 0, "of no run");
}

void removed_runs_are_gone(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  refuses(
      Errc::unknown_run, [&] { store.remove("run"); }, "a run that is not there");
  {
    const auto lease = store.lease("run");
    commit(*lease, "a", 1, "old");
    lease->manifest("{}");
    refuses(
        Errc::busy, [&] { store.remove("run"); }, "a run that somebody owns");
  }
  commit(*store.lease("other"), "a", 1, "kept");
  promise(store.remove("run").kept.empty(), "nothing is left");
  promise(scan(store, "run").empty() && !store.get("run", {"a", 1}), "its records are gone");
  promise(!store.manifest("run") && !store.owner("run"), "and what belongs to them");
  promise(runs(store) == std::vector<std::string>{"other"}, "it is not listed");
  refuses(
      Errc::unknown_run, [&] { store.remove("run"); }, "removed twice");
  {
    const auto lease = store.lease("run", {.create = Create::must});
    commit(*lease, "a", 1, "new");
  }
  test.reopen();
  promise(payload(test.store(), "run", {"a", 1}) == "new", "its id is free again");
  promise(payload(test.store(), "other", {"a", 1}) == "kept", "another run stays");
}

constexpr std::array extended{
    Capability{"ScansBringHeaders", scans_bring_headers},
    Capability{"ManyAreReadAtOnce", many_are_read_at_once},
    Capability{"StampsTellCommits", stamps_tell_commits},
    Capability{"SealsAreUsed", seals_are_used},
    Capability{"WaitsEnd", waits_end},
    Capability{"SumsAreThoseOfAScan", sums_are_those_of_a_scan},
    Capability{"RemovedRunsAreGone", removed_runs_are_gone},
};

}  // namespace

std::span<const Capability> extended_capabilities() { return extended; }

}  // namespace resumable::test
