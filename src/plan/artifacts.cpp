#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/key.hpp"
#include "plan/planner.hpp"

namespace resumable::inline v0::plan {
namespace {

using core::Export;
using detail::Graph;

/// One record that exports a path.
struct Writer {
  std::uint32_t node = 0;
  std::optional<std::size_t> item;
  Export exported;
};

using Writers = std::map<std::string, std::vector<Writer>>;

const Row* current(std::span<const Row> rows) {
  for (std::size_t i = rows.size(); i-- > 0;) {
    if (!rows[i].quarantined && rows[i].damage == Damage::none) return &rows[i];
  }
  return nullptr;
}

class Gather {
 public:
  Gather(const Graph& graph, const Facts& facts, std::vector<NodeState>& states)
      : graph_(graph), facts_(facts), states_(states) {}

  Writers writers;
  Writers left;                             ///< of records that no item of the list has any more
  std::map<std::string, Writer> unwritten;  ///< declared paths that no record exports yet

  void add(std::uint32_t node) {
    const NodeState& state = states_[node];
    const auto& declared = graph_.nodes[node];
    if (declared.artifacts.empty() || !state.taken) return;
    if (declared.kind != detail::NodeKind::fan_out) {
      add_record(node, std::nullopt, core::stage_key(declared.name).path, "", 0);
      return;
    }
    if (!state.list) return;
    for (std::size_t i = 0; i < state.list->keys.size(); ++i) {
      if (state.list->repeats.contains(i)) continue;
      const std::string& key = state.list->keys[i];
      add_record(node, i, core::item_key(declared.name, key).path, key, i + 1);
    }
    add_orphans(node);
  }

 private:
  void add_orphans(std::uint32_t node) {
    const auto& declared = graph_.nodes[node];
    const ItemList& list = *states_[node].list;
    std::set<std::string> present;
    for (const std::string& key : list.keys)
      present.insert(core::item_key(declared.name, key).path);
    for (const std::string& path : facts_.item_paths(declared.name)) {
      const Row* row = present.contains(path) ? nullptr : current(facts_.rows(path));
      const auto header = row == nullptr ? std::nullopt : facts_.header(path, row->generation);
      if (!header) continue;
      for (const Export& one : header->exports) {
        if (!one.is_nothing()) left[one.path].push_back({node, {}, one});
      }
    }
  }

  void add_record(std::uint32_t node, std::optional<std::size_t> item, const std::string& path,
                  std::string_view key, std::size_t position) {
    const Row* row = current(facts_.rows(path));
    const auto header = row == nullptr ? std::nullopt : facts_.header(path, row->generation);
    for (const core::Pattern& pattern : graph_.patterns[node]) {
      const std::string wanted = pattern.path(key, position);
      bool exported = false;
      for (const Export& one : header ? header->exports : std::vector<Export>{}) {
        exported = exported || one.path == wanted;
      }
      if (!exported) unwritten.emplace(wanted, Writer{node, item, {wanted, {}, {}, 0}});
    }
    if (!header) return;
    for (const Export& one : header->exports) {
      if (!one.is_nothing()) writers[one.path].push_back({node, item, one});
    }
  }

