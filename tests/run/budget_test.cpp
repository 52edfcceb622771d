// Budgets: a call that ends in time, and the next one that continues.
#include <csignal>
#include <thread>

#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

struct World {
  ManualClock clock;
  record::TestEnvironment environment{{.clock = &clock}};
  sys::BootTime begin = clock.boot();
  [[nodiscard]] std::chrono::duration<double> passed() const { return clock.boot() - begin; }
};

/// Works for `time`, a tenth of a second at once, and gives up when none is left.
void work(ManualClock& clock, Context& ctx, std::chrono::milliseconds time) {
  for (; time > 0ms; time -= 100ms) {
    clock.advance(100ms);
    if (time > 100ms && ctx.remaining() == 0ms) throw std::runtime_error("no time left");
  }
}

/// Stages one after the other; each works for its number of seconds.
struct Chain {
  Chain(World& world, const std::vector<int>& seconds) {
    auto last = pipeline.stage("start", [] { return 0; });
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      const std::string name = "s" + std::to_string(i + 1);
      last = pipeline.stage(Name::checked(name), inputs(last),
                            [this, &world, name, take = seconds[i]](Context& ctx, int n) {
                              work(world.clock, ctx, std::chrono::seconds{take});
                              calls(name);
                              return n + 1;
                            });
    }
  }
  Calls calls;
  Pipeline pipeline{"p"};
};

TEST(Budgets, TenStagesOfASecondTakeThreeCallsOfFourAndAHalf) {
  MemoryStore store;
  World world;
  Chain chain{world, std::vector<int>(10, 1)};
  const auto call = [&] {
    world.begin = world.clock.boot();
    Log log;
    const Report report =
        resume(chain.pipeline, store, {.run = "r", .budget = 4500ms, .observers = {&log}});
    EXPECT_LE(world.passed(), 4500ms);
    EXPECT_EQ(log.lines(EventKind::suspended).size(), report ? 0U : 1U);
    EXPECT_THAT(log.lines(EventKind::failed), ::testing::IsEmpty());
    return report.exit_code();
  };
  EXPECT_EQ(call(), 75);
  EXPECT_EQ(chain.calls.take(), "s1, s2, s3, s4");
  EXPECT_EQ(call(), 75);
  EXPECT_EQ(chain.calls.take(), "s5, s6, s7, s8");
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(chain.calls.take(), "s10, s9");
}

TEST(Budgets, AStageThatIsKnownToNeedMoreThanIsLeftIsNotStarted) {
  MemoryStore store;
  World world;
  Chain chain{world, {2, 3}};
  EXPECT_TRUE(resume(chain.pipeline, store, {.run = "r"}));
  chain.calls.take();
  world.begin = world.clock.boot();
  const Report report = resume(chain.pipeline, store, {.run = "r", .from = {"s1"}, .budget = 3s});
  EXPECT_EQ(report.outcome(), Outcome::suspended);
  EXPECT_EQ(world.passed(), 2s);
  EXPECT_EQ(outline(report), "start skipped, s1 ran, s2 not_started");
  EXPECT_EQ(report.stage("s2").message, "needs about 3.0 s, and 1.0 s of the budget are left");
  EXPECT_EQ(chain.calls.take(), "s1");
  EXPECT_TRUE(resume(chain.pipeline, store, {.run = "r", .budget = 3s}));
  EXPECT_EQ(chain.calls.take(), "s2");
}

TEST(Budgets, AStageThatNoBudgetHasTimeForBeginsWithACall) {
  MemoryStore store;
  World world;
  Chain chain{world, {1, 9}};
  EXPECT_TRUE(resume(chain.pipeline, store, {.run = "r"}));
  chain.calls.take();
  const auto call = [&](ResumeOptions options) {
    options.run = "r";
    options.budget = 3s;
    return outline(resume(chain.pipeline, store, options));
  };
  EXPECT_EQ(call({.run = "", .from = {"s1"}}), "start skipped, s1 ran, s2 not_started");
  EXPECT_EQ(call({.run = ""}), "start skipped, s1 skipped, s2 interrupted")
      << "it was given its try";
}

