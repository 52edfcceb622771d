#include "resumable/yaml.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "resumable/error.hpp"

namespace resumable::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string problem_in(const std::string& text) {
  try {
    return "no error: " + from_yaml(text).dump();
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(YamlTest, IsWrittenAsPeopleEditIt) {
  const Json report = Json::parse(R"({
    "title": "Report: 2026", "approved": false, "version": "1.10", "score": 8.0, "none": null,
    "empty": {}, "tags": [], "sections": [
      {"heading": "Funding", "text": "One line.\nAnother: with # and \"quotes\".\n"},
      {"heading": "Team"}], "pairs": [[1, 2], ["a", "yes"]]})");
  EXPECT_EQ(to_yaml(report, "Edit me.\n\nThen resume."), R"(# Edit me.
#
# Then resume.
approved: false
empty: {}
none: null
pairs:
  - - 1
    - 2
  - - a
    - "yes"
score: 8.0
sections:
  - heading: Funding
    text: |
      One line.
      Another: with # and "quotes".
  - heading: Team
tags: []
title: "Report: 2026"
version: "1.10"
)");
}

TEST(YamlTest, ALongLineIsFoldedAndComesBackExactly) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "word" + std::to_string(i) + " ";
  text.pop_back();
  const std::string yaml = to_yaml({{"text", text}});
  EXPECT_THAT(yaml, HasSubstr("text: >-\n  word0 "));
  std::istringstream lines{yaml};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U);
  EXPECT_EQ(from_yaml(yaml)["text"], text);
}

TEST(YamlTest, TextThatLooksLikeSomethingElseStaysText) {
  for (const char* text : {"",
                           "null",
                           "~",
                           "Null",
                           "true",
                           "FALSE",
                           "yes",
                           "No",
                           "on",
                           "12",
                           "-1",
                           "0x1f",
                           "1e3",
                           ".inf",
                           ".NaN",
                           "007",
                           "1_000",
                           "+1",
                           "1:30",
                           "- a",
                           "a: b",
                           "a #b",
                           "#",
                           "&x",
                           "*x",
                           "!x",
                           "|",
                           ">",
                           "%a",
                           "@",
                           "`",
                           "{",
                           "[",
                           "---",
                           "...",
                           "<<",
                           "2026-11-22",
                           "'",
                           "\"",
                           "\\",
                           " a",
                           "a ",
                           "a:",
                           "\n",
                           "\n\n",
                           "a\n",
                           "a\n\n",
                           "\na",
                           " a\nb",
                           "a\n ",
                           "a\n \nb",
                           "\t",
                           "a\tb",
                           "a\r\nb",
                           "\x7f",
                           "\xC2\x85",
                           "\xE2\x80\xA8",
                           "\xEF\xBB\xBF"
                           "a",
                           "\xF0\x9F\x98\x80",
                           "caf\xC3\xA9",
                           "\x01\x04",
                           "a\n---\nb",
                           "a\n# b",
                           "a\n\tb"}) {
    for (const Json& value :
         {Json(text), Json{{"k", text}}, Json{{text, 1}}, Json::array({text})}) {
      const std::string yaml = to_yaml(value);
      ASSERT_EQ(from_yaml(yaml), value) << yaml;
    }
  }
}

TEST(YamlTest, NumbersKeepTheirTypeAndValue) {
  for (const Json& value : {Json(0), Json(-1), Json(std::numeric_limits<std::uint64_t>::max()),
                            Json(std::numeric_limits<std::int64_t>::min()), Json(1.0), Json(-0.0),
                            Json(0.1), Json(1e300), Json(5e-324)}) {
    const Json back = from_yaml(to_yaml(value));
    EXPECT_EQ(back.dump(), value.dump());
    EXPECT_EQ(back.type() == Json::value_t::number_float,
              value.type() == Json::value_t::number_float);
  }
  EXPECT_THROW(static_cast<void>(to_yaml(std::nan(""))), YamlError);
  EXPECT_THROW(static_cast<void>(to_yaml("\xFF")), YamlError);
}

