// Retries and timeouts, and what attempts cost.
#include <cmath>

#include "run/jumping_clock.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

std::vector<double> waits(const Log& log) {
  std::vector<double> all;
  for (const Event& event : log.events) {
    if (event.kind == EventKind::retried) all.push_back(event.duration.value().count());
  }
  return all;
}

/// Runs one stage that throws what `fail` does.
struct Outcomes {
  unsigned calls = 0;
  Outcome outcome{};
  Log log;
  std::optional<Errc> code;
  std::string message;
};
Outcomes run_failing(const Retry& retry, const std::function<void(unsigned)>& fail, char seed = 1) {
  Outcomes result;
  MemoryStore store;
  JumpingWorld world{seed};
  Pipeline memo{"memo"};
  memo.stage({.name = "draft", .retry = retry}, [&] {
    fail(++result.calls);
    return 1;
  });
  const Report report = resume(memo, store, {.run = "r", .observers = {&result.log}});
  result.outcome = report.outcome();
  result.code = code_of(report);
  result.message = report.stage("draft").message;
  return result;
}

TEST(Retries, AreNoneByDefault) {
  const auto result = run_failing({}, [](unsigned) { throw Retryable("busy"); });
  EXPECT_EQ(result.calls, 1U);
  EXPECT_EQ(result.outcome, Outcome::failed);
}

TEST(Retries, GrowUpToTheCap) {
  const auto result =
      run_failing({.attempts = 6, .initial_delay = 1s, .max_delay = 5s, .factor = 2, .jitter = 0},
                  [](unsigned) { throw Retryable("busy"); });
  EXPECT_EQ(result.calls, 6U);
  EXPECT_THAT(waits(result.log), ElementsAre(1, 2, 4, 5, 5));
  EXPECT_EQ(result.outcome, Outcome::failed);
  EXPECT_EQ(result.log.events[3].attempts_allowed, 6U);
  EXPECT_EQ(result.log.events[3].attempt, 1U);
  EXPECT_EQ(result.message, "busy");
}

TEST(Retries, EndWithSuccess) {
  const auto result = run_failing({.attempts = 3}, [](unsigned call) {
    if (call < 3) throw Retryable("busy");
  });
  EXPECT_EQ(result.calls, 3U);
  EXPECT_EQ(result.outcome, Outcome::done);
  EXPECT_EQ(result.log.first(EventKind::committed)->attempt, 3U);
}

TEST(Retries, JitterDependsOnTheRunAndTheAttemptAlone) {
  const Retry retry{
      .attempts = 6, .initial_delay = 8s, .max_delay = 20s, .factor = 2, .jitter = 0.25};
  const auto fail = [](unsigned) { throw Retryable("busy"); };
  const auto one = waits(run_failing(retry, fail, 1).log);
  EXPECT_EQ(waits(run_failing(retry, fail, 1).log), one) << "the same run waits as long";
  EXPECT_NE(waits(run_failing(retry, fail, 2).log), one) << "runs do not march in step";
  const std::vector<double> plain{8, 16, 20, 20, 20};
  bool varies = false;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_GE(one[i], plain[i] * 0.75);
    EXPECT_LE(one[i], std::min(plain[i] * 1.25, 20.0)) << "the cap is the cap";
    varies = varies || one[i] != plain[i];
  }
  EXPECT_TRUE(varies);
}

TEST(Retries, WaitAsLongAsTheOtherSideAsks) {
  const auto result = run_failing({.attempts = 2, .max_delay = 5s},
                                  [](unsigned) { throw Retryable("too many requests", 90s); });
  EXPECT_THAT(waits(result.log), ElementsAre(90));
}

