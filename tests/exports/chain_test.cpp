// Several stages rewrite one file in turn: whose content is there after each way to be interrupted.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "exports/memo.hpp"
#include "resumable/digest.hpp"
#include "resumable/error.hpp"
#include "resumable/plan.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class ChainTest : public ::testing::Test {
 protected:
  /// All that a run without interruption leaves for people.
  [[nodiscard]] std::map<std::string, std::string> uninterrupted(const Memo& memo) const {
    const TempFolder other;
    FileStore store{other / "store"};
    EXPECT_EQ(memo.run(store, Journal{other / "journal"}).exit_code(), 0);
    return artifacts(other / "store/r1");
  }

  /// Runs in a child that is killed when the nth event of this kind comes from `stage`.
  [[nodiscard]] Ended run_killed_at(const Memo& memo, EventKind kind, std::string_view stage,
                                    int nth = 1, ResumeOptions options = {}) {
    ChildProcess child([&] {
      int left = nth;
      EventLog log([&](const Event& event) {
        if (event.kind == kind && event.stage == stage && --left == 0) ::raise(SIGKILL);
      });
      options.observers = {&log};
      FileStore store{folder_ / "store"};
      return memo.run(store, journal_, options).exit_code();
    });
    return child.wait();
  }

  Report run(const Memo& memo, ResumeOptions options = {}) {
    return memo.run(store_, journal_, std::move(options));
  }

  [[nodiscard]] Plan plan(const Memo& memo) {
    const Pipeline pipeline = memo.pipeline(journal_);
    return ResumePlanner{store_}.plan(pipeline, {.run = "r1"});
  }

  TempFolder folder_;
  Journal journal_{folder_ / "journal"};
  FileStore store_{folder_ / "store"};
  fs::path run_ = folder_ / "store/r1";
  fs::path team_ = folder_ / "store/r1/sections/02-team.md";
};

constexpr const char* stages[] = {"outline", "draft", "links", "charts", "memo"};

TEST_F(ChainTest, KilledBetweenRecordAndExportOfEachStageItExportsAgainAndRunsNothingTwice) {
  Memo memo;
  for (const bool outlined : {false, true}) {
    memo.outlined = outlined;
    const auto expected = uninterrupted(memo);
    for (const char* stage : stages) {
      for (int nth = 1; nth <= 3; ++nth) {
        fs::remove_all(folder_ / "store");
        journal_.clear();
        const Ended first = run_killed_at(memo, EventKind::committed, stage, nth);
        const bool items =
            std::string_view(stage) != "outline" && std::string_view(stage) != "memo";
        ASSERT_EQ(first.signal, nth == 1 || items ? SIGKILL : 0) << stage << nth;
        const Report report = run(memo);
        ASSERT_EQ(report.exit_code(), 0)
            << stage << nth << (report.error() ? report.error()->explain() : "");
        EXPECT_EQ(artifacts(run_), expected) << stage << nth;
        auto lines = journal_.lines();
        std::sort(lines.begin(), lines.end());
        EXPECT_EQ(std::unique(lines.begin(), lines.end()), lines.end()) << stage << nth;
      }
    }
  }
}

TEST_F(ChainTest, KilledWhileRewritingAtEachStageTheNewContentComesAndNothingRunsTwice) {
  Memo before;
  Memo after;
  after.company = "Cloudgov";
  const auto expected = uninterrupted(after);
  for (const char* stage : stages) {
    for (const EventKind kind : {EventKind::committed, EventKind::exported}) {
      for (int nth = 1; nth <= 2; ++nth) {
        fs::remove_all(folder_ / "store");
        journal_.clear();
        ASSERT_EQ(run(before).exit_code(), 0);
        journal_.clear();
        static_cast<void>(run_killed_at(after, kind, stage, nth));
        // And once more while it recovers.
        static_cast<void>(run_killed_at(after, EventKind::restored, stage));
        const Report report = run(after);
        ASSERT_EQ(report.exit_code(), 0)
            << stage << nth << (report.error() ? report.error()->explain() : "");
        EXPECT_EQ(artifacts(run_), expected) << stage << nth;
        auto lines = journal_.lines();
        std::sort(lines.begin(), lines.end());
        EXPECT_EQ(std::unique(lines.begin(), lines.end()), lines.end()) << stage << nth;
      }
    }
  }
}

