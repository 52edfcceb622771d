/// @file
/// Which of several columns of dates is the time of a table's rows, which hold times of day or how
/// long something took, and to which date a clock belongs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "insights/csv_file.hpp"

namespace insights {

/// Whether a column holds times of day, and does not say how long something took.
[[nodiscard]] bool is_clock(const CsvFile& file, std::size_t column);
[[nodiscard]] std::vector<std::size_t> clock_columns(const CsvFile& file);
/// Whether cells such as 1:45 are no times of day: the header says so, or they are more than a day
/// has or, for the most part, short.
[[nodiscard]] bool is_duration(const CsvFile& file, std::size_t column);

/// A column of dates.
struct DateColumn {
  std::size_t at = 0;
  std::size_t lacking = 0;  ///< rows without one
};

/// The date that a column of clock times belongs to: the one with a word of its name, or else the
/// nearest before it, or behind it. @pre there is one
[[nodiscard]] std::size_t date_of_clock(const CsvFile& file, const std::vector<DateColumn>& dates,
                                        std::size_t clock);

/// Of the columns of dates that the fewest rows lack the one that the question names, that has a
/// clock, that is named after the rows (`Ride date` in rides.csv) or is no more than a date, or the
/// first. nullopt: there is none.
/// @param clocks  the columns of clock times
/// @param prompt  the question
[[nodiscard]] std::optional<std::size_t> time_of_rows(const CsvFile& file,
                                                      const std::vector<DateColumn>& dates,
                                                      const std::vector<std::size_t>& clocks,
                                                      const std::string& prompt);

/// Whether many rows lack this date which have another: it is their time since it was asked for.
[[nodiscard]] bool lacks_many(const std::vector<DateColumn>& dates, std::size_t time,
                              std::size_t rows);

}  // namespace insights
