#include "record/events.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

namespace resumable::record {

void Events::emit(Event event) noexcept try {
  const std::scoped_lock lock{guard_};
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
} catch (...) {
  // Out of memory while telling: the run itself goes on.
}

/// Here and not where items are committed: under this lock the counts rise as Event::seq does.
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
