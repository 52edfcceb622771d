// Which of a value's records is used, and what keeps a plan from using any.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plan/planned.hpp"
#include "value/shape.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* all_done =
    "deck skip done, topics skip done, sections skip done, draft skip done, study skip done";

TEST(Records, ThoseOfACompletedRunAreAllUsed) {
  const Memo memo;
  EXPECT_EQ(outline(memo.plan().stages()), all_done);
  EXPECT_TRUE(memo.plan().complete());
  EXPECT_EQ(outline(memo.plan({}, true).stages()), all_done) << "strict changes nothing";
  EXPECT_TRUE(memo.plan().notes().empty());
}

TEST(Records, AStageWithoutOneRunsForTheFirstTime) {
  Memo memo;
  memo.facts.never_ran("deck");
  EXPECT_EQ(memo.decides("deck"), "run first_run");
}

TEST(Records, OneThatIsGoneAndThatAnotherValueWasMadeFromIsLost) {
  Memo memo;
  memo.facts.erase("deck");
  EXPECT_EQ(memo.decides("deck"), "run lost");
  EXPECT_THAT(memo.causes("deck").front().text(),
              "its checkpoint is missing: 'topics' was made from it");
  EXPECT_EQ(memo.decides("topics"), "decide upstream");
  EXPECT_EQ(memo.decides("deck", {}, true), "refuse lost");
}

TEST(Records, AnItemThatIsGoneIsLostIfAValueWasMadeFromAllOfThem) {
  Memo memo;
  memo.facts.erase("sections", "market");
  EXPECT_EQ(memo.decides("sections"), "run partial+lost");
  EXPECT_EQ(memo.decides("sections", {}, true), "refuse lost");
  memo.facts.newest_at(core::own_key("items", "sections").path).fence(2);
  EXPECT_EQ(memo.decides("sections"), "run partial+first_run") << "it may have joined since";
}

/// Edits and roll-backs copy the names of the inputs, and an adopted value was made from none.
TEST(Records, OneThatIsGoneIsNotLostIfTheDependentProvesNothing) {
  const auto topics = [](Memo& memo) { return memo.facts.newest("topics"); };
  for (const auto& change : std::vector<std::function<void(Memo&)>>{
           [&](Memo& memo) { topics(memo).row.head.set(core::edited); },
           [&](Memo& memo) { topics(memo).header.from_generation = 1; },
           [&](Memo& memo) { topics(memo).header.adopted_by = "mara"; },
           [&](Memo& memo) { topics(memo).header.inputs.front().name = "company"; },
           [&](Memo& memo) { topics(memo).torn(); }}) {
    Memo memo;
    memo.facts.erase("deck");
    change(memo);
    EXPECT_EQ(memo.decides("deck"), "run lost") << "the condition was made from it, too";
    memo.facts.newest_at(core::own_key("condition", "deep").path).torn();
    EXPECT_EQ(memo.decides("deck"), "run first_run");
  }
}

TEST(Records, OneThatIsGoneIsNotLostIfRecordsWereRemovedOrMergedSince) {
  Memo memo;
  memo.facts.erase("deck");
  memo.facts.forgotten(1);
  EXPECT_EQ(memo.decides("deck"), "run first_run");
  memo.facts.newest("topics").fence(2);
  EXPECT_EQ(memo.decides("deck"), "run lost") << "this was made later";
}

TEST(Records, OneThatIsGoneIsNotLostIfItsNameWasSomethingElse) {
  for (const core::Key& key : {core::own_key("input", "deck"), core::own_key("items", "deck"),
                               core::item_key("deck", "a")}) {
    Memo memo;
    memo.facts.inside_at(key, core::Kind::tries, "deck", "", {});
    memo.facts.erase("deck");
    EXPECT_EQ(memo.decides("deck"), "run first_run") << key.path;
  }
  Memo memo;
  memo.facts.erase("sections", "market");
  memo.facts.inside_at(core::stage_key("sections"), core::Kind::tries, "sections", "", {});
  EXPECT_EQ(memo.decides("sections"), "run partial+first_run");
}

TEST(Records, TheNewestGenerationCounts) {
  Memo memo;
  memo.facts.value("deck", "another deck", {{"company", "Acme"}});
  EXPECT_EQ(memo.decides("deck"), "skip done");
  EXPECT_EQ(memo.decides("topics"), "run input_changed") << "it was made from the older deck";
}

