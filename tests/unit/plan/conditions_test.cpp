// Stages that are taken only when a condition is met.
#include <gtest/gtest.h>

#include "unit/plan/planned.hpp"

namespace resumable::test {
namespace {

TEST(Conditions, AStageWhoseConditionIsNotMetIsNotTaken) {
  Memo memo;
  memo.facts.outcome("deep", false, {{"deck", "a deck"}});
  EXPECT_EQ(memo.decides("study"), "skip not_taken");
  EXPECT_EQ(memo.causes("study").front().subject, "deep");
  EXPECT_TRUE(memo.plan().complete());
}

TEST(Conditions, AStageThatIsNotTakenIsNotLookedAt) {
  Memo memo;
  memo.facts.outcome("deep", false, {{"deck", "a deck"}});
  memo.facts.newest("study").schema(2);
  EXPECT_EQ(memo.decides("study"), "skip not_taken");
  EXPECT_EQ(memo.decides("study", {Memo::fresh()}), "refuse newer")
      << "the condition is open again";
}

TEST(Conditions, WhileOneIsOpenSoIsTheStage) {
  Memo memo;
  memo.facts.input("company", "Best");
  EXPECT_EQ(memo.decides("study"), "decide upstream+input_changed");
  EXPECT_EQ(memo.causes("study").front().subject, "deep");
}

TEST(Conditions, OneWhoseOutcomeIsLostIsAskedAgain) {
  Memo memo;
  memo.facts.forget_outcome("deep");
  EXPECT_EQ(memo.decides("study"), "decide upstream+done");
  EXPECT_EQ(memo.states()[memo.node("deep")].decision.action, Action::run);
}

TEST(Conditions, ARefusalStandsWhileTheConditionIsOpen) {
  Memo memo;
  memo.facts.forget_outcome("deep");
  memo.facts.newest("study").schema(2);
  EXPECT_EQ(memo.decides("study"), "refuse newer");
}

TEST(Conditions, OneThatCannotBeReadRefusesThePlan) {
  Memo memo;
  memo.facts.newest_at(core::own_key("condition", "deep").path).damaged(Damage::unreadable);
  EXPECT_TRUE(memo.plan().refused());
}

/// yes? -> a -> b; c only without yes?
struct Branches {
  explicit Branches(bool yes) : pipeline(declare()), facts(detail::graph_of(pipeline)) {
    facts.input("n", "1");
    facts.outcome("yes", yes, {{"n", "1"}});
  }
  static Pipeline declare() {
    Pipeline branches{"p"};
    const auto n = branches.input("n", 1);
    const auto yes = branches.condition("yes", inputs(n), [](int) { return true; });
    const auto a = branches.stage({.name = "a", .when = yes}, inputs(n), [](int i) { return i; });
    branches.stage("b", inputs(a), [](int i) { return i; });
    branches.stage({.name = "c", .when = !yes}, inputs(n), [](int i) { return i; });
    branches.stage("d", inputs(n, after(a)), [](int i) { return i; });
    return branches;
  }
  [[nodiscard]] std::string plan() const {
    plan::Decider decider{detail::graph_of(pipeline), facts, {}, false};
    return outline(
        Plan{plan::make_plan(detail::graph_of(pipeline), facts, facts, decider, "r")}.stages());
  }
  Pipeline pipeline;
  FakeFacts facts;
};

TEST(Conditions, WhatTakesTheValueOfAStageThatIsNotTakenIsNotTakenEither) {
  EXPECT_EQ(Branches{false}.plan(),
            "a skip not_taken, b skip not_taken, c run first_run, d run first_run");
  EXPECT_EQ(Branches{true}.plan(),
            "a run first_run, b run first_run, c skip not_taken, d run first_run");
}

}  // namespace
}  // namespace resumable::test
