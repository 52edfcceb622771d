#include "memo/table.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "memo/markdown.hpp"
#include "memo/named_units.hpp"
#include "memo/records.hpp"

namespace memo {
namespace {

constexpr std::size_t page_columns = 5;
constexpr std::size_t narrow_columns = 10;  // those of figures need little room
constexpr std::size_t page_rows = 25;
constexpr std::size_t longest_cell = 100;       // bytes, in a statement
constexpr std::size_t longest_statement = 300;  // bytes

std::string in_words(std::string field) {
  std::ranges::replace(field, '_', ' ');
  if (!field.empty()) field[0] = static_cast<char>(std::toupper(field[0]));
  return field;
}

bool is_for_machines(std::string_view value) {
  return value.ends_with(".svg") || value.ends_with(".png") || value.starts_with("Contact us") ||
         value.starts_with("Get started");
}

std::size_t widest(const Table& table, std::size_t column) {
  std::size_t width = 0;
  for (const auto& row : table.rows) width = std::max(width, row[column].size());
  return width;
}

void drop_column(Table& table, std::size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  table.columns.erase(table.columns.begin() + at);
  for (auto& row : table.rows) row.erase(row.begin() + at);
}

bool column_is_for_machines(const Table& table, std::size_t column) {
  return std::ranges::any_of(table.rows,
                             [&](const auto& row) { return is_for_machines(row[column]); });
}

std::size_t widest_column(const Table& table) {
  std::size_t worst = 1;  // the first column names the row and stays
  for (std::size_t c = 2; c < table.columns.size(); ++c) {
    if (widest(table, c) > widest(table, worst)) worst = c;
  }
  return worst;
}

/// Figures: a year that is left out would not be missed by the reader.
bool is_narrow(const Table& table, std::size_t column) {
  constexpr std::size_t widest_figure = 12;  // bytes
  return widest(table, column) <= widest_figure;
}

/// Leaves out the widest columns; of columns of figures, the earliest.
void make_fit(Table& table, std::size_t columns) {
  while (table.columns.size() > columns) {
    const auto widest = widest_column(table);
    const bool narrow = is_narrow(table, widest);
    if (narrow && table.columns.size() <= std::max(columns, narrow_columns)) return;
    drop_column(table, narrow ? 1 : widest);
  }
}

bool is_name(std::string_view words) {
  const auto blank = words.find(' ');
  if (blank == std::string_view::npos || words.find(' ', blank + 1) != words.npos) return false;
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return capital(words[0]) && blank + 1 < words.size() && capital(words[blank + 1]);
}

void add_person(Table& table, const Source& source, const Block& block) {
  const auto comma = block.text.find(", ");
  if (block.kind != Block::Kind::heading || comma == std::string::npos) return;
  if (!is_name(std::string_view{block.text}.substr(0, comma))) return;
  table.rows.push_back({block.text.substr(0, comma), block.text.substr(comma + 2)});
  table.row_sources.push_back(source.path);
}

Table started(const Source& source, const Block& head) {
  Table table{source.path, head.heading.empty() ? source.title : head.heading, head.cells, {}, {}};
  if (!table.columns.empty() && table.columns[0].empty()) table.columns[0] = "Item";
  return table;
}

/// Whether `block` continues a table whose header has as many cells.
bool continues(const std::vector<Table>& tables, const Block& before, const Block& block) {
  return before.kind == Block::Kind::row && !tables.empty() &&
         block.cells.size() == tables.back().columns.size();
}

bool has_figure(std::string_view text) { return text.find_first_of("0123456789") != npos; }

/// Whether a cell can be a part of a statement: short, and no sentence.
bool is_short(std::string_view cell) {
  return !cell.empty() && cell.size() <= longest_cell && cell.find(". ") == npos &&
         !cell.ends_with('.') && !is_for_machines(cell);
}

/// Whether column `c` has the units of the values in front of it.
bool is_unit(const std::vector<std::string>& columns, std::size_t c) {
  return c > 1 && c < columns.size() && to_lower(columns[c]) == "unit" &&
         to_lower(columns[c - 1]) == "value";
}

bool is_remark(std::string_view column) {
  static constexpr std::array<std::string_view, 6> names{"remark", "remarks", "note",
                                                         "notes",  "comment", "comments"};
  return std::ranges::find(names, to_lower(column)) != names.end();
}

std::string row_statement(const std::vector<std::string>& columns,
                          const std::vector<std::string>& row) {
  const bool pair = row.size() == 2;
  const bool says_little = pair && !has_figure(row[1]) && std::ranges::count(row[1], ' ') < 2;
  if (row.empty() || !is_short(row[0]) || says_little) return {};
  std::string said;
  for (std::size_t c = 1; c < row.size(); ++c) {
    if (!is_short(row[c])) continue;
    const bool unit = said.size() > 0 && is_unit(columns, c);
    const bool named = !pair && !unit && !is_unit(columns, c + 1) && !is_remark(columns[c]);
    const auto one = with_unit_of_name(columns[c], row[c]);
    said += (said.empty() ? "" : unit ? " " : "; ") + (named ? one.name + ' ' : "") + one.value;
  }
  std::string statement = row[0] + ": " + said;
  statement[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(statement[0])));
  if (said.empty() || statement.size() > longest_statement) return {};
  return statement.ends_with('.') ? statement : statement + ".";
}

}  // namespace

