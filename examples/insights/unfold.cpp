#include "insights/unfold.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>

#include "insights/headers.hpp"
#include "insights/moments.hpp"
#include "insights/numbers.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

constexpr std::size_t fewest_periods = 3;

/// What the header of a column of a wide table says: `Sales Jan 2024`, `2019`, `May`.
struct Heading {
  std::string period;  ///< as it will stand in the column of times
  std::string rest;    ///< what else is there
};

/// The month, or the year, that is named, and the other words.
std::optional<Heading> heading_of(const std::string& text) {
  static const std::string month =
      "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
      "Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?";
  static const std::regex dated{
      "^(.*?)[ _]*\\b(" + month + ")\\.?[ _'’-]*(\\d{4}|\\d{2})\\b[ _]*(.*)$", std::regex::icase};
  static const std::regex iso{R"(^(.*?)[ _]*\b((?:19|20)\d\d)(-\d\d)?\b[ _]*(.*)$)"};
  static const std::regex bare{"^(.*?)[ _]*\\b(" + month + ")\\b\\.?[ _]*(.*)$", std::regex::icase};
  std::smatch m;
  if (text.size() > longest_header) return std::nullopt;
  if (std::regex_match(text, m, dated)) {
    const std::string year = m[3].length() == 2 ? "20" + m[3].str() : m[3].str();
    return Heading{m[2].str().substr(0, 3) + " " + year, m[1].str() + m[4].str()};
  }
  if (std::regex_match(text, m, iso)) {
    return Heading{m[2].str() + m[3].str(), m[1].str() + m[4].str()};
  }
  if (std::regex_match(text, m, bare)) {
    return Heading{m[2].str().substr(0, 3), m[1].str() + m[3].str()};
  }
  return std::nullopt;
}

bool is_of_numbers(const CsvFile& file, std::size_t column) {
  std::size_t filled = 0;
  std::size_t good = 0;
  const bool comma = has_decimal_comma(file, column);
  for (const CsvRow& row : file.rows) {
    const std::string& cell = row.cells[column];
    if (is_missing(cell)) continue;
    ++filled;
    if (parse_number(cell, comma)) ++good;
  }
  return filled > 0 && good * 10 >= filled * 9;
}

using Headings = std::map<std::size_t, Heading>;  ///< by the column

/// The columns that are one quantity at different times, by their index.
Headings periods_of(const CsvFile& file) {
  Headings found;
  for (std::size_t at = 0; at < file.header.size(); ++at) {
    const auto heading = heading_of(file.header[at]);
    if (heading && is_of_numbers(file, at)) found.emplace(at, *heading);
  }
  const auto is_alike = [&](const auto& one) {
    return one.second.rest == found.begin()->second.rest &&
           one.second.period.size() == found.begin()->second.period.size();
  };
  return found.size() >= fewest_periods && std::ranges::all_of(found, is_alike) ? found
                                                                                : Headings{};
}

/// `sales` of sales-2024, or `value`: a quantity that the file is named after.
std::string quantity_of(const std::string& file) {
  const auto is_in = [](const char* list, const std::string& word) {
    return std::ranges::any_of(words().of.at(list),
                               [&](const auto& one) { return is_same_word(one, word); });
  };
  for (const std::string& word : words_in(file)) {
    if (is_in("amounts", word) || is_in("levels", word)) return word;
  }
  return "value";
}

/// A year between other letters of a file's name.
std::string year_in(const std::string& name) {
  static const std::regex year{R"((?:^|\D)((?:19|20)\d\d)(?:\D|$))"};
  std::smatch found;
  return std::regex_search(name, found, year) ? found[1].str() : "";
}

/// The columns of a wide table that say what its rows are, and those of other numbers.
struct Rest {
  std::vector<std::size_t> labels;
  std::vector<std::size_t> all;
  std::size_t year = 0;  ///< the column of the years of months without one; none: behind the last
};

std::size_t year_column(const CsvFile& file) {
  static const std::regex year{R"((?:1[5-9]|2[01])\d\d)"};
  for (std::size_t at = 0; at < file.header.size(); ++at) {
    const std::vector<std::string> name = words_in(file.header[at]);
    const auto years = std::ranges::count_if(
        file.rows, [&](const CsvRow& row) { return std::regex_match(row.cells[at], year); });
    const bool nearly_all = static_cast<std::size_t>(years) * 10 >= file.rows.size() * 9;
    if (std::ranges::find(name, "year") != name.end() && nearly_all) return at;
  }
  return file.header.size();
}

Rest rest_of(const CsvFile& file, const Headings& periods) {
  Rest rest;
  rest.year = periods.begin()->second.period.size() == 3 ? year_column(file) : file.header.size();
  for (std::size_t at = 0; at < file.header.size(); ++at) {
    if (periods.contains(at) || at == rest.year) continue;
    rest.all.push_back(at);
    if (!is_of_numbers(file, at)) rest.labels.push_back(at);
  }
  return rest;
}

/// The cells of a row in these columns.
CsvRow picked(const CsvRow& row, const std::vector<std::size_t>& columns) {
  CsvRow some{row.line, {}};
  for (const std::size_t at : columns) some.cells.push_back(row.cells[at]);
  return some;
}

CsvFile tall(const CsvFile& file, const Headings& periods, const Rest& rest) {
  const Heading& first = periods.begin()->second;
  const bool is_bare = first.period.size() == 3;  // a month without a year
  const std::string year_of_file = is_bare ? year_in(file.name) : "";
  const bool of_years = first.period.size() == 4;
  CsvFile table{
      file.path, file.name + (of_years ? " by year" : " by month"), file.separator, {}, {}};
  for (const std::size_t at : rest.labels) table.header.push_back(file.header[at]);
  table.header.emplace_back(of_years ? "year" : "month");
  table.header.push_back(first.rest.empty() ? quantity_of(file.name) : first.rest);
  for (const CsvRow& row : file.rows) {
    const std::string& year = rest.year < row.cells.size() ? row.cells[rest.year] : year_of_file;
    for (const auto& [at, heading] : periods) {
      CsvRow one = picked(row, rest.labels);
      one.cells.push_back(year.empty() ? heading.period : heading.period + " " + year);
      one.cells.push_back(row.cells[at]);
      table.rows.push_back(std::move(one));
    }
  }
  return table;
}

}  // namespace

std::vector<CsvFile> unfolded(CsvFile file) {
  const Headings periods = periods_of(file);
  if (periods.empty()) return {std::move(file)};
  const Rest rest = rest_of(file, periods);
  const bool has_times = std::ranges::any_of(rest.labels, [&](std::size_t at) {
    return std::ranges::all_of(file.rows, [&](const CsvRow& row) {
      return parse_moment(row.cells[at], Slashes::day_first).has_value();
    });
  });
  if (has_times) return {std::move(file)};
  std::vector<CsvFile> tables{tall(file, periods, rest)};
  if (rest.labels.size() == rest.all.size()) return tables;
  CsvFile others{
      file.path, file.name, file.separator, picked({0, file.header}, rest.all).cells, {}};
  for (const CsvRow& row : file.rows) others.rows.push_back(picked(row, rest.all));
  tables.push_back(std::move(others));
  return tables;
}

}  // namespace insights
