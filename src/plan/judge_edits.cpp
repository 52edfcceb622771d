// What a user is asked when an edit and a new value collide.
#include <fmt/format.h>

#include "plan/judge.hpp"

namespace resumable::plan {
namespace {

std::string advice(std::string_view stage, std::string_view item) {
  const std::string selector =
      item.empty() ? std::string{stage} : fmt::format("{}/{}", stage, item);
  return fmt::format(
      "use ResumeOptions::accept '{0}' to keep your edit, ResumeOptions::reject '{0}' to take the "
      "new value, or edit the file again",
      selector);
}

}  // namespace

void Judge::dispute(const Subject& subject, const Row& row, Verdict& verdict) const {
  const std::string& stage = graph_.nodes[subject.node].name;
  const auto header = facts_.header(subject.path, row.generation);
  if (!header || header->collisions.empty()) {
    verdict.wait({.reason = Reason::conflict, .detail = conflict_text(stage, subject.item, {})});
    return;
  }
  for (const core::Collision& one : header->collisions) {
    Cause cause{
        .reason = Reason::conflict, .subject = one.path, .before = one.edit, .after = one.value};
    if (verdict.action == Action::wait) {
      verdict.note(std::move(cause));
    } else {
      cause.detail = advice(stage, subject.item);
      verdict.wait(std::move(cause));
    }
  }
}

std::string conflict_text(std::string_view stage, std::string_view item,
                          const std::vector<core::Collision>& collisions) {
  std::string text = "your edit and its new value collide";
  for (const core::Collision& one : collisions) {
    const Cause cause{
        .reason = Reason::conflict, .subject = one.path, .before = one.edit, .after = one.value};
    text += (text.ends_with("collide") ? ": " : "; ") + cause.text();
  }
  return text + "; " + advice(stage, item);
}

}  // namespace resumable::plan
