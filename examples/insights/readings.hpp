/// @file
/// The readings of a folder: `weather.csv` (a row per station and day) and, for stations that have
/// one, `<station>-weather-hourly-normals.csv`.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "insights/types.hpp"

namespace insights {

/// The readings cannot be used; what() names the file and the line.
class ReadingsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The days of `system_id` that lie at most `window_days` back from its last reading, which counts
/// as the first of them.
/// @throws ReadingsError  also when there is no such station: it names those that there are
[[nodiscard]] Readings load_readings(const std::filesystem::path& folder,
                                     const std::string& system_id, int window_days);

/// Days since 1970-01-01 of a date such as 2015-12-31; nullopt when it is none.
[[nodiscard]] std::optional<int> day_number(std::string_view date);

/// The names that tools take for a column, derived ones included.
[[nodiscard]] const std::vector<std::string>& variables();
/// @pre `variable` is one of variables()
[[nodiscard]] double value_of(const Reading& reading, std::string_view variable);

/// What is usual on the day of `date`, or nullptr.
[[nodiscard]] const Normal* normal_of(const Readings& readings, std::string_view date);

}  // namespace insights
