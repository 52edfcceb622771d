#include "insights/columns.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "insights/numbers.hpp"
#include "insights/shapes.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

/// So many of the cells that hold something must be of a kind to make the column one of it: what
/// the others hold is a mistake, which is told.
constexpr double nearly_all = 0.9;
constexpr double nearly_unique = 0.98;  // of the rows: some may be there twice by mistake
constexpr std::size_t most_problems = 20;

bool is_missing(const std::string& cell) {
  static constexpr std::size_t longest = 4;  // of words.json: null, none
  if (cell.size() > longest) return false;
  std::string lower;
  for (const char c : cell) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return words().has("missing", lower);
}

struct Header {
  std::string name;
  std::string unit;
};

/// `temp (°C)`, `price [EUR]`, `power_kw`.
Header header_of(const std::string& text, const std::vector<std::string>& all) {
  for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
    const auto at = text.rfind(open);
    if (at == text.npos || at == 0 || text.back() != close) continue;
    const auto end = text.find_last_not_of(" _", at - 1);
    if (end == text.npos || text.find(' ', at) != text.npos) continue;  // (first half) is none
    return {text.substr(0, end + 1), text.substr(at + 1, text.size() - at - 2)};
  }
  const std::vector<std::string> parts = words_in(text);
  const auto unit = parts.empty() ? words().units.end() : words().units.find(parts.back());
  if (parts.size() < 2 || unit == words().units.end()) return {text, ""};
  if (parts[parts.size() - 2] == "per") return {text, ""};  // of something else, per this
  // phase_a, phase_b: letters that tell columns apart are no units.
  const std::string stem = text.substr(0, text.size() - parts.back().size());
  const auto siblings = std::ranges::count_if(all, [&](const std::string& other) {
    return other.starts_with(stem) && other.size() == stem.size() + 1;
  });
  return {text, parts.back().size() == 1 && siblings > 1 ? "" : unit->second};
}

class Reader {
 public:
  explicit Reader(const CsvFile& file) : file_(file) {
    const std::string name = file.path.filename().string();
    table_.name = file.path.stem().string();
    table_.files = {name};
    if (file.rows.empty()) throw ReadingsError(file.path.string() + ":1: the table has no row");
  }

