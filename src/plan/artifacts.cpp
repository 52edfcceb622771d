#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "plan/path_clashes.hpp"
#include "plan/planner.hpp"

namespace resumable::plan {
namespace {

using core::Export;
using detail::Graph;

// One record that exports a path.
struct Writer {
  std::uint32_t node = 0;
  std::optional<std::size_t> item;
  Export exported;
  std::uint64_t bytes = 0;  ///< of the file, where the value's bytes are it
};

using Writers = std::map<std::string, std::vector<Writer>>;

const Row* current(std::span<const Row> rows) {
  for (std::size_t i = rows.size(); i-- > 0;) {
    if (rows[i].is_whole()) return &rows[i];
  }
  return nullptr;
}

class Gather {
 public:
  Gather(const Graph& graph, const Facts& facts, std::vector<NodeState>& states)
      : graph_(graph),
        facts_(facts),
        states_(states),
        confirmations_lost_(is_lost(facts.rows(core::exported_key().path))) {}

  Writers writers;
  Writers left;                             ///< of records that no item of the list has any more
  std::map<std::string, Writer> unwritten;  ///< declared paths that no record exports yet
  std::set<std::string> doubtful;  ///< declared paths that a damaged record may have exported

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
      const std::string key{state.list->keys[i]};
      add_record(node, i, core::item_key(declared.name, key).path, key, i + 1);
    }
    add_orphans(node);
  }

 private:
  void add_orphans(std::uint32_t node) {
    const auto& declared = graph_.nodes[node];
    const ItemList& list = *states_[node].list;
    for (const std::string& path : orphans(facts_, declared.name, list, 0)) {
      const Row* row = current(facts_.rows(path));
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
      if (is_lost(facts_.rows(path)) || confirmations_lost_) doubtful.insert(wanted);
      bool exported = false;
      for (const Export& one : header ? header->exports : std::vector<Export>{}) {
        exported = exported || one.path == wanted;
      }
      if (!exported) unwritten.emplace(wanted, Writer{node, item, {wanted, {}, {}, 0}});
    }
    if (!header) return;
    const std::uint64_t bytes = is_file(node, row->head.codec) ? header->payload_bytes : 0;
    for (const Export& one : header->exports) {
      if (!one.is_nothing()) writers[one.path].push_back({node, item, one, bytes});
    }
  }

  /// Whether the artifacts of the stage have the bytes of its value.
  [[nodiscard]] bool is_file(std::uint32_t node, CodecId codec) const {
    const auto& artifacts = graph_.nodes[node].artifacts;
    return (codec == CodecId::file || codec == CodecId::text || codec == CodecId::bytes) &&
           std::ranges::none_of(artifacts,
                                [](const detail::Artifact& one) { return one.render != nullptr; });
  }

  const Graph& graph_;
  const Facts& facts_;
  std::vector<NodeState>& states_;
  bool confirmations_lost_;
};

const Writer& owner(const std::vector<Writer>& writers) {
  const Writer* last = &writers.front();
  for (const Writer& writer : writers) {
    if (writer.exported.order > last->exported.order) last = &writer;
  }
  return *last;
}

// Puts a cause on a stage, and on its item. Refusals come first.
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

// Why an edit of this file cannot be adopted.
std::optional<Cause> refused_edit(const Exports& exports, const std::string& path) {
  for (const EditFact& edit : exports.edits()) {
    if (!edit.taken && edit.path == path) return edit.causes.front();
  }
  return std::nullopt;
}

Cause occupied(const Exports& exports, const std::string& path, const Look& look) {
  if (auto refused = refused_edit(exports, path)) return *std::move(refused);
  Cause cause{
      .reason = look.state == Look::State::unreadable ? Reason::unreadable : Reason::occupied,
      .subject = path,
      .file = exports.artifact_file(path),
      .detail = look.problem};
  if (!cause.detail.empty()) return cause;
  if (const auto doubt = exports.doubt(path)) {
    if (doubt->unreadable) cause.reason = Reason::unreadable;
    cause.detail = doubt->problem;
    return cause;
  }
  cause.detail =
      "a file that belongs to no checkpoint is in the artifact's place; it is never replaced. Move "
      "it away, or adopt it";
  cause.advice.push_back({.option = Option::adopt});
  return cause;
}

// What is to be exported again, as a cause.
Cause restored(const Exports& exports, const std::string& path, bool doubtful) {
  return {.reason = Reason::restored,
          .subject = path,
          .file = exports.artifact_file(path),
          .detail = doubtful ? fmt::format("the record that exported it is damaged or lost; a copy "
                                           "of what is there is kept in {}/removed",
                                           core::own_folder)
                             : ""};
}