TEST(Budgets, StepsMakeProgressOverCallsThatAreTooShortForTheirStage) {
  MemoryStore store;
  World world;
  Calls calls;
  Pipeline p{"p"};
  const auto stage = p.stage("s", [&](Context& ctx) {
    int sum = 0;
    for (int i = 1; i <= 5; ++i) {
      sum += ctx.step(std::to_string(i), [&] {
        calls(std::to_string(i));
        world.clock.advance(1s);
        return i;
      });
    }
    return sum;
  });
  const ResumeOptions how{.run = "r", .budget = 2500ms};
  EXPECT_EQ(resume(p, store, how).exit_code(), 75);
  EXPECT_EQ(calls.take(), "1, 2, 3") << "what was begun is saved";
  const Report report = resume(p, store, how);
  ASSERT_TRUE(report);
  EXPECT_EQ(report[stage], 15);
  EXPECT_EQ(calls.take(), "4, 5");
}

TEST(Budgets, LessTheirReserveAreWhatAStageSeesRemaining) {
  MemoryStore store;
  World world;
  std::vector<std::chrono::milliseconds> seen;
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    seen.push_back(ctx.remaining());
    world.clock.advance(54s);
    seen.push_back(ctx.remaining());
    world.clock.advance(54s);
    seen.push_back(ctx.remaining());
  });
  EXPECT_TRUE(resume(p, store, {.run = "r", .budget = 60s, .reserve = 5s}));
  EXPECT_EQ(seen, (std::vector<std::chrono::milliseconds>{55s, 1s, 0s}));
  seen.clear();
  EXPECT_TRUE(resume(p, store, {.run = "unlimited"}));
  EXPECT_EQ(seen.back(), std::chrono::milliseconds::max());
}

TEST(Budgets, AskThroughTheStopTokenWithTheirCause) {
  MemoryStore store;
  StopCause cause{};
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    std::mutex guard;
    std::condition_variable_any wake;
    std::unique_lock lock(guard);
    wake.wait(lock, ctx.stop_token(), [] { return false; });
    cause = ctx.stop_cause();
    throw std::runtime_error("left early");
  });
  const Report report = resume(p, store, {.run = "r", .budget = 20ms});
  EXPECT_EQ(report.outcome(), Outcome::suspended);
  EXPECT_EQ(cause, StopCause::budget);
  EXPECT_EQ(outline(report), "s interrupted");
}

TEST(Budgets, AHostThatStopsIsAnInterruption) {
  MemoryStore store;
  World world;
  std::stop_source stop;
  Pipeline p{"p"};
  p.stage("s", [&] {
    stop.request_stop();
    world.clock.advance(10s);
    throw std::runtime_error("stopped");
  });
  EXPECT_EQ(resume(p, store, {.run = "r", .stop = stop.get_token(), .budget = 5s}).outcome(),
            Outcome::interrupted);
}

TEST(Budgets, ThatAreShorterThanTheirReserveAreRefused) {
  MemoryStore store;
  Pipeline p{"p"};
  p.stage("s", [] {});
  for (const auto& [budget, reserve] : {std::pair{5ms, 5ms}, {-1ms, 0ms}, {5ms, -1ms}}) {
    try {
      static_cast<void>(resume(p, store, {.run = "r", .budget = budget, .reserve = reserve}));
      FAIL() << budget.count();
    } catch (const Error& error) {
      EXPECT_EQ(error.errc(), Errc::bad_option);
      EXPECT_EQ(
          error.info().what,
          "a budget or the reserve is negative, or the reserve is not shorter than the budget");
    }
  }
  store.runs("", [](std::string_view run) {
    ADD_FAILURE() << run;
    return true;
  });
}

