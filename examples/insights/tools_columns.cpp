// The tool that sets one column against another.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"
#include "insights/voids.hpp"

namespace insights::tool {
namespace {

/// Sums of two columns over what has both.
struct Both {
  double a = 0;
  double b = 0;
  std::size_t count = 0;
  std::vector<std::size_t> rows{};  ///< of one table

  void add(double one, double other) {
    a += one;
    b += other;
    ++count;
  }
};

/// The table of a column: the readings', or one that stands beside it.
const Table& table_with(const Readings& readings, const std::optional<std::string>& column) {
  if (column && readings.table.has_numbers(*column)) return readings.table;
  for (const Table& table : readings.beside) {
    if (column && table.has_numbers(*column)) return table;
  }
  throw ToolError("'variable' and 'with' name a column of numbers");
}

/// A column of a table beside this one, summed or averaged by day.
std::map<Moment, double> by_day(const Table& table, const Column& column, Rows rows) {
  std::map<Moment, double> days;
  for (const Point& point : series_of(table, column, std::move(rows), Step::day, true).points) {
    days[point.moment] = point.value;
  }
  return days;
}

/// What falls to the days from the later beginning to the earlier end of the two: amounts need not
/// have the same days. Counted are the days of either.
Both totals(const std::map<Moment, double>& a, const std::map<Moment, double>& b) {
  const Moment from = std::max(a.begin()->first, b.begin()->first);
  const Moment to = std::min(a.rbegin()->first, b.rbegin()->first);
  Both all;
  std::set<Moment> days;
  for (const auto* column : {&a, &b}) {
    for (const auto& [day, value] : *column) {
      if (day < from || day > to) continue;
      (column == &a ? all.a : all.b) += value;
      days.insert(day);
    }
  }
  all.count = days.size();
  return all;
}

Rows all_rows(const Table& table) {
  Rows rows;
  for (auto row = static_cast<std::size_t>(table.first); row < table.rows(); ++row) {
    rows.rows.push_back(row);
  }
  return rows;
}

}  // namespace

Json compare_columns(Arguments& arguments, const Readings& readings) {
  const auto variable = arguments.text("variable");
  const auto with = arguments.text("with");
  const auto by = arguments.text("by");
  const double per = arguments.number("per", 1, 1e-6, 1e9);
  const Table& first = table_with(readings, variable);
  const Table& second = table_with(readings, with);
  if (&first != &readings.table) throw ToolError("'variable' names a column of the table");
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  const Column& a = *first.find(*variable);
  const Column& b = *second.find(*with);
  const Column* category = by ? first.find(*by) : nullptr;
  Both all;
  LeftOut left_out{first};
  std::map<std::string, Both> groups;
  if (&first == &second) {
    for (const std::size_t row : rows.rows) {
      if (left_out.leaves_out(row, a.numbers[row], b.numbers[row])) continue;
      all.add(*a.numbers[row], *b.numbers[row]);
      all.rows.push_back(row);
      if (category != nullptr && category->kind == Column::Kind::category) {
        Both& group = groups[category->words[row]];
        group.add(*a.numbers[row], *b.numbers[row]);
        group.rows.push_back(row);
      }
    }
  } else {
    if (first.moments.empty() || second.moments.empty()) {
      throw ToolError("tables without times cannot be compared");
    }
    if (a.is_amount && b.is_amount) {
      all = totals(by_day(first, a, rows), by_day(second, b, all_rows(second)));
    } else {
      const auto theirs = by_day(second, b, all_rows(second));
      for (const auto& [day, value] : by_day(first, a, rows)) {
        if (theirs.contains(day)) all.add(value, theirs.at(day));
      }
    }
  }
  if (all.count == 0) throw ToolError("no reading has both");
  // Amounts are summed. Where one is a level, both are averaged.
  const bool amount = a.is_amount && b.is_amount;
  const double of = amount ? 1 : static_cast<double>(all.count);
  Json result{{"variable", a.name},       {"with", b.name},           {"amount", amount},
              {"a", rounded(all.a / of)}, {"b", rounded(all.b / of)}, {"readings", all.count}};
  if (!all.rows.empty()) result["lines"] = first.places(all.rows);
  if (!a.unit.empty()) result["unit"] = a.unit;
  if (!b.unit.empty()) result["with_unit"] = b.unit;
  if (!rows.where.empty()) result["where"] = rows.where;
  if (a.unit == b.unit) result["difference"] = rounded((all.a - all.b) / of);
  if (all.b > 0) result["ratio"] = rounded(per * all.a / all.b);
  if (per != 1) result["per"] = per;
  left_out.put(result);
  if (groups.size() < 2) return result;
  result["by"] = category->name;
  for (const auto& [name, both] : groups) {
    if (both.b <= 0 || name.empty()) continue;
    result["groups"].push_back({{"name", name},
                                {"ratio", rounded(per * both.a / both.b)},
                                {"lines", first.places(both.rows)}});
  }
  std::stable_sort(result["groups"].begin(), result["groups"].end(),
                   [](const Json& x, const Json& y) { return x.at("ratio") > y.at("ratio"); });
  return result;
}

}  // namespace insights::tool
