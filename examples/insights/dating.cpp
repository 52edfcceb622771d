#include "insights/dating.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "insights/moments.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// A whole number of `low` to `high`.
std::optional<int> number_in(std::string_view text, int low, int high) {
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = is_digits(text) && read.ec == std::errc{} && value >= low && value <= high;
  return good ? std::optional{value} : std::nullopt;
}

/// 1 to 12 of `3`, `Mar` or `March`.
std::optional<int> month_in(const std::string& text) {
  if (is_digits(text)) return number_in(text, 1, 12);
  const auto month = parse_moment(text + " 2000");
  return month ? std::optional{place_in(Cycle::month, month->moment) + 1} : std::nullopt;
}

/// 1 to 4 of `3` or `Q3`.
std::optional<int> quarter_in(std::string_view text) {
  if (text.starts_with('Q') || text.starts_with('q')) text.remove_prefix(1);
  return number_in(text, 1, 4);
}

bool is_called(const CsvFile& file, std::size_t column, std::string_view name) {
  return std::ranges::any_of(words_in(file.header[column]),
                             [&](const std::string& word) { return word == name; });
}

/// A part of a date that has a column of its own.
struct Part {
  const char* name;  ///< a word of the column's header
  std::optional<int> (*read)(const std::string& cell);

  [[nodiscard]] std::size_t in(const CsvFile& file) const {
    for (std::size_t at = 0; at < file.header.size(); ++at) {
      if (is_called(file, at, name) && holds(file, at, read)) return at;
    }
    return none;
  }
};

const Part year_part{"year", [](const std::string& cell) { return number_in(cell, 1500, 2199); }};
const Part quarter_part{"quarter", [](const std::string& cell) { return quarter_in(cell); }};
const Part month_part{"month", [](const std::string& cell) { return month_in(cell); }};
const Part week_part{"week", [](const std::string& cell) { return number_in(cell, 1, 53); }};
const Part day_part{"day", [](const std::string& cell) { return number_in(cell, 1, 31); }};
const Part hour_part{"hour", [](const std::string& cell) { return number_in(cell, 0, 23); }};

/// Of a date whose parts have columns of their own.
struct Form {
  std::vector<Part> parts;
  const char* format;
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all{
      {{year_part, month_part, day_part, hour_part}, "{}-{:02}-{:02} {:02}:00"},
      {{year_part, month_part, day_part}, "{}-{:02}-{:02}"},
      {{year_part, month_part}, "{}-{:02}"},
      {{year_part, quarter_part}, "{}-Q{}"},
      {{year_part, week_part}, "{}-W{:02}"}};
  return all;
}

/// The columns of the form's parts; empty when one is missing.
std::vector<std::size_t> columns_of(const CsvFile& file, const Form& form) {
  std::vector<std::size_t> columns;
  for (const Part& part : form.parts) {
    const std::size_t at = part.in(file);
    if (at == none || std::ranges::find(columns, at) != columns.end()) return {};
    columns.push_back(at);
  }
  return columns;
}

bool has_dates(const CsvFile& file) {
  for (std::size_t at = 0; at < file.header.size(); ++at) {
    const auto is_date = [](const std::string& cell) {
      return parse_moment(cell, Slashes::day_first) || parse_moment(cell, Slashes::month_first);
    };
    if (holds(file, at, is_date)) return true;
  }
  return false;
}

/// The date that a row's parts make; empty where one is missing.
std::string date_of(const CsvRow& row, const Form& form, const std::vector<std::size_t>& columns) {
  std::array<int, 4> numbers{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto number = form.parts[i].read(row.cells[columns[i]]);
    if (!number) return "";
    numbers[i] = *number;
  }
  return fmt::format(fmt::runtime(form.format), numbers[0], numbers[1], numbers[2], numbers[3]);
}

/// A column `date` in place of those of its parts.
void join_parts(CsvFile& file) {
  if (has_dates(file)) return;
  for (const Form& form : forms()) {
    std::vector<std::size_t> columns = columns_of(file, form);
    if (columns.empty()) continue;
    const std::size_t year = columns.front();
    for (CsvRow& row : file.rows) row.cells[year] = date_of(row, form, columns);
    file.header[year] = "date";
    columns.erase(columns.begin());
    std::ranges::sort(columns, std::ranges::greater{});
    for (const std::size_t at : columns) {
      const auto place = static_cast<std::ptrdiff_t>(at);
      for (CsvRow& row : file.rows) row.cells.erase(row.cells.begin() + place);
      file.header.erase(file.header.begin() + place);
    }
    return;
  }
}

/// `2015-01-31 13:45` of `20150131T1345`; nullopt when it is none.
std::optional<std::string> spaced(std::string_view text) {
  const std::string_view date = text.substr(0, 8);
  std::string_view clock = text.substr(date.size());
  if (clock.starts_with('T') || clock.starts_with(' ')) clock.remove_prefix(1);
  if (clock.ends_with('Z')) clock.remove_suffix(1);
  if (date.size() != 8 || !is_digits(date) || !number_in(date.substr(0, 4), 1500, 2199)) {
    return std::nullopt;
  }
  std::string all =
      fmt::format("{}-{}-{}", date.substr(0, 4), date.substr(4, 2), date.substr(6, 2));
  if (!clock.empty()) {
    if (!is_digits(clock) || (clock.size() != 4 && clock.size() != 6)) return std::nullopt;
    all += fmt::format(" {}:{}", clock.substr(0, 2), clock.substr(2, 2));
    if (clock.size() == 6) all += fmt::format(":{}", clock.substr(4, 2));
  }
  return parse_moment(all) ? std::optional{all} : std::nullopt;
}

/// `2015-01` of `201501`
std::optional<std::string> month_of_digits(std::string_view text) {
  if (text.size() != 6 || !number_in(text.substr(0, 4), 1500, 2199)) return std::nullopt;
  if (!number_in(text.substr(4), 1, 12)) return std::nullopt;
  return fmt::format("{}-{}", text.substr(0, 4), text.substr(4));
}

/// Of seconds, or milliseconds, since 1970 between the years 2001 and 2099.
std::optional<std::string> date_of_seconds(std::string_view text) {
  text = text.substr(0, text.find('.'));
  if (text.size() == 13) text.remove_suffix(3);
  if (text.size() != 10 || !is_digits(text)) return std::nullopt;
  Moment moment = 0;
  std::from_chars(text.data(), text.data() + text.size(), moment);
  constexpr Moment year_2001 = 1'000'000'000;
  constexpr Moment year_2100 = 4'102'444'800;
  if (moment < year_2001 || moment >= year_2100) return std::nullopt;
  return fmt::format("{}:{:02}", moment_text(moment, true), moment % 60);
}

/// Writes the cells of a column as `as` does, if it can write nearly all.
template <class As>
bool rewrite(CsvFile& file, std::size_t column, As as) {
  if (!holds(file, column, as)) return false;
  for (CsvRow& row : file.rows)
    row.cells[column] = as(row.cells[column]).value_or(row.cells[column]);
  return true;
}

}  // namespace

CsvFile dated(CsvFile file) {
  for (std::size_t at = 0; at < file.header.size(); ++at) {
    const bool speaks_of_time =
        std::ranges::any_of(words_in(file.header[at]), [](const std::string& word) {
          return words().has("times", word) || word == "timestamp" || word == "epoch" ||
                 word == "unix" || word == "created" || word == "ts";
        });
    if (rewrite(file, at, spaced) || !speaks_of_time) continue;
    if (!rewrite(file, at, month_of_digits)) rewrite(file, at, date_of_seconds);
  }
  join_parts(file);
  return file;
}

}  // namespace insights
