// The largest durations mean "without limit", wherever one can be given.
#include <climits>
#include <future>
#include <limits>
#include <stop_token>

#include "resumable/cache.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/manage.hpp"
#include "resumable/progress.hpp"
#include "run/jumping_clock.hpp"
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(Saturating, StaysAtTheEnds) {
  using Time = std::chrono::sys_time<nanoseconds>;
  EXPECT_EQ(detail::saturated<nanoseconds>(milliseconds::max()), nanoseconds::max());
  EXPECT_EQ(detail::saturated<nanoseconds>(milliseconds::min()), nanoseconds::min());
  EXPECT_EQ(detail::saturated<nanoseconds>(std::chrono::hours{24 * 365 * 400}), nanoseconds::max());
  EXPECT_EQ(detail::saturated<nanoseconds>(5ms), nanoseconds{5'000'000});
  EXPECT_EQ(detail::saturated<milliseconds>(nanoseconds::max()),
            std::chrono::duration_cast<milliseconds>(nanoseconds::max()));
  EXPECT_EQ(detail::saturated<nanoseconds>(std::chrono::duration<double>{1e300}),
            nanoseconds::max());
  EXPECT_EQ(detail::saturated<nanoseconds>(
                std::chrono::duration<double>{std::numeric_limits<double>::quiet_NaN()}),
            nanoseconds{0});
  EXPECT_EQ(detail::later(Time{1s}, seconds::max()), Time::max());
  EXPECT_EQ(detail::later(Time::max(), 1ns), Time::max());
  EXPECT_EQ(detail::later(Time{1s}, 1s), Time{2s});
  EXPECT_EQ(detail::earlier(Time{1s}, seconds::max()), Time::min() + nanoseconds{1s} + 1ns);
  EXPECT_EQ(detail::earlier(Time{-1s}, seconds::max()), Time::min());
}

class Forever : public ::testing::TestWithParam<milliseconds> {
 protected:
  /// Runs a stage that saves the state of a loop and is done.
  static Report run(CheckpointStore& store, ResumeOptions options, const StageOptions& stage,
                    int& calls) {
    Pipeline p{"p"};
    p.stage(stage, [&](Context& ctx) {
      ++calls;
      auto state = ctx.progress(0, {.interval = GetParam()});
      for (; *state < 100; ++*state) state.safepoint();
      return ctx.stop_token().stop_requested() ? -1 : *state;
    });
    options.run = "r";
    return resume(p, store, options);
  }
  static seconds in_seconds() { return std::chrono::duration_cast<seconds>(GetParam()); }
};

TEST_P(Forever, IsNoLimitOfACallOrOfAStage) {
  MemoryStore store;
  int calls = 0;
  const ResumeOptions options{.time_to_live = in_seconds(),
                              .budget = GetParam(),
                              .run_budget = GetParam(),
                              .lock_wait = GetParam()};
  const StageOptions stage{.name = "s", .timeout = GetParam(), .max_age = in_seconds()};
  for (int i = 0; i < 2; ++i) {
    const Report report = run(store, options, stage, calls);
    ASSERT_TRUE(report) << report.text();
  }
  EXPECT_EQ(calls, 1) << "its value does not age";
}

/// Timeouts end in the order of their times: one that is over at once would be told before another
/// that begins later.
TEST_P(Forever, IsNoTimeoutThatEndsAtOnce) {
  MemoryStore store;
  std::promise<void> begun;
  std::promise<void> over;
  bool stopped = true;
  Pipeline p{"p"};
  p.stage({.name = "forever", .timeout = GetParam()}, [&](Context& ctx) {
    begun.set_value();
    over.get_future().wait();
    stopped = ctx.stop_token().stop_requested();
    return 0;
  });
  const auto gate = p.stage("gate", [&] {
    begun.get_future().wait();
    return 0;
  });
  p.stage({.name = "short", .timeout = 1ms}, inputs(gate), [&](Context& ctx, int) {
    std::promise<void> told;
    const std::stop_callback tells(ctx.stop_token(), [&] { told.set_value(); });
    told.get_future().wait();
    over.set_value();
    return 0;
  });
  static_cast<void>(resume(p, store, {.run = "r", .concurrency = 2, .keep_going = true}));
  EXPECT_FALSE(stopped);
}

TEST_P(Forever, IsALongWaitBetweenAttempts) {
  for (const bool asked_for : {true, false}) {
    MemoryStore store;
    JumpingWorld world;
    const sys::BootTime begin = world.clock.boot();
    const Retry retry{.attempts = 3,
                      .initial_delay = asked_for ? 1ms : GetParam(),
                      .max_delay = GetParam(),
                      .jitter = 0};
    int calls = 0;
    Pipeline p{"p"};
    p.stage({.name = "s", .retry = retry}, [&]() -> int {
      ++calls;
      throw Retryable("busy", asked_for ? GetParam() : 0ms);
    });
    EXPECT_EQ(resume(p, store, {.run = "r"}).outcome(), Outcome::failed);
    EXPECT_EQ(calls, 3);
    EXPECT_GT(world.clock.boot() - begin, std::chrono::hours{24 * 365 * 200});
  }
}

TEST_P(Forever, KeepsEverythingInACollection) {
  MemoryStore store;
  int calls = 0;
  for (std::uint32_t revision = 1; revision <= 3; ++revision) {
    ASSERT_TRUE(
        run(store, {.time_to_live = in_seconds()}, {.name = "s", .revision = revision}, calls));
  }
  const GarbageResult result = collect_garbage(store, {.runs_older_than = in_seconds(),
                                                       .keep_generations = 1,
                                                       .older_than = in_seconds(),
                                                       .set_aside_older_than = in_seconds()});
  EXPECT_TRUE(result.removed.empty());
  const GarbageResult counted =
      collect_garbage(store, {.keep_generations = std::numeric_limits<std::size_t>::max()});
  EXPECT_TRUE(counted.removed.empty());
}

INSTANTIATE_TEST_SUITE_P(Durations, Forever,
                         ::testing::Values(milliseconds::max(), milliseconds::max() - 1ms,
                                           std::chrono::hours{24 * 365 * 400},
                                           std::chrono::hours{24 * 365 * 293}));

TEST(Counts, ThatAreTooLargeAreRefusedOrSaturate) {
  MemoryStore store;
  Pipeline p{"p"};
  p.stage({.name = "s", .concurrency = UINT_MAX, .retry = {.attempts = UINT_MAX}},
          [] { return 1; });
  EXPECT_EQ(
      code_of([&] { static_cast<void>(resume(p, store, {.run = "r", .concurrency = UINT_MAX})); }),
      Errc::bad_option);
  EXPECT_TRUE(resume(p, store, {.run = "r"}));
  Pipeline loop{"loop"};
  loop.stage("s", [](Context& ctx) {
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    auto turns = ctx.history<int>({.compaction = {.first = most, .last = 2, .threshold = 8}});
    return turns.size();
  });
  EXPECT_EQ(code_of(resume(loop, store, {.run = "l"})), Errc::bad_option);
}

}  // namespace
}  // namespace resumable::test
