#include "cli/progress.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace resumable::inline v0::cli {
namespace {

std::string place(const Event& event) {
  std::string text = event.stage;
  for (const std::string& part : {event.item, event.step}) {
    if (!part.empty()) text += "/" + core::printable(part);
  }
  return text;
}

std::string spent(const Event& event) {
  std::string text = event.seconds ? core::format_duration(*event.seconds) : std::string{};
  if (const std::string paid = money(event.cost); !paid.empty()) text += "  " + paid;
  return text;
}

/// The word that a log line begins with, or "" for events that are not told.
std::string_view word(const Event& event) {
  switch (event.kind) {
    case EventKind::run_started: return "start";
    case EventKind::planned: return "plan";
    case EventKind::plan_revised: return "replan";
    case EventKind::committed: return "done";
    case EventKind::skipped: return "keep";
    case EventKind::cache_missed: return "missed";
    case EventKind::retried: return "retry";
    case EventKind::failed: return "failed";
    case EventKind::overdue: return "overdue";
    case EventKind::restored: return "restored";
    case EventKind::quarantined: return "damaged";
    case EventKind::waiting: return "waiting";
    case EventKind::interrupted: return "interrupted";
    case EventKind::run_finished: return "end";
    default: return {};
  }
}

std::string one_word(std::string_view text) {
  const std::string shown = core::printable(text);
  return shown.find(' ') == shown.npos ? shown : "\"" + shown + "\"";
}

}  // namespace

void Progress::on_event(const Event& event) {
  // Steps that were done before are many, and say nothing new.
  if (event.kind == EventKind::skipped && !event.step.empty()) return;
  if (console_.terminal) {
    for_people(event);
  } else {
    for_logs(event);
  }
  console_.err.flush();
}

void Progress::for_people(const Event& event) {
  const auto line = [&](Mark mark, const std::string& rest) {
    console_.err << "  " << symbol(console_, mark) << " " << pad(place(event), 34) << " " << rest
                 << "\n";
  };
  switch (event.kind) {
    case EventKind::run_started:
      console_.err << bold(console_, event.pipeline + dot(console_) + event.run)
                   << (event.message == "resumed" ? "  (resumed)" : "") << "\n";
      break;
    case EventKind::plan_revised:
      console_.err << "  the plan was made anew: " << event.file << "\n";
      break;
    case EventKind::committed: line(Mark::done, spent(event)); break;
    case EventKind::skipped: line(Mark::done, "kept"); break;
    case EventKind::cache_missed: line(Mark::stale, core::printable(event.message)); break;
    case EventKind::retried:
      line(Mark::stale, fmt::format("try {} of {} failed ({}); waits {}", event.attempt,
                                    event.attempts_allowed, core::printable(event.message),
                                    core::format_duration(event.seconds.value_or(0))));
      break;
    case EventKind::failed: line(Mark::failed, core::printable(event.message)); break;
    case EventKind::overdue: line(Mark::stale, "is past its timeout and was asked to stop"); break;
    case EventKind::restored: line(Mark::note, "exported again: " + event.file); break;
    case EventKind::quarantined:
      console_.err << "  warning: damaged: " << event.file << "; " << event.message << "\n";
      break;
    case EventKind::waiting: line(Mark::waiting, event.message); break;
    case EventKind::interrupted: line(Mark::note, "interrupted"); break;
    default: break;
  }
}

void Progress::for_logs(const Event& event) {
  const std::string_view what = word(event);
  if (what.empty()) return;
  std::string line = fmt::format("{}Z {:<8}", event.at.substr(0, 19), what);
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) line += fmt::format(" {}={}", name, one_word(value));
  };
  if (event.kind == EventKind::run_started) {
    add("run", event.run);
    add("pipeline", event.pipeline);
  }
  add("stage", event.stage);
  add("item", event.item);
  add("step", event.step);
  if (event.kind == EventKind::retried) {
    line += fmt::format(" try={}/{} wait={:.1f}s", event.attempt, event.attempts_allowed,
                        event.seconds.value_or(0));
  } else if (event.seconds) {
    line += fmt::format(" dur={:.3f}s", *event.seconds);
  }
  if (event.cost.usd > 0) line += fmt::format(" cost_usd={:.4f}", event.cost.usd);
  if (event.bytes) line += fmt::format(" bytes={}", *event.bytes);
  if (event.changed) line += fmt::format(" changed={}", *event.changed);
  add("file", event.file);
  add("message", event.message);
  add("code", event.code);
  console_.err << line << "\n";
}

}  // namespace resumable::inline v0::cli
