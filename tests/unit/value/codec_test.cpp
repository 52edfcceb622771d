#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/values.hpp"

namespace resumable::testing_support {
namespace {

using ::testing::HasSubstr;

enum class Mood : std::uint8_t { calm, tense, frantic };

enum class Colour { red, green };
NLOHMANN_JSON_SERIALIZE_ENUM(Colour, {{Colour::red, "red"}, {Colour::green, "green"}})

struct Section {
  std::string title;
  std::vector<std::string> sources;
  std::int8_t level = 0;
  double score = 0;
  Mood mood = Mood::calm;
  friend bool operator==(const Section&, const Section&) = default;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Section, title, sources, level, score, mood)

/// As a host writes it who wants old files to load: the library must not let it.
struct Lenient {
  int a = 1;
  std::string b = "default";
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Lenient, a, b)

class NoDefault {
 public:
  explicit NoDefault(int number) : number_(number) {}
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

struct Book {
  std::string name;
  std::vector<Section> sections;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Book, name, sections)

struct Grumpy {
  int limit = 0;
};
void to_json(Json& json, const Grumpy& value) {
  if (value.limit < 0) throw std::domain_error("limit is below zero");
  json = Json{{"limit", value.limit}};
}
void from_json(const Json& json, Grumpy& value) {
  value.limit = json.at("limit").get<int>();
  if (value.limit > 9) throw std::domain_error("limit is above nine");
}

}  // namespace
}  // namespace resumable::testing_support

template <>
struct nlohmann::adl_serializer<resumable::testing_support::NoDefault> {
  using Value = resumable::testing_support::NoDefault;
  static void to_json(json& document, const Value& value) { document = value.number(); }
  static Value from_json(const json& document) { return Value(document.get<int>()); }
};

template <>
struct resumable::Codec<std::array<char, 3>> {
  static constexpr CodecId id{64};
  static std::string encode(const std::array<char, 3>& value) {
    return {value.begin(), value.end()};
  }
  static std::array<char, 3> decode(std::string_view bytes) {
    return {bytes.at(0), bytes.at(1), bytes.at(2)};
  }
};

namespace resumable::testing_support {
namespace {

TEST(Codec, StructsRoundTrip) {
  const Section section{"Team", {"a", "b"}, -128, -0.0, Mood::frantic};
  EXPECT_EQ(through(section), section);
  EXPECT_EQ(saved(section),
            R"({"level":-128,"mood":2,"score":-0.0,"sources":["a","b"],"title":"Team"})");
}

TEST(Codec, VectorOfTwoStringsStaysAnArray) {
  EXPECT_EQ(saved(std::vector<std::string>{"a", "b"}), R"(["a","b"])");
  EXPECT_EQ(saved(std::vector<std::vector<std::string>>{{"a", "b"}, {"c", "d"}}),
            R"([["a","b"],["c","d"]])");
  EXPECT_EQ(saved(std::vector<Json>{"a", 1}), R"(["a",1])");
}

TEST(Codec, StandardContainersRoundTrip) {
  EXPECT_EQ(through(std::list<int>{3, 1, 2}), (std::list<int>{3, 1, 2}));
  EXPECT_EQ(through(std::set<std::string>{"b", "a"}), (std::set<std::string>{"a", "b"}));
  EXPECT_EQ(through(std::vector<bool>{true, false}), (std::vector<bool>{true, false}));
  EXPECT_EQ(through(std::array<int, 2>{1, 2}), (std::array<int, 2>{1, 2}));
  EXPECT_EQ(through(std::tuple{1, std::string("a"), 0.5}), std::tuple(1, std::string("a"), 0.5));
  const std::unordered_map<std::string, int> unordered{{"z", 1}, {"a", 2}};
  EXPECT_EQ(saved(unordered), R"({"a":2,"z":1})");
  EXPECT_EQ(through(unordered), unordered);
}

TEST(Codec, MapWithOtherKeysIsAnArrayOfPairs) {
  const std::map<int, std::string> map{{2, "b"}, {-1, "a"}};
  EXPECT_EQ(saved(map), R"([[-1,"a"],[2,"b"]])");
  EXPECT_EQ(through(map), map);
}

TEST(Codec, IntegersAtTheirLimitsRoundTrip) {
  EXPECT_EQ(through(UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(through(INT64_MIN), INT64_MIN);
  EXPECT_EQ(through(std::vector<std::int8_t>{-128, 127}), (std::vector<std::int8_t>{-128, 127}));
}

TEST(Codec, FloatsRoundTripExactly) {
  for (const float value : {0.1F, 3.4028235e38F, 1e-45F, -0.0F, 16777217.0F}) {
    const float again = through(value);
    EXPECT_EQ(std::signbit(again), std::signbit(value));
    EXPECT_EQ(again, value);
  }
}

TEST(Codec, TextsWithNulAndOfMegabytesRoundTrip) {
  const std::string nul("a\0b\x1f", 4);
  EXPECT_EQ(through(nul), nul);
  const std::string large(5 << 20, 'x');
  EXPECT_EQ(through(large), large);
  EXPECT_EQ(through(std::string()), "");
}

TEST(Codec, JsonItselfRoundTrips) {
  const Json document = Json::parse(R"({"a":[1,{"b":null}],"c":-0.0})");
  EXPECT_EQ(through(document), document);
  EXPECT_TRUE(through(document)["c"].is_number_float());
}

TEST(Codec, TypesWithoutDefaultConstructorRoundTrip) {
  EXPECT_EQ(through(NoDefault(7)).number(), 7);
  EXPECT_EQ(through(std::vector<NoDefault>{NoDefault(1)}).front().number(), 1);
}

TEST(Codec, PathsAreTexts) {
  EXPECT_EQ(through(std::filesystem::path("a/b.txt")), std::filesystem::path("a/b.txt"));
  EXPECT_EQ(refused_to_save(std::filesystem::path("\xff")).code, Errc::not_encodable);
}

TEST(Codec, TextIsSavedAsItIs) {
  EXPECT_EQ(saved(Text{"# Team\n"}), "# Team\n");
  EXPECT_EQ(through(Text{""}), Text{""});
  EXPECT_EQ(saved(std::vector<Text>{{"a"}, {"b"}}), R"(["a","b"])");
  EXPECT_EQ(refused_to_save(Text{"\xff"}).code, Errc::not_encodable);
  EXPECT_EQ(refused_to_load<Text>("\xff").code, Errc::not_decodable);
}

TEST(Codec, BytesAreSavedAsTheyAre) {
  const Bytes bytes{std::string("\xff\0\x01", 3)};
  EXPECT_EQ(saved(bytes), bytes.bytes);
  EXPECT_EQ(through(bytes), bytes);
  EXPECT_EQ(through(Bytes{}), Bytes{});
}

TEST(Codec, OwnCodecIsUsedAndItsErrorsAreTyped) {
  using Three = std::array<char, 3>;
  EXPECT_EQ(saved(Three{'a', 'b', 'c'}), "abc");
  EXPECT_EQ(detail::value_type<Three>().codec, CodecId{64});
  EXPECT_EQ(detail::value_type<Three>().shape().fields, "");
  EXPECT_EQ(loaded<Three>("xyz"), (Three{'x', 'y', 'z'}));
  EXPECT_EQ(refused_to_load<Three>("x").code, Errc::not_decodable);
}

template <class T>
bool is_the_same(const T& value) {
  const auto& type = detail::value_type<T>();
  const auto decoded = type.decode(type.encode(&value), type.version);
  return type.exact && *static_cast<const T*>(decoded.get()) == value;
}

TEST(Codec, SaysOfTextAndIntegersThatTheyNeedNotBeDecodedAgain) {
  EXPECT_TRUE(is_the_same<std::string>("Zürich\n\"\x01"));
  EXPECT_TRUE(is_the_same(std::numeric_limits<std::int64_t>::min()));
  EXPECT_TRUE(is_the_same(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_TRUE(is_the_same<signed char>(-128));
  EXPECT_TRUE(is_the_same<char>('x'));
  EXPECT_TRUE(is_the_same(false));
  EXPECT_FALSE((detail::value_type<std::array<char, 3>>().exact));
}

TEST(Codec, NarrowedNumbersAreRefusedWithTheirPath) {
  using Tree = std::map<std::string, std::map<std::string, std::vector<std::int8_t>>>;
  const Refusal found = refused_to_load<Tree>(R"({"a":{"b":[1,2,300]}})");
  EXPECT_EQ(found.code, Errc::not_decodable);
  EXPECT_EQ(found.path, "/a/b/2");
  EXPECT_EQ(found.what, "300 became 44");
  EXPECT_EQ(refused_to_load<std::int64_t>("18446744073709551615").what,
            "18446744073709551615 became -1");
  EXPECT_EQ(refused_to_load<std::uint32_t>("-1").what, "-1 became 4294967295");
  EXPECT_EQ(refused_to_load<int>("3.5").what, "3.5 became 3");
  EXPECT_EQ(refused_to_load<int>("true").what, "true became 1");
  EXPECT_EQ(refused_to_load<int>("-0.0").what, "-0.0 became 0");
  EXPECT_EQ(refused_to_load<double>("9007199254740993").what,
            "9007199254740993 became 9007199254740992.0");
  EXPECT_EQ(refused_to_load<float>("0.1").what, "0.1 became 0.10000000149011612");
  EXPECT_EQ(refused_to_load<Mood>("256").what, "256 became 0");
}

TEST(Codec, EqualNumbersInOtherNotationsAreAccepted) {
  EXPECT_EQ(loaded<double>("3"), 3.0);
  EXPECT_EQ(loaded<int>("3.0"), 3);
  EXPECT_EQ(loaded<std::int64_t>("-4e0"), -4);
  EXPECT_EQ(loaded<double>("0.1000000000000000055511151231257827"), 0.1);
  EXPECT_EQ(loaded<std::uint64_t>("1.8446744073709550e19"), 18446744073709549568ULL);
  EXPECT_EQ(loaded<Section>(R"( {"title":"T", "sources":[], "mood":0, "score":1, "level":2.0} )"),
            (Section{"T", {}, 2, 1.0, Mood::calm}));
}

TEST(Codec, DroppedKeysAreRefusedWithTheirPath) {
  const Refusal found = refused_to_load<std::vector<Section>>(
      R"([{"title":"T","sources":[],"mood":0,"score":1,"level":0,"subtitle":"x"}])");
  EXPECT_EQ(found.path, "/0/subtitle");
  EXPECT_EQ(found.what, R"(the type has no place for "x")");
}

TEST(Codec, DefaultedFieldsAreRefusedWithTheirPath) {
  const Refusal found = refused_to_load<Lenient>(R"({"a":2})");
  EXPECT_EQ(found.code, Errc::not_decodable);
  EXPECT_EQ(found.path, "/b");
  EXPECT_EQ(found.what, R"(missing; the type fills in "default")");
}

TEST(Codec, DroppedElementsAreRefused) {
  EXPECT_EQ(refused_to_load<std::set<int>>("[1,1]").what, "an array of 2 became an array of 1");
  using Pair = std::pair<int, int>;
  EXPECT_EQ(refused_to_load<Pair>("[1,2,3]").what, "an array of 3 became an array of 2");
}

TEST(Codec, UnknownEnumeratorNamesAreRefused) {
  EXPECT_EQ(through(Colour::green), Colour::green);
  EXPECT_EQ(refused_to_load<Colour>(R"("purple")").what, R"("purple" became "red")");
}

TEST(Codec, SeveralDifferencesAreNamedAndCounted) {
  using Map = std::map<std::string, std::int8_t>;
  const Refusal found =
      refused_to_load<Map>(R"({"a":300,"b":301,"c":302,"d":303,"e":304,"f":305})");
  EXPECT_EQ(found.path, "/a");
  EXPECT_EQ(found.what,
            "300 became 44; /b: 301 became 45; /c: 302 became 46; /d: 303 became 47; "
            "and 2 more");
}

TEST(Codec, WrongKindIsRefusedWithThePathOfTheShape) {
  const Refusal found = refused_to_load<std::vector<Section>>(
      R"([{"title":"T","sources":"none","mood":0,"score":1,"level":0}])");
  EXPECT_EQ(found.code, Errc::not_decodable);
  EXPECT_EQ(found.path, "/0/sources");
  EXPECT_EQ(found.what, "is string, not array");
}

TEST(Codec, MissingFieldIsRefusedWithItsPath) {
  const Refusal found = refused_to_load<std::map<std::string, Section>>(
      R"({"team":{"title":"T","sources":[],"mood":0,"level":0}})");
  EXPECT_EQ(found.path, "/team/score");
  EXPECT_THAT(found.what, HasSubstr("missing"));
  EXPECT_THAT(found.what, HasSubstr("key 'score' not found"));
}

TEST(Codec, RefusedElementOfAMemberIsFound) {
  Json book = Json(Book{"B", std::vector<Section>(100)});
  book["sections"][73].erase("title");
  const Refusal missing = refused_to_load<Book>(detail::json_text(book));
  EXPECT_EQ(missing.path, "/sections/73");
  EXPECT_THAT(missing.what, HasSubstr("key 'title' not found"));
  Json shelf = Json(std::vector<Book>(3, Book{"B", std::vector<Section>(5, Section{"", {"a"}})}));
  shelf[1]["sections"][4]["sources"].push_back(false);
  EXPECT_EQ(refused_to_load<std::vector<Book>>(detail::json_text(shelf)).path,
            "/1/sections/4/sources/1");
}

TEST(Codec, ExceptionsOfSerialisersAreTyped) {
  const Refusal saving = refused_to_save(Grumpy{-1});
  EXPECT_EQ(saving.code, Errc::not_encodable);
  EXPECT_THAT(saving.what, HasSubstr("limit is below zero"));
  const Refusal loading = refused_to_load<Grumpy>(R"({"limit":10})");
  EXPECT_EQ(loading.code, Errc::not_decodable);
  EXPECT_THAT(loading.what, HasSubstr("limit is above nine"));
}

TEST(Codec, EmptyPayloadIsNotAValueOfJson) {
  EXPECT_EQ(refused_to_load<int>("").code, Errc::not_decodable);
  EXPECT_EQ(refused_to_load<Json>("").code, Errc::not_decodable);
}

TEST(Codec, PayloadsThatAreNotContiguousAreRead) {
  class Pieces final : public Payload {
   public:
    [[nodiscard]] std::uint64_t size() const override { return 5; }
    std::size_t read(std::uint64_t at, std::span<char> to) const override {
      return StringPayload("[1,2]").read(at, to);
    }
  };
  const auto& type = detail::value_type<std::vector<int>>();
  const auto value = type.decode(std::make_shared<const Pieces>(), 1);
  EXPECT_EQ(*std::static_pointer_cast<const std::vector<int>>(value), (std::vector{1, 2}));
}

}  // namespace
}  // namespace resumable::testing_support
