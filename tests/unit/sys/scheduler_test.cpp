#include "sys/scheduler.hpp"

#include <atomic>
#include <barrier>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace resumable::test
