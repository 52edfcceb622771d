/// @file
/// Does one task: calls the function, as often as its Retry allows, commits its value and exports
/// it.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/graph.hpp"
#include "exports/adoption.hpp"
#include "exports/publisher.hpp"
#include "record/events.hpp"
#include "record/recorder.hpp"
#include "record/run_facts.hpp"
#include "record/small_records.hpp"
#include "resumable/observer.hpp"
#include "resumable/resume.hpp"
#include "stage/attempt.hpp"
#include "stage/services.hpp"

namespace resumable::run {

/// Everything about one stage or item to run, prepared by the executor's thread.
struct Task {
  std::uint32_t node = 0;
  std::optional<std::size_t> item;
  std::string item_key;
  std::vector<detail::AnyValue> args;
  std::vector<core::InputIdentity> inputs;
  Digest fingerprint;
  core::Key key;
  std::uint64_t generation = 1;
  std::optional<plan::Row> previous;
  std::optional<plan::Row> made;  ///< to merge with: what the stage made before a user edited it
  std::vector<std::pair<std::string, std::uint64_t>> erase;
  std::uint64_t attempt_generation = 1;
  std::vector<std::pair<std::string, std::uint64_t>> attempts_on_record;
  record::Tried tried;
  exports::Targets exports;
  std::vector<Reason> reasons;
  bool approved = false;
  std::uint64_t approved_at = 0;        ///< the fence of that approval
  std::uint64_t epoch = 0;              ///< the fence of the last request for it
  std::optional<exports::Offer> offer;  ///< with a value: it is adopted, and no function is called
  stage::InsideRecords inside;
  std::optional<plan::Row> enqueued;  ///< of a queue: the newest record of what it has enqueued
  std::uint64_t enqueued_generation = 1;
  /// Of an item that may close its fan-out: the fingerprint of the inputs of all items.
  std::optional<Digest> closes;
  std::uint64_t closed_generation = 1;
  /// What workers of any process need to know of it; empty: it runs at the owner.
  std::string shared;
  std::string identity;  ///< of what is shared: see WorkTask
};

/// Its result.
struct Completion {
  enum class How {
    committed,
    failed,
    waiting,
    disputed,  ///< committed, and a user has to choose
    interrupted,
    conflict,
    store_failed,
    damaged,
    withdrawn,  ///< no worker has claimed it: it was not started
    lost,       ///< its workers were, too often
  };
  Task task;
  How how = How::failed;
  bool saved = false;  ///< the value's record is committed, whatever came after
  std::vector<record::Committed>
      records;  ///< in the order of their commits; with committed the value's is last
  detail::AnyValue value;
  std::vector<core::Export> exports;   ///< what the committed record says it exports
  std::vector<core::Export> exported;  ///< what is in place
  std::exception_ptr error;
  std::optional<record::DamagedRecord> damage;
  std::string message;
  std::vector<Advice> advice;
  unsigned attempts = 0;
  double seconds = 0;
  Cost cost;
  Savings continued;                     ///< of that which the last attempt's loops have loaded
  Savings continued_from_earlier_calls;  ///< over all attempts
};

/// Safe to use from several threads.
class Worker {
 public:
  struct Tools {
    const detail::Graph& graph;
    const record::RunFacts& facts;
    record::Recorder& recorder;
    record::Events& events;
    const exports::Publisher* publisher;  ///< nullptr: nothing is exported
    sys::Timer& timer;
    sys::Clock& clock;
    std::stop_token stop;
    std::string run;
    bool resumed;
    const stage::Limits& limits;
    stage::Cache& cache;
  };
  explicit Worker(Tools tools) : tools_(std::move(tools)) {}

  /// Runs the completion's task. What it throws is in the completion: an exception that left a
  /// thread would end the process, or nobody would learn that the task has ended.
  void run(Completion& completion) const noexcept;

 private:
  void tell_started(const Task& task) const;
  void tell_overdue(const Task& task) const noexcept;
  void adopt(Completion& completion, const stage::StageServices& services) const;
  void run_or_throw(Completion& completion) const;
  void attempt_until_done(Completion& completion) const;
  bool try_again(Completion& completion, const stage::CallResult& result) const;
  void record_failure(Completion& completion, const stage::CallResult& result, bool final) const;
  void commit(Completion& completion, stage::CallResult result,
              const stage::StageServices& services) const;
  [[nodiscard]] std::optional<record::Draft> closed(const Task& task,
                                                    const stage::StageServices& services) const;
  [[nodiscard]] std::vector<record::Committed> commit_closing(
      std::optional<record::Draft> closing, std::vector<record::Draft> drafts) const;
  void tell_committed(const Completion& completion, const stage::CallResult& result,
                      const record::Draft& draft) const;
  void ask_about_dispute(Completion& completion, const record::Draft& draft) const;
  [[nodiscard]] record::Draft enqueued(const Task& task,
                                       const stage::StageServices& services) const;
  [[nodiscard]] exports::Publisher::Texts prepare(Completion& completion,
                                                  const stage::CallResult& result,
                                                  record::Draft& draft,
                                                  std::optional<record::Draft>& own) const;
  void merge(const Task& task, record::Draft& draft, std::optional<record::Draft>& own) const;
  [[nodiscard]] Digest identity_for(const Task& task, const record::Draft& draft,
                                    const detail::ValueType& type) const;
  [[nodiscard]] Event event(EventKind kind, const Task& task) const;

  Tools tools_;
  mutable std::mutex guard_;
  mutable std::set<std::uint32_t> closed_;  ///< nodes that an item has closed
};

}  // namespace resumable::run
