// A record that is missing is told as lost, and never one that was not made yet or has left.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "resumable/manage.hpp"
#include "resumable/resumable.hpp"
#include "run/run_support.hpp"
#include "support/manual_clock.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Keys = std::vector<std::string>;

/// Chooses by what a number says.
class Dice {
 public:
  explicit Dice(std::uint64_t number) : number_((number + 1) * 0x9E3779B97F4A7C15U) {}
  std::uint32_t below(std::uint32_t count) {
    number_ ^= number_ >> 29U;
    number_ *= 0xBF58476D1CE4E5B9U;
    return static_cast<std::uint32_t>(number_ >> 32U) % count;
  }
  bool yes() { return below(2) == 1; }

 private:
  std::uint64_t number_;
};

/// A version of the program: `a` is an input, a stage, a fan-out, or not there.
struct Version {
  enum class A { none, input, stage, fan_out } a = A::stage;
  bool b = true;
  bool c = true;
  bool d = true;
  std::string salt = "x";
  std::uint32_t fails = 0;  ///< what: none, a, b or c
  bool closes = false;
  Keys keys{"k", "l", "m"};

  static Version of(Dice& dice) {
    Version one{.a = static_cast<A>(dice.below(4)),
                .b = dice.yes(),
                .c = dice.yes(),
                .d = dice.yes(),
                .salt = dice.yes() ? "x" : "y",
                .fails = dice.below(6),
                .closes = dice.below(4) == 0,
                .keys = {}};
    for (const std::string key : {"k", "l", "m"}) {
      if (dice.yes()) one.keys.push_back(key);
    }
    return one;
  }

  [[nodiscard]] Pipeline pipeline() const {
    Pipeline p{"p"};
    const auto list = p.input("list", keys);
    const auto given = p.input("salt", salt);
    if (a == A::input) depend(p, list, p.input("a", salt));
    if (a == A::stage) {
      depend(p, list, p.stage("a", inputs(given), [*this](const std::string& of) {
        fail(1);
        return of;
      }));
    }
    if (a == A::fan_out) {
      const auto fan =
          p.stage("a", inputs(each(list), given),
                  [*this](Context& ctx, const std::string& key, const std::string& of) {
                    if (key == "l") fail(1);
                    if (closes && key == "k") ctx.close("enough");
                    return key + of;
                  });
      if (d) p.stage("d", inputs(each(fan)), [](const std::string& one) { return one; });
      depend(p, list, fan.list());
    }
    return p;
  }

 private:
  void fail(std::uint32_t who) const {
    if (fails == who) throw std::runtime_error{"no"};
  }
  template <class Value>
  void depend(Pipeline& p, const Stage<Keys>& list, const Stage<Value>& of) const {
    if (b) {
      p.stage("b", inputs(of), [*this](const Value&) {
        fail(2);
        return 1;
      });
    }
    if (c) {
      p.stage("c", inputs(each(list), of), [*this](const std::string& key, const Value&) {
        if (key == "m") fail(3);
        return key;
      });
    }
    const auto is_met = p.condition("is_met", inputs(of), [](const Value&) { return true; });
    p.stage({.name = "e", .when = is_met}, [] { return 1; });
  }
};

/// Whatever a person may do with runs of a store.
class History {
 public:
  void step(std::uint32_t number) {
    Dice dice{number};
    const std::string& run = runs_[dice.below(static_cast<std::uint32_t>(runs_.size()))];
    try {
      switch (dice.below(10)) {
        case 0: collect_garbage(store_, {.left_older_than = std::chrono::seconds{0}}); break;
        case 1: {
          const bool take = dice.yes();
          merge_runs(store_, runs_[dice.below(2)], store_, run,
                     {.conflicts = take ? MergeConflicts::take : MergeConflicts::keep});
          break;
        }
        case 2: {
          if (runs_.size() == 4) break;
          const std::string name = "fork" + std::to_string(runs_.size());
          fork_run(store_, run, name, {.from_stage = dice.yes() ? "b" : ""});
          runs_.push_back(name);
          break;
        }
        case 3: roll_back(store_, run, dice.yes() ? "a" : "b", {.generation = 1}); break;
        default: resume_with(dice, run); break;
      }
    } catch (const Error&) {  // refused: nothing has changed
    }
    clock_.advance(std::chrono::seconds{1});
  }

