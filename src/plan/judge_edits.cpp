// What a user is asked when an edit and a new value collide.
#include <span>

#include <fmt/format.h>

#include "core/text.hpp"
#include "plan/judge.hpp"

namespace resumable::plan {
namespace {

constexpr const char* settle = "choose one, or edit the file again";

/// Both sides in full, below each other.
std::string sides(const Cause& cause) {
  const auto lines = [](std::string_view label, std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    std::string shown;
    for (const char c : text) shown += c == '\n' ? "\n               " : std::string(1, c);
    return fmt::format("        {:<7}{}\n", label, shown);
  };
  return fmt::format("  at    {}\n", cause.subject.empty() ? "the whole value" : cause.subject) +
         lines("yours:", cause.before.empty() ? "you deleted this" : cause.before) +
         lines("new:", cause.after.empty() ? "the new value deleted this" : cause.after);
}

std::string text_of(std::span<const Cause> causes) {
  std::string text = "your edit and its new value collide\n";
  for (const Cause& one : causes) {
    if (one.reason == Reason::conflict && !(one.before.empty() && one.after.empty())) {
      text += sides(one);
    }
  }
  return text + "  next  " + settle;
}

}  // namespace

std::vector<Advice> conflict_advice(std::string_view stage, std::string_view item) {
  const std::string selector =
      item.empty() ? std::string{stage} : fmt::format("{}/{}", stage, item);
  return {{.option = Option::accept, .selector = selector, .purpose = "to keep your edit"},
          {.option = Option::reject, .selector = selector, .purpose = "to take the new value"}};
}

void Judge::dispute(const Subject& subject, const Row& row, Verdict& verdict) const {
  const auto ask = [&](Cause cause) {
    cause.detail = settle;
    cause.advice = conflict_advice(graph_.nodes[subject.node].shown(), subject.item);
    verdict.wait(std::move(cause));
  };
  const auto header = facts_.header(subject.path, row.generation);
  if (!header || header->collisions.empty()) return ask({.reason = Reason::conflict});
  for (const core::Collision& one : header->collisions) {
    Cause cause{
        .reason = Reason::conflict, .subject = one.path, .before = one.edit, .after = one.value};
    if (verdict.action == Action::wait) {
      verdict.note(std::move(cause));
    } else {
      ask(std::move(cause));
    }
  }
}

std::string conflict_text(const std::vector<core::Collision>& collisions) {
  std::vector<Cause> causes;
  causes.reserve(collisions.size());
  for (const core::Collision& one : collisions) {
    causes.push_back(
        {.reason = Reason::conflict, .subject = one.path, .before = one.edit, .after = one.value});
  }
  return text_of(causes);
}

std::string waiting_text(const std::vector<Cause>& causes) {
  const Cause& first = causes.front();
  return first.reason == Reason::conflict ? text_of(causes) : first.detail;
}

}  // namespace resumable::plan
