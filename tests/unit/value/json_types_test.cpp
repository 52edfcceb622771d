#include "resumable/json_types.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/values.hpp"

namespace resumable::testing_support {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;
using std::chrono::duration;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::sys_time;
using std::chrono::system_clock;

using Thirds = duration<std::int32_t, std::ratio<1, 3>>;

struct Visit {
  std::optional<std::string> note;
  std::chrono::milliseconds took{};
  system_clock::time_point when{};
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Visit, note, took, when)

struct Price {
  int cents = 0;
  friend bool operator==(const Price&, const Price&) = default;
};
void to_json(Json& json, const Price& price) { json = price.cents; }
void from_json(const Json& json, Price& price) { price.cents = json.get<int>(); }
// A host's own, found by argument-dependent lookup.
void to_json(Json& json, const std::optional<Price>& price) { json = price ? price->cents : -1; }
void from_json(const Json& json, std::optional<Price>& price) {
  price.reset();
  if (json.get<int>() >= 0) price = Price{json.get<int>()};
}

struct Weight {
  int grams = 0;
};

}  // namespace
}  // namespace resumable::testing_support

// A host's own, as a specialisation.
template <>
struct nlohmann::adl_serializer<std::optional<resumable::testing_support::Weight>> {
  using Value = std::optional<resumable::testing_support::Weight>;
  static void to_json(json& document, const Value& value) { document = value ? value->grams : 0; }
  static void from_json(const json& document, Value& value) { value = {document.get<int>()}; }
};

