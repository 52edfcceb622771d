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
using Keys = std::set<std::string, std::less<>>;
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

std::string phase_of(const rs::Plan& plan, const Standing& standing) {
  if (plan.complete()) return "done";
  if (!standing.words.contains(std::string{concept_key})) return "concept";
  return plan[queue].action == rs::Action::skip ? "finalize" : "generating";
}

/// What an item gave, or nothing when its record cannot be read: the plan deals with that.
void read_page(const rs::CheckpointStore& store, std::string_view run, rs::RecordId id,
               const std::optional<Keys>& kept, Standing& standing) {
  try {
    const auto stored = store.get(run, id);
    if (!stored) return;
    const auto header = nlohmann::json::parse(stored->header);
    const std::string key = header.at("key").get<std::string>().substr(queue.size() + 1);
    if (kept && !kept->contains(key)) return;
    const Page page = nlohmann::json::parse(rs::read_all(*stored->payload)).get<Page>();
    if (page.kind == Kind::concept_of_city) standing.city_name = page.title;
    if (page.kind != Kind::expansion) standing.words[key] = page.words;
  } catch (const rs::Error&) {
  }
}

/// The payload of the current record at `path`.
std::optional<std::string> payload_at(const rs::CheckpointStore& store, std::string_view run,
                                      const std::string& path) {
  const auto found = current(store, run, path);
  const auto own = found.find(path);
  if (own == found.end()) return std::nullopt;
  const auto stored = store.get(run, {path, own->second});
  if (!stored) return std::nullopt;
  return rs::read_all(*stored->payload);
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
    standing.left += !has_value && is_section(key) ? 1U : 0U;
    return true;
  });
  for (const auto& [path, generation] : current(store, run, fmt::format("{}/", queue))) {
    read_page(store, run, {path, generation}, kept, standing);
  }
  standing.phase = phase_of(plan, standing);
  return standing;
}

std::optional<Totals> recorded_totals(const rs::CheckpointStore& store, std::string_view run) {
  const auto payload = payload_at(store, run, "finalize");
  if (!payload) return std::nullopt;
  return nlohmann::json::parse(*payload).get<Totals>();
}

std::optional<std::string> recorded_input(const rs::CheckpointStore& store, std::string_view run,
                                          std::string_view name) {
  return payload_at(store, run, fmt::format("@input/{}", name));
}

}  // namespace corpus
