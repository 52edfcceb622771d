#include "insights/lookup.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "insights/numbers.hpp"

namespace insights {
namespace {

constexpr std::size_t fewest = 2;
constexpr std::size_t most_listed = 500;  ///< rows of such a file
constexpr std::size_t most_kinds = 40;    ///< values of a category that it adds

std::vector<std::string> cells_of(const CsvFile& file, std::size_t column) {
  std::vector<std::string> cells;
  for (const CsvRow& row : file.rows) cells.push_back(row.cells[column]);
  return cells;
}

std::set<std::string> values_of(const std::vector<std::string>& cells) {
  std::set<std::string> values(cells.begin(), cells.end());
  values.erase("");
  return values;
}

/// Whether most cells of a category are among the keys, and most of them at least once.
bool is_among(const Column& column, const std::set<std::string>& keys) {
  if (column.kind != Column::Kind::category) return false;
  const auto values = values_of(column.words);
  const auto rows = static_cast<std::size_t>(std::ranges::count_if(
      column.words, [&](const std::string& word) { return word.empty() || keys.contains(word); }));
  const auto known = static_cast<std::size_t>(std::ranges::count_if(
      values, [&](const std::string& value) { return keys.contains(value); }));
  return values.size() >= fewest && rows * 10 >= column.words.size() * 9 &&
         known * 2 >= keys.size();
}

bool is_text(const std::vector<std::string>& cells) {
  return std::ranges::none_of(
      cells, [](const std::string& cell) { return parse_number(cell, false).has_value(); });
}

std::string free_name(const Table& table, const std::string& wanted, const std::string& of) {
  return table.find(wanted) == nullptr && wanted != table.time ? wanted : of + " " + wanted;
}

}  // namespace

bool look_up(Table& table, const CsvFile& file) {
  if (file.rows.size() < fewest || file.rows.size() > most_listed) return false;
  for (std::size_t key = 0; key < file.header.size(); ++key) {
    const auto cells = cells_of(file, key);
    const auto keys = values_of(cells);
    if (keys.size() != cells.size()) continue;
    const auto found = std::ranges::find_if(
        table.columns, [&](const Column& column) { return is_among(column, keys); });
    if (found == table.columns.end()) continue;
    const std::string of = found->name;
    const std::vector<std::string> codes = found->words;
    bool is_named = false;
    for (std::size_t other = 0; other < file.header.size(); ++other) {
      const auto texts = cells_of(file, other);
      const auto values = values_of(texts);
      if (other == key || values.size() < fewest || !is_text(texts)) continue;
      std::map<std::string, std::string> meaning;
      for (std::size_t i = 0; i < cells.size(); ++i) meaning[cells[i]] = texts[i];
      const auto means = [&](const std::string& code) {
        const auto at = meaning.find(code);
        return at == meaning.end() ? std::string{} : at->second;
      };
      if (values.size() == texts.size()) {  // a name for each
        if (std::exchange(is_named, true)) continue;
        auto& words = std::ranges::find(table.columns, of, &Column::name)->words;
        for (std::string& word : words) {
          const std::string name = means(word);
          if (!name.empty()) word = fmt::format("{} ({})", name, word);
        }
      } else if (values.size() <= most_kinds) {
        Column added;
        added.name = free_name(table, file.header[other], of);
        added.kind = Column::Kind::category;
        for (const std::string& code : codes) added.words.push_back(means(code));
        table.columns.push_back(std::move(added));
      }
    }
    return true;
  }
  return false;
}

}  // namespace insights
