#include "insights/tools.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/arguments.hpp"
#include "insights/figures.hpp"
#include "insights/readings.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;
using Row = const Reading*;

constexpr std::size_t most_rows = 31;

Json head_of(const Series& series) {
  return {{"variable", series.variable},
          {"from", series.rows.front()->date},
          {"to", series.rows.back()->date},
          {"days", series.rows.size()}};
}

Json query_window(Arguments& arguments, const Readings& readings) {
  const std::vector<Row> rows = rows_of(arguments, readings);
  arguments.end();
  Json result{{"days", rows.size()}, {"rows", Json::array()}};
  for (const Row row : rows) {
    if (result["rows"].size() < most_rows) result["rows"].push_back(*row);
  }
  if (rows.size() > most_rows) result["not_shown"] = rows.size() - most_rows;
  return result;
}

Json statistics(Arguments& arguments, const Readings& readings) {
  const Series series = series_of(arguments, readings, variables());
  arguments.end();
  const auto at = [&](auto best) {
    return best(series.values.begin(), series.values.end()) - series.values.begin();
  };
  const auto least = at([](auto a, auto b) { return std::min_element(a, b); });
  const auto most = at([](auto a, auto b) { return std::max_element(a, b); });
  const auto index = [](auto i) { return static_cast<std::size_t>(i); };
  Json result = head_of(series);
  result["mean"] = rounded(mean(series.values));
  result["median"] = rounded(quantile(series.values, 0.5));
  result["deviation"] = rounded(deviation(series.values));
  result["p10"] = rounded(quantile(series.values, 0.1));
  result["p90"] = rounded(quantile(series.values, 0.9));
  result["sum"] = rounded(mean(series.values) * static_cast<double>(series.values.size()));
  result["min"] = series.values[index(least)];
  result["min_date"] = series.rows[index(least)]->date;
  result["max"] = series.values[index(most)];
  result["max_date"] = series.rows[index(most)]->date;
  return result;
}

Json trend(Arguments& arguments, const Readings& readings) {
  const Series series = series_of(arguments, readings, variables());
  arguments.end();
  if (series.rows.size() < 3) throw ToolError("a trend needs at least 3 days");
  std::vector<double> days;
  const int begin = day_number(series.rows.front()->date).value();
  for (const Row row : series.rows) days.push_back(day_number(row->date).value() - begin);
  const Line line = fit(days, series.values);
  Json result = head_of(series);
  result["per_day"] = rounded(line.slope);
  result["change"] = rounded(line.slope * days.back());
  result["r2"] = rounded(line.r2);
  return result;
}

Json compare_normals(Arguments& arguments, const Readings& readings) {
  if (readings.normals.empty()) {
    throw ToolError(fmt::format("there are no normals of '{}'", readings.system_id));
  }
  Series series = series_of(arguments, readings, {"temp_mean", "wind"});
  arguments.end();
  struct Departure {
    Row row;
    double value;
    double normal;
    [[nodiscard]] double difference() const { return value - normal; }
    [[nodiscard]] Json json() const {
      return {{"date", row->date},
              {"value", rounded(value)},
              {"normal", rounded(normal)},
              {"difference", rounded(difference())}};
    }
  };
  std::vector<Departure> departures;
  std::vector<double> differences;
  for (std::size_t i = 0; i < series.rows.size(); ++i) {
    const Normal* normal = normal_of(readings, series.rows[i]->date);
    if (normal == nullptr) continue;
    const double usual = series.variable == "wind" ? normal->wind : normal->temperature;
    departures.push_back({series.rows[i], series.values[i], usual});
    differences.push_back(departures.back().difference());
  }
  if (departures.empty()) throw ToolError("there are no normals of these days");
  const auto [lowest, highest] =
      std::ranges::minmax_element(departures, {}, &Departure::difference);
  Json result = head_of(series);
  result["without_normal"] = series.rows.size() - departures.size();
  result["mean_difference"] = rounded(mean(differences));
  result["days_above"] = std::ranges::count_if(differences, [](double d) { return d > 0; });
  result["highest"] = highest->json();
  result["lowest"] = lowest->json();
  return result;
}

/// By z: far from the mean in standard deviations, on either side. By percentile: above it; for
/// what is skewed, as rain is.
Json find_unusual(Arguments& arguments, const Readings& readings) {
  const Series series = series_of(arguments, readings, variables());
  const std::string method = arguments.text("method").value_or("z");
  if (method != "z" && method != "percentile") throw ToolError("'method' is z or percentile");
  const bool by_z = method == "z";
  const double threshold =
      by_z ? arguments.number("threshold", 2, 0.5, 10) : arguments.number("threshold", 95, 50, 100);
  arguments.end();
  const double middle = mean(series.values);
  const double spread = deviation(series.values);
  const double limit = by_z ? 0 : quantile(series.values, threshold / 100);
  const auto z = [&](double value) { return spread > 0 ? (value - middle) / spread : 0; };
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    const double value = series.values[i];
    if (by_z ? std::abs(z(value)) >= threshold : value > limit) found.push_back(i);
  }
  std::ranges::stable_sort(found, std::ranges::greater{},
                           [&](std::size_t i) { return std::abs(z(series.values[i])); });
  Json result = head_of(series);
  result["method"] = method;
  result["threshold"] = threshold;
  result["found"] = found.size();
  result["unusual"] = Json::array();
  if (found.size() > 5) found.resize(5);
  for (const std::size_t i : found) {
    result["unusual"].push_back({{"date", series.rows[i]->date},
                                 {"value", rounded(series.values[i])},
                                 {"z", rounded(z(series.values[i]))}});
  }
  return result;
}

using Function = Json (*)(Arguments&, const Readings&);

struct Entry {
  Tool tool;
  Function function;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{"query_window", "The readings of some days, 31 at most.",
        R"({"from":"2015-12-01","to":"2015-12-07"})"},
       &query_window},
      {{"statistics",
        "Mean, median, deviation, sum, 10th and 90th percentile, least and most of a variable.",
        R"({"variable":"temp_max","from":"2015-12-01","to":"2015-12-07"})"},
       &statistics},
      {{"trend", "The straight line through a variable by least squares: change a day, r2.",
        R"({"variable":"temp_mean","from":"2015-12-01","to":"2015-12-07"})"},
       &trend},
      {{"compare_normals", "How far temp_mean or wind is from the normals of these days.",
        R"({"variable":"wind","from":"2015-12-01","to":"2015-12-07"})"},
       &compare_normals},
      {{"find_unusual",
        "Days far from the mean (method z) or above a percentile (method percentile); the first 5.",
        R"({"variable":"precipitation","method":"percentile","threshold":95})"},
       &find_unusual}};
  return all;
}

}  // namespace

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = [] {
    std::vector<Tool> known;
    for (const Entry& entry : entries()) known.push_back(entry.tool);
    return known;
  }();
  return all;
}

std::string use_tool(const std::string& name, const std::string& arguments,
                     const Readings& readings) {
  try {
    const auto entry =
        std::ranges::find(entries(), name, [](const Entry& e) { return e.tool.name; });
    if (entry == entries().end()) throw ToolError(fmt::format("there is no tool '{}'", name));
    Arguments given{Json::parse(arguments)};
    return entry->function(given, readings).dump();
  } catch (const ToolError& error) {
    return Json{{"error", error.what()}}.dump();
  } catch (const Json::exception& error) {
    return Json{{"error", fmt::format("the arguments are no JSON: {}", error.what())}}.dump();
  }
}

}  // namespace insights
