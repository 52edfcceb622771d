// What is found where artifacts belong: ours, missing, edited, not ours, not finished.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plan/planned.hpp"

namespace resumable::test {
namespace {

using plan::AppendedLook;
using plan::Look;
using ::testing::HasSubstr;

/// words -> notes (1-notes.md), polished by polish, which exports the same path after it;
/// words -> pages, an item each (pages/{item}.md), all of them appended to all.md.
struct Exporting {
  Exporting() : pipeline(declare()), facts(detail::graph_of(pipeline)) {
    facts.folder = true;
    facts.input("words", "a, b");
    facts.value("notes", "rough", {{"words", "a, b"}}).exports("1-notes.md", "rough", 1);
    facts.value("polish", "smooth", {{"notes", "rough"}})
        .exports("1-notes.md", "smooth", 2, "rough");
    facts.list("pages", "a, b", {"a", "b"});
    facts.item("pages", "a", "A", {{"words[]", "a"}}).exports("pages/a.md", "A", 3);
    facts.item("pages", "b", "B", {{"words[]", "b"}}).exports("pages/b.md", "B", 4);
    facts.file("1-notes.md", "smooth");
    facts.file("pages/a.md", "A");
    facts.file("pages/b.md", "B");
  }
  static Pipeline declare() {
    Pipeline pipeline{"p"};
    const auto same = [](const std::string& text) { return text; };
    const auto words = pipeline.input("words", Strings{});
    const auto notes =
        pipeline.stage("notes", inputs(words), [](const Strings&) { return std::string{}; });
    const auto polish = pipeline.stage("polish", inputs(notes), same);
    const auto pages = pipeline.stage("pages", inputs(each(words)), same);
    pipeline.artifact(notes, "1-notes.md");
    pipeline.artifact(polish, "1-notes.md");
    pipeline.artifact(pages, "pages/{item}.md");
    pipeline.append(pages, "all.md", same);
    return pipeline;
  }
  [[nodiscard]] Plan plan() const {
    plan::Decider decider{detail::graph_of(pipeline), facts, {}, false};
    return Plan{plan::make_plan(detail::graph_of(pipeline), facts, facts, decider, "r")};
  }
  [[nodiscard]] std::string outlined() const { return outline(plan().stages()); }
  Pipeline pipeline;
  FakeFacts facts;
};

TEST(Artifacts, ThatAreAsExportedChangeNothing) {
  const Exporting run;
  EXPECT_EQ(run.outlined(), "notes skip done, polish skip done, pages skip done");
}

TEST(Artifacts, AreNotLookedAtWithoutAFolder) {
  Exporting run;
  run.facts.file("1-notes.md", "edited");
  run.facts.folder = false;
  EXPECT_EQ(run.outlined(), "notes skip done, polish skip done, pages skip done");
}

TEST(Artifacts, AMissingOneIsExportedAgainByWhoeverOwnsThePath) {
  Exporting run;
  run.facts.no_file("1-notes.md");
  EXPECT_EQ(run.outlined(), "notes skip done, polish skip done+restored, pages skip done");
  EXPECT_EQ(run.plan()["polish"].causes.back().subject, "1-notes.md");
}

TEST(Artifacts, AMissingOneOfAnItemIsTheItems) {
  Exporting run;
  run.facts.no_file("pages/b.md");
  const Plan plan = run.plan();
  EXPECT_EQ(outline({plan["pages"]}), "pages skip done+restored");
  EXPECT_EQ(reasons(plan.item("pages", "b")->causes), "restored");
  EXPECT_EQ(reasons(plan.item("pages", "a")->causes), "done");
}

TEST(Artifacts, AnEditedOneIsRefused) {
  Exporting run;
  run.facts.file("1-notes.md", "edited");
  EXPECT_EQ(run.outlined(), "notes skip done, polish refuse occupied+done, pages skip done");
  const Cause cause = run.plan()["polish"].causes.front();
  EXPECT_EQ(cause.file, "folder/1-notes.md");
  EXPECT_THAT(cause.detail, HasSubstr("Move it away"));
  run.facts.file("pages/a.md", "edited");
  EXPECT_EQ(run.plan().item("pages", "a")->action, Action::refuse);
  EXPECT_TRUE(run.plan().refused());
}

TEST(Artifacts, AnUnfinishedExportIsFinished) {
  Exporting run;
  run.facts.file("1-notes.md", "rough");  // the earlier export, before polish's was renamed
  EXPECT_EQ(run.outlined(), "notes skip done, polish skip done+restored, pages skip done");
}

TEST(Artifacts, WhatWasThereBeforeTheLastExportIsAnUnfinishedExport) {
  Exporting run;
  run.facts.newest("polish").header.exports.clear();
  run.facts.newest("polish").exports("1-notes.md", "smooth", 2, "an older export");
  run.facts.file("1-notes.md", "an older export");
  EXPECT_EQ(run.outlined(), "notes skip done, polish skip done+restored, pages skip done");
}

TEST(Artifacts, OnceConfirmedAnEarlierContentIsAnEdit) {
  Exporting run;
  run.facts.confirm("1-notes.md", "smooth", 2);
  EXPECT_EQ(run.outlined(), "notes skip done, polish skip done, pages skip done");
  run.facts.file("1-notes.md", "rough");
  EXPECT_EQ(run.outlined(), "notes skip done, polish refuse occupied+done, pages skip done")
      << "a person put it back";
}

TEST(Artifacts, AnOlderConfirmationDoesNotSettleALaterExport) {
  Exporting run;
  run.facts.confirm("1-notes.md", "rough", 1);
  run.facts.file("1-notes.md", "rough");
  EXPECT_EQ(run.outlined(), "notes skip done, polish skip done+restored, pages skip done");
}

TEST(Artifacts, OnesThatCannotBeReadOrAreNoFilesAreRefused) {
  Exporting run;
  run.facts.odd_file("1-notes.md", Look::State::unreadable, "permission denied");
  EXPECT_EQ(run.outlined(), "notes skip done, polish refuse unreadable+done, pages skip done");
  run.facts.odd_file("1-notes.md", Look::State::odd, "it is a folder");
  EXPECT_EQ(run.outlined(), "notes skip done, polish refuse occupied+done, pages skip done");
  EXPECT_EQ(run.plan()["polish"].causes.front().detail, "it is a folder");
}

TEST(Artifacts, AFileThatIsNotOursIsInTheWayOfAStageThatNeverExported) {
  Exporting run;
  run.facts.erase("pages", "b");
  EXPECT_EQ(outline({run.plan()["pages"]}), "pages refuse occupied+partial+first_run");
  EXPECT_THAT(run.plan()["pages"].causes.front().detail,
              HasSubstr("a file that belongs to no checkpoint"));
  run.facts.no_file("pages/b.md");
  EXPECT_EQ(outline({run.plan()["pages"]}), "pages run partial+first_run");
}

TEST(Artifacts, AFileThatADamagedRecordMayHaveExportedIsNotTakenForAnEdit) {
  Exporting run;
  run.facts.newest("polish").torn();
  EXPECT_EQ(run.plan()["notes"].causes.back().reason, Reason::restored);
  EXPECT_THAT(run.plan()["notes"].causes.back().detail,
              HasSubstr("the record that exported it is"));
  EXPECT_EQ(run.plan()["polish"].action, Action::run);
  EXPECT_FALSE(run.plan().refused());
  run.facts.odd_file("1-notes.md", Look::State::odd, "it is a folder");
  EXPECT_TRUE(run.plan().refused()) << "what is no file was never exported";
}

TEST(Artifacts, AFileThatWasExportedAndConfirmedIsNotInTheWay) {
  Exporting run;
  run.facts.erase("pages", "b");
  run.facts.confirm("pages/b.md", "B", 4);
  EXPECT_EQ(outline({run.plan()["pages"]}), "pages run partial+first_run");
}

TEST(Artifacts, AFileOfAnItemThatHasGoneIsNotInTheWay) {
  Exporting run;
  run.facts.list("pages", "a, b",
                 {"a", "B"});  // the key is spelt differently; the file is the same
  run.facts.item("pages", "B", "B", {{"words[]", "B"}});
  run.facts.newest("pages", "b").header.exports.clear();
  run.facts.newest("pages", "b").exports("pages/B.md", "B", 4);
  run.facts.file("pages/B.md", "B");
  EXPECT_EQ(outline({run.plan()["pages"]}), "pages skip done+restored");
}

TEST(Artifacts, ANewDeclarationIsExportedFromTheCheckpoint) {
  Exporting run;
  run.facts.newest("pages", "a").header.exports.clear();
  run.facts.no_file("pages/a.md");
  EXPECT_EQ(outline({run.plan()["pages"]}), "pages skip done+restored");
}

TEST(Artifacts, AMissingFileOfAStageThatRunsIsNotMentioned) {
  Exporting run;
  run.facts.newest("pages", "a").revision(2);
  run.facts.no_file("pages/a.md");
  EXPECT_EQ(outline({run.plan()["pages"]}), "pages run partial+code_changed");
}

TEST(Artifacts, AnAppendedFileIsRestoredOrRefused) {
  Exporting run;
  run.facts.appended_file("all.md", {AppendedLook::State::missing, {}});
  EXPECT_EQ(outline({run.plan()["pages"]}), "pages skip done+restored");
  run.facts.appended_file("all.md", {AppendedLook::State::edited, "it was changed"});
  EXPECT_EQ(outline({run.plan()["pages"]}), "pages refuse occupied+done");
  EXPECT_THAT(run.plan()["pages"].causes.front().detail, HasSubstr("it was changed; "));
}

}  // namespace
}  // namespace resumable::test
