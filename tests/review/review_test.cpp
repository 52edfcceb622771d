// The program review, started as a process: what users change in its files, and what becomes of it.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resumable/file_store.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "resumable/yaml.hpp"
#include "review/modifications.hpp"
#include "review/pipeline.hpp"
#include "support/child_process.hpp"
#include "support/fake_openai.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace review::testing {
namespace {

namespace fs = std::filesystem;
namespace rs = resumable;
using resumable::test::ChildProcess;
using resumable::test::read_file;
using resumable::test::write_file;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

struct Said {
  int code = -1;
  std::string out;
  std::string err;
};

class ReviewTest : public ::testing::Test {
 protected:
  ReviewTest() {
    fs::create_directories(sources_);
    text("apples.md", "Apples", "apple");
    text("bees.md", "Bees", "bee");
    text("clouds.md", "Clouds", "cloud");
  }

  void text(const char* file, const char* title, const std::string& word) const {
    std::string text = std::string{"# "} + title + "\n\n";
    for (int i = 1; i <= 6; ++i) {
      text += "Sentence number " + std::to_string(i) + " tells what a [" + word +
              "](https://example.org) does at work. ";
    }
    write_file(sources_ / file, text + "\n");
  }

  /// Starts the program as a process of its own.
  [[nodiscard]] ChildProcess start(std::vector<std::string> words) const {
    words.insert(words.begin(), "review");
    words.insert(words.end(), {"--out", (folder_ / "out").string()});
    std::fflush(nullptr);
    return ChildProcess{[this, words]() -> int {
      const bool open = std::freopen((folder_ / "said.out").c_str(), "w", stdout) != nullptr &&
                        std::freopen((folder_ / "said.err").c_str(), "w", stderr) != nullptr;
      if (!open) return 98;
      std::vector<char*> argv;
      std::vector<std::string> copies = words;
      for (std::string& word : copies) argv.push_back(word.data());
      argv.push_back(nullptr);
      ::execv((rs::test::program_folder() / "review").c_str(), argv.data());
      return 97;
    }};
  }
  [[nodiscard]] Said review(std::vector<std::string> words) const {
    ChildProcess child = start(std::move(words));
    const int code = child.wait().exit_code;
    return {code, read_file(folder_ / "said.out"), read_file(folder_ / "said.err")};
  }
  [[nodiscard]] Said run(const std::string& name = "r") const {
    return review({"run", name, "--sources", sources_.string(), "--title", "On work"});
  }
  void edit(const fs::path& file, const std::string& from, const std::string& to) const {
    std::string text = read_file(file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, text.npos) << text;
    write_file(file, text.replace(at, from.size(), to));
  }

  /// Changes one byte of a checkpoint's head.
  void damage(const char* record) const {
    const fs::path file = run_ / ".resumable/checkpoints" / record;
    std::string bytes = read_file(file);
    bytes[40] = static_cast<char>(bytes[40] ^ 1);
    write_file(file, bytes);
  }

