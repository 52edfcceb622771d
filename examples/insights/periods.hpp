/// @file
/// Spans of time that rows are grouped by, and periods that are named.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "insights/moments.hpp"

namespace insights {

/// Whether rows can be grouped by it: day, week, month, quarter, year, weekday, hour, weekend,
/// Whether it is a season, whose months are set against the other months of all years.
[[nodiscard]] bool is_season(const std::string& by);
/// night.
[[nodiscard]] bool is_span(const std::string& by);
/// What the rows of a span have in common; in the order of these the spans are in order.
[[nodiscard]] std::string span_key(const std::string& by, Moment moment);
/// `September 2024` of the key of a month.
[[nodiscard]] std::string span_name(const std::string& by, const std::string& key);

/// The first and the last moment of `2015`, `2015-Q4`, `2015-12`, a day, or
/// `2015-12-01/2015-12-15`; nullopt when it is none of them.
[[nodiscard]] std::optional<std::pair<Moment, Moment>> period_bounds(const std::string& period);
/// `2015`, `December 2015`, `January to April 2025`, or its days. @pre it is one
[[nodiscard]] std::string period_name(const std::string& period);
/// `2015`, `December 2015` of 2015-12; a day, or what is no time, stays as it is.
[[nodiscard]] std::string time_words(const std::string& time);
/// Whether two lengths of time differ so little, as 31 days and 28 do, that sums over them can be
/// set against each other.
[[nodiscard]] bool are_as_long(double days, double other);
/// ` on 2015-12-08`, ` in December 2015`, ` in 2015`
[[nodiscard]] std::string on_time(const std::string& time);

}  // namespace insights
