#include "insights/durations.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "insights/figures.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

struct Unit {
  const char* name;
  double seconds;
};

/// Whether nearly all dates have a clock time.
bool is_timed(const Dates& dates) {
  std::size_t known = 0;
  std::size_t timed = 0;
  for (const auto& moment : dates.moments) {
    if (!moment) continue;
    ++known;
    if (moment->has_clock) ++timed;
  }
  return timed * 10 > known * 9;
}

/// The seconds from one date to the other; of whole days without clock times.
std::vector<std::optional<double>> distances(const Dates& from, const Dates& to, bool timed) {
  std::vector<std::optional<double>> all;
  for (std::size_t row = 0; row < from.moments.size(); ++row) {
    const auto& a = from.moments[row];
    const auto& b = to.moments[row];
    if (!a || !b) {
      all.emplace_back();
    } else {
      const Moment whole = timed ? b->moment - a->moment : day_of(b->moment) - day_of(a->moment);
      all.emplace_back(static_cast<double>(whole));
    }
  }
  return all;
}

Unit unit_of(const std::vector<std::optional<double>>& seconds, bool timed) {
  constexpr Unit days{"days", day_length};
  if (!timed) return days;
  std::vector<double> sizes;
  for (const auto& one : seconds) {
    if (one) sizes.push_back(std::abs(*one));
  }
  const double usual = median(sizes);
  if (usual < 2 * 3600) return {"min", 60};
  return usual < 2 * day_length ? Unit{"h", 3600} : days;
}

struct Order {
  std::size_t after = 0;   ///< rows whose second date is later
  std::size_t before = 0;  ///< rows whose second date is earlier
};

Order order_of(const std::vector<std::optional<double>>& seconds) {
  Order order;
  for (const auto& one : seconds) {
    if (one && *one > 0) ++order.after;
    if (one && *one < 0) ++order.before;
  }
  return order;
}

/// How many rows with dates the wrong way round are mistakes.
std::size_t few_of(std::size_t rows) { return std::max<std::size_t>(1, rows / 50); }

void add(Durations& all, const Dates& from, const Dates& to, bool one_way) {
  const bool timed = is_timed(from) && is_timed(to);
  auto values = distances(from, to, timed);
  for (std::size_t row = 0; one_way && row < values.size(); ++row) {
    if (!values[row] || *values[row] >= 0) continue;
    values[row].reset();
    all.reversed.push_back({row, from.name, to.name});
  }
  const Unit unit = unit_of(values, timed);
  for (auto& value : values) {
    if (value) *value = rounded(*value / unit.seconds);
  }
  Column column{.name = fmt::format("time from {} to {}", from.name, to.name),
                .unit = unit.name,
                .between = {from.name, to.name},
                .numbers = std::move(values)};
  for (const bool is_empty : to.empty) column.open.push_back(is_empty ? 1 : 0);
  all.columns.push_back(std::move(column));
}

std::size_t empties(const Dates& dates) {
  return static_cast<std::size_t>(std::ranges::count(dates.empty, true));
}

/// Whether it is a date by which something was to be done.
bool is_due(const Dates& dates) {
  return std::ranges::any_of(words_in(dates.name),
                             [](const auto& word) { return words().has("due", word); });
}

}  // namespace

bool has_day(const std::string& cell) { return words_in(cell).size() >= 3; }

void put_behind_midnight(std::vector<Dates>& clocks) {
  for (std::size_t i = 1; i < clocks.size(); ++i) {
    const auto seconds = distances(clocks[i - 1], clocks[i], true);
    const auto [after, before] = order_of(seconds);
    std::vector<double> behind;
    for (const auto& one : seconds) {
      if (one && *one < 0) behind.push_back(*one + day_length);
    }
    if (before <= few_of(after + before) || median(behind) > day_length / 2.0) continue;
    for (std::size_t row = 0; row < seconds.size(); ++row) {
      if (seconds[row] && *seconds[row] < 0) clocks[i].moments[row]->moment += day_length;
    }
  }
}

Durations durations_between(const std::vector<Dates>& dates) {
  Durations all;
  for (std::size_t a = 0; a < dates.size(); ++a) {
    for (std::size_t b = a + 1; b < dates.size(); ++b) {
      const bool is_first = a == 0 || is_due(dates[a]) || is_due(dates[b]);
      if (!is_first && dates.size() > 3) continue;
      const bool timed = is_timed(dates[a]) && is_timed(dates[b]);
      const auto [after, before] = order_of(distances(dates[a], dates[b], timed));
      if (after + before == 0) continue;  // the same in all rows
      const std::size_t few = few_of(after + before);
      if (before <= few && after > before) {
        add(all, dates[a], dates[b], true);
      } else if (after <= few && before > after) {
        add(all, dates[b], dates[a], true);
      } else if (empties(dates[b]) < empties(dates[a])) {
        add(all, dates[b], dates[a], false);
      } else {
        add(all, dates[a], dates[b], false);
      }
    }
  }
  // Which of a row's dates is wrong is not known, so none of its times counts.
  for (const Reversed& one : all.reversed) {
    for (Column& column : all.columns) column.numbers[one.row].reset();
  }
  return all;
}

}  // namespace insights