TEST(Records, ATornOneFallsBackToAnOlderGenerationThatFits) {
  Memo memo;
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).torn();
  EXPECT_EQ(memo.decides("deck"), "skip fell_back");
  EXPECT_EQ(memo.causes("deck").front().after, "1");
  EXPECT_EQ(memo.causes("deck").front().file, "deck.2");
  EXPECT_EQ(memo.decides("topics"), "skip done");
}

TEST(Records, ATornOneRunsAgainWhereTheOlderOneDoesNotFit) {
  Memo memo;
  memo.facts.erase("deck");
  memo.facts.value("deck", "an old deck", {{"company", "Best"}});
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).torn();
  EXPECT_EQ(memo.decides("deck"), "run damaged");
}

TEST(Records, ATornOneWithoutAnOlderOneRunsAgain) {
  Memo memo;
  memo.facts.newest("deck").torn();
  EXPECT_EQ(memo.decides("deck"), "run damaged");
  EXPECT_THAT(memo.causes("deck").front().detail, HasSubstr("not those that were written"));
}

TEST(Records, SeveralTornOnesFallBackToTheNewestWholeOneAndNameTheNewestTornOne) {
  Memo memo;
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).torn();
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).torn();
  EXPECT_EQ(memo.decides("deck"), "skip fell_back");
  EXPECT_EQ(memo.causes("deck").front().file, "deck.3");
  EXPECT_EQ(memo.causes("deck").front().after, "1");
}

TEST(Records, AHeaderThatIsNeededAndLostIsDamage) {
  Memo memo;
  memo.facts.newest("deck").without_header();
  EXPECT_EQ(memo.decides("deck"), "skip done") << "the tag alone settles it";
  memo.facts.input("company", "Best");
  EXPECT_EQ(memo.decides("deck"), "run damaged");
  EXPECT_THAT(memo.causes("deck").front().detail, HasSubstr("header"));
}

TEST(Records, OnesThatWereSetAsideAreNotLookedAt) {
  Memo memo;
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).torn().set_aside();
  EXPECT_EQ(memo.decides("deck"), "skip done");
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).damaged(Damage::unreadable).set_aside();
  EXPECT_EQ(memo.decides("deck"), "skip done");
}

TEST(Records, StrictRefusesDamage) {
  Memo memo;
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).torn();
  EXPECT_EQ(memo.decides("deck", {}, true), "refuse damaged") << "also where an older one fits";
  EXPECT_TRUE(memo.plan({}, true).refused());
}

TEST(Records, NewerForeignAndUnreadableAreNeverTakenForAbsent) {
  for (const auto& [damage, reason] :
       {std::pair{Damage::newer, "newer"}, std::pair{Damage::foreign, "foreign"},
        std::pair{Damage::unreadable, "unreadable"}}) {
    Memo memo;
    memo.facts.value("deck", "a deck", {{"company", "Acme"}}).damaged(damage);
    EXPECT_EQ(memo.decides("deck"), std::string{"refuse "} + reason)
        << "the whole generation below it is not used";
    EXPECT_EQ(memo.decides("deck", {memo.redo("deck")}), std::string{"refuse "} + reason);
    EXPECT_TRUE(memo.plan().refused());
    EXPECT_FALSE(memo.plan().complete());
  }
}

TEST(Records, AnUnreadableOneBelowAWholeOneIsANote) {
  Memo memo;
  memo.facts.newest("deck").damaged(Damage::unreadable);
  memo.facts.value("deck", "a deck", {{"company", "Acme"}});
  const Plan plan = memo.plan();
  EXPECT_EQ(outline(plan.stages()), all_done);
  EXPECT_FALSE(plan.refused());
  EXPECT_EQ(reasons(plan.notes()), "unreadable");
  EXPECT_EQ(plan.notes().front().file, "deck.1");
}

TEST(Records, ANewerSchemaIsRefusedUntilTheStageIsNamedByARedo) {
  Memo memo;
  memo.facts.newest("deck").schema(4);
  EXPECT_EQ(memo.decides("deck"), "refuse newer");
  EXPECT_EQ(memo.causes("deck").front().before, "4");
  EXPECT_EQ(memo.causes("deck").front().after, "3");
  EXPECT_EQ(memo.decides("deck", {memo.redo("deck")}), "run requested");
  EXPECT_EQ(memo.decides("deck", {memo.from("deck")}), "refuse newer");
  EXPECT_EQ(memo.decides("deck", {Memo::fresh()}), "refuse newer");
  EXPECT_EQ(memo.decides("deck", {memo.redo("topics")}), "refuse newer");
}