TEST(Retries, AreForErrorsThatMayPass) {
  const auto tries = [](const std::function<void(unsigned)>& fail, bool predicate = false) {
    Retry retry{.attempts = 2};
    if (predicate) retry.when = [](const std::exception&) { return true; };
    return run_failing(retry, fail).calls;
  };
  const auto system = [](std::errc code) {
    return [code](unsigned) { throw std::system_error(std::make_error_code(code)); };
  };
  EXPECT_EQ(tries([](unsigned) { throw Retryable("busy"); }), 2U);
  EXPECT_EQ(tries(system(std::errc::connection_reset)), 2U);
  EXPECT_EQ(tries(system(std::errc::timed_out)), 2U);
  EXPECT_EQ(tries(system(std::errc::no_such_file_or_directory)), 1U);
  EXPECT_EQ(tries(system(std::errc::no_such_file_or_directory), true), 2U);
  EXPECT_EQ(tries([](unsigned) { throw std::runtime_error("no"); }), 1U);
  EXPECT_EQ(tries([](unsigned) { throw std::runtime_error("no"); }, true), 2U);
  EXPECT_EQ(tries([](unsigned) { throw std::logic_error("bug"); }, true), 1U);
  EXPECT_EQ(tries([](unsigned) { throw std::bad_alloc(); }, true), 1U);
  EXPECT_EQ(tries([](unsigned) { throw Error(Errc::unreadable, {}); }, true), 1U);
  EXPECT_EQ(tries([](unsigned) { throw 42; }, true), 1U);
}

/// How often a stage is called whose validator does what `check` does.
unsigned calls_with(const Retry& retry, const std::function<std::string()>& check) {
  unsigned calls = 0;
  MemoryStore store;
  JumpingWorld world;
  Pipeline memo{"memo"};
  const auto draft = memo.stage({.name = "draft", .retry = retry}, [&] {
    ++calls;
    return 1;
  });
  memo.validate(draft, [&](int) { return check(); });
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(report.outcome(), Outcome::failed);
  return calls;
}

TEST(Retries, AreForValuesThatAreNotValidUnlessThePredicateSaysNo) {
  const auto bad = [] { return std::string{"too short"}; };
  EXPECT_EQ(calls_with({.attempts = 3}, bad), 3U);
  EXPECT_EQ(calls_with({.attempts = 3, .when = [](const std::exception&) { return false; }}, bad),
            1U);
}

TEST(Retries, OfAValidatorThatThrowsAreThoseOfItsStage) {
  const auto throws = [](auto error) { return [error]() -> std::string { throw error; }; };
  EXPECT_EQ(calls_with({.attempts = 3}, throws(std::bad_alloc())), 1U);
  EXPECT_EQ(calls_with({.attempts = 3}, throws(std::logic_error("bug"))), 1U);
  EXPECT_EQ(calls_with({.attempts = 3}, throws(std::runtime_error("no"))), 1U);
  EXPECT_EQ(calls_with({.attempts = 3}, throws(42)), 1U);
  EXPECT_EQ(calls_with({.attempts = 3}, throws(Retryable("busy"))), 3U);
}

TEST(Retries, APredicateThatThrowsFailsTheStage) {
  Retry retry{.attempts = 2};
  retry.when = [](const std::exception&) -> bool { throw 1; };
  const auto result = run_failing(retry, [](unsigned) { throw std::runtime_error("no"); });
  EXPECT_EQ(result.outcome, Outcome::failed);
  EXPECT_EQ(result.calls, 1U);
}

TEST(Retries, AreCountedAcrossKillsAndRenewedAfterTheRunFailed) {
  TempFolder folder;
  const Tally tally{folder / "calls"};
  // Kills itself in try `fatal`; there is never a good one.
  const auto once = [&](unsigned fatal) {
    ChildProcess child{[&] {
      FileStore store{folder / "store"};
      JumpingWorld world;
      Pipeline memo{"memo"};
      memo.stage({.name = "draft", .retry = {.attempts = 4}}, [&](Context& ctx) -> int {
        tally("try " + std::to_string(ctx.attempt_number()));
        if (ctx.attempt_number() == fatal) ::raise(SIGKILL);
        ctx.spend({.usd = 0.25, .tokens = 10});
        throw Retryable("busy");
      });
      return resume(memo, store, {.run = "r"}).exit_code();
    }};
    return child.wait();
  };
  using Counts = std::map<std::string, int>;
  EXPECT_EQ(once(3), (Ended{-1, SIGKILL}));
  EXPECT_EQ(tally.counts(), (Counts{{"try 1", 1}, {"try 2", 1}, {"try 3", 1}}));
  EXPECT_EQ(once(0), (Ended{1, 0}));
  EXPECT_EQ(tally.counts(), (Counts{{"try 1", 1}, {"try 2", 1}, {"try 3", 2}, {"try 4", 1}}))
      << "a killed try used up nothing; the two that failed count";
  tally.clear();
  FileStore store{folder / "store"};
  Pipeline memo{"memo"};
  Log log;
  const auto draft = memo.stage({.name = "draft", .retry = {.attempts = 4}}, [](Context& ctx) {
    ctx.spend({.usd = 1, .tokens = 1});
    if (ctx.attempt_number() < 7) throw Retryable("busy");
    return ctx.attempt_number();
  });
  const Plan plan = ResumePlanner{store}.plan(memo, {.run = "r"});
  EXPECT_EQ(plan["draft"].causes.front().text(), "failed after 4 attempts: busy");
  JumpingWorld world;
  const Report report = resume(memo, store, {.run = "r", .observers = {&log}});
  ASSERT_TRUE(report) << "the run had ended failed: four more tries";
  EXPECT_EQ(report[draft], 7U);
  EXPECT_EQ(report.stage("draft").attempts, 3U);
  EXPECT_EQ(report.cost(), (Cost{3, 3})) << "paid by this call";
  EXPECT_EQ(log.first(EventKind::committed)->cost, (Cost{4, 43}))
      << "paid in all, failed tries too";
  const Report again = resume(memo, store, {.run = "r"});
  EXPECT_EQ(again.savings().cost, (Cost{4, 43}));
  EXPECT_EQ(again.cost(), Cost{});
}

