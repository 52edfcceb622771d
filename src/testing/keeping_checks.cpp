// What is there when the store is opened again.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "resumable/digest.hpp"
#include "resumable/error.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"
#include "testing/store_check.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {
namespace {

using Names = std::vector<std::string>;

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

void quarantined_is_kept(StoreUnderTest& test) {
  {
    const auto lease = test.store().lease("run");
    commit(*lease, "draft", 1, "one");
    commit(*lease, "draft", 2, "two");
    Puts batch(3);
    for (const char* path : {"x", "y", "z"}) batch.add(path, 1, path);
    lease->commit({.puts = batch.all(), .erases = {}});
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

constexpr std::array of_keeping{
    Check{{"lasting", "CommittedIsFound"}, committed_is_found},
    Check{{"quarantine", "QuarantinedIsKept"}, quarantined_is_kept},
    Check{{"manifest", "ManifestsAreReplaced"}, manifests_are_replaced},
    Check{{"seals", "SealsAreUsed"}, seals_are_used},
};

}  // namespace

std::span<const Check> keeping_checks() { return of_keeping; }

}  // namespace testing
}  // namespace v0
}  // namespace resumable
