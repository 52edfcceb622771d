#include "stage/loops.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {

namespace detail {

Loop::~Loop() = default;
ProgressLoop::~ProgressLoop() = default;
HistoryLoop::~HistoryLoop() = default;

void check(const Compaction& how, std::size_t every) {
  const bool good = every >= 1 && how.every >= 1 &&
                    (how.threshold == 0 || (how.last >= 1 && how.last <= how.threshold &&
                                            how.first <= how.threshold - how.last));
  if (good) return;
  throw Error(Errc::bad_option,
              {.what = "the options of a history contradict each other",
               .next = "every is at least 1; compaction keeps at least the last one, and no more "
                       "than there are when it begins: first + last <= threshold"});
}

}  // namespace detail

}  // namespace v0
}  // namespace resumable

namespace resumable::stage {
namespace {

using detail::Attempt;
using detail::Gap;
using detail::Loop;
using detail::ValueType;
using sys::BootTime;

/// The assumed cost of a save before one was measured.
constexpr std::chrono::duration<double> first_guess{0.005};

/// Decides when to save, and ends the stage after a stop request.
class Pace {
 public:
  Pace(Attempt& attempt, sys::Clock& clock, const ProgressOptions& options)
      : attempt_(attempt),
        clock_(clock),
        every_(options.every),
        interval_(options.interval),
        share_(options.share) {
    timed_ = interval_.count() > 0 || share_ > 0;
    schedule(clock.boot());
  }

  /// All so far, also of earlier calls.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  void begin_after(std::uint64_t passes) noexcept { total_ = passes; }

  Loop::Due pass() noexcept {
    ++passes_;
    ++total_;
    const Limits& limits = *attempt_.facts().limits;
    const BootTime now = timed_ || limits.any() ? clock_.boot() : BootTime{};
    if (attempt_.is_asked_to_stop() || (limits.any() && limits.is_over(now))) {
      return Loop::Due::save_and_leave;
    }
    const bool due = (every_ != 0 && passes_ >= every_) || (timed_ && now >= next_);
    return due ? Loop::Due::save : Loop::Due::no;
  }

  void saved(double seconds) {
    passes_ = 0;
    const std::chrono::duration<double> took{seconds};
    cost_ = measured_ ? 0.5 * (cost_ + took) : took;
    measured_ = true;
    schedule(clock_.boot());
  }

 private:
  void schedule(BootTime now) {
    next_ = BootTime::max();
    if (interval_.count() > 0) next_ = detail::later(now, interval_);
    if (share_ <= 0) return;
    next_ = std::min(next_, detail::later(now, cost_ / share_));
  }

  Attempt& attempt_;
  sys::Clock& clock_;
  unsigned every_;
  std::chrono::milliseconds interval_;
  double share_;
  bool timed_ = false;
  unsigned passes_ = 0;
  std::uint64_t total_ = 0;
  std::chrono::duration<double> cost_ = first_guess;
  bool measured_ = false;
  BootTime next_{};
};

}  // namespace

/// One loop, as the other loops of its stage see it.
class Loops::Member {
 public:
  Member(Loops& loops, const Attempt& attempt, bool is_history)
      : loops_(loops), attempt_(attempt), is_history_(is_history) {
    const std::scoped_lock lock{loops_.guard_};
    loops_.members_.push_back(this);
  }
  virtual ~Member() {
    const std::scoped_lock lock{loops_.guard_};
    std::erase(loops_.members_, this);
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  [[nodiscard]] bool is_history() const noexcept { return is_history_; }
  /// What is not recorded yet.
  virtual void draft(std::vector<record::Draft>& drafts) = 0;
  /// Everything is recorded now; the commit took `seconds`.
  virtual void saved(double seconds) = 0;

 protected:
  /// Whether a turn changes more than this loop.
  [[nodiscard]] bool is_joined() const noexcept { return loops_.are_joined(); }
  /// Something waits for the end of the turn.
  void wait_for_turn() noexcept { loops_.waiting_ = true; }
  [[nodiscard]] bool is_turn_due() const noexcept { return loops_.waiting_; }
  void commit(std::string_view name) { loops_.commit(*this, attempt_, name); }

 private:
  Loops& loops_;
  const Attempt& attempt_;
  bool is_history_;
};

bool Loops::are_joined() const noexcept {
  const std::scoped_lock lock{guard_};
  const auto is_history = [](const Member* one) { return one->is_history(); };
  return std::any_of(members_.begin(), members_.end(), is_history) &&
         !std::all_of(members_.begin(), members_.end(), is_history);
}

void Loops::commit(Member& by, const Attempt& attempt, std::string_view name) {
  std::vector<Member*> changed{&by};
  if (are_joined()) {
    const std::scoped_lock lock{guard_};
    changed = members_;
  }
  std::vector<record::Draft> drafts;
  for (Member* one : changed) one->draft(drafts);
  waiting_ = false;
  if (drafts.empty()) return;
  const Savings spent = inside_.spent(attempt.cost());
  for (record::Draft& draft : drafts) {
    draft.header.seconds = spent.duration.count();
    draft.header.cost = spent.cost;
  }
  const std::vector<record::Committed> done = inside_.commit(std::move(drafts));
  record::Committed all = done.front();
  for (const record::Committed& other : std::span{done}.subspan(1)) all.bytes += other.bytes;
  for (Member* one : changed) one->saved(all.seconds);
  inside_.tools().events.emit(inside_.event(EventKind::progress_saved, name), all);
}

class Loops::SavedProgress final : public detail::ProgressLoop, private Member {
 public:
  SavedProgress(Loops& loops, Attempt& attempt, const ProgressOptions& options,
                Inside::Wanted wanted, const ValueType& type)
      : Member(loops, attempt, false),
        inside_(loops.inside_),
        pace_(attempt, inside_.tools().clock, options),
        name_(options.name),
        wanted_(std::move(wanted)),
        type_(type) {}

