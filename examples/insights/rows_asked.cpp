#include "insights/rows_asked.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// Whether a clause names the column, and not one value of it.
bool asks_for_cells(const Clause& clause, const Json& column) {
  const std::string name = name_of(column);
  const Interest& about = clause.about;
  return about.said.contains(name) || (about.named.contains(name) && !about.where.contains(name));
}

}  // namespace

std::vector<Json> lookups_of(const Clause& clause, const std::vector<Clause>& all,
                             const Json& table) {
  Json tell = Json::array();
  for (const Json& column : table.at("columns")) {
    const bool is_named = std::ranges::any_of(all, [&](const Clause& one) {
      return one.about.looked_up == clause.about.looked_up && asks_for_cells(one, column);
    });
    if (is_named && !column.contains("counts") && !column.contains("between"))
      tell.push_back(name_of(column));
  }
  std::vector<Json> calls;
  for (const auto& [column, values] : clause.about.looked_up) {
    calls.push_back({{"column", column}, {"values", values}});
    if (!tell.empty()) calls.back()["tell"] = tell;
  }
  return calls;
}

bool asks_for_rows_alone(const Interest& about, const std::vector<Interest>& others) {
  const auto is_alone = [](const Interest& one) {
    return std::ranges::any_of(one.looked_up,
                               [&](const auto& of) { return !one.where.contains(of.first); });
  };
  return is_alone(about) || std::ranges::any_of(others, is_alone);
}

}  // namespace insights
