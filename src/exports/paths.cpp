#include "exports/paths.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/pattern.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable::exports {

/// Calls `visit(path, who)` for every path of a stage, or of its items as far as they are known.
template <class Visit>
void PathChecks::for_each_path(std::uint32_t node, const Visit& visit) const {
  const std::string& stage = graph_.nodes[node].name;
  const auto& list = states_[node].list;
  for (const core::Pattern& pattern : graph_.patterns[node]) {
    if (graph_.nodes[node].kind != detail::NodeKind::fan_out) {
      visit(pattern.path("", 0), fmt::format("stage '{}'", stage));
      continue;
    }
    for (std::size_t i = 0; list && i < list->keys.size(); ++i) {
      if (list->repeats.contains(i)) continue;
      visit(pattern.path(list->keys[i], i + 1),
            fmt::format("item '{}' of stage '{}'", core::printable(list->keys[i]), stage));
    }
  }
}

void PathChecks::check_unique(std::uint32_t node) const {
  std::unordered_map<std::string, std::string> seen;  // folded path, to who exports it
  const auto refuse = [&](const std::string& one, const std::string& other, const std::string& path,
                          const char* next) {
    throw Error(Errc::path_conflict,
                {.what = fmt::format("{} and {} both export '{}'", one, other, path),
                 .stage = graph_.nodes[node].name,
                 .kept = "no item of this stage has run",
                 .next = next});
  };
  for_each_path(node, [&](const std::string& path, const std::string& who) {
    const auto [other, fresh] = seen.emplace(core::fold_path(path), who);
    if (!fresh) refuse(other->second, who, path, "put {position} into the artifact's pattern");
  });
  for (std::uint32_t i = 0; i < graph_.nodes.size() && !seen.empty(); ++i) {
    const bool chained = graph_.depends(std::max(i, node), std::min(i, node));
    if (i == node || chained || !states_[i].taken) continue;
    for_each_path(i, [&](const std::string& path, const std::string& who) {
      const auto other = seen.find(core::fold_path(path));
      if (other == seen.end()) return;
      refuse(other->second, who, path, "give one of the two artifacts a different path");
    });
  }
}

void PathChecks::claim(std::uint32_t node, std::size_t from) {
  const plan::NodeState& state = states_[node];
  for (const core::Pattern& pattern : graph_.patterns[node]) {
    for (std::size_t i = from; i < state.list->keys.size(); ++i) {
      if (state.list->repeats.contains(i)) continue;
      const std::string_view key = state.list->keys[i];
      const std::string path = pattern.path(key, 0);
      const auto [other, fresh] = claimed_[node].emplace(core::fold_path(path), key);
      if (fresh || other->second == key) continue;
      throw Error(Errc::path_conflict,
                  {.what = fmt::format("items '{}' and '{}' of queue '{}' both export '{}'",
                                       core::printable(other->second), core::printable(key),
                                       graph_.nodes[node].name, path),
                   .stage = graph_.nodes[node].name,
                   .item = std::string{key},
                   .kept = "everything that was saved",
                   .next = "put {item} into the artifact's pattern, and use keys that differ in"
                           " more than case"});
    }
  }
}

void PathChecks::check_free(std::uint32_t node, std::size_t from) const {
  if (folder_ == nullptr) return;
  const plan::NodeState& state = states_[node];
  const std::string& stage = graph_.nodes[node].name;
  for (const core::Pattern& pattern : graph_.patterns[node]) {
    for (std::size_t i = from; i < state.list->keys.size(); ++i) {
      if (state.list->repeats.contains(i)) continue;
      const std::string path = pattern.path(state.list->keys[i], i + 1);
      const plan::Look look = ledger_.look(path);
      if (look.state == plan::Look::State::missing) continue;
      const bool file_there = look.state == plan::Look::State::file;
      if (file_there && (ledger_.adopting() || ledger_.is_known(path, look.digest))) continue;
      if (file_there && ledger_.has_lost_record(node, std::string{state.list->keys[i]})) continue;
      const auto doubt = file_there ? ledger_.doubt(path) : std::nullopt;
      if (doubt && doubt->ours == look.digest) continue;
      const bool unread = look.state == plan::Look::State::unreadable;
      const std::string file = folder_->full(path);
      throw Error(unread ? Errc::unreadable : Errc::edited,
                  {.what = fmt::format(
                       "stage '{}': artifact '{}': {}", stage, path,
                       look.problem.empty() ? "a foreign file is in its place" : look.problem),
                   .stage = stage,
                   .item = std::string{state.list->keys[i]},
                   .operation = ledger_.cause_of(file) ? "read" : "",
                   .file = file,
                   .kept = "it is untouched, and no item of this stage has run",
                   .next = unread ? "fix the cause, for instance its permissions, and resume"
                                  : "move the file away and resume",
                   .cause = ledger_.cause_of(file)});
    }
  }
}

}  // namespace resumable::exports
