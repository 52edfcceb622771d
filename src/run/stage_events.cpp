#include "run/stage_events.hpp"

#include "core/advice.hpp"
#include "resumable/error.hpp"
#include "stage/attempt.hpp"

namespace resumable::run {

Event StageEvents::about(EventKind kind, std::uint32_t node, std::string_view item) const {
  Event event;
  event.kind = kind;
  event.stage = graph_.nodes[node].shown();
  event.item = std::string{item};
  return event;
}

void StageEvents::items_listed(std::uint32_t node, const plan::NodeState& state) {
  if (!state.list || !state.taken) return;
  Event event = about(EventKind::items_listed, node);
  event.counts = Counts{state.items.size(), state.decision.skipped, state.decision.to_run};
  events_.emit(std::move(event));
}

void StageEvents::worked_around(std::uint32_t node, const plan::NodeState& state) {
  const auto tell = [&](const std::vector<Cause>& causes, std::string_view item) {
    for (const Cause& cause : causes) {
      if (cause.reason != Reason::fell_back && cause.reason != Reason::migrated) continue;
      const bool migrated = cause.reason == Reason::migrated;
      Event event = about(migrated ? EventKind::migrated : EventKind::fell_back, node, item);
      event.file = cause.file;
      event.message = cause.text(core::no_advice);
      events_.emit(std::move(event));
    }
  };
  if (!state.list) return tell(state.decision.causes, "");
  for (const auto& [i, causes] : state.causes) {
    if (state.items[i].action == Action::skip) tell(causes, state.list->keys[i]);
  }
}

void StageEvents::skipped(std::uint32_t node, const plan::NodeState& state) {
  Event event = about(EventKind::skipped, node);
  event.reasons = plan::reasons_of(state.decision.causes);
  events_.emit(std::move(event));
}

void StageEvents::started(std::uint32_t node, const plan::NodeState& state) {
  Event event = about(EventKind::stage_started, node);
  event.reasons = plan::reasons_of(state.decision.causes);
  events_.emit(std::move(event));
}

void StageEvents::finished(std::uint32_t node, const StageReport& report) {
  Event event = about(EventKind::stage_finished, node);
  event.duration = report.duration;
  event.cost = report.cost;
  events_.emit(std::move(event));
}

void StageEvents::enqueued(std::uint32_t node, std::string_view item, std::string_view parent,
                           Counts counts) {
  Event event = about(EventKind::enqueued, node, item);
  event.message = "by " + std::string{parent};
  event.counts = counts;
  events_.emit(std::move(event));
}

void StageEvents::needs_dropped(const std::string& stage, Counts counts) {
  Event event;
  event.kind = EventKind::plan_revised;
  event.counts = counts;
  event.message = "stage '" + stage + "' takes a value that was dropped after use; replanned";
  events_.emit(std::move(event));
}

void StageEvents::interrupted(std::uint32_t node, std::string_view item,
                              const std::string& message) {
  Event event = about(EventKind::interrupted, node, item);
  event.message = message;
  events_.emit(std::move(event));
}

void StageEvents::waiting(std::uint32_t node, std::string_view item, const std::string& message) {
  Event event = about(EventKind::waiting, node, item);
  event.message = message;
  events_.emit(std::move(event));
}

void StageEvents::failed(std::uint32_t node, std::string_view item, const std::string& message,
                         const std::exception_ptr& error) {
  Event event = about(EventKind::failed, node, item);
  event.message = message;
  event.code = stage::code_of(error);
  if (event.code.empty()) event.code = to_string(Errc::stage_failed);
  events_.emit(std::move(event));
}

}  // namespace resumable::run
