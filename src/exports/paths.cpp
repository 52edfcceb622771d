#include "exports/paths.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/pattern.hpp"
#include "core/remedy.hpp"
#include "core/text.hpp"
#include "plan/path_clashes.hpp"
#include "resumable/error.hpp"

namespace resumable::exports {

void PathChecks::check_unique(std::uint32_t node) const {
  const auto clash = plan::find_clash(graph_, states_, node);
  if (!clash) return;
  throw Error(Errc::path_conflict, {.what = clash->text,
                                    .stage = graph_.nodes[node].shown(),
                                    .kept = "no item of this stage has run",
                                    .next = clash->next});
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
                                       graph_.nodes[node].shown(), path),
                   .stage = graph_.nodes[node].shown(),
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
  const std::string& stage = graph_.nodes[node].shown();
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
                   .next = (unread ? core::remedy(ledger_.cause_of(file), "fix the cause")
                                   : "move the file away") +
                           " and resume",
                   .cause = ledger_.cause_of(file)});
    }
  }
}

}  // namespace resumable::exports
