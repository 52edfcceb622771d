#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/values.hpp"

namespace resumable::testing_support {
namespace {

using ::testing::HasSubstr;

Json read(const std::string& text) { return detail::parse_json(text); }

Refusal refused(const std::string& text) {
  return refusal([&] { static_cast<void>(read(text)); });
}

std::string why_refused(const std::string& text) {
  const Refusal found = refused(text);
  EXPECT_EQ(found.code, Errc::not_decodable) << text;
  return found.what;
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonReader, ReadsWhatTheRfcAllows) {
  const Json document =
      read(" { \"a\" : [ 1 , -2.5e+3 , true , null ] , \"\" : \"\\u00e4\\n\" } \n");
  EXPECT_EQ(document["a"], Json::parse("[1,-2.5e3,true,null]"));
  EXPECT_EQ(document[""], "ä\n");
}

TEST(JsonReader, DuplicateKeyIsRefusedWithItsObject) {
  const Refusal found = refused(R"({"a":{"x":1,"y":2,"x":3}})");
  EXPECT_EQ(found.code, Errc::not_decodable);
  EXPECT_EQ(found.path, "/a/x");
  EXPECT_THAT(found.what, HasSubstr("has this key already"));
  EXPECT_THAT(why_refused(R"({"b":1,"\u0062":2})"), HasSubstr("has this key already"));
}

TEST(JsonReader, WhatIsNotTheDocumentIsRefused) {
  EXPECT_THAT(why_refused("1 2"), HasSubstr("more text behind"));
  EXPECT_THAT(why_refused(std::string("1\0", 2)), HasSubstr("more text behind"));
  EXPECT_THAT(why_refused("\xEF\xBB\xBF{}"), HasSubstr("byte order mark"));
  EXPECT_THAT(why_refused("[1, // one\n2]"), HasSubstr("no comments"));
  EXPECT_THAT(why_refused("/* none */ 1"), HasSubstr("no comments"));
  EXPECT_THAT(why_refused(""), HasSubstr("the text ends where a value should be"));
}

TEST(JsonReader, NotationsThatJsonLacksAreRefused) {
  for (const char* text :
       {"NaN",       "Infinity",  "-Infinity", "01",      "+1",      ".5",         "1.",
        "1e",        "-",         "0x1",       "'a'",     "[1,]",    "{\"a\":1,}", "{a:1}",
        "[1 2]",     "{\"a\" 1}", "tru",       "nul",     "\"\\x\"", "\"\t\"",     "\"open",
        "\"\\u12\"", "\"\\",      "[",         "{\"a\":", "]"}) {
    EXPECT_THAT(why_refused(text), HasSubstr("not valid JSON")) << text;
  }
}

TEST(JsonReader, DepthIsLimitedWhileReading) {
  EXPECT_EQ(read(nested(256)).type(), Json::value_t::array);
  EXPECT_THAT(why_refused(nested(257)), HasSubstr("nested deeper than 256"));
  EXPECT_THAT(why_refused(std::string(1'000'000, '[')), HasSubstr("nested deeper than 256"));
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += R"({"":)";
  EXPECT_THAT(why_refused(objects), HasSubstr("nested deeper than 256"));
}

TEST(JsonReader, IntegersOf64BitsAreExact) {
  EXPECT_EQ(read("18446744073709551615").get<std::uint64_t>(), UINT64_MAX);
  EXPECT_EQ(read("-9223372036854775808").get<std::int64_t>(), INT64_MIN);
  EXPECT_TRUE(read("9223372036854775808").is_number_unsigned());
}

TEST(JsonReader, NumbersThat64BitsCannotHoldAreRefused) {
  for (const char* text : {"18446744073709551616", "-9223372036854775809", "1e400", "-1e400",
                           "1e-400", "100000000000000000000000000000000000000000"}) {
    EXPECT_THAT(why_refused(text), HasSubstr("does not fit into 64 bits")) << text;
  }
  EXPECT_EQ(read("0e-400"), 0.0);
}

TEST(JsonReader, MinusZeroKeepsItsSign) {
  EXPECT_TRUE(std::signbit(read("-0").get<double>()));
  EXPECT_TRUE(std::signbit(read("-0.0").get<double>()));
}

TEST(JsonReader, DenormalsAreExact) {
  EXPECT_EQ(read("5e-324").get<double>(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(read("2.2250738585072014e-308").get<double>(), std::numeric_limits<double>::min());
}

TEST(JsonReader, EscapesBecomeTheirCharacters) {
  EXPECT_EQ(read(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(read(R"("a\u0000b")"), std::string("a\0b", 3));
  EXPECT_EQ(read(R"("\u00E4\u20ac\ud83d\ude00")"), "ä€😀");
}

TEST(JsonReader, HalfASurrogatePairIsRefused) {
  for (const char* text : {R"("\ud83d")", R"("\ude00")", R"("\ud83d\u0041")", R"("\ud83dx")"}) {
    EXPECT_THAT(why_refused(text), HasSubstr("half of a surrogate pair")) << text;
  }
}

TEST(JsonReader, TextThatIsNotUtf8IsRefusedAlsoInKeys) {
  for (const char* bytes :
       {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"}) {
    const std::string text = std::string("\"a") + bytes + "\"";
    EXPECT_THAT(why_refused(text), HasSubstr("not UTF-8")) << text;
    EXPECT_THAT(why_refused("{" + text + ":1}"), HasSubstr("not UTF-8")) << text;
  }
}

TEST(JsonReader, RefusalNamesLineColumnAndPath) {
  const Refusal found = refused("{\n  \"märz\": [1,\n    2, oops]\n}");
  EXPECT_EQ(found.path, "/märz/2");
  EXPECT_THAT(found.what, HasSubstr("line 3, column 8"));
  EXPECT_THAT(found.what, HasSubstr("'o' where a value should be"));
}

}  // namespace
}  // namespace resumable::testing_support
