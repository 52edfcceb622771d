#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/values.hpp"

namespace resumable::testing_support {
namespace {

using ::testing::HasSubstr;

struct Research {
  std::vector<std::string> findings;
  std::vector<std::string> sources;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research, findings, sources)

struct Late {
  std::string first;
  std::string last;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Late, first, last)

struct Broken {
  std::int8_t size = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Broken, size)

struct Loose {
  double size = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Loose, size)

struct Plain {
  int x = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Plain, x)

}  // namespace
}  // namespace resumable::testing_support

template <>
struct resumable::Schema<resumable::testing_support::Research> {
  static constexpr std::string_view name = "memo.research";
  static void add_sources(Json& doc) { doc["sources"] = Json::array(); }
  static void rename_hits(Json& doc) {
    doc["findings"] = doc.at("hits");
    doc.erase("hits");
  }
  static constexpr Migrations migrations{add_sources, rename_hits};
};

template <>
struct resumable::Schema<resumable::testing_support::Late> {
  static void split(Json& doc) { doc["last"] = ""; }
  static void rename(Json& doc) {
    doc["first"] = doc["name"];
    doc.erase("name");
  }
  static constexpr Migrations migrations{oldest(4), split, rename};
};

template <>
struct resumable::Schema<resumable::testing_support::Broken> {
  static constexpr std::string_view name = "memo.broken";
  static void too_large(Json& doc) { doc["size"] = 1000; }
  static void not_standard(Json&) { throw 42; }
  static constexpr Migrations migrations{not_standard, too_large};
};

template <>
struct resumable::Schema<resumable::testing_support::Loose> {
  static void not_a_number(Json& doc) { doc["size"] = std::numeric_limits<double>::quiet_NaN(); }
  static constexpr Migrations migrations{not_a_number};
};

namespace resumable::testing_support {
namespace {

static_assert(schema_version_v<Plain> == 1);
static_assert(schema_version_v<Research> == 3);
static_assert(schema_version_v<Late> == 6);
static_assert(Schema<Late>::migrations.oldest() == 4);

TEST(Schema, TableTellsVersionsAndName) {
  const detail::ValueType& research = detail::value_type<Research>();
  EXPECT_EQ(research.version, 3U);
  EXPECT_EQ(research.oldest, 1U);
  EXPECT_EQ(research.schema, "memo.research");
  const detail::ValueType& late = detail::value_type<Late>();
  EXPECT_EQ(late.version, 6U);
  EXPECT_EQ(late.oldest, 4U);
  EXPECT_EQ(late.schema, "");
}

TEST(Schema, EveryEarlierVersionIsMigratedStepByStep) {
  EXPECT_EQ(loaded<Research>(R"({"hits":["a"]})", 1).findings, std::vector<std::string>{"a"});
  EXPECT_EQ(loaded<Research>(R"({"hits":[],"sources":["s"]})", 2).sources,
            std::vector<std::string>{"s"});
  EXPECT_EQ(loaded<Research>(R"({"findings":["b"],"sources":[]})", 3).findings,
            std::vector<std::string>{"b"});
}

TEST(Schema, ChainMayBeginLater) {
  EXPECT_EQ(loaded<Late>(R"({"name":"Ada"})", 4).first, "Ada");
  EXPECT_EQ(loaded<Late>(R"({"last":"L","name":"Ada"})", 5).last, "L");
  EXPECT_EQ(loaded<Late>(R"({"first":"Ada","last":"L"})", 6).first, "Ada");
}

TEST(Schema, VersionBeforeTheChainIsRefused) {
  const Refusal found = refused_to_load<Late>(R"({"name":"Ada"})", 3);
  EXPECT_EQ(found.code, Errc::no_migration);
  EXPECT_THAT(found.what, HasSubstr("version 3"));
  EXPECT_THAT(found.what, HasSubstr("versions 4 to 6"));
}

TEST(Schema, NewerVersionIsRefused) {
  const Refusal found = refused_to_load<Research>(R"({"findings":[],"sources":[]})", 4);
  EXPECT_EQ(found.code, Errc::newer);
  EXPECT_THAT(found.what, HasSubstr("version 4 of memo.research"));
  EXPECT_EQ(refused_to_load<Text>("hi", 2).code, Errc::newer);
}

TEST(Schema, MigrationThatThrowsIsNamed) {
  const Refusal found = refused_to_load<Research>(R"({"sources":[]})", 1);
  EXPECT_EQ(found.code, Errc::not_decodable);
  EXPECT_THAT(found.what, HasSubstr("migration 2 -> 3 of memo.research threw"));
  EXPECT_THAT(found.what, HasSubstr("key 'hits' not found"));
}

TEST(Schema, MigratedDocumentThatIsNoValueIsRefusedWithVersionsAndPath) {
  const Refusal narrowed = refused_to_load<Broken>(R"({"size":1})", 2);
  EXPECT_EQ(narrowed.path, "/size");
  EXPECT_THAT(narrowed.what, HasSubstr("migrated 2 -> 3 of memo.broken: 1000 became -24"));
  const Refusal wrong_kind = refused_to_load<Research>(R"({"hits":7,"sources":[]})", 2);
  EXPECT_EQ(wrong_kind.path, "/findings");
  EXPECT_THAT(wrong_kind.what,
              HasSubstr("migrated 2 -> 3 of memo.research: is integer, not array"));
}

TEST(Schema, MigratedDocumentThatJsonCannotHoldIsNotDecodable) {
  const Refusal found = refused_to_load<Loose>(R"({"size":1})", 1);
  EXPECT_EQ(found.code, Errc::not_decodable);
  EXPECT_EQ(found.path, "/size");
  EXPECT_THAT(found.what, HasSubstr("migrated 1 -> 2: JSON has no NaN"));
}

TEST(Schema, StoredDocumentIsStrictBeforeItIsMigrated) {
  EXPECT_EQ(refused_to_load<Research>(R"({"hits":[],"hits":[]})", 1).code, Errc::not_decodable);
  EXPECT_EQ(refused_to_load<Research>(R"({"hits":[]} x)", 1).code, Errc::not_decodable);
}

TEST(Schema, AMigrationThatThrowsWhatIsNotAnExceptionIsNamedWithTheType) {
  const Refusal found = refused_to_load<Broken>(R"({"size":1})", 1);
  EXPECT_EQ(found.code, Errc::not_decodable);
  EXPECT_THAT(found.what, HasSubstr("migration 1 -> 2 of memo.broken threw: an exception of type "
                                    "int was thrown"));
}

}  // namespace
}  // namespace resumable::testing_support
