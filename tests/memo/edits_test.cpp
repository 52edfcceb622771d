// What users change in the memo's files: taken over for every stage, and only what depends on it
// runs again.
#include <algorithm>
#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/memo_run.hpp"
#include "memo/pipeline.hpp"
#include "resumable/file_store.hpp"
#include "resumable/resume.hpp"
#include "support/temp_folder.hpp"

namespace memo::testing {
namespace {

namespace fs = std::filesystem;
namespace rs = resumable;
using resumable::test::read_file;
using resumable::test::TempFolder;
using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* edited_run = "Aldermere-v0.0.1";

/// The stages that ran.
class Ran final : public rs::Observer {
 public:
  void on_event(const rs::Event& event) override {
    if (event.kind == rs::EventKind::committed && event.step.empty()) stages.insert(event.stage);
  }
  std::set<std::string> stages;
};

/// A finished memo, made once and copied for each test.
class EditedMemo : public ::testing::Test {
 protected:
  EditedMemo() { fs::copy(finished(), folder_ / "store", fs::copy_options::recursive); }

  static const fs::path& finished() {
    static const TempFolder folder;
    static const fs::path store = [] {
      rs::FileStore made{folder / "store"};
      const MemoPipeline memo{made_settings()};
      EXPECT_EQ(rs::resume(memo.pipeline(), made, {.run = edited_run}).exit_code(), 0);
      return folder / "store";
    }();
    return store;
  }
  rs::Report resume(rs::ResumeOptions options = {.run = edited_run}) {
    ran_.stages.clear();
    options.observers = {&ran_};
    rs::FileStore store{folder_ / "store"};
    return rs::resume(memo_.pipeline(), store, options);
  }
  [[nodiscard]] fs::path file(const std::string& name) const {
    return folder_ / "store" / edited_run / name;
  }
  void edit(const std::string& name, const std::string& from, const std::string& to) {
    std::string text = read_file(file(name));
    const std::size_t at = text.find(from);
    ASSERT_NE(at, text.npos) << name;
    write_file(file(name), text.replace(at, from.size(), to));
  }

