#include "record/events.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "record/recorder.hpp"

namespace resumable::record {

void Events::emit(Event event) noexcept try {
  if (observers_.empty()) return;
  const std::scoped_lock lock{guard_};
  emit_durable();
  emit_locked(event);
} catch (...) {
  // Out of memory while reporting: the run itself continues.
}

void Events::emit(Event event, const Committed& record) noexcept try {
  if (observers_.empty()) return;
  event.save_duration = Seconds{record.seconds};
  event.bytes = record.bytes;
  const std::scoped_lock lock{guard_};
  emit_durable();
  if (lease_ == nullptr) {
    if (record.durability != Durability::full) event.durability = record.durability;
    return emit_locked(event);
  }
  if (record.ticket <= lease_->durable()) return emit_locked(event);
  waiting_.emplace_back(record.ticket, std::move(event));
} catch (...) {
  // As above.
}

void Events::emit_durable() {
  if (waiting_.empty()) return;
  const Ticket durable = lease_->durable();
  while (!waiting_.empty() && waiting_.front().first <= durable) {
    emit_locked(waiting_.front().second);
    waiting_.pop_front();
  }
}

void Events::emit_locked(Event& event) {
  event.seq = ++last_;
  event.at = std::chrono::floor<std::chrono::milliseconds>(clock_.wall());
  event.run = run_;
  event.pipeline = pipeline_;
  count(event);
  for (Observer*& observer : observers_) {
    if (observer == nullptr) continue;
    try {
      observer->on_event(event);
    } catch (const std::exception& error) {
      observer = nullptr;
      warnings_.push_back(fmt::format("an observer threw and was detached: {}", error.what()));
    } catch (...) {
      observer = nullptr;
      warnings_.emplace_back("an observer threw and was detached");
    }
  }
}

/// Counted here and not where items are committed: under this lock the counts rise in the order of
/// Event::seq.
void Events::count(Event& event) {
  if (!event.step.empty()) return;
  const bool listed = event.kind == EventKind::items_listed;
  if (listed || event.kind == EventKind::enqueued) {
    Counts& counts = items_[event.stage];
    if (listed) counts = {.done = event.counts->kept};
    if (event.counts->kept > counts.kept && !listed)
      counts.done += event.counts->kept - counts.kept;
    event.counts->done = counts.done;
    event.counts->failed = counts.failed;
    counts = *event.counts;
    return;
  }
  const auto found = items_.find(event.stage);
  if (found == items_.end()) return;
  Counts& counts = found->second;
  if (event.kind == EventKind::stage_finished) {
    counts.done = counts.total;  // with items that repeat another
  } else if (event.item.empty()) {
    return;
  } else if (event.kind == EventKind::committed) {
    ++counts.done;
  } else if (event.kind == EventKind::failed) {
    ++counts.failed;
  } else {
    return;
  }
  event.counts = counts;
}

void Events::warn(std::string text) {
  const std::scoped_lock lock{guard_};
  if (std::ranges::count(warnings_, text) == 0) warnings_.push_back(std::move(text));
}

std::vector<std::string> Events::warnings() const {
  const std::scoped_lock lock{guard_};
  return warnings_;
}

}  // namespace resumable::record
