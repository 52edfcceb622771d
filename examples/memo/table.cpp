#include "memo/table.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "memo/markdown.hpp"

namespace memo {
namespace {

/// One record as read: raw values by field.
using Record = std::map<std::string, std::string>;

struct Records {
  std::vector<std::string> fields;  ///< in order of first appearance
  std::vector<Record> records;
};

void add_field(Records& out, std::string_view line, std::string& current) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  current = trim(line.substr(0, colon));
  if (std::ranges::find(out.fields, current) == out.fields.end()) out.fields.push_back(current);
  const auto value = trim(line.substr(colon + 1));
  out.records.back()[current] = value == ">" || value == "|" ? "" : value;
}

/// Reads the small part of YAML that record lists use: `- key: value`, folded text.
Records read_records(std::string_view text) {
  Records out;
  std::string current;
  for (const auto raw : lines(text)) {
    const auto indent = raw.find_first_not_of(' ');
    if (indent == std::string_view::npos || raw[indent] == '#') continue;
    if (raw.starts_with("- ")) {
      out.records.emplace_back();
      add_field(out, raw.substr(2), current);
    } else if (!out.records.empty() && indent == 2) {
      add_field(out, raw, current);
    } else if (!out.records.empty() && !current.empty()) {
      out.records.back()[current] += ' ' + std::string{trim(raw)};
    }
  }
  return out;
}

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

/// Whether `block` goes on with a table whose header has as many cells.
bool continues(const std::vector<Table>& tables, const Block& before, const Block& block) {
  return before.kind == Block::Kind::row && !tables.empty() &&
         block.cells.size() == tables.back().columns.size();
}

}  // namespace

Table records_table(const Source& source) {
  const Records read = read_records(source.text);
  Table table{source.path, source.title, {}, {}, {}};
  for (const auto& field : read.fields) table.columns.push_back(in_words(field));
  for (const auto& record : read.records) {
    auto& row = table.rows.emplace_back();
    for (const auto& field : read.fields) {
      const auto value = record.find(field);
      row.push_back(value == record.end() ? "" : plain(value->second));
    }
  }
  return table;
}

Table readable(Table table, std::size_t columns) {
  for (std::size_t c = table.columns.size(); c-- > 1;) {
    if (column_is_for_machines(table, c)) drop_column(table, c);
  }
  while (table.columns.size() > columns) drop_column(table, widest_column(table));
  return table;
}

std::vector<Table> tables_in(const Source& source) {
  if (is_yaml(source)) return {readable(records_table(source), 5)};
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

Table people_table(const Sources& sources) {
  Table table{"", "People named with a role", {"Name", "Role"}, {}, {}};
  for (const auto& source : sources) {
    if (is_yaml(source)) continue;
    for (const auto& block : blocks(source.text)) add_person(table, source, block);
  }
  return table;
}

Table timeline_table(const Sources& sources) {
  Table table{"", "What was published when", {"Date", "Title"}, {}, {}};
  std::map<std::string, std::pair<std::string, std::string>> dated;
  for (const auto& source : sources) {
    const std::string date = date_of(source.path);
    if (!date.empty()) dated[date + source.path] = {date, source.path};
  }
  for (const auto& [key, entry] : dated) {
    table.rows.push_back({entry.first, find_source(sources, entry.second)->title});
    table.row_sources.push_back(entry.second);
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