  TempFolder folder_;
  MemoPipeline memo_{made_settings()};
  Ran ran_;
};

struct Change {
  std::string file;
  std::string from;
  std::string to;
  std::string stage;  ///< whose value it is
};

TEST_F(EditedMemo, TheFileOfEachStageIsTakenOverAndNothingBeforeItRuns) {
  const std::vector<Change> changes{
      {"0-deck-analysis.json", "\"company\": \"", "\"company\": \"The ", "deck_analyst"},
      {"1-research.json", "\"text\": \"", "\"text\": \"As of today, ", "research"},
      {"1-section-research.json", "\"title\": \"", "\"title\": \"My ", "section_research"},
      {"2-sections/04-team.md", "\n", "\nA sentence of mine.\n", "enrich_visualizations"},
      {"header.md", "\n", "\nA line of mine.\n", "enrich_trademark"},
      {"3-validation.json", "\"remarks\": [", "\"remarks\": [\n    \"I disagree.\"", "validate"},
      {"4-final-draft.md", "\n", "\nA foreword of mine.\n", "finalize"},
  };
  const auto& nodes = memo_.pipeline();
  for (const Change& change : changes) {
    SCOPED_TRACE(change.file);
    fs::remove_all(folder_ / "store");
    fs::copy(finished(), folder_ / "store", fs::copy_options::recursive);
    edit(change.file, change.from, change.to);
    const std::string mine = read_file(file(change.file));
    rs::FileStore store{folder_ / "store"};
    const rs::Plan plan = rs::ResumePlanner{store}.plan(nodes, {.run = edited_run});
    EXPECT_EQ(plan[change.stage].causes.front().reason, rs::Reason::edited) << plan.text(true);
    const rs::Report report = resume();
    EXPECT_EQ(report.exit_code(), 0) << report.text();
    EXPECT_FALSE(ran_.stages.contains(change.stage));
    bool before = true;
    for (const rs::Decision& decision : plan) {
      before = before && decision.stage != change.stage;
      EXPECT_FALSE(before && ran_.stages.contains(decision.stage)) << decision.stage;
    }
    EXPECT_EQ(read_file(file(change.file)), mine);
    const rs::Report again = resume();
    EXPECT_EQ(again.exit_code(), 0);
    EXPECT_TRUE(ran_.stages.empty());
  }
}

TEST_F(EditedMemo, BrokenJsonOfEachStageIsRefusedWithItsPlaceAndRejectBringsTheValueBack) {
  for (const std::string name : {"0-deck-analysis.json", "1-research.json",
                                 "1-section-research.json", "3-validation.json", "state.json"}) {
    SCOPED_TRACE(name);
    const std::string ours = read_file(file(name));
    write_file(file(name), "{\n  \"a\": 1,\n");
    const rs::Report report = resume();
    EXPECT_EQ(report.exit_code(), 3);
    ASSERT_NE(report.error(), nullptr);
    EXPECT_THAT(report.error()->explain(), HasSubstr("line "));
    EXPECT_EQ(read_file(file(name)), "{\n  \"a\": 1,\n");
    const rs::Report rejected =
        resume({.run = edited_run, .reject = {report.error()->info().stage}});
    EXPECT_EQ(rejected.exit_code(), 0) << rejected.text();
    EXPECT_EQ(read_file(file(name)), ours);
    EXPECT_TRUE(ran_.stages.empty());
  }
}

TEST_F(EditedMemo, AQuoteThatAPersonAddsToTheResearchIsInTheMemoCitedAsByHand) {
  edit("1-research.json", "\"quotes\": [",
       "\"quotes\": [\n        {\"text\": \"Aldermere has twelve barges since May.\"},");
  const rs::Report report = resume();
  ASSERT_EQ(report.exit_code(), 0) << report.text();
  const std::string memo = read_file(file("4-final-draft.md"));
  EXPECT_THAT(memo, HasSubstr("“Aldermere has twelve barges since May.” [^"));
  const std::string research = read_file(file("1-research.json"));
  const auto at = research.find("twelve barges");
  const auto line =
      1 + std::count(research.begin(), research.begin() + static_cast<long>(at), '\n');
  EXPECT_THAT(memo, HasSubstr("]: edited by hand, 1-research.json:" + std::to_string(line) + "\n"));
  EXPECT_THAT(memo, Not(HasSubstr("At most 7.9")));
}

TEST_F(EditedMemo, AFigureThatAPersonChangesInTheResearchIsTheirsFromThenOn) {
  while (read_file(file("1-research.json")).find("22 percent") != std::string::npos) {
    edit("1-research.json", "22 percent", "26 percent");
  }
  ASSERT_EQ(resume().exit_code(), 0);
  const std::string memo = read_file(file("4-final-draft.md"));
  EXPECT_THAT(memo, HasSubstr("“Customers save 26 percent against a lorry.”"));
  EXPECT_THAT(memo, Not(HasSubstr("22 percent")));
  EXPECT_THAT(memo, HasSubstr("edited by hand, 1-research.json"));
}

TEST_F(EditedMemo, WhatAPersonAddsToTheDeckOrToABriefIsInTheMemoToo) {
  for (const std::string name : {"0-deck-analysis.json", "1-section-research.json"}) {
    fs::remove_all(folder_ / "store");
    fs::copy(finished(), folder_ / "store", fs::copy_options::recursive);
    edit(name, "\"quotes\": [", "\"quotes\": [{\"text\": \"Fifteen barges are ordered.\"},");
    ASSERT_EQ(resume().exit_code(), 0) << name;
    const std::string memo = read_file(file("4-final-draft.md"));
    EXPECT_THAT(memo, HasSubstr("“Fifteen barges are ordered.” [^")) << name;
    EXPECT_THAT(memo, HasSubstr("]: edited by hand, " + name + ":")) << name;
  }
}

TEST_F(EditedMemo, AnEditThatWouldBeLostIsRefusedByName) {
  const std::vector<std::pair<std::string, std::string>> edits{
      {"\"question\": \"", "\"note\": \"x\", \"question\": \""},
      {"\"question\": \"", "\"question\": \"my."}};
  for (const auto& [from, to] : edits) {
    fs::remove_all(folder_ / "store");
    fs::copy(finished(), folder_ / "store", fs::copy_options::recursive);
    edit("1-research.json", from, to);
    const rs::Report report = resume();
    EXPECT_EQ(report.exit_code(), 3) << to;
    EXPECT_THAT(report.error()->explain(),
                ::testing::AnyOf(HasSubstr("/note is no field"), HasSubstr("'my.")))
        << to;
  }
}

TEST_F(EditedMemo, AFigureThatAPersonWritesWithoutASourceKeepsTheScoreBelowEight) {
  edit("2-sections/04-team.md", "\n\n", "\n\nThere are 99 captains.\n\n");
  ASSERT_EQ(resume().exit_code(), 0);
  const std::string memo = read_file(file("4-final-draft.md"));
  EXPECT_THAT(memo, HasSubstr("Score: 7.9 of 10"));
  EXPECT_THAT(memo, HasSubstr("99 stands in nothing that is cited for “There are 99 captains.”"));
}

}  // namespace
}  // namespace memo::testing
