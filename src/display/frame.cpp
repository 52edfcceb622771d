#include "display/frame.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.hpp"
#include "core/time.hpp"
#include "core/width.hpp"

namespace resumable::display {

using core::clip;
using core::pad;
using core::width;
using State = StageView::State;

namespace {

/// Attempts are counted over all calls, each of which has its own allowance: `4 of 6`, not `4 of
/// 3`.
unsigned allowed(const Running& running) {
  const unsigned each = std::max(running.attempts_allowed, 1U);
  return std::max((running.attempt + each - 1) / each, 1U) * each;
}

/// Of the run: a fan-out that runs counts for its items.
double fraction(const RunView& view) {
  if (view.total() == 0) return 0;
  auto done = static_cast<double>(view.done());
  for (const std::size_t place : view.active()) {
    const StageView& stage = view.stages()[place];
    if (!stage.counted || !stage.fan_out || stage.items.total == 0) continue;
    done += static_cast<double>(stage.items.done) / static_cast<double>(stage.items.total);
  }
  return std::min(done / static_cast<double>(view.total()), 1.0);
}

std::string bar(double part, std::size_t columns, Style style) {
  std::string full;
  std::string rest;
  if (style.ascii) {
    const std::size_t room = columns - 2;
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(room));
    return "[" + std::string(filled, '#') + std::string(room - filled, '-') + "]";
  }
  const auto halves = static_cast<std::size_t>(part * 2 * static_cast<double>(columns));
  for (std::size_t i = 0; i < columns; ++i) {
    if (i < halves / 2) {
      full += "━";
    } else if (i == halves / 2 && halves % 2 == 1) {
      full += "╸";
    } else {
      rest += style.color ? "━" : "─";
    }
  }
  return tinted(style, "32", full) + tinted(style, "2", rest);
}

std::string header(const RunView& view, sys::BootTime now, const FrameOptions& options) {
  const Style style = options.style;
  std::string right =
      fmt::format("{}/{}   {}", view.done(), view.total(), clock_text(now - view.began()));
  const RunView::Left left = view.left(now);
  const bool known = left.time.count() >= 1;
  const std::string estimate =
      known ? fmt::format(", {} {} left", left.all_known ? "about" : "more than",
                          about_text(left.time))
            : std::string{};
  const std::string paid = core::format_cost(view.cost());
  const std::string cost = paid.empty() ? paid : "   " + paid;
  const std::string name = core::printable(view.pipeline()) + " " + core::printable(view.run());
  // What a narrow terminal leaves out, in this order: the bar, the cost, the estimate, the end of
  // the name.
  const auto room = [&](const std::string& tail) {
    const std::size_t used = width(name) + width(tail) + 2;
    return options.columns > used ? options.columns - used : 0;
  };
  for (const std::string& more : {estimate + cost, estimate, std::string{}}) {
    if (room(right + more) == 0 && !more.empty()) continue;
    right += more;
    break;
  }
  const std::size_t bars = std::min<std::size_t>(room(right), 34);
  if (bars >= 10) {
    return tinted(style, "1", name) + "  " + bar(fraction(view), bars - 2, style) + "  " + right;
  }
  const std::size_t names = options.columns - std::min(options.columns, width(right) + 2);
  const std::string shown = clip(name, names, ellipsis(style));
  return clip(tinted(style, "1", shown) + "  " + right, options.columns, ellipsis(style));
}

std::string saved_text(const StageView& stage, sys::BootTime now) {
  return stage.saved ? fmt::format("saved {} ago", clock_text(now - *stage.saved)) : std::string{};
}

/// `left` and, where there is room, `right` at the end of the line.
std::string between(const std::string& left, const std::string& right,
                    const FrameOptions& options) {
  const std::size_t taken = width(right) + 2;
  if (right.empty() || options.columns < taken + 30) {
    return clip(left, options.columns, ellipsis(options.style));
  }
  return clip(pad(left, std::min<std::size_t>(width(left) + 4, options.columns - taken)),
              options.columns - taken, ellipsis(options.style)) +
         (width(left) + 4 > options.columns - taken ? "  " : "") + right;
}

std::vector<std::string> rows_of(const RunView& view, sys::BootTime now,
                                 const FrameOptions& options, std::size_t room) {
  std::size_t names = 12;
  for (const std::size_t place : view.active()) {
    names = std::max(names, width(view.stages()[place].name));
  }
  names = std::min({names, options.columns / 3, std::size_t{33}});
  std::vector<std::string> rows;
  for (const std::size_t place : view.active()) {
    if (rows.size() + 1 == room && view.active().size() > room) {
      rows.push_back(clip(fmt::format("  {} {} more running", symbol(options.style, Mark::started),
                                      view.active().size() - rows.size()),
                          options.columns, ellipsis(options.style)));
      break;
    }
    if (rows.size() == room) break;
    const StageView& stage = view.stages()[place];
    const std::string name = clip(stage.name, names, ellipsis(options.style));
    rows.push_back(between(fmt::format("  {} {}  {}", symbol(options.style, Mark::started),
                                       pad(name, names), doing(stage, now, options.style)),
                           saved_text(stage, now), options));
  }
  return rows;
}

/// `○ 6 to go   enrich_visualizations, cite, …`; "" when nothing is.
std::string to_go(const RunView& view, const FrameOptions& options) {
  std::size_t open = 0;
  std::string names;
  for (const StageView& stage : view.stages()) {
    if (!stage.counted || stage.state != State::open) continue;
    if (names.size() < options.columns) names += (open == 0 ? "" : ", ") + stage.name;
    ++open;
  }
  if (open == 0) return {};
  return clip(fmt::format("  {} {} to go  {}", symbol(options.style, Mark::open), open, names),
              options.columns, ellipsis(options.style));
}

std::string hint(const RunView& view, const FrameOptions& options) {
  std::string text;
  if (options.stopping) {
    text = "stopping: saves, and leaves at the next safe points. Ctrl-C again: stop now";
  } else {
    const std::size_t again = std::max<std::size_t>(view.running(), 1);
    text = fmt::format(
        "Ctrl-C once: start nothing new, save and leave at the next safe points{}twice: stop now, "
        "at most {} {} done again",
        dot(options.style), again, again == 1 ? "call is" : "calls are");
    if (width(text) > options.columns) {
      text = fmt::format("Ctrl-C once: save and leave{}twice: stop now", dot(options.style));
    }
  }
  return tinted(options.style, "2", clip(text, options.columns, ellipsis(options.style)));
}

}  // namespace