TEST(RunBudgets, AddUpOverCallsAndDowntimeIsFree) {
  MemoryStore store;
  World world;
  Chain chain{world, std::vector<int>(10, 1)};
  const auto call = [&](std::chrono::milliseconds run_budget) {
    return resume(chain.pipeline, store, {.run = "r", .budget = 3500ms, .run_budget = run_budget});
  };
  const Report first = call(8500ms);
  EXPECT_EQ(chain.calls.take(), "s1, s2, s3");
  ASSERT_TRUE(first.suspension());
  EXPECT_TRUE(first.suspension()->can_resume);
  EXPECT_EQ(first.suspension()->limit, Seconds{3.5});
  EXPECT_GE(first.suspension()->elapsed, Seconds{3.0});
  EXPECT_TRUE(first.suspension()->saved_at);
  world.clock.advance(1h);
  EXPECT_EQ(call(8500ms).outcome(), Outcome::suspended);
  EXPECT_EQ(chain.calls.take(), "s4, s5, s6") << "an hour in which nothing ran is free";
  const Report third = call(8500ms);
  EXPECT_EQ(third.exit_code(), 75);
  ASSERT_TRUE(third.suspension());
  EXPECT_FALSE(third.suspension()->can_resume) << "the run's budget is used, not the call's";
  EXPECT_EQ(third.suspension()->limit, Seconds{8.5});
  EXPECT_EQ(chain.calls.take(), "s7");
  const Report none = call(8500ms);
  EXPECT_EQ(none.outcome(), Outcome::suspended);
  EXPECT_EQ(chain.calls.take(), "");
  EXPECT_EQ(call(20s).outcome(), Outcome::done);
  EXPECT_EQ(chain.calls.take(), "s10, s8, s9");
}

TEST(RunBudgets, CountASecondAtMostOfATimeInWhichTheProcessWasStopped) {
  MemoryStore store;
  World world;
  std::chrono::milliseconds before{};
  std::chrono::milliseconds after{};
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    before = ctx.remaining();
    world.clock.advance(10s);  // as a stopped process sees it: all at once
    after = ctx.remaining();
  });
  EXPECT_TRUE(resume(p, store, {.run = "r", .run_budget = 20s}));
  EXPECT_EQ(before, 20s);
  EXPECT_EQ(after, 19s);
}

TEST(RunBudgets, DoNotEndARunThatWasStoppedForLongerThanIsLeft) {
  MemoryStore store;
  World world;
  Pipeline p{"p"};
  const auto stage = p.stage("s", [&](Context& ctx) {
    int done = 0;
    for (; done < 3; ++done) {
      ctx.step(std::to_string(done), [&] { world.clock.advance(30s); });
    }
    return done;
  });
  const Report report = resume(p, store, {.run = "r", .run_budget = 20s});
  ASSERT_TRUE(report) << "stopped three times for longer than the whole budget: 3 s of 20 are used";
  EXPECT_EQ(report[stage], 3);
}

TEST(RunBudgets, CountAProcessThatIsReallyStopped) {
  const TempFolder folder;
  const Signpost running;
  ChildProcess child([&] {
    FileStore store{folder / "store"};
    Pipeline p{"p"};
    p.stage("s", [&](Context& ctx) {
      const auto begin = sys::SystemClock{}.boot();
      const auto whole = ctx.remaining();
      running.say();
      while (whole - ctx.remaining() < 1500ms) std::this_thread::yield();
      const std::chrono::duration<double> passed = sys::SystemClock{}.boot() - begin;
      return passed.count();
    });
    const Report report = resume(p, store, {.run = "r", .run_budget = 20s});
    // Of three seconds stopped one counts at most, so that at least 3.5 s pass until 1.5 s are
    // used; were all counted, it would be 3. Milliseconds are lost to rounding and to signals.
    return report && report.duration() >= Seconds{3.4} ? 0 : 1;
  });
  running.await();
  child.kill(SIGSTOP);
  std::this_thread::sleep_for(3s);  // not to wait for anything: it is what is measured
  child.kill(SIGCONT);
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
}

TEST(RunBudgets, AreRecordedToWithinASecondWhenTheProcessIsKilled) {
  const TempFolder folder;
  ChildProcess child([&] {
    FileStore store{folder / "store"};
    Pipeline p{"p"};
    p.stage("s", [&](Context& ctx) {
      const auto whole = ctx.remaining();
      while (whole - ctx.remaining() < 2500ms) std::this_thread::yield();
      ::raise(SIGKILL);
    });
    return resume(p, store, {.run = "r", .run_budget = 20s}).exit_code();
  });
  ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  FileStore store{folder / "store"};
  Pipeline p{"p"};
  std::chrono::milliseconds left{};
  p.stage("s", [&](Context& ctx) { left = ctx.remaining(); });
  EXPECT_TRUE(resume(p, store, {.run = "r", .run_budget = 20s}));
  EXPECT_LE(left, 20s - 1500ms) << "the last beat is a second ago at most";
}

}  // namespace
}  // namespace resumable::test
