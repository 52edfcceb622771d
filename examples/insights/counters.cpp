#include "insights/counters.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "insights/figures.hpp"
#include "insights/shapes.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

constexpr std::size_t enough_steps = 20;  // steps, to know that it rises

using KeyRows = std::vector<std::size_t>;  // rows that have a reading, in order

std::vector<KeyRows> groups_by(const Table& table, const Column& column, const Column* key) {
  std::map<std::string, KeyRows> groups;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (column.numbers[row]) groups[key != nullptr ? key->words[row] : ""].push_back(row);
  }
  std::vector<KeyRows> all;
  for (auto& [name, group] : groups) all.push_back(std::move(group));
  return all;
}

struct Steps {
  std::vector<double> rises;
  std::size_t falls = 0;
  std::size_t all = 0;
};

Steps steps_of(const Column& column, const std::vector<KeyRows>& groups) {
  Steps steps;
  for (const KeyRows& group : groups) {
    for (std::size_t i = 1; i < group.size(); ++i, ++steps.all) {
      const double step = *column.numbers[group[i]] - *column.numbers[group[i - 1]];
      if (step > 0) steps.rises.push_back(step);
      if (step < 0) ++steps.falls;
    }
  }
  return steps;
}

/// How many of its steps the level must have; nullopt: header and unit are none of a counter.
/// Prices, heights and members also rise.
std::optional<double> least_level(const Column& column) {
  if (words().has("money", column.unit)) return std::nullopt;
  const bool is_called_so = std::ranges::any_of(
      words_in(column.name), [](const std::string& word) { return words().has("counters", word); });
  if (is_called_so) return 5;
  return words().has("counter units", column.unit) ? std::optional{100.0} : std::nullopt;
}

/// The readings of each key, if the column rises within them; empty: it is no counter.
std::vector<KeyRows> counter_groups(const Table& table, const Column& column) {
  constexpr std::size_t few = 30;    // one fall in so many steps
  constexpr std::size_t fewest = 4;  // readings of a key
  const auto steps_in_level = least_level(column);
  if (column.kind != Column::Kind::number || column.is_count || !column.between.empty() ||
      !steps_in_level)
    return {};
  std::vector<const Column*> keys{nullptr};
  for (const Column& one : table.columns) {
    if (one.kind == Column::Kind::category) keys.push_back(&one);
  }
  for (const Column* key : keys) {
    std::vector<KeyRows> groups = groups_by(table, column, key);
    const Steps steps = steps_of(column, groups);
    if (steps.all < enough_steps || steps.all < fewest * groups.size()) continue;
    if (steps.falls > 1 + steps.all / few || steps.rises.size() * 2 < steps.all) continue;
    std::vector<double> levels;
    for (const auto& number : column.numbers) {
      if (number) levels.push_back(*number);
    }
    const bool is_numbering = is_serial({levels.begin(), levels.end()}) && column.unit.empty();
    if (!is_numbering && median(levels) >= *steps_in_level * median(steps.rises)) return groups;
  }
  return {};
}

/// Dates without a clock that are mostly the last of a month say how it stood at its end.
Moment end_of_day(const Table& table) {
  const auto lasts = std::ranges::count_if(table.moments, [](Moment moment) {
    return month_of(moment + day_length) == moment + day_length;
  });
  const bool are_ends = !table.has_clock && static_cast<std::size_t>(lasts) * 2 > table.rows();
  return are_ends ? day_length : 0;
}

/// The uses of one counter.
class CounterReader {
 public:
  CounterReader(const Column& column, Table& table)
      : table_(table), before_(column), uses_(column), shift_(end_of_day(table)) {
    uses_.name = "use of " + column.name;
    uses_.is_amount = true;
    uses_.numbers.assign(table.rows(), std::nullopt);
    for (const Moment moment : table.moments) uses_.spans.emplace_back(moment, moment);
  }

  void read(KeyRows group) {
    leave_out_misread(group);
    std::vector<double> rates;
    for (std::size_t i = 1; i < group.size(); ++i) {
      const double step = value(group[i]) - value(group[i - 1]);
      const double days = days_between(group[i - 1], group[i]);
      if (step >= 0 && days > 0) rates.push_back(step / days);
    }
    const double usual = rates.empty() ? 0 : median(rates);
    for (std::size_t i = 1; i < group.size(); ++i) add(group[i - 1], group[i], usual);
  }

  [[nodiscard]] Column take() { return std::move(uses_); }

