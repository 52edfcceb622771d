// Deletes values that were used and are not needed any more (Keep::until_used).
#include <algorithm>

#include "core/key.hpp"
#include "core/time.hpp"
#include "record/tags.hpp"
#include "run/executor.hpp"

namespace resumable::run {

using detail::Arg;
using detail::ArgKind;

/// Whether something has taken its value, and it is nobody's but the stage's. What takes it is done
/// or not taken: the call has ended as done.
bool Executor::may_drop(std::uint32_t node) const {
  const detail::Node& declared = tools_.graph.nodes[node];
  const bool wanted = declared.drops && states_[node].taken && declared.artifacts.empty() &&
                      !tools_.decider.choices().is_about(node);
  return wanted && std::ranges::any_of(runs_[node].dependents, [&](std::uint32_t dependent) {
           return states_[dependent].taken &&
                  std::ranges::any_of(tools_.graph.nodes[dependent].args, [&](const Arg& arg) {
                    return arg.node == node && arg.kind != ArgKind::after;
                  });
         });
}

namespace {

/// A value with any flag is a person's, or has files of its own, or has been dropped. What a killed
/// call has dropped may have earlier generations, which are to go.
bool has_something_to_drop(const core::Head& head, bool has_earlier) {
  if (head.has(core::dropped)) return has_earlier;
  return head.flags == 0 && head.codec != CodecId::none && !head.leaves_files();
}

}  // namespace

/// What is left of the value at this path; nullopt if it stays.
std::optional<record::Draft> Executor::without_value(std::uint32_t node,
                                                     const record::Tagged& tagged) const {
  const detail::Node& declared = tools_.graph.nodes[node];
  const core::Key key = core::stage_key(declared.name);
  record::Succession next = tools_.facts.succession(key.path, declared.type->version);
  if (!next.previous || tagged.contains(key.path, next.previous->generation)) return std::nullopt;
  std::erase_if(next.erase,
                [&](const auto& one) { return tagged.contains(one.first, one.second); });
  const plan::Row& row = *next.previous;
  if (!has_something_to_drop(row.head, !next.erase.empty())) return std::nullopt;
  auto header = tools_.facts.header(key.path, row.generation);
  if (!header || !header->exports.empty() || !header->adopted_by.empty()) return std::nullopt;
  record::Draft draft{.key = key,
                      .generation = next.generation,
                      .head = row.head,
                      .header = *std::move(header),
                      .payload = std::make_shared<StringPayload>(""),
                      .erase = std::move(next.erase),
                      .packed = true,
                      .keeps_fence = true};
  draft.erase.emplace_back(key.path, row.generation);
  draft.head.set(core::dropped);
  draft.header.payload_digest = {};
  if (draft.header.dropped_at.empty()) {
    draft.header.dropped_at = core::format_utc(tools_.world.clock().wall());
  }
  return draft;
}

void Executor::drop_used() {
  std::vector<record::Draft> drafts;
  const record::Tagged tagged = record::tagged(tools_.facts);
  for (std::uint32_t i = 0; i < states_.size(); ++i) {
    auto draft = may_drop(i) ? without_value(i, tagged) : std::nullopt;
    if (draft) drafts.push_back(*std::move(draft));
  }
  if (drafts.empty()) return;
  for (const record::Committed& one : tools_.recorder.commit(std::move(drafts))) {
    tools_.facts.note(one.path, one.generation, one.head);
  }
}

}  // namespace resumable::run
