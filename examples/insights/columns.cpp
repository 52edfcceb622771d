#include "insights/columns.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/date_columns.hpp"
#include "insights/durations.hpp"
#include "insights/figures.hpp"
#include "insights/headers.hpp"
#include "insights/identifiers.hpp"
#include "insights/numbers.hpp"
#include "insights/problems.hpp"
#include "insights/shapes.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

constexpr double nearly_unique = 0.98;  // of the rows: some may be there twice by mistake

class Reader {
 public:
  Reader(const CsvFile& file, const std::string& prompt)
      : file_(file), prompt_(prompt), problems_(file), slashes_(file.slashes) {
    const std::string name = file.path.filename().string();
    table_.name = file.name;
    table_.files = {name};
    if (file.rows.empty()) throw ReadingsError(file.path.string() + ":1: the table has no row");
  }

  Table read() {
    find_times();
    for (std::size_t column = 0; column < file_.header.size(); ++column) {
      if (column == time_ || column == clock_ || is_dates(column) || is_place(column)) continue;
      add(column);
    }
    add_durations();
    table_.header = file_.header;
    for (const CsvRow* row : rows_)
      table_.cells.push_back(
          fmt::format("{}", fmt::join(row->cells, std::string_view{&cell_end, 1})));
    table_.problems = problems_.told();
    if (table_.columns.empty()) {
      throw ReadingsError(file_.path.string() +
                          ":1: is not a table of readings: no column has numbers or a category");
    }
    return std::move(table_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::vector<std::string> cells(std::size_t column) const {
    std::vector<std::string> all;
    for (const CsvRow& row : file_.rows) all.push_back(row.cells[column]);
    return all;
  }

  [[nodiscard]] bool is_time(std::size_t column, Slashes slashes) const {
    return holds(file_, column,
                 [&](const std::string& cell) { return parse_moment(cell, slashes).has_value(); });
  }

  [[nodiscard]] std::vector<DateColumn> date_columns() const {
    std::vector<DateColumn> dates;
    for (std::size_t column = 0; column < file_.header.size(); ++column) {
      if (!is_time(column, order_in(column))) continue;
      const auto lacking = std::ranges::count_if(
          file_.rows, [&](const CsvRow& row) { return is_missing(row.cells[column]); });
      dates.push_back({column, static_cast<std::size_t>(lacking)});
    }
    return dates;
  }

  void find_times() {
    const std::vector<DateColumn> dates = date_columns();
    const std::vector<std::size_t> clocks = clock_columns(file_);
    if (const auto found = time_of_rows(file_, dates, clocks, prompt_)) {
      time_ = *found;
      slashes_ = order_in(time_);
    }
    if (time_ == none) time_ = first_year();
    if (time_ == none) {
      for (const CsvRow& row : file_.rows) place(row);
      return;
    }
    find_clock(dates, clocks);
    table_.time = file_.header[time_];
    table_.has_clock = clock_ != none;
    const bool is_partial = lacks_many(dates, time_, file_.rows.size());
    std::vector<const CsvRow*> dated;
    for (const CsvRow& row : file_.rows) {
      const std::string& cell = row.cells[time_];
      // What has not happened yet is on no day of those on which it did.
      if (is_partial && is_missing(cell)) continue;
      auto when = parse_moment(is_year_ ? cell + "-01" : cell, slashes_);
      auto clock = clock_ == none ? std::optional<Moment>{0} : parse_clock(row.cells[clock_]);
      const bool has_own = when && clock;
      if (!has_own) {
        when = other_time_of(row);
        clock = 0;
      }
      if (!when) {
        problems_.add(row, time_, "is not a time; the row is left out");
        continue;
      }
      table_.has_clock = table_.has_clock || when->has_clock;
      table_.moments.push_back(when->moment + *clock);
      has_own_time_.push_back(has_own);
      place(row);
      dated.push_back(&row);
    }
    rows_ = std::move(dated);
  }

  /// The first time that a row has in another column of times, where its own cell holds none.
  [[nodiscard]] std::optional<ParsedMoment> other_time_of(const CsvRow& row) {
    for (std::size_t column = 0; column < file_.header.size(); ++column) {
      if (column == time_ || !is_dates(column)) continue;
      const auto when = parse_moment(row.cells[column], order_in(column));
      if (!when) continue;
      problems_.add(row, time_,
                    fmt::format("is not a time; {} is taken for it", file_.header[column]));
      return when;
    }
    return std::nullopt;
  }

  /// The order of the numbers in a column's dates; where nothing in it shows that, the order of
  /// the rows' times, or else of the dates in other files.
  [[nodiscard]] Slashes order_in(std::size_t column) const {
    const Slashes own = slashes_of(cells(column));
    return own == Slashes::unknown ? slashes_ : own;
  }

  /// Whether a column beside that of the times holds dates with a day.
  [[nodiscard]] bool is_dates(std::size_t column) const {
    return time_ != none && !is_year_ && column != clock_ && is_time(column, order_in(column)) &&
           holds(file_, column, has_day);
  }

  Dates dates_in(std::size_t column) {
    Dates dates{header_of(file_.header[column], file_.header).name, {}, {}};
    const Slashes slashes = order_in(column);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::string& cell = rows_[i]->cells[column];
      auto moment = parse_moment(cell, slashes);
      if (column == time_ && has_own_time_[i])
        moment = ParsedMoment{table_.moments[i], table_.has_clock};
      if (!moment && !is_missing(cell) && column != time_) {
        problems_.add(*rows_[i], column, "is not a date; it counts as missing");
      }
      dates.moments.push_back(moment);
      dates.empty.push_back(is_missing(cell));
    }
    return dates;
  }

  /// The time between each two dates of a row.
  void add_durations() {
    if (time_ == none || !is_dates(time_)) return;
    std::vector<Dates> all{dates_in(time_)};
    for (std::size_t column = 0; column < file_.header.size(); ++column) {
      if (column != time_ && is_dates(column)) all.push_back(dates_in(column));
    }
    take_durations(all);
    if (clock_ == none) return;
    std::vector<Dates> clocks{all.front()};
    clocks.front().name = file_.header[clock_];
    for (std::size_t column = clock_ + 1; column < file_.header.size(); ++column) {
      if (is_clock(file_, column) && !is_duration(file_, column))
        clocks.push_back(clocks_in(column));
    }
    put_behind_midnight(clocks);
    take_durations(clocks);
  }

  void take_durations(const std::vector<Dates>& dates) {
    Durations found = durations_between(dates);
    problems_.add(found, dates, rows_, table_.names);
    for (Column& column : found.columns) {
      if (table_.find(column.name) == nullptr) table_.columns.push_back(std::move(column));
    }
  }

  /// Clock times, on the day of their row.
  [[nodiscard]] Dates clocks_in(std::size_t column) const {
    Dates dates{header_of(file_.header[column], file_.header).name, {}, {}};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::string& cell = rows_[i]->cells[column];
      dates.moments.emplace_back();
      if (const auto clock = parse_clock(cell))
        dates.moments.back() = ParsedMoment{day_of(table_.moments[i]) + *clock, true};
      dates.empty.push_back(is_missing(cell));
    }
    return dates;
  }

