// What can be read, and in which order.
#include <array>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
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

void absent_is_nothing(StoreUnderTest& test) {
  const CheckpointStore& store = test.store();
  promise(!store.get("run", {"draft", 1}), "a record of no run is absent");
  promise(scan(store, "run").empty(), "a run that does not exist has no records");
  promise(!store.owner("run"), "and no owner");
  promise(!store.manifest("run"), "and no manifest");
  promise(runs(store).empty(), "and is not listed");
}

void what_was_committed_is_read(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  commit(*lease, "draft", 1, "one");
  commit(*lease, "draft", 2, "two");
  expect_same(payload(test.store(), "run", {"draft", 1}), std::optional<std::string>("one"), "one");
  expect_same(payload(test.store(), "run", {"draft", 2}), std::optional<std::string>("two"), "two");
  const auto stored = test.store().get("run", {"draft", 2});
  promise(stored->tag == tag_of(2) && stored->header == R"({"header":1})", "tag and header");
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
    lease->commit({.puts = batch.all(), .erases = {}});
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
  lease->commit({.puts = batch.all(), .erases = {}});
  const std::vector<RecordId> ids{{"draft/a", 1}, {"none", 1},    {"y", 1},
                                  {"a", 1},       {"draft/b", 1}, {"x", 1}};
  const std::vector<std::string> expected{"draft/a", "absent",  "batched y",
                                          "a",       "draft/b", "batched x"};
  std::vector<std::string> found(ids.size());
  std::size_t visits = 0;
  test.store().get_many("run", ids, [&](const Fetched& one) {
    ++visits;
    promise(!one.error, "no error");
    found.at(one.index) = one.record ? read_all(*one.record->payload) : "absent";
    return true;
  });
  promise(found == expected && visits == ids.size(), "each once, under its own index");
  visits = 0;
  test.store().get_many("run", ids, [&](const Fetched&) { return ++visits < 2; });
  promise(visits == 2, "it ends when the visitor says so");
  test.store().get_many("no run", ids, [&](const Fetched& one) {
    promise(!one.record && !one.error, "nothing in a run that is not there");
    return true;
  });
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
  lease->commit({.puts = batch.all(), .erases = {}});
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
  expect_same(scan(test.store(), "run", {.prefix = std::string_view{}}).size(), std::size_t{5},
              "an empty prefix without a place");
  std::size_t count = 0;
  test.store().scan("run", {}, [&](const RecordHead&) { return ++count < 2; });
  expect_same(count, std::size_t{2}, "a scan ends when told to");
}

void scans_look_at_places(StoreUnderTest& test) {
  using Places = std::vector<std::string_view>;
  const auto lease = test.store().lease("run");
  for (const char* path : {"draft", "draft/a", "draft/a/b", "draft/ab", "draft-2", "@step/a/x",
                           "@step/a/y", "@step/ab/x", "z"}) {
    commit(*lease, path, 1, path);
  }
  commit(*lease, "draft/a", 2, "x");
  lease->quarantine({"draft/a", 1});
  const auto found = [&](const Places& places, bool quarantined = true) {
    return scan(test.store(), "run", {.places = places, .quarantined = quarantined});
  };
  expect_same(found({"draft/a", "none", "@step/a/", "draft"}),
              Names{"@step/a/x.1", "@step/a/y.1", "draft.1", "draft/a.1?", "draft/a.2"},
              "paths, and what is below others");
  expect_same(found({"draft/a"}, false), Names{"draft/a.2"}, "one path alone");
  expect_same(found({"draft/a/b", "draft/", "draft/a"}, false),
              Names{"draft/a.2", "draft/a/b.1", "draft/ab.1"}, "each once");
  expect_same(found({"none", "nothing/"}), Names{}, "none");
  const Places two{"z", "@step/ab/"};
  std::map<std::string, std::string> headers;
  test.store().scan("run", {.places = two, .headers = true}, [&](const RecordHead& head) {
    headers[std::string{head.id.path}] = head.header.value_or("none");
    return true;
  });
  promise(headers == std::map<std::string, std::string>{{"z", R"({"header":1})"},
                                                        {"@step/ab/x", R"({"header":1})"}},
          "with their headers");
  std::size_t count = 0;
  test.store().scan("run", {.places = two}, [&](const RecordHead&) { return ++count < 1; });
  expect_same(count, std::size_t{1}, "until it is told to end");
  expect_same(scan(test.store(), "no run", {.places = two}), Names{}, "in no run");
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
              "run", {&id, 1}, [](const Fetched&) { return true; }, wait);
        },
        "get_many");
  }
  promise(scan(test.store(), "run") == std::vector<std::string>{"a.1"}, "nothing was changed");
}

constexpr std::array of_reading{
    Check{{"reading", "AbsentIsNothing"}, absent_is_nothing},
    Check{{"reading", "WhatWasCommittedIsRead"}, what_was_committed_is_read},
    Check{{"reading", "HeadsSayWhatIsStored"}, heads_say_what_is_stored},
    Check{{"reading", "PayloadsStream"}, payloads_stream},
    Check{{"reading", "ScansBringHeaders"}, scans_bring_headers},
    Check{{"reading", "ManyAreReadAtOnce"}, many_are_read_at_once},
    Check{{"order", "ScansAreInOrder"}, scans_are_in_order},
    Check{{"order", "ScansObey"}, scans_obey},
    Check{{"order", "ScansLookAtPlaces"}, scans_look_at_places},
    Check{{"waits", "WaitsEnd"}, waits_end},
};

}  // namespace

std::span<const Check> reading_checks() { return of_reading; }

}  // namespace testing
}  // namespace v0
}  // namespace resumable
