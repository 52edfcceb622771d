// A store has lost its last records, or a process was killed before it recorded what it exported:
// what a later stage wrote is never taken for a user's edit of what an earlier one made.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exports/folder.hpp"
#include "exports/memo.hpp"
#include "resumable/error.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/plan.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Draft and polish write one file in turn.
class LostRecords : public ::testing::Test {
 protected:
  [[nodiscard]] Pipeline pipeline() const {
    Pipeline p{"report"};
    const auto draft = p.stage("draft", inputs(), [this] {
      journal_.note("draft");
      return Text{"draft\n"};
    });
    const auto polish = p.stage("polish", inputs(draft), [this](const Text& of) {
      journal_.note("polish");
      return Text{of.text + "polished\n"};
    });
    const auto length = p.stage("length", inputs(polish), [](const Text& of) {
      return Text{std::to_string(of.text.size()) + "\n"};
    });
    p.artifact(draft, "report.md");
    p.artifact(polish, "report.md");
    p.artifact(length, "length.txt");
    return p;
  }
  Report run(std::vector<Observer*> observers = {}) const {
    JournalStore store{folder_ / "store"};
    return resume(pipeline(), store, {.run = "r", .observers = std::move(observers)});
  }
  /// As if nothing had been recorded since draft was.
  void run_and_lose_polish() {
    std::uint64_t size = 0;
    const fs::path log = run_ / ".resumable/journal/0000000001.log";
    EventLog after_draft([&](const Event& event) {
      if (event.kind == EventKind::exported && event.stage == "draft") size = recorded(log);
    });
    ASSERT_EQ(run({&after_draft}).exit_code(), 0);
    fs::resize_file(log, size);
    journal_.clear();
  }
  /// Where the groups of a log end: what follows is zeros.
  static std::uint64_t recorded(const fs::path& log) {
    const std::string bytes = read_file(log);
    return bytes.find_last_not_of('\0') + 1;
  }

  TempFolder folder_;
  Journal journal_{folder_ / "log"};
  fs::path run_ = folder_ / "store/r";
  fs::path file_ = run_ / "report.md";
};

TEST_F(LostRecords, AFileThatALaterStageWroteIsNoEditOfWhatAnEarlierOneMade) {
  run_and_lose_polish();
  const Report report = run();
  ASSERT_EQ(report.exit_code(), 0) << report.error()->explain();
  EXPECT_THAT(journal_.lines(), ElementsAre("polish"));
  EXPECT_EQ(read_file(file_), "draft\npolished\n");
  EXPECT_EQ(read_file(run_ / "length.txt"), "15\n");
  EXPECT_THAT(report.warnings(), Contains(AllOf(HasSubstr("report.md"), HasSubstr("lost"))));
  EXPECT_THAT(removed_texts(run_), Contains("draft\npolished\n"));
}

TEST_F(LostRecords, AnEditOfSuchAFileIsAskedAboutAndMovingItAwayIsAWayOut) {
  run_and_lose_polish();
  write_file(file_, "draft\npolished\nmine\n");
  const auto before = snapshot(run_);
  const Report refused = run();
  ASSERT_EQ(refused.exit_code(), 3);
  EXPECT_THAT(refused.error()->explain(), AllOf(HasSubstr("report.md"), HasSubstr("is lost"),
                                                HasSubstr("move the file away and resume")));
  EXPECT_EQ(snapshot(run_), before);
  fs::rename(file_, folder_ / "mine.md");
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_EQ(read_file(file_), "draft\npolished\n");
}

TEST_F(LostRecords, AnEditAfterAKillIsOfWhatTheKilledProcessHadExported) {
  ChildProcess child([&] {
    EventLog log([&](const Event& event) {
      if (event.kind == EventKind::exported && event.stage == "polish") ::raise(SIGKILL);
    });
    return run({&log}).exit_code();
  });
  ASSERT_EQ(child.wait().signal, SIGKILL);
  journal_.clear();
  write_file(file_, "draft\npolished\nmine\n");
  ASSERT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(read_file(file_), "draft\npolished\nmine\n");
  EXPECT_EQ(read_file(run_ / "length.txt"), "20\n");
}

