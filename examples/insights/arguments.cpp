#include "insights/arguments.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/readings.hpp"

namespace insights {

using Json = nlohmann::json;

Arguments::Arguments(Json json) : json_(std::move(json)) {
  if (!json_.is_object()) throw ToolError("the arguments are not a JSON object");
}

std::optional<std::string> Arguments::text(const char* name) {
  const Json value = take(name);
  if (value.is_null()) return std::nullopt;
  if (!value.is_string()) throw ToolError(fmt::format("'{}' is not a text", name));
  return value.get<std::string>();
}

double Arguments::number(const char* name, double otherwise, double least, double most) {
  const Json value = take(name);
  if (value.is_null()) return otherwise;
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= least && number <= most)) {
    throw ToolError(fmt::format("'{}' is not a number from {} to {}", name, least, most));
  }
  return number;
}

void Arguments::end() const {
  if (!json_.empty())
    throw ToolError(fmt::format("there is no argument '{}'", json_.begin().key()));
}

Json Arguments::take(const char* name) {
  Json value;
  if (const auto found = json_.find(name); found != json_.end()) {
    value = *found;
    json_.erase(found);
  }
  return value;
}

std::vector<const Reading*> rows_of(Arguments& arguments, const Readings& readings) {
  const std::string first = arguments.text("from").value_or(readings.days.front().date);
  const std::string last = arguments.text("to").value_or(readings.days.back().date);
  for (const std::string& date : {first, last}) {
    if (!day_number(date)) throw ToolError(fmt::format("'{}' is no date such as 2015-12-31", date));
  }
  std::vector<const Reading*> rows;
  for (const Reading& day : readings.days) {
    if (day.date >= first && day.date <= last) rows.push_back(&day);
  }
  if (rows.empty()) {
    throw ToolError(fmt::format("there are no readings from {} to {}; the window is {} to {}",
                                first, last, readings.days.front().date,
                                readings.days.back().date));
  }
  return rows;
}

Series series_of(Arguments& arguments, const Readings& readings,
                 const std::vector<std::string>& known) {
  const auto name = arguments.text("variable");
  if (!name || std::ranges::find(known, *name) == known.end()) {
    throw ToolError(fmt::format("'variable' is one of {}", fmt::join(known, ", ")));
  }
  Series series{*name, rows_of(arguments, readings), {}};
  for (const Reading* row : series.rows) series.values.push_back(value_of(*row, series.variable));
  return series;
}

}  // namespace insights