  const Graph& graph_;
  const Facts& facts_;
  std::vector<NodeState>& states_;
};

/// What the file at a path turns out to be.
enum class Found { ours, missing, unfinished, edited };

const Writer& owner(const std::vector<Writer>& writers) {
  const Writer* last = &writers.front();
  for (const Writer& writer : writers) {
    if (writer.exported.order > last->exported.order) last = &writer;
  }
  return *last;
}

Found judge(const std::vector<Writer>& writers, const Export* confirmed, const Look& look) {
  const Export& last = owner(writers).exported;
  if (look.state == Look::State::odd || look.state == Look::State::unreadable) return Found::edited;
  const bool certain = confirmed != nullptr && confirmed->order >= last.order;
  const Digest& expected = certain ? confirmed->digest : last.digest;
  if (look.state == Look::State::missing) return Found::missing;
  if (look.digest == expected) return Found::ours;
  if (certain) return Found::edited;
  if (last.before && look.digest == *last.before) return Found::unfinished;
  for (const Writer& writer : writers) {
    if (look.digest == writer.exported.digest) return Found::unfinished;
  }
  return Found::edited;
}

/// Puts a cause on a stage, and on its item. Refusals come first.
void put(std::vector<NodeState>& states, const Writer& writer, Action action, const Cause& cause) {
  NodeState& state = states[writer.node];
  if (action == Action::refuse) {
    state.decision.action = Action::refuse;
    state.decision.causes.insert(state.decision.causes.begin(), cause);
  } else {
    state.decision.causes.push_back(cause);
  }
  if (!writer.item) return;
  state.causes[*writer.item].push_back(cause);
  if (action != Action::refuse) return;
  state.items[*writer.item].action = Action::refuse;
  state.items[*writer.item].reason = cause.reason;
}

Cause edited(const Facts& facts, const std::string& path, const Look& look, bool ours) {
  const bool unread = look.state == Look::State::unreadable;
  Cause cause{.reason = unread ? Reason::unreadable : Reason::edited,
              .subject = path,
              .file = facts.artifact_file(path)};
  if (!look.problem.empty()) {
    cause.detail = look.problem;
  } else {
    cause.detail = ours
                       ? "it was changed since it was exported; it is never replaced. Move it away "
                         "to get the checkpoint's version back"
                       : "a file that is not ours is in the artifact's place; it is never "
                         "replaced. Move it away";
  }
  return cause;
}

void judge_path(const Facts& facts, const std::string& path, const std::vector<Writer>& writers,
                std::vector<NodeState>& states) {
  const Look look = facts.look(path);
  const Writer& last = owner(writers);
  switch (judge(writers, facts.confirmed(path), look)) {
    case Found::ours: break;
    case Found::edited: put(states, last, Action::refuse, edited(facts, path, look, true)); break;
    case Found::missing:
    case Found::unfinished: {
      const bool kept = states[last.node].decision.action == Action::skip ||
                        (last.item && states[last.node].items[*last.item].action == Action::skip);
      if (kept) {
        put(states, last, Action::skip,
            {.reason = Reason::restored, .subject = path, .file = facts.artifact_file(path)});
      }
      break;
    }
  }
}

/// Whether the file at a path that no record exports yet is one that we left there.
bool is_left(const Look& look, const Export* confirmed, const Writers& left,
             const std::string& path) {
  if (look.state != Look::State::file) return false;
  if (confirmed != nullptr) return confirmed->digest == look.digest;
  const auto found = left.find(path);
  if (found == left.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(),
                     [&](const Writer& one) { return one.exported.digest == look.digest; });
}

}  // namespace

namespace {

/// Files that a fan-out appends to: ours as far as they are on record.
void judge_appended(const detail::Node& node, const Facts& facts, NodeState& state) {
  if (!state.taken) return;
  Decision& decision = state.decision;
  for (const detail::Artifact& one : node.appended) {
    const AppendedLook look = facts.look_appended(one.pattern);
    Cause cause{.reason = Reason::restored,
                .subject = one.pattern,
                .file = facts.artifact_file(one.pattern)};
    if (look.state == AppendedLook::State::missing && decision.action == Action::skip) {
      decision.causes.push_back(std::move(cause));
    } else if (look.state == AppendedLook::State::edited) {
      cause.reason = Reason::edited;
      cause.detail = look.problem + "; it is never replaced. Move it away";
      decision.action = Action::refuse;
      decision.causes.insert(decision.causes.begin(), std::move(cause));
    }
  }
}

}  // namespace

void judge_artifacts(const Graph& graph, const Facts& facts, std::vector<NodeState>& states) {
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    judge_appended(graph.nodes[i], facts, states[i]);
  }
  Gather gather{graph, facts, states};
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) gather.add(i);
  for (const auto& [path, writers] : gather.writers) judge_path(facts, path, writers, states);
  for (const auto& [path, writer] : gather.unwritten) {
    if (gather.writers.contains(path)) continue;
    const Look look = facts.look(path);
    const bool free = look.state == Look::State::missing ||
                      is_left(look, facts.confirmed(path), gather.left, path);
    if (!free) {
      put(states, writer, Action::refuse, edited(facts, path, look, false));
      continue;
    }
    const bool skipped = writer.item
                             ? states[writer.node].items[*writer.item].action == Action::skip
                             : states[writer.node].decision.action == Action::skip;
    if (skipped) {
      put(states, writer, Action::skip,
          {.reason = Reason::restored, .subject = path, .file = facts.artifact_file(path)});
    }
  }
}

}  // namespace resumable::inline v0::plan
