// The tool that compares the shares of a category's values in two periods.
#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/tools.hpp"
#include "insights/words.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_mixed = 12;
constexpr double clear_points = 5;  // of a hundred
constexpr double clear_errors = 3.5;
constexpr std::size_t pieces = 4;  // of each period, to see how much shares vary

/// What falls to a value: rows, or an amount, in each part of the time.
struct Falls {
  double of[2][pieces]{};

  [[nodiscard]] double sum(int period) const {
    double all = 0;
    for (const double one : of[period]) all += one;
    return all;
  }
};

struct Span {
  Moment from = 0;
  Moment to = 0;  ///< behind its last day

  [[nodiscard]] bool has(Moment moment) const { return moment >= from && moment < to; }
  [[nodiscard]] std::size_t part(Moment moment) const {
    return std::min(pieces - 1,
                    static_cast<std::size_t>((moment - from) * static_cast<Moment>(pieces) /
                                             std::max<Moment>(1, to - from)));
  }
  [[nodiscard]] Json json() const {
    return {{"from", moment_text(from, false)}, {"to", moment_text(to - day_length, false)}};
  }
};

/// The days of a period that is named, as far as there are rows.
Span span_of(const std::string& named, const Readings& readings) {
  const std::size_t mark = named.find('/');
  Json given{{"from", named.substr(0, mark)},
             {"to", mark == named.npos ? named : named.substr(mark + 1)}};
  Arguments arguments{std::move(given)};
  const std::vector<std::size_t> rows = rows_of(arguments, readings).rows;
  const std::vector<Moment>& moments = readings.table.moments;
  return {day_of(moments[rows.front()]), day_of(moments[rows.back()]) + day_length};
}

/// How clear a difference of shares is, in its standard errors: of counts by their number, of
/// amounts by how much the shares of the pieces of each period vary.
double clearness(const Falls& one, const Falls& all, bool counts) {
  const double n[2]{all.sum(0), all.sum(1)};
  const double share[2]{one.sum(0) / n[0], one.sum(1) / n[1]};
  if (counts) {
    const double both = (one.sum(0) + one.sum(1)) / (n[0] + n[1]);
    const double error = std::sqrt(both * (1 - both) * (1 / n[0] + 1 / n[1]));
    return error > 0 ? std::abs(share[1] - share[0]) / error : 0;
  }
  double error = 0;
  for (int period = 0; period < 2; ++period) {
    std::vector<double> shares;
    for (std::size_t part = 0; part < pieces; ++part) {
      if (all.of[period][part] > 0) shares.push_back(one.of[period][part] / all.of[period][part]);
    }
    if (shares.size() < pieces) return 0;
    error += deviation(shares) * deviation(shares) / static_cast<double>(pieces);
  }
  return error > 0 ? std::abs(share[1] - share[0]) / std::sqrt(error) : 0;
}

/// The value of which each month is told: the one that changed most, of a yes and a no the yes.
std::string value_told(const Json& groups) {
  const std::string most = groups.front().at("name");
  const bool is_no =
      groups.size() == 2 && words().has("no", words_in(most).empty() ? "" : words_in(most).front());
  return is_no ? groups.back().at("name").get<std::string>() : most;
}

/// The share of one value in each month.
Json by_month(const Table& table, const Column& category, const Column* column,
              const std::vector<std::size_t>& rows, const std::string& value) {
  std::map<std::string, std::pair<double, double>> months;
  for (const std::size_t row : rows) {
    if (category.words[row].empty()) continue;
    auto& [part, all] = months[moment_text(table.moments[row], false).substr(0, 7)];
    const double amount = column == nullptr ? 1 : column->numbers[row].value_or(0);
    all += amount;
    if (category.words[row] == value) part += amount;
  }
  Json list = Json::array();
  for (const auto& [name, sums] : months) {
    if (sums.second > 0)
      list.push_back({{"name", name},
                      {"share", rounded(100 * sums.first / sums.second)},
                      {"of", rounded(sums.second)}});
  }
  return list;
}

}  // namespace

Json compare_mix(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  if (table.moments.empty()) throw ToolError("the table has no times");
  const Column& category = column_of(arguments, "by", table, category_names(table));
  const auto variable = arguments.text("variable");
  const Column* column = variable ? table.find(*variable) : nullptr;
  if (variable && (column == nullptr || !column->is_amount)) {
    throw ToolError("'variable' names no amount");
  }
  const auto first = arguments.text("first");
  const auto second = arguments.text("second");
  const auto value = arguments.text("value");
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  const Moment begin = day_of(table.moments[rows.rows.front()]);
  const Moment end = day_of(table.moments[rows.rows.back()]) + day_length;
  const Moment middle = day_of(begin + (end - begin) / 2);
  const Span spans[2]{first ? span_of(*first, readings) : Span{begin, middle},
                      second ? span_of(*second, readings) : Span{middle, end}};
  std::map<std::string, Falls> falls;
  Falls all;
  std::vector<std::size_t> counted[2];
  for (const std::size_t row : rows.rows) {
    const std::string& word = category.words[row];
    const double amount = column == nullptr ? 1 : column->numbers[row].value_or(0);
    if (word.empty() || amount < 0) continue;
    for (int period = 0; period < 2; ++period) {
      if (!spans[period].has(table.moments[row])) continue;
      const std::size_t part = spans[period].part(table.moments[row]);
      falls[word].of[period][part] += amount;
      all.of[period][part] += amount;
      counted[period].push_back(row);
    }
  }
  if (all.sum(0) <= 0 || all.sum(1) <= 0) throw ToolError("one of the periods has nothing");
  if (falls.size() > most_mixed) throw ToolError("there are too many values to compare");
  Json result{{"by", category.name},
              {"first", spans[0].json()},
              {"second", spans[1].json()},
              {"groups", Json::array()}};
  result["first"]["lines"] = table.places(counted[0]);
  result["second"]["lines"] = table.places(counted[1]);
  const bool counts = column == nullptr || column->is_count;
  if (column != nullptr) result["variable"] = column->name;
  if (!rows.where.empty()) result["where"] = rows.where;
  for (const auto& [word, one] : falls) {
    const double from = 100 * one.sum(0) / all.sum(0);
    const double to = 100 * one.sum(1) / all.sum(1);
    const double errors = clearness(one, all, counts);
    Json group{{"name", word}, {"first", rounded(from)}, {"second", rounded(to)}};
    group["errors"] = rounded(errors);
    if (errors >= clear_errors && std::abs(to - from) >= clear_points) group["clear"] = true;
    result["groups"].push_back(std::move(group));
  }
  std::stable_sort(
      result["groups"].begin(), result["groups"].end(), [](const Json& a, const Json& b) {
        const auto size = [](const Json& one) {
          return std::abs(one.at("second").get<double>() - one.at("first").get<double>());
        };
        return size(a) > size(b);
      });
  result["value"] = value && falls.contains(*value) ? *value : value_told(result["groups"]);
  result["months"] = by_month(table, category, column, rows.rows, result["value"]);
  return result;
}

}  // namespace insights::tool