TEST_F(LostRecords, AnAdoptedEditIsNotOfAnEarlierStageWhereAllRecordsOfItsOwnAreLost) {
  FileStore store{folder_ / "store"};
  const Pipeline p = pipeline();
  ASSERT_EQ(resume(p, store, {.run = "r"}).exit_code(), 0);
  write_file(file_, "draft\npolished\nmine\n");
  ASSERT_EQ(resume(p, store, {.run = "r"}).exit_code(), 0);
  const fs::path records = run_ / ".resumable/checkpoints";
  for (const char* record : {"polish.1.ckpt", "polish.2.ckpt"}) {
    ASSERT_TRUE(fs::remove(records / record)) << record;
  }
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_EQ(report.exit_code(), 0) << report.error()->explain();
  EXPECT_EQ(read_file(file_), "draft\npolished\n");
  EXPECT_EQ(read_file(run_ / "length.txt"), "15\n");
  EXPECT_THAT(report.warnings(), Contains(HasSubstr("report.md")));
  EXPECT_THAT(removed_texts(run_), Contains("draft\npolished\nmine\n"));
}

// ---- the marks ---------------------------------------------------------------------------------

class MarksTest : public ::testing::Test {
 protected:
  [[nodiscard]] exports::Mark find(std::string_view path) {
    exports::Folder folder{*system_, random_, root_};
    folder.marks().of_run("uid");
    exports::Mark mark;
    EXPECT_FALSE(folder.marks().find(path, mark));
    return mark;
  }
  void note(std::string_view path, std::uint64_t order) {
    exports::Folder folder{*system_, random_, root_};
    folder.marks().of_run("uid");
    EXPECT_FALSE(folder.marks().note(path, {digest("text"), order, true}));
  }
  [[nodiscard]] fs::path file() const {
    return fs::directory_iterator { folder_ / ".resumable/exports" } -> path();
  }

  TempFolder folder_;
  std::string root_ = folder_.path().string();
  std::unique_ptr<sys::FileSystem> system_ = sys::posix_file_system();
  sys::SystemRandom random_;
};

TEST_F(MarksTest, TheLastOneOfAPathCounts) {
  EXPECT_EQ(find("a").order, 0U);
  note("a", 1);
  note("b", 2);
  note("a", 3);
  EXPECT_EQ(find("a").order, 3U);
  EXPECT_EQ(find("a").content, digest("text"));
  EXPECT_TRUE(find("a").placed);
  EXPECT_EQ(find("b").order, 2U);
}

TEST_F(MarksTest, ADamagedOneIsLeftOutAndATornOneIsWrittenOver) {
  note("a", 1);
  const auto one = fs::file_size(file());
  note("b", 2);
  fs::resize_file(file(), 2 * one - 1);
  EXPECT_EQ(find("b").order, 0U);
  note("b", 3);
  EXPECT_EQ(fs::file_size(file()), 2 * one);
  EXPECT_EQ(find("b").order, 3U);
  std::string bytes = read_file(file());
  bytes[20] ^= 1;
  write_file(file(), bytes);
  EXPECT_EQ(find("a").order, 0U);
  EXPECT_EQ(find("b").order, 3U);
}

TEST_F(MarksTest, TheFileStaysSmallHoweverOftenAPathIsExported) {
  {
    exports::Folder folder{*system_, random_, root_};
    folder.marks().of_run("uid");
    for (std::uint64_t order = 1; order <= 5000; ++order) {
      ASSERT_FALSE(folder.marks().note(order % 2 == 0 ? "a" : "b", {digest("text"), order, true}));
    }
  }
  note("c", 5001);
  EXPECT_LT(fs::file_size(file()), 1000U);
  EXPECT_EQ(find("a").order, 5000U);
  EXPECT_EQ(find("b").order, 4999U);
  EXPECT_EQ(find("c").order, 5001U);
}

}  // namespace
}  // namespace resumable::test
