#include "record/events.hpp"

#include <exception>

#include <fmt/format.h>

namespace resumable::record {

void Events::emit(Event event) noexcept try {
  const std::scoped_lock lock{guard_};
  event.seq = ++last_;
  event.at = std::chrono::floor<std::chrono::milliseconds>(clock_.wall());
  event.run = run_;
  event.pipeline = pipeline_;
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

std::vector<std::string> Events::warnings() const {
  const std::scoped_lock lock{guard_};
  return warnings_;
}

}  // namespace resumable::record
