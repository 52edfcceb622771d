/// @file
/// Shares the items of a run with workers of other processes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/events.hpp"
#include "run/task_pool.hpp"
#include "run/work_loop.hpp"

namespace resumable::run {

/// Publishes the items of fan-outs, and collects what became of them. The owner's threads claim
/// items like those of any other worker; what may not be shared runs in them as ever. At most twice
/// as many items are published as all workers have slots: what may not start is not published.
class SharedPool final : public TaskPool {
 public:
  /// All must outlive it.
  struct Tools {
    Worker& worker;
    ClaimRunner::Tools runner;
    record::Events& events;
    std::string run;
    std::uint64_t fence = 0;
    std::string uid;
    std::string program;
    unsigned concurrency = 1;  ///< of this process
    std::stop_token stop;
  };
  /// Joins as a worker. @throws Error
  explicit SharedPool(Tools tools);
  /// Waits for what runs in this process, and removes all tasks.
  ~SharedPool() override;
  SharedPool(const SharedPool&) = delete;
  SharedPool& operator=(const SharedPool&) = delete;

  [[nodiscard]] bool shares(std::uint32_t node) const override;
  [[nodiscard]] bool has_room(std::uint32_t node) const override;
  [[nodiscard]] bool is_idle() const noexcept override {
    return local_running_ == 0 && open_.empty() && back_.empty();
  }
  void start(Task task) override;
  void hold(bool stop) noexcept override;
  [[nodiscard]] std::list<Completion> take() noexcept override;

 private:
  using Place = std::pair<std::string, std::string>;  ///< stage, item
  void start_here(Task task);
  void flush();
  void withdraw();
  void look();
  void collect();
  void count_slots();
  void receive(FinishedWork&& work);
  void tell(const Completion& completion, const WorkerInfo& by) const;
  void fail_all(const std::exception_ptr& why) noexcept;
  [[nodiscard]] WorkQueue& queue() const noexcept { return tools_.runner.queue; }

  Tools tools_;
  unsigned limit_;
  Slots slots_;
  std::map<Place, Task> open_;  ///< published, or about to be
  std::vector<WorkTask> unpublished_;
  std::list<Completion> back_;  ///< to be taken
  std::size_t capacity_ = 0;    ///< slots of all workers
  sys::BootTime counted_{};
  sys::BootTime held_{};
  bool holds_ = false;
  bool stops_ = false;
  std::size_t local_running_ = 0;
  std::mutex guard_;
  std::condition_variable changed_;
  std::uint64_t finished_ = 0;  ///< items and tasks that this process has done
  std::list<Completion> done_here_;
  WorkLoop loop_;
  std::unique_ptr<sys::Scheduler> threads_;  ///< the last: it waits for its tasks
};

}  // namespace resumable::run
