// What is kept inside a stage or item that runs: its steps, states and turns.
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
    const std::span<const Row> rows = facts_.rows(path);
    if (!path.starts_with("@intent/") || !is_begun(rows)) continue;
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
  explicit Counting(Kept& kept) : within_(kept) {}

  void add(const std::string& path, core::Kind kind) {
    switch (kind) {
      case core::Kind::history: add_entry(path); break;
      case core::Kind::progress: ++within_.states; break;
      default: ++within_.steps; break;
    }
  }

 private:
  // Entries are numbered, so the last one shows how many there were. The record of the gap is not
  // an entry.
  void add_entry(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    std::size_t number = 0;
    const char* end = path.data() + path.size();
    if (std::from_chars(path.data() + slash + 1, end, number).ptr != end) return;
    if (path.compare(0, slash, history_) != 0) {
      history_ = path.substr(0, slash);
      before_ = within_.turns;
    }
    within_.turns = before_ + number + 1;
  }

  Kept& within_;
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
  Counting counting{verdict.kept};
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
      ++kept;
      counting.add(path, head.kind);
      continue;
    }
    ++aside;
    if (const auto header = facts_.header(path, row.generation)) {
      seconds += header->seconds;
      cost += header->cost;
    }
  }
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
