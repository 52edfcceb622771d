#include "insights/sentences.hpp"

#include <chrono>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "insights/readings.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// A number as the tool gave it.
std::string figure(const Json& result, const char* name) { return result.at(name).dump(); }
std::string text(const Json& result, const char* name) {
  return result.at(name).get<std::string>();
}

std::string unit_of(const std::string& variable) {
  if (variable == "precipitation") return " mm";
  return variable == "wind" ? " m/s" : " °C";
}

std::string statistics(const Json& r) {
  const std::string variable = text(r, "variable");
  const std::string unit = unit_of(variable);
  std::string line =
      fmt::format("{}: mean {}{} (median {}, deviation {}), from {} on {} to {} on {}", variable,
                  figure(r, "mean"), unit, figure(r, "median"), figure(r, "deviation"),
                  figure(r, "min"), text(r, "min_date"), figure(r, "max"), text(r, "max_date"));
  if (variable == "precipitation") line += fmt::format("; {}{} in all", figure(r, "sum"), unit);
  return line + ".";
}

std::string trend(const Json& r) {
  const std::string variable = text(r, "variable");
  const double r2 = r.at("r2").get<double>();
  return fmt::format(
      "{}: {}{} from the first to the last day along a straight line that explains "
      "{:.0f} % of the variance{}.",
      variable, (r.at("change").get<double>() > 0 ? "+" : "") + figure(r, "change"),
      unit_of(variable), 100 * r2, r2 < 0.1 ? ": no trend to speak of" : "");
}

std::string compare_normals(const Json& r) {
  const std::string variable = text(r, "variable");
  const std::string unit = unit_of(variable);
  const double difference = r.at("mean_difference").get<double>();
  const auto day = [&](const char* name) {
    const Json& one = r.at(name);
    return fmt::format("{} against {}{} on {}", figure(one, "value"), figure(one, "normal"), unit,
                       text(one, "date"));
  };
  return fmt::format(
      "{}: {}{} {} the normals on average, above them on {} of {} days; highest {}, "
      "lowest {}.",
      variable, Json(std::abs(difference)).dump(), unit, difference < 0 ? "below" : "above",
      figure(r, "days_above"), r.at("days").get<int>() - r.at("without_normal").get<int>(),
      day("highest"), day("lowest"));
}

std::string find_unusual(const Json& r) {
  const std::string variable = text(r, "variable");
  const double threshold = r.at("threshold").get<double>();
  const std::string how = text(r, "method") == "z"
                              ? fmt::format("{:g} deviations or more from the mean", threshold)
                              : fmt::format("above the {:g}th percentile", threshold);
  std::vector<std::string> days;
  for (const Json& one : r.at("unusual")) {
    days.push_back(fmt::format("{} ({}{}, z {})", text(one, "date"), figure(one, "value"),
                               unit_of(variable), figure(one, "z")));
  }
  if (days.empty()) return fmt::format("{}: no day {}.", variable, how);
  return fmt::format("{}: {} {} {}: {}{}.", variable, figure(r, "found"),
                     r.at("found") == 1 ? "day" : "days", how, fmt::join(days, ", "),
                     r.at("found") > days.size() ? ", …" : "");
}

/// What the days were like around one that is unusual.
std::string query_window(const Json& r) {
  std::vector<std::string> days;
  for (const Json& one : r.at("rows")) {
    days.push_back(fmt::format("{} {}, {} mm, {} to {} °C, wind {} m/s", text(one, "date"),
                               text(one, "weather"), figure(one, "precipitation"),
                               figure(one, "temp_min"), figure(one, "temp_max"),
                               figure(one, "wind")));
  }
  return fmt::format("Around an unusual day: {}.", fmt::join(days, "; "));
}

std::string shifted(const std::string& date, int days) {
  const std::chrono::sys_days when{std::chrono::days{day_number(date).value() + days}};
  const std::chrono::year_month_day day{when};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

}  // namespace

std::string sentence(const std::string& tool, const Json& result) {
  if (result.contains("error")) return {};
  if (tool == "statistics") return statistics(result);
  if (tool == "trend") return trend(result);
  if (tool == "compare_normals") return compare_normals(result);
  if (tool == "find_unusual") return find_unusual(result);
  return query_window(result);
}

std::string day_before(const std::string& date) { return shifted(date, -1); }
std::string day_after(const std::string& date) { return shifted(date, 1); }

}  // namespace insights
