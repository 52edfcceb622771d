#include "research/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <resumable/digest.hpp>
#include <resumable/error.hpp>
#include <vector>

namespace research {
namespace {

namespace rs = resumable;
using Json = nlohmann::json;

/// The payload, if it is the one that its header speaks of.
std::optional<Json> value_of(const rs::Stored& stored) {
  const Json header = Json::parse(stored.header, nullptr, false);
  const std::string bytes = rs::read_all(*stored.payload);
  if (!header.is_object()) return {};
  const Json said = header.value("payload", Json::object());
  if (said.value("digest", std::string{}) != rs::digest(bytes).hex()) return {};
  Json value = Json::parse(bytes, nullptr, false);
  return value.is_discarded() ? std::nullopt : std::optional{std::move(value)};
}

}  // namespace

std::optional<Json> recorded(const rs::CheckpointStore& store, std::string_view session,
                             std::string_view path) {
  std::vector<std::uint64_t> generations;
  std::optional<std::uint64_t> damaged;
  store.scan(session, {.prefix = path, .quarantined = false}, [&](const rs::Found& found) {
    if (found.id.path != path) return true;
    if (found.damage == rs::Damage::none) {
      generations.push_back(found.id.generation);
    } else {
      damaged = found.id.generation;
    }
    return true;
  });
  std::ranges::sort(generations, std::greater{});
  for (const std::uint64_t generation : generations) {
    const auto stored = store.get(session, {path, generation});
    if (!stored) continue;
    if (auto value = value_of(*stored)) return value;
    damaged = generation;
  }
  if (!damaged) return {};
  throw rs::Error(rs::Errc::damaged,
                  {.what = fmt::format("session {}: the record '{}' is damaged", session, path),
                   .run = std::string{session},
                   .file = store.locate(session, {path, *damaged}),
                   .kept = "every byte"});
}

std::string recorded_input(const rs::CheckpointStore& store, std::string_view session,
                           std::string_view name) {
  const auto value = recorded(store, session, fmt::format("@input/{}", name));
  return value && value->is_string() ? value->get<std::string>() : std::string{};
}

}  // namespace research