  Table read() {
    find_times();
    for (std::size_t column = 0; column < file_.header.size(); ++column) {
      if (column != time_ && column != clock_) add(column);
    }
    if (table_.columns.empty()) {
      throw ReadingsError(file_.path.string() +
                          ":1: is not a table of readings: no column has numbers or a category");
    }
    return std::move(table_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Whether nearly all cells that hold something are what `is` says.
  template <class Is>
  bool holds(std::size_t column, Is is) const {
    std::size_t filled = 0;
    std::size_t good = 0;
    for (const CsvRow& row : file_.rows) {
      if (is_missing(row.cells[column])) continue;
      ++filled;
      if (is(row.cells[column])) ++good;
    }
    return filled > 0 && static_cast<double>(good) >= nearly_all * static_cast<double>(filled);
  }

  std::vector<std::string> cells(std::size_t column) const {
    std::vector<std::string> all;
    for (const CsvRow& row : file_.rows) all.push_back(row.cells[column]);
    return all;
  }

  void find_times() {
    const auto first = [&](auto is) {
      for (std::size_t column = 0; column < file_.header.size(); ++column) {
        if (holds(column, is)) return column;
      }
      return none;
    };
    for (std::size_t column = 0; column < file_.header.size() && time_ == none; ++column) {
      slashes_ = slashes_of(cells(column));
      const auto is_time = [&](const std::string& cell) {
        return parse_moment(cell, slashes_).has_value();
      };
      if (holds(column, is_time)) time_ = column;
    }
    if (time_ == none) time_ = first_year();
    if (time_ == none) {
      for (const CsvRow& row : file_.rows) place(row);
      return;
    }
    clock_ = first([](const std::string& cell) { return parse_clock(cell).has_value(); });
    table_.time = file_.header[time_];
    table_.has_clock = clock_ != none;
    std::vector<const CsvRow*> dated;
    for (const CsvRow& row : file_.rows) {
      const std::string& cell = row.cells[time_];
      const auto when = parse_moment(is_year_ ? cell + "-01" : cell, slashes_);
      const auto clock = clock_ == none ? std::optional<Moment>{0} : parse_clock(row.cells[clock_]);
      if (!when || !clock) {
        problem(row, time_, "is not a time; the row is left out");
        continue;
      }
      table_.has_clock = table_.has_clock || when->has_clock;
      table_.moments.push_back(when->moment + *clock);
      place(row);
      dated.push_back(&row);
    }
    rows_ = std::move(dated);
  }

  /// A column that is called a year and holds nothing else.
  std::size_t first_year() {
    for (std::size_t column = 0; column < file_.header.size(); ++column) {
      const std::vector<std::string> name = words_in(file_.header[column]);
      is_year_ = std::ranges::find(name, "year") != name.end() &&
                 holds(column, [](const std::string& cell) {
                   return cell.size() == 4 && parse_moment(cell + "-01").has_value();
                 });
      if (is_year_) return column;
    }
    return none;
  }

  void place(const CsvRow& row) {
    table_.file_of.push_back(0);
    table_.line_of.push_back(row.line);
    if (time_ == none) rows_.push_back(&row);
  }

  /// Files with other separators than commas use the comma as decimal point, if they use any.
  void add(std::size_t at) {
    const bool comma = file_.separator != ',' && std::ranges::any_of(rows_, [&](const CsvRow* row) {
                         return row->cells[at].find(',') != std::string::npos;
                       });
    const auto is_number = [&](const std::string& cell) {
      return parse_number(cell, comma).has_value();
    };
    if (holds(at, is_number)) {
      add_numbers(at, comma);
    } else {
      add_words(at);
    }
  }

  void add_numbers(std::size_t at, bool comma) {
    const Header header = header_of(file_.header[at], file_.header);
    Column column{.name = header.name, .unit = header.unit};
    std::set<double> seen;
    std::optional<std::string> unit;  // of the first number
    bool is_whole = true;
    for (const CsvRow* row : rows_) {
      const std::string& cell = row->cells[at];
      auto number = is_missing(cell) ? std::nullopt : parse_number(cell, comma);
      if (!number && !is_missing(cell)) problem(*row, at, "is not a number; it counts as missing");
      if (number && number->unit != unit.value_or(number->unit)) {
        problem(*row, at, "has another unit than the first; it counts as missing");
        number.reset();
      }
      if (number) {
        if (!unit) unit = number->unit;
        seen.insert(number->value);
        is_whole = is_whole && std::floor(number->value) == number->value;
      }
      column.numbers.push_back(number ? std::optional{number->value} : std::nullopt);
    }
    if (column.unit.empty()) column.unit = unit.value_or("");
    const std::vector<std::string> parts = words_in(header.name);
    const bool is_named_id = std::ranges::any_of(
        parts, [](const std::string& part) { return words().has("identifiers", part); });
    if (is_named_id && is_whole && is_nearly_unique(seen.size())) {
      take_names(at);
      return;
    }
    const bool counts = is_whole && !seen.empty() && *seen.begin() >= 0 && column.unit.empty();
    column.is_amount = is_amount(column, parts, counts);
    table_.columns.push_back(std::move(column));
  }

  /// @param counts  whether the column holds whole numbers without a unit: of visitors, of calls
  static bool is_amount(const Column& column, const std::vector<std::string>& parts, bool counts) {
    const auto any = [&](const char* list) {
      return std::ranges::any_of(parts,
                                 [&](const std::string& part) { return words().has(list, part); });
    };
    if (any("levels")) return false;
    if (any("amounts")) return true;
    return words().has("amount units", column.unit) || (counts && names_things(parts));
  }

  void add_words(std::size_t at) {
    Column column{.name = file_.header[at], .unit = "", .kind = Column::Kind::category};
    std::set<std::string> seen;
    std::size_t filled = 0;
    for (const CsvRow* row : rows_) {
      const std::string& cell = row->cells[at];
      column.words.push_back(is_missing(cell) ? "" : cell);
      if (!is_missing(cell)) seen.insert(cell);
      if (!is_missing(cell)) ++filled;
    }
    // What is another text in nearly every row is free text, or a name of the row.
    if (seen.empty()) return;
    if (seen.size() > 12 && seen.size() * 3 > filled) {
      if (is_nearly_unique(seen.size()) && std::ranges::all_of(seen, is_code)) take_names(at);
      return;
    }
    table_.columns.push_back(std::move(column));
  }

  bool is_nearly_unique(std::size_t values) const {
    return static_cast<double>(values) >= nearly_unique * static_cast<double>(rows_.size());
  }

  /// What names each row, so that rows alike are told apart.
  void take_names(std::size_t at) {
    if (!table_.names.empty()) return;
    for (const CsvRow* row : rows_) table_.names.push_back(row->cells[at]);
  }

  void problem(const CsvRow& row, std::size_t at, const char* what) {
    if (table_.problems.size() == most_problems) table_.problems.emplace_back("…");
    if (table_.problems.size() > most_problems) return;
    table_.problems.push_back(fmt::format("{}:{}: '{}' in {} {}", table_.files[0], row.line,
                                          row.cells[at], file_.header[at], what));
  }

  const CsvFile& file_;
  Table table_;
  std::vector<const CsvRow*> rows_;  ///< those with a time
  std::size_t time_ = none;
  std::size_t clock_ = none;
  bool is_year_ = false;
  Slashes slashes_ = Slashes::unknown;
};

}  // namespace

Table table_of(const CsvFile& file) { return Reader{file}.read(); }

}  // namespace insights
