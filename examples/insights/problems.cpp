#include "insights/problems.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/moments.hpp"

namespace insights {

std::string Problems::place(const CsvRow& row) const {
  return fmt::format("{}:{}", file_.path.filename().string(), row.line);
}

void Problems::add(const Durations& found, const std::vector<Dates>& dates,
                   const std::vector<const CsvRow*>& rows, const std::vector<std::string>& names) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> of_dates;
  for (const Reversed& one : found.reversed) of_dates[{one.second, one.first}].push_back(one.row);
  const auto date = [&](const std::string& name, std::size_t row) {
    const ParsedMoment at = *std::ranges::find(dates, name, &Dates::name)->moments[row];
    return moment_text(at.moment, at.has_clock);
  };
  const std::string left_out = found.columns.size() > 1 ? "all times of such a row are left out"
                                                        : "the time between them is left out";
  for (const auto& [two, of] : of_dates) {
    const auto& [second, first] = two;
    std::vector<std::string> places;
    for (const std::size_t row : of) {
      const std::string name = row < names.size() ? fmt::format(" ({})", names[row]) : "";
      const std::string where = place(*rows[row]) + name;
      places.push_back(
          places.empty() ? fmt::format("{}: {} ({}) is before {} ({})", where, second,
                                       date(second, row), first, date(first, row))
                         : fmt::format("{} ({}, {})", where, date(second, row), date(first, row)));
    }
    reversed_.push_back(fmt::format("{}; {}", fmt::join(places, "; "), left_out));
  }
}

std::vector<std::string> Problems::told() const {
  constexpr std::size_t most = 20;
  constexpr std::size_t few = 3;
  std::vector<std::string> all;
  for (const auto& [wrong, rows] : cells_) {
    const auto& [column, what] = wrong;
    std::vector<std::string> places;
    for (const CsvRow* row : rows) {
      if (places.size() == few) break;
      places.push_back(fmt::format("{}: '{}'", place(*row), row->cells[column]));
    }
    const bool is_more = rows.size() > few;
    all.push_back(fmt::format("{}{} in {} {}{}", fmt::join(places, ", "), is_more ? ", …" : "",
                              file_.header[column], what,
                              is_more ? fmt::format(" ({} cells)", rows.size()) : ""));
  }
  all.insert(all.end(), reversed_.begin(), reversed_.end());
  if (all.size() <= most) return all;
  all.resize(most);
  all.emplace_back("…");
  return all;
}

}  // namespace insights
