#include "exports/place.hpp"

#include <nlohmann/json.hpp>

#include "core/json.hpp"

namespace resumable::exports {

std::string artifact_folder(const CheckpointStore& store, std::string_view run) {
  const auto text = store.manifest(run);
  const auto json = core::Json::parse(text.value_or("{}"), nullptr, false);
  if (json.is_object()) {
    const auto found = json.find(folder_field);
    if (found != json.end() && found->is_string()) return found->get<std::string>();
  }
  const auto* own = store.capability<ArtifactFolder>();
  return own != nullptr ? own->artifact_folder(run) : std::string{};
}

}  // namespace resumable::exports
