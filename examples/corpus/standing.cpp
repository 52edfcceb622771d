#include "corpus/standing.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <set>

#include "corpus/outline.hpp"
#include "corpus/types.hpp"

namespace corpus {
namespace {

namespace rs = resumable;
constexpr std::string_view queue = "pieces";

/// The current record at each path below `prefix`: path and generation.
std::map<std::string, std::uint64_t> current(const rs::CheckpointStore& store, std::string_view run,
                                             std::string_view prefix) {
  std::map<std::string, std::uint64_t> found;
  store.scan(run, {.prefix = prefix, .quarantined = false}, [&](const rs::Found& one) {
    found[std::string{one.id.path}] = one.id.generation;
    return true;
  });
  return found;
}

std::string phase_of(const rs::Plan& plan) {
  if (plan.complete()) return "done";
  const auto begun = plan.item(queue, concept_key);
  if (!begun || begun->action != rs::Action::skip) return "concept";
  return plan[queue].action == rs::Action::skip ? "finalize" : "generating";
}

/// What an item gave, or nothing when its record cannot be read: the plan deals with that.
void read_page(const rs::CheckpointStore& store, std::string_view run, rs::RecordId id,
               const std::set<std::string>& kept, Standing& standing) {
  try {
    const auto stored = store.get(run, id);
    if (!stored) return;
    const auto header = nlohmann::json::parse(stored->header);
    const std::string key = header.at("key").get<std::string>().substr(queue.size() + 1);
    if (!kept.contains(key)) return;
    const Page page = nlohmann::json::parse(rs::read_all(*stored->payload)).get<Page>();
    if (page.kind == Kind::concept_of_city) standing.city_name = page.title;
    if (page.kind != Kind::expansion) standing.words[key] = page.words;
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
  standing.phase = phase_of(plan);
  std::set<std::string> kept;
  plan.items(queue, [&](std::string_view key, rs::Action action, rs::Reason) {
    const bool has_value = action == rs::Action::skip || action == rs::Action::decide;
    if (has_value) kept.emplace(key);
    standing.left += !has_value && !key.starts_with('_') ? 1U : 0U;
    return true;
  });
  for (const auto& [path, generation] : current(store, run, fmt::format("{}/", queue))) {
    read_page(store, run, {path, generation}, kept, standing);
  }
  return standing;
}

std::optional<std::string> recorded_input(const rs::CheckpointStore& store, std::string_view run,
                                          std::string_view name) {
  const std::string path = fmt::format("@input/{}", name);
  const auto found = current(store, run, path);
  const auto own = found.find(path);
  if (own == found.end()) return std::nullopt;
  const auto stored = store.get(run, {path, own->second});
  if (!stored) return std::nullopt;
  return rs::read_all(*stored->payload);
}

}  // namespace corpus