  /// The first column of clock times that belongs to the rows' dates, if these have none.
  void find_clock(const std::vector<DateColumn>& dates, const std::vector<std::size_t>& clocks) {
    const bool is_timed = std::ranges::any_of(file_.rows, [&](const CsvRow& row) {
      const auto when = parse_moment(row.cells[time_], slashes_);
      return when && when->has_clock;
    });
    if (is_timed || dates.empty()) return;
    for (const std::size_t column : clocks) {
      if (date_of_clock(file_, dates, column) != time_) continue;
      clock_ = column;
      return;
    }
  }

  /// Latitudes and longitudes say where, not how much.
  [[nodiscard]] bool is_place(std::size_t column) const {
    return is_any(words_in(file_.header[column]), "coordinates");
  }

  /// A column that is called a year and holds nothing else.
  std::size_t first_year() {
    for (std::size_t column = 0; column < file_.header.size(); ++column) {
      const std::vector<std::string> name = words_in(file_.header[column]);
      is_year_ = std::ranges::find(name, "year") != name.end() &&
                 holds(file_, column, [](const std::string& cell) {
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

  void add(std::size_t at) {
    const bool comma = has_decimal_comma(file_, at);
    const auto parse = [&](const std::string& cell) { return parse_number(cell, comma); };
    std::set<std::string> units;
    const bool is_of_numbers = holds(file_, at, [&](const std::string& cell) {
      const auto number = parse(cell);
      if (number) units.insert(number->unit);
      return number.has_value();
    });
    const bool is_of_times = units.size() > 1 && std::ranges::all_of(units, [](const auto& unit) {
                               return words().has("time units", unit);
                             });  // 45 mins, 2 hrs
    if (is_of_numbers && !is_of_times) {
      add_numbers(at, parse);
    } else if (is_of_times || is_duration(file_, at)) {
      add_numbers(at, parse_duration);
    } else {
      add_words(at);
    }
  }

  template <class Parse>
  void add_numbers(std::size_t at, Parse parse) {
    const Header header = header_of(file_.header[at], file_.header);
    Column column{.name = header.name, .unit = header.unit};
    std::set<double> seen;
    std::optional<std::string> unit;  // of the first number; the header's may be left out
    bool is_whole = true;
    for (const CsvRow* row : rows_) {
      const std::string& cell = row->cells[at];
      auto number = is_missing(cell) ? std::nullopt : parse(cell);
      if (!number && !is_missing(cell))
        problems_.add(*row, at, "is not a number; it counts as missing");
      if (number && number->unit == header.unit) number->unit = "";
      if (number && number->unit != unit.value_or(number->unit)) {
        problems_.add(*row, at, "has another unit than the first; it counts as missing");
        number.reset();
      }
      if (number) {
        if (!unit) unit = number->unit;
        seen.insert(number->value);
        is_whole = is_whole && std::floor(number->value) == number->value;
      }
      column.numbers.push_back(number ? std::optional{number->value} : std::nullopt);
    }
    if (column.unit.empty() || column.unit.find(':') != column.unit.npos) {
      column.unit = unit.value_or("");  // (h:mm) is how it is written
    }
    const std::vector<std::string> parts = words_in(header.name);
    const bool is_serial = time_ != none && header.unit.empty() && insights::is_serial(seen);
    const bool is_name = is_serial || is_any(parts, "identifiers") ||
                         (header.unit.empty() && is_called_number(parts));
    if (is_name && is_whole && is_nearly_unique(seen.size())) {
      take_names(at);
      return;
    }
    if (is_whole && column.unit.empty() && are_numbers_of(parts, seen, rows_.size())) {
      add_codes(at);
      return;
    }
    if (seen == std::set<double>{0, 1} && !names_things(parts) && !is_any(parts, "amounts")) {
      add_flags(std::move(column));
      return;
    }
    const bool counts = is_whole && !seen.empty() && *seen.begin() >= 0 && column.unit.empty();
    column.is_amount = is_amount(column, parts, counts) ||
                       (counts && time_ == none && !is_any(parts, "levels"));  // of each thing
    table_.columns.push_back(std::move(column));
  }

  static bool is_any(const std::vector<std::string>& parts, const char* list) {
    return std::ranges::any_of(parts,
                               [&](const std::string& part) { return words().has(list, part); });
  }

  /// A column of 0 and 1 says yes and no.
  void add_flags(Column column) {
    column.kind = Column::Kind::category;
    column.unit = "";
    for (const auto& number : column.numbers) {
      column.words.emplace_back(!number ? "" : *number == 0 ? "no" : "yes");
    }
    column.numbers.clear();
    table_.columns.push_back(std::move(column));
  }

  /// @param counts  whether the column holds whole numbers without a unit: of visitors, of calls
  static bool is_amount(const Column& column, const std::vector<std::string>& parts, bool counts) {
    // Energy adds up, also of a column that is called Power.
    if (words().has("energy units", column.unit)) return true;
    // What is so much per something is a price or a rate.
    if (is_any(parts, "levels") || column.unit.find('/') != column.unit.npos) return false;
    if (is_any(parts, "amounts")) return true;
    return words().has("amount units", column.unit) || (counts && names_things(parts));
  }

  void add_words(std::size_t at) {
    Column column{.name = file_.header[at], .unit = "", .kind = Column::Kind::category};
    std::map<std::string, std::size_t> seen;
    std::size_t filled = 0;
    for (const CsvRow* row : rows_) {
      const std::string& cell = row->cells[at];
      // Among faults and kinds of damage, `none` is one of them.
      const bool is_empty = is_missing(cell) && words_in(cell) != std::vector<std::string>{"none"};
      column.words.push_back(is_empty ? "" : cell);
      if (is_empty) continue;
      ++seen[cell];
      ++filled;
    }
    if (is_free_text(seen)) add_remarks(table_, column.words);
    // What is another text in nearly every row is free text, or a name of the row. Rows without
    // times are things that are compared, so each of their names is a category of its own.
    if (seen.empty()) return;
    constexpr std::size_t most_things = 100;
    constexpr std::size_t longest_name = 40;
    const bool has_names = time_ == none && std::ranges::all_of(seen, [](const auto& one) {
                             return one.first.size() <= longest_name;
                           });
    if (has_names && is_nearly_unique(seen.size())) {
      take_names(at);
      if (seen.size() > most_things) return;
      table_.columns.push_back(std::move(column));
      return;
    }
    // A third may be there once, if they are words: slips and rare causes among common ones.
    std::size_t once = 0;
    for (const auto& [text, count] : seen) {
      const bool has_digit = text.find_first_of("0123456789") != text.npos;
      if (count == 1 || has_digit) ++once;
    }
    const bool is_mixed = seen.size() > 12 && seen.size() * 3 > filled;
    if (is_mixed && once * 3 > filled) {
      const auto is_a_code = [](const auto& one) { return is_code(one.first); };
      const bool are_codes = std::ranges::all_of(seen, is_a_code);
      if (are_codes && is_nearly_unique(seen.size())) {
        take_names(at);
      } else if (are_codes && are_things(seen.size(), filled)) {
        table_.identifiers.push_back(column.name);
        table_.columns.push_back(std::move(column));
      } else {
        if (are_codes) table_.identifiers.push_back(column.name);
        table_.unused.push_back(column.name);
      }
      return;
    }
    table_.columns.push_back(std::move(column));
  }

  bool is_nearly_unique(std::size_t values) const {
    return static_cast<double>(values) >= nearly_unique * static_cast<double>(rows_.size());
  }

  /// Numbers that name things of which there are several rows.
  void add_codes(std::size_t at) {
    Column column{.name = file_.header[at], .unit = "", .kind = Column::Kind::category};
    std::set<std::string> seen;
    for (const CsvRow* row : rows_) {
      const std::string& cell = row->cells[at];
      column.words.push_back(is_missing(cell) ? "" : cell);
      seen.insert(column.words.back());
    }
    table_.identifiers.push_back(column.name);
    if (are_things(seen.size(), rows_.size())) {
      table_.columns.push_back(std::move(column));
    } else {
      table_.unused.push_back(column.name);
    }
  }

  /// What names each row, so that rows alike are told apart.
  void take_names(std::size_t at) {
    table_.unused.push_back(file_.header[at]);
    table_.identifiers.push_back(file_.header[at]);
    if (!table_.names.empty()) return;
    for (const CsvRow* row : rows_) table_.names.push_back(row->cells[at]);
  }

  const CsvFile& file_;
  const std::string& prompt_;
  Problems problems_;
  Table table_;
  std::vector<const CsvRow*> rows_;  ///< those with a time
  std::vector<bool> has_own_time_;   ///< of each, whether it is that of the table's column of times
  std::size_t time_ = none;
  std::size_t clock_ = none;
  bool is_year_ = false;
  Slashes slashes_;
};

}  // namespace

Table table_of(const CsvFile& file, const std::string& prompt) {
  Table table = Reader{file, prompt}.read();
  leave_out_totals(table);
  return table;
}

}  // namespace insights
