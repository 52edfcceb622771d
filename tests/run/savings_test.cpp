// What resuming saves in loops, and what it takes to load and to save.
#include <csignal>

#include "resumable/forwarding_store.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;

/// Ten turns of a loop, or of a history; each costs ten seconds and a dollar.
class Looping {
 public:
  enum class Kind { progress, history };

  explicit Looping(
      Kind kind, std::function<void(int)> in_turn = [](int) {}, Retry retry = {}) {
    const auto turn = [this, in_turn](Context& ctx, int number) {
      time_.clock.advance(10s);
      ctx.spend({.usd = 1});
      in_turn(number);
    };
    pipeline.stage({.name = "loop", .retry = retry}, [=](Context& ctx) {
      if (kind == Kind::progress) {
        auto turns = ctx.progress(0, {.every = 1});
        while (*turns < 10) {
          turn(ctx, *turns + 1);
          ++*turns;
          turns.safepoint();
        }
        return;
      }
      auto turns = ctx.history<int>();
      while (turns.size() < 10) {
        turn(ctx, static_cast<int>(turns.size()) + 1);
        turns.push_back(1);
        turns.safepoint();
      }
    });
  }

  Pipeline pipeline{"p"};

 private:
  ManualTime time_;
};

std::function<void(int)> failing_at(int turn) {
  return [turn](int number) {
    if (number == turn) throw std::runtime_error{"no answer"};
  };
}

class SavedByALoop : public ::testing::TestWithParam<Looping::Kind> {
 protected:
  MemoryStore store_;
};

TEST_P(SavedByALoop, IsWhatWasDoneUntilItsLastSave) {
  EXPECT_EQ(resume(Looping{GetParam(), failing_at(4)}.pipeline, store_, {.run = "r"}).outcome(),
            Outcome::failed);
  const Savings three{30s, {.usd = 3}};
  const Report second = resume(Looping{GetParam(), failing_at(8)}.pipeline, store_, {.run = "r"});
  EXPECT_EQ(second.outcome(), Outcome::failed);
  EXPECT_EQ(second.savings(), three) << "the stage has no value yet";
  const Savings seven{70s, {.usd = 7}};
  EXPECT_EQ(resume(Looping{GetParam()}.pipeline, store_, {.run = "r"}).savings(), seven);

  const auto info = run_info(store_, "r");
  ASSERT_EQ(info->calls.size(), 3U);
  EXPECT_EQ(info->calls[0].continued, Savings{});
  EXPECT_EQ(info->calls[1].continued, three);
  EXPECT_EQ(info->calls[2].continued, seven);
  EXPECT_EQ(saved_by_resuming(store_, *info), (Savings{100s, {.usd = 10}}));
}

TEST_P(SavedByALoop, IsAllOfItOnceItsStageIsKept) {
  EXPECT_FALSE(resume(Looping{GetParam(), failing_at(4)}.pipeline, store_, {.run = "r"}));
  ASSERT_TRUE(resume(Looping{GetParam()}.pipeline, store_, {.run = "r"}));
  const Savings saved = resume(Looping{GetParam()}.pipeline, store_, {.run = "r"}).savings();
  EXPECT_EQ(saved, (Savings{100s, {.usd = 11}})) << "the failed turn was paid for, too";
}

TEST_P(SavedByALoop, IsNothingWhereOneCallHasTriedTwice) {
  int failures = 0;
  const Looping twice{GetParam(),
                      [&](int turn) {
                        if (turn == 4 && ++failures == 1) throw Retryable{"again"};
                      },
                      {.attempts = 2, .initial_delay = 0ms}};
  const Report report = resume(twice.pipeline, store_, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report.cost().usd, 11);
  EXPECT_EQ(report.savings(), Savings{});
  EXPECT_EQ(run_info(store_, "r")->calls.at(0).continued, Savings{});
}

TEST_P(SavedByALoop, IsToldOfACallThatWasKilled) {
  const TempFolder folder;
  ChildProcess child{[&] {
    FileStore store{folder / "store"};
    const Looping killed{GetParam(), [](int turn) {
                           if (turn == 4) ::raise(SIGKILL);
                         }};
    return resume(killed.pipeline, store, {.run = "r"}).exit_code();
  }};
  EXPECT_EQ(child.wait().signal, SIGKILL);
  FileStore store{folder / "store"};
  const Looping looping{GetParam()};
  EXPECT_EQ(status(looping.pipeline, store, "r").cost.usd, 3);
  EXPECT_EQ(resume(looping.pipeline, store, {.run = "r"}).savings().cost.usd, 3);
  EXPECT_EQ(status(looping.pipeline, store, "r").cost.usd, 10);
}

