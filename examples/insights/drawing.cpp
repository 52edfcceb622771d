// Which picture a tool's result makes.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

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

/// The pictures of one call of a tool.
class Drawing {
 public:
  Drawing(const ToolCall& call, const Readings& readings)
      : tool_(call.tool),
        arguments_(Json::parse(call.arguments)),
        result_(Json::parse(call.result)),
        readings_(readings) {}

  std::vector<Picture> pictures() {
    if (result_.contains("error")) return {};
    if (tool_ == "find_unusual") unusual();
    if (tool_ == "find_change") changes();
    if (tool_ == "how_often") beyond();
    if (tool_ == "trend") course();
    if (tool_ == "compare_periods") two("first", "second", "name");
    if (tool_ == "compare_before") before();
    const char* const value = value_of_groups();
    if (*value != '\0' && result_.contains("groups")) groups(value);
    if (tool_ == "compare_mix" && result_.at("months").size() > 1) months();
    return std::move(pictures_);
  }

 private:
  /// @param of  tells pictures of one call apart
  void add(std::string svg, const std::vector<std::string>& of = {}) {
    std::string name = tool_;
    for (const Json& measure : arguments_.value("measures", Json::array())) {
      name += "-" + measure.get<std::string>();
    }
    for (const char* part : {"table", "variable", "outcome", "by", "step", "from", "to"}) {
      if (arguments_.contains(part)) name += "-" + arguments_.at(part).get<std::string>();
    }
    const Json where = arguments_.value("where", Json::object());
    for (const auto& [category, value] : where.items()) name += "-" + value.get<std::string>();
    for (const std::string& one : of) name += "-" + one;
    pictures_.push_back({slug(name), std::move(svg)});
  }

  [[nodiscard]] Series series(const std::map<std::string, std::string>& of = {},
                              std::optional<Step> step = std::nullopt) const {
    Json wanted = arguments_;
    for (const auto& [category, value] : of) wanted["where"][category] = value;
    return series_again(wanted, readings_, step);
  }

  /// A line for each thing that something unusual is of: rows of several are no line.
  void unusual() {
    if (readings_.table.moments.empty()) return;
    std::set<std::map<std::string, std::string>> drawn;
    for (const Json& one : result_.at("unusual")) {
      const auto keys = one.value("keys", std::map<std::string, std::string>{});
      if (!drawn.insert(keys).second) continue;
      std::vector<std::string> values;
      for (const auto& [name, value] : keys) values.push_back(value);
      const Series drawn_series = series(keys);
      LinePlot plot = line_of(drawn_series, subject(result_, values) + ": unusual readings");
      for (const Json& other : result_.at("unusual")) {
        if (other.value("keys", std::map<std::string, std::string>{}) == keys)
          mark(plot, drawn_series, other);
      }
      add(svg_of(plot), values);
    }
  }

  void mark(LinePlot& plot, const Series& of, const Json& point) const {
    const std::size_t at = at_date(of, word_at(point, "date"));
    if (at < plot.values.size())
      plot.marks.push_back({at, word_at(point, "date") + ": " + figure(result_, point, "value")});
  }

  /// The two levels of each change.
  void changes() {
    for (const Json& change : result_.at("changes")) {
      std::vector<std::string> part;
      std::map<std::string, std::string> of;
      if (change.contains("value")) {
        part.push_back(word_at(change, "value"));
        of[word_at(result_, "by")] = part.front();
      }
      const Series days = series(of, Step::day);
      LinePlot plot =
          line_of(days, fmt::format("{}: median {} before {}, {} from then on",
                                    subject(result_, part), figure(result_, change, "before"),
                                    word_at(change, "date"), figure(result_, change, "after")));
      plot.level_at = at_date(days, word_at(change, "date"));
      plot.level_before = value_at(change, "before");
      plot.level_after = value_at(change, "after");
      if (plot.level_at < plot.values.size()) add(svg_of(plot), part);
    }
  }

  /// The readings, with those marked that are farthest beyond a limit.
  void beyond() {
    if (readings_.table.moments.empty()) return;
    const Series readings = series({}, result_.contains("step") ? Step::day : Step::row);
    std::string limit = word_at(result_, "limit");
    std::ranges::replace(limit, '_', ' ');
    LinePlot plot = line_of(readings, fmt::format("{}: {} {}", subject(result_), limit,
                                                  figure(result_, result_, "value")));
    for (const Json& place : result_.at("places")) mark(plot, readings, place);
    add(svg_of(plot));
  }

  void course() {
    if (readings_.table.moments.empty()) return;
    add(svg_of(line_of(series(), subject(result_))));
  }

  /// Which figure of the groups of a result is drawn; "": none.
  [[nodiscard]] const char* value_of_groups() const {
    if (tool_ == "pattern" || tool_ == "shares") return sums() ? "sum" : "mean";
    if (tool_ == "compute") return "value";
    if (tool_ == "outcomes") return "share";
    if (tool_ == "still_open") return "count";
    if (tool_ == "compare_columns") return "ratio";
    return "";
  }

  /// Of a cycle the mean; of rows, and of events of which each is one, their number.
  [[nodiscard]] bool sums() const {
    const std::string by = result_.value("by", "");
    const bool is_cycle = by == "weekday" || (by == "hour" && result_.contains("explains"));
    return !is_cycle && (result_.value("amount", false) || !result_.contains("variable"));
  }

