// Fan-outs and queues that an item closes: with which items, for how long, after which end.
#include <csignal>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/environment.hpp"
#include "resumable/resumable.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// numbers -> sample (ten times the number) -> twice (per item), sum.
struct Sampling {
  std::vector<int> numbers{1, 2, 3, 4, 5, 6};
  int enough = 3;  ///< closes it
  int bad = 0;     ///< fails
  bool dies = false;
  int scale = 10;
  bool in_file = false;
  Calls* calls = nullptr;

  struct Handles {
    FanOut<int> samples;
    FanOut<int> twice;
    Stage<int> sum;
  };
  Handles declare(Pipeline& p) const {
    const auto list = p.input("numbers", numbers);
    const auto by = p.input("scale", scale);
    const auto samples =
        p.stage("sample", inputs(each(list), by), [*this](Context& ctx, int number, int factor) {
          if (calls != nullptr) (*calls)("sample " + std::to_string(number));
          if (number == enough) ctx.close("it is enough");
          if (number == bad) throw std::runtime_error("bad luck");
          return number * factor;
        });
    const auto twice =
        p.stage("twice", inputs(each(samples)), [](int sample) { return 2 * sample; });
    const auto sum = p.stage("sum", inputs(twice), [*this](const std::vector<int>& all) {
      if (calls != nullptr) (*calls)("sum of " + std::to_string(all.size()));
      int total = 0;
      for (const int one : all) total += one;
      return total;
    });
    if (in_file) {
      p.append(samples, "samples.txt", [](int one) { return std::to_string(one) + "\n"; });
    }
    return {samples, twice, sum};
  }
  /// The sum, or what the report says.
  std::string run(CheckpointStore& store, ResumeOptions options = {}) const {
    Pipeline p{"p"};
    const Handles handles = declare(p);
    options.run = "r";
    const Report report = resume(p, store, options);
    return report ? std::to_string(report[handles.sum]) : std::string{to_string(report.outcome())};
  }
  [[nodiscard]] Plan plan(const CheckpointStore& store) const {
    Pipeline p{"p"};
    declare(p);
    return ResumePlanner{store}.plan(p, {.run = "r"});
  }
};

class ClosingTest : public ::testing::Test {
 protected:
  MemoryStore store_;
  Calls calls_;
  Sampling sampling_{.calls = &calls_};
};

TEST_F(ClosingTest, TheStagesAfterItRunWithTheItemsThatAreThere) {
  EXPECT_EQ(sampling_.run(store_), "120");
  EXPECT_EQ(calls_.take(), "sample 1, sample 2, sample 3, sum of 3");
}

TEST_F(ClosingTest, PlanAndReportSayWhy) {
  Pipeline p{"p"};
  sampling_.declare(p);
  const Report report = resume(p, store_, {.run = "r"});
  EXPECT_THAT(report.stage("sample").message, HasSubstr("it is enough (3 of 6 items)"));
  EXPECT_EQ(report.stage("sample").items, 3U);
  const Plan plan = sampling_.plan(store_);
  EXPECT_TRUE(plan.complete());
  EXPECT_EQ(plan["sample"].causes.front().reason, Reason::closed);
  EXPECT_THAT(plan.text(), HasSubstr("it is enough (3 of 6 items)"));
}

TEST_F(ClosingTest, ItStaysClosedWhileNothingChanges) {
  sampling_.run(store_);
  calls_.take();
  sampling_.enough = 0;
  EXPECT_EQ(sampling_.run(store_), "120");
  EXPECT_EQ(calls_.take(), "");
}

TEST_F(ClosingTest, ARedoOfTheStageOpensItAgain) {
  sampling_.run(store_);
  sampling_.enough = 4;
  EXPECT_EQ(sampling_.run(store_, {.redo = {"sample"}}), "200");
  sampling_.enough = 0;
  EXPECT_EQ(sampling_.run(store_, {.redo = {"sample"}}), "420");
  calls_.take();
  EXPECT_EQ(sampling_.run(store_), "420");
  EXPECT_EQ(calls_.take(), "");
}

TEST_F(ClosingTest, AChangedInputOpensItAgain) {
  sampling_.run(store_);
  sampling_.enough = 2;
  sampling_.scale = 100;
  EXPECT_EQ(sampling_.run(store_), "600");
  sampling_.numbers = {2, 1, 7};
  EXPECT_EQ(sampling_.run(store_), "2000") << "2 is kept, and does not close another list";
}

