#include "insights/usual.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "insights/words.hpp"

namespace insights {
namespace {

bool is_extreme(const Column& column) {
  return std::ranges::any_of(words_in(column.name), [](const std::string& word) {
    return words().has("highest", word) || words().has("lowest", word);
  });
}

bool is_about(const Column& column, const Column& normal) {
  const std::vector<std::string> theirs = words_in(normal.name);
  return std::ranges::any_of(words_in(column.name), [&](const std::string& word) {
    return word != "mean" && std::ranges::any_of(theirs, [&](const std::string& other) {
             return speaks_of(word, other);
           });
  });
}

/// 12-31
std::string day_of_year(Moment moment) { return moment_text(moment, false).substr(5); }

}  // namespace

bool is_normals(const Table& table) {
  return !table.moments.empty() &&
         std::ranges::any_of(words_in(table.name),
                             [](const std::string& word) { return words().has("normals", word); });
}

void add_usual(Readings& readings, const Table& normals) {
  const Table& table = readings.table;
  std::set<std::string> wanted;
  for (auto row = static_cast<std::size_t>(table.first); row < table.moments.size(); ++row) {
    wanted.insert(day_of_year(table.moments[row]));
  }
  for (const Column& column : table.columns) {
    if (column.kind != Column::Kind::number || is_extreme(column)) continue;
    const auto normal = std::ranges::find_if(normals.columns, [&](const Column& other) {
      return other.kind == Column::Kind::number && is_about(column, other);
    });
    if (normal == normals.columns.end()) continue;
    Usual usual{column.name, fmt::format("{}, {}", normals.files[0], normal->name), {}};
    std::map<std::string, int> counts;
    for (std::size_t row = 0; row < normals.rows(); ++row) {
      const std::string day = day_of_year(normals.moments[row]);
      if (!normal->numbers[row] || !wanted.contains(day)) continue;
      usual.by_day[day] += *normal->numbers[row];
      ++counts[day];
    }
    for (auto& [day, sum] : usual.by_day) sum /= counts[day];
    if (!usual.by_day.empty()) readings.usual.push_back(std::move(usual));
  }
}

std::optional<double> usual_at(const Usual& usual, Moment moment) {
  const auto found = usual.by_day.find(day_of_year(moment));
  return found == usual.by_day.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace insights
