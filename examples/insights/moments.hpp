/// @file
/// Times as tables write them, and the calendar that patterns are looked for in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace insights {

/// Seconds since 1970-01-01, in the clock that the table was written in.
using Moment = std::int64_t;
inline constexpr Moment day_length = 86'400;

/// Days since 1970-01-01 of a date such as 2015-12-31; nullopt when it is none.
[[nodiscard]] std::optional<int> day_number(std::string_view date);

/// How long a time is that is told without more: `2015` is a year, `2015-12` a month.
enum class Grain : std::uint8_t { day, week, month, quarter, year };

struct ParsedMoment {
  Moment moment = 0;
  bool has_clock = false;  ///< more than a date
  Grain grain = Grain::day;
};

/// What the first number of `01/02/2025` is; nothing in it says so.
enum class Slashes : std::uint8_t { unknown, day_first, month_first };

/// `2015-12-31`, `2015/12/31`, `2015-12`, `2015-W52`, `2015-Q4`, `Q4 2015`, `31.12.2015`,
/// `Dec 31 2015`, `31 December 2015`, `Dec-15`, with `slashes` also `12/31/2015` or `31/12/2015`,
/// and a date followed by `T` or a space and `13` or a clock time; fractions of a second and a zone
/// are left out. Years of two digits are 1969 to 2068. nullopt when it is none of them.
[[nodiscard]] std::optional<ParsedMoment> parse_moment(std::string_view text,
                                                       Slashes slashes = Slashes::unknown);
/// A time as the tools take it: also `2015`, which in a cell may be any number.
[[nodiscard]] std::optional<ParsedMoment> parse_time(std::string_view text);
/// `13:45`, `13:45:10`, `9:05` or `1:45 PM` as seconds; nullopt when it is none.
[[nodiscard]] std::optional<Moment> parse_clock(std::string_view text);

/// `2015-12-31`, or `2015-12-31 13:45`
[[nodiscard]] std::string moment_text(Moment moment, bool has_clock);

/// What a moment has in common with others.
enum class Cycle : std::uint8_t { none, hour, weekday, month };

/// The hour 0–23, the weekday 0 (Monday) – 6, the month 0–11; 0 without a cycle.
[[nodiscard]] int place_in(Cycle cycle, Moment moment);
/// `15:00`, `Monday`, `December`
[[nodiscard]] std::string place_name(Cycle cycle, int place);
/// `hour`, `weekday`, `month`
[[nodiscard]] std::string_view cycle_name(Cycle cycle);
[[nodiscard]] std::optional<Cycle> cycle_named(std::string_view name);

/// The first moment of the day, of the month.
[[nodiscard]] Moment day_of(Moment moment);
[[nodiscard]] Moment month_of(Moment moment);
/// The first moment of the day, week, month, quarter or year.
[[nodiscard]] Moment start_of(Grain grain, Moment moment);
/// The last moment of it.
[[nodiscard]] Moment end_of(Grain grain, Moment moment);
/// `month`
[[nodiscard]] std::string_view grain_name(Grain grain);
/// As parse_time() reads it: `2015-12-31`, `2015-W52`, `2015-12`, `2015-Q4`, `2015`.
[[nodiscard]] std::string grain_text(Grain grain, Moment moment);

}  // namespace insights
