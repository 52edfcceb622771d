// The tool that sets a part of the rows against all others.
#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/limit.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

/// Which rows are the part; rows of which that is not known are neither.
struct Part {
  const Column* category = nullptr;
  std::string value{};
  const Column* with = nullptr;  ///< rows that have some of it, or are beyond a limit
  Limit beyond{"above", 0};
  bool is_limited = false;  ///< by another limit
  std::optional<Rows> period{};

  [[nodiscard]] std::optional<bool> has(std::size_t row) const {
    if (category != nullptr) return category->words[row] == value;
    if (with != nullptr) {
      return with->numbers[row] ? std::optional{beyond.has(*with->numbers[row])} : std::nullopt;
    }
    return std::ranges::binary_search(period->rows, row);
  }
};

Part part_of(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  const auto value = arguments.texts("value");
  const auto with = arguments.text("with");
  const auto period = arguments.text("period");
  if (value.size() + (with ? 1 : 0) + (period ? 1 : 0) != 1)
    throw ToolError("one of 'value', 'with' and 'period' names the part");
  if (with) {
    if (!table.has_numbers(*with)) throw ToolError("'with' names no column of numbers");
    Part part{.with = table.find(*with)};
    constexpr double any = 1e300;
    part.beyond.name = arguments.text("beyond").value_or("above");
    part.beyond.value = arguments.number("than", 0, -any, any);
    part.is_limited = part.beyond.name != "above" || part.beyond.value != 0;
    return part;
  }
  if (period) {
    const std::size_t mark = std::min(period->find('/'), period->size());
    const std::string to = mark < period->size() ? period->substr(mark + 1) : *period;
    Arguments span{Json{{"from", period->substr(0, mark)}, {"to", to}}};
    return {.period = rows_of(span, readings)};
  }
  const auto& [name, word] = *value.begin();
  const Column* column = table.find(name);
  if (column == nullptr || column->kind != Column::Kind::category)
    throw ToolError("'value' names no category");
  return {.category = column, .value = word};
}

/// Some of the rows, with what they have of the column.
struct Side {
  std::vector<double> values;
  std::vector<std::size_t> rows;
};

Json side_json(const Side& side, double above, const Table& table) {
  const std::vector<double>& values = side.values;
  return {{"readings", values.size()},
          {"mean", rounded(mean(values))},
          {"median", rounded(median(values))},
          {"above", std::ranges::count_if(values, [&](double one) { return one > above; })},
          {"sum", rounded(mean(values) * static_cast<double>(values.size()))},
          {"lines", table.places(side.rows)}};
}

}  // namespace

Json compare_parts(Arguments& arguments, const Readings& readings) {
  const Column& column =
      column_of(arguments, "variable", readings.table, number_names(readings.table));
  const Part part = part_of(arguments, readings);
  constexpr double none = 1e300;
  const double above = arguments.number("above", none, -none, none);
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  Side inside;
  Side others;
  for (const std::size_t row : rows.rows) {
    const std::optional<bool> is_in = part.has(row);
    if (!is_in || !column.numbers[row]) continue;
    Side& side = *is_in ? inside : others;
    side.values.push_back(*column.numbers[row]);
    side.rows.push_back(row);
  }
  if (inside.rows.empty() || others.rows.empty()) throw ToolError("all rows are on one side");
  Json result{{"variable", column.name},
              {"amount", column.is_amount},
              {"part", side_json(inside, above, readings.table)},
              {"others", side_json(others, above, readings.table)}};
  if (part.category != nullptr) result["value"] = {{part.category->name, part.value}};
  if (part.with != nullptr) result["with"] = part.with->name;
  if (part.is_limited) {
    result.update({{"beyond", part.beyond.name}, {"than", part.beyond.value}});
    result["with_unit"] = part.with->unit;
  }
  if (part.period) {
    result["from"] = readings.table.when(part.period->rows.front()).substr(0, 10);
    result["to"] = readings.table.when(part.period->rows.back()).substr(0, 10);
    if (part.period->rows.back() + 1 == readings.table.rows()) result["since"] = true;
  }
  if (above != none) result["above"] = above;
  if (!column.unit.empty()) result["unit"] = column.unit;
  if (column.is_count) result["counts"] = true;
  if (!rows.where.empty()) result["where"] = rows.where;
  return result;
}

}  // namespace insights::tool
