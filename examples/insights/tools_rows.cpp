// The tool that looks up rows: by an identifier, the first or the last, the one with the most or
// the least, those that lack something.
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "insights/headers.hpp"
#include "insights/tools.hpp"
#include "insights/words.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_rows_told = 12;

bool is_same_text(const std::string& a, const std::string& b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

class LookingUp {
 public:
  LookingUp(Arguments& arguments, const Readings& readings) : table_(readings.table) {
    if (table_.header.empty()) throw ToolError("the rows of these files have different columns");
    column_ = arguments.text("column").value_or("");
    values_ = arguments.list("values");
    end_ = arguments.text("end").value_or("");
    variable_ = arguments.text("variable").value_or("");
    empty_ = arguments.text("empty").value_or("");
    tell_ = arguments.list("tell");
    check();
    for (std::string& name : tell_) {
      if (const auto place = place_of(name)) name = table_.header[*place];
    }
    // What is called by its number is meant whenever it was.
    rows_ = rows_of(arguments, readings, !column_.empty());
    arguments.end();
  }

  Json result() {
    std::vector<std::size_t> rows = rows_.rows;
    Json result{{"of", rows.size()}, {"rows", Json::array()}};
    if (!rows_.where.empty()) result["where"] = rows_.where;
    const std::string time = asked_time(table_, rows_);
    if (!time.empty()) result["time"] = time;
    if (!column_.empty()) {
      result.update({{"column", column_}, {"values", values_}});
      keep(rows, [&](std::size_t row) { return has_value(row); });
    }
    if (!empty_.empty()) {
      result["empty"] = empty_;
      keep(rows, [&](std::size_t row) { return is_empty(row); });
      std::ranges::stable_partition(rows, [&](std::size_t row) { return is_zero(row); });
      result["zeros"] = std::ranges::count_if(rows, [&](std::size_t row) { return is_zero(row); });
    }
    if (!end_.empty()) {
      result["end"] = end_;
      if (!variable_.empty()) result["variable"] = variable_;
      keep_end(rows);
    }
    result["count"] = rows.size();
    for (const std::size_t row : rows) {
      if (result["rows"].size() < most_rows_told) result["rows"].push_back(row_of(row));
    }
    if (!tell_.empty()) result["tell"] = tell_;
    return result;
  }

 private:
  void check() const {
    for (const std::string& name : {column_, empty_}) {
      if (!name.empty() && !place_of(name))
        throw ToolError(fmt::format("'{}' is no column of the file; it has {}", name,
                                    fmt::join(table_.header, ", ")));
    }
    static const std::set<std::string> ends{"", "first", "last", "most", "least"};
    if (!ends.contains(end_)) throw ToolError("'end' is one of first, last, most and least");
    const bool is_of_time = end_ == "first" || end_ == "last";
    if (is_of_time && table_.moments.empty()) throw ToolError("the table has no times");
    const bool is_of_column = end_ == "most" || end_ == "least";
    if (is_of_column && !table_.has_numbers(variable_))
      throw ToolError(
          fmt::format("'variable' is one of {}", fmt::join(number_names(table_), ", ")));
  }

  [[nodiscard]] std::optional<std::size_t> place_of(const std::string& name) const {
    const auto at = std::ranges::find_if(table_.header, [&](const std::string& one) {
      return one == name || header_of(one, table_.header).name == name;
    });
    if (at == table_.header.end()) return std::nullopt;
    return static_cast<std::size_t>(at - table_.header.begin());
  }

  template <class Is>
  static void keep(std::vector<std::size_t>& rows, Is is) {
    std::erase_if(rows, [&](std::size_t row) { return !is(row); });
  }

  [[nodiscard]] bool has_value(std::size_t row) const {
    const std::string cell = table_.cells_in(row)[*place_of(column_)];
    return std::ranges::any_of(values_,
                               [&](const std::string& one) { return is_same_text(one, cell); });
  }

  /// Whether the cell holds nothing, or a column of numbers 0.
  [[nodiscard]] bool is_empty(std::size_t row) const {
    const Column* column = table_.find(empty_);
    if (column != nullptr && column->kind == Column::Kind::number && column->numbers[row])
      return *column->numbers[row] == 0;
    return is_missing(table_.cells_in(row)[*place_of(empty_)]);
  }

  [[nodiscard]] bool is_zero(std::size_t row) const {
    return !is_missing(table_.cells_in(row)[*place_of(empty_)]);
  }

  /// All rows of the first or the last time, or with the highest or lowest number.
  void keep_end(std::vector<std::size_t>& rows) const {
    if (end_ == "first" || end_ == "last") {
      if (rows.empty()) return;
      const auto [first, last] =
          std::ranges::minmax(rows, {}, [&](std::size_t row) { return table_.moments[row]; });
      const Moment moment = table_.moments[end_ == "first" ? first : last];
      return keep(rows, [&](std::size_t row) { return table_.moments[row] == moment; });
    }
    const auto& numbers = table_.find(variable_)->numbers;
    keep(rows, [&](std::size_t row) { return numbers[row].has_value(); });
    if (rows.empty()) return;
    const auto [least, most] =
        std::ranges::minmax(rows, {}, [&](std::size_t row) { return *numbers[row]; });
    const double number = *numbers[end_ == "most" ? most : least];
    keep(rows, [&](std::size_t row) { return *numbers[row] == number; });
  }

  /// The row's cells by the names of their columns, and what lists say of it.
  [[nodiscard]] Json row_of(std::size_t row) const {
    Json json{{"line", table_.place(row)}, {"cells", Json::array()}};
    const std::vector<std::string> cells = table_.cells_in(row);
    for (std::size_t at = 0; at < cells.size(); ++at) {
      const bool is_time = table_.header[at] == table_.time && table_.grain == Grain::day;
      const std::string cell = is_missing(cells[at]) ? "" : cells[at];
      json["cells"].push_back({table_.header[at], is_time ? table_.when(row).substr(0, 10) : cell});
    }
    for (const Column& column : table_.columns) {
      const bool is_told = std::ranges::find(tell_, column.name) != tell_.end();
      if (!is_told || column.kind != Column::Kind::category || place_of(column.name)) continue;
      json["cells"].push_back({column.name, column.words[row]});
    }
    if (!table_.moments.empty()) json["date"] = table_.when(row);
    return json;
  }

  const Table& table_;
  std::string column_;
  std::vector<std::string> values_;
  std::string end_;
  std::string variable_;
  std::string empty_;
  std::vector<std::string> tell_;
  Rows rows_;
};

}  // namespace

Json look_up(Arguments& arguments, const Readings& readings) {
  return LookingUp{arguments, readings}.result();
}

}  // namespace insights::tool
