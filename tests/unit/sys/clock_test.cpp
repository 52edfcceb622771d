#include "sys/clock.hpp"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "support/manual_clock.hpp"
#include "sys/timer.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using namespace sys;

TEST(Clock, BootTimeGoesOn) {
  const SystemClock clock;
  const BootTime before = clock.boot();
  EXPECT_GT(before.time_since_epoch(), 0s);
  EXPECT_GE(clock.boot(), before);
}

TEST(Clock, SleepEndsAtItsTime) {
  SystemClock clock;
  const BootTime deadline = clock.boot() + 5ms;
  EXPECT_TRUE(sleep_until(clock, deadline, {}));
  EXPECT_GE(clock.boot(), deadline);
}

TEST(Clock, SleepEndsWhenStopped) {
  ManualClock clock;
  std::stop_source stop;
  std::thread stops([&] {
    clock.await_waiter();
    stop.request_stop();
  });
  EXPECT_FALSE(sleep_until(clock, clock.boot() + 1h, stop.get_token()));
  stops.join();
  EXPECT_FALSE(sleep_until(clock, clock.boot() + 1h, stop.get_token()));
}

class TimerTest : public ::testing::Test {
 protected:
  /// Waits until `count` has this value.
  void await(int value) {
    while (count_ != value) std::this_thread::yield();
  }

  ManualClock clock_;
  std::atomic<int> count_{0};
  Timer timer_{clock_};
};

TEST_F(TimerTest, CallsWhenItIsTimeInOrder) {
  std::vector<int> order;
  timer_.call_at(clock_.boot() + 2s, [&] {
    order.push_back(2);
    ++count_;
  });
  timer_.call_at(clock_.boot() + 1s, [&] {
    order.push_back(1);
    ++count_;
  });
  clock_.await_waiter();
  EXPECT_EQ(count_, 0);
  clock_.advance(1s);
  await(1);
  clock_.advance(1s);
  await(2);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(TimerTest, CallsAtOnceWhenItIsLate) {
  timer_.call_at(clock_.boot() - 1s, [&] { ++count_; });
  await(1);
}

TEST_F(TimerTest, WhatIsCancelledIsNotCalled) {
  const auto first = timer_.call_at(clock_.boot() + 1s, [&] { count_ += 100; });
  timer_.call_at(clock_.boot() + 1s, [&] { ++count_; });
  timer_.cancel(first);
  timer_.cancel(first);
  clock_.advance(1s);
  await(1);
}

TEST_F(TimerTest, CancelWaitsForACallThatRuns) {
  std::atomic<bool> entered{false};
  std::atomic<bool> left{false};
  std::atomic<bool> go{false};
  const auto id = timer_.call_at(clock_.boot(), [&] {
    entered = true;
    while (!go) std::this_thread::yield();
    left = true;
  });
  while (!entered) std::this_thread::yield();
  std::thread canceller([&] {
    timer_.cancel(id);
    EXPECT_TRUE(left);
  });
  go = true;
  canceller.join();
}

TEST_F(TimerTest, ACallMayCallAgainAndCancelItself) {
  Timer::Id id = 0;
  std::atomic<bool> known{false};
  id = timer_.call_at(clock_.boot() + 1s, [&] {
    while (!known) std::this_thread::yield();
    timer_.cancel(id);
    timer_.call_at(clock_.boot(), [&] { ++count_; });
  });
  known = true;
  clock_.advance(1s);
  await(1);
}

TEST(Timer, EndsWithCallsLeft) {
  SystemClock clock;
  Timer timer(clock);
  timer.call_at(clock.boot() + 1h, [] { ADD_FAILURE(); });
}

}  // namespace
}  // namespace resumable::test