TEST_F(ClosingTest, AnItemThatFailedOrDidNotRunIsNoPartOfIt) {
  sampling_.bad = 2;
  sampling_.enough = 4;
  EXPECT_EQ(sampling_.run(store_, {.keep_going = true}), "failed");
  calls_.take();
  sampling_.bad = 0;
  EXPECT_EQ(sampling_.run(store_), "160") << "1, 3 and 4";
  EXPECT_EQ(calls_.take(), "");
}

TEST_F(ClosingTest, AnItemOfItCanBeRedoneWithItsOwnElement) {
  sampling_.bad = 2;
  sampling_.enough = 4;
  sampling_.run(store_, {.keep_going = true});
  calls_.take();
  sampling_.bad = 0;
  EXPECT_EQ(sampling_.run(store_, {.redo = {"sample/3"}}), "160");
  EXPECT_EQ(calls_.take(), "sample 3");
}

TEST_F(ClosingTest, AFailedAttemptClosesNothing) {
  sampling_.bad = sampling_.enough = 1;
  EXPECT_EQ(sampling_.run(store_), "failed");
  sampling_.bad = sampling_.enough = 0;
  EXPECT_EQ(sampling_.run(store_), "420");
}

TEST_F(ClosingTest, ItemsThatRunBesideEndAndCount) {
  sampling_.enough = 1;
  sampling_.numbers.resize(500);  // far more than can begin before the first has ended
  std::iota(sampling_.numbers.begin(), sampling_.numbers.end(), 1);
  const int sum = std::stoi(sampling_.run(store_, {.concurrency = 3}));
  const std::string calls = calls_.take();
  int ran = 0;
  int count = 0;
  for (const int number : sampling_.numbers) {
    if ((calls + ",").find("sample " + std::to_string(number) + ",") == std::string::npos) continue;
    ran += number;
    ++count;
  }
  EXPECT_EQ(sum, ran * 20);
  EXPECT_LT(count, 500);
}

TEST_F(ClosingTest, AnAppendedFileHasTheTextsOfItsItems) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  sampling_.in_file = true;
  sampling_.bad = 2;
  sampling_.enough = 4;
  sampling_.run(store, {.keep_going = true});
  sampling_.bad = 0;
  ASSERT_EQ(sampling_.run(store), "160");
  EXPECT_EQ(read_file(folder / "store/r/samples.txt"), "10\n30\n40\n");
  EXPECT_TRUE(sampling_.plan(store).complete());
}

TEST_F(ClosingTest, AQueueTakesNoMoreElements) {
  const auto run = [&](const std::string& last) {
    Pipeline p{"p"};
    const auto roots = p.input("roots", std::vector<std::string>{"a"});
    const auto pages =
        p.queue("pages", inputs(each(roots)), [&](Context& ctx, const std::string& of) {
          calls_(of);
          for (const char* more : {"x", "y"}) {
            if (of.size() < 3) ctx.enqueue(of + more);
          }
          if (of == last) ctx.close("found");
          return of;
        });
    const auto all = p.stage("all", inputs(pages), [](const std::vector<std::string>& of) {
      std::string text;
      for (const std::string& one : of) text += one + " ";
      return text;
    });
    const Report report = resume(p, store_, {.run = "r"});
    return report ? report[all] : report.error()->explain();
  };
  EXPECT_EQ(run("ax"), "a ax ");
  EXPECT_EQ(calls_.take(), "a, ax");
  EXPECT_EQ(run("ax"), "a ax ");
  EXPECT_EQ(calls_.take(), "");
}

TEST_F(ClosingTest, AStageWithoutItemsCannotBeClosed) {
  Pipeline p{"p"};
  p.stage("one", [](Context& ctx) {
    ctx.close("enough");
    return 1;
  });
  const Report report = resume(p, store_, {.run = "r"});
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_THAT(report.error()->explain(), HasSubstr("it has no items"));
}

TEST(KilledClosing, ItIsClosedExactlyWhenTheValueOfTheItemIsCommitted) {
  for (const bool closed : {false, true}) {
    const TempFolder folder;
    const Sampling sampling{};
    ChildProcess child([&] {
      FileStore store{folder / "store"};
      Log log;
      log.on = [&](const Event& event) {
        const bool of_it = event.stage == "sample" && event.item == (closed ? "3" : "2");
        if (event.kind == EventKind::committed && of_it) ::raise(SIGKILL);
      };
      return sampling.run(store, {.observers = {&log}}).empty() ? 1 : 0;
    });
    ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
    FileStore store{folder / "store"};
    Calls calls;
    EXPECT_EQ((Sampling{.enough = 5, .calls = &calls}.run(store)), closed ? "120" : "300");
    EXPECT_EQ(calls.take(), closed ? "sum of 3" : "sample 3, sample 4, sample 5, sum of 5");
  }
}

}  // namespace
}  // namespace resumable::test
