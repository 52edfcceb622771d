// A user edits the exported file of a stage whose value is a File: its bytes are the value.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "exports/memo.hpp"
#include "resumable/resumable.hpp"
#include "run/run_support.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string table = "name,size\nBasel,180\nChur,40\nDavos,11\n";
const std::string image{"\x89PNG\0\x01\x02", 7};

/// table (table.csv), image (image.png); report is made of the table, cover of the image.
struct Tables {
  std::string rows = table;
  std::function<void()> while_report_runs = [] {};

  [[nodiscard]] Pipeline pipeline(const fs::path& folder, const Journal& journal) const {
    Pipeline p{"tables"};
    const auto given = p.input("rows", rows);
    const auto made = [=](const std::string& name, const std::string& bytes) {
      journal.note(name);
      write_file(folder / name, bytes);
      return File::of(folder / name);
    };
    const auto csv =
        p.stage("table", inputs(given), [=](const std::string& r) { return made("table", r); });
    const auto png = p.stage("image", inputs(), [=] { return made("image", image); });
    const auto report = p.stage("report", inputs(csv), [*this, journal](const File& file) {
      journal.note("report");
      while_report_runs();
      return Text{"report of " + file.read()};
    });
    const auto cover = p.stage("cover", inputs(png), [=](const File& file) {
      journal.note("cover");
      return Text{"cover of " + std::to_string(file.size()) + " bytes\n"};
    });
    p.artifact(csv, "table.csv");
    p.artifact(png, "image.png");
    p.artifact(report, "report.txt");
    p.artifact(cover, "cover.txt");
    p.validate(csv, [](const File& file) {
      return std::string{file.size() == 0 ? "the table is empty" : ""};
    });
    return p;
  }
};

class FileEditsTest : public ::testing::Test {
 protected:
  Report run(ResumeOptions options = {}) {
    journal_.clear();
    options.run = "r";
    const Pipeline p = tables_.pipeline(folder_.path(), journal_);
    return resume(p, store_, options);
  }
  Plan plan() {
    return ResumePlanner{store_}.plan(tables_.pipeline(folder_.path(), journal_), {.run = "r"});
  }
  std::vector<std::string> causes(const Plan& plan, std::string_view stage) {
    std::vector<std::string> all;
    for (const Cause& cause : plan[stage].causes) all.push_back(cause.text());
    return all;
  }

  TempFolder folder_;
  Journal journal_{folder_ / "journal"};
  FileStore store_{folder_ / "store"};
  fs::path run_ = folder_ / "store/r";
  Tables tables_;
};

TEST_F(FileEditsTest, ItsBytesAreTheValueAndOnlyWhatDependsOnItRuns) {
  ASSERT_EQ(run().exit_code(), 0);
  const std::string edited = "name,size\nBasel,181\nChur,40\nDavos,11\n";
  write_file(run_ / "table.csv", edited);
  EXPECT_THAT(causes(plan(), "table"), ElementsAre("your edit: line 2: Basel,180 -> Basel,181"));
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("report"));
  EXPECT_EQ(read_file(run_ / "table.csv"), edited);
  EXPECT_EQ(read_file(run_ / "report.txt"), "report of " + edited);
  EXPECT_TRUE(plan().complete());
}

TEST_F(FileEditsTest, OtherBytesThanTextAreToldBySizeAndDigest) {
  ASSERT_EQ(run().exit_code(), 0);
  const std::string edited = image + '\0';
  write_file(run_ / "image.png", edited);
  EXPECT_THAT(causes(plan(), "image"),
              ElementsAre("your edit: 7 bytes (" + digest(image).brief() + ") -> 8 bytes (" +
                          digest(edited).brief() + ")"));
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("cover"));
  EXPECT_EQ(read_file(run_ / "image.png"), edited);
  EXPECT_EQ(read_file(run_ / "cover.txt"), "cover of 8 bytes\n");
}

TEST_F(FileEditsTest, WhoEditedAndWhenIsRecorded) {
  ASSERT_EQ(run().exit_code(), 0);
  write_file(run_ / "image.png", "x");
  EventLog events;
  ASSERT_EQ(run({.observers = {&events}}).exit_code(), 0);
  EXPECT_THAT(events.of(EventKind::edited), ElementsAre("image"));
  const std::string record = read_file(run_ / ".resumable/checkpoints/image.2.ckpt");
  EXPECT_THAT(record, AllOf(HasSubstr("\"edited_by\":\""), HasSubstr("\"at\":\"")));
}

