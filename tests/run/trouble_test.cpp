// What goes wrong while running: retries, timeouts, failures, stops, and waiting for a person.
#include <cmath>
#include <csignal>
#include <latch>
#include <limits>

#include "run/run_support.hpp"
#include "support/child_process.hpp"
#include "sys/random.hpp"

namespace resumable::test {

/// Its JSON cannot be made when `text` says so.
struct Odd {
  std::string text;
};
inline void to_json(Json& json, const Odd& odd) {
  if (odd.text == "std") throw std::runtime_error("no JSON for you");
  if (odd.text == "int") throw 42;
  json = Json{{"text", odd.text}};
}
inline void from_json(const Json& json, Odd& odd) { json.at("text").get_to(odd.text); }

struct Score {
  std::string name;
  std::vector<double> values;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Score, name, values)

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

/// A clock on which nobody waits: who would is at his deadline at once.
class JumpingClock final : public sys::Clock {
 public:
  [[nodiscard]] sys::WallTime wall() const noexcept override { return {}; }
  [[nodiscard]] sys::BootTime boot() const noexcept override {
    const std::lock_guard lock(guard_);
    return boot_;
  }
  void wait(std::unique_lock<std::mutex>&, std::condition_variable&,
            sys::BootTime deadline) override {
    const std::lock_guard lock(guard_);
    if (boot_ < deadline) boot_ = deadline;
  }

 private:
  mutable std::mutex guard_;
  sys::BootTime boot_{1h};
};

/// Always the same bytes: a run's uid is known.
class FixedRandom final : public sys::Random {
 public:
  explicit FixedRandom(char seed) : seed_(seed) {}
  std::error_code fill(std::span<std::byte> to) noexcept override {
    for (std::byte& one : to) one = static_cast<std::byte>(seed_++);
    return {};
  }

