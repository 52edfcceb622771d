#include "record/left.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/kind.hpp"
#include "core/time.hpp"

namespace resumable::record {

std::string encode_left(const Left& left) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [path, since] : left) list.push_back({{"path", path}, {"since", since}});
  return nlohmann::ordered_json{{"left", std::move(list)}}.dump();
}

Left decode_left(std::string_view bytes) {
  Left left;
  try {
    const auto json = nlohmann::json::parse(bytes);
    for (const auto& one : json.at("left")) {
      left.emplace(one.at("path").get<std::string>(), one.at("since").get<std::string>());
    }
  } catch (const nlohmann::json::exception&) {
    left.clear();
  }
  return left;
}

LeftRecords::LeftRecords(const Left& left, std::chrono::system_clock::time_point before) {
  for (const auto& [path, since] : left) {
    const auto time = core::parse_utc(since);
    if (time && *time < before) old_.emplace(path, since);
  }
}

void LeftRecords::keep(std::string_view path) {
  if (const auto found = find(path); found != old_.end()) old_.erase(found);
}

/// The entry of the stage, or else of the item, that this record is of or about.
Left::const_iterator LeftRecords::find(std::string_view path) const {
  if (path.starts_with('@')) {
    const std::size_t slash = std::min(path.find('/'), path.size() - 1);
    const auto kind =
        std::ranges::find(core::kind_traits, path.substr(1, slash - 1), &core::KindTraits::name);
    if (kind == core::kind_traits.end() || !kind->leaves) return old_.end();
    path.remove_prefix(slash + 1);
  }
  const std::size_t stage = std::min(path.find('/'), path.size());
  const auto found = old_.find(path.substr(0, stage));
  if (found != old_.end() || stage == path.size()) return found;
  return old_.find(path.substr(0, std::min(path.find('/', stage + 1), path.size())));
}

}  // namespace resumable::record
