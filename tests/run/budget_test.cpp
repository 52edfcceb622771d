// Budgets: a call that ends in time, and the next that goes on.
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct World {
  ManualClock clock;
  detail::Environment environment{.clock = &clock};
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
    const Report report = resume(
        chain.pipeline, store,
        {.run = "r", .budget = 4500ms, .observers = {&log}, .environment = &world.environment});
    EXPECT_LE(world.passed(), 4500ms);
    EXPECT_EQ(log.lines(EventKind::suspended).size(), report ? 0U : 1U);
    EXPECT_THAT(log.lines(EventKind::failed), testing::IsEmpty());
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
  EXPECT_TRUE(resume(chain.pipeline, store, {.run = "r", .environment = &world.environment}));
  chain.calls.take();
  world.begin = world.clock.boot();
  const Report report =
      resume(chain.pipeline, store,
             {.run = "r", .from = {"s1"}, .budget = 3s, .environment = &world.environment});
  EXPECT_EQ(report.outcome(), Outcome::suspended);
  EXPECT_EQ(world.passed(), 2s);
  EXPECT_EQ(outline(report), "start skipped, s1 ran, s2 not_started");
  EXPECT_EQ(report.stage("s2").message, "needs about 3.0 s, and 1.0 s of the budget are left");
  EXPECT_EQ(chain.calls.take(), "s1");
  EXPECT_TRUE(
      resume(chain.pipeline, store, {.run = "r", .budget = 3s, .environment = &world.environment}));
  EXPECT_EQ(chain.calls.take(), "s2");
}

TEST(Budgets, AStageThatNoBudgetHasTimeForBeginsWithACall) {
  MemoryStore store;
  World world;
  Chain chain{world, {1, 9}};
  EXPECT_TRUE(resume(chain.pipeline, store, {.run = "r", .environment = &world.environment}));
  chain.calls.take();
  const auto call = [&](ResumeOptions options) {
    options.run = "r";
    options.budget = 3s;
    options.environment = &world.environment;
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
  const ResumeOptions how{.run = "r", .budget = 2500ms, .environment = &world.environment};
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
  EXPECT_TRUE(resume(
      p, store, {.run = "r", .budget = 60s, .reserve = 5s, .environment = &world.environment}));
  EXPECT_EQ(seen, (std::vector<std::chrono::milliseconds>{55s, 1s, 0s}));
  seen.clear();
  EXPECT_TRUE(resume(p, store, {.run = "unlimited", .environment = &world.environment}));
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
    wake.wait(lock, ctx.stop(), [] { return false; });
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
  EXPECT_EQ(
      resume(
          p, store,
          {.run = "r", .stop = stop.get_token(), .budget = 5s, .environment = &world.environment})
          .outcome(),
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
    }
  }
  store.runs("", [](std::string_view run) {
    ADD_FAILURE() << run;
    return true;
  });
}

}  // namespace
}  // namespace resumable::test
