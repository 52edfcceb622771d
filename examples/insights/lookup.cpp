#include "insights/lookup.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/columns.hpp"
#include "insights/numbers.hpp"
#include "insights/shapes.hpp"
#include "insights/words.hpp"

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

/// What a column's cells say: the words of a category; of numbers, whole ones as they are written.
std::vector<std::string> codes_of(const Column& column) {
  if (column.kind == Column::Kind::category) return column.words;
  std::vector<std::string> codes;
  for (const auto& number : column.numbers) {
    const bool is_code = number && std::floor(*number) == *number;
    codes.push_back(is_code ? fmt::format("{:.0f}", *number) : "");
  }
  return codes;
}

/// Whether a column of numbers may be one of names: rooms, not places or prices.
bool may_be_names(const Column& column) {
  const std::vector<std::string> name = words_in(column.name);
  return column.unit.empty() && !column.is_amount &&
         std::ranges::none_of(name, [](const auto& word) { return words().has("levels", word); });
}

/// Whether most cells are among the keys, and most of them at least once. Numbers and the keys of a
/// list with dates must have the same name as well.
bool is_among(const Column& column, const std::string& key, const std::set<std::string>& keys,
              bool has_dates) {
  const bool is_category = column.kind == Column::Kind::category;
  if ((!is_category || has_dates) && column.name != key) return false;
  const std::vector<std::string> codes = codes_of(column);
  const auto values = values_of(codes);
  const auto rows = static_cast<std::size_t>(std::ranges::count_if(
      codes, [&](const std::string& word) { return word.empty() || keys.contains(word); }));
  const auto known = static_cast<std::size_t>(std::ranges::count_if(
      values, [&](const std::string& value) { return keys.contains(value); }));
  return values.size() >= fewest && rows * 10 >= codes.size() * 9 && known * 2 >= keys.size();
}

/// Whether no cell is a number, or a date, which names nothing.
bool is_text(const std::vector<std::string>& cells) {
  return std::ranges::none_of(cells, [](const std::string& cell) {
    return parse_number(cell, false) || parse_moment(cell, Slashes::day_first) ||
           parse_moment(cell, Slashes::month_first);
  });
}

/// Whether most keys are codes, which say little to a person: `T14`, `JCP`. A name of several
/// words, or one such as `Provider`, is what people call the thing.
bool are_codes(const std::set<std::string>& keys) {
  constexpr std::size_t longest = 3;
  const auto is_code = [](const std::string& key) {
    const bool has_digit = key.find_first_of("0123456789") != key.npos;
    return has_digit || key.size() <= longest ||
           std::ranges::none_of(key, [](unsigned char c) { return std::islower(c) != 0; });
  };
  return 2 * static_cast<std::size_t>(std::ranges::count_if(keys, is_code)) > keys.size();
}

std::string free_name(const Table& table, const std::string& wanted, const std::string& of) {
  return table.find(wanted) == nullptr && wanted != table.time ? wanted : of + " " + wanted;
}

/// A list's rows of each key, in order of their dates if a key has several: its prices, each of
/// which holds until the next.
using Entries = std::map<std::string, std::vector<std::size_t>>;

/// Whether the dates of a list say since when its rows hold: `Valid from`.
bool says_since_when(const Table& list) {
  return std::ranges::any_of(words_in(list.time),
                             [](const auto& word) { return words().has("validity", word); });
}

/// The entries of a column with a value of its own in each row, or in each of those of one date;
/// empty where it is no such column.
Entries entries_of(const std::vector<std::string>& cells, const Table& list) {
  Entries entries;
  for (std::size_t row = 0; row < cells.size(); ++row) {
    if (cells[row].empty()) return {};
    entries[cells[row]].push_back(row);
  }
  if (entries.size() == cells.size()) return entries;
  if (!says_since_when(list) || list.rows() != cells.size()) return {};
  const auto since = [&](std::size_t row) { return list.moments[row]; };
  for (auto& [key, rows] : entries) {
    std::ranges::sort(rows, {}, since);
    if (std::ranges::adjacent_find(rows, {}, since) != rows.end()) return {};
  }
  return entries;
}

