// Values with a schema inside other values: migrating one there equals migrating it by itself.
#include "value/nested_schemas.hpp"

#include <array>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <variant>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "resumable/json_types.hpp"
#include "resumable/schema.hpp"
#include "support/values.hpp"

namespace resumable::testing_support {

// The types of a program, before and after a change of the meaning of one field: seconds became
// milliseconds, and no field shows it.
namespace nested::before {
struct Inner {
  std::string name;
  std::int64_t delay = 0;
  friend auto operator<=>(const Inner&, const Inner&) = default;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Inner, name, delay)
}  // namespace nested::before
namespace nested::after {
struct Inner {
  std::string name;
  std::int64_t delay = 0;
  friend auto operator<=>(const Inner&, const Inner&) = default;
};
void to_json(nlohmann::json& json, const Inner& inner);
void from_json(const nlohmann::json& json, Inner& inner);
}  // namespace nested::after
}  // namespace resumable::testing_support

template <>
struct resumable::Schema<resumable::testing_support::nested::after::Inner> {
  static constexpr std::string_view name = "test.inner";
  static void to_milliseconds(Json& doc) {
    doc["delay"] = doc.at("delay").get<std::int64_t>() * 1000;
  }
  static constexpr Migrations migrations{to_milliseconds};
};

namespace resumable::testing_support {
namespace nested::after {
void to_json(nlohmann::json& json, const Inner& inner) {
  json = {{"name", inner.name}, {"delay", inner.delay}};
}
void from_json(const nlohmann::json& json, Inner& inner) {
  json.at("name").get_to(inner.name);
  json.at("delay").get_to(inner.delay);
}
}  // namespace nested::after

namespace nested {
namespace {

template <class I>
struct Members {
  std::vector<I> all;
  std::map<std::string, I> by;
  std::optional<I> maybe;
  I own;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Members, all, by, maybe, own)
};

/// Between the outermost value and the innermost one, there is a type that shows nothing.
template <class I>
struct Deep {
  std::vector<Members<I>> list;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Deep, list)
};

/// Its JSON is written by hand, under other names.
template <class I>
struct ByHand {
  I first;
  std::list<I> rest;
  friend void to_json(nlohmann::json& json, const ByHand& value) {
    json = {{"things", nlohmann::json::array({value.first, value.rest})}};
  }
  friend void from_json(const nlohmann::json& json, ByHand& value) {
    const auto& things = json.at("things");
    value.first = things.at(0).template get<I>();
    things.at(1).get_to(value.rest);
  }
};

template <class I>
I inner_of(std::int64_t delay, bool by_itself) {
  if constexpr (std::is_same_v<I, after::Inner>) {
    if (by_itself) return loaded<I>(saved(before::Inner{"a", delay}), 1);
  }
  return {"a", delay};
}

/// Makes a value that holds what `make` returns for each number.
template <class I, class Make>
struct Kinds {
  using Many = std::vector<std::int64_t>;
  static auto all() {
    return std::tuple{
        [](const Many& n, const Make& make) { return each<std::vector<I>>(n, make); },
        [](const Many& n, const Make& make) { return each<std::deque<I>>(n, make); },
        [](const Many& n, const Make& make) { return each<std::list<I>>(n, make); },
        [](const Many& n, const Make& make) {
          return std::vector{each<std::vector<I>>(n, make), each<std::vector<I>>(n, make)};
        },
        [](const Many& n, const Make& make) {
          std::set<I> set;
          for (const auto one : n) set.insert(make(one));
          return set;
        },
        [](const Many& n, const Make& make) {
          return std::array<I, 2>{make(n[0]), make(n[0] + 1)};
        },
        [](const Many& n, const Make& make) {
          return std::pair<I, int>{make(n[0]), 7};
        },
        [](const Many& n, const Make& make) {
          return std::tuple<int, I, std::string>{1, make(n[0]), "x"};
        },
        [](const Many& n, const Make& make) {
          std::map<std::string, I> map;
          for (const auto one : n) map.emplace(std::to_string(one), make(one));
          return map;
        },
        [](const Many& n, const Make& make) {
          std::map<std::int64_t, std::vector<I>> map;
          for (const auto one : n) map[one].push_back(make(one));
          return map;
        },
        [](const Many& n, const Make& make) {
          return std::unordered_map<std::string, I>{{"only", make(n[0])}};
        },
        [](const Many& n, const Make& make) { return std::optional<I>{make(n[0])}; },
        [](const Many&, const Make&) { return std::optional<I>{}; },
        [](const Many& n, const Make& make) {
          return std::variant<std::vector<int>, I>{make(n[0])};
        },
        [](const Many& n, const Make& make) {
          return std::vector<std::optional<std::pair<int, I>>>{std::pair{1, make(n[0])}, {}};
        },
        [](const Many& n, const Make& make) { return members(n, make); },
        [](const Many& n, const Make& make) {
          return Deep<I>{{members(n, make), members(n, make)}};
        },
        [](const Many& n, const Make& make) {
          return ByHand<I>{make(n[0]), each<std::list<I>>(n, make)};
        },
    };
  }
  template <class List>
  static List each(const Many& n, const Make& make) {
    List list;
    for (const auto one : n) list.push_back(make(one));
    return list;
  }
  static Members<I> members(const Many& n, const Make& make) {
    Members<I> value{each<std::vector<I>>(n, make), {}, make(n.back()), make(n[0])};
    for (const auto one : n) value.by.emplace(std::to_string(one), make(one));
    return value;
  }
};

template <class T>
[[nodiscard]] std::string list_of(const T& value) {
  static_cast<void>(saved(value));  // which shows what its type does not
  return value::schemas_inside(detail::value_type<T>().shape_now());
}

template <class T>
[[nodiscard]] T read_as(const std::string& bytes, const std::string& inside) {
  auto payload = std::make_shared<const StringPayload>(bytes);
  const detail::SavedAs as{schema_version_v<T>, inside};
  return *std::static_pointer_cast<const T>(detail::value_type<T>().decode(payload, as));
}

RC_GTEST_PROP(NestedSchemas, MigratingInsideAnyKindOfValueIsMigratingByItself, ()) {
  const auto numbers = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(
      rc::gen::inRange<std::int64_t>(-100000, 100000)));
  const auto old = [](std::int64_t n) { return inner_of<before::Inner>(n, false); };
  const auto now = [](std::int64_t n) { return inner_of<after::Inner>(n, true); };
  const auto check = [&](const auto& make_old, const auto& make_now) {
    const auto written = make_old(numbers, old);
    const auto expected = make_now(numbers, now);
    using Now = std::remove_cvref_t<decltype(expected)>;
    const std::string inside = list_of(written);
    RC_ASSERT(inside == "-");
    RC_ASSERT(saved(read_as<Now>(saved(written), inside)) == saved(expected));
    // What this program wrote is not migrated again.
    RC_ASSERT(saved(read_as<Now>(saved(expected), list_of(expected))) == saved(expected));
  };
  std::apply(
      [&](const auto&... olds) {
        std::apply([&](const auto&... nows) { (check(olds, nows), ...); },
                   Kinds<after::Inner, decltype(now)>::all());
      },
      Kinds<before::Inner, decltype(old)>::all());
}

