// The library is not in here: tables as people keep them become typed columns.
#include "insights/readings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/charset.hpp"
#include "text/tables.hpp"
#include "text/words.hpp"

namespace insights {
namespace {

namespace fs = std::filesystem;

/// For strptime(). The first that fits wins: where days and months cannot be told apart, days come
/// first.
constexpr std::array time_forms{"%Y-%m-%d", "%Y/%m/%d", "%d/%m/%Y", "%d.%m.%Y",
                                "%d-%m-%Y", "%d-%b-%y", "%d %b %Y", "%Y-%m"};
constexpr const char* month_first = "%m/%d/%Y";

/// `2015-12-08 00:00:00`; null: the cell is no time of this form.
Cell time_of(const std::string& cell, const char* form) {
  std::tm at{};
  at.tm_mday = 1;
  const char* rest = strptime(cell.c_str(), form, &at);
  if (rest != nullptr && (*rest == ' ' || *rest == 'T')) {
    ++rest;
    const char* seconds = strptime(rest, "%H:%M:%S", &at);
    rest = seconds != nullptr ? seconds : strptime(rest, "%H:%M", &at);
    if (rest != nullptr && *rest == '.') rest += 1 + std::strspn(rest + 1, "0123456789");
    if (rest != nullptr && *rest == 'Z') ++rest;
  }
  if (rest == nullptr || *rest != '\0') return nullptr;
  std::tm real = at;
  timegm(&real);  // 31 February becomes 3 March
  if (real.tm_mday != at.tm_mday || real.tm_mon != at.tm_mon) return nullptr;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", at.tm_year + 1900, at.tm_mon + 1,
                     at.tm_mday, at.tm_hour, at.tm_min, at.tm_sec);
}

/// A number as people write it: with a currency sign or %, with marks of thousands.
Cell number_of(std::string cell, bool has_decimal_comma) {
  for (const std::string_view sign : {"€", "£", "$", "¥", "%", "'", " ", "\u00a0", "\u202f"}) {
    for (std::size_t at; (at = cell.find(sign)) != cell.npos;) cell.erase(at, sign.size());
  }
  if (const std::string minus = "\u2212"; cell.starts_with(minus))
    cell.replace(0, minus.size(), "-");
  if (has_decimal_comma) {
    std::erase(cell, '.');
    std::ranges::replace(cell, ',', '.');
  } else {
    for (std::size_t at = cell.find(','); at != cell.npos; at = cell.find(',', at)) {
      const bool is_mark = at > 0 && cell.find_first_not_of("0123456789", at + 1) >= at + 4;
      if (!is_mark || cell.size() < at + 4) return nullptr;
      cell.erase(at, 1);
    }
  }
  if (cell.empty() || cell.find_first_not_of("0123456789.eE+-") != cell.npos) return nullptr;
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  return *end == '\0' && std::abs(value) < 1e300 ? Cell(value) : Cell();
}

/// The last `( )` or `[ ]` of a header cell.
std::string unit_of(const std::string& header) {
  const auto close = header.find_last_of(")]");
  if (close == header.npos || close + 1 != header.size()) return "";
  const auto open = header.find_last_of("([", close);
  return open == header.npos || open == 0 ? "" : header.substr(open + 1, close - open - 1);
}

bool has_decimal_comma(const text::Table& file, std::size_t column) {
  if (file.separator == ',') return false;
  return std::ranges::any_of(file.rows, [&](const text::Table::Row& row) {
    const std::string& cell = row.cells[column];
    const auto comma = cell.find(',');
    return comma != cell.npos && cell.find(',', comma + 1) == cell.npos;
  });
}

/// A column of a file, on the way to a kind.
class Typing {
 public:
  Typing(const text::Table& file, std::size_t column) : file_(file), column_(column) {}