void judge_path(const Exports& exports, const std::string& path, const std::vector<Writer>& writers,
                bool doubtful, std::vector<NodeState>& states) {
  const Look look = exports.look(path);
  const Writer& last = owner(writers);
  std::vector<Export> exported;
  exported.reserve(writers.size());
  for (const Writer& writer : writers) exported.push_back(writer.exported);
  const FileFound found = judge_file(exports, path, exported, doubtful);
  switch (found) {
    case FileFound::ours: break;
    case FileFound::edited:
    case FileFound::unclear:
      put(states, last, Action::refuse, occupied(exports, path, look));
      break;
    case FileFound::missing:
    case FileFound::unfinished:
    case FileFound::doubtful: {
      const bool kept = states[last.node].decision.action == Action::skip ||
                        (last.item && states[last.node].items[*last.item].action == Action::skip);
      if (kept) {
        put(states, last, Action::skip, restored(exports, path, found == FileFound::doubtful));
      }
      break;
    }
  }
}

// Says which values that are written out again take more space than there is. It is no refusal: a
// file system that compresses may have room for them.
void judge_space(const Exports& exports, const Writers& all, std::vector<NodeState>& states) {
  std::vector<Cause*> again;
  std::uint64_t bytes = 0;
  const auto take = [&](std::vector<Cause>& causes, bool counts) {
    for (Cause& cause : causes) {
      const auto found = all.find(cause.subject);
      const bool fits = cause.reason == Reason::restored && cause.detail.empty();
      if (!fits || found == all.end() || owner(found->second).bytes == 0) continue;
      again.push_back(&cause);
      if (counts) bytes += owner(found->second).bytes;
    }
  };
  for (NodeState& state : states) {
    take(state.decision.causes, true);  // those of its items are among them
    for (auto& [item, causes] : state.causes) take(causes, false);
  }
  const std::uint64_t free = bytes == 0 ? UINT64_MAX : exports.free_bytes();
  if (bytes <= free) return;
  for (Cause* cause : again) {
    cause->detail = fmt::format("the files that are exported again take {}, and {} are free",
                                core::format_size(bytes), core::format_size(free));
  }
}

// Whether the file at a path that no record exports yet is one that we left there.
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

// Files that a fan-out appends to: ours as far as they are recorded.
void judge_appended(const detail::Node& node, const Exports& exports, NodeState& state) {
  using State = AppendedLook::State;
  if (!state.taken) return;
  Decision& decision = state.decision;
  for (const detail::Artifact& one : node.appended) {
    const AppendedLook look = exports.look_appended(one.pattern);
    Cause cause{.reason = Reason::restored,
                .subject = one.pattern,
                .file = exports.artifact_file(one.pattern)};
    const bool taken = look.state == State::foreign && exports.adopting();
    if (look.state == State::as_left) continue;
    if (look.state == State::missing || taken) {
      if (taken) cause.detail = fmt::format("a copy is kept in {}/removed", core::own_folder);
      if (taken || decision.action == Action::skip) decision.causes.push_back(std::move(cause));
      continue;
    }
    cause.reason = Reason::occupied;
    const bool advised = look.state == State::unclear;
    cause.detail = advised ? look.problem : look.problem + "; it is never replaced. Move it away";
    decision.action = Action::refuse;
    decision.causes.insert(decision.causes.begin(),
                           refused_edit(exports, one.pattern).value_or(std::move(cause)));
  }
}

}  // namespace

namespace {

FileFound judge_by_records(std::span<const Export> writers, const Export* confirmed,
                           const Look& look, bool damaged) {
  const Export* last = &writers.front();
  for (const Export& one : writers) {
    if (one.order > last->order) last = &one;
  }
  const bool certain = confirmed != nullptr && confirmed->order >= last->order;
  const Digest& expected = certain ? confirmed->digest : last->digest;
  if (look.digest == expected) return FileFound::ours;
  if (certain) return damaged ? FileFound::doubtful : FileFound::edited;
  if (last->before && look.digest == *last->before) return FileFound::unfinished;
  for (const Export& one : writers) {
    if (look.digest == one.digest) return FileFound::unfinished;
  }
  return damaged ? FileFound::doubtful : FileFound::edited;
}

}  // namespace

