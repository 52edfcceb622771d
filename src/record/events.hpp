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
  /// Fills in what all events have, and emits. Throws nothing: an observer that throws is detached.
  void emit(Event event) noexcept;
  /// The same, of a commit, of which it fills in what is known. With follow() not before it is
  /// durable: then with whatever is emitted next.
  void emit(Event event, const Committed& record) noexcept;
  /// For the report. Said twice, it is kept once.
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
