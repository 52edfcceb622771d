#include "insights/children.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "insights/columns.hpp"
#include "insights/moments.hpp"
#include "insights/numbers.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

constexpr std::size_t fewest_rows = 10;  // of either

std::optional<std::size_t> column_called(const CsvFile& file, const std::string& name) {
  const auto found = std::ranges::find_if(
      file.header, [&](const std::string& one) { return words_in(one) == words_in(name); });
  if (found == file.header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - file.header.begin());
}

bool holds_times(const CsvFile& file, std::size_t column) {
  const auto is_time = [&](const std::string& cell) {
    return parse_moment(cell, Slashes::day_first).has_value() ||
           parse_moment(cell, Slashes::month_first).has_value() || parse_clock(cell).has_value();
  };
  return holds(file, column, is_time) ||
         std::ranges::any_of(words_in(file.header[column]),
                             [](const auto& word) { return words().has("times", word); });
}

bool holds_numbers(const CsvFile& file, std::size_t column) {
  return holds(file, column, [](const std::string& cell) {
    return parse_number(cell, false).has_value() || parse_number(cell, true).has_value();
  });
}

/// The row of each value of a column; empty where some rows have none, or the same one.
std::map<std::string, std::size_t> rows_by(const CsvFile& file, std::size_t column) {
  std::map<std::string, std::size_t> rows;
  std::size_t again = 0;
  for (std::size_t row = 0; row < file.rows.size(); ++row) {
    const std::string& cell = file.rows[row].cells[column];
    if (is_missing(cell) || !rows.emplace(cell, row).second) ++again;
  }
  const bool is_key = again * 50 <= file.rows.size();  // rows that are there twice by mistake
  return is_key ? rows : std::map<std::string, std::size_t>{};
}

/// Whether the cells of the child's column are those of the parent's. A first column with a value
/// of its own in each row names the child's own rows: both may count from 1.
bool leads_to(const CsvFile& child, std::size_t column,
              const std::map<std::string, std::size_t>& rows) {
  std::set<std::string> values;
  std::size_t filled = 0;
  std::size_t known = 0;
  for (const CsvRow& row : child.rows) {
    const std::string& cell = row.cells[column];
    if (is_missing(cell)) continue;
    ++filled;
    if (rows.contains(cell)) ++known;
    values.insert(cell);
  }
  const bool is_own_name = column == 0 && values.size() == filled;
  return !is_own_name && values.size() > 1 && filled * 10 >= child.rows.size() * 9 &&
         known * 10 >= filled * 9;
}

/// Whether a column says of what kind its rows are: texts, of which several rows have the same.
bool is_of_kinds(const CsvFile& file, std::size_t column) {
  if (holds_times(file, column) || holds_numbers(file, column)) return false;
  std::set<std::string> values;
  for (const CsvRow& row : file.rows) values.insert(row.cells[column]);
  return values.size() > 1 && values.size() * 2 <= file.rows.size();
}

/// A number that leads to a row is its name, and nothing that is added up.
void take_for_name(Table& table, const CsvFile& file, std::size_t key) {
  const auto column = std::ranges::find_if(table.columns, [&](const Column& one) {
    return words_in(one.name) == words_in(file.header[key]);
  });
  if (column == table.columns.end() || column->kind != Column::Kind::number) return;
  std::vector<std::string> words;
  std::set<std::string> values;
  for (const auto& number : column->numbers) {
    words.push_back(number ? fmt::format("{:.0f}", *number) : "");
    values.insert(words.back());
  }
  if (values.size() * 2 > words.size()) {
    if (table.names.empty()) table.names = std::move(words);
    table.unused.push_back(column->name);
    table.identifiers.push_back(column->name);
    table.columns.erase(column);
    return;
  }
  column->kind = Column::Kind::category;
  column->unit.clear();
  column->is_amount = false;
  column->numbers.clear();
  column->words = std::move(words);
}

}  // namespace

std::optional<std::string> key_to(const CsvFile& parent, const CsvFile& child) {
  if (parent.rows.size() < fewest_rows || child.rows.size() < fewest_rows) return std::nullopt;
  for (std::size_t column = 0; column < parent.header.size(); ++column) {
    const auto of_child = column_called(child, parent.header[column]);
    if (!of_child || holds_times(parent, column)) continue;
    const auto rows = rows_by(parent, column);
    if (!rows.empty() && leads_to(child, *of_child, rows)) return parent.header[column];
  }
  return std::nullopt;
}

Table table_of_child(const CsvFile& child, const CsvFile& parent, const std::string& key,
                     const std::string& prompt) {
  const std::size_t of_parent = *column_called(parent, key);
  const std::size_t of_child = *column_called(child, key);
  const auto rows = rows_by(parent, of_parent);
  CsvFile wide = child;
  for (std::size_t column = 0; column < parent.header.size(); ++column) {
    const std::string& name = parent.header[column];
    if (column == of_parent || column_called(child, name) || !is_of_kinds(parent, column)) continue;
    wide.header.push_back(name);
    for (CsvRow& row : wide.rows) {
      const auto found = rows.find(row.cells[of_child]);
      row.cells.push_back(found == rows.end() ? "" : parent.rows[found->second].cells[column]);
    }
  }
  Table table = table_of(wide, prompt);
  for (Column& column : table.columns)
    column.is_of_parent = !column_called(child, column.name) && column.between.empty();
  for (Column& column : table.columns)
    column.leads_to_parent = words_in(column.name) == words_in(key);
  take_for_name(table, child, of_child);
  return table;
}

}  // namespace insights
