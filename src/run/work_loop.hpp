/// @file
/// A worker: threads that claim items and compute them, and one that shows that they live.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "run/claim_runner.hpp"

namespace resumable::run {

/// How many things may run at a time, whoever starts them. Safe to use from several threads.
class Slots {
 public:
  explicit Slots(std::size_t count) noexcept : free_(count) {}
  /// false when all are taken, or the free ones are waited for.
  [[nodiscard]] bool try_take() {
    const std::scoped_lock lock{guard_};
    if (free_ <= waiting_) return false;
    --free_;
    return true;
  }
  void take() {
    std::unique_lock lock{guard_};
    ++waiting_;
    given_.wait(lock, [&] { return free_ > 0; });
    --waiting_;
    --free_;
  }
  void give() {
    const std::scoped_lock lock{guard_};
    ++free_;
    given_.notify_all();
  }

 private:
  std::mutex guard_;
  std::condition_variable given_;
  std::size_t free_;
  std::size_t waiting_ = 0;
};

/// How long a worker that is silent keeps what it has claimed, if nobody says otherwise.
inline constexpr std::chrono::milliseconds worker_ttl{15'000};

class WorkLoop {
 public:
  struct Tools {
    ClaimRunner::Tools runner;
    std::string program;  ///< see program_of()
    std::string run;      ///< only its items; empty: those of all runs
    unsigned threads = 1;
    Slots* slots = nullptr;  ///< which it shares with others
    /// An item that was asked to stop is given back, for others to continue. Else it counts as
    /// interrupted.
    bool gives_back = true;
    std::stop_token stop;
    std::function<void()> on_finished{};  ///< after each item, from any thread
  };
  /// Joins, and begins. @throws Error as WorkQueue::join
  explicit WorkLoop(Tools tools);
  /// Asks what runs to stop, waits for it, and leaves.
  ~WorkLoop();
  WorkLoop(const WorkLoop&) = delete;
  WorkLoop& operator=(const WorkLoop&) = delete;

  /// Asks what runs to stop, and waits for it.
  void finish();
  /// There may be something to claim.
  void wake();
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }

  struct Counts {
    std::size_t committed = 0;
    std::size_t failed = 0;  ///< for good, or interrupted, or waiting for approval
    std::size_t lost = 0;    ///< given to another worker meanwhile
    std::size_t given_back = 0;
    std::size_t running = 0;
    std::size_t of_others = 0;  ///< that were ready at the last look, for another program
    std::exception_ptr error;   ///< the store could not be used for so long that this has ended
  };
  [[nodiscard]] Counts counts() const;

 private:
  struct Running {
    std::stop_source stop;
    std::atomic<bool> is_lost{false};
    std::atomic<bool> by_owner{false};  ///< its owner wants it to stop
  };
  void serve() noexcept;
  void beat_until_end() noexcept;
  void beat();
  void work(const WorkClaim& claim);
  void settle(const WorkClaim& claim, ClaimLease& lease, const ClaimRunner::Result& result,
              const Running& running);
  [[nodiscard]] bool is_ending() const { return ending_ || tools_.stop.stop_requested(); }
  void pause(std::chrono::milliseconds time);
  void rest(std::chrono::milliseconds time);
  void found();
  void give_up(std::exception_ptr why) noexcept;
  void stop_all() noexcept;
  [[nodiscard]] WorkerInfo info() const;
  [[nodiscard]] WorkQueue& queue() const noexcept { return tools_.runner.queue; }

  Tools tools_;
  ClaimRunner runner_;
  std::atomic<std::uint64_t> id_{0};
  std::atomic<bool> ending_{false};
  mutable std::mutex guard_;
  std::condition_variable changed_;
  std::map<std::uint64_t, std::shared_ptr<Running>> running_;  ///< by token
  Counts counts_;
  std::uint64_t woken_ = 0;
  bool is_watched_ = false;  ///< one of the threads that rest looks from time to time
  std::size_t resting_ = 0;  ///< the others
  std::size_t calls_ = 0;    ///< so many of these are to look
  sys::BootTime last_beat_;
  std::stop_callback<std::function<void()>> on_stop_;
  std::vector<std::thread> threads_;
  std::thread beats_;
};

}  // namespace resumable::run