TEST(YamlTest, AKeyOfAnyLengthIsAKey) {
  const Json value{{std::string(3000, 'k'), {{"a", 1}}}, {"b", 2}};
  EXPECT_EQ(from_yaml(to_yaml(value)), value);
}

TEST(YamlTest, WhatUsersWriteIsReadAsTheyMeanIt) {
  EXPECT_EQ(from_yaml("a: {b: [1, two]}  # why\nc:\n- d\n- 'e'\n"),
            Json::parse(R"({"a":{"b":[1,"two"]},"c":["d","e"]})"));
  EXPECT_EQ(from_yaml("a:\nb: ~\nc: 4.1B\nd: 2026-11-22\ne: no\n"),
            Json::parse(R"({"a":null,"b":null,"c":"4.1B","d":"2026-11-22","e":"no"})"));
  EXPECT_EQ(from_yaml("\xEF\xBB\xBF"
                      "a: 1\r\nb: 2\r\n"),
            Json::parse(R"({"a":1,"b":2})"));
}

TEST(YamlTest, WhatIsWrongIsNamedWithItsLineAndColumn) {
  EXPECT_THAT(problem_in("a: 1\nb: 2\na: 3\n"), "line 3, column 1: the key 'a' occurs twice");
  EXPECT_THAT(problem_in("a:\n  b: 1\n c: 2\n"), HasSubstr("line 3, column 2: "));
  EXPECT_THAT(problem_in("a: [1, 2\n"), HasSubstr("line "));
  EXPECT_THAT(problem_in("a: \"open\n"),
              AllOf(HasSubstr("line 1, column"), HasSubstr("not closed")));
  EXPECT_THAT(problem_in("a: 'open"), AllOf(HasSubstr("line 1, column"), HasSubstr("not closed")));
  EXPECT_THAT(problem_in("a: 'open\n  b\n\n"), HasSubstr("line 2, column"));
  EXPECT_THAT(problem_in("a: &x 1\n"), AllOf(HasSubstr("line 1, column 4"), HasSubstr("anchors")));
  EXPECT_THAT(problem_in("a: *x\n"), HasSubstr("line 1, column 4"));
  EXPECT_THAT(problem_in("a: !!python/object:os.system x\n"),
              AllOf(HasSubstr("line 1, column 4"), HasSubstr("tags")));
  EXPECT_THAT(problem_in("\xC3\xA9\xC3\xA9: 007\n"), HasSubstr("line 1, column 5: '007'"));
  EXPECT_THAT(problem_in("a: 0x1f\n"), HasSubstr("quote it"));
  EXPECT_THAT(problem_in("a: 99999999999999999999\n"), HasSubstr("'99999999999999999999'"));
  EXPECT_THAT(problem_in("? [a]\n: 1\n"), HasSubstr("a key must be text"));
  EXPECT_THAT(problem_in("a: 1\n---\nb: 2\n"), HasSubstr("second document"));
  EXPECT_THAT(problem_in("a: \xFF\n"), HasSubstr("line 1, column 4: a byte that is not UTF-8"));
  EXPECT_EQ(from_yaml("---\na: 1\n...\n"), Json::parse(R"({"a":1})"));
  EXPECT_THAT(problem_in(""), HasSubstr("no value"));
  EXPECT_THAT(problem_in("# only a comment\n"), HasSubstr("no value"));
}

TEST(YamlTest, DepthIsLimitedInBothDirections) {
  Json value = 1;
  for (int i = 0; i < 256; ++i) value = Json::array({value});
  EXPECT_EQ(from_yaml(to_yaml(value)), value);
  EXPECT_THROW(static_cast<void>(to_yaml(Json::array({value}))), YamlError);
  EXPECT_THAT(problem_in(std::string(257, '[') + std::string(257, ']')), HasSubstr("256 levels"));
  EXPECT_THAT(problem_in(std::string(100000, '[')), HasSubstr("line 1"));
}

