#include "corpus/standing.hpp"

#include <set>

#include <resumable/error.hpp>
#include <resumable/records.hpp>

#include "corpus/outline.hpp"
#include "corpus/types.hpp"

namespace corpus {
namespace {

namespace rs = resumable;
using Keys = std::set<std::string, std::less<>>;
constexpr std::string_view queue = "pieces";

std::string phase_of(const rs::Plan& plan, const Standing& standing) {
  if (plan.complete()) return "done";
  if (!standing.words.contains(std::string{concept_key})) return "concept";
  return plan[queue].action == rs::Action::skip ? "finalize" : "generating";
}

/// What an item gave, or nothing when its record cannot be read: the plan deals with that.
void read_page(const rs::Records& records, const std::string& key, Standing& standing) {
  try {
    const auto page = records.item<Page>(queue, key);
    if (!page || page->value.kind == Kind::expansion) return;
    if (page->value.kind == Kind::concept_of_city) standing.city_name = page->value.title;
    standing.words[key] = page->value.words;
  } catch (const rs::Error&) {
  }
}

}  // namespace

std::size_t Standing::word_count() const {
  std::size_t count = 0;
  for (const auto& [key, of_one] : words) count += of_one;
  return count;
}

Standing standing_of(const rs::CheckpointStore& store, std::string_view run, const rs::Plan& plan) {
  Standing standing;
  std::optional<Keys> kept;  // all, as long as another target or outline leaves the list open
  if (plan[queue].listed) kept.emplace();
  plan.items(queue, [&](std::string_view key, rs::Action action, rs::Reason) {
    const bool has_value = action == rs::Action::skip || action == rs::Action::decide;
    if (has_value) kept->emplace(key);
    if (!has_value && is_section(key)) standing.queue.emplace_back(key);
    return true;
  });
  const rs::Records records{store, std::string{run}};
  for (const std::string& key : records.items(queue)) {
    if (!kept || kept->contains(key)) read_page(records, key, standing);
  }
  if (const auto start = records.input<std::string>("start_time")) {
    standing.start_time = start->value;
  }
  if (const auto target = records.input<std::size_t>("target_words")) {
    standing.target_words = target->value;
  }
  standing.phase = phase_of(plan, standing);
  return standing;
}

}  // namespace corpus
