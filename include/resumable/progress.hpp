/// @file
/// Loops inside a stage's function that resume where they left off: saved progress, and histories.
///
///     auto chat = ctx.progress(Chat{id}, {.every = 5});     // the state last saved, or this one
///     while (!chat->finished()) { chat->ask_next(); chat.safepoint(); }
///
///     auto turns = ctx.history<Turn>();                     // every entry is saved, once
///     while (turns.size() < 1000) { turns.push_back(next_turn(turns)); turns.safepoint(); }
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "resumable/codec.hpp"
#include "resumable/context.hpp"
#include "resumable/detail/loop.hpp"

namespace resumable {
inline namespace v0 {

/// When safepoint() saves: as soon as one of these is due, and always before the stage is left
/// because of a stop request or the end of a budget. Fill in by designated initialisers.
struct ProgressOptions {
  std::string name = "progress";          ///< of this state, among those of its stage or item
  unsigned every = 0;                     ///< at every n-th safepoint; 0: off
  std::chrono::milliseconds interval{0};  ///< when the last save is this long ago; 0: off
  /// At most this share of the time, 0 to 1, is spent on saving; 0: off. The next
  /// save is due when (the measured time of a save) ÷ share has passed. The sum of what a crash may
  /// lose and what saving costs is smallest at an interval of √(2 · save · M), M being the mean
  /// time between crashes (J. W. Young, Comm. ACM 17(9), 1974; J. T. Daly, FGCS 22(3), 2006), that
  /// is, at a share of √(save ÷ 2M): 0.01 % for a save of 2 ms and a crash per day; 1.2 % for 1 s
  /// and a crash per hour. The default, if none of the three is set, is 1 %.
  double share = 0;
  /// Keep the saved state when the stage is done. By default the commit of the stage's value
  /// erases it.
  bool keep = false;
};

/// Which entries of a history are left out, and when. What remains depends only on the number of
/// entries, so that an interrupted loop sees the same entries as an uninterrupted one. By default
/// none is left out.
///
/// This happens first when there are more than `threshold` entries, and then after every `every`
/// more: all but the `first` and the `last` are omitted. They are erased from the store and cannot
/// be recovered. With a threshold, first + last <= threshold and last >= 1.
struct Compaction {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t threshold = 0;  ///< 0: never
  std::size_t every = 1;      ///< at least 1
};

/// The state of a loop. Movable; valid during its stage's attempt; one thread at a time.
template <class T>
class Progress {
 public:
  Progress(std::unique_ptr<detail::ProgressLoop> loop, T state, bool resumed)
      : data_(new Data{std::move(state), std::move(loop), resumed}) {
    data_->loop->bind(&data_->state);
  }

  [[nodiscard]] T& operator*() noexcept { return data_->state; }
  [[nodiscard]] const T& operator*() const noexcept { return data_->state; }
  [[nodiscard]] T* operator->() noexcept { return &data_->state; }
  [[nodiscard]] const T* operator->() const noexcept { return &data_->state; }
  /// Whether this is a saved state, not the initial one.
  [[nodiscard]] bool resumed() const noexcept { return data_->resumed; }

  /// Call this at the end of each turn, where the state is consistent. Saves if the options say so:
  /// committed on return, with ResumeOptions::durability (by default it survives power loss). After
  /// a stop request, or when the budget is used up, it saves and leaves the stage. Costs tens of
  /// nanoseconds when it does neither. While a history of the same stage exists, both are saved by
  /// one commit: see History.
  /// @throws Error{Errc::not_encodable}, Error{Errc::store_failed}; Suspended: do not catch it
  void safepoint() {
    const detail::Loop::Due due = data_->loop->pass();
    if (due == detail::Loop::Due::no) return;
    save();
    if (due == detail::Loop::Due::save_and_leave) data_->loop->leave();
  }
  /// Saves now. Committed on return, as by safepoint(). @throws Error as safepoint()
  void save() { data_->loop->save(); }

 private:
  struct Data {
    T state;
    std::unique_ptr<detail::ProgressLoop> loop;
    bool resumed;
  };
  std::unique_ptr<Data> data_;
};

/// Fill in by designated initialisers.
template <class T>
struct HistoryOptions {
  std::string name = "history";  ///< among the histories of its stage or item
  std::size_t every = 1;         ///< push_backs per commit; at least 1
  Compaction compaction{};
  /// Says which entries stay with the one before them, such as a result with its call: no gap
  /// begins or ends between the two.
  std::function<bool(const T&)> keep_with_previous{};
  /// Keep the saved entries when the stage is done, for Records and for people. By default the
  /// commit of the stage's value erases them.
  bool keep = false;
};

namespace detail {

/// The entries of a history in memory, and what compaction has left of them.
template <class T>
class KeptEntries final : public HistoryEntries {
 public:
  KeptEntries(const LoadedHistory& loaded, HistoryOptions<T> options)
      : options_(std::move(options)), gap_(loaded.gap) {
    for (const AnyValue& entry : loaded.entries) entries_.push_back(take<T>(entry));
    compact_as_of(last_due());
  }

  [[nodiscard]] std::size_t size() const noexcept override { return entries_.size() + gap_.count; }
  [[nodiscard]] Gap gap() const noexcept override { return gap_; }
  [[nodiscard]] const void* entry(std::size_t number) const noexcept override {
    return &entries_[number < gap_.first ? number : number - gap_.count];
  }
  [[nodiscard]] const std::vector<T>& all() const noexcept { return entries_; }

  /// Returns whether this changed the gap.
  bool push(T entry) {
    entries_.push_back(std::move(entry));
    return last_due() == size() && compact_as_of(size());
  }

 private:
  /// The last number of entries, up to now, at which compaction was due; 0: at none.
  [[nodiscard]] std::size_t last_due() const noexcept {
    const Compaction& how = options_.compaction;
    if (how.threshold == 0 || size() <= how.threshold) return 0;
    return size() - (size() - how.threshold - 1) % how.every;
  }

  /// Drops what an uninterrupted loop would have dropped when this many entries were pushed.
  bool compact_as_of(std::size_t number) {
    if (number <= gap_.first + gap_.count) return false;
    const Compaction& how = options_.compaction;
    const std::size_t end = number - gap_.count;  // of those in memory that were there
    const auto stays = [&](std::size_t i) {
      return i < end && options_.keep_with_previous && options_.keep_with_previous(entries_[i]);
    };
    std::size_t from = gap_.count != 0 ? gap_.first : std::min(how.first, end);
    while (gap_.count == 0 && stays(from)) ++from;
    std::size_t to = end - std::min(how.last, end);
    while (to > from && stays(to)) --to;
    if (to <= from) return false;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(from),
                   entries_.begin() + static_cast<std::ptrdiff_t>(to));
    gap_ = {from, gap_.count + (to - from)};
    return true;
  }

  HistoryOptions<T> options_;
  std::vector<T> entries_;  ///< that remain
  Gap gap_;
};

}  // namespace detail

/// A durable vector, for loops that build a list: a save writes only what is new, however long the
/// list is. Movable; valid during its stage's attempt; one thread at a time.
///
/// Everything that one turn of a loop changes is saved in one commit, so that a loop that was
/// interrupted continues with the same state as one that was not. An entry and the compaction that
/// it causes are always in one commit. While a Progress of the same stage or item exists, the
/// entries wait for the next safepoint() or save() of either, which saves all loops of the stage at
/// once: call it where all of them are consistent, and use them all from one thread.
template <class T>
class History {
 public:
  History(detail::LoadedHistory loaded, HistoryOptions<T> options)
      : entries_(new detail::KeptEntries<T>(loaded, std::move(options))),
        loop_(std::move(loaded.loop)) {
    loop_->bind(*entries_);
  }