/// Which of a key's rows holds at a row of the table.
std::optional<std::size_t> holding(const std::vector<std::size_t>& rows, const Table& list,
                                   const Table& table, std::size_t row) {
  if (rows.size() == 1) return rows.front();
  if (table.moments.empty()) return std::nullopt;
  const auto next = std::ranges::upper_bound(rows, table.moments[row], {},
                                             [&](std::size_t at) { return list.moments[at]; });
  return next == rows.begin() ? std::nullopt : std::optional{*(next - 1)};
}

/// Adds the list's numbers to the rows; they are no amounts of these.
void add_numbers(Table& table, const Table& list, const std::vector<std::string>& codes,
                 const Entries& entries, const std::string& of) {
  for (const Column& column : list.columns) {
    if (column.kind != Column::Kind::number || column.is_count || !column.between.empty() ||
        column.name == of)
      continue;
    Column added{.name = free_name(table, column.name, of), .unit = column.unit};
    if (words().has("money", added.unit) && has_quantity(table)) added.unit += " each";
    for (std::size_t row = 0; row < codes.size(); ++row) {
      const auto found = entries.find(codes[row]);
      const auto at =
          found == entries.end() ? std::nullopt : holding(found->second, list, table, row);
      added.numbers.push_back(at ? column.numbers[*at] : std::nullopt);
    }
    table.columns.push_back(std::move(added));
  }
}

/// Tells the values that the list does not have.
void tell_unknown(Table& table, const std::vector<std::string>& codes,
                  const std::set<std::string>& keys, const std::string& of,
                  const std::string& file) {
  constexpr std::size_t most = 5;
  std::map<std::string, std::vector<std::size_t>> unknown;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (!codes[row].empty() && !keys.contains(codes[row])) unknown[codes[row]].push_back(row);
  }
  for (const auto& [code, rows] : unknown) {
    std::vector<std::string> places;
    for (const std::size_t row : rows) {
      if (places.size() < most) places.push_back(table.place(row));
    }
    table.problems.push_back(fmt::format("{} '{}' is not in {}: {} row{} ({})", of, code, file,
                                         rows.size(), rows.size() == 1 ? "" : "s",
                                         fmt::join(places, ", ")));
  }
}

}  // namespace

bool look_up(Table& table, const CsvFile& file) {
  if (file.rows.size() < fewest || file.rows.size() > most_listed) return false;
  const Table list = table_of(file);
  const bool has_dates = !list.moments.empty();
  for (std::size_t key = 0; key < file.header.size(); ++key) {
    const auto cells = cells_of(file, key);
    const auto keys = values_of(cells);
    const Entries entries = entries_of(cells, list);
    if (entries.empty()) continue;
    const auto found = std::ranges::find_if(table.columns, [&](const Column& column) {
      return is_among(column, file.header[key], keys, has_dates);
    });
    if (found == table.columns.end()) continue;
    const std::string of = found->name;
    const std::vector<std::string> codes = codes_of(*found);
    if (found->kind == Column::Kind::number && may_be_names(*found)) {
      found->kind = Column::Kind::category;
      found->words = codes;
      found->numbers.clear();
    }
    const bool is_category = found->kind == Column::Kind::category;
    tell_unknown(table, codes, keys, of, file.path.filename().string());
    const bool lacks_names = is_category && are_codes(keys);
    bool is_named = false;
    for (std::size_t other = 0; other < file.header.size(); ++other) {
      const auto texts = cells_of(file, other);
      if (other == key || file.header[other] == list.time || !is_text(texts)) continue;
      std::map<std::string, std::string> meaning;
      std::set<std::string> values;
      for (const auto& [code, rows] : entries) {
        values.insert(meaning[code] = texts[rows.back()]);
      }
      values.erase("");
      if (values.size() < fewest) continue;
      const auto means = [&](const std::string& code) {
        const auto at = meaning.find(code);
        return at == meaning.end() ? std::string{} : at->second;
      };
      if (values.size() == entries.size() && lacks_names) {  // a name for each
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
    if (list.rows() == cells.size() && std::ranges::is_sorted(list.line_of)) {
      add_numbers(table, list, codes, entries, of);
    }
    return true;
  }
  return false;
}

}  // namespace insights