TEST_F(ChainTest, AnEarlierStageRunsAgainAndTheCutOffOnesContentIsThereAgain) {
  Memo memo;
  memo.links_repeat_draft = false;
  ASSERT_EQ(run(memo).exit_code(), 0);
  const auto before = artifacts(run_);
  memo.draft = "second draft";
  journal_.clear();
  EventLog log;
  ASSERT_EQ(run(memo, {.run = "r1", .redo = {"draft"}, .observers = {&log}}).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), UnorderedElementsAre("draft/intro", "draft/team", "draft/market",
                                                     "links/intro", "links/team", "links/market"));
  EXPECT_EQ(artifacts(run_), before);
  EXPECT_THAT(log.of(EventKind::restored), Contains("charts/team"));
  journal_.clear();
  EXPECT_TRUE(plan(memo).complete());
  ASSERT_EQ(run(memo).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(artifacts(run_), before);
}

TEST_F(ChainTest, KilledAfterTheCutOffOnesContentWasPutBackItIsNotTakenForAnEdit) {
  for (int nth = 1; nth <= 4; ++nth) {
    fs::remove_all(folder_ / "store");
    Memo memo;
    memo.links_repeat_draft = false;
    ASSERT_EQ(run(memo).exit_code(), 0);
    const auto before = artifacts(run_);
    memo.draft = "second draft";
    const Ended ended =
        run_killed_at(memo, EventKind::restored, "charts", nth, {.run = "r1", .redo = {"draft"}});
    ASSERT_EQ(ended.signal, nth <= 3 ? SIGKILL : 0);
    const Report report = run(memo);
    ASSERT_EQ(report.exit_code(), 0) << (report.error() ? report.error()->explain() : "");
    EXPECT_EQ(artifacts(run_), before);
  }
}

TEST_F(ChainTest, AStageThatRunsAgainWithTheSameTextAfterItsForerunnerWroteIsThereAtTheEnd) {
  // Two stages: the second is the last of the chain and must not be left out.
  const auto run_once = [&](const std::string& first, bool redo) {
    Pipeline pipeline{"p"};
    const auto a = pipeline.stage("a", [=] { return Text{first}; });
    const auto b = pipeline.stage("b", inputs(a), [](const Text&) { return Text{"b"}; });
    pipeline.artifact(a, "x.md");
    pipeline.artifact(b, "x.md");
    ResumeOptions options{.run = "r1"};
    if (redo) options.redo = {"a"};
    EXPECT_EQ(resume(pipeline, store_, options).exit_code(), 0);
    return read_file(run_ / "x.md");
  };
  EXPECT_EQ(run_once("one", false), "b");
  EXPECT_EQ(run_once("two", true), "b");
  EXPECT_EQ(run_once("two", true), "b");
}

TEST_F(ChainTest, RunAgainWithTheSameTextAnExportThatWasLeftUnfinishedIsFinished) {
  std::string text = "one";
  const auto declare = [&](Pipeline& pipeline) {
    const auto words = pipeline.input("words", text);
    const auto a = pipeline.stage("a", inputs(words), [](const std::string& t) { return Text{t}; });
    pipeline.artifact(a, "x.md");
  };
  Pipeline first{"p"};
  declare(first);
  ASSERT_EQ(resume(first, store_, {.run = "r1"}).exit_code(), 0);
  text = "two";
  Pipeline second{"p"};
  declare(second);
  ChildProcess child([&] {
    EventLog log([](const Event& event) {
      if (event.kind == EventKind::committed) ::raise(SIGKILL);
    });
    FileStore store{folder_ / "store"};
    return resume(second, store, {.run = "r1", .observers = {&log}}).exit_code();
  });
  ASSERT_EQ(child.wait().signal, SIGKILL);
  ASSERT_EQ(read_file(run_ / "x.md"), "one");
  ASSERT_EQ(resume(second, store_, {.run = "r1", .redo = {"a"}}).exit_code(), 0);
  EXPECT_EQ(read_file(run_ / "x.md"), "two");
}

