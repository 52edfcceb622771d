// A folder of files that never had checkpoints becomes a run.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "exports/memo.hpp"
#include "resumable/error.hpp"
#include "support/child_process.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

std::vector<std::string> lines_of(const Decision& decision) {
  std::vector<std::string> all;
  for (const Cause& cause : decision.causes) all.push_back(cause.text());
  return all;
}

class AdoptionTest : public ::testing::Test {
 protected:
  AdoptionTest() {
    memo_.outlined = true;
    memo_.charts_are_a_view = false;
  }
  /// A whole run's files, and nothing else.
  void folder_without_checkpoints() {
    ASSERT_EQ(run().exit_code(), 0);
    fs::remove_all(run_ / ".resumable");
  }
  Report run(ResumeOptions options = {}) {
    journal_.clear();
    options.run = "r1";
    const Pipeline memo = memo_.pipeline(journal_);
    return resume(memo, store_, options);
  }
  Report adopt() { return run({.adopt = true}); }
  Plan plan(const ResumeOptions& options = {.run = "r1", .adopt = true}) {
    const Pipeline memo = memo_.pipeline(journal_);
    return ResumePlanner{store_}.plan(memo, options);
  }
  /// What users see of the run.
  [[nodiscard]] std::map<std::string, std::string> files() const {
    auto all = snapshot(run_);
    std::erase_if(all, [](const auto& file) { return file.first.starts_with(".resumable"); });
    return all;
  }
  [[nodiscard]] std::vector<std::string> removed() const { return removed_texts(run_); }

  TempFolder folder_;
  Journal journal_{folder_ / "journal"};
  Memo memo_;
  FileStore store_{folder_ / "store"};
  fs::path run_ = folder_ / "store/r1";
  fs::path team_ = run_ / "sections/02-team.md";
  fs::path outline_ = run_ / "outline.json";
};

TEST_F(AdoptionTest, WithoutTheWishTheFolderIsRefusedAndTheWishIsNamed) {
  folder_without_checkpoints();
  const auto before = files();
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_THAT(report.text(), HasSubstr("ResumeOptions::adopt"));
  EXPECT_THAT(report.error()->info().next, HasSubstr("the stage runs and writes it; or adopt it"));
  EXPECT_EQ(files(), before);
}

TEST_F(AdoptionTest, EveryFileBecomesAValueAndNoFunctionOfItIsCalled) {
  folder_without_checkpoints();
  const auto before = files();
  const Report report = adopt();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_THAT(journal_.lines(), ElementsAre("listed")) << "it has no file";
  EXPECT_EQ(files(), before);
  EXPECT_EQ(report.stage("draft").outcome, StageOutcome::skipped);
  EXPECT_EQ(report.stage("draft").items_skipped, 3U);
  EXPECT_TRUE(plan({.run = "r1"}).complete());
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
}

TEST_F(AdoptionTest, ThePlanNamesEachFileAndWritesNothing) {
  memo_.outlined = false;
  folder_without_checkpoints();
  const Plan planned = plan();
  EXPECT_EQ(planned.summary(), "5 adopt, 1 run");
  EXPECT_THAT(lines_of(planned["outline"]), ElementsAre("its value is in 'outline.json'"));
  EXPECT_THAT(lines_of(planned["links"]),
              ElementsAre("the values of 3 of 3 items are in 'sections/{position:02}-{item}.md'"));
  EXPECT_THAT(lines_of(planned.item("links", "team").value()),
              ElementsAre("its value is in 'sections/02-team.md'"));
  EXPECT_FALSE(fs::exists(run_ / ".resumable"));
}

TEST_F(AdoptionTest, ATruncatedFileIsNamedWithItsPlaceKeptAsACopyAndMadeAgain) {
  folder_without_checkpoints();
  const std::string whole = read_file(outline_);
  const std::string half = whole.substr(0, whole.size() / 2);
  write_file(outline_, half);
  EXPECT_THAT(lines_of(plan()["outline"]),
              ElementsAre(AllOf(HasSubstr("'outline.json' cannot be adopted"), HasSubstr("line 5"),
                                HasSubstr("column"), HasSubstr(".resumable/removed")),
                          "no checkpoint"));
  const Report report = adopt();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_THAT(journal_.lines(), ElementsAre("outline", "listed")) << "the others are adopted";
  EXPECT_EQ(read_file(outline_), whole);
  EXPECT_THAT(removed(), ElementsAre(half));
}

TEST_F(AdoptionTest, StagesThatWriteOneFileInTurnAreAdoptedUpToTheLastMark) {
  folder_without_checkpoints();
  fs::remove(run_ / "memo.md");
  for (const char* file : {"01-intro.md", "02-team.md", "03-market.md"}) {
    std::string text = read_file(run_ / "sections" / file);
    write_file(run_ / "sections" / file, text.substr(0, text.find("+ charts")));
  }
  const Report report = adopt();
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_THAT(journal_.lines(), UnorderedElementsAre("listed", "charts/intro", "charts/team",
                                                     "charts/market", "memo"));
  EXPECT_EQ(read_file(team_), section_text(memo_, "team"));
}