  /// Whether this share of the filled cells can be read so; then these are its cells.
  bool fits(double share, const std::function<Cell(const std::string&)>& read) {
    std::vector<Cell> cells;
    std::ptrdiff_t filled = 0;
    for (const text::Table::Row& row : file_.rows) {
      const std::string& cell = row.cells[column_];
      filled += cell.empty() ? 0 : 1;
      cells.push_back(cell.empty() ? Cell() : read(cell));
    }
    const auto good = std::ssize(cells) - std::ranges::count(cells, Cell());
    if (good == 0 || double(good) < share * double(filled)) return false;
    cells_ = std::move(cells);
    unreadable_ = filled - good;
    return true;
  }
  bool is_time(const char* form) {
    return fits(0.97, [&](const std::string& cell) { return time_of(cell, form); });
  }
  bool is_number() {
    const bool comma = has_decimal_comma(file_, column_);
    return fits(0.9, [&](const std::string& cell) { return number_of(cell, comma); });
  }
  /// Appends its cells, as they were read last, to the rows.
  void add_to(Table& table, Kind kind) {
    const std::string& header = file_.header[column_];
    if (cells_.empty()) fits(0, [](const std::string& cell) { return Cell(cell); });
    cells_.resize(file_.rows.size());  // every cell is empty
    table.columns.push_back({header, unit_of(header), kind, unreadable_});
    for (std::size_t i = 0; i < cells_.size(); ++i) table.rows[i].push_back(std::move(cells_[i]));
  }

 private:
  const text::Table& file_;
  std::size_t column_;
  std::vector<Cell> cells_;
  std::int64_t unreadable_ = 0;
};

void add_column(Table& table, const text::Table& file, std::size_t column) {
  Typing typing{file, column};
  const bool may_be_month_first = typing.is_time(month_first);
  const bool is_day_first =
      std::ranges::any_of(time_forms, [&](const char* form) { return typing.is_time(form); });
  if (may_be_month_first && is_day_first) {
    table.notes.push_back(
        fmt::format("dates of '{}' may have the month first: they are read with the day first",
                    file.header[column]));
  }
  const bool is_time = may_be_month_first || is_day_first;
  typing.add_to(table, is_time ? Kind::time : typing.is_number() ? Kind::number : Kind::text);
}

/// @throws ReadingsError  it has no header, or a row that is none of it
void check(const fs::path& path, const text::Table& table) {
  const std::string name = path.string();
  if (table.header.size() < 2) {
    throw ReadingsError(name + ": is not a table: one column, separated by none of , ; | and tab");
  }
  std::set<std::string> seen;
  for (const std::string& column : table.header) {
    if (column.empty()) throw ReadingsError(name + ": a column has no name");
    if (!seen.insert(column).second) {
      throw ReadingsError(fmt::format("{}: two columns are called '{}'", name, column));
    }
  }
  for (const text::Table::Row& row : table.rows) {
    if (row.cells.size() == table.header.size()) continue;
    throw ReadingsError(fmt::format("{}:{}: has {} cells, and the header {}", name, row.line,
                                    row.cells.size(), table.header.size()));
  }
}

Table read_table(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  const std::string bytes{std::istreambuf_iterator<char>{in}, {}};
  if (!in.is_open() || in.bad()) throw ReadingsError(path.string() + ": cannot be read");
  const std::string utf8 = text::to_utf8(bytes);
  if (utf8.find('\0') != utf8.npos) {
    throw ReadingsError(path.string() + ": is not a table: it has a zero byte");
  }
  text::Table file;
  try {
    file = text::read_csv(utf8);
  } catch (const std::runtime_error& error) {
    throw ReadingsError(fmt::format("{}: {}", path.string(), error.what()));
  }
  check(path, file);
  Table table{.name = path.stem().string(), .file = path.filename().string()};
  table.rows.resize(file.rows.size());
  for (std::size_t column = 0; column < file.header.size(); ++column) {
    add_column(table, file, column);
  }
  return table;
}

std::vector<Table> read_tables(const fs::path& path) {
  std::vector<fs::path> files;
  std::error_code error;
  const auto is_table = [](const fs::path& file) {
    return file.extension() == ".csv" || file.extension() == ".tsv";
  };
  if (fs::is_directory(path, error)) {
    for (const auto& entry : fs::directory_iterator{path}) {
      if (is_table(entry.path())) files.push_back(entry.path());
    }
    std::ranges::sort(files);
  } else if (fs::exists(path, error)) {
    files.push_back(path);
  } else {
    throw ReadingsError(path.string() + ": there is no such file or folder");
  }
  if (files.empty()) throw ReadingsError(path.string() + ": has no .csv or .tsv file");
  std::vector<Table> tables;
  for (const fs::path& file : files) tables.push_back(read_table(file));
  return tables;
}

/// Keeps the rows for which `stays` holds, and counts the others.
template <class Stays>
void keep_rows(Table& table, Stays stays) {
  const auto left_out = std::erase_if(table.rows, [&](const auto& row) { return !stays(row); });
  table.left_out += static_cast<std::int64_t>(left_out);
}

/// The text column that has this value; columns.size(): none.
std::size_t column_with(const Table& table, const std::string& value) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].kind != Kind::text) continue;
    const bool has =
        std::ranges::any_of(table.rows, [&](const auto& row) { return row[i] == value; });
    if (has) return i;
  }
  return table.columns.size();
}

