/// @file
/// Does one task: calls the function, as often as its Retry allows, commits what it gave and
/// exports it.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artifact/folder.hpp"
#include "core/graph.hpp"
#include "resumable/observer.hpp"
#include "resumable/resume.hpp"
#include "run/attempt.hpp"
#include "run/events.hpp"
#include "run/recorder.hpp"
#include "run/run_facts.hpp"
#include "run/services.hpp"
#include "run/small_records.hpp"

namespace resumable::inline v0::run {

/// A file that a task will export, and what is there now.
struct ExportTo {
  std::string path;
  std::optional<Digest> on_disk;
  std::optional<core::Export> previous;  ///< what this stage's last record exported there
  bool taken_over = false;               ///< a later stage's version is there now
  [[nodiscard]] bool had_file() const { return previous && !previous->is_nothing(); }
};

/// Everything about one stage or item that is to run, settled beforehand by the executor's thread.
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
  std::vector<std::pair<std::string, std::uint64_t>> erase;
  std::uint64_t attempt_generation = 1;
  std::vector<std::pair<std::string, std::uint64_t>> attempts_on_record;
  Tried tried;
  std::vector<ExportTo> exports;
  std::vector<core::Export> left;  ///< of the last record, at places that it exports to no more
  std::vector<core::Export> left_in_place;  ///< of these, those whose file is still there
  std::vector<Reason> reasons;
  bool approved = false;
  std::uint64_t approved_at = 0;  ///< the fence of that approval
  std::uint64_t epoch = 0;        ///< the fence of the last request for it
  InsideRecords inside;
  std::optional<plan::Row> enqueued;  ///< of a queue: the newest record of what it has enqueued
  std::uint64_t enqueued_generation = 1;
};

/// What became of it.
struct Completion {
  enum class How { committed, failed, waiting, interrupted, conflict, store_failed, damaged };
  Task task;
  How how = How::failed;
  std::vector<Committed>
      records;  ///< in the order of their commits; with committed the value's is last
  detail::AnyValue value;
  std::vector<core::Export> exports;   ///< what the committed record says it exports
  std::vector<core::Export> exported;  ///< what is in place
  std::exception_ptr error;
  std::optional<DamagedRecord> damage;
  std::string message;
  unsigned attempts = 0;
  double seconds = 0;
  Cost cost;
};

/// Safe to use from several threads.
class Worker {
 public:
  struct Tools {
    const detail::Graph& graph;
    const RunFacts& facts;
    Recorder& recorder;
    Events& events;
    artifact::Folder* folder;  ///< nullptr: nothing is exported
    sys::Timer& timer;
    sys::Clock& clock;
    std::stop_token stop;
    std::string run;
    bool resumed;
    const Limits& limits;
    Cache& cache;
  };
  explicit Worker(Tools tools) : tools_(std::move(tools)) {}

  /// Throws nothing but lack of memory.
  [[nodiscard]] Completion run(Task task) const;

 private:
  void attempt_until_done(Completion& completion) const;
  bool try_again(Completion& completion, const CallResult& result) const;
  void record_failure(Completion& completion, const CallResult& result, bool final) const;
  void commit(Completion& completion, CallResult result, const StageServices& services) const;
  [[nodiscard]] Draft enqueued(const Task& task, const StageServices& services) const;
  using Texts = std::vector<std::optional<std::string>>;  ///< by place in Task::exports
  [[nodiscard]] Texts prepare(Completion& completion, const CallResult& result, Draft& draft) const;
  [[nodiscard]] Digest identity_for(const Task& task, const Digest& fresh,
                                    const detail::ValueType& type) const;
  [[nodiscard]] Texts render(Completion& completion, Draft& draft) const;
  void publish(Completion& completion, const Draft& draft, const Texts& texts) const;
  [[nodiscard]] Event event(EventKind kind, const Task& task) const;

  Tools tools_;
};

/// The bytes of an artifact: what `render` makes, or the value as indented JSON, or text as it is.
/// nullopt: the value has none.
[[nodiscard]] std::optional<std::string> render_artifact(const detail::Artifact& artifact,
                                                         const detail::ValueType& type,
                                                         const void* value);

}  // namespace resumable::inline v0::run
