#include "sys/scheduler.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <set>
#include <thread>
#include <vector>

namespace resumable::test {
namespace {

TEST(Scheduler, APoolRunsAllTasksAlsoThoseOfTasksBeforeItEnds) {
  std::atomic<int> count{0};
  {
    const auto pool = sys::thread_pool(2);
    for (int i = 0; i < 100; ++i) {
      pool->post([&, pool = pool.get()] { pool->post([&] { ++count; }); });
    }
  }
  EXPECT_EQ(count, 100);
}

TEST(Scheduler, APoolHasAsManyThreadsAsAskedFor) {
  std::barrier meeting(4);
  const auto pool = sys::thread_pool(3);
  // They meet only if all three run at a time.
  for (int i = 0; i < 3; ++i) pool->post([&] { meeting.arrive_and_wait(); });
  meeting.arrive_and_wait();
}

TEST(Scheduler, InlineRunsInThePostingThreadOneAfterTheOther) {
  const auto scheduler = sys::inline_scheduler();
  std::vector<int> order;
  std::set<std::thread::id> threads;
  scheduler->post([&] {
    order.push_back(1);
    scheduler->post([&] { order.push_back(3); });
    order.push_back(2);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(Scheduler, InlineDoesNotRecurse) {
  const auto scheduler = sys::inline_scheduler();
  int left = 1'000'000;
  std::function<void()> again = [&] {
    if (--left > 0) scheduler->post(again);
  };
  scheduler->post(again);
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace resumable::test