TEST(Records, AnOlderSchemaIsMigratedAndSaysSo) {
  Memo memo;
  memo.facts.newest("deck").schema(2);
  EXPECT_EQ(memo.decides("deck"), "skip migrated");
  EXPECT_EQ(memo.causes("deck").front().before, "2");
  EXPECT_EQ(memo.causes("deck").front().after, "3");
  EXPECT_EQ(memo.decides("topics"), "skip done") << "the identity is the recorded one";
}

TEST(Records, ASchemaOlderThanTheFirstMigrationIsRefused) {
  Memo memo;
  memo.facts.newest("deck").schema(1);
  EXPECT_EQ(memo.decides("deck"), "refuse no_migration");
  EXPECT_EQ(memo.decides("deck", {memo.redo("deck")}), "run requested");
}

TEST(Records, AnotherCodecIsRefused) {
  Memo memo;
  memo.facts.newest("deck").codec(CodecId::bytes);
  EXPECT_EQ(memo.decides("deck"), "refuse codec_changed");
}

TEST(Records, AnotherShapeUnderTheSameSchemaIsRefusedFieldByField) {
  Memo memo;
  const std::string before = R"({"pages":"integer","title":"string"})";
  memo.facts.newest("deck").shaped(before, value::shape_hash(before));
  EXPECT_EQ(memo.decides("deck"), "refuse shape_changed");
  EXPECT_EQ(memo.causes("deck").front().detail, "field '/pages' removed; field '/slides' added");
  memo.facts.newest("deck").without_header();
  EXPECT_EQ(memo.causes("deck").front().detail, "the type's fields changed");
}

TEST(Records, TheSameShapeOrNoneIsUsed) {
  Memo memo;
  const std::string same = R"({"slides":"integer","title":"string"})";
  memo.facts.newest("deck").shaped(same, value::shape_hash(same));
  EXPECT_EQ(memo.decides("deck"), "skip done");
  memo.facts.newest("deck").shaped("", 0);
  EXPECT_EQ(memo.decides("deck"), "skip done");
}

TEST(Records, TheShapeOfAnOlderSchemaMayDiffer) {
  Memo memo;
  memo.facts.newest("deck").schema(2).shaped("{}", value::shape_hash("{}"));
  EXPECT_EQ(memo.decides("deck"), "skip migrated");
}

TEST(Records, ADamagedOneAboveItDoesNotOpenAGate) {
  Memo memo;
  memo.facts.erase("deck");
  memo.facts.value("deck", "a deck", {{"company", "Best"}}).schema(4);
  EXPECT_EQ(memo.decides("deck"), "refuse newer");
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).torn();
  EXPECT_EQ(memo.decides("deck"), "refuse newer");
  EXPECT_EQ(memo.decides("deck", {memo.redo("deck")}), "run damaged");
}

TEST(Records, AGateIsTheOnlyCause) {
  Memo memo{{.deck_revision = 2}};
  memo.facts.newest("deck").schema(4);
  memo.facts.input("company", "Best");
  EXPECT_EQ(memo.decides("deck"), "refuse newer") << "what would run again is not asked";
}

TEST(Records, WhatIsDamagedElsewhereIsNoted) {
  Memo memo;
  memo.facts.add(core::own_key("input", "company"), core::Kind::input, nullptr, "", {}).torn();
  const Plan plan = memo.plan();
  EXPECT_EQ(outline(plan.stages()), all_done);
  EXPECT_EQ(reasons(plan.notes()), "damaged");
  EXPECT_EQ(plan.notes().front().subject, "@input/company");
  EXPECT_FALSE(plan.refused());
  EXPECT_TRUE(memo.plan({}, true).refused()) << "strict works around no damage";
}

TEST(Records, TheLibrarysOwnOnesAreNotAbsentBecauseTheyCannotBeRead) {
  for (const Damage damage : {Damage::unreadable, Damage::newer, Damage::foreign}) {
    Memo memo;
    memo.facts.add(core::own_key("request", "1"), core::Kind::request, nullptr, "", {})
        .damaged(damage);
    EXPECT_TRUE(memo.plan().refused());
  }
}

TEST(Records, EachDamagedOneIsNamedOnce) {
  Memo memo;
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).torn();
  EXPECT_TRUE(memo.plan().notes().empty()) << "the stage's own cause names it";
}

}  // namespace
}  // namespace resumable::test
