// The tool that sets two categories against each other.
#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_groups = 24;

struct Group {
  std::vector<std::size_t> rows;  ///< with the outcome
  std::size_t of = 0;
};

double share_of(const Group& group) {
  return 100 * static_cast<double>(group.rows.size()) / static_cast<double>(group.of);
}

}  // namespace

Json outcomes(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  const Column& outcome = column_of(arguments, "outcome", table, category_names(table));
  const Column& by = column_of(arguments, "by", table, category_names(table));
  const auto value = arguments.text("value");
  if (!value) throw ToolError("'value' is to be a value of 'outcome'");
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  std::map<std::string, Group> groups;
  std::size_t without_outcome = 0;
  std::size_t without_group = 0;
  for (const std::size_t row : rows.rows) {
    if (outcome.words[row].empty()) {
      ++without_outcome;
    } else if (by.words[row].empty()) {
      ++without_group;
    } else {
      Group& group = groups[by.words[row]];
      ++group.of;
      if (outcome.words[row] == *value) group.rows.push_back(row);
    }
  }
  std::vector<std::pair<std::string, Group>> sorted{groups.begin(), groups.end()};
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const auto& one) { return share_of(one.second); });
  Json result{{"outcome", outcome.name},
              {"value", *value},
              {"by", by.name},
              {"without_outcome", without_outcome},
              {"without_group", without_group},
              {"groups", Json::array()}};
  if (!rows.where.empty()) result["where"] = rows.where;
  for (const auto& [name, group] : sorted) {
    if (result["groups"].size() == most_groups) break;
    result["groups"].push_back({{"name", name},
                                {"count", group.rows.size()},
                                {"of", group.of},
                                {"share", rounded(share_of(group))},
                                {"lines", table.places(group.rows)}});
  }
  return result;
}

}  // namespace insights::tool
