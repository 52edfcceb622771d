// Why a stage runs again although it has a value, and which of several causes comes first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plan/planned.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(Staleness, AChangedInputShowsItsOldAndNewValue) {
  Memo memo;
  memo.facts.input("company", "Best");
  EXPECT_EQ(memo.decides("deck"), "run input_changed");
  const Cause cause = memo.causes("deck").front();
  EXPECT_EQ(cause.subject, "company");
  EXPECT_EQ(cause.before, "Acme");
  EXPECT_EQ(cause.after, "Best");
}

TEST(Staleness, AnInputWhoseTextNobodyRemembersShowsDigests) {
  Memo memo;
  memo.facts.erase("topics");
  memo.facts.value("topics", "team, market", {{"deck", "an old deck"}});
  const Cause cause = memo.causes("topics").front();
  EXPECT_EQ(cause.before, digest("an old deck").brief());
  EXPECT_EQ(cause.after, digest("a deck").brief());
}

TEST(Staleness, AnInputThatIsNewHasNoOldValue) {
  Memo memo;
  memo.facts.erase("deck");
  memo.facts.value("deck", "a deck", {});
  EXPECT_EQ(memo.decides("deck"), "run input_changed");
  EXPECT_EQ(memo.causes("deck").front().before, "");
  EXPECT_EQ(memo.causes("deck").front().after, "Acme");
}

TEST(Staleness, AnInputThatIsGoneIsAChange) {
  Memo memo;
  memo.facts.erase("deck");
  memo.facts.value("deck", "a deck", {{"company", "Acme"}, {"tone", "dry"}});
  EXPECT_EQ(memo.decides("deck"), "run input_changed");
  EXPECT_THAT(memo.causes("deck").front().detail, HasSubstr("fewer inputs"));
}

TEST(Staleness, ARaisedOrLoweredRevisionRunsTheStageAgain) {
  Memo raised{{.deck_revision = 2}};
  EXPECT_EQ(raised.decides("deck"), "run code_changed");
  EXPECT_EQ(raised.causes("deck").front().before, "1");
  EXPECT_EQ(raised.causes("deck").front().after, "2");
  Memo lowered;
  lowered.facts.newest("deck").revision(2);
  EXPECT_EQ(lowered.decides("deck"), "run code_changed");
}

TEST(Staleness, AValueOlderThanItsAgeLimitExpires) {
  Memo memo{{.max_age = 24h}};
  EXPECT_EQ(memo.decides("deck"), "skip done") << "it is exactly a day old";
  memo.facts.time(std::chrono::sys_days{std::chrono::January / 2 / 2026} + 1s);
  EXPECT_EQ(memo.decides("deck"), "run expired");
  EXPECT_EQ(memo.causes("deck").front().before, "2026-01-01T00:00:00Z");
}

TEST(Staleness, AValueSavedInTheFutureIsKeptWithANote) {
  Memo memo{{.max_age = 24h}};
  memo.facts.newest("deck").saved("2026-01-03T00:00:00Z");
  EXPECT_EQ(memo.decides("deck"), "skip clock_skew");
  EXPECT_EQ(memo.decides("topics"), "skip done");
}

TEST(Staleness, AllCausesAreListedInOrder) {
  Memo memo{{.deck_revision = 2, .max_age = 24h}};
  memo.facts.input("company", "Best");
  memo.facts.newest("deck").schema(2).saved("2025-12-01T00:00:00Z");
  EXPECT_EQ(memo.decides("deck", {memo.from("deck")}),
            "run requested+migrated+code_changed+input_changed+expired");
}

TEST(Staleness, ACertainCauseComesBeforeAnUncertainOne) {
  Memo memo{{.section_revision = 2}};
  memo.facts.newest("topics").revision(2);
  memo.facts.erase("deck");
  EXPECT_EQ(memo.decides("topics"), "run code_changed+upstream");
}

TEST(Staleness, AFallBackMayBeStaleToo) {
  Memo memo{{.deck_revision = 2}};
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).torn();
  EXPECT_EQ(memo.decides("deck"), "run code_changed+fell_back");
}

TEST(Staleness, ADependentIsCutOffWhenTheNewValueIsAsBefore) {
  Memo memo;
  memo.facts.input("company", "Best");
  plan::Decider decider{detail::graph_of(memo.pipeline), memo.facts, {}, false};
  std::vector<plan::NodeState> states = memo.states();
  EXPECT_EQ(states[memo.node("topics")].decision.action, Action::decide);
  states[memo.node("deck")].identity = digest("a deck");
  EXPECT_EQ(outline({decider.decide(memo.node("topics"), states).decision}), "topics skip done");
  states[memo.node("deck")].identity = digest("another deck");
  EXPECT_EQ(outline({decider.decide(memo.node("topics"), states).decision}),
            "topics run input_changed");
}

