// The tool that looks at rows whose last date is empty.
#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"
#include "insights/words.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_oldest = 3;

const std::map<std::string, double>& seconds_of_units() {
  static const std::map<std::string, double> all{{"min", 60}, {"h", 3600}, {"days", day_length}};
  return all;
}

/// What the time from one date to another has of these rows.
struct Spans {
  std::vector<std::size_t> open;
  std::size_t known = 0;  ///< rows that are open or have both dates
  double longest = 0;     ///< of those with both, in seconds
  Moment end = 0;         ///< the last date of the table, of either column
};

Spans spans_of(const Table& table, const Column& column, const Rows& rows) {
  const double unit = seconds_of_units().at(column.unit);
  Spans all;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double lasted = column.numbers[row].value_or(0) * unit;
    all.end = std::max(all.end, table.moments[row] + static_cast<Moment>(lasted));
  }
  for (const std::size_t row : rows.rows) {
    if (column.open[row] == 1) all.open.push_back(row);
    if (column.open[row] == 1 || column.numbers[row]) ++all.known;
    all.longest = std::max(all.longest, column.numbers[row].value_or(0) * unit);
  }
  return all;
}

double share(std::size_t count, std::size_t of) {
  return of == 0 ? 0 : rounded(100 * static_cast<double>(count) / static_cast<double>(of));
}

/// The amount of money that is named, or else the first: what rows that are open are about.
const Column* money_of(const Table& table, const std::optional<std::string>& name) {
  const auto found = std::ranges::find_if(table.columns, [&](const Column& one) {
    return one.kind == Column::Kind::number && one.is_amount && words().has("money", one.unit) &&
           (!name || one.name == *name);
  });
  if (name && found == table.columns.end()) throw ToolError("'amount' names no amount of money");
  return found == table.columns.end() ? nullptr : &*found;
}

/// How many rows of each value of a category are open, and how much money they are about.
Json open_by(const Table& table, const Column& category, const Column& column, const Column* amount,
             const Rows& rows) {
  struct Group {
    std::vector<std::size_t> rows;  // that are open
    std::size_t of = 0;
    double sum = 0;
  };
  std::map<std::string, Group> groups;
  for (const std::size_t row : rows.rows) {
    const bool is_open = column.open[row] == 1;
    if (category.words[row].empty() || (!is_open && !column.numbers[row])) continue;
    Group& group = groups[category.words[row]];
    ++group.of;
    if (!is_open) continue;
    group.rows.push_back(row);
    if (amount != nullptr) group.sum += amount->numbers[row].value_or(0);
  }
  std::vector<std::pair<std::string, Group>> sorted{groups.begin(), groups.end()};
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const auto& one) { return one.second.rows.size(); });
  Json all = Json::array();
  for (const auto& [name, group] : sorted) {
    all.push_back({{"name", name},
                   {"count", group.rows.size()},
                   {"of", group.of},
                   {"share", share(group.rows.size(), group.of)},
                   {"lines", table.places(group.rows)}});
    if (amount != nullptr) all.back()["sum"] = rounded(group.sum);
  }
  return all;
}

}  // namespace

Json still_open(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  std::vector<std::string> known;
  for (const Column& column : table.columns) {
    if (!column.between.empty() && column.between[0] == table.time) known.push_back(column.name);
  }
  const Column& column = column_of(arguments, "variable", table, known);
  const auto by = arguments.text("by");
  const Column* category = by ? table.find(*by) : nullptr;
  if (by && (category == nullptr || category->kind != Column::Kind::category)) {
    throw ToolError("'by' names no category");
  }
  const Column* amount = money_of(table, arguments.text("amount"));
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  const Spans spans = spans_of(table, column, rows);
  Json result{{"variable", column.name},
              {"last", column.between[1]},
              {"count", spans.open.size()},
              {"of", spans.known},
              {"share", share(spans.open.size(), spans.known)}};
  if (!rows.where.empty()) result["where"] = rows.where;
  if (amount != nullptr) {
    double sum = 0;
    for (const std::size_t row : spans.open) sum += amount->numbers[row].value_or(0);
    result.update({{"amount", amount->name}, {"unit", amount->unit}, {"sum", rounded(sum)}});
  }
  if (category != nullptr) {
    result["by"] = category->name;
    result["groups"] = open_by(table, *category, column, amount, rows);
    return result;
  }
  const Series series{&table, &column, rows, Step::row, {}, 0, 0};
  std::size_t longer = 0;
  result["oldest"] = Json::array();
  result["end"] = moment_text(spans.end, false);
  for (const std::size_t row : spans.open) {  // in order of their times
    const Moment age = spans.end - table.moments[row];
    if (static_cast<double>(age) > spans.longest) ++longer;
    if (result["oldest"].size() == most_oldest) continue;
    result["oldest"].push_back(
        {{"date", table.when(row)},
         {"line", table.place(row)},
         {"of", series.of({table.moments[row], 0, row, 0, 0})},
         {"days", (day_of(spans.end) - day_of(table.moments[row])) / day_length}});
  }
  if (spans.open.size() > 1) {
    result["half_since"] = table.when(spans.open[spans.open.size() / 2]);
    result["newest"] = table.when(spans.open.back());
  }
  result["longer_than_any"] = longer;
  return result;
}

}  // namespace insights::tool
