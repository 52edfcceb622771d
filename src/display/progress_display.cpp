#include "resumable/progress_display.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <utility>

#include "core/width.hpp"
#include "display/frame.hpp"
#include "display/lines.hpp"
#include "display/region.hpp"
#include "resumable/detail/saturating.hpp"
#include "sys/timer.hpp"

namespace resumable {
inline namespace v0 {

namespace {

constexpr std::chrono::milliseconds redraw{100};
/// The smallest useful size of a block; a smaller terminal gets only the lines that stay.
constexpr sys::TerminalSize smallest{24, 6};

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

ProgressStyle style_for(const ProgressDisplayOptions& options) {
  if (options.style != ProgressStyle::automatic) return options.style;
  const bool err = options.stream == nullptr || options.stream == &std::cerr;
  const bool person = std::getenv("CI") == nullptr;
  if (!err || !person || !sys::is_terminal(sys::Stream::err)) return ProgressStyle::log;
  const bool sized = sys::terminal_size(sys::Stream::err).rows > 0;
  return sized || options.rows > 0 ? ProgressStyle::block : ProgressStyle::lines;
}

}  // namespace

/// `guard` protects the state, `writing` the output; `writing` is taken first. Events in a block
/// take only `guard`, so their emitter never waits for the terminal.
struct ProgressDisplay::State {
  explicit State(const ProgressDisplayOptions& given)
      : options(given),
        kind(style_for(given)),
        look{given.color.value_or(kind == ProgressStyle::block && !is_set("NO_COLOR")),
             given.ascii},
        out(given.stream != nullptr ? *given.stream : std::cerr),
        clock(given.clock != nullptr ? *given.clock : system),
        log(given.item_lines),
        people(look, given.columns, kind == ProgressStyle::lines, given.item_lines) {}

  void begin();
  void take(const Event& event);
  void end(const Event& event);
  void tick(sys::Timer& from);
  void draw();
  void beat();
  void put(std::string_view text) noexcept;
  [[nodiscard]] sys::TerminalSize size() const;
  [[nodiscard]] display::FrameOptions frame_options(sys::TerminalSize now) const;
  [[nodiscard]] bool is_block() const noexcept { return kind == ProgressStyle::block; }
  /// Whether the block is on this process's own terminal, and not where a test wants it.
  [[nodiscard]] bool on_terminal() const noexcept { return &out == &std::cerr; }

  const ProgressDisplayOptions options;
  const ProgressStyle kind;
  const display::Style look;
  std::ostream& out;
  sys::SystemClock system;
  sys::Clock& clock;

  std::mutex writing;
  display::Region region;
  sys::LastWords last_words;
  std::vector<std::string> shown;
  sys::TerminalSize shown_at;
  bool failed = false;

  std::mutex guard;
  display::RunView view;
  display::LogLines log;
  display::PeopleLines people;
  std::string pending;  ///< lines that are to stay, not written yet

  std::unique_ptr<sys::Timer> timer;  ///< last: its thread ends before the members that it uses
};

void ProgressDisplay::State::put(std::string_view text) noexcept {
  if (failed || text.empty()) return;
  try {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.flush();
    failed = !out.good();
  } catch (...) {
    failed = true;  // the program's stream throws when it fails
  }
}

sys::TerminalSize ProgressDisplay::State::size() const {
  sys::TerminalSize now =
      on_terminal() ? sys::terminal_size(sys::Stream::err) : sys::TerminalSize{};
  if (options.columns > 0) now.columns = options.columns;
  if (options.rows > 0) now.rows = options.rows;
  return now;
}

display::FrameOptions ProgressDisplay::State::frame_options(sys::TerminalSize now) const {
  const bool stoppable = options.stop.token().stop_possible();
  return {.style = look,
          .columns =
              now.columns - 1,  // after output in the last column the cursor position is uncertain
          .rows = std::clamp<std::size_t>(now.rows / 3, 2, 9),
          .ctrl_c = stoppable,
          .stopping = stoppable && options.stop.token().stop_requested()};
}

void ProgressDisplay::State::begin() {
  timer.reset();
  timer = std::make_unique<sys::Timer>(clock);
  const auto wait = is_block() ? std::chrono::milliseconds{0} : options.heartbeat;
  if (!is_block() && options.heartbeat.count() <= 0) return;
  timer->call_at(detail::later(clock.boot(), wait), [this, from = timer.get()] { tick(*from); });
}

void ProgressDisplay::State::tick(sys::Timer& from) {
  try {
    if (is_block()) {
      draw();
    } else {
      beat();
    }
  } catch (...) {
    // Out of memory: the next attempt may succeed.
  }
  const std::scoped_lock lock{writing};
  if (failed) return;
  const auto wait = is_block() ? redraw : options.heartbeat;
  from.call_at(detail::later(clock.boot(), wait), [this, &from] { tick(from); });
}

void ProgressDisplay::State::beat() {
  const std::scoped_lock writes{writing};
  std::string text;
  {
    const std::scoped_lock lock{guard};
    text = kind == ProgressStyle::log ? display::LogLines::beat(view, clock.wall(), clock.boot())
                                      : people.beat(view, clock.boot());
  }
  put(kind == ProgressStyle::log ? text : core::wrap(text, options.columns));
}

void ProgressDisplay::State::draw() {
  const std::scoped_lock writes{writing};
  if (failed) return;
  const sys::TerminalSize now = size();
  const bool fits = now.columns >= smallest.columns && now.rows >= smallest.rows;
  const bool shows = fits && (!on_terminal() || sys::in_foreground(sys::Stream::err));
  std::vector<std::string> lines;
  std::string stays;
  {
    const std::scoped_lock lock{guard};
    if (shows) lines = display::frame(view, clock.boot(), frame_options(now));
    stays = std::exchange(pending, {});
  }
  std::string text;
  if (!shows) text += region.leave();
  if (!stays.empty() && fits) {
    text += display::Region::above(core::wrap(stays, now.columns), now.columns);
  } else {
    text += stays;
  }
  if (shows && (lines != shown || now != shown_at)) {
    text += region.show(lines, now);
    shown = std::move(lines);
    shown_at = now;
  } else if (!shows) {
    shown.clear();
  }
  if (!on_terminal() || !region.shown()) {
    last_words.take_back();
  } else if (!last_words.leave(display::Region::give_back)) {
    failed = true;  // the process ends, and the rows were given back
  }
  put(text);
}

void ProgressDisplay::State::take(const Event& event) {
  if (is_block()) {
    const std::scoped_lock lock{guard};
    view.on_event(event, clock.boot());
    pending += people.of(event);
    return;
  }
  const std::scoped_lock writes{writing};
  std::string text;
  {
    const std::scoped_lock lock{guard};
    view.on_event(event, clock.boot());
    text =
        kind == ProgressStyle::log ? log.of(event) : core::wrap(people.of(event), options.columns);
  }
  put(text);
}

void ProgressDisplay::State::end(const Event& event) {
  timer.reset();
  const std::scoped_lock writes{writing};
  const std::scoped_lock lock{guard};
  std::string text = std::exchange(pending, {});
  shown.clear();
  const std::string outcome = event.code.empty() ? "ended" : event.code;
  if (kind != ProgressStyle::log) {
    text += display::last_line(view, outcome, clock.boot(), look) + "\n";
  }
  if (is_block()) {
    const sys::TerminalSize now = size();
    const std::string wrapped = core::wrap(text, now.columns);
    text =
        region.leave() + (now.columns > 1 ? display::Region::above(wrapped, now.columns) : wrapped);
  } else {
    text = core::wrap(text, options.columns);
  }
  put(text);
  last_words.take_back();
}

ProgressDisplay::ProgressDisplay(const ProgressDisplayOptions& options)
    : state_(std::make_unique<State>(options)) {}

ProgressDisplay::~ProgressDisplay() {
  state_->timer.reset();
  state_->put(state_->region.leave());
}

void ProgressDisplay::on_event(const Event& event) {
  state_->take(event);
  if (event.kind == EventKind::run_started) state_->begin();
  if (event.kind == EventKind::run_finished) state_->end(event);
}

void ProgressDisplay::print(std::string_view line) {
  const std::scoped_lock writes{state_->writing};
  const std::string text = std::string{line} + "\n";
  const std::size_t columns = state_->shown_at.columns;
  state_->put(state_->region.shown() ? display::Region::above(text, columns) : text);
}

}  // namespace v0
}  // namespace resumable
