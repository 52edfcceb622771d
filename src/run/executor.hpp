/// @file
/// Runs what a plan says.
///
/// One thread, the one that called resume(), owns all state: it decides, hands tasks to workers and
/// takes their completions. When a record turns out to be damaged it lets what runs finish, sets
/// the record aside, plans anew from the facts and goes on: everything that was committed is a
/// fact.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "plan/planner.hpp"
#include "resumable/resume.hpp"
#include "run/appending.hpp"
#include "run/environment.hpp"
#include "run/worker.hpp"
#include "sys/scheduler.hpp"

namespace resumable::inline v0::run {

class Executor {
 public:
  struct Tools {
    const detail::Graph& graph;
    const ResumeOptions& options;
    RunFacts& facts;
    const plan::Decider& decider;
    Recorder& recorder;
    Events& events;
    artifact::Folder* folder;
    World& world;
    bool resumed;
    const Limits& limits;
    Cache& cache;
  };

  Executor(Tools tools, std::vector<plan::NodeState> planned);
  ~Executor();

  /// Blocks until nothing more can be done. Throws nothing but lack of memory.
  void run();

  [[nodiscard]] Outcome outcome() const;
  /// The first thing that went wrong; its error is null when nothing did.
  struct Failure {
    std::exception_ptr error;
    std::string stage;
    std::string item;
  };
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }
  [[nodiscard]] std::vector<StageReport> reports() const;
  /// The items of fan-outs, by node; null for others and while they are not known.
  [[nodiscard]] std::vector<std::shared_ptr<const plan::ItemList>> lists() const;
  [[nodiscard]] std::vector<std::string>& warnings() noexcept { return warnings_; }

 private:
  enum class Phase : std::uint8_t { pending, active, settled, stuck };
  struct NodeRun {
    Phase phase = Phase::pending;
    std::size_t waits_on = 0;
    std::vector<std::uint32_t> dependents;
    std::size_t consumers = 0;  ///< dependents that may still need the value
    detail::AnyValue value;
    std::vector<detail::AnyValue> items;
    std::deque<std::size_t> queue;  ///< items to run; one entry, 0, for a stage
    std::size_t running = 0;
    std::unordered_map<std::string, std::string> paths;  ///< of a queue: folded, to the item's key
    std::vector<std::unique_ptr<Appending>> appending;
    bool broken = false;  ///< an item failed, waits or was interrupted
    bool started = false;
  };
  void begin();
  void beat();
  void record_alive();
  void loop();
  void resolve(std::uint32_t node);
  void expand(std::uint32_t node);
  void settle(std::uint32_t node);
  void ask(std::uint32_t node, std::string_view item, const std::string& message);
  void worsen(std::uint32_t node, Happened how);
  void skip(std::uint32_t node);
  void tell_notes(std::uint32_t node);
  void restore(std::uint32_t node);
  void restore_one(std::uint32_t node, std::optional<std::size_t> item);
  void rerecord(const Task& task, const core::Header& old, std::vector<core::Export> exports);
  void give_back(std::uint32_t node);
  void publish_again(const Task& task, const ExportTo& to, const std::string& text);
  [[nodiscard]] bool is_of_later(std::uint32_t node, const std::string& path,
                                 const Digest& content) const;
  [[nodiscard]] bool kept_by_later(const Task& task, const std::string& path) const;
  [[nodiscard]] bool is_announced(const ExportTo& to, const Digest& content) const;
  [[nodiscard]] std::set<std::string> claimed_paths() const;
  void retire_left();
  void activate(std::uint32_t node);
  void check_paths(std::uint32_t node) const;
  void check_places(std::uint32_t node, std::size_t from) const;
  void claim_paths(std::uint32_t node, std::size_t from);
  void begin_appending(std::uint32_t node);
  void confirm_appended();
  void each_appending(std::uint32_t node,
                      void (Appending::*what)(const plan::NodeState&, Appending::ValueOf));
  void take_enqueued(std::uint32_t node, std::size_t item);
  void put_in_order(std::uint32_t node);
  bool start_one();
  void start(std::uint32_t node, std::size_t item);
  [[nodiscard]] Task make_task(std::uint32_t node, std::optional<std::size_t> item);
  void add_history(Task& task);
  void add_inside(Task& task);
  void add_exports(Task& task);
  [[nodiscard]] detail::AnyValue argument(std::uint32_t node, const detail::Arg& arg,
                                          std::optional<std::size_t> item);
  [[nodiscard]] const detail::AnyValue& value_of(std::uint32_t node);
  [[nodiscard]] detail::AnyValue item_of(std::uint32_t node, std::string_view key,
                                         std::size_t hint);
  void release(std::uint32_t node);
  void complete(Completion completion);
  void take_records(const Completion& completion);
  void committed(Completion& completion);
  void finish_item(std::uint32_t node);
  void failed(std::uint32_t node, std::exception_ptr error, const std::string& message,
              std::string_view item, Errc fallback);
  void record_waiting(const Completion& completion);
  void set_aside(const DamagedRecord& record);
  void replan();
  void guard(std::uint32_t node, const std::function<void()>& action);
  [[nodiscard]] bool stopping() const;
  [[nodiscard]] bool may_start() const;
  [[nodiscard]] bool is_out_of_time() const;
  [[nodiscard]] bool fits(std::uint32_t node, std::size_t item);
  [[nodiscard]] StageReport& report(std::uint32_t node) { return reports_[node]; }

  Tools tools_;
  std::vector<plan::NodeState> states_;
  std::vector<NodeRun> runs_;
  std::vector<StageReport> reports_;
  std::deque<std::uint32_t> ready_;
  std::set<std::uint32_t> active_;
  std::size_t running_ = 0;
  bool halted_ = false;
  Outcome worst_ = Outcome::done;
  Failure failure_;
  std::optional<DamagedRecord> damage_;
  std::vector<core::Export> left_;  ///< exports at places that no longer count
  std::vector<std::string> warnings_;

  std::mutex alive_guard_;  ///< beats come from the timer's thread
  std::uint64_t alive_generation_;
  Limits::Duration recorded_alive_;
  unsigned limit_;  ///< tasks at a time
  bool any_started_ = false;
  bool held_ = false;      ///< something was not started for want of time
  std::stop_source stop_;  ///< the host's request, or the budget's
  std::stop_callback<std::function<void()>> on_stop_;
  sys::Timer timer_;
  std::unique_ptr<Worker> worker_;
  std::mutex guard_;
  std::condition_variable done_;
  std::deque<Completion> completions_;
  std::unique_ptr<sys::Scheduler> pool_;
};

}  // namespace resumable::inline v0::run
