// What two versions differ in, and three-way merges.
#include "value/changes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include "resumable/digest.hpp"

namespace resumable::value {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Json = nlohmann::json;

std::vector<std::string> json_changes(std::string_view before, std::string_view after) {
  std::vector<std::string> all;
  for (const Change& one : changes(CodecId::json, before, after)) {
    all.push_back(one.path + " " + one.before + " > " + one.after);
  }
  return all;
}

TEST(Changes, NameFieldsByPointerWithOldAndNewValue) {
  EXPECT_THAT(json_changes(R"({"a":1,"b":{"c/d":"x"}})", R"({"a":2,"b":{"c/d":"y"}})"),
              ElementsAre("/a 1 > 2", "/b/c~1d \"x\" > \"y\""));
}

TEST(Changes, AddedAndDeletedMembersHaveOneSide) {
  EXPECT_THAT(json_changes(R"({"a":1})", R"({"b":2})"), ElementsAre("/a 1 > ", "/b  > 2"));
}

TEST(Changes, AnElementInsertedInFrontIsOneChange) {
  EXPECT_THAT(json_changes("[1,2,3]", "[0,1,2,3]"), ElementsAre("/0  > 0"));
}

TEST(Changes, OfTextNameTheLine) {
  const auto found = changes(CodecId::text, "a\nb\nc\n", "a\nB\nc\n");
  EXPECT_THAT(found, ElementsAre(Change{"line 2", "b", "B"}));
}

TEST(Changes, OfAStringOfSeveralLinesNameThePointerAndTheLine) {
  EXPECT_THAT(json_changes(R"({"t":"a\nb\n"})", R"({"t":"a\nB\n"})"),
              ElementsAre("/t line 2 b > B"));
}

TEST(Changes, OfAFileNameTheLineWhereBothSidesAreTextElseSizeAndDigest) {
  EXPECT_THAT(changes(CodecId::file, "a\nb\n", "a\nB\n"), ElementsAre(Change{"line 2", "b", "B"}));
  const std::string binary{"\0a", 2};
  EXPECT_THAT(changes(CodecId::file, "a\n", binary),
              ElementsAre(Change{"", "2 bytes (" + digest("a\n").brief() + ")",
                                 "2 bytes (" + digest(binary).brief() + ")"}));
  EXPECT_THAT(changes(CodecId::user, "a\nb\n", "a\nB\n"),
              ElementsAre(::testing::Field(&Change::path, "")));
}

TEST(Merge, OfFilesGoesByLinesWhereAllSidesAreTextElseTheyCollide) {
  EXPECT_EQ(merge(CodecId::file, "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n").bytes, "A\nb\nC\n");
  const std::string binary{"a\nb\nC\n\0", 7};
  const Merged merged = merge(CodecId::file, "a\nb\nc\n", "A\nb\nc\n", binary);
  EXPECT_EQ(merged.bytes, "A\nb\nc\n");
  EXPECT_THAT(merged.conflicts, SizeIs(1));
}

TEST(Merge, TakesEachSidesOwnChanges) {
  const Merged merged = merge(CodecId::json, R"({"a":1,"b":2,"c":[1,2,3]})",
                              R"({"a":9,"b":2,"c":[1,2,3,4]})", R"({"a":1,"b":8,"c":[0,2,3]})");
  EXPECT_THAT(merged.conflicts, IsEmpty());
  EXPECT_EQ(Json::parse(merged.bytes), Json::parse(R"({"a":9,"b":8,"c":[0,2,3,4]})"));
}

TEST(Merge, NamesBothSidesOfACollisionAndKeepsMine) {
  const Merged merged =
      merge(CodecId::json, R"({"a":1,"b":1})", R"({"a":2,"b":1})", R"({"a":3,"b":4})");
  ASSERT_THAT(merged.conflicts, SizeIs(1));
  EXPECT_EQ(merged.conflicts[0].path, "/a");
  EXPECT_EQ(merged.conflicts[0].mine, "2");
  EXPECT_EQ(merged.conflicts[0].theirs, "3");
  EXPECT_EQ(Json::parse(merged.bytes), Json::parse(R"({"a":2,"b":4})"));
}

TEST(Merge, ADeletionAgainstAChangeCollides) {
  const Merged merged = merge(CodecId::json, R"({"a":1})", "{}", R"({"a":3})");
  ASSERT_THAT(merged.conflicts, SizeIs(1));
  EXPECT_EQ(merged.conflicts[0].mine, "");
}

TEST(Merge, OfTextJoinsLinesThatAreApart) {
  const Merged merged =
      merge(CodecId::text, "a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n");
  EXPECT_THAT(merged.conflicts, IsEmpty());
  EXPECT_EQ(merged.bytes, "A\nb\nc\nd\nE\n");
}

rc::Gen<Json> any_json(int depth) {
  const auto scalar =
      rc::gen::oneOf(rc::gen::map(rc::gen::inRange(0, 4), [](int n) { return Json(n); }),
                     rc::gen::map(rc::gen::element<std::string>("x", "y", "a\nb\n", "a\nc\nd\n"),
                                  [](const std::string& s) { return Json(s); }));
  if (depth == 0) return scalar;
  const auto array =
      rc::gen::map(rc::gen::scale(0.1, rc::gen::container<std::vector<Json>>(any_json(depth - 1))),
                   [](const std::vector<Json>& all) { return Json(all); });
  const auto object = rc::gen::map(
      rc::gen::scale(0.1, rc::gen::container<std::map<std::string, Json>>(
                              rc::gen::element<std::string>("p", "q", "r"), any_json(depth - 1))),
      [](const std::map<std::string, Json>& all) { return Json(all); });
  return rc::gen::oneOf(scalar, array, object);
}

RC_GTEST_PROP(MergeProperty, OneSideAloneIsTakenAsItIs, ()) {
  const Json base = *any_json(2);
  const Json other = *any_json(2);
  const auto mine = merge(CodecId::json, base.dump(), other.dump(), base.dump());
  const auto theirs = merge(CodecId::json, base.dump(), base.dump(), other.dump());
  RC_ASSERT(mine.conflicts.empty() && Json::parse(mine.bytes) == other);
  RC_ASSERT(theirs.conflicts.empty() && Json::parse(theirs.bytes) == other);
}

RC_GTEST_PROP(MergeProperty, WithoutACollisionSidesCanBeSwapped, ()) {
  const std::string base = (*any_json(2)).dump();
  const std::string a = (*any_json(2)).dump();
  const std::string b = (*any_json(2)).dump();
  const auto one = merge(CodecId::json, base, a, b);
  const auto two = merge(CodecId::json, base, b, a);
  RC_ASSERT(one.conflicts.size() == two.conflicts.size());
  if (one.conflicts.empty()) {
    RC_ASSERT(Json::parse(one.bytes) == Json::parse(two.bytes));
  }
}

// Objects whose members are changed by one side, the other, both or none.
RC_GTEST_PROP(MergeProperty, NothingThatOnlyOneSideChangedIsLost, ()) {
  Json base = Json::object();
  Json mine = Json::object();
  Json theirs = Json::object();
  std::map<std::string, Json> only_mine;
  std::map<std::string, Json> only_theirs;
  std::size_t both = 0;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    const Json old = *any_json(1);
    base[name] = mine[name] = theirs[name] = old;
    const Json fresh = Json{{"new", *rc::gen::inRange(10, 20)}};
    switch (*rc::gen::inRange(0, 4)) {
      case 0: break;
      case 1: mine[name] = only_mine[name] = fresh; break;
      case 2: theirs[name] = only_theirs[name] = fresh; break;
      default:
        mine[name] = fresh;
        theirs[name] = "other";
        ++both;
    }
  }
  const auto merged = merge(CodecId::json, base.dump(), mine.dump(), theirs.dump());
  const Json result = Json::parse(merged.bytes);
  for (const auto& [name, value] : only_mine) RC_ASSERT(result.at(name) == value);
  for (const auto& [name, value] : only_theirs) RC_ASSERT(result.at(name) == value);
  RC_ASSERT(merged.conflicts.size() == both);
}

RC_GTEST_PROP(MergeProperty, EveryLineThatOneSideAddedIsThere, ()) {
  const auto lines = *rc::gen::scale(0.3, rc::gen::container<std::vector<std::string>>(
                                              rc::gen::element<std::string>("a\n", "b\n", "c\n")));
  std::string base;
  std::string mine;
  std::string theirs;
  for (const std::string& line : lines) {
    base += line;
    if (*rc::gen::inRange(0, 5) == 0) mine += "mine\n";
    mine += line;
    if (*rc::gen::inRange(0, 5) == 0) theirs += "theirs\n";
    theirs += line;
  }
  const auto count = [](const std::string& text, const std::string& line) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(line, at)) != text.npos; ++at) ++found;
    return found;
  };
  const auto merged = merge(CodecId::text, base, mine, theirs);
  RC_ASSERT(count(merged.bytes, "mine\n") == count(mine, "mine\n"));
  if (merged.conflicts.empty()) {
    RC_ASSERT(count(merged.bytes, "theirs\n") == count(theirs, "theirs\n"));
  }
}

}  // namespace
}  // namespace resumable::value