TEST_F(ChainTest, AFileDeletedByHandComesBackAsTheLastStageLeftIt) {
  const Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  const auto before = artifacts(run_);
  journal_.clear();
  fs::remove(team_);
  fs::remove(run_ / "outline.json");
  EXPECT_THAT(plan(memo).text(true), HasSubstr("sections/02-team.md"));
  EventLog log;
  ASSERT_EQ(run(memo, {.run = "r1", .observers = {&log}}).exit_code(), 0);
  EXPECT_THAT(log.of(EventKind::restored), UnorderedElementsAre("outline", "charts/team"));
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(artifacts(run_), before);
  fs::remove_all(run_ / "sections");
  ASSERT_EQ(run(memo).exit_code(), 0);
  EXPECT_EQ(artifacts(run_), before);
  EXPECT_THAT(journal_.lines(), IsEmpty());
}

TEST_F(ChainTest, NothingIsWrittenByARunThatHasNothingToDo) {
  const Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  const auto before = digests(run_ / ".resumable/checkpoints");
  ASSERT_EQ(run(memo).exit_code(), 0);
  EXPECT_EQ(digests(run_ / ".resumable/checkpoints"), before);
}

TEST_F(ChainTest, OneItemRunAgainAtAnEarlyStageLeavesTheOtherFilesAlone) {
  Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  const auto before = digests(run_ / ".resumable/checkpoints/charts");
  EventLog log;
  ASSERT_EQ(run(memo, {.run = "r1", .redo = {"links/team"}, .observers = {&log}}).exit_code(), 0);
  EXPECT_THAT(log.of(EventKind::restored), IsEmpty());
  EXPECT_EQ(read_file(team_), section_text(memo, "team"));
  EXPECT_EQ(digests(run_ / ".resumable/checkpoints/charts"), before);
}

TEST_F(ChainTest, ADamagedRecordRunsAgainAndItsFileIsNotTakenForAStrangers) {
  const Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  const auto before = artifacts(run_);
  for (const char* record : {"charts/team.1.ckpt", "memo.1.ckpt", "@exported.1.ckpt"}) {
    fs::path file = run_ / ".resumable/checkpoints" / record;
    ASSERT_TRUE(fs::exists(file)) << file;
    fs::resize_file(file, fs::file_size(file) / 2);
  }
  journal_.clear();
  const Report report = run(memo);
  ASSERT_EQ(report.exit_code(), 0) << (report.error() ? report.error()->explain() : "");
  EXPECT_THAT(journal_.lines(), UnorderedElementsAre("charts/team", "memo"));
  EXPECT_EQ(artifacts(run_), before);
  std::vector<std::string> kept;  // the header of memo's record confirmed the other one
  for (const auto& [name, bytes] : snapshot(run_ / ".resumable/removed")) kept.push_back(bytes);
  EXPECT_THAT(kept, ElementsAre(before.at("memo.md")));

  const fs::path file = run_ / ".resumable/checkpoints/charts/intro.1.ckpt";
  fs::resize_file(file, fs::file_size(file) / 2);
  journal_.clear();
  const Report again = run(memo);
  ASSERT_EQ(again.exit_code(), 0) << (again.error() ? again.error()->explain() : "");
  EXPECT_THAT(journal_.lines(), ElementsAre("charts/intro"));
  EXPECT_EQ(artifacts(run_), before);
}

// ---- temps -------------------------------------------------------------------------------------

