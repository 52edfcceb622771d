/// @file
/// A column over time: a value for each row or for each day, and the cycle that it follows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/arguments.hpp"
#include "insights/table.hpp"

namespace insights {

enum class Step : std::uint8_t { row, day };

struct Point {
  Moment moment = 0;
  double value = 0;
  std::size_t row = 0;      ///< the first of its rows
  std::size_t missing = 0;  ///< of its rows, those without a value
  int group = 0;            ///< rows of the same keys
};

struct Series {
  const Table* table = nullptr;
  const Column* column = nullptr;
  Rows rows;
  Step step = Step::row;
  std::vector<Point> points;        ///< those with a value, in order of their times
  std::size_t first = 0;            ///< the first point that is no history
  std::size_t missing = 0;          ///< rows of the window without a value
  std::vector<double> set_aside{};  ///< of the window, those that cannot be right

  /// Of the window.
  [[nodiscard]] std::vector<double> values() const;
  [[nodiscard]] std::string when(const Point& point) const;
  /// The rows of these points: `sales.csv:5–12`.
  [[nodiscard]] std::string places(const std::vector<Point>& some) const;
  /// Of a point that is a row, what it is of: its name, and the keys that are left open; of an
  /// event its categories; three at most.
  [[nodiscard]] std::vector<std::string> of(const Point& point) const;
};

/// A series of the rows. By day, amounts are summed and levels averaged; a day with less than three
/// quarters of the readings that its weekday usually has is left out where times are more than
/// dates, unless the rows are events, or `whole`: for sums of longer times.
/// @throws ToolError  no row of the window has a value
[[nodiscard]] Series series_of(const Table& table, const Column& column, Rows rows, Step step,
                               bool whole = false);

/// What the arguments `variable`, `from`, `to`, `where` and `step` name. Without `step`, a row is a
/// value of its own when no two of the rows have the same time and keys that `where` leaves open.
[[nodiscard]] Series series_in(Arguments& arguments, const Readings& readings, bool history,
                               std::optional<Step> usual = std::nullopt);

/// Of the time from one date to another: without the rows that began so late that most of their
/// like may not have ended yet; those that have are the short ones.
[[nodiscard]] Rows with_ends(const Table& table, const Column& column, Rows rows);

/// What points by day are called: `day`, or `week`, `month`, `year` or `date` by their distance.
[[nodiscard]] std::string step_name(const std::vector<Point>& points);

/// variable, unit, where, from, to, readings, lines, missing: how every result about a series
/// begins.
[[nodiscard]] nlohmann::json head_of(const Series& series);

/// The cycle that explains most of the points, if it explains 10 % more than chance would: hours
/// for rows with a clock, weekdays from three weeks on, months from two years on.
[[nodiscard]] Cycle cycle_of(const Series& series);

/// What is usual for each point: the median of its group at its place in the cycle.
[[nodiscard]] std::vector<double> usual_of(const Series& series, Cycle cycle);

}  // namespace insights
