// Stages in threads of the host: where they run, how many at a time, and what becomes of work that
// the host does not run.
#include <atomic>
#include <barrier>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

using Work = std::function<void()>;

/// A thread for each piece of work.
class Threads {
 public:
  void operator()(Work work) {
    const std::scoped_lock lock{guard_};
    threads_.emplace_back(std::move(work));
  }
  [[nodiscard]] std::size_t count() {
    const std::scoped_lock lock{guard_};
    return threads_.size();
  }

 private:
  std::mutex guard_;
  std::vector<std::jthread> threads_;
};

Pipeline pipeline_of(const std::function<int(int)>& function) {
  Pipeline p{"numbers"};
  const auto list = p.input("list", std::vector<int>{1, 2, 3, 4, 5, 6});
  const auto made = p.stage("made", inputs(each(list)), function);
  static_cast<void>(p.stage("sum", inputs(made), [](const std::vector<int>& all) {
    int sum = 0;
    for (const int one : all) sum += one;
    return sum;
  }));
  return p;
}

TEST(HostExecutor, RunsEachStageAndItemAndNothingElse) {
  MemoryStore store;
  Threads threads;
  std::atomic<bool> here = false;
  const auto caller = std::this_thread::get_id();
  const Pipeline p = pipeline_of([&](int number) {
    if (std::this_thread::get_id() == caller) here = true;
    return number;
  });
  const Report report = resume(
      p, store, {.run = "r", .concurrency = 3, .executor = [&](Work work) { threads(work); }});
  EXPECT_EQ(report.outcome(), Outcome::done);
  EXPECT_FALSE(here);
  EXPECT_EQ(threads.count(), 7U);
}

TEST(HostExecutor, RunsAsManyAtATimeAsTheConcurrencySays) {
  for (const int concurrency : {1, 2, 3}) {
    MemoryStore store;
    Threads threads;
    std::barrier together{concurrency};  // with fewer at a time the run would never end
    std::atomic<int> inside = 0;
    std::atomic<bool> too_many = false;
    const Pipeline p = pipeline_of([&](int number) {
      if (++inside > concurrency) too_many = true;
      together.arrive_and_wait();
      --inside;
      return number;
    });
    const Report report = resume(p, store,
                                 {.run = "r",
                                  .concurrency = static_cast<unsigned>(concurrency),
                                  .executor = [&](Work work) { threads(std::move(work)); }});
    EXPECT_EQ(report.outcome(), Outcome::done);
    EXPECT_FALSE(too_many) << concurrency;
  }
}

TEST(HostExecutor, MayRunWorkAtOnceAndTwiceIsOnce) {
  MemoryStore store;
  std::atomic<int> calls = 0;
  const Pipeline p = pipeline_of([&](int number) {
    ++calls;
    return number;
  });
  const Report report = resume(p, store, {.run = "r", .concurrency = 2, .executor = [](Work work) {
                                            work();
                                            work();
                                          }});
  EXPECT_EQ(report.outcome(), Outcome::done);
  EXPECT_EQ(calls, 6);
}

TEST(HostExecutor, WorkThatIsDroppedFailsItsStageAndTheNextCallContinues) {
  MemoryStore store;
  std::atomic<int> calls = 0;
  const Pipeline p = pipeline_of([&](int number) {
    ++calls;
    return number;
  });
  int given = 0;
  const Report report = resume(p, store, {.run = "r", .executor = [&](Work work) {
                                            if (++given != 3) work();
                                          }});
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_THAT(report.error()->explain(), HasSubstr("the executor dropped its work"));
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(resume(p, store, {.run = "r"}).outcome(), Outcome::done);
  EXPECT_EQ(calls, 6);
}

TEST(HostExecutor, WhatItThrowsIsTheErrorOfTheStage) {
  MemoryStore store;
  const Pipeline p = pipeline_of([](int number) { return number; });
  const Report report = resume(p, store, {.run = "r", .executor = [](const Work&) {
                                            throw std::runtime_error("the pool is closed");
                                          }});
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_THAT(report.error()->explain(), HasSubstr("the pool is closed"));
}

}  // namespace
}  // namespace resumable::test