FileFound judge_file(const Exports& exports, std::string_view path, std::span<const Export> writers,
                     bool damaged) {
  const Look look = exports.look(path);
  if (look.state == Look::State::missing) return FileFound::missing;
  if (look.state != Look::State::file) return FileFound::edited;
  const FileFound found = judge_by_records(writers, exports.confirmed(path), look, damaged);
  if (found != FileFound::edited) return found;
  const auto doubt = exports.doubt(path);
  if (!doubt) return found;
  return doubt->ours == look.digest ? FileFound::doubtful : FileFound::unclear;
}

namespace {

bool writes_artifact(const detail::Node& node, const NodeState& state) {
  if (!state.taken || (node.artifacts.empty() && node.appended.empty())) return false;
  const auto restores = [](const std::vector<Cause>& causes) {
    return std::ranges::count(causes, Reason::restored, &Cause::reason) > 0;
  };
  return state.decision.action == Action::run || state.decision.action == Action::decide ||
         restores(state.decision.causes) ||
         std::ranges::any_of(state.causes, restores, [](const auto& of) { return of.second; });
}

void refuse(NodeState& state, Cause cause) {
  state.decision.action = Action::refuse;
  state.decision.causes.insert(state.decision.causes.begin(), std::move(cause));
}

// Nothing runs whose artifacts could not be exported then.
void judge_folder(const Graph& graph, const Exports& exports, std::vector<NodeState>& states) {
  std::optional<std::string> why;
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    if (!writes_artifact(graph.nodes[i], states[i])) continue;
    if (!why) why = exports.why_unwritable();
    if (why->empty()) return;
    refuse(states[i],
           {.reason = Reason::unwritable, .file = exports.artifact_file(""), .detail = *why});
  }
}

// An adopted edit is the first cause of a stage that is kept.
void put_edits(const Exports& exports, std::vector<NodeState>& states) {
  const auto add = [](Action action, std::vector<Cause>& causes, const std::vector<Cause>& more) {
    if (action == Action::skip) {
      std::erase_if(causes, [](const Cause& cause) { return cause.reason == Reason::done; });
      causes.insert(causes.begin(), more.begin(), more.end());
    } else {
      causes.insert(causes.end(), more.begin(), more.end());
    }
  };
  for (const EditFact& edit : exports.edits()) {
    NodeState& state = states[edit.node];
    if (!edit.taken || !state.taken) continue;
    add(state.decision.action, state.decision.causes, edit.causes);
    if (edit.item.empty() || !state.list) continue;
    const std::size_t item = state.list->find(edit.item, 0);
    if (item >= state.items.size()) continue;
    add(state.items[item].action, state.causes[item], edit.causes);
    if (state.items[item].action == Action::skip && !edit.causes.empty()) {
      state.items[item].reason = edit.causes.front().reason;
    }
  }
}

}  // namespace

void judge_artifacts(const Graph& graph, const Facts& facts, const Exports& exports,
                     std::vector<NodeState>& states) {
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    judge_appended(graph.nodes[i], exports, states[i]);
  }
  Gather gather{graph, facts, states};
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) gather.add(i);
  for (const auto& [path, writers] : gather.writers) {
    judge_path(exports, path, writers, gather.doubtful.contains(path), states);
  }
  for (const auto& [path, writer] : gather.unwritten) {
    if (gather.writers.contains(path)) continue;
    const Look look = exports.look(path);
    const bool free = look.state == Look::State::missing ||
                      is_left(look, exports.confirmed(path), gather.left, path);
    const auto doubt =
        !free && look.state == Look::State::file ? exports.doubt(path) : std::nullopt;
    const bool doubtful = !free && look.state == Look::State::file &&
                          (gather.doubtful.contains(path) || (doubt && doubt->ours == look.digest));
    const bool taken = exports.adopting() && look.state == Look::State::file;
    if (taken) continue;
    if (!free && !doubtful) {
      put(states, writer, Action::refuse, occupied(exports, path, look));
      continue;
    }
    const bool skipped = writer.item
                             ? states[writer.node].items[*writer.item].action == Action::skip
                             : states[writer.node].decision.action == Action::skip;
    if (skipped) {
      put(states, writer, Action::skip, restored(exports, path, doubtful));
    }
  }
  judge_space(exports, gather.writers, states);
  put_edits(exports, states);
  judge_folder(graph, exports, states);
}

void judge_paths(const Graph& graph, std::vector<NodeState>& states) {
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    if (!states[i].taken || !states[i].list) continue;
    auto clash = find_clash(graph, states, i);
    if (clash) {
      refuse(states[i], {.reason = Reason::path_conflict, .detail = std::move(clash->text)});
    }
  }
}

}  // namespace resumable::plan