  void begin_after(std::uint64_t passes) noexcept { pace_.begin_after(passes); }
  void bind(const void* state) noexcept override { state_ = state; }
  Due pass() noexcept override {
    const Due due = pace_.pass();
    return due == Due::no && is_turn_due() ? Due::save : due;
  }
  void save() override { commit(name_); }
  void leave() override { throw Suspended{"stopped at a safepoint of " + wanted_.what}; }

 private:
  void draft(std::vector<record::Draft>& drafts) override {
    drafts.push_back(inside_.draft(wanted_, type_, state_));
    drafts.back().header.passes = pace_.total();
  }
  void saved(double seconds) override { pace_.saved(seconds); }

  Inside& inside_;
  Pace pace_;
  std::string name_;
  Inside::Wanted wanted_;
  const ValueType& type_;
  const void* state_ = nullptr;
};

// ---- histories ---------------------------------------------------------------------------------

namespace {

/// The gap that compaction has left, as a record of its own: for people, and so that entries that
/// reappear after a crash stay out.
const ValueType& gap_type() {
  static const ValueType type{
      .codec = CodecId::json,
      .schema = {},
      .encode = [](const void* value) -> std::shared_ptr<const Payload> {
        const auto& gap = *static_cast<const Gap*>(value);
        return std::make_shared<StringPayload>(
            fmt::format(R"({{"first":{},"lossy":true,"omitted":{}}})", gap.first, gap.count));
      },
      // NOLINTNEXTLINE(performance-unnecessary-value-param): the type of ValueType::decode
      .decode = [](std::shared_ptr<const Payload> payload,
                   const detail::SavedAs&) -> detail::AnyValue {
        const auto json = core::Json::parse(read_all(*payload), nullptr, false);
        auto gap = std::make_shared<Gap>();
        if (!json.is_object()) return gap;
        gap->first = json.value("first", std::size_t{0});
        gap->count = json.value("omitted", std::size_t{0});
        return gap;
      }};
  return type;
}

}  // namespace

class Loops::SavedHistory final : public detail::HistoryLoop, private Member {
 public:
  SavedHistory(Loops& loops, Attempt& attempt, const detail::HistoryCall& call,
               Inside::Wanted wanted)
      : Member(loops, attempt, true),
        inside_(loops.inside_),
        pace_(attempt, inside_.tools().clock, {}),
        name_(call.name),
        every_(call.every),
        wanted_(std::move(wanted)),
        type_(call.type) {}

  void load(detail::LoadedHistory& into) {
    const Inside::Wanted mark = entry("gap");
    if (const auto row = inside_.find(mark)) {
      gap_ = *static_cast<const Gap*>(inside_.load(mark, *row, gap_type()).value.get());
    }
    for (;; ++size_) {
      if (gap_.count > 0 && size_ == gap_.first) size_ += gap_.count;
      const Inside::Wanted wanted = entry(size_);
      const auto row = inside_.find(wanted);
      if (!row) break;
      into.entries.push_back(inside_.load(wanted, *row, type_).value);
    }
    if (size_ < gap_.first) {  // an entry before it is lost: the gap is removed with what follows
      gap_ = {};
      is_gap_lost_ = true;
    }
    into.gap = gap_;
  }

