/// @file
/// What a job looks at: a table of one system, as columns, and what is usual for it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/moments.hpp"

namespace insights {

/// Between two cells of a row.
inline constexpr char cell_end = '\x1f';

struct Column {
  enum class Kind : std::uint8_t { number, category };

  std::string name;    ///< as in the header, without a unit in brackets
  std::string unit{};  ///< "" when the header names none
  Kind kind = Kind::number;
  bool is_amount = false;         ///< figures that can be summed: takings, not temperatures
  bool is_count = false;          ///< a 1 in each row: it counts them
  bool leads_to_parent = false;   ///< it names a row of another table: see children.hpp
  bool is_of_parent = false;      ///< its key leads to it in another table: see children.hpp
  std::vector<std::string> of{};  ///< the two columns, highest and lowest, that this is the mean of
  std::vector<std::string>
      between{};            ///< the two dates, first and last, that this is the time from and to
  std::vector<int> open{};  ///< with `between`: 1 for each row whose last date is empty
  std::vector<std::optional<double>> numbers{};  ///< of a number; nullopt: missing
  std::vector<std::optional<double>>
      set_aside{};                   ///< numbers that cannot be right; empty when there is none
  std::vector<std::string> words{};  ///< of a category; "": missing
  /// What the file says where `words` has a more common spelling, else ""; empty when there is
  /// none.
  std::vector<std::string> spelt{};
  /// Of what a counter shows, from when to when each row's number was used; else empty.
  std::vector<std::pair<Moment, Moment>> spans{};

  bool operator==(const Column&) const = default;
};

/// Rows in order of their times. Those before `first` are history: what they say is not what was
/// asked for, but what is usual.
struct Table {
  std::string name;                ///< of its file, without the ending
  std::vector<std::string> files;  ///< one, or several with the same columns
  std::string time;                ///< the column's name; "": the table has no times
  bool has_clock = false;          ///< the times are more than dates
  Grain grain = Grain::day;        ///< month, quarter or year: each time is the first day of one
  std::vector<Moment> moments;     ///< one for each row; empty without times
  std::vector<int> file_of;        ///< of each row
  std::vector<int> line_of;        ///< of each row, in its file
  std::vector<std::string> names;  ///< of each row, its identifier; empty when there is none
  /// Of each row, what is noted in its own words; empty when no column has remarks.
  std::vector<std::string> remarks{};
  /// Of each row all its cells, as they stand in the file; see cells_in().
  std::vector<std::string> cells{};
  std::vector<std::string> header{};  ///< of the cells; empty: files with other columns were joined
  std::vector<std::string> identifiers{};  ///< of the header, what is looked up and not measured
  std::vector<Column> columns;
  bool has_events = false;            ///< a row is an event, not a reading at a time that was set
  std::vector<std::string> keys;      ///< categories that together with the time name one row
  std::vector<std::string> unused{};  ///< columns with another text or number in nearly every row
  /// Of each row the places of those that said the same and were left out; empty when there are
  /// none.
  std::vector<std::vector<std::string>> again{};
  std::vector<std::string> problems;  ///< cells and rows that could not be read, with their lines
  std::int64_t first = 0;

  [[nodiscard]] std::size_t rows() const { return line_of.size(); }
  [[nodiscard]] const Column* find(const std::string& column) const;
  /// Whether a column is called so and holds numbers.
  [[nodiscard]] bool has_numbers(const std::string& column) const;
  /// The last date of the rows without one, if the column is empty in all of them: it says how
  /// something ended. "": it is another column.
  [[nodiscard]] std::string ending_of(const Column& column) const;
  /// `weather.csv:1432`
  [[nodiscard]] std::string place(std::size_t row) const;
  /// Where these rows are: `sales.csv:5`; `sales.csv:5–12`, the lines from 5 to 12; and where there
  /// are others between the first and the last `sales.csv:5…12`, or `may.csv:5…june.csv:12`.
  [[nodiscard]] std::string places(const std::vector<std::size_t>& rows) const;
  /// As the rows have it: `2024-05-01 13:45`, `2024-05-01`, `2024-05`, `2024-Q2` or `2024`.
  [[nodiscard]] std::string time_text(Moment moment) const;
  /// The same without a clock.
  [[nodiscard]] std::string day_text(Moment moment) const;
  /// The row's time; "" without times.
  [[nodiscard]] std::string when(std::size_t row) const;
  /// The row's cells, as many as the header.
  [[nodiscard]] std::vector<std::string> cells_in(std::size_t row) const;

  bool operator==(const Table&) const = default;
};

/// What is usual for a column on the days of the year, from a table of normals.
struct Usual {
  std::string column;                    ///< of the table that is compared
  std::string source;                    ///< file and column
  std::map<std::string, double> by_day;  ///< 12-31: the mean of its readings

  bool operator==(const Usual&) const = default;
};

/// What a job may look at, as it was when the job began.
struct Readings {
  std::string system_id;
  Table table;
  std::vector<Usual> usual;           ///< may be empty
  std::vector<Table> beside;          ///< other tables of the same time
  std::vector<std::string> left_out;  ///< files that were not looked at, and why

  bool operator==(const Readings&) const = default;
};

void to_json(nlohmann::json& json, const Column& value);
void from_json(const nlohmann::json& json, Column& value);
void to_json(nlohmann::json& json, const Table& value);
void from_json(const nlohmann::json& json, Table& value);
void to_json(nlohmann::json& json, const Usual& value);
void from_json(const nlohmann::json& json, Usual& value);
void to_json(nlohmann::json& json, const Readings& value);
void from_json(const nlohmann::json& json, Readings& value);

}  // namespace insights
