// The version of a type counts wherever a value of it stands: in a stage, an item, a step, the
// cache, an effect, a loop, a queue, an input, and inside other values there.
#include <map>
#include <optional>

#include "resumable/cache.hpp"
#include "resumable/effect.hpp"
#include "resumable/progress.hpp"
#include "resumable/queue.hpp"
#include "resumable/records.hpp"
#include "run/run_support.hpp"

namespace resumable::test::nested {

/// A program before and after seconds became milliseconds, which no field shows.
template <int Version>
struct Wait {
  std::string name;
  std::int64_t delay = 0;
  friend auto operator<=>(const Wait&, const Wait&) = default;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Wait, name, delay)
};

inline void to_milliseconds(Json& doc) {
  doc["delay"] = doc.at("delay").get<std::int64_t>() * 1000;
}
inline void to_microseconds(Json& doc) { to_milliseconds(doc); }

}  // namespace resumable::test::nested

template <>
struct resumable::Schema<resumable::test::nested::Wait<2>> {
  static constexpr std::string_view name = "test.wait";
  static constexpr Migrations migrations{resumable::test::nested::to_milliseconds};
};
template <>
struct resumable::Schema<resumable::test::nested::Wait<3>> {
  static constexpr std::string_view name = "test.wait";
  static constexpr Migrations migrations{resumable::test::nested::to_milliseconds,
                                         resumable::test::nested::to_microseconds};
};

namespace resumable::test::nested {
namespace {

using ::testing::HasSubstr;

template <class W>
struct Outer {
  std::vector<W> all;
  std::map<std::string, W> by;
  friend auto operator<=>(const Outer&, const Outer&) = default;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Outer, all, by)
};

/// Where no type shows what is inside.
template <class W>
struct Deep {
  std::vector<Outer<W>> list;
  friend auto operator<=>(const Deep&, const Deep&) = default;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Deep, list)
};

template <class W>
W filled(const W*, std::int64_t n) {
  return {"w", n};
}
template <class W>
std::vector<W> filled(const std::vector<W>*, std::int64_t n) {
  return {W{"w", n}};
}
template <class W>
std::pair<W, int> filled(const std::pair<W, int>*, std::int64_t n) {
  return {W{"w", n}, 1};
}
template <class W>
Outer<W> filled(const Outer<W>*, std::int64_t n) {
  return {{W{"w", n}}, {{"k", W{"w", n}}}};
}
template <class W>
Deep<W> filled(const Deep<W>*, std::int64_t n) {
  return {{Outer<W>{{W{"w", n}}, {{"k", W{"w", n}}}}}};
}
template <class V>
V filled(std::int64_t n) {
  return filled(static_cast<const V*>(nullptr), n);
}

/// What a key needs.
struct ByPlace {
  template <class V>
  std::string operator()(const V&) const {
    return "only";
  }
};

/// Saves a V at each place where a value can stand.
template <class V>
struct Program {
  explicit Program(std::int64_t saved, bool fails) : n(saved) {
    const auto in = p.input("in", filled<V>(n));
    value.emplace(p.stage("value", [this] { return made("value"); }));
    const auto list = p.input("list", Strings{"i"});
    items.emplace(
        p.stage("items", inputs(each(list)), [this](const std::string&) { return made("item"); }));
    const auto seed = p.input("seed", std::vector<V>{filled<V>(n)});
    queue.emplace(
        p.queue("queue", inputs(each(seed, ByPlace{})), [this](Context& ctx, const V& element) {
          calls("queue");
          if (ctx.item() == "only") ctx.enqueue(filled<V>(n));
          return element;
        }));
    used.emplace(
        p.stage("used", inputs(in, *value, *items),
                [this, fails](Context& ctx, const V& input, const V& v, const std::vector<V>& all) {
                  return use(ctx, fails, input, v, all);
                }));
  }
  V made(const std::string& what) const {
    calls(what);
    return filled<V>(n);
  }
  std::vector<V> use(Context& ctx, bool fails, const V& input, const V& v,
                     const std::vector<V>& all) const {
    std::vector<V> seen{input, v, all.at(0)};
    seen.push_back(ctx.step("step", [this] { return made("step"); }));
    seen.push_back(ctx.cached("cached", with(1), [this] { return made("cached"); }));
    seen.push_back(
        ctx.effect("effect", with(1), [this](const std::string&) { return made("effect"); }));
    auto history = ctx.template history<V>();
    if (history.empty()) history.push_back(made("history"));
    history.visit([&](const V& entry) { seen.push_back(entry); }, [](std::size_t) {});
    auto progress = ctx.progress(filled<V>(0), {.every = 1});
    if (*progress == filled<V>(0)) *progress = made("progress");
    progress.safepoint();
    seen.push_back(*progress);
    if (fails) throw std::runtime_error{"not yet"};
    return seen;
  }
  Report run(CheckpointStore& store) { return resume(p, store, {.run = "r"}); }
  [[nodiscard]] Plan plan(CheckpointStore& store) const {
    return ResumePlanner{store}.plan(p, {.run = "r"});
  }

  std::int64_t n;
  mutable Calls calls;
  Pipeline p{"p"};
  std::optional<Stage<V>> value;
  std::optional<FanOut<V>> items;
  std::optional<FanOut<V>> queue;
  std::optional<Stage<std::vector<V>>> used;
};