  /// How many entries were ever pushed.
  [[nodiscard]] std::size_t size() const noexcept { return entries_->size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Whether compaction has left entries out.
  [[nodiscard]] bool lossy() const noexcept { return omitted() != 0; }
  [[nodiscard]] std::size_t omitted() const noexcept { return entries_->gap().count; }

  /// Calls `entry(const T&)` for each remaining entry, in order, and `gap(std::size_t omitted)`
  /// where entries were left out.
  template <class Entry, class OnGap>
  void visit(Entry entry, OnGap gap) const {
    const std::size_t before = entries_->gap().first;
    for (std::size_t i = 0; i < entries().size(); ++i) {
      if (lossy() && i == before) gap(omitted());
      entry(entries()[i]);
    }
    if (lossy() && before == entries().size()) gap(omitted());
  }
  /// The remaining entries, without a mark where others were left out.
  [[nodiscard]] const std::vector<T>& entries() const noexcept { return entries_->all(); }
  /// @pre !empty()
  [[nodiscard]] const T& back() const { return entries().back(); }

  /// Adds an entry. Every `every`-th call commits on return, with ResumeOptions::durability; the
  /// other entries are committed with a later one or by save(). If there is also a Progress, the
  /// entry is committed at the next safepoint().
  /// @throws Error{Errc::not_encodable}, Error{Errc::store_failed}
  void push_back(T entry) {
    const bool compacted = entries_->push(std::move(entry));
    loop_->pushed(compacted);
  }
  /// Saves what is not saved yet. Committed on return, with ResumeOptions::durability.
  /// @throws Error as push_back()
  void save() { loop_->save(); }
  /// The end of a turn. After a stop request, or when the budget is used up, it saves and leaves
  /// the stage.
  /// @throws Error as push_back(); Suspended: do not catch it
  void safepoint() {
    const detail::Loop::Due due = loop_->pass();
    if (due == detail::Loop::Due::no) return;
    save();
    if (due == detail::Loop::Due::save_and_leave) loop_->leave();
  }

 private:
  std::unique_ptr<detail::KeptEntries<T>> entries_;
  std::unique_ptr<detail::HistoryLoop> loop_;
};

template <class T>
auto Context::progress(T initial, const ProgressOptions& options) {
  detail::LoadedProgress loaded = do_progress({options, detail::value_type<T>()});
  if (!loaded.state) return Progress<T>{std::move(loaded.loop), std::move(initial), false};
  return Progress<T>{std::move(loaded.loop), detail::take<T>(loaded.state), true};
}

template <class T>
auto Context::progress(T initial) {
  return progress(std::move(initial), ProgressOptions{});
}

template <class T>
auto Context::history(HistoryOptions<T> options) {
  detail::check(options.compaction, options.every);
  auto loaded = do_history({options.name, options.every, options.keep, detail::value_type<T>()});
  return History<T>{std::move(loaded), std::move(options)};
}

template <class T>
auto Context::history() {
  return history(HistoryOptions<T>{});
}

}  // namespace v0
}  // namespace resumable