TEST_F(ChainTest, LeftOverCopiesAreDeletedAndWhatIsNotOursStays) {
  const Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  const fs::path publish = run_ / ".resumable/publish";
  const std::string uid = snapshot(run_ / ".resumable/exports").begin()->first.substr(0, 16);
  write_file(publish / ("export-" + uid + "-0000000000000001"), section_text(memo, "team"));
  write_file(publish / ("export-" + uid + "-0000000000000002"), "half a cop");
  write_file(publish / "something-else", "not ours to touch");
  ASSERT_EQ(run(memo).exit_code(), 0);
  EXPECT_THAT(snapshot(publish),
              UnorderedElementsAre(::testing::Pair("something-else", "not ours to touch")));
  EXPECT_FALSE(fs::exists(run_ / ".resumable/removed")) << "only the library writes there";
}

// ---- reordering --------------------------------------------------------------------------------

TEST_F(ChainTest, ReorderingExportsUnderTheNewNamesAndRunsNoBody) {
  Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  journal_.clear();
  Memo reordered = memo;
  reordered.sections = {"market", "intro", "team"};
  ASSERT_EQ(run(reordered).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), UnorderedElementsAre("outline", "listed", "memo"));
  EXPECT_EQ(artifacts(run_), uninterrupted(reordered));
  std::vector<std::string> removed;
  for (const auto& [name, bytes] : snapshot(run_ / ".resumable/removed")) {
    removed.push_back(bytes);
  }
  EXPECT_THAT(removed, UnorderedElementsAre(section_text(memo, "intro"), section_text(memo, "team"),
                                            section_text(memo, "market")));
  journal_.clear();
  const auto before = digests(run_ / ".resumable/checkpoints");
  ASSERT_EQ(run(reordered).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(digests(run_ / ".resumable/checkpoints"), before);
}

TEST_F(ChainTest, AnItemInsertedInFrontRunsAloneAndTheOthersMove) {
  Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  journal_.clear();
  memo.sections = {"summary", "intro", "team", "market"};
  ASSERT_EQ(run(memo).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), UnorderedElementsAre("outline", "listed", "draft/summary",
                                                     "links/summary", "charts/summary", "memo"));
  EXPECT_EQ(artifacts(run_), uninterrupted(memo));
}

TEST_F(ChainTest, ItemsThatTakeEachOthersPlacesSwapTheirFiles) {
  for (const std::vector<std::string>& after :
       {std::vector<std::string>{"team", "intro", "market"}, {"team", "market"}, {"market"}}) {
    fs::remove_all(folder_ / "store");
    Memo memo;
    memo.pattern = "sections/{position:02}.md";
    ASSERT_EQ(run(memo).exit_code(), 0);
    journal_.clear();
    memo.sections = after;
    const Report report = run(memo);
    ASSERT_EQ(report.exit_code(), 0) << (report.error() ? report.error()->explain() : "");
    EXPECT_THAT(journal_.lines(), UnorderedElementsAre("outline", "listed", "memo"));
    EXPECT_EQ(artifacts(run_), uninterrupted(memo));
  }
}

TEST_F(ChainTest, MovedAndMadeAgainAtOnceNoOldNameStays) {
  Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  memo.sections = {"market", "intro", "team"};
  memo.company = "Cloudgov";
  ASSERT_EQ(run(memo).exit_code(), 0);
  EXPECT_EQ(artifacts(run_), uninterrupted(memo));
}

TEST_F(ChainTest, KilledAtAnyExportWhileFilesMoveTheNextRunFinishes) {
  for (const char* pattern : {"sections/{position:02}-{item}.md", "sections/{position:02}.md"}) {
    Memo memo;
    memo.pattern = pattern;
    Memo moved = memo;
    moved.sections = {"market", "intro", "team"};
    const auto expected = uninterrupted(moved);
    for (const char* stage : {"draft", "links", "charts"}) {
      for (int nth = 1; nth <= 3; ++nth) {
        fs::remove_all(folder_ / "store");
        // Left by a process that ended in order, or by one that could not say what it had done.
        if (nth == 2) {
          ASSERT_EQ(run_killed_at(memo, EventKind::exported, "charts", 3).signal, SIGKILL);
        } else {
          ASSERT_EQ(run(memo).exit_code(), 0);
        }
        static_cast<void>(run_killed_at(moved, EventKind::restored, stage, nth));
        const Report report = run(moved);
        ASSERT_EQ(report.exit_code(), 0)
            << pattern << stage << nth << (report.error() ? report.error()->explain() : "");
        EXPECT_EQ(artifacts(run_), expected) << pattern << stage << nth;
      }
    }
  }
}