INSTANTIATE_TEST_SUITE_P(Loops, SavedByALoop,
                         ::testing::Values(Looping::Kind::progress, Looping::Kind::history),
                         [](const auto& test) {
                           return test.param == Looping::Kind::progress ? "Progress" : "History";
                         });

class SavedByALoopOfAnItem : public ::testing::TestWithParam<bool> {};

TEST_P(SavedByALoopOfAnItem, IsCountedForTheItem) {
  MemoryStore store;
  const ResumeOptions options{.run = "r", .share = GetParam(), .keep_going = true};
  const auto declare = [](Pipeline& p, int fails_at) {
    const auto keys = p.input("keys", Strings{"a", "b"});
    p.stage("loop", inputs(each(keys)), [=](Context& ctx, const std::string& key) {
      auto turns = ctx.progress(0, {.every = 1});
      while (*turns < 5) {
        ctx.spend({.usd = key == "a" ? 1.0 : 10.0});
        if (*turns + 1 == fails_at) throw std::runtime_error{"no answer"};
        ++*turns;
        turns.safepoint();
      }
      return *turns;
    });
  };
  Pipeline failing{"p"};
  declare(failing, 3);
  EXPECT_FALSE(resume(failing, store, options));
  Pipeline p{"p"};
  declare(p, 0);
  EXPECT_EQ(resume(p, store, options).savings().cost.usd, 22);
  EXPECT_EQ(run_info(store, "r")->calls.at(1).continued.cost.usd, 22);
}

INSTANTIATE_TEST_SUITE_P(Loops, SavedByALoopOfAnItem, ::testing::Bool(), [](const auto& test) {
  return test.param ? "ComputedByWorkers" : "ComputedHere";
});

// ---- what it takes -----------------------------------------------------------------------------

/// Counts what is committed through it.
class CountingStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::atomic<std::uint64_t> commits{0};
  std::atomic<std::uint64_t> bytes{0};

 private:
  class CountingLease final : public ForwardingLease {
   public:
    CountingLease(CountingStore& store, std::unique_ptr<Lease> next)
        : ForwardingLease(std::move(next)), store_(store) {}

   private:
    Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
      ++store_.commits;
      for (const Put& put : batch.puts) store_.bytes += put.payload->size();
      return next().commit(batch, options);
    }
    CountingStore& store_;
  };
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<CountingLease>(*this, next().lease(run, request));
  }
};

TEST(OverheadOfARun, IsWhatItsStoreWasAskedFor) {
  MemoryStore memory;
  CountingStore store{memory};
  const Looping failing{Looping::Kind::progress, failing_at(4)};
  const Report first = resume(failing.pipeline, store, {.run = "r"});
  EXPECT_EQ(first.overhead().commits, store.commits);
  EXPECT_EQ(first.overhead().bytes, store.bytes);
  EXPECT_GT(first.overhead().saving, 0s);
  EXPECT_GT(first.overhead().loading, 0s);

  const Looping looping{Looping::Kind::progress};
  const Report second = resume(looping.pipeline, store, {.run = "r"});
  const Overhead both = run_info(store, "r")->overhead;
  EXPECT_EQ(both.commits, store.commits);
  EXPECT_EQ(both.bytes, store.bytes);
  EXPECT_NEAR(both.saving.count(), (first.overhead().saving + second.overhead().saving).count(),
              1e-6);
  const auto json = nlohmann::json::parse(second.json()).at("overhead");
  EXPECT_EQ(json.at("commits"), second.overhead().commits);
  EXPECT_EQ(json.at("bytes"), second.overhead().bytes);
  EXPECT_EQ(json.at("saving_seconds"), second.overhead().saving.count());
  EXPECT_EQ(json.at("loading_seconds"), second.overhead().loading.count());
}

TEST(OverheadOfARun, IsLoadingAloneWhereNothingIsLeftToDo) {
  MemoryStore store;
  const Looping looping{Looping::Kind::progress};
  ASSERT_TRUE(resume(looping.pipeline, store, {.run = "r"}));
  const Report again = resume(looping.pipeline, store, {.run = "r"});
  EXPECT_EQ(again.overhead().commits, 0U);
  EXPECT_GT(again.overhead().loading, 0s);
}

}  // namespace
}  // namespace resumable::test