  rs::test::TempFolder folder_;
  fs::path sources_ = folder_ / "sources";
  fs::path run_ = folder_ / "out/r";
  fs::path outline_ = run_ / "outline_review.yaml";
  fs::path draft_ = run_ / "draft_review.yaml";
};

TEST_F(ReviewTest, AModelWritesFromSentencesOfTheSourceAndIsNotAskedAgain) {
  rs::test::FakeOpenAi server{[](const std::string& message) {
    const auto input = nlohmann::json::parse(message).at("input");
    EXPECT_EQ(input.at("questions").size(), 1U);
    EXPECT_GE(input.at("passages").size(), 3U);
    return R"({"answers":[{"question":0,"found":true,"statements":[)"
           R"({"text":"The model says so.","passages":[0,1]}]}]})";
  }};
  ASSERT_EQ(review({"run", "r", "--sources", sources_.string(), "--provider", "openai",
                    "--base-url", server.base_url()})
                .code,
            75);
  EXPECT_EQ(server.requests(), 0U) << "the outline needs no model";
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  EXPECT_EQ(server.requests(), 3U) << "one a section; what was chosen is recorded";
  EXPECT_THAT(read_file(draft_), HasSubstr("The model says so."));
  edit(outline_, "heading: Bees", "heading: Bees at work");
  ASSERT_EQ(review({"resume", "r"}).code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  EXPECT_EQ(server.requests(), 4U) << "the section that was changed";
  const Said said = review({"continue", "r", "--base-url", "nowhere"});
  EXPECT_THAT(said.err, HasSubstr("base URL"));
}

TEST_F(ReviewTest, StopsTwiceNamingTheFileAndTheCommandThenWritesTheReport) {
  const Said first = run();
  EXPECT_EQ(first.code, 75) << first.err;
  EXPECT_THAT(first.err, AllOf(HasSubstr("read  " + outline_.string()),
                               HasSubstr("next  review continue r --out")));
  EXPECT_THAT(read_file(outline_), HasSubstr("  - heading: Apples\n"));
  const Said second = review({"continue", "r"});
  EXPECT_EQ(second.code, 75) << second.err;
  EXPECT_THAT(second.err, HasSubstr("read  " + draft_.string()));
  EXPECT_THAT(second.out,
              AllOf(HasSubstr("resumed from r: waiting since 20"), Not(HasSubstr("Found"))));
  const Said third = review({"continue", "r"});
  EXPECT_EQ(third.code, 0) << third.err;
  EXPECT_THAT(third.out, HasSubstr("report: " + (run_ / "report.md").string()));
  EXPECT_THAT(read_file(run_ / "report.md"),
              AllOf(HasSubstr("# On work\n\n## Apples\n\nSentence number"), HasSubstr("## Bees")));
}

TEST_F(ReviewTest, AnyFolderOfTextsGetsAnOutlineWhoseHeadingsDiffer) {
  fs::create_directory(sources_ / "more");
  text("more/apples.md", "Apples", "pear");
  write_file(sources_ / "untitled.md", "A file without a title has its name as its heading.\n");
  write_file(sources_ / "nothing.md", "# Only a title\n");
  write_file(sources_ / "more/Readme.md", "What is in this folder was put together by hand.\n");
  EXPECT_EQ(run().code, 75);
  EXPECT_THAT(read_file(outline_),
              AllOf(HasSubstr("heading: Apples\n"), HasSubstr("heading: Apples (more/apples.md)\n"),
                    HasSubstr("heading: untitled\n"), Not(HasSubstr("Only a title")),
                    Not(HasSubstr("Readme.md"))));
  for (const auto& folder : fs::directory_iterator{rs::test::source_folder() / "examples/data"}) {
    const std::string name = folder.path().filename().string();
    if (!name.starts_with("memo")) continue;  // the others are no texts
    EXPECT_EQ(review({"run", name, "--sources", folder.path().string()}).code, 75) << name;
  }
}

TEST_F(ReviewTest, AFolderWithoutATextIsRefusedWithTheReason) {
  for (const char* name : {"apples.md", "bees.md", "clouds.md"}) fs::remove(sources_ / name);
  write_file(sources_ / "table.csv", "a,b\n1,2\n");
  const Said said = run();
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("no source is a .md file with a paragraph of text"));
  EXPECT_THAT(said.err, HasSubstr("next  add .md files with whole sentences"));
  EXPECT_THAT(said.err, HasSubstr("run   review resume"));
}

TEST_F(ReviewTest, TheLongerAFileTheMoreSentencesAreProposed) {
  std::string words;
  for (int i = 0; i < 20; ++i) words += "This sentence has just enough letters to count as one. ";
  write_file(sources_ / "long.md", words + "\n");
  EXPECT_EQ(run().code, 75);
  EXPECT_THAT(read_file(outline_), AllOf(HasSubstr("heading: Bees\n    sentences: 3\n"),
                                         HasSubstr("heading: long\n    sentences: 9\n")));
}

TEST_F(ReviewTest, WhatIsLeftOutBetweenQuotesIsMarked) {
  for (const char* file : {"apples.md", "bees.md", "clouds.md"}) fs::remove(sources_ / file);
  write_file(
      sources_ / "boats.md",
      "# Boats\n\nIn spring the yard sold nine boats. The boats were all of oak. It rained in "
      "June, as ever. Half of these boats went to Hull. There was no strike.\n");
  ASSERT_EQ(run().code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 0);
  EXPECT_EQ(read_file(run_ / "report.md"),
            "# On work\n\n## Boats\n\nIn spring the yard sold nine boats.\n\nThe boats were all of "
            "oak.\n\n[…]\nHalf of these boats went to Hull.\n");
}

TEST_F(ReviewTest, ANoteOnTheFolderIsASourceIfAPersonNamesIt) {
  write_file(sources_ / "README.md", "What is in this folder was put together by hand.\n");
  ASSERT_EQ(run().code, 75);
  edit(outline_, "source: bees.md", "source: README.md");
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  EXPECT_THAT(read_file(draft_), HasSubstr("put together by hand."));
}

TEST_F(ReviewTest, ListShowsEachRunAndItsState) {
  ASSERT_EQ(run("fruit").code, 75);
  ASSERT_EQ(run("insects").code, 75);
  ASSERT_EQ(review({"continue", "fruit"}).code, 75);
  ASSERT_EQ(review({"continue", "fruit"}).code, 0);
  const Said said = review({"list"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, AllOf(ContainsRegex("fruit +.*done"), ContainsRegex("insects +.*waiting")));
}

TEST_F(ReviewTest, ResumeAgreesToNothing) {
  ASSERT_EQ(run().code, 75);
  const Said again = review({"resume", "r"});
  EXPECT_EQ(again.code, 75);
  EXPECT_THAT(again.err, HasSubstr("review continue r"));
  EXPECT_FALSE(fs::exists(draft_));
}

TEST_F(ReviewTest, AnEditedFieldADeletedAndAnAddedSectionAreReportedAndUsed) {
  ASSERT_EQ(run().code, 75);
  edit(outline_, "On work", "Work");
  edit(outline_, "  - heading: Bees\n    sentences: 3\n    source: bees.md\n", "");
  edit(outline_, "title:", "  - {heading: Weather, source: clouds.md, sentences: 1}\ntitle:");
  const Said said = review({"continue", "r"});
  ASSERT_EQ(said.code, 75) << said.err;
  EXPECT_THAT(said.out, HasSubstr("Found 3 modifications\n"));
  EXPECT_THAT(said.out, HasSubstr(R"(  changed outline_review.yaml  /title  "On work" -> "Work")"));
  EXPECT_THAT(said.out, ContainsRegex("  deleted outline_review.yaml  /sections/1 .*Bees"));
  EXPECT_THAT(said.out, ContainsRegex("  added   outline_review.yaml  /sections/[0-9] .*Weather"));
  EXPECT_THAT(read_file(draft_), AllOf(HasSubstr("heading: Weather"), HasSubstr("title: Work"),
                                       Not(HasSubstr("Bees"))));
  const auto log = nlohmann::json::parse(read_file(run_ / "resumed_from.jsonl"));
  EXPECT_EQ(log.at("checkpoint_name"), "r");
  EXPECT_EQ(log.at("count"), 3);
  EXPECT_THAT(log.at("timestamp").get<std::string>(), HasSubstr("20"));
  EXPECT_EQ(log.at("modifications").size(), 3U);
}

TEST_F(ReviewTest, TheChangesAreInTheEvents) {
  ASSERT_EQ(run().code, 75);
  edit(outline_, "On work", "Work");
  const fs::path events = folder_ / "events.jsonl";
  ASSERT_EQ(review({"continue", "r", "--events", events.string()}).code, 75);
  EXPECT_THAT(read_file(events),
              AllOf(HasSubstr("\"edited\""), HasSubstr("/title"), HasSubstr("resumed")));
}

TEST_F(ReviewTest, OnlyTheSectionThatWasChangedIsWrittenAgain) {
  ASSERT_EQ(run().code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  edit(outline_, "heading: Bees\n    sentences: 3", "heading: Bees\n    sentences: 5");
  const fs::path events = folder_ / "events.jsonl";
  ASSERT_EQ(review({"continue", "r", "--events", events.string()}).code, 75);
  std::ifstream lines{events};
  std::vector<std::string> written;
  for (std::string line; std::getline(lines, line);) {
    const auto event = nlohmann::json::parse(line);
    if (event.at("event") == "item_started") written.push_back(event.at("item"));
  }
  EXPECT_THAT(written, ::testing::ElementsAre("Bees"));
}

TEST_F(ReviewTest, AChangedDraftIsTheReportAndTheFileStaysAsItIs) {
  ASSERT_EQ(run().code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  edit(draft_, "Sentence number 1", "My own sentence");
  const std::string mine = read_file(draft_);
  const Said said = review({"continue", "r"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("Found 1 modification\n"));
  EXPECT_THAT(read_file(run_ / "report.md"), HasSubstr("My own sentence"));
  EXPECT_EQ(read_file(draft_), mine);
}

TEST_F(ReviewTest, BrokenYamlIsRefusedWithLineAndColumnAndStays) {
  ASSERT_EQ(run().code, 75);
  edit(outline_, "title: On work", "title: \"On work");
  const std::string broken = read_file(outline_);
  const Said said = review({"continue", "r"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.err, AllOf(HasSubstr("line "), HasSubstr("column "), HasSubstr("not closed"),
                              HasSubstr(outline_.string())));
  EXPECT_EQ(read_file(outline_), broken);
  edit(outline_, "title: \"On work", "title: \"Work\"");
  EXPECT_EQ(review({"continue", "r"}).code, 75);
  EXPECT_THAT(read_file(draft_), HasSubstr("title: Work"));
}

TEST_F(ReviewTest, UnknownFieldsAndBadValuesAreRefusedByName) {
  ASSERT_EQ(run().code, 75);
  const std::string ours = read_file(outline_);
  edit(outline_, "    sentences: 3", "    sentences: 99");
  EXPECT_THAT(review({"continue", "r"}).err, HasSubstr("'Apples' asks for 99 sentences"));
  write_file(outline_, ours);
  edit(outline_, "    sentences: 3", "    sentences: 3\n    colour: red");
  const Said said = review({"continue", "r"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.err, AllOf(HasSubstr("/sections/0/colour"), HasSubstr("line ")));
}

TEST_F(ReviewTest, AnEditedFileLaidBesideTakesThePlaceOfTheOther) {
  ASSERT_EQ(run().code, 75);
  std::string mine = read_file(outline_);
  edit(outline_, "On work", "Lost?");
  mine.replace(mine.find("On work"), 7, "Mine");
  write_file(run_ / "outline_edited.yaml", mine);
  const Said said = review({"continue", "r"});
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_THAT(said.out, HasSubstr("Found 1 modification\n"));
  EXPECT_EQ(read_file(outline_), mine);
  EXPECT_FALSE(fs::exists(run_ / "outline_edited.yaml"));
  EXPECT_THAT(read_file(run_ / "outline_replaced.yaml"), HasSubstr("Lost?"));
  EXPECT_THAT(read_file(draft_), HasSubstr("title: Mine"));
}

TEST_F(ReviewTest, ThePlanSaysThatAnEditedFileIsThereAndLeavesIt) {
  ASSERT_EQ(run().code, 75);
  write_file(run_ / "outline_edited.yaml", "title: A\nsections: []\n");
  const Said said = review({"plan", "r"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("outline_edited.yaml is there: `continue` first puts it in the "
                                  "place of outline_review.yaml"));
  EXPECT_TRUE(fs::exists(run_ / "outline_edited.yaml"));
}

TEST_F(ReviewTest, ARejectedMistakeKeepsWhatWasAgreedToBefore) {
  ASSERT_EQ(run().code, 75);
  edit(outline_, "On work", "Agreed title");
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 0);
  edit(outline_, "title: Agreed", "title: \"Agreed");
  const Said refused = review({"continue", "r"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(
      refused.err,
      HasSubstr(
          "the previous content comes back, and a copy of the file is kept (--reject outline)"));
  const Said rejected = review({"continue", "r", "--reject", "outline"});
  EXPECT_EQ(rejected.code, 0) << rejected.err;
  EXPECT_THAT(read_file(outline_), HasSubstr("title: Agreed title"));
}

TEST_F(ReviewTest, ARejectedChangeIsGivenUpOnceWhereTheCallAlsoAgrees) {
  ASSERT_EQ(run().code, 75);
  edit(outline_, "On work", "Agreed title");
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  edit(draft_, "Sentence number 1", "My own sentence");
  ASSERT_EQ(review({"resume", "r"}).code, 75);
  edit(draft_, "title:", "title: [");
  const Said said = review({"continue", "r", "--reject", "draft"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(read_file(draft_), HasSubstr("My own sentence"));
}

TEST_F(ReviewTest, ASourceThatDoesNotExistIsRefusedBeforeAnyoneAgrees) {
  ASSERT_EQ(run().code, 75);
  edit(outline_, "source: bees.md", "source: bess.md");
  const Said said = review({"continue", "r"});
  EXPECT_EQ(said.code, 3) << said.err;
  EXPECT_THAT(said.err, AllOf(HasSubstr("section 'Bees' names the source 'bess.md'"),
                              HasSubstr("apples.md, bees.md, clouds.md")));
}

TEST_F(ReviewTest, ACollisionShowsBothSidesEachTimeWithTheCommandsThatSettleIt) {
  ASSERT_EQ(run().code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  edit(draft_, "title: On work", "title: My work");
  ASSERT_EQ(review({"continue", "r"}).code, 0);
  edit(outline_, "title: On work", "title: Our work");
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  for (int call = 0; call < 2; ++call) {
    const Said said = review({"continue", "r"});
    EXPECT_EQ(said.code, 75);
    EXPECT_THAT(said.err, AllOf(HasSubstr("  at    /title\n        yours: \"My work\"\n"
                                          "        new:   \"Our work\"\n"),
                                HasSubstr("next  review continue r --out"),
                                HasSubstr(" --accept draft "), HasSubstr(" --reject draft ")));
  }
  EXPECT_THAT(review({"status", "r"}).out,
              AllOf(HasSubstr("--accept draft to keep your edit"), Not(HasSubstr(".accept"))));
  EXPECT_EQ(review({"continue", "r", "--accept", "draft"}).code, 0);
  EXPECT_THAT(read_file(draft_), HasSubstr("title: My work"));
}

TEST_F(ReviewTest, AnEditedFileThatIsNoGoodChangesNothing) {
  ASSERT_EQ(run().code, 75);
  const std::string ours = read_file(outline_);
  write_file(run_ / "outline_edited.yaml", "title: A\nsections: []\n");
  const Said said = review({"continue", "r"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.err, AllOf(HasSubstr("outline_edited.yaml"), HasSubstr("there is no section")));
  EXPECT_EQ(read_file(outline_), ours);
  EXPECT_TRUE(fs::exists(run_ / "outline_edited.yaml"));
}

TEST_F(ReviewTest, KilledWhileItWritesItContinuesAndTheReportIsAsUninterrupted) {
  const auto edit_it = [&](const std::string& name) {
    edit(folder_ / "out" / name / "outline_review.yaml", "On work", "Work");
  };
  ASSERT_EQ(run("whole").code, 75);
  edit_it("whole");
  ASSERT_EQ(review({"continue", "whole"}).code, 75);
  ASSERT_EQ(review({"continue", "whole"}).code, 0);

  ASSERT_EQ(run().code, 75);
  edit_it("r");
  // What it says comes through a pipe: the sections are recorded, so it writes the first one.
  const fs::path said = folder_ / "said.err";
  fs::remove(said);
  ASSERT_EQ(::mkfifo(said.c_str(), 0600), 0);
  ChildProcess child = start({"continue", "r", "--pace", "100000"});
  std::ifstream lines{said};
  std::string line;
  while (std::getline(lines, line) && line.find("stage=sections") == line.npos) {
  }
  ASSERT_THAT(line, HasSubstr("done     stage=sections"));
  child.kill(SIGKILL);
  ASSERT_EQ(child.wait().signal, SIGKILL);
  fs::remove(said);
  const Said resumed = review({"continue", "r"});
  EXPECT_EQ(resumed.code, 75) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("resumed from r: killed, last written at 20"));
  EXPECT_THAT(resumed.err, HasSubstr("read  " + draft_.string())) << "no one has seen it yet";
  ASSERT_EQ(review({"continue", "r"}).code, 0);
  for (const char* file : {"outline_review.yaml", "draft_review.yaml", "report.md"}) {
    EXPECT_EQ(read_file(run_ / file), read_file(folder_ / "out/whole" / file)) << file;
  }
}

TEST_F(ReviewTest, ADamagedCheckpointIsMadeAgain) {
  ASSERT_EQ(run().code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  const std::string draft = read_file(draft_);
  damage("draft.1.ckpt");
  const Said said = review({"continue", "r"});
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_THAT(said.err, HasSubstr("damaged"));
  EXPECT_EQ(read_file(draft_), draft);
  EXPECT_EQ(review({"continue", "r"}).code, 0);
}

TEST_F(ReviewTest, OfADamagedCheckpointTheChangeIsTakenOverAgainFromTheFile) {
  ASSERT_EQ(run().code, 75);
  edit(outline_, "On work", "Mine");
  ASSERT_EQ(review({"resume", "r"}).code, 75);
  ASSERT_TRUE(fs::exists(run_ / ".resumable/checkpoints/outline.2.ckpt"));
  damage("outline.2.ckpt");
  const Said said = review({"continue", "r"});
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_THAT(said.err, HasSubstr("damaged"));
  EXPECT_THAT(read_file(outline_), HasSubstr("title: Mine"));
  EXPECT_THAT(read_file(draft_), HasSubstr("title: Mine"));
}

TEST_F(ReviewTest, AStageCanBeRunAgainWithAllThatFollows) {
  ASSERT_EQ(run().code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 75);
  ASSERT_EQ(review({"continue", "r"}).code, 0);
  text("bees.md", "Bees", "hive");
  const Said said = review({"resume", "r", "--sources", sources_.string(), "--from", "write"});
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_THAT(read_file(draft_), HasSubstr("hive"));
}

TEST_F(ReviewTest, ANameIsFreeUntilTheRunHasRecordedWhatItIsMadeFrom) {
  fs::create_directories(run_ / ".resumable");  // as after a kill at the first moment
  EXPECT_EQ(run().code, 75);
  EXPECT_EQ(run().code, 2) << "now it is taken";
}

TEST_F(ReviewTest, ANameWithAStarStandsForEachRunThatItMatches) {
  ASSERT_EQ(run("barn").code, 75);
  ASSERT_EQ(run("mill").code, 75);
  EXPECT_THAT(review({"status", "b*n"}).out, HasSubstr("barn"));
  EXPECT_THAT(review({"status", "*"}).err, HasSubstr("'*' stands for several runs: "));
}

TEST_F(ReviewTest, ARunIsFoundByItsNameAPartOfItOrAsTheLatest) {
  const Said none = review({"continue", "r"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("review run r --sources DIR"));
  ASSERT_EQ(run("news-1").code, 75);
  EXPECT_THAT(review({"status", "ews"}).out, HasSubstr("news-1"));
  EXPECT_THAT(review({"status"}).out, HasSubstr("news-1"));
  ASSERT_EQ(run("news-2").code, 75);
  const Said two = review({"continue", "news"});
  EXPECT_EQ(two.code, 2);
  EXPECT_THAT(two.err, AllOf(HasSubstr("news-1"), HasSubstr("news-2")));
  EXPECT_THAT(review({"status", "x"}).err, HasSubstr("there are: news-1, news-2"));
  const Said typo = review({"continue", "nesw-1"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_THAT(typo.err, AllOf(HasSubstr("Did you mean 'news-1'?"), Not(HasSubstr("review run"))));
  EXPECT_EQ(run("news-1").code, 2) << "a run is not begun twice";
}

TEST(ReviewAge, IsCountedInFullDays) {
  const rs::Timestamp at{std::chrono::milliseconds{1'000'000}};
  EXPECT_EQ(days_since(at, at + std::chrono::hours{24 * 31 - 1}), 30);
  EXPECT_EQ(days_since(at, at + std::chrono::hours{24 * 31}), 31);
}

}  // namespace
}  // namespace review::testing

namespace old {
struct Heading {
  std::string heading;
  std::string source;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Heading, heading, source)
struct Outline {
  std::string title;
  std::vector<Heading> sections;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outline, title, sections)
}  // namespace old

namespace later {
struct Outline {
  std::string title;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outline, title)
}  // namespace later

template <>
struct resumable::Schema<later::Outline> {
  static constexpr std::string_view name = "review.outline";
  static void nothing(Json& /*outline*/) {}
  static constexpr Migrations migrations{nothing, nothing};
};

template <>
struct resumable::Schema<old::Outline> {
  static constexpr std::string_view name = "review.outline";
  static constexpr Migrations<0> migrations{};
};

namespace review::testing {
namespace {

/// Writes a run as a program did whose outline was of another type.
template <class Outline>
int write_run(const fs::path& out, const fs::path& sources, Outline outline) {
  rs::FileStore store{out};
  rs::Pipeline p{"review"};
  const auto title = p.input<std::string>("title", "On work");
  const auto files = p.files("sources", sources);
  p.stage("outline", inputs(title, files),
          [&](const std::string&, const std::vector<rs::SourceFile>&) { return outline; });
  return rs::resume(p, store, {.run = "r"}).exit_code();
}

TEST_F(ReviewTest, AnOutlineOfAnOlderVersionIsMigratedAndNotMadeAgain) {
  const old::Outline outline{"On work", {{"Old apples", "apples.md"}}};
  ASSERT_EQ(write_run(folder_ / "out", sources_, outline), 0);
  const Said said = review({"resume", "r"});
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_THAT(read_file(outline_), AllOf(HasSubstr("Old apples"), HasSubstr("sentences: 3")));
}

TEST_F(ReviewTest, AnOutlineOfALaterVersionIsRefusedAndStays) {
  ASSERT_EQ(write_run(folder_ / "out", sources_, later::Outline{"On work"}), 0);
  const fs::path record = run_ / ".resumable/checkpoints/outline.1.ckpt";
  const std::string bytes = read_file(record);
  const Said said = review({"continue", "r"});
  EXPECT_EQ(said.code, 3) << said.err;
  EXPECT_THAT(said.err, HasSubstr("a newer program wrote it"));
  EXPECT_EQ(read_file(record), bytes);
}

}  // namespace
}  // namespace review::testing
