#include "display/lines.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"
#include "core/time.hpp"
#include "core/width.hpp"
#include "display/frame.hpp"

namespace resumable::display {

using core::pad;
using core::printable;

namespace {

/// Whether the value was made of a file that was there.
bool is_adopted(const Event& event) {
  return std::ranges::count(event.reasons, Reason::adopted) > 0;
}

/// A message that people read in lines as one: the sides of a collision stand below each other.
std::string in_one_line(std::string_view message) {
  std::string text;
  for (const char c : message) {
    if (c == '\n') {
      text += "; ";
    } else if (c != ' ' || !text.ends_with(' ')) {
      text += c;
    }
  }
  return text;
}

/// The word that a log line begins with, or "" for events that are not logged.
std::string_view word(const Event& event) {
  switch (event.kind) {
    case EventKind::run_started: return "start";
    case EventKind::planned: return "plan";
    case EventKind::plan_revised: return "replan";
    case EventKind::committed: return is_adopted(event) ? "adopted" : "done";
    case EventKind::skipped: return "keep";
    case EventKind::cache_missed: return "missed";
    case EventKind::retried: return "retry";
    case EventKind::failed: return "failed";
    case EventKind::overdue: return "overdue";
    case EventKind::restored: return "restored";
    case EventKind::edited: return "edited";
    case EventKind::quarantined: return "damaged";
    case EventKind::waiting: return "waiting";
    case EventKind::interrupted: return "interrupted";
    case EventKind::run_finished: return "end";
    default: return {};
  }
}

std::string one_word(std::string_view text) {
  std::string shown = printable(text);
  if (shown.find_first_of(" \"") == shown.npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// Attempts are counted over all calls, each of which has its own allowance: `4 of 6`, not `4 of
/// 3`.
unsigned attempts_allowed(const Event& event) {
  const unsigned each = std::max(event.attempts_allowed, 1U);
  return std::max((event.attempt + each - 1) / each, 1U) * each;
}

std::string moment(sys::WallTime at) { return core::format_utc_seconds(at); }

/// There may be many steps that were done before, and they are not news.
bool says_nothing(const Event& event) {
  return event.kind == EventKind::skipped && !event.step.empty();
}

bool is_kept_stage(const Event& event) {
  return event.kind == EventKind::skipped && event.item.empty() && event.step.empty();
}

std::string place(const Event& event) {
  std::string text = event.stage;
  for (const std::string& part : {event.item, event.step}) {
    if (!part.empty()) text += "/" + printable(part);
  }
  return text;
}

std::string spent(const Event& event) {
  std::string text = event.duration ? core::format_duration(*event.duration) : std::string{};
  if (const std::string paid = core::format_cost(event.cost); !paid.empty()) text += "  " + paid;
  return text;
}

std::string fields(const Event& event) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {}={}", name, one_word(value));
  };
  if (event.kind == EventKind::run_started) {
    add("run", event.run);
    add("pipeline", event.pipeline);
  }
  add("stage", event.stage);
  add("item", event.item);
  add("step", event.step);
  if (event.counts && (!event.item.empty() || event.kind == EventKind::stage_finished)) {
    text += fmt::format(" items={}/{}", event.counts->done, event.counts->total);
  }
  if (event.kind == EventKind::retried) {
    text += fmt::format(" try={}/{} wait={:.1f}s", event.attempt, attempts_allowed(event),
                        event.duration.value_or(Seconds{}).count());
  } else if (event.duration) {
    text += fmt::format(" dur={:.3f}s", event.duration->count());
  }
  if (event.cost.usd > 0) text += fmt::format(" cost_usd={:.4f}", event.cost.usd);
  if (event.bytes) text += fmt::format(" bytes={}", *event.bytes);
  if (event.changed) text += fmt::format(" changed={}", *event.changed);
  add("file", event.file);
  add("message", event.kind == EventKind::waiting ? in_one_line(event.message) : event.message);
  add("code", event.code);
  return text;
}

}  // namespace

bool Crowds::hides(const Event& event) const {
  const bool usual = event.kind == EventKind::item_started || event.kind == EventKind::committed ||
                     event.kind == EventKind::skipped;
  return usual && !event.item.empty() && has(event.stage);
}

std::string LogLines::of(const Event& event) {
  crowds_.note(event);
  if (crowds_.hides(event)) return {};
  const bool sums = event.kind == EventKind::stage_finished && crowds_.has(event.stage);
  const std::string_view what = sums ? "done" : word(event);
  if (what.empty() || says_nothing(event)) return {};
  if (is_kept_stage(event)) {
    if (kept_++ == 0) kept_one_ = event.stage;
    return {};
  }
  std::string text;
  if (const std::size_t kept = std::exchange(kept_, 0); kept > 0) {
    text = fmt::format("{} {:<8} {}\n", moment(event.at), "keep",
                       kept == 1 ? "stage=" + kept_one_ : fmt::format("stages={}", kept));
  }
  return text + fmt::format("{} {:<8}{}\n", moment(event.at), what, fields(event));
}

std::string LogLines::beat(const RunView& view, sys::WallTime wall, sys::BootTime now) {
  constexpr std::size_t most = 4;
  const auto line = [&](const std::string& rest) {
    return fmt::format("{} {:<8} stages={}/{} dur={:.0f}s{}\n", moment(wall), "beat", view.done(),
                       view.total(), Seconds{now - view.began()}.count(), rest);
  };
  if (view.active().empty()) return line("");
  std::string text;
  std::size_t told = 0;
  for (const std::size_t place : view.active()) {
    const StageView& stage = view.stages()[place];
    std::string rest = fmt::format(" stage={}", stage.name);
    if (stage.fan_out) rest += fmt::format(" items={}/{}", stage.items.done, stage.items.total);
    rest += fmt::format(" running={} for={:.0f}s", stage.now.size(),
                        Seconds{now - stage.began}.count());
    if (++told == most && view.active().size() > most) {
      rest += fmt::format(" more={}", view.active().size() - most);
      return text + line(rest);
    }
    text += line(rest);
  }
  return text;
}

std::string PeopleLines::of(const Event& event) {
  if (says_nothing(event)) return {};
  if (is_kept_stage(event)) {
    kept_.push_back(event.stage);
    return {};
  }
  crowds_.note(event);
  const std::string text = every_ && !crowds_.hides(event) ? while_running(event) : std::string{};
  const std::string said = text.empty() ? told(event) : text;
  const bool ends = event.kind == EventKind::run_finished;
  return said.empty() && !ends ? said : kept() + said;
}

std::string PeopleLines::line(Mark mark, const std::string& place, const std::string& rest) const {
  const std::size_t names = columns_ == 0 ? 33 : std::min<std::size_t>(33, columns_ / 2);
  return fmt::format("  {} {}  {}\n", symbol(style_, mark), pad(place, names), rest);
}

/// Stages that are kept are named in one line, however many there are.
std::string PeopleLines::kept() {
  const std::vector<std::string> stages = std::exchange(kept_, {});
  if (stages.empty()) return {};
  if (stages.size() == 1) return line(Mark::done, stages.front(), "kept");
  return line(Mark::done, fmt::format("{} stages kept", stages.size()),
              stages.size() > 4 ? stages.front() + " to " + stages.back()
                                : fmt::format("{}", fmt::join(stages, ", ")));
}

/// What has ended, and what a user has to know.
std::string PeopleLines::told(const Event& event) {
  switch (event.kind) {
    case EventKind::run_started:
      return fmt::format("{}{}\n",
                         tinted(style_, "1", event.pipeline + std::string{dot(style_)} + event.run),
                         event.message == "resumed" ? "  (resumed)" : "");
    case EventKind::plan_revised:
      return fmt::format("  the plan was revised: {}\n",
                         event.file.empty() ? event.message : event.file);
    case EventKind::stage_finished:
      return every_ && !crowds_.has(event.stage)
                 ? std::string{}
                 : line(Mark::done, place(event),
                        spent(event) + (event.counts
                                            ? fmt::format("  ({} items)", event.counts->total)
                                            : std::string{}));
    case EventKind::cache_missed: return line(Mark::stale, place(event), printable(event.message));
    case EventKind::failed: return line(Mark::failed, place(event), printable(event.message));
    case EventKind::overdue:
      return line(Mark::stale, place(event), "is past its timeout and was asked to stop");
    case EventKind::edited: return line(Mark::note, place(event), printable(event.message));
    case EventKind::restored:
      return line(Mark::note, place(event), "exported again: " + event.file);
    case EventKind::quarantined:
      return "  warning: damaged: " + event.file + "; " + event.message + "\n";
    case EventKind::waiting:
      return line(Mark::waiting, place(event), printable(in_one_line(event.message)));
    default: return {};
  }
}

std::string PeopleLines::while_running(const Event& event) {
  switch (event.kind) {
    case EventKind::stage_started: return line(Mark::started, place(event), "started");
    case EventKind::items_listed:
    case EventKind::enqueued: items_[event.stage].counts = event.counts.value_or(Counts{}); break;
    case EventKind::item_started: return line(Mark::started, place(event), begun(event.stage));
    case EventKind::committed: return line(Mark::done, place(event), spent(event));
    case EventKind::skipped: return line(Mark::done, place(event), "kept");
    case EventKind::interrupted: return line(Mark::note, place(event), "interrupted");
    case EventKind::retried:
      return line(Mark::stale, place(event),
                  fmt::format("try {} of {} failed ({}); waits {}", event.attempt,
                              attempts_allowed(event), printable(event.message),
                              core::format_duration(event.duration.value_or(Seconds{}))));
    default: break;
  }
  return {};
}

/// `started (3 of 20)`; items that are kept count as begun.
std::string PeopleLines::begun(const std::string& stage) {
  Items& items = items_[stage];
  const std::size_t number = items.counts.kept + ++items.begun;
  return fmt::format("started ({} of {})", number, std::max(number, items.counts.total));
}

std::string PeopleLines::beat(const RunView& view, sys::BootTime now) const {
  std::string text;
  std::size_t told = 0;
  for (const std::size_t place : view.active()) {
    const StageView& stage = view.stages()[place];
    if (told++ == 4) break;
    text += line(Mark::started, stage.name, doing(stage, now, style_));
  }
  return text;
}

}  // namespace resumable::display