TEST(Retries, OfItemsAreTheirOwn) {
  MemoryStore store;
  JumpingWorld world;
  Pipeline memo{"memo"};
  Calls calls;
  const auto names = memo.input("names", Strings{"a", "b"});
  memo.stage({.name = "pages", .retry = {.attempts = 3}}, inputs(each(names)),
             [&](Context& ctx, const std::string& n) {
               calls(n + std::to_string(ctx.attempt_number()));
               if (ctx.attempt_number() < (n == "a" ? 2U : 3U)) throw Retryable("busy");
               return n;
             });
  EXPECT_TRUE(resume(memo, store, {.run = "r"}));
  EXPECT_EQ(calls.take(), "a1, a2, b1, b2, b3");
}

TEST(Costs, AreNumbers) {
  MemoryStore store;
  Pipeline memo{"memo"};
  memo.stage("draft", [](Context& ctx) {
    ctx.spend({.usd = std::nan("")});
    return 1;
  });
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(code_of(report), Errc::bad_option);
}

TEST(Timeouts, AreAskedForByTheStopTokenAndTriedAgain) {
  MemoryStore store;
  JumpingWorld world;
  Log log;
  Pipeline memo{"memo"};
  std::vector<StopCause> causes;
  memo.stage({.name = "slow", .retry = {.attempts = 3, .jitter = 0}, .timeout = 50ms},
             [&](Context& ctx) {
               std::mutex guard;
               std::condition_variable_any wake;
               std::unique_lock lock(guard);
               wake.wait(lock, ctx.stop_token(), [] { return false; });
               causes.push_back(ctx.stop_cause());
               if (ctx.attempt_number() == 3) return 1;
               throw std::logic_error("given up");
             });
  const Report report = resume(memo, store, {.run = "r", .observers = {&log}});
  EXPECT_TRUE(report);
  EXPECT_EQ(causes, std::vector<StopCause>(3, StopCause::timeout));
  EXPECT_EQ(log.lines(EventKind::overdue).size(), 3U);
  EXPECT_EQ(log.first(EventKind::overdue)->duration, Seconds{0.05});
  EXPECT_EQ(log.first(EventKind::retried)->message, "no result within 50 ms: given up");
  EXPECT_THAT(waits(log), ElementsAre(1, 2));
}

TEST(Timeouts, AreARequestWhoseLateAnswerCounts) {
  MemoryStore store;
  JumpingWorld world;
  Log log;
  Pipeline memo{"memo"};
  const auto slow = memo.stage({.name = "slow", .timeout = 50ms}, [](Context& ctx) {
    std::mutex guard;
    std::condition_variable_any wake;
    std::unique_lock lock(guard);
    wake.wait(lock, ctx.stop_token(), [] { return false; });
    return 7;
  });
  const Report report = resume(memo, store, {.run = "r", .observers = {&log}});
  EXPECT_EQ(report[slow], 7);
  EXPECT_EQ(log.lines(EventKind::overdue).size(), 1U);
}

}  // namespace
}  // namespace resumable::test