void keep_window(Table& table, int days) {
  const std::size_t time = table.first(Kind::time);
  if (time == table.columns.size()) return;
  const auto when = [&](const auto& row) {
    const auto* text = row[time].template get_ptr<const std::string*>();
    return text != nullptr ? *text : std::string{};
  };
  std::ranges::stable_sort(table.rows, {}, when);
  if (table.rows.empty() || when(table.rows.back()).empty()) return;
  std::tm last{};
  strptime(when(table.rows.back()).c_str(), "%Y-%m-%d", &last);
  last.tm_mday -= days - 1;
  timegm(&last);
  const std::string from =
      fmt::format("{:04}-{:02}-{:02}", last.tm_year + 1900, last.tm_mon + 1, last.tm_mday);
  keep_rows(table, [&](const auto& row) { return when(row) >= from; });
}

[[noreturn]] void no_system(const std::vector<Table>& tables, const std::string& system_id) {
  std::vector<std::string> known;
  for (const Table& table : tables) {
    known.push_back(table.name);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].kind != Kind::text) continue;
      const std::set<std::string> values = table.values<std::string>(i);
      constexpr std::size_t most = 30;  // beyond that, values are no systems
      if (values.size() <= most) known.insert(known.end(), values.begin(), values.end());
    }
  }
  constexpr std::size_t shown = 20;
  const bool is_more = known.size() > shown;
  if (is_more) known.resize(shown);
  throw ReadingsError(fmt::format("there is no system '{}'; there are {}{}", system_id,
                                  fmt::join(known, ", "), is_more ? ", …" : ""));
}

}  // namespace

Readings load_readings(const fs::path& path, const std::string& system_id, int window_days) {
  std::vector<Table> tables = read_tables(path);
  Readings readings{system_id, {}};
  std::vector<Table> beside;
  for (Table& table : tables) {
    if (table.name == system_id) {
      readings.tables.insert(readings.tables.begin(), table);
      continue;
    }
    if (const std::size_t column = column_with(table, system_id); column < table.columns.size()) {
      Table& kept = readings.tables.emplace_back(table);
      keep_rows(kept, [&](const auto& row) { return row[column] == system_id; });
    } else if (text::in_lower_case(table.name).starts_with(text::in_lower_case(system_id))) {
      beside.push_back(table);
    }
  }
  if (readings.tables.empty() && beside.empty()) no_system(tables, system_id);
  std::ranges::move(beside, std::back_inserter(readings.tables));
  for (Table& table : readings.tables) keep_window(table, window_days);
  return readings;
}

}  // namespace insights