 private:
  [[nodiscard]] double value(std::size_t row) const { return *before_.numbers[row]; }
  [[nodiscard]] double days_between(std::size_t from, std::size_t to) const {
    return static_cast<double>(table_.moments[to] - table_.moments[from]) / day_length;
  }

  void add(std::size_t from, std::size_t to, double usual) {
    constexpr double several = 3;
    double step = value(to) - value(from);
    uses_.spans[to] = {table_.moments[from] + shift_, table_.moments[to] + shift_};
    if (step < 0) {
      step = value(to);
      const bool is_from_zero = step >= 0 && step <= several * usual * days_between(from, to);
      table_.problems.push_back(fmt::format(
          "{}: {} falls from {} ({}) to {} ({}): it was changed or set back{}", table_.place(to),
          before_.name, reading(from), table_.when(from), reading(to), table_.when(to),
          is_from_zero ? ", and counts from zero" : "; what was used in between is not known"));
      if (!is_from_zero) return;
    }
    uses_.numbers[to] = rounded(step);
  }

  [[nodiscard]] std::string reading(std::size_t row) const {
    return fmt::format("{}{}{}", value(row), before_.unit.empty() ? "" : " ", before_.unit);
  }

  /// Takes out what breaks the order of those beside it, which are in order without it.
  void leave_out_misread(KeyRows& group) {
    for (std::size_t i = 1; i < group.size(); ++i) {
      if (value(group[i]) >= value(group[i - 1])) continue;
      const bool is_former = i < 2 || value(group[i]) >= value(group[i - 2]);
      const bool is_latter = i + 1 < group.size() && value(group[i + 1]) >= value(group[i - 1]);
      if (!is_latter && (i < 2 || !is_former)) continue;
      // Without which of the two the readings rise more evenly.
      const auto jump = [&](std::size_t left, std::size_t right) {
        return right < group.size() ? value(group[right]) - value(group[left]) : 0.0;
      };
      const bool takes_former =
          is_former && i >= 2 && (!is_latter || jump(i - 2, i) <= jump(i - 1, i + 1));
      const std::size_t wrong = takes_former ? i - 1 : i;
      table_.problems.push_back(
          fmt::format("{}: {} {} ({}) does not fit the readings before and after it, and is left "
                      "out",
                      table_.place(group[wrong]), before_.name, reading(group[wrong]),
                      table_.when(group[wrong])));
      group.erase(group.begin() + static_cast<std::ptrdiff_t>(wrong));
      i = wrong > 0 ? wrong - 1 : 0;
    }
  }

  Table& table_;
  Column before_;
  Column uses_;
  Moment shift_;
};

}  // namespace

void take_uses(Table& table) {
  if (table.moments.empty()) return;
  for (std::size_t at = 0; at < table.columns.size(); ++at) {
    const std::vector<KeyRows> groups = counter_groups(table, table.columns[at]);
    if (groups.empty()) continue;
    CounterReader reader{table.columns[at], table};
    for (const KeyRows& group : groups) reader.read(group);
    table.columns[at] = reader.take();
  }
}

std::vector<Use> uses_in(const Table& table, const Column& column, const Rows& rows) {
  std::vector<Use> uses;
  const auto is_wanted = [&](std::size_t row) {
    // What was used belongs to the days before the reading: its own weekday is none of them.
    return column.numbers[row] && std::ranges::all_of(rows.where, [&](const auto& wanted) {
             const Column* of = table.find(wanted.first);
             return of == nullptr || has_wanted(*of, row, wanted.second);
           });
  };
  const auto add = [&](std::size_t row, Moment moment, double part) {
    const Moment day = day_of(moment);
    if (day + day_length > rows.from && day <= rows.to && is_open_on(rows.where, day))
      uses.push_back({row, moment, part});
  };
  for (std::size_t row = rows.rows.front(); row < table.rows(); ++row) {
    if (!is_wanted(row)) continue;
    const auto [from, to] = column.spans[row];
    if (to - from <= day_length * 3 / 2) {
      add(row, from + (to - from) / 2, 1);
      continue;
    }
    for (Moment day = day_of(from); day < to; day += day_length) {
      const Moment part = std::min(to, day + day_length) - std::max(from, day);
      add(row, day, static_cast<double>(part) / static_cast<double>(to - from));
    }
  }
  return uses;
}

bool is_read_by_day(const Column& column) {
  std::vector<double> steps;
  for (std::size_t row = 0; row < column.spans.size(); ++row) {
    if (column.numbers[row])
      steps.push_back(static_cast<double>(column.spans[row].second - column.spans[row].first));
  }
  return !steps.empty() && median(steps) >= day_length / 2.0;
}

}  // namespace insights
