#include <limits>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/values.hpp"

namespace resumable::testing_support {
namespace {

using ::testing::HasSubstr;
using Limits = std::numeric_limits<double>;

// These bytes are in checkpoints, and their digests are identities: a change here reruns
// everything.
TEST(JsonWriter, CanonicalFormIsFrozen) {
  const Json document =
      Json::parse(R"({"z":[1,-2,2.0,true,null,{}],"a":"ä\"\\\/\b\f\n\r\t\u0001"})");
  EXPECT_EQ(detail::json_text(document),
            R"({"a":"ä\"\\/\b\f\n\r\t\u0001","z":[1,-2,2.0,true,null,{}]})");
}

TEST(JsonWriter, NotationOfDoublesIsFrozen) {
  const std::pair<double, const char*> cases[] = {{0.0, "0.0"},
                                                  {-0.0, "-0.0"},
                                                  {1.0, "1.0"},
                                                  {0.1, "0.1"},
                                                  {100000.0, "100000.0"},
                                                  {1e15, "1000000000000000.0"},
                                                  {1e16, "1e+16"},
                                                  {1e-5, "0.00001"},
                                                  {1e-6, "1e-06"},
                                                  {1.0 / 3, "0.3333333333333333"},
                                                  {5e-324, "5e-324"},
                                                  {1e300, "1e+300"},
                                                  {123456789.125, "123456789.125"},
                                                  {0.10000000149011612, "0.10000000149011612"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(detail::json_text(value), text);
}

TEST(JsonWriter, SameTextAsNlohmannForUsualDocuments) {
  const Json document = Json::parse(R"({"s":"é😀","n":[0,1,-1,0.5,1234.5678],"o":{"":[]}})");
  EXPECT_EQ(detail::json_text(document), document.dump());
}

// Texts are read and written eight bytes at a time.
TEST(JsonWriter, EachByteAtEachPlaceIsWrittenAsNlohmannWritesItAndReadBack) {
  for (int byte = 0; byte < 0x80; ++byte) {
    for (std::size_t place = 0; place < 20; ++place) {
      std::string text(20, 'x');
      text[place] = static_cast<char>(byte);
      const std::string written = detail::json_text(text);
      EXPECT_EQ(written, Json(text).dump());
      EXPECT_EQ(detail::parse_json(written), Json(text)) << written;
    }
  }
}

TEST(JsonWriter, AByteThatIsNotUtf8IsRefusedAtEachPlace) {
  for (int byte = 0x80; byte < 0x100; ++byte) {
    for (std::size_t place = 0; place < 20; ++place) {
      std::string text(20, 'x');
      text[place] = static_cast<char>(byte);
      EXPECT_EQ(refused_to_save(Json(text)).code, Errc::not_encodable) << byte << " at " << place;
    }
  }
}

TEST(JsonWriter, NotFiniteNumbersAreRefusedWithTheirPath) {
  const Json nan = {{"market", {{"sizes", {1.0, Limits::quiet_NaN()}}}}};
  const Refusal found = refused_to_save(nan);
  EXPECT_EQ(found.code, Errc::not_encodable);
  EXPECT_EQ(found.path, "/market/sizes/1");
  EXPECT_THAT(found.what, HasSubstr("NaN"));
  EXPECT_EQ(refused_to_save(Json{{"x", Limits::infinity()}}).path, "/x");
  EXPECT_EQ(refused_to_save(Json{{"x", -Limits::infinity()}}).path, "/x");
  EXPECT_EQ(refused_to_save(Limits::quiet_NaN()).path, "");
}

TEST(JsonWriter, TextThatIsNotUtf8IsRefusedWithItsPath) {
  const Refusal value = refused_to_save(Json{{"team", {{{"name", "J\xf6rg"}}}}});
  EXPECT_EQ(value.code, Errc::not_encodable);
  EXPECT_EQ(value.path, "/team/0/name");
  EXPECT_THAT(value.what, HasSubstr(R"(not UTF-8: "J\xf6rg")"));
  const Refusal key = refused_to_save(Json{{"team", {{"J\xf6rg", 1}}}});
  EXPECT_EQ(key.code, Errc::not_encodable);
  EXPECT_EQ(key.path, R"(/team/J\xf6rg)");
}

TEST(JsonWriter, BinaryValuesAreRefusedWithTheirPath) {
  const Refusal found = refused_to_save(Json{{"a", {{"raw", Json::binary({1, 2})}}}});
  EXPECT_EQ(found.code, Errc::not_encodable);
  EXPECT_EQ(found.path, "/a/raw");
  EXPECT_THAT(found.what, HasSubstr("no binary values"));
}

TEST(JsonWriter, DiscardedDocumentsAreRefused) {
  const Json discarded = Json::parse("{", nullptr, false);
  EXPECT_EQ(refused_to_save(discarded).code, Errc::not_encodable);
}

TEST(JsonWriter, DepthIsLimitedWithoutCopyingTheDocument) {
  Json deep;
  for (int i = 0; i < 1'000'000; ++i) {
    Json outer = Json::array();
    outer.push_back(std::move(deep));
    deep = std::move(outer);
  }
  const Refusal found = refused_to_save(deep);
  EXPECT_EQ(found.code, Errc::not_encodable);
  EXPECT_THAT(found.what, HasSubstr("nested deeper than 256"));
}

TEST(JsonWriter, PathsEscapeAsInRfc6901) {
  EXPECT_EQ(refused_to_save(Json{{"a/b~c", Limits::quiet_NaN()}}).path, "/a~1b~0c");
}

}  // namespace
}  // namespace resumable::testing_support
