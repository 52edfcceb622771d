// The tool that finds single readings that depart from what is usual.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_unusual = 5;

/// How far each point is from what is usual for it.
struct Scores {
  Cycle cycle = Cycle::none;
  std::vector<double> usual;
  std::vector<double> z;
};

/// Against mean and deviation of all points.
Scores plain_scores(const Series& series) {
  const std::vector<double> values = series.values();
  const double middle = mean(values);
  const double spread = deviation(values);
  Scores scores;
  for (const Point& point : series.points) {
    scores.usual.push_back(middle);
    scores.z.push_back(spread > 0 ? (point.value - middle) / spread : 0);
  }
  return scores;
}

/// Against the median of the same group at the same place of the cycle, in the robust spread of the
/// group's distances from it.
Scores robust_scores(const Series& series) {
  Scores scores;
  scores.cycle = cycle_of(series);
  scores.usual = usual_of(series, scores.cycle);
  std::map<int, std::vector<double>> distances;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    distances[series.points[i].group].push_back(series.points[i].value - scores.usual[i]);
  }
  std::map<int, double> spreads;
  for (const auto& [group, all] : distances) spreads[group] = robust_spread(all);
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const double spread = spreads[series.points[i].group];
    const double distance = series.points[i].value - scores.usual[i];
    scores.z.push_back(
        spread > 0 && distances[series.points[i].group].size() >= 7 ? distance / spread : 0);
  }
  return scores;
}

/// The values that occur often in a series of a few whole numbers: three passengers are nothing
/// unusual where one in fifty rides has three.
std::set<double> ordinary_values(const Series& series) {
  constexpr std::size_t most_different = 12;
  constexpr std::size_t fewest = 3;
  constexpr double few_more = 2;  // a standstill among a few more is unusual however long it lasts
  std::map<double, std::size_t> counts;
  for (const Point& point : series.points) ++counts[point.value];
  const double middle = median(series.values());
  const bool are_whole = std::ranges::all_of(
      counts, [](const auto& one) { return one.first == std::round(one.first); });
  std::set<double> often;
  for (const auto& [value, count] : counts) {
    if (are_whole && counts.size() <= most_different && std::abs(value - middle) <= few_more &&
        count >= fewest && 100 * count > series.points.size())
      often.insert(value);
  }
  return often;
}

/// A run of neighbours that are unusual to the same side; `peak` is the farthest of them.
struct Episode {
  std::size_t peak = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t count = 0;
};

/// @param join  whether neighbours make one episode, or each point is one of its own
std::vector<Episode> episodes(const Series& series, const std::vector<double>& z,
                              const std::vector<bool>& found, bool join) {
  std::vector<Episode> all;
  std::map<int, std::size_t> open;  // the episode that each group is in
  std::map<int, std::size_t> last;  // its last point
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const int group = series.points[i].group;
    const bool follows = join && open.contains(group) && found[i] && i >= series.first &&
                         found[last[group]] && (z[i] > 0) == (z[last[group]] > 0);
    last[group] = i;
    if (!found[i] || i < series.first) continue;
    if (!follows) {
      open[group] = all.size();
      all.push_back({i, i, i, 0});
    }
    Episode& episode = all[open[group]];
    if (std::abs(z[i]) > std::abs(z[episode.peak])) episode.peak = i;
    episode.end = i;
    ++episode.count;
  }
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [&](const Episode& e) { return std::abs(z[e.peak]); });
  return all;
}

/// 1 for the highest of its group, or, of a low one, for the lowest.
std::size_t rank_of(const Series& series, std::size_t at, bool high) {
  const Point& point = series.points[at];
  return 1 + static_cast<std::size_t>(std::ranges::count_if(series.points, [&](const Point& p) {
           return p.group == point.group && (high ? p.value > point.value : p.value < point.value);
         }));
}

Json unusual_json(const Series& series, const Scores& scores, const Episode& episode, bool robust) {
  const Point& point = series.points[episode.peak];
  Json json{{"value", rounded(point.value)}, {"z", rounded(scores.z[episode.peak])}};
  json[series.table->moments.empty() ? "row" : "date"] = series.when(point);
  json["line"] = series.places({point});
  if (!robust) return json;
  json["usual"] = rounded(scores.usual[episode.peak]);
  const bool high = scores.z[episode.peak] > 0;
  json["rank"] = rank_of(series, episode.peak, high);
  json["of"] = std::ranges::count(series.points, point.group, &Point::group);
  if (scores.cycle != Cycle::none) {
    json["at"] = place_name(scores.cycle, place_in(scores.cycle, point.moment));
  }
  if (episode.count > 1) {
    json["begin"] = series.when(series.points[episode.begin]);
    json["end"] = series.when(series.points[episode.end]);
    json["count"] = episode.count;
  }
  if (point.missing > 0) json["empty_cells"] = point.missing;
  if (series.step == Step::row) {
    if (series.table->keys.empty() && !series.of(point).empty()) json["of_what"] = series.of(point);
    for (const std::string& key : series.table->keys) {
      if (!series.rows.where.contains(key)) {
        json["keys"][key] = series.table->find(key)->words[point.row];
      }
    }
  }
  return json;
}

}  // namespace

/// By z: far from the mean in standard deviations, on either side. By percentile: above it; for
/// what is skewed, as rain is. Robust: far from the median of its like, history included.
Json find_unusual(Arguments& arguments, const Readings& readings) {
  const std::string method = arguments.text("method").value_or("z");
  if (method != "z" && method != "percentile" && method != "robust") {
    throw ToolError("'method' is z, percentile or robust");
  }
  const bool robust = method == "robust";
  const Series series = series_in(arguments, readings, robust);
  const double threshold = method == "percentile" ? arguments.number("threshold", 95, 50, 100)
                           : robust               ? arguments.number("threshold", 3.5, 0.5, 100)
                                                  : arguments.number("threshold", 2, 0.5, 10);
  arguments.end();
  const double limit = method == "percentile" ? quantile(series.values(), threshold / 100) : 0;
  const Scores scores = robust ? robust_scores(series) : plain_scores(series);
  // What is ordinary on a Saturday may be odd on a Sunday.
  const bool is_one_level = robust && scores.cycle == Cycle::none;
  const std::set<double> ordinary = is_one_level ? ordinary_values(series) : std::set<double>{};
  std::vector<bool> found;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const double value = series.points[i].value;
    found.push_back(method == "percentile"
                        ? value > limit
                        : std::abs(scores.z[i]) >= threshold && !ordinary.contains(value));
  }
  std::vector<Episode> all =
      episodes(series, scores.z, found, robust && !series.table->moments.empty());
  Json result = head_of(series);
  result["method"] = method;
  result["threshold"] = threshold;
  result["found"] = all.size();
  result["unusual"] = Json::array();
  if (robust) {
    result["history"] = series.first;
    if (scores.cycle != Cycle::none) result["cycle"] = cycle_name(scores.cycle);
  }
  if (all.size() > most_unusual) all.resize(most_unusual);
  for (const Episode& episode : all) {
    result["unusual"].push_back(unusual_json(series, scores, episode, robust));
  }
  return result;
}

}  // namespace insights::tool
