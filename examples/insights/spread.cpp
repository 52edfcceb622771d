#include "insights/spread.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"

namespace insights::tool {

std::vector<double> day_ranges(const Table& table, const std::vector<Item>& items) {
  std::map<std::pair<std::vector<std::string>, Moment>, std::vector<double>> days;
  for (const Item& item : items) {
    if (table.moments.empty()) break;
    std::vector<std::string> key;
    for (const std::string& name : table.keys) key.push_back(table.find(name)->words[item.row]);
    days[{std::move(key), day_of(item.moment)}].push_back(item.value);
  }
  constexpr std::size_t fewest = 3;
  std::vector<double> ranges;
  for (const auto& [day, values] : days) {
    const auto [low, high] = std::ranges::minmax(values);
    if (values.size() >= fewest) ranges.push_back(high - low);
  }
  if (2 * ranges.size() < days.size()) ranges.clear();
  return ranges;
}

nlohmann::json spread_in(const Table& table, const std::string& figure,
                         const std::vector<Item>& items) {
  if (figure == "deviation") {
    std::vector<double> values;
    for (const Item& item : items) values.push_back(item.value);
    return {{"value", rounded(deviation(values))}};
  }
  const std::vector<double> ranges = day_ranges(table, items);
  if (ranges.empty()) return nlohmann::json::object();
  return {{"value", rounded(mean(ranges))}, {"days", ranges.size()}};
}

}  // namespace insights::tool