TEST(Staleness, OfSeveralInputsTheChangedOneDecidesAtOnce) {
  Pipeline pipeline{"p"};
  const auto a = pipeline.input("a", 1);
  const auto b = pipeline.stage("b", inputs(a), [](int n) { return n; });
  pipeline.stage("c", inputs(a, b), [](int n, int) { return n; });
  FakeFacts facts{detail::graph_of(pipeline)};
  facts.input("a", "2");
  facts.value("b", "1", {{"a", "1"}});
  facts.value("c", "1", {{"a", "1"}, {"b", "1"}});
  plan::Decider decider{detail::graph_of(pipeline), facts, {}, false};
  const Plan plan{plan::make_plan(detail::graph_of(pipeline), facts, facts, decider, "r")};
  EXPECT_EQ(outline(plan.stages()), "b run input_changed, c run input_changed+upstream");
}

TEST(Staleness, OrderAloneAndSecretsMakeNothingStale) {
  Pipeline pipeline{"p"};
  const auto key = pipeline.secret("key", 1);
  const auto first = pipeline.stage("first", [] { return 1; });
  pipeline.stage("second", inputs(key, after(first)), [](int n) { return n; });
  FakeFacts facts{detail::graph_of(pipeline)};
  facts.value("second", "1", {});
  plan::Decider decider{detail::graph_of(pipeline), facts, {}, false};
  const Plan plan{plan::make_plan(detail::graph_of(pipeline), facts, facts, decider, "r")};
  EXPECT_EQ(outline(plan.stages()), "first run first_run, second skip done");
  EXPECT_EQ(reasons(plan.notes()), "secret");
}

TEST(Staleness, AnInputWithoutAValueRefusesThePlan) {
  Memo memo;
  memo.facts.lost_input("company", Reason::missing_input);
  EXPECT_TRUE(memo.plan().refused());
  EXPECT_EQ(reasons(memo.plan().notes()), "missing_input");
  memo.facts.lost_input("company", Reason::unreadable, "@input/company.1");
  EXPECT_EQ(reasons(memo.plan().notes()), "unreadable");
  EXPECT_EQ(memo.plan().notes().front().file, "@input/company.1");
}

// ---- unfinished attempts
// -------------------------------------------------------------------------

TEST(Attempts, AFailedOneIsTheReasonWithItsNumberOfTries) {
  Memo memo;
  memo.facts.never_ran("deck");
  memo.facts.failed("deck", "", {{"company", "Acme"}}).attempts(3);
  EXPECT_EQ(memo.decides("deck"), "run failed");
  EXPECT_EQ(memo.causes("deck").front().before, "3");
}

TEST(Attempts, AFailureWithOtherInputsOrOtherCodeDoesNotCount) {
  Memo memo;
  memo.facts.never_ran("deck");
  memo.facts.failed("deck", "", {{"company", "Best"}}).attempts(3);
  EXPECT_EQ(memo.decides("deck"), "run first_run");
  memo.facts.failed("deck", "", {{"company", "Acme"}}).attempts(3).revision(2);
  EXPECT_EQ(memo.decides("deck"), "run first_run");
  memo.facts.failed("deck", "", {{"company", "Acme"}}).attempts(3).torn();
  EXPECT_EQ(memo.decides("deck"), "run first_run");
}

TEST(Attempts, AStageThatAskedForApprovalWaits) {
  Memo memo;
  memo.facts.never_ran("deck");
  memo.facts.approval("deck", "", {{"company", "Acme"}}, plan::Approval::asked, "Send it?");
  EXPECT_EQ(memo.decides("deck"), "wait waiting+first_run");
  EXPECT_EQ(memo.causes("deck").front().detail, "Send it?");
}

TEST(Attempts, AnApprovalIsForTheseInputsAlone) {
  Memo memo;
  memo.facts.never_ran("deck");
  memo.facts.approval("deck", "", {{"company", "Best"}}, plan::Approval::asked);
  EXPECT_EQ(memo.decides("deck"), "run first_run");
  memo.facts.approval("deck", "", {{"company", "Acme"}}, plan::Approval::approved);
  EXPECT_EQ(memo.decides("deck"), "run first_run");
}