  /// What plans of any version say to be lost; "" where there is nothing.
  [[nodiscard]] std::string lost() {
    for (const std::string& run : runs_) {
      for (const auto a : {Version::A::stage, Version::A::fan_out}) {
        try {
          const Pipeline p = Version{.a = a}.pipeline();
          std::string text = ResumePlanner{store_}.plan(p, {.run = run}).text(true);
          if (text.find("missing") != text.npos) return run + ": " + text;
        } catch (const Error&) {  // it would be refused for another reason
        }
      }
    }
    return {};
  }

 private:
  void resume_with(Dice& dice, const std::string& run) {
    ResumeOptions options{.run = run};
    const std::uint32_t what = dice.below(6);
    if (what == 0) options.redo = {"a"};
    if (what == 1) options.pin = {"b"};
    if (what == 2) options.unpin = {"b"};
    if (what == 3) options.ignore = {"b:a"};
    if (what == 4) options.left_older_than = std::chrono::seconds{0};
    options.keep_going = true;
    const Pipeline p = Version::of(dice).pipeline();
    static_cast<void>(resume(p, store_, options));
  }

  ManualClock clock_;
  record::TestEnvironment environment_{{.clock = &clock_}};
  MemoryStore store_;
  std::vector<std::string> runs_{"r", "s"};
};

RC_GTEST_PROP(LostRecords, AreNoneInAnyHistoryOfCallsThatEndedWell,
              (std::vector<std::uint32_t> steps)) {
  History history;
  for (const std::uint32_t step : steps) {
    history.step(step);
    RC_ASSERT(history.lost() == "");
  }
}

TEST(LostRecords, AreNoneAfterAMergeThatKeepsAnotherListOfItems) {
  MemoryStore store;
  const auto run = [&](const std::string& id, const Version& version) {
    const Pipeline p = version.pipeline();
    return resume(p, store, {.run = id}).exit_code();
  };
  EXPECT_EQ(run("r", {.a = Version::A::fan_out, .fails = 1}), 1) << "m never runs";
  EXPECT_EQ(run("s", {.a = Version::A::fan_out, .keys = {"k"}}), 0);
  EXPECT_GT(merge_runs(store, "s", store, "r", {.conflicts = MergeConflicts::keep}).merged, 0U);
  const Pipeline p = Version{.a = Version::A::fan_out}.pipeline();
  EXPECT_THAT(ResumePlanner{store}.plan(p, {.run = "r"}).text(true), Not(HasSubstr("missing")));
}

TEST(LostRecords, AreNoneIfTheStageLeftAndWasCollectedAndReturns) {
  MemoryStore store;
  ManualClock clock;
  const record::TestEnvironment environment{{.clock = &clock}};
  const auto program = [](bool has_a) {
    Pipeline p{"p"};
    const auto given = p.input("given", 1);
    const auto same = [](int value) { return value; };
    const auto of = has_a ? p.stage("a", inputs(given), same) : given;
    p.stage("b", inputs(of), same);
    return p;
  };
  const Pipeline with = program(true);
  const Pipeline without = program(false);
  ASSERT_TRUE(resume(with, store, {.run = "r"}));
  ASSERT_TRUE(resume(without, store, {.run = "r", .pin = {"b"}}));
  clock.advance(std::chrono::seconds{9});
  const GarbageResult gone = collect_garbage(store, {.left_older_than = std::chrono::seconds{1}});
  EXPECT_EQ(std::ranges::count(gone.removed, "a", &Garbage::path), 1);
  EXPECT_THAT(ResumePlanner{store}.plan(with, {.run = "r"}).text(true), Not(HasSubstr("missing")));
}

}  // namespace
}  // namespace resumable::test