TEST_F(FileEditsTest, RejectedTheFileComesBackAndTheEditIsKept) {
  ASSERT_EQ(run().exit_code(), 0);
  for (const bool taken_over : {false, true}) {
    const std::string edited = taken_over ? "later" : "at once";
    write_file(run_ / "image.png", edited);
    if (taken_over) {
      ASSERT_EQ(run().exit_code(), 0);
    }
    ASSERT_EQ(run({.reject = {"image"}}).exit_code(), 0);
    EXPECT_EQ(read_file(run_ / "image.png"), image);
    EXPECT_EQ(read_file(run_ / "cover.txt"), "cover of 7 bytes\n");
    EXPECT_THAT(removed_texts(run_), Contains(edited));
    EXPECT_TRUE(plan().complete());
  }
}

TEST_F(FileEditsTest, AnEditThatTheValidatorRefusesStaysAndNothingRuns) {
  ASSERT_EQ(run().exit_code(), 0);
  write_file(run_ / "table.csv", "");
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_THAT(report.error()->explain(), HasSubstr("the table is empty"));
  EXPECT_EQ(read_file(run_ / "table.csv"), "");
  EXPECT_THAT(journal_.lines(), IsEmpty());
}

TEST_F(FileEditsTest, WhileTheRunGoesOnItStaysAndTheNextCallTakesItOver) {
  tables_.while_report_runs = [this] { write_file(run_ / "table.csv", "mine\n"); };
  const Report first = run();
  EXPECT_EQ(first.exit_code(), 0);
  EXPECT_EQ(read_file(run_ / "table.csv"), "mine\n");
  tables_.while_report_runs = [] {};
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("report"));
  EXPECT_EQ(read_file(run_ / "report.txt"), "report of mine\n");
}

TEST_F(FileEditsTest, AChangedInputAndAnEditAreMergedByLinesOrAsked) {
  ASSERT_EQ(run().exit_code(), 0);
  write_file(run_ / "table.csv", "name,size\nBasel,181\nChur,40\nDavos,11\n");
  tables_.rows = "name,size\nBasel,180\nChur,40\nDavos,12\n";
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_EQ(read_file(run_ / "table.csv"), "name,size\nBasel,181\nChur,40\nDavos,12\n");
  EXPECT_EQ(read_file(run_ / "report.txt"), "report of name,size\nBasel,181\nChur,40\nDavos,12\n");

  tables_.rows = std::string{"\0\1", 2};
  const Report asked = run();
  EXPECT_EQ(asked.outcome(), Outcome::waiting);
  EXPECT_THAT(plan().text(), HasSubstr("2 bytes (" + digest(tables_.rows).brief() + ")"));
  ASSERT_EQ(run({.reject = {"table"}}).exit_code(), 0);
  EXPECT_EQ(read_file(run_ / "table.csv"), tables_.rows);
  EXPECT_THAT(removed_texts(run_), Contains("name,size\nBasel,181\nChur,40\nDavos,11\n"));
}

TEST_F(FileEditsTest, AFolderWithoutCheckpointsIsAdoptedByteForByte) {
  ASSERT_EQ(run().exit_code(), 0);
  write_file(run_ / "image.png", image + image);
  fs::remove_all(run_ / ".resumable");
  ASSERT_EQ(run({.adopt = true}).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(read_file(run_ / "image.png"), image + image);
  EXPECT_TRUE(plan().complete());
}

RC_GTEST_PROP(FileEdits, AnyBytesBecomeTheValue, (std::string bytes)) {
  TempFolder folder;
  FileStore store{folder / "store"};
  const auto pipeline = [&] {
    Pipeline p{"p"};
    const auto file = p.stage("file", inputs(), [&] {
      write_file(folder / "made", table);
      return File::of(folder / "made");
    });
    const auto copy = p.stage("copy", inputs(file), [](const File& f) { return f.digest().hex(); });
    p.artifact(file, "file");
    return std::pair{std::move(p), copy};
  };
  const auto [p, copy] = pipeline();
  RC_ASSERT(resume(p, store, {.run = "r"}).exit_code() == 0);
  write_file(folder / "store/r/file", bytes);
  const Report report = resume(p, store, {.run = "r"});
  RC_ASSERT(report.exit_code() == 0);
  RC_ASSERT(report[copy] == digest(bytes).hex());
  RC_ASSERT(read_file(folder / "store/r/file") == bytes);
}

}  // namespace
}  // namespace resumable::test
