/// @file
/// Loops inside a stage's function that go on where they were: saved progress, and histories.
///
///     auto chat = ctx.progress(Chat{id}, {.every = 5});     // the state last saved, or this one
///     while (!chat->finished()) { chat->ask_next(); chat.safepoint(); }
///
///     auto turns = ctx.history<Turn>();                     // every entry is saved, once
///     while (turns.size() < 1000) { turns.push_back(next(turns)); turns.safepoint(); }
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "resumable/codec.hpp"
#include "resumable/context.hpp"

namespace resumable::inline v0 {

/// When safepoint() saves: whenever one of these says so, and always before the stage is left for a
/// stop request or the end of a budget. Fill in by designated initialisers.
struct Cadence {
  std::string name = "progress";          ///< of this state, among those of its stage or item
  unsigned every = 0;                     ///< every so many safepoints; 0: not by number
  std::chrono::milliseconds interval{0};  ///< when the last save is so long ago; 0: not by time
  /// At most this share of the time goes into saving; 0: not by cost. The next save is due when
  /// (what a save takes, as measured) ÷ share has passed. Of the loss that a crash may cause and
  /// the cost of saving, the sum is least at an interval of √(2 · save · M), M being the mean time
  /// between crashes (J. W. Young, Comm. ACM 17(9), 1974; J. T. Daly, FGCS 22(3), 2006), that is at
  /// a share of √(save ÷ 2M): for a save of 2 ms and a crash a day 0.01 %; for 1 s, a crash an
  /// hour, 1.2 %. The default, when nothing else is asked for, is 1 %.
  double share = 0;
};

/// Which entries of a history are left out, and when: what remains depends on their number alone,
/// so that an interrupted loop sees what an uninterrupted one sees. The default leaves out none.
///
/// The first time is when there are more than `above`, then every `every` entries more; then all
/// but the `first` and the `last` are omitted, erased from the store and not to be had again.
struct Compaction {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t above = 0;  ///< 0: never
  std::size_t every = 1;
};

namespace detail {

/// The entries of a history that compaction has left out: `count` of them, from number `first` on.
struct Gap {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// One saved state or history, behind Progress and History. Not safe to use from several threads.
class RESUMABLE_EXPORT Loop {
 public:
  enum class Due : std::uint8_t { no, save, save_and_leave };
  virtual ~Loop();
  /// A pass of the loop is over. Allocates nothing and reads the clock at most once.
  [[nodiscard]] virtual Due pass() noexcept = 0;
  virtual void save(const void* state) = 0;
  /// Saves the entries that were pushed since the last call, and where the gap is now: one commit.
  virtual void append(const std::vector<const void*>& entries, Gap gap) = 0;
  /// @throws Suspended
  [[noreturn]] virtual void leave() = 0;
};

struct ProgressCall {
  const Cadence& cadence;
  const ValueType& type;
};
struct HistoryCall {
  std::string_view name;
  const ValueType& type;
};
struct LoadedProgress {
  std::unique_ptr<Loop> loop;
  AnyValue state;  ///< null: nothing was saved
};
/// @throws Error{Errc::bad_option}
RESUMABLE_EXPORT void check(const Compaction& compaction, std::size_t every);
struct LoadedHistory {
  std::unique_ptr<Loop> loop;
  std::vector<AnyValue> entries;  ///< in order, without those in the gap
  Gap gap;
};

}  // namespace detail

/// The state of a loop. Movable; valid during its stage's attempt; one thread at a time.
template <class T>
class Progress {
 public:
  Progress(std::unique_ptr<detail::Loop> loop, T state, bool resumed)
      : loop_(std::move(loop)), state_(std::move(state)), resumed_(resumed) {}

  [[nodiscard]] T& operator*() noexcept { return state_; }
  [[nodiscard]] const T& operator*() const noexcept { return state_; }
  [[nodiscard]] T* operator->() noexcept { return &state_; }
  [[nodiscard]] const T* operator->() const noexcept { return &state_; }
  /// Whether it is a state that was saved, not the initial one.
  [[nodiscard]] bool resumed() const noexcept { return resumed_; }

  /// To be called where the state is whole, once per pass. Saves if the cadence says so, durably on
  /// return. After a stop request, or when the budget is over, it saves and leaves the stage. Costs
  /// tens of nanoseconds when it does neither.
  /// @throws Error{Errc::not_encodable}, Error{Errc::store_failed}; Suspended, not to be caught
  void safepoint() {
    const detail::Loop::Due due = loop_->pass();
    if (due == detail::Loop::Due::no) return;
    loop_->save(&state_);
    if (due == detail::Loop::Due::save_and_leave) loop_->leave();
  }
  /// Saves now. Durable on return. @throws Error as safepoint()
  void save() { loop_->save(&state_); }

