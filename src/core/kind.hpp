/// @file
/// The kinds of records, and what distinguishes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace resumable::core {

/// What a record is. The numbers are frozen: they are in every tag.
enum class Kind : std::uint8_t {
  value = 1,
  items = 2,
  step = 3,
  progress = 4,
  history = 5,
  queue = 6,
  intent = 7,
  effect = 8,
  edit = 9,
  input = 10,
  condition = 11,
  attempt = 12,
  request = 13,
  approval = 14,
  label = 15,
  exported = 16,
  superseded = 17,
  tombstone = 18,
  run = 19,
  alive = 20,
  tries = 21,
  left = 22,
  closed = 23,
};

struct KindTraits {
  Kind kind;
  std::string_view name;
  /// Made again if it is lost: Durability::data and queued apply to it. Questions, answers,
  /// requests and effects are not made again.
  bool may_be_lost = false;
  /// Belongs to the function of a stage or item: `@kind/stage[/item]/name`.
  bool inside = false;
  /// A result of a run, which merging takes over. The rest belongs to the progress of one run.
  bool merged = false;
  /// One of the library's own small records, which planning reads.
  bool planned_with = false;
  /// May be erased once its stage or item has left the pipeline. Side effects may not: an item that
  /// returns would repeat them.
  bool leaves = false;
};

/// By number, from 1.
inline constexpr std::array kind_traits{
    KindTraits{
        .kind = Kind::value, .name = "value", .may_be_lost = true, .merged = true, .leaves = true},
    KindTraits{
        .kind = Kind::items, .name = "items", .merged = true, .planned_with = true, .leaves = true},
    KindTraits{.kind = Kind::step,
               .name = "step",
               .may_be_lost = true,
               .inside = true,
               .merged = true,
               .leaves = true},
    KindTraits{.kind = Kind::progress,
               .name = "progress",
               .may_be_lost = true,
               .inside = true,
               .leaves = true},
    KindTraits{.kind = Kind::history,
               .name = "history",
               .may_be_lost = true,
               .inside = true,
               .leaves = true},
    KindTraits{.kind = Kind::queue,
               .name = "queue",
               .may_be_lost = true,
               .merged = true,
               .planned_with = true,
               .leaves = true},
    KindTraits{.kind = Kind::intent, .name = "intent", .inside = true},
    KindTraits{.kind = Kind::effect, .name = "effect", .inside = true, .merged = true},
    KindTraits{.kind = Kind::edit, .name = "edit"},
    KindTraits{.kind = Kind::input, .name = "input", .merged = true, .planned_with = true},
    KindTraits{.kind = Kind::condition, .name = "condition", .merged = true, .planned_with = true},
    KindTraits{.kind = Kind::attempt, .name = "attempt", .leaves = true},
    KindTraits{.kind = Kind::request, .name = "request", .planned_with = true},
    KindTraits{.kind = Kind::approval, .name = "approval", .planned_with = true, .leaves = true},
    KindTraits{.kind = Kind::label, .name = "label"},
    KindTraits{.kind = Kind::exported, .name = "exported", .planned_with = true},
    KindTraits{.kind = Kind::superseded, .name = "superseded"},
    KindTraits{.kind = Kind::tombstone, .name = "tombstone"},
    KindTraits{.kind = Kind::run, .name = "run", .planned_with = true},
    KindTraits{.kind = Kind::alive, .name = "alive", .planned_with = true},
    KindTraits{
        .kind = Kind::tries, .name = "tries", .may_be_lost = true, .inside = true, .leaves = true},
    KindTraits{.kind = Kind::left, .name = "left", .planned_with = true},
    KindTraits{.kind = Kind::closed, .name = "closed", .planned_with = true, .leaves = true},
};

static_assert([] {
  for (std::size_t i = 0; i < kind_traits.size(); ++i) {
    if (static_cast<std::size_t>(kind_traits[i].kind) != i + 1) return false;
  }
  return true;
}());

/// Those of a kind without a name for a number that no kind has.
[[nodiscard]] constexpr KindTraits traits(Kind kind) noexcept {
  const auto number = static_cast<std::size_t>(kind);
  return number >= 1 && number <= kind_traits.size() ? kind_traits[number - 1]
                                                     : KindTraits{kind, ""};
}

}  // namespace resumable::core
