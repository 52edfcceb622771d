// A run that is asked to stop.
#include <csignal>

#include "run/jumping_clock.hpp"
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

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
  JumpingWorld world;
  const Report again = resume(memo, store, {.run = "r"});
  EXPECT_EQ(again.outcome(), Outcome::failed);
  EXPECT_EQ(again.stage("draft").attempts, 1U) << "one of two was left";
}

}  // namespace
}  // namespace resumable::test
