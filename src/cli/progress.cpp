#include "cli/progress.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

std::string place(const Event& event) {
  std::string text = event.stage;
  for (const std::string& part : {event.item, event.step}) {
    if (!part.empty()) text += "/" + core::printable(part);
  }
  return text;
}

std::string spent(const Event& event) {
  std::string text = event.duration ? core::format_duration(*event.duration) : std::string{};
  if (const std::string paid = core::format_cost(event.cost); !paid.empty()) text += "  " + paid;
  return text;
}

/// The word that a log line begins with, or "" for events that are not logged.
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

/// Attempts are counted over all calls, each of which has its own allowance: `4 of 6`, not `4 of
/// 3`.
unsigned attempts_allowed(const Event& event) {
  const unsigned each = std::max(event.attempts_allowed, 1U);
  return std::max((event.attempt + each - 1) / each, 1U) * each;
}

}  // namespace

void Progress::on_event(const Event& event) {
  // Steps that were done before are many, and say nothing new.
  if (event.kind == EventKind::skipped && !event.step.empty()) return;
  if (event.kind == EventKind::skipped && event.item.empty()) {
    kept_.push_back(event.stage);
    return;
  }
  if (console_.interactive) {
    for_people(event);
  } else {
    for_logs(event);
  }
  console_.err.flush();
}

void Progress::line(Mark mark, const std::string& place, const std::string& rest) {
  report_kept();
  const std::size_t columns =
      console_.columns == 0 ? 33 : std::min<std::size_t>(33, console_.columns / 2);
  console_.err << console_.wrap(
      fmt::format("  {} {}  {}\n", symbol(console_, mark), pad(place, columns), rest));
}

/// Stages that are kept are named in one line, however many there are.
void Progress::report_kept() {
  const std::vector<std::string> stages = std::exchange(kept_, {});
  if (stages.empty()) return;
  if (stages.size() == 1) return line(Mark::done, stages.front(), "kept");
  line(Mark::done, number_of(stages.size(), "stage") + " kept",
       stages.size() > 4 ? stages.front() + " to " + stages.back()
                         : fmt::format("{}", fmt::join(stages, ", ")));
}

void Progress::for_people(const Event& event) {
  const std::string where = place(event);
  switch (event.kind) {
    case EventKind::run_started:
      console_.err << console_.wrap(bold(console_, event.pipeline + dot(console_) + event.run) +
                                    (event.message == "resumed" ? "  (resumed)" : "") + "\n");
      break;
    case EventKind::plan_revised:
      report_kept();
      console_.err << console_.wrap("  the plan was revised: " + event.file + "\n");
      break;
    case EventKind::stage_started: line(Mark::started, where, "started"); break;
    case EventKind::items_listed:
    case EventKind::enqueued: items_[event.stage].counts = event.counts.value_or(Counts{}); break;
    case EventKind::item_started: line(Mark::started, where, begun(event.stage)); break;
    case EventKind::committed: line(Mark::done, where, spent(event)); break;
    case EventKind::skipped: line(Mark::done, where, "kept"); break;
    case EventKind::cache_missed: line(Mark::stale, where, core::printable(event.message)); break;
    case EventKind::retried:
      line(Mark::stale, where,
           fmt::format("try {} of {} failed ({}); waits {}", event.attempt, attempts_allowed(event),
                       core::printable(event.message),
                       core::format_duration(event.duration.value_or(Seconds{}))));
      break;
    case EventKind::failed: line(Mark::failed, where, core::printable(event.message)); break;
    case EventKind::overdue:
      line(Mark::stale, where, "is past its timeout and was asked to stop");
      break;
    case EventKind::restored: line(Mark::note, where, "exported again: " + event.file); break;
    case EventKind::quarantined:
      report_kept();
      console_.err << console_.wrap("  warning: damaged: " + event.file + "; " + event.message +
                                    "\n");
      break;
    case EventKind::waiting: line(Mark::waiting, where, event.message); break;
    case EventKind::interrupted: line(Mark::note, where, "interrupted"); break;
    case EventKind::run_finished: report_kept(); break;
    default: break;
  }
}

/// `started (3 of 20)`; items that are kept count as begun.
std::string Progress::begun(const std::string& stage) {
  Items& items = items_[stage];
  const std::size_t number = items.counts.kept + ++items.begun;
  return fmt::format("started ({} of {})", number, std::max(number, items.counts.total));
}

void Progress::for_logs(const Event& event) {
  const std::string_view what = word(event);
  if (what.empty()) return;
  if (const std::vector<std::string> stages = std::exchange(kept_, {}); !stages.empty()) {
    const std::string which =
        stages.size() == 1 ? "stage=" + stages.front() : fmt::format("stages={}", stages.size());
    console_.err << fmt::format("{}Z {:<8} {}\n", core::format_utc(event.at).substr(0, 19), "keep",
                                which);
  }
  std::string line = fmt::format("{}Z {:<8}", core::format_utc(event.at).substr(0, 19), what);
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
    line += fmt::format(" try={}/{} wait={:.1f}s", event.attempt, attempts_allowed(event),
                        event.duration.value_or(Seconds{}).count());
  } else if (event.duration) {
    line += fmt::format(" dur={:.3f}s", event.duration->count());
  }
  if (event.cost.usd > 0) line += fmt::format(" cost_usd={:.4f}", event.cost.usd);
  if (event.bytes) line += fmt::format(" bytes={}", *event.bytes);
  if (event.changed) line += fmt::format(" changed={}", *event.changed);
  add("file", event.file);
  add("message", event.message);
  add("code", event.code);
  console_.err << line << "\n";
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
