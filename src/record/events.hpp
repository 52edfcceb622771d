/// @file
/// Numbers events and hands them to the observers, one at a time.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "resumable/lease.hpp"
#include "resumable/observer.hpp"
#include "sys/clock.hpp"

namespace resumable::record {

struct Committed;

/// Safe to use from several threads. Never called while a store's lock is held.
class Events {
 public:
  Events(sys::Clock& clock, std::string run, std::string pipeline, std::vector<Observer*> observers)
      : clock_(clock),
        run_(std::move(run)),
        pipeline_(std::move(pipeline)),
        observers_(std::move(observers)) {}

  /// Events of commits wait until `lease`, which must outlive this, has made them durable.
  void follow(const Lease& lease) { lease_ = &lease; }
  /// Fills in the fields that all events have, and emits. Does not throw: an observer that throws
  /// is detached.
  void emit(Event event) noexcept;
  /// The same for a commit, of which it fills in what is known. After follow() it is held back
  /// until the commit is durable, and then emitted with the next event.
  void emit(Event event, const Committed& record) noexcept;
  /// A warning for the report. Duplicates are kept once.
  void warn(std::string text);
  /// What was warned of, and what went wrong with observers.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  void emit_locked(Event& event);
  void emit_durable();
  void count(Event& event);

  sys::Clock& clock_;
  std::string run_;
  std::string pipeline_;
  mutable std::mutex guard_;
  std::vector<Observer*> observers_;
  std::vector<std::string> warnings_;
  std::uint64_t last_ = 0;
  const Lease* lease_ = nullptr;
  std::deque<std::pair<Ticket, Event>> waiting_;
  std::unordered_map<std::string, Counts> items_;  ///< by fan-out
};

}  // namespace resumable::record