TEST(Attempts, AStageWithAValueDoesNotWait) {
  Memo memo;
  memo.facts.approval("deck", "", {{"company", "Acme"}}, plan::Approval::asked);
  EXPECT_EQ(memo.decides("deck"), "skip done");
}

TEST(Attempts, StepsThatFitAreKeptAndCounted) {
  Memo memo;
  const Given made_from{{"company", "Acme"}};
  memo.facts.never_ran("deck");
  memo.facts.inside(core::Kind::step, "deck", "", "research", made_from);
  memo.facts.inside(core::Kind::effect, "deck", "", "post", made_from);
  memo.facts.inside(core::Kind::progress, "deck", "", "progress", made_from);
  memo.facts.inside(core::Kind::tries, "deck", "", "research", made_from);
  memo.facts.inside(core::Kind::tombstone, "deck", "", "gap", made_from);
  EXPECT_EQ(memo.decides("deck"), "run first_run+steps");
  const Plan plan = memo.plan();
  EXPECT_EQ(plan["deck"].kept.steps, 2U);
  EXPECT_EQ(plan["deck"].kept.states, 1U);
  EXPECT_EQ(plan["deck"].kept.turns, 0U);
  EXPECT_TRUE(plan["deck"].kept.saved);
  EXPECT_EQ(plan["deck"].causes.back().before, "0");
  EXPECT_EQ(plan["deck"].causes.back().after, "2");
}

TEST(Attempts, StepsOfOtherInputsCodeOrOlderThanARequestAreSetAside) {
  Memo memo;
  const Given made_from{{"company", "Acme"}};
  memo.facts.never_ran("deck");
  memo.facts.inside(core::Kind::step, "deck", "", "a", {{"company", "Best"}}).took(60, 1.5);
  memo.facts.inside(core::Kind::step, "deck", "", "b", made_from).revision(2).took(30, 0);
  memo.facts.inside(core::Kind::step, "deck", "", "c", made_from).fence(9).took(30, 0);
  plan::Request request = memo.redo("deck");
  request.fence = 5;
  const Plan plan = memo.plan({request});
  EXPECT_EQ(plan["deck"].kept.steps, 1U);
  EXPECT_EQ(plan["deck"].causes.back().before, "2");
  EXPECT_THAT(plan["deck"].causes.back().detail, HasSubstr("$1.50"));
}

TEST(Attempts, AStepWithARevisionOrInputsOfItsOwnOutlivesItsStages) {
  Memo memo{{.deck_revision = 7}};
  memo.facts.never_ran("deck");
  memo.facts.inside(core::Kind::step, "deck", "", "own code", {{"company", "Acme"}})
      .revision(core::own_revision | 3U);
  memo.facts.inside(core::Kind::step, "deck", "", "own inputs", {{"page", "1"}}).revision(0);
  EXPECT_EQ(memo.plan()["deck"].kept.steps, 2U);
}

TEST(Attempts, EntriesOfAHistoryAreCountedByTheLastNumber) {
  Memo memo;
  const Given made_from{{"company", "Acme"}};
  memo.facts.never_ran("deck");
  const auto entry = [&](const std::string& history, const std::string& number) {
    const core::Key key{"@history/deck/" + history + "/" + number, ""};
    memo.facts.inside_at(key, core::Kind::history, "deck", "", made_from);
  };
  entry("a", "0000000040");  // those before it were compacted away
  entry("a", "0000000041");
  entry("b", "0000000000");
  EXPECT_EQ(memo.plan()["deck"].kept.turns, 43U);
}

TEST(Attempts, AnEffectWithoutAnOutcomeIsNoted) {
  Memo memo;
  memo.facts.never_ran("deck");
  const Given made_from{{"company", "Acme"}};
  memo.facts.inside(core::Kind::intent, "deck", "", "post", made_from);
  memo.facts.inside(core::Kind::intent, "deck", "", "over", made_from).codec(CodecId::none);
  memo.facts.inside(core::Kind::intent, "deck", "", "known", made_from);
  memo.facts.inside(core::Kind::effect, "deck", "", "known", made_from);
  EXPECT_EQ(memo.decides("deck"), "run first_run+steps+uncertain");
  EXPECT_EQ(memo.causes("deck").back().subject, "post");
}

TEST(Attempts, WhatAnUnfinishedAttemptLeftDoesNotMatterToAValueThatIsKept) {
  Memo memo;
  memo.facts.inside(core::Kind::intent, "deck", "", "post", {{"company", "Acme"}});
  EXPECT_EQ(memo.decides("deck"), "skip done");
}

}  // namespace
}  // namespace resumable::test