template <template <class> class V>
void check_every_place() {
  using Before = V<Wait<1>>;
  using After = V<Wait<2>>;
  MemoryStore store;
  EXPECT_FALSE((Program<Before>{5, true}.run(store)));
  Program<After> now{5000, false};
  const Report report = now.run(store);
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(now.calls.take(), "") << "nothing runs again but the stage that failed";
  const After expected = filled<After>(5000);
  for (const After& seen : report[*now.used]) EXPECT_EQ(Json(seen), Json(expected));
  EXPECT_EQ(Json(report[*now.value]), Json(expected));
  EXPECT_EQ(Json(report[*now.items].at(0)), Json(expected));
  for (const After& seen : report[*now.queue]) EXPECT_EQ(Json(seen), Json(expected));
  const Records records{store, "r"};
  EXPECT_EQ(Json(records.stage<After>("value")->value), Json(expected));
  EXPECT_EQ(Json(records.input<After>("in")->value), Json(expected));
  // What this program has written is not migrated again.
  Program<After> again{5000, false};
  const Report second = again.run(store);
  ASSERT_TRUE(second) << second.text();
  EXPECT_EQ(again.calls.take(), "");
  EXPECT_EQ(Json(second[*again.used].at(0)), Json(expected));
}

template <class W>
using Plain = W;
template <class W>
using List = std::vector<W>;
template <class W>
using Pair = std::pair<W, int>;

TEST(NestedSchemas, CountAtEveryPlace) {
  check_every_place<Plain>();
  check_every_place<List>();
  check_every_place<Pair>();
  check_every_place<Outer>();
  check_every_place<Deep>();
}

TEST(NestedSchemas, CountWhereAPartOfAValueIsRead) {
  MemoryStore store;
  EXPECT_FALSE((Program<List<Wait<1>>>{5, true}.run(store)));
  const Records before{store, "r"};
  EXPECT_EQ(before.stage<Wait<2>>("value", "/0")->value.delay, 5000);
  EXPECT_EQ(before.stage<std::int64_t>("value", "/0/delay")->value, 5);
  EXPECT_TRUE((Program<List<Wait<2>>>{5000, false}.run(store)));
  MemoryStore other;
  EXPECT_TRUE((Program<List<Wait<2>>>{7, false}.run(other)));
  EXPECT_EQ((Records{other, "r"}.stage<Wait<2>>("value", "/0")->value.delay), 7);
}

TEST(NestedSchemas, AreNamedInThePlan) {
  MemoryStore store;
  EXPECT_FALSE((Program<Outer<Wait<1>>>{5, true}.run(store)));
  const Plan plan = Program<Outer<Wait<2>>>{5000, false}.plan(store);
  EXPECT_EQ(plan["value"].action, Action::skip);
  EXPECT_EQ(plan["value"].causes.at(0).reason, Reason::migrated);
  EXPECT_THAT(plan.text(), HasSubstr("schema 1 -> 2 of 'test.wait'"));
}

template <template <class> class V>
void check_older_program() {
  MemoryStore store;
  EXPECT_FALSE((Program<V<Wait<3>>>{5, true}.run(store)));
  Program<V<Wait<2>>> older{5, false};
  const Report report = older.run(store);
  EXPECT_EQ(report.outcome(), Outcome::refused);
  EXPECT_EQ(code_of(report), Errc::newer) << report.text();
  EXPECT_THAT(report.text(), HasSubstr("'test.wait' with schema 3"));
  EXPECT_EQ(older.calls.take(), "");
  Program<V<Wait<1>>> oldest{5, false};
  EXPECT_EQ(code_of(oldest.run(store)), Errc::newer) << "it has no schema for that type at all";
}

TEST(NestedSchemas, OfANewerProgramAreRefused) {
  check_older_program<List>();
  check_older_program<Outer>();
  check_older_program<Pair>();
}

TEST(NestedSchemas, OfAValueThatShowsNoneAreRefusedWhereItIsRead) {
  MemoryStore store;
  EXPECT_FALSE((Program<Deep<Wait<3>>>{5, true}.run(store)));
  EXPECT_EQ(code_of(Program<Deep<Wait<2>>>{5, false}.run(store)), Errc::newer);
}

TEST(NestedSchemas, MakeEqualBytesOfAnInputAnotherValue) {
  MemoryStore store;
  EXPECT_TRUE((Program<List<Wait<1>>>{5, false}.run(store)));
  Program<List<Wait<2>>> now{5, false};  // 5 ms, and 5 s were recorded
  EXPECT_THAT(now.plan(store).text(), HasSubstr("input 'in' changed"));
  EXPECT_TRUE(now.run(store));
  now.calls.take();
  EXPECT_TRUE(now.run(store));
  EXPECT_EQ(now.calls.take(), "") << "it was recorded as another value";
}

/// Made again, 5 s became 5 ms: the bytes are the same, and what depends on them runs.
TEST(NestedSchemas, MakeEqualBytesOfAStageAnotherValue) {
  const auto declare = [](Pipeline& p, Calls& calls, auto wait, std::uint32_t revision) {
    using W = decltype(wait);
    const auto list = p.stage({.name = "list", .revision = revision}, [] {
      return std::vector<W>{{"w", 5}};
    });
    p.stage("after", inputs(list), [&](const std::vector<W>& all) {
      calls("after");
      return all.at(0).delay;
    });
  };
  MemoryStore store;
  Calls calls;
  Pipeline before{"p"};
  declare(before, calls, Wait<1>{}, 1);
  EXPECT_TRUE(resume(before, store, {.run = "r"}));
  Pipeline now{"p"};
  declare(now, calls, Wait<2>{}, 2);
  EXPECT_TRUE(resume(now, store, {.run = "r"}));
  EXPECT_EQ(calls.take(), "after x2");
}

}  // namespace
}  // namespace resumable::test::nested
