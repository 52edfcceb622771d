/// @file
/// The steps of one stage or item: which are on record, and doing the others.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "plan/facts.hpp"
#include "run/attempt.hpp"
#include "run/events.hpp"
#include "run/recorder.hpp"
#include "run/run_facts.hpp"

namespace resumable::inline v0::run {

/// A step's place in the store.
struct StepOnRecord {
  std::uint64_t next = 1;        ///< the generation that a new record gets
  std::optional<plan::Row> row;  ///< the newest whole record
  bool requested = false;        ///< a redo asks for it: the record counts no more
};
using StepsOnRecord = std::map<std::string, StepOnRecord>;  ///< by path

/// Lives as long as its task, over all attempts. Safe to use from several threads.
class Steps final : public detail::StepRunner {
 public:
  struct Tools {
    const detail::Graph& graph;
    const RunFacts& facts;
    Recorder& recorder;
    Events& events;
    sys::Clock& clock;
  };
  /// Of one stage or item with inputs of this fingerprint.
  struct Subject {
    std::uint32_t node = 0;
    std::string item;
    Digest fingerprint;
  };
  Steps(Tools tools, Subject subject, StepsOnRecord on_record)
      : tools_(tools), subject_(std::move(subject)), steps_(std::move(on_record)) {}

  detail::AnyValue step(detail::Attempt& attempt, const detail::StepCall& call) override;

  /// Before each attempt: no step counts as used.
  void begin_attempt();
  /// What was committed since the last call.
  [[nodiscard]] std::vector<Committed> take_committed();
  /// A record that could not be read: the stage was left, whatever it says.
  [[nodiscard]] const std::optional<DamagedRecord>& damage() const noexcept { return damage_; }
  /// Records that the attempt has not used.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> unused() const;

 private:
  class Claim;
  struct Wanted;
  [[nodiscard]] Wanted wanted(const detail::StepCall& call) const;
  [[nodiscard]] detail::AnyValue recorded(const Wanted& wanted, const detail::StepCall& call,
                                          const plan::Row& row);
  [[nodiscard]] detail::AnyValue run(detail::Attempt& attempt, const detail::StepCall& call,
                                     const Wanted& wanted, std::uint64_t generation);
  [[nodiscard]] bool wait_for_next_try(detail::Attempt& attempt, const detail::StepCall& call,
                                       unsigned tried, const std::exception_ptr& error);
  [[nodiscard]] Event event(EventKind kind, const detail::StepCall& call) const;

  Tools tools_;
  Subject subject_;
  mutable std::mutex guard_;
  StepsOnRecord steps_;
  std::set<std::string> running_;  ///< paths
  std::set<std::string> used_;
  std::vector<Committed> committed_;
  std::optional<DamagedRecord> damage_;
};

}  // namespace resumable::inline v0::run
