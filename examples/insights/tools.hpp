/// @file
/// What a model may do with the readings: pure functions with JSON arguments and results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/arguments.hpp"
#include "insights/table.hpp"

namespace insights {

struct Tool {
  std::string_view name;
  std::string_view description;
  std::string_view arguments;  ///< an example in JSON
};

[[nodiscard]] const std::vector<Tool>& tools();

/// The table as the tools see it: its columns with kind, unit, range and values, how many readings
/// there are from when to when, and how many come before them as history.
[[nodiscard]] nlohmann::json catalogue(const Readings& readings);

/// Calls the tool `name`; arguments and result are JSON text. They come from a model and may be
/// anything: what cannot be done is told in the result, as {"error": "…"}. The argument `table` of
/// every tool names a table that stands beside the readings, which is looked at instead.
[[nodiscard]] std::string use_tool(const std::string& name, const std::string& arguments,
                                   const Readings& readings);

/// The readings as if a table that stands beside them had been asked for.
/// @throws ToolError  there is none of that name
[[nodiscard]] Readings with_table(const std::string& name, const Readings& readings);

namespace tool {

using Json = nlohmann::json;

Json query_window(Arguments& arguments, const Readings& readings);
Json statistics(Arguments& arguments, const Readings& readings);
Json trend(Arguments& arguments, const Readings& readings);
Json compare_normals(Arguments& arguments, const Readings& readings);
Json compare_before(Arguments& arguments, const Readings& readings);
Json find_unusual(Arguments& arguments, const Readings& readings);
Json find_change(Arguments& arguments, const Readings& readings);
Json find_settings(Arguments& arguments, const Readings& readings);
Json find_faults(Arguments& arguments, const Readings& readings);
Json how_often(Arguments& arguments, const Readings& readings);
Json compare_periods(Arguments& arguments, const Readings& readings);
Json compare_parts(Arguments& arguments, const Readings& readings);
Json pattern(Arguments& arguments, const Readings& readings);
Json shares(Arguments& arguments, const Readings& readings);
Json compare_mix(Arguments& arguments, const Readings& readings);
Json compare_columns(Arguments& arguments, const Readings& readings);
Json outcomes(Arguments& arguments, const Readings& readings);
Json still_open(Arguments& arguments, const Readings& readings);
Json related(Arguments& arguments, const Readings& readings);
Json remarks(Arguments& arguments, const Readings& readings);
Json compute(Arguments& arguments, const Readings& readings);
Json look_up(Arguments& arguments, const Readings& readings);

}  // namespace tool
}  // namespace insights
