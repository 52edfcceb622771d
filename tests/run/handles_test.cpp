// Handles: a FanOut stands for its items, a Stage for one value, and no path reads one as the
// other.
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "run/run_support.hpp"

namespace resumable::test {
namespace {

// Programs write helpers like these.
template <class T>
Stage<T> passed(const Stage<T>& stage) {
  return stage;
}
template <class Handle>
void export_json(Pipeline& p, const Handle& stage, const std::string& pattern) {
  p.artifact(stage, pattern);
}
Stage<Strings> list_of(const FanOut<std::string>& items) { return items; }

struct Declared {
  Pipeline p{"p"};
  Stage<Strings> names = p.input("names", Strings{"a", "b"});
  FanOut<std::string> items =
      p.stage("items", inputs(each(names)), [](const std::string& name) { return name + "!"; });
};

static_assert(!std::is_base_of_v<Stage<Strings>, FanOut<std::string>>);
static_assert(std::is_convertible_v<FanOut<std::string>, Stage<Strings>>);
static_assert(!std::is_convertible_v<FanOut<std::string>, Stage<std::string>>);
static_assert(!std::is_convertible_v<FanOut<std::string>, FanOut<int>>);
static_assert(!std::is_convertible_v<Stage<Strings>, FanOut<std::string>>);
static_assert(!std::is_convertible_v<Stage<int>, Stage<long>>);
static_assert(!std::is_constructible_v<Condition, FanOut<bool>>);
static_assert(!std::is_constructible_v<When, Stage<bool>>);

TEST(Handles, OfAListCannotStandForTheItems) {
  Declared d;
  const Stage<Strings>& list = d.items;
  const auto count = [](const Strings& all) { return std::to_string(all.size()); };
  const auto split = [](const std::string& text) { return Strings{text}; };
  const auto refused = [](const auto& declare) {
    EXPECT_EQ(code_of(declare), Errc::foreign_handle);
  };
  refused([&] { d.p.artifact(list, "{item}.json"); });
  refused([&] { d.p.artifact(list, "{item}.txt", count); });
  refused([&] { d.p.artifact(list, "{item}.md", count, split); });
  refused([&] { d.p.validate(list, [](const Strings&) { return std::string{}; }); });
  refused([&] { d.p.adopt_as(list, [](const FoundFile&) { return Strings{}; }); });
  refused([&] { d.p.adopt_if(list, [](const FoundFile&) { return true; }); });
  refused([&] { export_json(d.p, passed(list_of(d.items)), "{item}.json"); });
  MemoryStore store;
  EXPECT_TRUE(resume(d.p, store, {.run = "r"})) << "what was refused has left nothing";
}

TEST(Handles, OfAListSayWhatToPass) {
  Declared d;
  try {
    d.p.artifact(d.items.list(), "{item}.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.info().stage, "items");
    EXPECT_NE(error.info().next.find("pass the FanOut itself"), std::string::npos);
  }
}

TEST(Handles, OfItemsAreTakenByEveryDeclaration) {
  Declared d;
  export_json(d.p, d.items, "{item}.json");
  d.p.artifact(d.items, "{item}.txt", [](const std::string& item) { return item; });
  d.p.validate(d.items, [](const std::string& item) { return item.empty() ? "empty" : ""; });
  d.p.adopt_as(d.items, [](const FoundFile&) { return std::string{}; });
  d.p.adopt_if(d.items, [](const FoundFile&) { return true; });
  d.p.append(d.items, "all.txt", [](const std::string& item) { return item; });
}

TEST(Handles, OfAFanOutGiveTheListWhereAValueIsWanted) {
  Declared d;
  const Stage<Strings>& list = d.items;
  const auto whole = d.p.stage("whole", inputs(d.items), [](const Strings& all) { return all; });
  const auto same = d.p.stage("same", inputs(list), [](const Strings& all) { return all; });
  const auto again = d.p.stage("again", inputs(each(list)), [](const std::string& s) { return s; });
  const auto keyed =
      d.p.stage("keyed", inputs(each(d.items, [](const std::string& s) { return s; })),
                [](const std::string& s) { return s; });
  d.p.stage("last", inputs(after(d.items), after(list), after(keyed)), [] {});
  MemoryStore store;
  const Report report = resume(d.p, store, {.run = "r"});
  ASSERT_TRUE(report) << report.text();
  const Strings expected{"a!", "b!"};
  EXPECT_EQ(report[d.items], expected);
  EXPECT_EQ(report[list], expected);
  EXPECT_EQ(*report.find(d.items), expected);
  EXPECT_EQ(report[whole], expected);
  EXPECT_EQ(report[same], expected);
  EXPECT_EQ(report[again], expected);
  EXPECT_EQ(report[keyed], expected);
  EXPECT_EQ(report.plan()[d.items].stage, "items");
  EXPECT_EQ(report.plan()[list].stage, "items");
}

TEST(Handles, AreValuesThatContainersHold) {
  Declared d;
  std::vector<FanOut<std::string>> rounds{d.items};
  for (int i = 0; i < 3; ++i) {
    rounds.push_back(d.p.stage(Name::checked("round" + std::to_string(i)),
                               inputs(each(rounds.back())),
                               [](const std::string& s) { return s + "!"; }));
  }
  std::optional<Stage<Strings>> last;
  last = rounds.back();
  const auto [first, end] = std::tuple{rounds.front(), *last};
  MemoryStore store;
  const Report report = resume(d.p, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[first].front(), "a!");
  EXPECT_EQ(report[end].front(), "a!!!!");
}

}  // namespace
}  // namespace resumable::test