TEST_F(ChainTest, TheFileOfAnItemThatIsGoneMovesAwayAndComesBackWithIt) {
  Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  const auto before = artifacts(run_);
  Memo shorter = memo;
  shorter.sections = {"intro", "team"};
  ASSERT_EQ(run(shorter).exit_code(), 0);
  EXPECT_EQ(artifacts(run_), uninterrupted(shorter));
  EXPECT_THAT(snapshot(run_ / ".resumable/removed"), SizeIs(1));
  journal_.clear();
  ASSERT_EQ(run(memo).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), UnorderedElementsAre("outline", "listed", "memo"));
  EXPECT_EQ(artifacts(run_), before);
}

TEST_F(ChainTest, TheFileOfAnItemThatIsGoneStaysWhenAPersonChangedItAndThatIsReported) {
  Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  write_file(run_ / "sections/03-market.md", "mine");
  memo.sections = {"intro", "team"};
  const Report report = run(memo);
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_EQ(read_file(run_ / "sections/03-market.md"), "mine");
  EXPECT_THAT(report.warnings(), ElementsAre(HasSubstr("sections/03-market.md")));
}

TEST_F(ChainTest, AnotherPatternMovesTheFiles) {
  Memo memo;
  ASSERT_EQ(run(memo).exit_code(), 0);
  journal_.clear();
  memo.pattern = "{item:slug}/text.md";
  ASSERT_EQ(run(memo).exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  auto expected = uninterrupted(memo);
  expected["sections/"];  // a folder is never removed
  EXPECT_EQ(artifacts(run_), expected);
}

TEST_F(ChainTest, TheFileOfAStageThatIsNoMoreInThePipelineStays) {
  Pipeline two{"p"};
  const auto a = two.stage("a", [] { return Text{"a"}; });
  const auto b = two.stage("b", inputs(a), [](const Text&) { return Text{"b"}; });
  two.artifact(a, "a.md");
  two.artifact(b, "b.md");
  ASSERT_TRUE(resume(two, store_, {.run = "r1"}));
  Pipeline one{"p"};
  one.artifact(one.stage("a", [] { return Text{"a"}; }), "a.md");
  ASSERT_TRUE(resume(one, store_, {.run = "r1"}));
  EXPECT_EQ(read_file(run_ / "b.md"), "b");
}

TEST_F(ChainTest, AStageThatIsNoMoreTakenGivesItsPlaceBack) {
  const auto run_with = [&](bool fancy) {
    Pipeline pipeline{"p"};
    const auto wish = pipeline.input("wish", fancy);
    const auto a = pipeline.stage("a", [] { return Text{"a"}; });
    const auto yes = pipeline.condition("yes", inputs(wish), [](bool is) { return is; });
    const auto b = pipeline.stage({.name = "b", .when = yes}, inputs(a),
                                  [](const Text&) { return Text{"b"}; });
    pipeline.artifact(a, "x.md");
    pipeline.artifact(b, "x.md");
    const Report report = resume(pipeline, store_, {.run = "r1"});
    EXPECT_EQ(report.exit_code(), 0) << (report.error() ? report.error()->explain() : "");
    return read_file(run_ / "x.md");
  };
  EXPECT_EQ(run_with(true), "b");
  EXPECT_EQ(run_with(false), "a");
  EXPECT_EQ(run_with(false), "a");
  EXPECT_EQ(run_with(true), "b");
}

}  // namespace
}  // namespace resumable::test
