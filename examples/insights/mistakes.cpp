#include "insights/mistakes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "insights/columns.hpp"
#include "insights/figures.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

constexpr std::size_t enough = 20;  // readings, to know what they are like

/// Whether the digits are all nines, at least two: 99.9, −999.
bool is_nines(double value) {
  const std::string text = fmt::format("{}", std::abs(value));
  return std::ranges::count(text, '9') >= 2 && text.find_first_not_of("9.") == text.npos;
}

/// The values of a column that are of one key, in order.
struct Group {
  std::vector<std::size_t> rows;
  std::vector<double> values;
};

std::vector<Group> groups_of(const Table& table, const Column& column) {
  std::map<std::vector<std::string>, Group> groups;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!column.numbers[row]) continue;
    std::vector<std::string> keys;
    for (const std::string& key : table.keys) keys.push_back(table.find(key)->words[row]);
    Group& group = groups[std::move(keys)];
    group.rows.push_back(row);
    group.values.push_back(*column.numbers[row]);
  }
  std::vector<Group> all;
  for (auto& [keys, group] : groups) all.push_back(std::move(group));
  return all;
}

/// Marks of missing values: nines that are farther from all other values than these from each
/// other. Of amounts, which may be large, only those below zero.
std::vector<std::size_t> marks(const Column& column, const Group& group) {
  std::vector<double> others;
  for (const double value : group.values) {
    if (!is_nines(value)) others.push_back(value);
  }
  if (others.size() < enough || others.size() * 10 < group.values.size() * 9) return {};
  const auto [low, high] = std::ranges::minmax(others);
  const double range = high - low;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < group.values.size(); ++i) {
    const double value = group.values[i];
    const bool is_far = value < low - range || (value > high + range && !column.is_amount);
    if (is_nines(value) && is_far) found.push_back(i);
  }
  return found;
}

/// Whether values lie close together, as those of a thing that has a usual size do: not rain, not
/// gifts, of which some are many times others.
bool are_close(const std::vector<double>& values) {
  const double low = quantile(values, 0.05);
  const double high = quantile(values, 0.95);
  return low < high && (low < 0 || (low > 0 && high < 4 * median(values)));
}

/// Which of the values are far from all others: of the few farthest from the median those before
/// the last wide step.
std::vector<std::size_t> far_ones(const std::vector<double>& values, bool is_amount) {
  constexpr double far = 20;   // robust deviations
  constexpr double apart = 5;  // times as far as the next
  constexpr double many = 8;   // times the median
  if (values.size() < enough || !are_close(values)) return {};
  const double middle = median(values);
  const double spread = robust_spread(values);
  // On some day many people come: a figure that was typed wrong is about ten times too large.
  const auto is_far = [&](std::size_t at, double distance) {
    return distance >= far * spread && (!is_amount || values[at] >= many * middle);
  };
  std::vector<std::pair<double, std::size_t>> distances;
  for (std::size_t i = 0; i < values.size(); ++i) {
    distances.emplace_back(std::abs(values[i] - middle), i);
  }
  std::ranges::sort(distances, std::ranges::greater{});
  const std::size_t few =
      std::min(values.size() / 10, std::max<std::size_t>(3, values.size() / 100));
  std::size_t count = 0;
  for (std::size_t i = 0; i < few && is_far(distances[i].second, distances[i].first); ++i) {
    if (distances[i].first >= apart * distances[i + 1].first) count = i + 1;
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < count; ++i) found.push_back(distances[i].second);
  std::ranges::sort(found);
  return found;
}

/// Without those that stand in a row of more than two: that is something that happened.
std::vector<std::size_t> alone(const std::vector<std::size_t>& found) {
  constexpr std::size_t longest = 2;
  std::vector<std::size_t> kept;
  for (std::size_t begin = 0; begin < found.size();) {
    std::size_t end = begin + 1;
    while (end < found.size() && found[end] == found[end - 1] + 1) ++end;
    if (end - begin <= longest)
      kept.insert(kept.end(), &found[begin], &found[begin] + (end - begin));
    begin = end;
  }
  return kept;
}

void set_aside(Column& column, std::size_t row) {
  column.set_aside.resize(column.numbers.size());
  column.set_aside[row].swap(column.numbers[row]);
}

}  // namespace

void drop_doubles(Table& table) {
  const std::vector<std::string>& cells = table.cells;
  if (table.moments.empty() && table.names.empty()) return;  // nothing tells rows apart
  std::map<std::string, std::size_t> seen;
  std::vector<std::vector<std::string>> again(table.rows());
  std::vector<bool> keep(table.rows(), true);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto [first, is_new] = seen.emplace(cells[row], row);
    if (is_new) continue;
    keep[row] = false;
    again[first->second].push_back(table.place(row));
  }
  const auto doubles = static_cast<std::size_t>(std::ranges::count(keep, false));
  if (doubles == 0 || doubles * 20 >= table.rows()) return;
  table.again = std::move(again);
  keep_rows(table, keep);
}

void set_mistakes_aside(Table& table) {
  for (Column& column : table.columns) {
    if (column.kind != Column::Kind::number || column.is_count || !column.between.empty()) continue;
    for (const Group& group : groups_of(table, column)) {
      for (const std::size_t at : marks(column, group)) set_aside(column, group.rows[at]);
    }
    // What events cost has no usual size.
    if (table.has_events && words().has("money", column.unit)) continue;
    for (const Group& group : groups_of(table, column)) {
      for (const std::size_t at : alone(far_ones(group.values, column.is_amount))) {
        set_aside(column, group.rows[at]);
      }
    }
  }
}

}  // namespace insights