  void groups(const char* value) {
    const Json& all = result_.at("groups");
    if (all.size() < 2) return;
    const bool is_mean = std::string_view{value} == "mean" || result_.value("figure", "") == "mean";
    const bool is_share =
        std::string_view{value} == "share" || result_.value("figure", "") == "share";
    const std::string of =
        tool_ != "outcomes" ? subject(result_)
                            : fmt::format("{}{} '{}'", where_of(result_),
                                          word_at(result_, "outcome"), word_at(result_, "value"));
    const bool is_moved = result_.contains("periods");
    BarPlot plot{.title = fmt::format("{} by {}{}{}", of, word_at(result_, "by"),
                                      is_mean ? ", on average" : "",
                                      is_moved ? ", by how much it rose or fell" : ""),
                 .unit = is_share                ? "%"
                         : tool_ == "still_open" ? ""
                                                 : result_.value("unit", ""),
                 .bars = {}};
    for (const Json& group : all)
      plot.bars.push_back({word_at(group, "name"), value_at(group, value)});
    add(svg_of(plot));
  }

  void two(const char* first, const char* second, const char* name) {
    const bool amount = result_.at("amount").get<bool>();
    BarPlot plot{.title = subject(result_) + (amount ? "" : ", on average"),
                 .unit = result_.value("unit", ""),
                 .bars = {}};
    for (const char* const period : {first, second}) {
      const Json& one = result_.at(period);
      plot.bars.push_back({word_at(one, name), value_at(one, amount ? "sum" : "mean")});
    }
    add(svg_of(plot));
  }

  void before() {
    BarPlot plot{.title = subject(result_) + a_day(result_) + ", on average",
                 .unit = result_.value("unit", ""),
                 .bars = {}};
    for (const char* period : {"year_before", "before", "window"}) {
      if (!result_.contains(period)) continue;
      const Json& one = result_.at(period);
      plot.bars.push_back(
          {word_at(one, "from") + " to " + word_at(one, "to"), value_at(one, "mean")});
    }
    add(svg_of(plot));
  }

  /// The share of the value that changed most, by month.
  void months() {
    BarPlot plot{.title = fmt::format("{}, share of {} by month",
                                      value_text(word_at(result_, "by"), word_at(result_, "value")),
                                      subject(result_)),
                 .unit = "%",
                 .bars = {}};
    for (const Json& month : result_.at("months"))
      plot.bars.push_back({word_at(month, "name"), value_at(month, "share")});
    add(svg_of(plot));
  }

  const std::string tool_;
  const Json arguments_;
  const Json result_;
  const Readings& readings_;
  std::vector<Picture> pictures_;
};

/// Those of the table that the call names.
std::vector<Picture> pictures_of(const ToolCall& call, const Readings& readings) {
  try {
    const std::string table = Json::parse(call.arguments).value("table", "");
    if (table.empty() || table == readings.table.name) return Drawing{call, readings}.pictures();
    return Drawing{call, with_table(table, readings)}.pictures();
  } catch (const ToolError&) {  // nothing there to draw
    return {};
  }
}

/// Where a line of an answer tells a finding, in full or in short.
bool tells(const std::string& line, const Finding& finding) {
  const std::string text =
      finding.text.substr(0, finding.text.size() - 1);  // without its full stop
  return line.find(text) != line.npos ||
         (!finding.brief.empty() && line.find(finding.brief) != line.npos);
}

bool is_told(const std::string& line, const ToolCall& call) {
  const std::vector<Finding> all = findings_of(call.tool, Json::parse(call.result));
  return std::ranges::any_of(all, [&](const Finding& one) { return tells(line, one); });
}

}  // namespace

std::vector<Picture> draw(const std::vector<ToolCall>& calls, const Readings& readings) {
  std::vector<Picture> all;
  std::set<std::string> drawn;
  for (const ToolCall& call : calls) {
    for (Picture& one : pictures_of(call, readings)) {
      if (drawn.insert(one.name).second) all.push_back(std::move(one));
    }
  }
  return all;
}

std::vector<ToolCall> told_in(const std::string& answer, const std::vector<ToolCall>& calls) {
  std::vector<ToolCall> told;
  std::ranges::copy_if(calls, std::back_inserter(told),
                       [&](const ToolCall& call) { return is_told(answer, call); });
  return told.empty() ? calls : told;
}

std::string without_picture(const std::string& answer, const std::vector<ToolCall>& not_drawn) {
  std::map<std::string, std::vector<std::string>> numbers;  // of lines, by section
  std::vector<std::string> sections;
  std::string section;
  std::istringstream text{answer};
  std::size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("- ")) {
      if (!line.empty()) section = line;
      number = 0;
      continue;
    }
    ++number;
    if (std::ranges::any_of(not_drawn, [&](const auto& call) { return is_told(line, call); })) {
      if (numbers[section].empty()) sections.push_back(section);
      numbers[section].push_back(std::to_string(number));
    }
  }
  std::vector<std::string> parts;
  for (const std::string& one : sections)
    parts.push_back(fmt::format("{} {}", one, fmt::join(numbers[one], ", ")));
  return parts.empty() ? "" : fmt::format("\nWithout a picture: {}.", fmt::join(parts, "; "));
}

}  // namespace insights
