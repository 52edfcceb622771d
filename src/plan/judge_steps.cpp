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

void Judge::uncertain(const std::string& path, const Row& row, Verdict& verdict) const {
  const auto header = facts_.header(path, row.generation);
  const std::string key = header ? header->key : path;
  verdict.note({.reason = Reason::uncertain, .subject = key.substr(key.rfind('/') + 1)});
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
    if (head.kind == core::Kind::intent) {
      if (head.codec != CodecId::none) uncertain(path, row, verdict);
      continue;
    }
    if (head.kind == core::Kind::tombstone || head.kind == core::Kind::tries) continue;
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
