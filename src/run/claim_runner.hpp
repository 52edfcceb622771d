/// @file
/// Computes claimed items.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <tuple>

#include "core/graph.hpp"
#include "record/events.hpp"
#include "record/run_facts.hpp"
#include "record/tags.hpp"
#include "resumable/work_queue.hpp"
#include "run/claim_lease.hpp"
#include "run/shared_task.hpp"
#include "run/worker.hpp"
#include "stage/cache.hpp"
#include "stage/limits.hpp"
#include "sys/file_system.hpp"
#include "sys/timer.hpp"

namespace resumable::run {

/// Reads what is recorded of an item, calls its function and commits its value, all under a claim.
/// Safe to use from several threads.
class ClaimRunner {
 public:
  /// All must outlive it.
  struct Tools {
    const detail::Graph& graph;
    CheckpointStore& store;
    WorkQueue& queue;
    sys::Clock& clock;
    sys::FileSystem& files;
    sys::Timer& timer;
    const stage::Limits& limits;
    std::chrono::milliseconds ttl;
    /// Where the events of a run go.
    std::function<record::Events&(const std::string& run)> events;
  };
  explicit ClaimRunner(Tools tools);

  struct Result {
    Completion completion;
    std::string uid;       ///< of the run
    bool is_lost = false;  ///< the item is somebody else's: the completion does not count
    bool clashed = false;  ///< a record was there that this item did not know of: try again
  };
  [[nodiscard]] Result run(const WorkClaim& claim, ClaimLease& lease,
                           const std::stop_token& stop) const noexcept;

 private:
  /// What is read once for all items of a run.
  struct RunState {
    std::uint64_t fence = 0;
    record::Tagged tagged;
  };
  void run_or_throw(const WorkClaim& claim, ClaimLease& lease, const std::stop_token& stop,
                    Result& result) const;
  [[nodiscard]] record::Tagged tagged(const WorkClaim& claim, const std::string& uid) const;
  [[nodiscard]] bool is_there(const Task& task, const record::RunFacts& facts,
                              Completion& completion) const;
  [[nodiscard]] detail::AnyValue argument(const std::string& run, const detail::Arg& arg,
                                          const ArgRef& ref, const record::RunFacts& facts) const;
  [[nodiscard]] detail::AnyValue shared_value(const std::string& run, const detail::ValueType& type,
                                              const ArgRef& ref,
                                              const record::RunFacts& facts) const;

  using ValueKey = std::tuple<std::string, std::string, std::string, std::uint64_t>;

  Tools tools_;
  mutable stage::Cache cache_;
  mutable std::mutex guard_;
  mutable std::map<std::string, RunState> runs_;
  mutable std::map<ValueKey, detail::AnyValue> values_;  ///< that many items take
};

}  // namespace resumable::run
