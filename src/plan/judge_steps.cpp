// What is kept inside a stage or item that runs: its steps, states and turns.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "plan/judge.hpp"
#include "resumable/time.hpp"

namespace resumable::plan {

using detail::Node;

// An intent counts whatever it was made from: the effect may have happened all the same.
void Judge::begun_effects(const Subject& subject, Verdict& verdict) const {
  if (verdict.action == Action::skip || verdict.action == Action::refuse) return;
  const Node& declared = graph_.nodes[subject.node];
  const std::string above = core::about_key("intent", declared.name, subject.item).full + "/";
  for (const std::string& path : facts_.inside_paths(declared.name, subject.item)) {
    if (!path.starts_with("@intent/") ||
        !is_begun(facts_.rows(path), facts_.rows(core::outcome_path(path)))) {
      continue;
    }
    Cause cause = begun_effect(facts_, path);
    if (cause.subject.starts_with(above)) cause.subject.erase(0, above.size());
    if (!subject.item.empty()) cause.subject.insert(0, std::string{subject.item} + "/");
    cause.detail = "it is verified first";
    verdict.note(std::move(cause));
  }
}

Cause begun_effect(const Facts& facts, const std::string& path) {
  const Row& row = facts.rows(path).back();
  const auto header = row.is_whole() ? facts.header(path, row.generation) : std::nullopt;
  return {.reason = Reason::uncertain,
          .subject = header ? header->key : path,
          .file = facts.locate(path, row.generation)};
}

namespace {

// Adds up what is kept, given path by path in their order.
class Counting {
 public:
  Counting(const Facts& facts, Kept& kept) : facts_(facts), within_(kept) {}

  void add(const std::string& path, const Row& row) {
    switch (row.head.kind) {
      case core::Kind::history: add_entry(path, row); break;
      case core::Kind::progress: add_state(path, row); break;
      default: ++within_.steps; break;
    }
  }
  // The times of histories are those of their last entries.
  void finish() {
    if (newest_ != nullptr) note_time(facts_.header(entry_, newest_->generation));
  }

 private:
  void note_time(const std::optional<core::Header>& header) {
    const auto at = header ? core::parse_utc(header->at) : std::nullopt;
    if (!at) return;
    const auto time = std::chrono::floor<std::chrono::milliseconds>(*at);
    within_.saved = std::max(within_.saved, std::optional<Timestamp>{time});
  }

  void add_state(const std::string& path, const Row& row) {
    ++within_.states;
    const auto header = facts_.header(path, row.generation);
    if (!header) return;
    within_.passes += header->passes;
    within_.bytes += header->payload_bytes;
    note_time(header);
  }

  // Entries are numbered, so the last one shows how many there were. The record of the gap is not
  // an entry.
  void add_entry(const std::string& path, const Row& row) {
    const std::size_t slash = path.rfind('/');
    std::size_t number = 0;
    const char* end = path.data() + path.size();
    if (std::from_chars(path.data() + slash + 1, end, number).ptr != end) return;
    if (path.compare(0, slash, history_) != 0) {
      history_ = path.substr(0, slash);
      before_ = within_.turns;
    }
    within_.turns = before_ + number + 1;
    entry_ = path;
    newest_ = &row;
  }

  const Facts& facts_;
  Kept& within_;
  std::string entry_;
  const Row* newest_ = nullptr;
  std::string history_;
  std::size_t before_ = 0;  ///< turns of other histories
};

}  // namespace

// Which of its steps will not run again. A step with declared inputs counts as kept: whether they
// are the same is known only when it is called.
void Judge::steps(const Subject& subject, Verdict& verdict) const {
  if (verdict.action != Action::run || !subject.fingerprint) return;
  const Node& declared = graph_.nodes[subject.node];
  std::size_t kept = 0;
  std::size_t aside = 0;
  Counting counting{facts_, verdict.kept};
  double seconds = 0;
  Cost cost;
  for (const std::string& path : facts_.inside_paths(declared.name, subject.item)) {
    const Row& row = facts_.rows(path).back();
    const core::Head& head = row.head;
    const bool counts = head.kind != core::Kind::intent && head.kind != core::Kind::tombstone &&
                        head.kind != core::Kind::tries;
    if (!counts) continue;
    const bool fits =
        core::has_inputs(path) || head.revision == 0 || head.fingerprint == *subject.fingerprint;
    const bool asked = requested(subject.node, subject.item, head.fence);
    const bool same_code = head.revision == 0 || (head.revision & core::own_revision) != 0 ||
                           head.revision == declared.revision;
    if (fits && !asked && same_code) {
      const std::size_t before = verdict.kept.steps;
      counting.add(path, row);
      kept += verdict.kept.steps - before;
      continue;
    }
    ++aside;
    if (const auto header = facts_.header(path, row.generation)) {
      seconds += header->seconds;
      cost += header->cost;
    }
  }
  counting.finish();
  if (kept + aside == 0) return;
  Cause note{
      .reason = Reason::steps, .before = std::to_string(aside), .after = std::to_string(kept)};
  if (aside > 0) {
    note.detail = core::format_duration(Seconds{seconds}) + " of work";
    if (cost.usd > 0) note.detail += " and " + core::format_cost(cost);
  }
  verdict.note(std::move(note));
}

}  // namespace resumable::plan