TEST_F(AdoptionTest, AnItemWithoutItsFileIsMadeAndTheOthersAreAdopted) {
  folder_without_checkpoints();
  fs::remove(team_);
  EXPECT_EQ(adopt().exit_code(), 0);
  EXPECT_THAT(journal_.lines(),
              UnorderedElementsAre("listed", "draft/team", "links/team", "charts/team"));
  EXPECT_EQ(read_file(team_), section_text(memo_, "team"));
}

TEST_F(AdoptionTest, AnAdoptedValueRunsAgainWhenItsInputChangesAndItsFileIsCopiedFirst) {
  folder_without_checkpoints();
  const std::string former = read_file(team_);
  ASSERT_EQ(adopt().exit_code(), 0);
  memo_.company = "Cloudgov";
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), AllOf(Contains("outline"), Contains("draft/team")));
  EXPECT_EQ(read_file(team_), section_text(memo_, "team"));
  EXPECT_THAT(removed(), Contains(former));
}

TEST_F(AdoptionTest, AnEditOfAnAdoptedFileIsTakenOverLikeAnyOther) {
  folder_without_checkpoints();
  ASSERT_EQ(adopt().exit_code(), 0);
  write_file(team_, read_file(team_) + "mine\n");
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("memo"));
  EXPECT_THAT(read_file(run_ / "memo.md"), HasSubstr("mine\n"));
}

TEST_F(AdoptionTest, WhatIsToBeRedoneIsNotReadFromItsFile) {
  folder_without_checkpoints();
  EXPECT_EQ(
      plan({.run = "r1", .redo = {"outline"}, .adopt = true})["outline"].causes.front().reason,
      Reason::first_run);
  EXPECT_EQ(run({.redo = {"outline"}, .adopt = true}).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("outline", "listed"));
}

TEST_F(AdoptionTest, WhatHasCheckpointsIsLeftAsItIs) {
  ASSERT_EQ(run().exit_code(), 0);
  const auto before = files();
  EXPECT_EQ(adopt().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(files(), before);
}

TEST_F(AdoptionTest, AFileThatTheRunItselfWroteIsNoSignThatLaterStagesWereDone) {
  memo_.links = "";  // its mark, "+ ", is in no draft
  folder_without_checkpoints();
  fs::remove_all(run_);
  EXPECT_EQ(adopt().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), AllOf(Contains("links/team"), Contains("charts/team")));
}

TEST_F(AdoptionTest, TheUserIsInTheRecordAndTheFileInTheEvent) {
  folder_without_checkpoints();
  std::vector<std::string> told;
  EventLog log([&](const Event& event) {
    const bool adopted = event.reasons == std::vector{Reason::adopted};
    if (event.kind == EventKind::committed && adopted)
      told.push_back(event.stage + " " + event.file);
  });
  ASSERT_EQ(run({.adopt = true, .observers = {&log}}).exit_code(), 0);
  EXPECT_THAT(
      told, AllOf(Contains("outline " + outline_.string()), Contains("charts " + team_.string())));
  EXPECT_THAT(read_file(run_ / ".resumable/checkpoints/outline.1.ckpt"),
              HasSubstr("\"adopted_by\":"));
}

TEST_F(AdoptionTest, KilledAtAnyEventItIsFinishedByTheSameCall) {
  folder_without_checkpoints();
  fs::remove(run_ / "memo.md");
  const auto before = files();
  const fs::path copy = folder_ / "copy";
  fs::copy(run_, copy, fs::copy_options::recursive);
  bool killed = true;
  for (int at = 0; killed; ++at) {
    fs::remove_all(run_);
    fs::copy(copy, run_, fs::copy_options::recursive);
    int seen = 0;
    EventLog stop([&](const Event&) {
      if (seen++ == at) ::raise(SIGKILL);
    });
    ChildProcess child([&] {
      FileStore store{folder_ / "store"};
      const Pipeline memo = memo_.pipeline(journal_);
      return resume(memo, store, {.run = "r1", .adopt = true, .observers = {&stop}}).exit_code();
    });
    killed = child.wait().signal == SIGKILL;
    auto left = files();
    left.erase("memo.md");
    EXPECT_EQ(left, before) << "killed at event " << at;
    const Report report = adopt();
    EXPECT_EQ(report.exit_code(), 0) << report.text();
    EXPECT_THAT(journal_.lines(), Not(Contains(HasSubstr("/")))) << "killed at event " << at;
    EXPECT_TRUE(plan({.run = "r1"}).complete());
  }
}

}  // namespace
}  // namespace resumable::test