struct Fact {
  std::string text;
  int weight = 1;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Fact, text, weight)

TEST(YamlTest, AFieldThatTheTypeDoesNotHaveIsRefusedWithItsPlace) {
  EXPECT_EQ(value_from_yaml<std::vector<Fact>>("- {text: a, weight: 2}\n").front().weight, 2);
  const auto problem = [](const std::string& text) {
    try {
      static_cast<void>(value_from_yaml<std::vector<Fact>>(text));
    } catch (const YamlError& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  EXPECT_THAT(problem("- text: a\n  weight: 2\n  colour: red\n"),
              AllOf(HasSubstr("line 3, column"), HasSubstr("/0/colour")));
  EXPECT_THAT(problem("- text: a\n  weight: two\n"),
              AllOf(HasSubstr("line 2, column"), HasSubstr("weight")));
}

struct Page {
  std::string title;
  std::vector<Fact> facts;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Page, title, facts)

TEST(YamlTest, WhatPeopleTypeWronglyIsToldInTheirWords) {
  const auto problem = [](const std::string& text) {
    try {
      static_cast<void>(value_from_yaml<Page>(text));
    } catch (const YamlError& error) {
      return std::string{error.what()};
    }
    return std::string{};
  };
  EXPECT_THAT(problem("title: Leaks: heard\nfacts: []\n"),
              AllOf(HasSubstr("line 1, column"), HasSubstr("': ' in it in quotes")));
  EXPECT_EQ(problem("title: 2025\nfacts: []\n"),
            "line 1, column 8: /title: is integer, not string; put it in quotes if it is text");
  EXPECT_EQ(problem("title: T\nfacts:\n  - text: a\n    weight: 1\n  - text: b\n    weight: two\n"),
            "line 6, column 13: /facts/1/weight: not what the type takes: type must be number, but "
            "is string");
  EXPECT_THAT(problem("title: T\nfacts: [{text: 7, weight: 1}]\n"),
              AllOf(HasSubstr("/facts/0/text: "), HasSubstr("put it in quotes if it is text")));
}

TEST(YamlTest, ValuesThatAreNotJsonAreRefused) {
  Pipeline p{"p"};
  const auto text = p.stage("text", [] { return Text{"a"}; });
  EXPECT_THROW(yaml_artifact(p, text, "text.yaml"), Error);
}

rc::Gen<std::string> any_text() {
  return rc::gen::container<std::string>(rc::gen::element(
      'a', 'b', ' ', ' ', '\n', '\n', '\t', '#', ':', '-', '"', '\'', '\\', '?', '|', '>', '&', '*',
      '!', '%', '1', '.', ',', '[', ']', '{', '}', '~', '\r', '\0', '\x7f'));
}

Json any_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 6)) {
    case 0: return nullptr;
    case 1: return *rc::gen::arbitrary<bool>();
    case 2: return *rc::gen::arbitrary<std::int64_t>();
    case 3: {
      const auto number = *rc::gen::arbitrary<double>();
      return std::isfinite(number) ? Json(number) : Json(0.5);
    }
    case 4: return *any_text();
    case 5: {  // long lines of words
      std::string text;
      for (const auto& word : *rc::gen::container<std::vector<std::string>>(40, any_text())) {
        text += word + " ";
      }
      return text;
    }
    case 6: {
      Json array = Json::array();
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) array.push_back(any_value(depth - 1));
      return array;
    }
    default: {
      Json object = Json::object();
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) object[*any_text()] = any_value(depth - 1);
      return object;
    }
  }
}

RC_GTEST_PROP(YamlProperty, EveryValueComesBackExactly, ()) {
  const Json value = any_value(4);
  const std::string yaml = to_yaml(value, "a comment");
  RC_LOG() << yaml;
  const Json back = from_yaml(yaml);
  RC_ASSERT(back == value);
  RC_ASSERT(back.dump() == value.dump());
  RC_ASSERT(to_yaml(back, "a comment") == yaml);
}

}  // namespace
}  // namespace resumable::test
