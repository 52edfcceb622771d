/// @file
/// Runs what a plan says.
///
/// One thread, the one that called resume(), owns all state: it decides, hands tasks to workers and
/// takes their completions. If a record turns out to be damaged, it lets running tasks finish, sets
/// the record aside, plans again from the facts and continues: everything that has been committed
/// is a fact. It also plans again if a value that was dropped turns out to be needed.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exports/exporter.hpp"
#include "plan/planner.hpp"
#include "record/environment.hpp"
#include "resumable/resume.hpp"
#include "resumable/work_queue.hpp"
#include "run/damage_handler.hpp"
#include "run/reports.hpp"
#include "run/stage_events.hpp"
#include "run/task_maker.hpp"
#include "run/task_pool.hpp"
#include "run/time_keeper.hpp"
#include "run/values.hpp"
#include "run/worker.hpp"

namespace resumable::run {

class Executor {
 public:
  struct Tools {
    const detail::Graph& graph;
    const ResumeOptions& options;
    record::RunFacts& facts;
    exports::ExportLedger& ledger;
    plan::Decider& decider;
    record::Recorder& recorder;
    record::Events& events;
    exports::Folder* folder;
    record::World& world;
    bool resumed;
    const stage::Limits& limits;
    stage::Cache& cache;
    exports::Adoption* adoption;  ///< nullptr: nothing is adopted
    CheckpointStore& store;
    WorkQueue* shared;  ///< nullptr: items are not shared with other processes
  };

  Executor(Tools tools, std::vector<plan::NodeState> planned);
  ~Executor();

  /// Blocks until nothing more can be done. Throws only std::bad_alloc.
  void run();

  [[nodiscard]] Outcome outcome() const;
  /// The first thing that went wrong; its error is null when nothing did.
  struct Failure {
    std::exception_ptr error;
    std::string stage;
    std::string item;
  };
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }
  [[nodiscard]] std::vector<StageReport> reports() const { return reports_.stages(); }
  /// By node; to be taken once, at the end.
  [[nodiscard]] const Reports::Continued& continued() const { return reports_.continued(); }
  [[nodiscard]] std::vector<FanOutReport> fan_outs() { return reports_.fan_outs(states_); }
  [[nodiscard]] std::vector<std::string>& warnings() noexcept { return exporter_.warnings(); }
  /// After Outcome::done: the records of stages and items that the plan does not have.
  [[nodiscard]] std::vector<std::string> left() const;
  /// After Outcome::done: deletes the values that nothing needs any more (Keep::until_used), in one
  /// batch. @throws Error as Recorder::commit
  void drop_used();

 private:
  enum class Phase : std::uint8_t { pending, active, settled, stuck };
  struct NodeRun {
    Phase phase = Phase::pending;
    std::size_t waits_on = 0;
    std::vector<std::uint32_t> dependents;
    std::deque<std::size_t> queue;  ///< items to run; one entry, 0, for a stage
    std::size_t running = 0;
    std::size_t called = 0;   ///< values that the function gave in this call
    std::size_t adopted = 0;  ///< values that were made of files
    bool broken = false;      ///< an item failed, waits or was interrupted
    bool closed = false;      ///< an item has closed the fan-out
  };
  void begin();
  void loop();
  void resolve(std::uint32_t node);
  void expand(std::uint32_t node);
  void settle(std::uint32_t node);
  void ask(std::uint32_t node, std::string_view item, const std::vector<Cause>& causes);
  void ask(std::uint32_t node, std::string_view item, const std::string& message,
           const std::vector<Advice>& advice);
  void skip(std::uint32_t node);
  void activate(std::uint32_t node);
  void take_enqueued(std::uint32_t node, std::size_t item);
  void put_in_order(std::uint32_t node);
  void record_closed(std::uint32_t node);
  bool start_one();
  void start(std::uint32_t node, std::size_t item);
  void complete(Completion completion);
  void take_records(const Completion& completion);
  void committed(Completion& completion);
  void finish_item(std::uint32_t node);
  void interrupted(std::uint32_t node, std::string_view item, const std::string& message);
  void failed(std::uint32_t node, const std::exception_ptr& error, const std::string& message,
              std::string_view item, Errc code);
  void record_waiting(const Completion& completion);
  void record_loss(const Completion& completion);
  void withdrawn(const Completion& completion);
  [[nodiscard]] std::unique_ptr<TaskPool> make_pool();
  void replan();
  [[nodiscard]] bool may_drop(std::uint32_t node) const;
  [[nodiscard]] std::optional<record::Draft> without_value(std::uint32_t node,
                                                           const record::Tagged& tagged) const;
  void guard(std::uint32_t node, const std::function<void()>& action);
  [[nodiscard]] bool may_start() const;

  Tools tools_;
  std::vector<plan::NodeState> states_;
  std::vector<NodeRun> runs_;
  Reports reports_;
  StageEvents stage_events_;
  DamageHandler damage_;
  Values values_;
  exports::Exporter exporter_;
  TaskMaker tasks_;
  std::deque<std::uint32_t> ready_;
  std::set<std::uint32_t> active_;
  bool halted_ = false;
  std::string lacking_;  ///< a stage that is to run and takes a value that was dropped
  Outcome worst_ = Outcome::done;
  Failure failure_;
  bool any_started_ = false;
  bool held_ = false;      ///< something was not started because there was not enough time left
  std::stop_source stop_;  ///< requested by the program, by a budget, or by a lost lease
  std::stop_callback<std::function<void()>> on_stop_;
  std::stop_callback<std::function<void()>> on_lost_;
  TimeKeeper time_;
  sys::Timer timer_;
  Worker worker_;
  std::unique_ptr<TaskPool> pool_;
};

}  // namespace resumable::run