TEST(NestedSchemas, AreListedAsFarAsATypeOrItsValuesShow) {
  EXPECT_EQ(list_of(std::vector<after::Inner>{}), "test.inner:2");
  EXPECT_EQ(list_of(std::map<std::string, std::optional<after::Inner>>{}), "test.inner:2");
  EXPECT_EQ(list_of(Members<after::Inner>{}), "test.inner:2") << "of its members, empty or not";
  EXPECT_EQ(list_of(Deep<after::Inner>{{{}}}), "test.inner:2+") << "only a value shows it";
  EXPECT_EQ(list_of(std::vector<before::Inner>{}), "-");
  EXPECT_EQ(list_of(std::string{}), "") << "it can hold no other";
  EXPECT_EQ(list_of(std::vector<std::string>{}), "");
  EXPECT_EQ(list_of(after::Inner{}), "-") << "a value's own version is not in the list";
}

TEST(NestedSchemas, OfALaterVersionAreRefused) {
  using List = std::vector<after::Inner>;
  const std::string bytes = R"([{"delay":1,"name":"a"}])";
  const auto refused = [&](const std::string& inside) {
    return refusal([&] { static_cast<void>(read_as<List>(bytes, inside)); });
  };
  EXPECT_EQ(refused("test.inner:3").code, Errc::newer);
  EXPECT_EQ(refused("test.unknown:2").code, Errc::newer);
  EXPECT_THAT(refused("test.unknown:2").what, testing::HasSubstr("'test.unknown' with schema 2"));
  EXPECT_EQ(refused("").code, Errc::no_migration) << "no one knows which version that is";
  EXPECT_EQ(saved(read_as<List>(bytes, "test.unknown:1")), R"([{"delay":1000,"name":"a"}])");
  EXPECT_EQ(saved(read_as<List>(bytes, "test.inner:2")), bytes);
}

TEST(NestedSchemas, OfALaterVersionAreRefusedWhereTheTypeHasNoSchemaHere) {
  const std::string bytes = R"([{"delay":1,"name":"a"}])";
  const auto read = [&](const std::string& inside) {
    return refusal([&] { static_cast<void>(read_as<std::vector<before::Inner>>(bytes, inside)); });
  };
  EXPECT_EQ(read("test.unknown:2").code, Errc::newer);
  EXPECT_EQ(read("test.unknown:2+").code, Errc::newer);
}

TEST(NestedSchemas, OfTheirOwnTypeAreMigratedOneByOne) {
  using detail::schema_range;
  const std::string bytes = R"({"all":[],"by":{},"maybe":null,"own":{"delay":5,"name":"a"}})";
  EXPECT_EQ(read_as<Members<after::Inner>>(bytes, "-").own.delay, 5000);
}

/// Whatever a migration of a part throws, the message names the type and the step.
TEST(NestedSchemas, ThatCannotBeMigratedSaySo) {
  const auto why = refusal([] {
    static_cast<void>(read_as<std::vector<after::Inner>>(R"([{"delay":"x","name":"a"}])", "-"));
  });
  EXPECT_EQ(why.code, Errc::not_decodable);
  EXPECT_THAT(why.what, testing::HasSubstr("migration 1 -> 2 of test.inner"));
}

}  // namespace
}  // namespace nested
}  // namespace resumable::testing_support
