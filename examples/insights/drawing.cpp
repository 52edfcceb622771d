// Which picture a tool's result makes.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "insights/phrases.hpp"
#include "insights/picture.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// The series that the call was about; of one value of a category when `where` says so.
Series series_again(const Json& arguments, const Readings& readings, std::optional<Step> step) {
  Json wanted = Json::object();
  for (const char* name : {"variable", "from", "to", "where", "step"}) {
    if (arguments.contains(name)) wanted[name] = arguments.at(name);
  }
  Arguments given{wanted};
  return series_in(given, readings, false, step);
}

/// Some dates at equal distances, of a few days with their clock times.
std::vector<LinePlot::Tick> ticks_of(const Series& series) {
  constexpr Moment most = 5;
  const Moment first = series.points[series.first].moment;
  const Moment span = series.points.back().moment - first;
  const bool has_clock =
      series.table->has_clock && series.step == Step::row && span < most * day_length;
  std::vector<LinePlot::Tick> ticks;
  for (Moment i = 0; i < most; ++i) {
    const Moment wanted = first + span * i / (most - 1);
    const Moment at = has_clock ? wanted : day_of(wanted);
    std::string text = moment_text(at, has_clock);
    if (ticks.empty() || ticks.back().text != text) {
      ticks.push_back({static_cast<double>(std::max(at, first)), std::move(text)});
    }
  }
  return ticks;
}

LinePlot line_of(const Series& series, const std::string& title) {
  LinePlot plot;
  plot.title = title;
  plot.unit = series.column->unit;
  plot.values = series.values();
  for (std::size_t i = series.first; i < series.points.size(); ++i) {
    plot.at.push_back(static_cast<double>(series.points[i].moment));
  }
  plot.ticks = ticks_of(series);
  return plot;
}

std::size_t at_date(const Series& series, const std::string& date) {
  const auto found = std::ranges::find_if(
      series.points, [&](const Point& point) { return series.when(point) == date; });
  return static_cast<std::size_t>(found - series.points.begin());
}

/// Rows of several groups are no line: those of the most unusual one are drawn.
std::string draw_unusual(Json arguments, const Json& result, const Readings& readings) {
  if (result.at("unusual").empty() || readings.table.moments.empty()) return "";
  const Json& first = result.at("unusual").at(0);
  if (first.contains("keys")) arguments["where"].update(first.at("keys"));
  const Series series = series_again(arguments, readings, std::nullopt);
  LinePlot plot = line_of(series, subject(result) + ": unusual readings");
  if (first.contains("keys")) {
    std::vector<std::string> values;
    for (const auto& [name, value] : series.rows.where) values.push_back(value);
    plot.title = fmt::format("{}: unusual readings of {}", word_at(result, "variable"),
                             fmt::join(values, ", "));
  }
  for (const Json& one : result.at("unusual")) {
    if (one.contains("keys") && one.at("keys") != first.at("keys")) continue;
    const std::size_t at = at_date(series, word_at(one, "date"));
    if (at < plot.values.size()) {
      plot.marks.push_back({at, word_at(one, "date") + ": " + figure(result, one, "value")});
    }
  }
  return svg_of(plot);
}

std::string draw_change(Json arguments, const Json& result, const Readings& readings) {
  if (result.at("changes").empty()) return "";
  const auto clearest = std::max_element(
      result.at("changes").begin(), result.at("changes").end(),
      [](const Json& a, const Json& b) { return value_at(a, "t") < value_at(b, "t"); });
  std::vector<std::string> part;
  if (clearest->contains("value")) {
    part.push_back(word_at(*clearest, "value"));
    arguments["where"][word_at(result, "by")] = part.front();
  }
  const Series series = series_again(arguments, readings, Step::day);
  LinePlot plot =
      line_of(series, fmt::format("{}: median {} before {}, {} from then on", subject(result, part),
                                  figure(result, *clearest, "before"), word_at(*clearest, "date"),
                                  figure(result, *clearest, "after")));
  plot.level_at = at_date(series, word_at(*clearest, "date"));
  plot.level_before = value_at(*clearest, "before");
  plot.level_after = value_at(*clearest, "after");
  return plot.level_at < plot.values.size() ? svg_of(plot) : "";
}

std::string draw_groups(const std::string& tool, const Json& result) {
  if (!result.contains("variable") || result.at("groups").size() < 2) return "";
  const std::vector<Finding> said = group_findings(tool, result);
  if (said.empty() || said.front().weight < 0) return "";  // not clear enough to be told
  // Of a cycle the mean; of events, of which each is one, their number.
  const std::string by = result.value("by", "");
  const bool is_cycle = by == "weekday" || (by == "hour" && result.contains("explains"));
  const bool sums = result.value("amount", false) && !is_cycle;
  BarPlot plot{.title = fmt::format("{} by {}{}", subject(result), word_at(result, "by"),
                                    sums ? "" : ", on average"),
               .unit = result.value("unit", ""),
               .bars = {}};
  for (const Json& group : result.at("groups")) {
    plot.bars.push_back({word_at(group, "name"), value_at(group, sums ? "sum" : "mean")});
  }
  return svg_of(plot);
}

std::string draw_call(const std::string& tool, const Json& arguments, const Json& result,
                      const Readings& readings) {
  if (result.contains("error")) return "";
  if (tool == "find_unusual") return draw_unusual(arguments, result, readings);
  if (tool == "find_change") return draw_change(arguments, result, readings);
  if (tool == "pattern" || tool == "shares") return draw_groups(tool, result);
  return "";
}

/// `find-unusual-takings-row`, `shares-takings-shop`
std::string picture_name(const std::string& tool, const Json& arguments) {
  std::string name = tool;
  for (const char* part : {"variable", "by", "step"}) {
    if (arguments.contains(part)) name += "-" + arguments.at(part).get<std::string>();
  }
  const Json where = arguments.value("where", Json::object());
  for (const auto& [category, value] : where.items()) {
    name += "-" + value.get<std::string>();
  }
  return slug(name);
}

}  // namespace

std::vector<Picture> draw(const std::vector<ToolCall>& calls, const Readings& readings) {
  // Where there are too many, what departs is drawn before what is always so.
  std::vector<ToolCall> ordered = calls;
  std::ranges::stable_sort(ordered, {}, [](const ToolCall& call) {
    return call.tool == "find_change" || call.tool == "find_unusual" ? 0 : 1;
  });
  std::vector<Picture> pictures;
  std::set<std::string> drawn;
  for (const ToolCall& call : ordered) {
    if (pictures.size() == most_pictures) break;
    const Json arguments = Json::parse(call.arguments);
    const Json result = Json::parse(call.result);
    try {
      std::string svg = draw_call(call.tool, arguments, result, readings);
      std::string name = svg.empty() ? "" : picture_name(call.tool, arguments);
      if (!svg.empty() && drawn.insert(name).second) {
        pictures.push_back({std::move(name), std::move(svg)});
      }
    } catch (const ToolError&) {  // nothing there to draw
    }
  }
  return pictures;
}

}  // namespace insights