  void bind(const detail::HistoryEntries& entries) noexcept override { entries_ = &entries; }
  void pushed(bool compacted) override {
    if (!compacted && entries_->size() - size_ < every_) return;
    if (is_joined()) {
      wait_for_turn();
    } else {
      save();
    }
  }
  Due pass() noexcept override {
    const Due due = pace_.pass();
    return due == Due::no && is_turn_due() ? Due::save : due;
  }
  void save() override { commit(name_); }
  void leave() override { throw Suspended{"stopped at a safepoint of " + wanted_.what}; }

 private:
  /// An entry that was left out before it was ever saved is never written: the gap's record has its
  /// number.
  void draft(std::vector<record::Draft>& drafts) override {
    const std::size_t size = entries_->size();
    const Gap gap = entries_->gap();
    const bool is_gap_new = gap.count != gap_.count;
    if (size == size_ && !is_gap_new) return;
    const std::size_t first = drafts.size();
    for (std::size_t i = size_; i < size; ++i) {
      const bool left_out = i >= gap.first && i < gap.first + gap.count;
      if (!left_out) drafts.push_back(inside_.draft(entry(i), type_, entries_->entry(i)));
    }
    if (is_gap_new || is_gap_lost_) {
      drafts.push_back(inside_.draft(entry("gap"), gap_type(), &gap));
    }
    for (std::size_t i = gap.first + gap_.count; is_gap_new && i < gap.first + gap.count; ++i) {
      if (i < size_) inside_.drop(entry(i), drafts[first]);
    }
    forget_what_follows(size, drafts);
  }

  void saved(double) override {
    size_ = entries_->size();
    gap_ = entries_->gap();
    is_gap_lost_ = false;
  }

  /// Entries after one that was lost belong to a different course: a tombstone replaces each, in
  /// the same commit, so that they are never read as if they followed.
  void forget_what_follows(std::size_t size, std::vector<record::Draft>& drafts) {
    static constexpr ValueType nothing{};
    const std::string end = entry("gap").key.path;
    for (const std::string& path : inside_.following(entry(size - 1), end)) {
      Inside::Wanted stale = entry(path.substr(wanted_.key.path.size() + 1));
      stale.kind = core::Kind::tombstone;
      drafts.push_back(inside_.draft(stale, nothing, nullptr));
    }
  }

  [[nodiscard]] Inside::Wanted entry(std::string_view name) const {
    Inside::Wanted wanted = wanted_;
    wanted.key.path += fmt::format("/{}", name);
    wanted.key.full += fmt::format("/{}", name);
    return wanted;
  }
  [[nodiscard]] Inside::Wanted entry(std::size_t number) const {
    return entry(fmt::format("{:010}", number));
  }

  Inside& inside_;
  Pace pace_;
  std::string name_;
  std::size_t every_;
  Inside::Wanted wanted_;
  const ValueType& type_;
  const detail::HistoryEntries* entries_ = nullptr;
  std::size_t size_ = 0;      ///< recorded entries, those in the gap included
  Gap gap_;                   ///< as recorded
  bool is_gap_lost_ = false;  ///< a recorded gap is no longer valid
};

detail::LoadedProgress Loops::progress(Attempt& attempt, const detail::ProgressCall& call) {
  ProgressOptions options = call.options;
  if (options.interval.count() < 0 || !(options.share >= 0 && options.share <= 1)) {
    throw Error(
        Errc::bad_option,
        {.what = fmt::format("a progress of stage '{}' has an option that is out of range",
                             inside_.node().shown()),
         .stage = inside_.node().shown(),
         .next = "the interval must not be negative, and the share must be between 0 and 1"});
  }
  const bool none = options.every == 0 && options.interval.count() == 0 && options.share == 0;
  if (none) options.share = 0.01;
  Inside::Wanted wanted = inside_.wanted(core::Kind::progress, options.name);
  inside_.claim(wanted);
  if (options.keep) inside_.keep(wanted);
  detail::LoadedProgress loaded;
  std::uint64_t passes = 0;
  if (const auto row = inside_.find(wanted)) {
    Inside::Loaded found = inside_.load(wanted, *row, call.type);
    loaded.state = std::move(found.value);
    passes = found.passes;
  }
  auto loop =
      std::make_unique<SavedProgress>(*this, attempt, options, std::move(wanted), call.type);
  loop->begin_after(passes);
  loaded.loop = std::move(loop);
  return loaded;
}

detail::LoadedHistory Loops::history(Attempt& attempt, const detail::HistoryCall& call) {
  Inside::Wanted wanted = inside_.wanted(core::Kind::history, call.name);
  inside_.claim(wanted);
  if (call.keep) inside_.keep(wanted);
  detail::LoadedHistory loaded;
  auto history = std::make_unique<SavedHistory>(*this, attempt, call, std::move(wanted));
  history->load(loaded);
  loaded.loop = std::move(history);
  return loaded;
}

}  // namespace resumable::stage