 private:
  std::unique_ptr<detail::Loop> loop_;
  T state_;
  bool resumed_;
};

/// Fill in by designated initialisers.
template <class T>
struct HistoryOptions {
  std::string name = "history";  ///< among the histories of its stage or item
  std::size_t every = 1;         ///< push_backs per commit
  Compaction compaction{};
  /// Entries that stay beside the one before them, as a result beside its call: no gap begins or
  /// ends between the two.
  std::function<bool(const T&)> with_previous{};
};

/// A durable vector of what a loop has seen, for stages that grow a list: a save costs what is new,
/// however long the list is. Movable; valid during its stage's attempt; one thread at a time.
template <class T>
class History {
 public:
  History(detail::LoadedHistory loaded, HistoryOptions<T> options)
      : loop_(std::move(loaded.loop)), options_(std::move(options)), gap_(loaded.gap) {
    for (const detail::AnyValue& entry : loaded.entries) {
      entries_.push_back(*static_cast<const T*>(entry.get()));
    }
    saved_ = size();
  }

  /// How many were ever pushed.
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size() + gap_.count; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Whether compaction has left entries out: what remains is not all there was.
  [[nodiscard]] bool lossy() const noexcept { return gap_.count != 0; }
  [[nodiscard]] std::size_t omitted() const noexcept { return gap_.count; }

  /// Calls `entry(const T&)` for what remains, in order, and `gap(std::size_t omitted)` where
  /// entries were left out.
  template <class Entry, class OnGap>
  void visit(Entry entry, OnGap gap) const {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (lossy() && i == gap_.first) gap(gap_.count);
      entry(entries_[i]);
    }
    if (lossy() && gap_.first == entries_.size()) gap(gap_.count);
  }
  /// What remains, without the mark of what was omitted.
  [[nodiscard]] const std::vector<T>& entries() const noexcept { return entries_; }
  [[nodiscard]] const T& back() const { return entries_.back(); }

  /// Durable on return with every `every`-th entry, else with a later one or at save().
  /// @throws Error{Errc::not_encodable}, Error{Errc::store_failed}
  void push_back(T entry) {
    entries_.push_back(std::move(entry));
    const bool compacted = is_due() && compact();
    if (compacted || size() - saved_ >= options_.every) flush();
  }
  /// Saves what is not saved yet. Durable on return.
  void save() {
    if (saved_ != size()) flush();
  }
  /// After a stop request, or when the budget is over: saves and leaves the stage.
  /// @throws Suspended, not to be caught
  void safepoint() {
    if (loop_->pass() != detail::Loop::Due::save_and_leave) return;
    save();
    loop_->leave();
  }

 private:
  [[nodiscard]] bool is_due() const noexcept {
    const Compaction& how = options_.compaction;
    return how.above != 0 && size() > how.above && (size() - how.above - 1) % how.every == 0;
  }
  [[nodiscard]] bool stays_with_previous(std::size_t i) const {
    return i < entries_.size() && options_.with_previous && options_.with_previous(entries_[i]);
  }

  /// Drops what is to be left out at this size; false when that is nothing.
  bool compact() {
    const Compaction& how = options_.compaction;
    std::size_t from = lossy() ? gap_.first : std::min(how.first, entries_.size());
    while (!lossy() && stays_with_previous(from)) ++from;
    std::size_t to = entries_.size() - std::min(how.last, entries_.size());
    while (to > from && stays_with_previous(to)) --to;
    if (to <= from) return false;
    save();  // an entry gets its number before it can be left out
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(from),
                   entries_.begin() + static_cast<std::ptrdiff_t>(to));
    gap_ = {from, gap_.count + (to - from)};
    return true;
  }

  void flush() {
    std::vector<const void*> fresh;
    for (std::size_t i = entries_.size() - (size() - saved_); i < entries_.size(); ++i) {
      fresh.push_back(&entries_[i]);
    }
    loop_->append(fresh, gap_);
    saved_ = size();
  }

  std::unique_ptr<detail::Loop> loop_;
  HistoryOptions<T> options_;
  std::vector<T> entries_;  ///< that remain
  detail::Gap gap_;
  std::size_t saved_ = 0;  ///< entries on record, those in the gap included
};

template <class T>
auto Context::progress(T initial, const Cadence& cadence) {
  detail::LoadedProgress loaded = do_progress({cadence, detail::value_type<T>()});
  const bool resumed = loaded.state != nullptr;
  if (resumed) initial = T(*static_cast<const T*>(loaded.state.get()));
  return Progress<T>{std::move(loaded.loop), std::move(initial), resumed};
}

template <class T>
auto Context::progress(T initial) {
  return progress(std::move(initial), Cadence{});
}

template <class T>
auto Context::history(HistoryOptions<T> options) {
  detail::check(options.compaction, options.every);
  auto loaded = do_history({options.name, detail::value_type<T>()});
  return History<T>{std::move(loaded), std::move(options)};
}

template <class T>
auto Context::history() {
  return history(HistoryOptions<T>{});
}

}  // namespace resumable::inline v0