 private:
  char seed_;
};

struct World {
  explicit World(char seed = 1) : random(seed) {}
  JumpingClock clock;
  FixedRandom random;
  record::TestEnvironment environment{{.clock = &clock, .random = &random}};
};

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
  World world{seed};
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

// ---- retry --------------------------------------------------------------------------------------

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
  World world;
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
      World world;
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
  World world;
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
  World world;
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
  World world;
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
  World world;
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

// ---- failures -----------------------------------------------------------------------------------

TEST(Failures, NothingNewStartsAndWhatRunsIsKept) {
  MemoryStore store;
  Log log;
  Calls calls;
  std::latch b_runs{1};
  std::latch a_failed{1};
  log.on = [&](const Event& event) {
    if (event.kind == EventKind::failed) a_failed.count_down();
  };
  Pipeline memo{"memo"};
  const auto names = memo.input("names", Strings{"a", "b", "c", "d"});
  const auto pages = memo.stage("pages", inputs(each(names)), [&](const std::string& n) {
    calls(n);
    if (n == "a") {
      b_runs.wait();
      throw std::runtime_error("a is bad");
    }
    b_runs.count_down();
    a_failed.wait();
    return n;
  });
  memo.stage("other", inputs(pages), [](const Strings&) { return 1; });
  const Report report = resume(memo, store, {.run = "r", .concurrency = 2, .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_EQ(calls.take(), "a, b");
  EXPECT_EQ(outline(report), "pages failed, other not_started");
  EXPECT_EQ(report.stage("pages").message, "a is bad");
  EXPECT_THROW(std::rethrow_exception(report.stage("pages").error), std::runtime_error);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_EQ(report.error()->errc(), Errc::stage_failed);
  EXPECT_STREQ(report.error()->what(), "stage 'pages', item 'a' failed: a is bad");
  EXPECT_THAT(log.lines(EventKind::committed), ElementsAre("committed pages/b"));
  EXPECT_EQ(ResumePlanner{store}.plan(memo, {.run = "r"})["pages"].skipped, 1U);
}

TEST(Failures, KeepGoingGoesOnWithWhatDoesNotDependOnIt) {
  MemoryStore store;
  Calls calls;
  Pipeline memo{"memo"};
  const auto bad = memo.stage("bad", []() -> int { throw std::runtime_error("first"); });
  memo.stage("follows", inputs(bad), [](int n) { return n; });
  const auto names = memo.input("names", Strings{"a", "b", "c"});
  memo.stage("pages", inputs(each(names)), [&](const std::string& n) {
    calls(n);
    if (n == "a") throw std::runtime_error("second");
    return n;
  });
  memo.stage("free", [&] {
    calls("free");
    return 1;
  });
  const Report report = resume(memo, store, {.run = "r", .keep_going = true});
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_EQ(calls.take(), "a, b, c, free");
  EXPECT_EQ(outline(report), "bad failed, follows not_started, pages failed, free ran");
  EXPECT_STREQ(report.error()->what(),
               "stage 'bad' failed: first; stage 'pages' also failed: second");
  EXPECT_EQ(report.stage("pages").items_run, 2U);
}

TEST(Failures, OfAnyKindAreKeptInside) {
  struct NotAnError {};
  const std::vector<std::pair<std::function<int()>, std::string>> bodies{
      {[]() -> int { throw std::runtime_error("plain"); }, "plain"},
      {[]() -> int { throw 42; }, "a non-std::exception was thrown"},
      {[]() -> int { throw NotAnError{}; }, "a non-std::exception was thrown"},
      {[]() -> int {
         try {
           throw std::runtime_error("inner");
         } catch (...) {
           std::throw_with_nested(std::runtime_error("outer"));
         }
       },
       "outer: inner"},
      {[]() -> int {
         try {
           throw 1;
         } catch (...) {
           std::throw_with_nested(std::runtime_error("outer"));
         }
       },
       "outer: a non-std::exception was thrown"}};
  for (const auto& [body, message] : bodies) {
    for (const unsigned concurrency : {1U, 2U}) {
      MemoryStore store;
      Pipeline memo{"memo"};
      memo.stage("draft", body);
      const Report report = resume(memo, store, {.run = "r", .concurrency = concurrency});
      EXPECT_EQ(report.exit_code(), 1);
      EXPECT_EQ(report.stage("draft").message, message);
    }
  }
}

TEST(Failures, OfTheHostsOwnHelpersAreKeptInside) {
  for (const unsigned concurrency : {1U, 2U}) {
    const auto failing = [&](const std::function<void(Pipeline&)>& declare) {
      MemoryStore store;
      TempFolder folder;
      Pipeline memo{"memo"};
      declare(memo);
      const Report report = resume(
          memo, store, {.run = "r", .concurrency = concurrency, .artifact_folder = folder.path()});
      EXPECT_EQ(report.exit_code(), 1);
      return std::string{report.error() != nullptr ? report.error()->what() : "no error"};
    };
    const auto key = [](int how) {
      return [how](Pipeline& memo) {
        memo.stage("pages",
                   inputs(each(memo.input("list", std::vector<int>{1}),
                               [how](int) {
                                 if (how == 1) throw std::runtime_error("no key");
                                 throw 42;
                                 return std::string{};
                               })),
                   [](int n) { return n; });
      };
    };
    EXPECT_THAT(failing(key(1)), HasSubstr("no key"));
    EXPECT_THAT(failing(key(2)), HasSubstr("non-std::exception"));
    const auto json = [](std::string how) {
      return [how](Pipeline& memo) { memo.stage("odd", [how] { return Odd{how}; }); };
    };
    EXPECT_THAT(failing(json("std")), HasSubstr("no JSON for you"));
    EXPECT_THAT(failing(json("int")), HasSubstr("non-std::exception"));
    const auto render = [](int how) {
      return [how](Pipeline& memo) {
        memo.artifact(memo.stage("text", [] { return "x"s; }), "x.md",
                      [how](const std::string& text) {
                        if (how == 1) throw std::runtime_error("no text");
                        if (how == 2) throw 42;
                        return text;
                      });
      };
    };
    EXPECT_THAT(failing(render(1)), HasSubstr("no text"));
    EXPECT_THAT(failing(render(2)), HasSubstr("non-std::exception"));
  }
}

TEST(Failures, AValueThatCannotBeSavedNamesItsPlaceAndIsNotTriedAgain) {
  MemoryStore store;
  Calls calls;
  Pipeline memo{"memo"};
  memo.stage({.name = "score", .retry = {.attempts = 3}}, [&](Context& ctx) {
    calls("score");
    ctx.spend({.usd = 2});
    return Score{"x", {1, std::numeric_limits<double>::quiet_NaN()}};
  });
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(report.exit_code(), 1);
  ASSERT_EQ(code_of(report), Errc::not_encodable);
  EXPECT_EQ(report.error()->info().path, "/values/1");
  EXPECT_EQ(report.error()->info().stage, "score");
  EXPECT_EQ(calls.take(), "score");
  const Plan plan = ResumePlanner{store}.plan(memo, {.run = "r"});
  EXPECT_EQ(plan["score"].causes.front().text(),
            "failed after 1 attempt: stage 'score': JSON has no NaN (/values/1)");

  Pipeline mended{"memo"};
  mended.stage("score", [](Context& ctx) {
    EXPECT_EQ(ctx.attempt_number(), 2U);
    return Score{"x", {1}};
  });
  EXPECT_TRUE(resume(mended, store, {.run = "r"}));
  EXPECT_EQ(resume(mended, store, {.run = "r"}).savings().cost, Cost{2})
      << "what failed was paid, too";
}

TEST(Failures, AnInputThatCannotBeSavedIsRefused) {
  MemoryStore store;
  Pipeline memo{"memo"};
  memo.input("limit", std::numeric_limits<double>::infinity());
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(code_of(report), Errc::not_encodable);
  EXPECT_EQ(report.outcome(), Outcome::refused);
  EXPECT_THAT(report.error()->what(), HasSubstr("input 'limit'"));
}

TEST(Failures, AnObserverThatThrowsIsDetachedWithAWarning) {
  MemoryStore store;
  Log first;
  Log second;
  first.on = [](const Event& event) {
    if (event.seq == 2) throw std::runtime_error("disk full");
  };
  Log third;
  third.on = [](const Event& event) {
    if (event.seq == 3) throw 42;
  };
  Pipeline memo{"memo"};
  memo.stage("draft", [] { return 1; });
  const Report report = resume(memo, store, {.run = "r", .observers = {&first, &third, &second}});
  EXPECT_TRUE(report);
  EXPECT_EQ(first.events.size(), 2U);
  EXPECT_EQ(third.events.size(), 3U);
  EXPECT_EQ(second.events.back().kind, EventKind::run_finished);
  ASSERT_EQ(report.warnings().size(), 2U);
  EXPECT_THAT(report.warnings()[0], HasSubstr("detached: disk full"));
}

// ---- stopping -----------------------------------------------------------------------------------

TEST(Stopping, BeforeTheStartRunsNothing) {
  MemoryStore store;
  std::stop_source source;
  source.request_stop();
  Calls calls;
  Pipeline memo{"memo"};
  memo.stage("draft", [&] {
    calls("draft");
    return 1;
  });
  const Report report = resume(memo, store, {.run = "r", .stop = source.get_token()});
  EXPECT_EQ(report.outcome(), Outcome::interrupted);
  EXPECT_EQ(report.exit_code(), 75) << "no signal: the host asked";
  EXPECT_EQ(calls.take(), "");
  EXPECT_EQ(outline(report), "draft not_started");
}

struct Stopped {
  std::string calls;
  std::string outline;
  int exit_code = 0;
  std::string manifest;
};
/// Three stages; the second asks for a stop, as a signal does.
Stopped stop_in_the_second(CheckpointStore& store, bool throws, int signal) {
  std::stop_source source;
  Calls calls;
  Pipeline memo{"memo"};
  const auto one = memo.stage("one", [&] {
    calls("one");
    return 1;
  });
  const auto two = memo.stage("two", inputs(one), [&](Context& ctx, int n) {
    calls("two");
    if (signal != 0) source.request_stop();
    EXPECT_EQ(ctx.stop_cause(), signal != 0 ? StopCause::requested : StopCause::none);
    if (throws) throw std::runtime_error("given up");
    return n;
  });
  memo.stage("three", inputs(two), [&](int n) {
    calls("three");
    return n;
  });
  const Report report =
      resume(memo, store,
             {.run = "r", .stop = Stop{source.get_token(), std::make_shared<const int>(signal)}});
  return {calls.take(), outline(report), report.exit_code(), store.manifest("r").value()};
}

TEST(Stopping, WhatReturnsIsKeptWhatThrowsIsInterrupted) {
  MemoryStore store;
  Stopped stopped = stop_in_the_second(store, true, SIGTERM);
  EXPECT_EQ(stopped.calls, "one, two");
  EXPECT_EQ(stopped.outline, "one ran, two interrupted, three not_started");
  EXPECT_EQ(stopped.exit_code, 143);
  EXPECT_THAT(stopped.manifest, HasSubstr(R"("status": "interrupted")"));
  stopped = stop_in_the_second(store, false, SIGINT);
  EXPECT_EQ(stopped.calls, "two");
  EXPECT_EQ(stopped.outline, "one skipped, two ran, three not_started");
  EXPECT_EQ(stopped.exit_code, 130);
  stopped = stop_in_the_second(store, false, 0);
  EXPECT_EQ(stopped.calls, "three");
  EXPECT_EQ(stopped.exit_code, 0);
  EXPECT_THAT(stopped.manifest, HasSubstr(R"("status": "done")"));
}

TEST(Stopping, WhateverIsThrownThenIsNoTrouble) {
  MemoryStore store;
  std::stop_source source;
  Log log;
  Pipeline memo{"memo"};
  memo.stage("draft", [&]() -> int {
    source.request_stop();
    throw 1;
  });
  const Report report =
      resume(memo, store, {.run = "r", .stop = source.get_token(), .observers = {&log}});
  EXPECT_EQ(report.outcome(), Outcome::interrupted);
  EXPECT_EQ(log.first(EventKind::interrupted)->message, "it stopped as requested");
}

TEST(Stopping, InAWaitBetweenTriesUsesUpNothing) {
  MemoryStore store;
  std::stop_source source;
  ManualTime time;
  Log log;
  log.on = [&](const Event& event) {
    if (event.kind == EventKind::retried) source.request_stop();
  };
  Pipeline memo{"memo"};
  memo.stage({.name = "draft", .retry = {.attempts = 2}}, []() -> int { throw Retryable("busy"); });
  const Report report =
      resume(memo, store, {.run = "r", .stop = source.get_token(), .observers = {&log}});
  EXPECT_EQ(report.outcome(), Outcome::interrupted);
  EXPECT_EQ(outline(report), "draft interrupted");
  World world;
  const Report again = resume(memo, store, {.run = "r"});
  EXPECT_EQ(again.outcome(), Outcome::failed);
  EXPECT_EQ(again.stage("draft").attempts, 1U) << "one of two was left";
}

// ---- waiting ------------------------------------------------------------------------------------

struct Approval {
  explicit Approval(int value, bool swallow = false) {
    const auto score = pipeline.input("score", value);
    const auto review =
        pipeline.stage("review", inputs(score), [this, swallow](Context& ctx, int s) {
          calls("review");
          try {
            ctx.require_approval("score " + std::to_string(s) + ": type `approve`");
          } catch (...) {
            if (!swallow) throw;
          }
          return s;
        });
    pipeline.stage("publish", inputs(review), [this](int s) {
      calls("publish");
      return s;
    });
  }
  Report run(CheckpointStore& store) { return resume(pipeline, store, {.run = "r"}); }
  Calls calls;
  Pipeline pipeline{"memo"};
};

TEST(Waiting, EndsTheRunUntilAPersonApproves) {
  MemoryStore store;
  Approval memo{5};
  Log log;
  const Report report = resume(memo.pipeline, store, {.run = "r", .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 75);
  EXPECT_EQ(outline(report), "review waiting, publish not_started");
  EXPECT_EQ(report.stage("review").message, "score 5: type `approve`");
  EXPECT_EQ(report.error(), nullptr);
  EXPECT_EQ(log.first(EventKind::waiting)->message, "score 5: type `approve`");
  memo.calls.take();

  const Plan plan = ResumePlanner{store}.plan(memo.pipeline, {.run = "r"});
  EXPECT_EQ(plan["review"].action, Action::wait);
  EXPECT_THAT(plan.text(), HasSubstr("score 5: type `approve`"));
  const Report still = memo.run(store);
  EXPECT_EQ(still.exit_code(), 75);
  EXPECT_EQ(still.stage("review").message, "score 5: type `approve`");
  EXPECT_EQ(memo.calls.take(), "") << "asked once with these inputs is asked";

  EXPECT_EQ(approve(memo.pipeline, store, "r", "review", "anna"), "score 5: type `approve`");
  EXPECT_TRUE(memo.run(store));
  EXPECT_EQ(memo.calls.take(), "publish, review");
  EXPECT_TRUE(memo.run(store));
  EXPECT_EQ(memo.calls.take(), "");
}

TEST(Waiting, AnApprovalIsBoundToTheInputs) {
  MemoryStore store;
  Approval first{5};
  EXPECT_EQ(first.run(store).exit_code(), 75);
  approve(first.pipeline, store, "r", "review", "anna");
  Approval other{6};
  const Report report = other.run(store);
  EXPECT_EQ(report.exit_code(), 75);
  EXPECT_EQ(report.stage("review").message, "score 6: type `approve`");
  EXPECT_EQ(other.calls.take(), "review");
}

TEST(Waiting, WhatAFunctionGivesAfterItSwallowedTheRequestDoesNotCount) {
  MemoryStore store;
  Approval memo{5, true};
  const Report report = memo.run(store);
  EXPECT_EQ(report.exit_code(), 75);
  EXPECT_EQ(outline(report), "review waiting, publish not_started");
}

TEST(Waiting, OnlyWhatWaitsCanBeApproved) {
  MemoryStore store;
  Approval memo{5};
  const auto refused = [&](std::string_view run, std::string_view stage) {
    return code_of([&] { approve(memo.pipeline, store, run, stage, "anna"); });
  };
  EXPECT_EQ(refused("r", "review"), Errc::unknown_run);
  EXPECT_EQ(memo.run(store).exit_code(), 75);
  EXPECT_EQ(refused("other", "review"), Errc::unknown_run);
  EXPECT_EQ(refused("r", "publish"), Errc::unknown_stage);
  EXPECT_EQ(refused("r", "reviev"), Errc::unknown_stage);
  EXPECT_EQ(refused("r", "review"), std::nullopt);
  EXPECT_EQ(refused("r", "review"), Errc::unknown_stage) << "it is approved";
}

TEST(Waiting, OfItemsHoldsUpNoOtherItem) {
  for (const unsigned concurrency : {1U, 4U}) {
    MemoryStore store;
    Calls calls;
    Pipeline memo{"memo"};
    const auto names = memo.input("names", Strings{"a", "b", "c"});
    const auto pages =
        memo.stage("pages", inputs(each(names)), [&](Context& ctx, const std::string& n) {
          calls(n);
          if (n != "b") ctx.require_approval("look at " + n);
          return n;
        });
    memo.stage("end", inputs(pages), [&](const Strings&) {
      calls("end");
      return 1;
    });
    const ResumeOptions how{.run = "r", .concurrency = concurrency};
    const Report report = resume(memo, store, how);
    EXPECT_EQ(report.exit_code(), 75);
    EXPECT_EQ(outline(report), "pages waiting, end not_started");
    EXPECT_EQ(calls.take(), "a, b, c");
    EXPECT_EQ(report.stage("pages").items_run, 1U);
    approve(memo, store, "r", "pages/a", "anna");
    const Report second = resume(memo, store, how);
    EXPECT_EQ(second.exit_code(), 75) << outline(second);
    EXPECT_EQ(second.stage("pages").message, "look at c");
    EXPECT_EQ(calls.take(), "a");
    EXPECT_EQ(resume(memo, store, how).exit_code(), 75);
    EXPECT_EQ(calls.take(), "");
    approve(memo, store, "r", "pages/c", "anna");
    EXPECT_TRUE(resume(memo, store, how));
    EXPECT_EQ(calls.take(), "c, end");
  }
}

}  // namespace
}  // namespace resumable::test