Table records_table(const Source& source) {
  Rows read = is_csv(source) ? csv_rows(source.text) : yaml_rows(source.text);
  const bool titled = !read.title.empty();
  Table table{source.path, titled ? plain(read.title) : source.title, {}, {}, {}};
  for (const auto& field : read.columns) table.columns.push_back(in_words(field));
  for (auto& raw : read.rows) {
    auto& row = table.rows.emplace_back();
    for (const auto& cell : raw) row.push_back(plain(cell));
    if (row.size() != 2) continue;
    auto one = with_unit_of_name(std::move(row[0]), std::move(row[1]));
    row = {std::move(one.name), std::move(one.value)};
  }
  return table;
}

std::vector<Table> raw_tables_in(const Source& source) {
  if (is_records(source)) return {records_table(source)};
  std::vector<Table> tables;
  Block before;
  for (const auto& block : blocks(source.text)) {
    if (block.kind == Block::Kind::row) {
      if (continues(tables, before, block)) {
        tables.back().rows.push_back(block.cells);
      } else {
        tables.push_back(started(source, block));
      }
    }
    before = block;
  }
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  return tables;
}

std::vector<std::string> row_statements(const Table& table) {
  std::vector<std::string> statements;
  for (const auto& row : table.rows) statements.push_back(row_statement(table.columns, row));
  return statements;
}

Table readable(Table table, std::size_t columns) {
  for (std::size_t c = table.columns.size(); c-- > 1;) {
    if (column_is_for_machines(table, c)) drop_column(table, c);
  }
  make_fit(table, columns);
  return table;
}

std::vector<Table> tables_in(const Source& source) {
  auto tables = raw_tables_in(source);
  std::erase_if(tables, [](const Table& table) { return table.rows.size() > page_rows; });
  if (is_records(source)) {
    for (auto& table : tables) table = readable(std::move(table), page_columns);
  }
  return tables;
}

Table people_table(const Sources& sources) {
  Table table{"", "People named with a role", {"Name", "Role"}, {}, {}};
  for (const auto& source : sources) {
    if (is_records(source)) continue;
    for (const auto& block : blocks(source.text)) add_person(table, source, block);
  }
  return table;
}

std::string row_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& cell : cells) line += ' ' + replace_all(cell, "|", "/") + " |";
  return line;
}

std::string render(const Table& table) {
  std::string out = row_line(table.columns) + "\n|";
  for (std::size_t c = 0; c < table.columns.size(); ++c) out += " --- |";
  for (const auto& row : table.rows) out += '\n' + row_line(row);
  return out + '\n';
}

}  // namespace memo