namespace resumable::testing_support {
namespace {

using Named = std::variant<std::monostate, bool, int, std::string>;
using Numbered = std::variant<Price, std::vector<int>>;

TEST(JsonTypes, VariantSaysWhichAlternativeItHolds) {
  EXPECT_EQ(saved(Named{}), R"({"type":"none"})");
  EXPECT_EQ(saved(Named{true}), R"({"type":"boolean","value":true})");
  EXPECT_EQ(saved(Named{-3}), R"({"type":"integer","value":-3})");
  EXPECT_EQ(saved(Named{std::string{"x"}}), R"({"type":"string","value":"x"})");
  EXPECT_EQ(saved(Numbered{Price{5}}), R"({"index":0,"value":5})") << "a Price has no name";
  for (const Named& value : {Named{}, Named{true}, Named{-3}, Named{std::string{"x"}}}) {
    EXPECT_EQ(loaded<Named>(saved(value)), value);
  }
  const Numbered list{std::vector<int>{1, 2}};
  EXPECT_EQ(loaded<Numbered>(saved(list)), list);
}

TEST(JsonTypes, VariantRefusesWhatIsNotExactlyOne) {
  for (const char* wrong :
       {R"({"type":"number","value":1.5})", R"({"type":"integer","value":"x"})",
        R"({"type":"integer"})", R"({"value":1})", R"({"type":"none","value":1})",
        R"({"type":"integer","value":1,"more":2})", R"({"type":"boolean","value":1})", "1"}) {
    EXPECT_EQ(refused_to_load<Named>(wrong).code, Errc::not_decodable) << wrong;
  }
  EXPECT_EQ(refused_to_load<Numbered>(R"({"index":2,"value":5})").code, Errc::not_decodable);
}

enum class Weather { calm, cross };
NLOHMANN_JSON_SERIALIZE_ENUM(Weather, {{Weather::calm, "calm"}, {Weather::cross, "cross"}})
enum class Bare { zero, one };

TEST(JsonTypes, EnumeratorsAreNumbersUnlessTheyAreGivenWords) {
  EXPECT_EQ(saved(Bare::one), "1");
  EXPECT_EQ(saved(Weather::cross), R"("cross")");
  EXPECT_EQ(loaded<Weather>(R"("cross")"), Weather::cross);
  EXPECT_EQ(refused_to_load<Weather>(R"("gloomy")").code, Errc::not_decodable)
      << "never the first enumerator";
}

TEST(JsonTypes, OptionalIsNullOrTheValue) {
  EXPECT_EQ(saved(std::optional<int>()), "null");
  EXPECT_EQ(saved(std::optional<int>(3)), "3");
  const std::vector<std::optional<std::string>> mixed{"a", std::nullopt};
  EXPECT_EQ(through(mixed), mixed);
}

TEST(JsonTypes, MissingOptionalMemberIsNotNull) {
  const Refusal found =
      refused_to_load<Visit>(R"({"took":"1ms","when":"2026-11-21T20:31:07.000000000Z"})");
  EXPECT_EQ(found.code, Errc::not_decodable);
  EXPECT_EQ(found.path, "/note");
}

TEST(JsonTypes, OptionalThatHoldsANullIsRefused) {
  EXPECT_EQ(refused_to_save(std::optional<Json>(nullptr)).code, Errc::not_encodable);
  EXPECT_EQ(saved(std::optional<Json>(1)), "1");
}

TEST(JsonTypes, HostsOwnSerialisersWin) {
  EXPECT_EQ(through(Price{5}), Price{5});
  EXPECT_EQ(saved(std::optional<Price>()), "-1");
  EXPECT_EQ(through(std::optional<Price>(Price{5})), Price{5});
  EXPECT_EQ(saved(std::optional<Weight>()), "0");
}

TEST(JsonTypes, DurationsNameTheirUnit) {
  EXPECT_EQ(saved(1500ms), R"("1500ms")");
  EXPECT_EQ(saved(std::chrono::nanoseconds::min()), R"("-9223372036854775808ns")");
  EXPECT_EQ(saved(duration<double>(0.1)), R"("0.1s")");
  EXPECT_EQ(saved(Thirds(7)), R"("7[1/3]s")");
  EXPECT_EQ(through(std::chrono::hours(-3)), std::chrono::hours(-3));
  EXPECT_EQ(through(std::chrono::days(3)), std::chrono::days(3));
  EXPECT_EQ(through(std::chrono::nanoseconds::min()), std::chrono::nanoseconds::min());
  EXPECT_EQ(through(duration<float, std::milli>(0.1F)), (duration<float, std::milli>(0.1F)));
  EXPECT_EQ(through(duration<std::uint64_t>(UINT64_MAX)), duration<std::uint64_t>(UINT64_MAX));
}

TEST(JsonTypes, DurationInAnotherUnitIsRefused) {
  EXPECT_THAT(refused_to_load<std::chrono::seconds>(R"("1500ms")").what,
              HasSubstr("not a duration in s"));
  EXPECT_THAT(refused_to_load<std::chrono::milliseconds>(R"("2s")").what,
              HasSubstr("not a number of ms"));
  EXPECT_EQ(refused_to_load<Thirds>(R"("2147483648[1/3]s")").code, Errc::not_decodable);
  EXPECT_EQ(refused_to_load<std::chrono::seconds>("1500").code, Errc::not_decodable);
  EXPECT_EQ(refused_to_load<std::chrono::seconds>(R"("01s")").what, R"("01s" became "1s")");
}

TEST(JsonTypes, DurationThatIsNotFiniteIsRefused) {
  const duration<double> nan(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(refused_to_save(nan).code, Errc::not_encodable);
}

TEST(JsonTypes, TimesAreUtcDates) {
  EXPECT_EQ(saved(sys_days(std::chrono::year_month_day{2024y / 2 / 29})),
            R"("2024-02-29T00:00:00Z")");
  EXPECT_EQ(saved(sys_time<std::chrono::milliseconds>(-1ms)), R"("1969-12-31T23:59:59.999Z")");
  EXPECT_EQ(saved(sys_time<Thirds>(Thirds(7))), R"("7[1/3]s")");
  EXPECT_EQ(through(sys_time<Thirds>(Thirds(7))), sys_time<Thirds>(Thirds(7)));
  for (const auto time : {system_clock::time_point::min(), system_clock::time_point::max(),
                          system_clock::time_point{}, system_clock::now()}) {
    EXPECT_EQ(through(time), time);
  }
}

TEST(JsonTypes, TimesOutsideOfFourDigitYearsAreRefused) {
  EXPECT_EQ(through(sys_seconds(253402300799s)), sys_seconds(253402300799s));
  EXPECT_EQ(through(sys_seconds(-62167219200s)), sys_seconds(-62167219200s));
  EXPECT_EQ(refused_to_save(sys_seconds(253402300800s)).code, Errc::not_encodable);
  EXPECT_EQ(refused_to_save(sys_seconds(-62167219201s)).code, Errc::not_encodable);
  EXPECT_EQ(refused_to_save(sys_seconds::max()).code, Errc::not_encodable);
}

TEST(JsonTypes, WhatIsNotExactlyATimeIsRefused) {
  for (const char* text :
       {R"("")", R"("2026-11-21")", R"("2026-11-21T20:31:07")", R"("2026-02-30T00:00:00Z")",
        R"("2026-11-21T24:00:00Z")", R"("2026-11-21T20:31:07.5Z")", R"("2026-11-21 20:31:07Z")",
        R"("2026-11-21T20:31:07Zx")", "1700000000"}) {
    EXPECT_EQ(refused_to_load<sys_seconds>(text).code, Errc::not_decodable) << text;
  }
  EXPECT_EQ(refused_to_load<sys_days>(R"("2026-11-21T20:31:07Z")").code, Errc::not_decodable);
}

TEST(JsonTypes, MembersRoundTrip) {
  const Visit visit{"x", 1500ms, system_clock::time_point(1234567890123456789ns)};
  EXPECT_EQ(saved(through(visit)),
            R"({"note":"x","took":"1500ms","when":"2009-02-13T23:31:30.123456789Z"})");
}

}  // namespace
}  // namespace resumable::testing_support