std::string doing(const StageView& stage, sys::BootTime now, Style style) {
  std::string text;
  if (stage.fan_out) {
    text = fmt::format("{}/{}", stage.items.done, stage.items.total);
    if (stage.items.failed > 0) text += fmt::format(", {} failed", stage.items.failed);
    text += "   ";
  }
  std::size_t calls = 0;
  std::size_t waits = 0;
  const std::pair<const std::string, Running>* oldest = nullptr;
  const std::pair<const std::string, Running>* next = nullptr;
  for (const auto& one : stage.now) {
    if (one.second.next_try) {
      ++waits;
      if (next == nullptr || *one.second.next_try < *next->second.next_try) next = &one;
    } else {
      ++calls;
      if (oldest == nullptr || one.second.since < oldest->second.since) oldest = &one;
    }
  }
  if (oldest != nullptr) {
    const std::string since = clock_text(now - oldest->second.since);
    if (!stage.fan_out) {
      text += "running for " + since;
    } else if (calls == 1) {
      text += fmt::format("{} for {}", core::printable(oldest->first), since);
    } else {
      text += fmt::format("{} running, {} for {}", calls, core::printable(oldest->first), since);
    }
    if (!oldest->second.step.empty()) {
      text += fmt::format(" in {}", core::printable(oldest->second.step));
    }
    if (stage.last && !stage.fan_out) {
      text += fmt::format(" (last time {})", core::format_duration(*stage.last));
    }
  }
  if (next != nullptr) {
    const Running& retry = next->second;
    if (oldest != nullptr) text += ", ";
    if (stage.fan_out) text += waits == 1 ? "1 waits " : fmt::format("{} wait ", waits);
    if (!stage.fan_out) text += "waits ";
    const Seconds wait = std::max(Seconds{*retry.next_try - now}, Seconds{});
    text += fmt::format("{} ({}, try {} of {})", clock_text(wait + Seconds{0.999}),
                        clip(core::printable(retry.why), 40, ellipsis(style)), retry.attempt,
                        allowed(retry));
  }
  if (oldest == nullptr && next == nullptr) {
    text += stage.state == State::failed    ? "failed"
            : stage.state == State::waiting ? "waits"
                                            : "continuing";
  }
  return text;
}

std::vector<std::string> frame(const RunView& view, sys::BootTime now,
                               const FrameOptions& options) {
  std::vector<std::string> lines{header(view, now, options)};
  const std::string open = to_go(view, options);
  const bool hints = (options.ctrl_c || options.stopping) && options.rows >= 4;
  const bool opens = !open.empty() && options.rows >= 3;
  const std::size_t room = options.rows - 1 - (hints ? 1 : 0) - (opens ? 1 : 0);
  if (options.rows > 1) {
    for (std::string& row : rows_of(view, now, options, room)) lines.push_back(std::move(row));
  }
  if (opens) lines.push_back(open);
  if (hints) lines.push_back(hint(view, options));
  return lines;
}

std::string last_line(const RunView& view, std::string_view outcome, sys::BootTime now,
                      Style style) {
  const Mark mark = outcome == "done"                             ? Mark::done
                    : outcome == "failed" || outcome == "refused" ? Mark::failed
                    : outcome == "waiting"                        ? Mark::waiting
                                                                  : Mark::partial;
  const std::string paid = core::format_cost(view.cost());
  return fmt::format("{} {} {}: {}   {}/{}   {}{}{}", symbol(style, mark),
                     core::printable(view.pipeline()), core::printable(view.run()), outcome,
                     view.done(), view.total(), core::format_duration(Seconds{now - view.began()}),
                     paid.empty() ? "" : "   ", paid);
}

}  // namespace resumable::display
