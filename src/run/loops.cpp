#include "run/loops.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "resumable/error.hpp"

namespace resumable::inline v0 {

namespace detail {

Loop::~Loop() = default;

void check(const Compaction& how, std::size_t every) {
  const bool good = every >= 1 && how.every >= 1 &&
                    (how.above == 0 || (how.last >= 1 && how.first + how.last <= how.above));
  if (good) return;
  throw Error(Errc::bad_option,
              {.what = "the options of a history contradict each other",
               .next = "every is at least 1; compaction keeps at least the last one, and no more "
                       "than there are when it begins: first + last <= above"});
}

}  // namespace detail

namespace run {
namespace {

using detail::Attempt;
using detail::Gap;
using detail::Loop;
using detail::ValueType;
using sys::BootTime;

/// What a save is taken to cost before one was measured.
constexpr std::chrono::duration<double> first_guess{0.005};

/// When to save, and that a stop request ends the stage.
class Pace {
 public:
  Pace(Attempt& attempt, sys::Clock& clock, const Cadence& cadence)
      : attempt_(attempt),
        clock_(clock),
        every_(cadence.every),
        interval_(cadence.interval),
        share_(cadence.share) {
    timed_ = interval_.count() > 0 || share_ > 0;
    schedule(clock.boot());
  }

  Loop::Due pass() noexcept {
    ++passes_;
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
    if (interval_.count() > 0) next_ = now + interval_;
    if (share_ <= 0) return;
    const auto rest = std::chrono::duration_cast<sys::BootClock::duration>(cost_ / share_);
    next_ = std::min(next_, now + rest);
  }

  Attempt& attempt_;
  sys::Clock& clock_;
  unsigned every_;
  std::chrono::milliseconds interval_;
  double share_;
  bool timed_ = false;
  unsigned passes_ = 0;
  std::chrono::duration<double> cost_ = first_guess;
  bool measured_ = false;
  BootTime next_{};
};

/// Commits, tells, and gives how long it took.
double commit(Inside& inside, std::vector<Draft> drafts, std::string_view name) {
  const std::vector<Committed> done = inside.commit(std::move(drafts));
  Event saved = inside.event(EventKind::progress_saved, name);
  saved.save_seconds = done.front().seconds;
  saved.bytes = 0;
  for (const Committed& record : done) *saved.bytes += record.bytes;
  inside.tools().events.emit(std::move(saved));
  return done.front().seconds;
}

class SavedProgress final : public Loop {
 public:
  SavedProgress(Inside& inside, Attempt& attempt, const Cadence& cadence, Inside::Wanted wanted,
                const ValueType& type)
      : inside_(inside),
        pace_(attempt, inside.tools().clock, cadence),
        name_(cadence.name),
        wanted_(std::move(wanted)),
        type_(type) {}

  Due pass() noexcept override { return pace_.pass(); }
  void save(const void* state) override {
    std::vector<Draft> drafts;
    drafts.push_back(inside_.draft(wanted_, type_, state));
    pace_.saved(commit(inside_, std::move(drafts), name_));
  }
  void append(const std::vector<const void*>&, Gap) override {}
  void leave() override { throw Suspended{"stopped at a safepoint of " + wanted_.what}; }

 private:
  Inside& inside_;
  Pace pace_;
  std::string name_;
  Inside::Wanted wanted_;
  const ValueType& type_;
};

// ---- histories ---------------------------------------------------------------------------------

/// Where compaction has left entries out, as a record of its own: for people, and so that entries
/// that a crash brought back stay out.
const ValueType& gap_type() {
  static const ValueType type{
      .codec = CodecId::json,
      .schema = {},
      .encode = [](const void* value) -> std::shared_ptr<const Payload> {
        const auto& gap = *static_cast<const Gap*>(value);
        return std::make_shared<StringPayload>(
            fmt::format(R"({{"first":{},"lossy":true,"omitted":{}}})", gap.first, gap.count));
      },
      .decode = [](std::shared_ptr<const Payload> payload, std::uint32_t) -> detail::AnyValue {
        const auto json = nlohmann::json::parse(read_all(*payload), nullptr, false);
        auto gap = std::make_shared<Gap>();
        if (!json.is_object()) return gap;
        gap->first = json.value("first", std::size_t{0});
        gap->count = json.value("omitted", std::size_t{0});
        return gap;
      }};
  return type;
}

class SavedHistory final : public Loop {
 public:
  SavedHistory(Inside& inside, Attempt& attempt, const detail::HistoryCall& call)
      : inside_(inside),
        pace_(attempt, inside.tools().clock, {}),
        name_(call.name),
        wanted_(inside.wanted(core::Kind::history, call.name)),
        type_(call.type) {}

