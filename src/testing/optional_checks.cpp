// What a store may leave out.
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "resumable/error.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"
#include "testing/store_check.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {
namespace {

void stamps_tell_commits(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  commit(*store.lease("run"), "a", 1, "x");
  const auto first = store.stamp("run");
  if (!first) throw NotOffered{};
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
  if (code_of([&] { store.remove("run"); }) == Errc::bad_option) throw NotOffered{};
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

/// An entry of the cache, as text; nullopt when there is none.
std::optional<std::string> entry(const ContentCache& cache, std::string_view path) {
  const auto stored = cache.find(path);
  if (!stored) return {};
  return read_all(*stored->payload);
}

Put put_of(std::string_view path, const Payload& payload) {
  return {{path, 1}, tag_of(1), R"({"header":1})", &payload};
}

ContentCache& cache_of(CheckpointStore& store) {
  auto* cache = store.capability<ContentCache>();
  if (cache == nullptr) throw NotOffered{};
  return *cache;
}

void the_first_entry_stays(StoreUnderTest& test) {
  const StringPayload first{"first"};
  const StringPayload second{"second"};
  {
    ContentCache& cache = cache_of(test.store());
    promise(!entry(cache, "@cache/x/1"), "an entry that is not there");
    promise(cache.put_if_absent(put_of("@cache/x/1", first)), "the first is stored");
    promise(!cache.put_if_absent(put_of("@cache/x/1", second)), "the second is not");
    expect_same(entry(cache, "@cache/x/1"), std::optional<std::string>("first"), "the first");
    cache.replace(put_of("@cache/x/1", second));
    cache.replace(put_of("@cache/x/2", second));
    expect_same(entry(cache, "@cache/x/1"), std::optional<std::string>("second"), "replaced");
  }
  promise(runs(test.store()).empty(), "the cache is nobody's run");
  refuses(
      Errc::bad_name,
      [&] { static_cast<void>(cache_of(test.store()).put_if_absent(put_of("a//b", first))); },
      "a path that names no record");
  test.reopen();
  const ContentCache& cache = cache_of(test.store());
  const auto stored = cache.find("@cache/x/1");
  promise(stored && stored->tag == tag_of(1) && stored->header == R"({"header":1})" &&
              read_all(*stored->payload) == "second",
          "it is there when the store is opened again");
  expect_same(entry(cache, "@cache/x/2"), std::optional<std::string>("second"), "and the other");
}

void one_entry_wins(StoreUnderTest& test) {
  ContentCache& cache = cache_of(test.store());
  constexpr int threads = 4;
  constexpr int entries = 10;
  std::atomic<int> stored{0};
  std::atomic<bool> whole{true};
  std::vector<std::thread> workers;
  workers.reserve(threads);
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (int i = 0; i < entries; ++i) {
        const std::string path = fmt::format("@cache/race/{}", i);
        const StringPayload payload{fmt::format("{} of {}", i, t)};
        if (cache.put_if_absent(put_of(path, payload))) ++stored;
        if (!entry(cache, path).value_or("").starts_with(fmt::format("{} of ", i))) whole = false;
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  expect_same(stored.load(), entries, "one of several threads stores an entry");
  promise(whole, "all of them find it whole");
}

void each_run_has_its_folder(StoreUnderTest& test) {
  const auto* folders = test.store().capability<ArtifactFolder>();
  if (folders == nullptr) throw NotOffered{};
  const auto one = test.store().lease("one");
  const auto two = test.store().lease("two");
  promise(!folders->artifact_folder("one").empty(), "a run has a folder");
  promise(folders->artifact_folder("one") == folders->artifact_folder("one"), "the same always");
  promise(folders->artifact_folder("one") != folders->artifact_folder("two"), "each run its own");
}

constexpr std::array of_optional{
    Check{{"stamps", "StampsTellCommits"}, stamps_tell_commits},
    Check{{"sums", "SumsAreThoseOfAScan"}, sums_are_those_of_a_scan},
    Check{{"removal", "RemovedRunsAreGone"}, removed_runs_are_gone},
    Check{{"cache", "TheFirstEntryStays"}, the_first_entry_stays},
    Check{{"cache", "OneEntryWins"}, one_entry_wins},
    Check{{"folders", "EachRunHasItsFolder"}, each_run_has_its_folder},
};

}  // namespace

std::span<const Check> optional_checks() { return of_optional; }

}  // namespace testing
}  // namespace v0
}  // namespace resumable
