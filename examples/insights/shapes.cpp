#include "insights/shapes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "insights/figures.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

/// How many cells are dates in this order, and how often one follows its neighbour.
struct Fit {
  std::size_t dates = 0;
  std::size_t in_order = 0;

  auto operator<=>(const Fit&) const = default;
};

Fit fit_of(const std::vector<std::string>& cells, Slashes slashes) {
  Fit fit;
  std::optional<Moment> before;
  for (const std::string& cell : cells) {
    const auto now = parse_moment(cell, slashes);
    if (!now) continue;
    ++fit.dates;
    if (before && *before <= now->moment) ++fit.in_order;
    before = now->moment;
  }
  return fit;
}

/// The share of the values that are the most common one.
double share_of_most(const std::vector<std::size_t>& values) {
  std::map<std::size_t, std::size_t> counts;
  std::size_t most = 0;
  for (const std::size_t value : values) most = std::max(most, ++counts[value]);
  return static_cast<double>(most) / static_cast<double>(values.size());
}

/// How much of the rows that all times with all keys would have there is.
double filled(const Table& table) {
  std::set<std::vector<std::string>> keys;
  std::set<Moment> times;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<std::string> words;
    for (const std::string& key : table.keys) words.push_back(table.find(key)->words[row]);
    keys.insert(std::move(words));
    times.insert(table.moments[row]);
  }
  return static_cast<double>(table.rows()) / static_cast<double>(keys.size() * times.size());
}

/// `appointments` of appointments-2025: what the rows are called.
std::string name_of_rows(const Table& table) {
  std::string name;
  for (const std::string& word : words_in(table.name)) {
    if (word.find_first_of("0123456789") != word.npos) continue;
    name += (name.empty() ? "" : " ") + word;
  }
  return name.empty() || table.find(name) != nullptr ? "rows" : name;
}

}  // namespace

Slashes slashes_of(const std::vector<std::string>& cells) {
  const Fit day = fit_of(cells, Slashes::day_first);
  const Fit month = fit_of(cells, Slashes::month_first);
  if (day == month) return Slashes::unknown;
  return day > month ? Slashes::day_first : Slashes::month_first;
}

bool names_things(const std::vector<std::string>& header) {
  return std::ranges::any_of(header, [](const std::string& word) {
    const bool is_plural = word.size() > 3 && word.ends_with('s') && !word.ends_with("ss") &&
                           !word.ends_with("us") && !word.ends_with("is");
    return (is_plural && !words().has("no things", word)) || words().has("things", word);
  });
}

bool is_code(const std::string& cell) {
  return cell.size() <= 40 && cell.find(' ') == cell.npos &&
         cell.find_first_of("0123456789") != cell.npos;
}

bool is_serial(const std::set<double>& numbers) {
  constexpr std::size_t few = 20;
  return numbers.size() >= few &&
         *numbers.rbegin() - *numbers.begin() < 1.1 * static_cast<double>(numbers.size());
}

bool is_of_events(const Table& table) {
  constexpr std::size_t fewest = 20;
  if (table.moments.empty() || table.rows() < fewest) return false;
  if (!table.keys.empty() && filled(table) >= 0.6) return false;
  std::map<Moment, std::size_t> days;
  for (const Moment moment : table.moments) ++days[day_of(moment)];
  if (days.size() < 3) return false;
  std::vector<std::size_t> counts;
  std::vector<double> steps;
  for (auto day = days.begin(); day != days.end(); ++day) {
    counts.push_back(day->second);
    if (day != days.begin()) {
      steps.push_back(static_cast<double>(day->first - std::prev(day)->first));
    }
  }
  const double usual = median(steps);
  const auto regular = std::ranges::count_if(
      steps, [&](double step) { return step >= 0.9 * usual && step <= 1.1 * usual; });
  const bool has_steps = static_cast<double>(regular) >= 0.5 * static_cast<double>(steps.size());
  return share_of_most(counts) < 0.6 || !has_steps;
}

bool has_quantity(const Table& table) {
  return std::ranges::any_of(table.columns, [](const Column& column) {
    const std::vector<std::string> name = words_in(column.name);
    return column.kind == Column::Kind::number && column.unit.empty() &&
           std::ranges::any_of(name,
                               [](const std::string& word) { return speaks_of("quantity", word); });
  });
}

void count_events(Table& table) {
  table.keys.clear();
  for (Column& column : table.columns) {
    if (words().has("money", column.unit)) column.is_amount = true;
    const std::vector<std::string> name = words_in(column.name);
    const bool is_amount = std::ranges::any_of(
        name, [](const std::string& word) { return words().has("amounts", word); });
    if (words().has("time units", column.unit) && !is_amount) column.is_amount = false;
  }
  table.columns.insert(table.columns.begin(),
                       Column{.name = name_of_rows(table),
                              .is_amount = true,
                              .is_count = true,
                              .numbers = std::vector<std::optional<double>>(table.rows(), 1.0)});
}

std::vector<bool> far_in_time(const Table& table) {
  std::vector<bool> far(table.rows(), false);
  const std::size_t few = table.rows() / 50;
  for (std::size_t count = 1; count <= few; ++count) {
    const std::size_t last = table.rows() - count - 1;
    if (table.moments[count] - table.moments[count - 1] >
        table.moments.back() - table.moments[count] + day_length) {
      std::fill(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(count), true);
    }
    if (table.moments[last + 1] - table.moments[last] >
        table.moments[last] - table.moments.front() + day_length) {
      std::fill(far.begin() + static_cast<std::ptrdiff_t>(last) + 1, far.end(), true);
    }
  }
  return far;
}

}  // namespace insights