  void load(detail::LoadedHistory& into) {
    const Inside::Wanted mark = entry("gap");
    if (const auto row = inside_.find(mark)) {
      gap_ = *static_cast<const Gap*>(inside_.load(mark, *row, gap_type()).get());
    }
    for (;; ++size_) {
      if (gap_.count > 0 && size_ == gap_.first) size_ += gap_.count;
      const Inside::Wanted wanted = entry(size_);
      const auto row = inside_.find(wanted);
      if (!row) break;
      into.entries.push_back(inside_.load(wanted, *row, type_));
    }
    if (size_ < gap_.first) {  // an entry before it is lost: the gap goes with what follows
      gap_ = {};
      is_gap_lost_ = true;
    }
    into.gap = gap_;
  }

  Due pass() noexcept override { return pace_.pass(); }
  void save(const void*) override {}

  void append(const std::vector<const void*>& entries, Gap gap) override {
    std::vector<Draft> drafts;
    for (const void* one : entries) drafts.push_back(inside_.draft(entry(size_++), type_, one));
    if (gap.count > gap_.count) {
      drafts.push_back(inside_.draft(entry("gap"), gap_type(), &gap));
      for (std::size_t i = gap.first + gap_.count; i < gap.first + gap.count; ++i) {
        inside_.drop(entry(i), drafts.back());
      }
      gap_ = gap;
      is_gap_lost_ = false;
    }
    if (drafts.empty()) return;
    forget_what_follows(drafts);
    commit(inside_, std::move(drafts), name_);
  }

  void leave() override { throw Suspended{"stopped at a safepoint of " + wanted_.what}; }

 private:
  /// Entries behind one that was lost belong to a past that these do not have: a tombstone takes
  /// the place of each, in the same commit, so that they are never read as if they followed.
  void forget_what_follows(std::vector<Draft>& drafts) {
    if (is_gap_lost_) drafts.push_back(inside_.draft(entry("gap"), gap_type(), &gap_));
    is_gap_lost_ = false;
    static constexpr ValueType nothing{};
    const std::string end = entry("gap").key.path;
    for (const std::string& path : inside_.following(entry(size_ - 1), end)) {
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
  Inside::Wanted wanted_;
  const ValueType& type_;
  std::size_t size_ = 0;  ///< entries on record, those in the gap included
  Gap gap_;
  bool is_gap_lost_ = false;  ///< there is a mark on record that counts no more
};

}  // namespace

detail::LoadedProgress load_progress(Inside& inside, Attempt& attempt,
                                     const detail::ProgressCall& call) {
  Cadence cadence = call.cadence;
  if (cadence.interval.count() < 0 || !(cadence.share >= 0 && cadence.share <= 1)) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("a cadence of stage '{}' is out of range", inside.node().name),
                 .stage = inside.node().name,
                 .next = "the interval is not negative, and the share between 0 and 1"});
  }
  const bool none = cadence.every == 0 && cadence.interval.count() == 0 && cadence.share == 0;
  if (none) cadence.share = 0.01;
  Inside::Wanted wanted = inside.wanted(core::Kind::progress, cadence.name);
  detail::LoadedProgress loaded;
  if (const auto row = inside.find(wanted)) loaded.state = inside.load(wanted, *row, call.type);
  loaded.loop =
      std::make_unique<SavedProgress>(inside, attempt, cadence, std::move(wanted), call.type);
  return loaded;
}

detail::LoadedHistory load_history(Inside& inside, Attempt& attempt,
                                   const detail::HistoryCall& call) {
  detail::LoadedHistory loaded;
  auto history = std::make_unique<SavedHistory>(inside, attempt, call);
  history->load(loaded);
  loaded.loop = std::move(history);
  return loaded;
}

}  // namespace run
}  // namespace resumable::inline v0
