/// @file
/// Records that turn out to be damaged while a call works with them.
#pragma once

#include <optional>

#include "record/events.hpp"
#include "record/record_index.hpp"
#include "record/recorder.hpp"
#include "record/run_facts.hpp"
#include "resumable/error.hpp"
#include "resumable/observer.hpp"

namespace resumable::run {

/// Remembers the record because of which the call has to plan again, and sets damaged ones aside.
/// Used by one thread.
class DamageHandler {
 public:
  /// All must outlive it.
  DamageHandler(record::RunFacts& facts, record::Recorder& recorder, record::Events& events)
      : facts_(facts), recorder_(recorder), events_(events) {}

  void found(record::DamagedRecord record) { open_ = std::move(record); }
  [[nodiscard]] bool is_open() const noexcept { return open_.has_value(); }
  /// From here on the facts say so, and the next plan verifies it. @pre is_open()
  [[nodiscard]] record::DamagedRecord take();
  /// For those that want none to be replaced.
  [[nodiscard]] Error refusal(const record::DamagedRecord& record) const;
  /// That there is a new plan.
  void tell_revised(const record::DamagedRecord& record, Counts counts);
  /// Moves it into quarantine, or leaves it if the store cannot; reports it in either case.
  void set_aside(const record::DamagedRecord& record);

 private:
  record::RunFacts& facts_;
  record::Recorder& recorder_;
  record::Events& events_;
  std::optional<record::DamagedRecord> open_;
};

}  // namespace resumable::run
