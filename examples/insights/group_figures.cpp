#include "insights/group_figures.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/moments.hpp"
#include "insights/periods.hpp"
#include "insights/sentences.hpp"
#include "insights/spread.hpp"
#include "insights/words.hpp"

namespace insights::tool {

using Json = nlohmann::json;

namespace {

/// `Band 20 m`: what a row says in a column; "": nothing.
std::string cell_text(const Column& column, std::size_t row) {
  if (column.kind == Column::Kind::category)
    return column.words[row].empty() ? "" : fmt::format("{} {}", column.name, column.words[row]);
  const auto& number = column.numbers[row];
  return number ? fmt::format("{} {}", column.name, amount_text(*number, column.unit)) : "";
}

Json extreme(const Table& table, const std::vector<Item>& items, bool least,
             const std::vector<std::string>& tell) {
  const auto found = least ? std::ranges::min_element(items, {}, &Item::value)
                           : std::ranges::max_element(items, {}, &Item::value);
  Json json{{"value", rounded(found->value)}, {"line", table.place(found->row)}};
  if (!table.moments.empty()) json["date"] = table.when(found->row);
  constexpr std::size_t most = 4;
  for (const std::string& name : tell) {
    const Column* column = table.find(name);
    const std::string text = column == nullptr ? "" : cell_text(*column, found->row);
    if (!text.empty()) json["of"].push_back(text);
  }
  for (const Column& column : table.columns) {
    if (std::ranges::find(tell, column.name) != tell.end()) continue;
    const bool is_told = column.kind == Column::Kind::category && !column.words[found->row].empty();
    if (is_told && json["of"].size() < most) json["of"].push_back(column.words[found->row]);
  }
  return json;
}

/// From the first day of the rows to the last: the mean over the keys that both have, or else of
/// the means of both.
Json change_in(const Table& table, const std::vector<Item>& items) {
  std::vector<const Column*> keys;
  for (const std::string& key : table.keys) keys.push_back(table.find(key));
  const auto [begin, end] = std::ranges::minmax(items, {}, &Item::moment);
  const Moment days[]{day_of(begin.moment), day_of(end.moment)};
  std::map<std::vector<std::string>, std::vector<double>> found[2];
  for (const Item& item : items) {
    std::vector<std::string> key;
    for (const Column* column : keys) key.push_back(column->words[item.row]);
    for (const std::size_t at : {0U, 1U}) {
      if (day_of(item.moment) == days[at]) found[at][key].push_back(item.value);
    }
  }
  std::vector<double> values[2];
  for (const auto& [key, first] : found[0]) {
    const auto last = found[1].find(key);
    if (last == found[1].end()) continue;
    values[0].push_back(mean(first));
    values[1].push_back(mean(last->second));
  }
  const std::size_t pairs = values[0].size();
  for (const std::size_t at : {0U, 1U}) {
    if (pairs > 0) continue;
    for (const auto& [key, some] : found[at])
      values[at].insert(values[at].end(), some.begin(), some.end());
  }
  return {{"value", rounded(mean(values[1]) - mean(values[0]))},
          {"first", rounded(mean(values[0]))},
          {"last", rounded(mean(values[1]))},
          {"pairs", pairs},
          {"first_day", table.day_text(days[0])},
          {"last_day", table.day_text(days[1])}};
}

}  // namespace

bool Wanted::has(const Table& table, const Item& item) const {
  const bool is_it = std::ranges::all_of(values, [&](const auto& wanted) {
    return admits(wanted.second, table.find(wanted.first)->words[item.row]);
  });
  return is_it && (!limit || limit->has(item.value));
}

bool Wanted::is_known(const Table& table, std::size_t row) const {
  return std::ranges::none_of(
      values, [&](const auto& wanted) { return table.find(wanted.first)->words[row].empty(); });
}

double sum_of(const std::vector<Item>& items) {
  double sum = 0;
  for (const Item& item : items) sum += item.value;
  return sum;
}

std::set<Moment> days_of(const std::vector<Item>& items) {
  std::set<Moment> days;
  for (const Item& item : items) days.insert(day_of(item.moment));
  return days;
}

Json different_in(const Table& table, const Column& of, const Asked& group) {
  constexpr std::size_t most_told = 12;
  std::set<std::string> values;
  std::vector<std::size_t> rows;
  for (const Item& item : group.items) {
    if (of.words[item.row].empty()) continue;
    values.insert(of.words[item.row]);
    rows.push_back(item.row);
  }
  if (rows.empty()) return {};
  Json json{{"name", group.name}, {"rows", rows.size()}, {"value", values.size()}};
  json["lines"] = table.places(rows);
  if (values.size() <= most_told) json["values"] = values;
  return json;
}

Json ends_in(const Table& table, const Asked& group) {
  if (group.items.empty()) return {};
  const auto [first, last] = std::ranges::minmax(group.items, {}, &Item::moment);
  const Moment end = table.grain == Grain::day ? day_of(table.moments.back())
                                               : start_of(table.grain, table.moments.back());
  return {{"name", group.name},
          {"rows", group.items.size()},
          {"value", group.items.size()},
          {"first_day", table.day_text(first.moment)},
          {"first_line", table.place(first.row)},
          {"last_day", table.day_text(last.moment)},
          {"last_line", table.place(last.row)},
          {"days", (end - day_of(last.moment)) / day_length}};
}

Json each_in(const Table& table, const std::string& of, const Asked& group) {
  const Column* category = is_span(of) ? nullptr : table.find(of);
  std::map<std::string, double> sums;
  std::vector<std::size_t> rows;
  for (const Item& item : group.items) {
    const std::string key =
        category != nullptr ? category->words[item.row] : span_key(of, item.moment);
    if (key.empty()) continue;
    sums[key] += item.value;
    rows.push_back(item.row);
  }
  if (sums.empty()) return {};
  std::vector<double> values;
  for (const auto& [key, sum] : sums) values.push_back(sum);
  const double sum = mean(values) * static_cast<double>(values.size());
  return {{"name", group.name},
          {"rows", rows.size()},
          {"lines", table.places(rows)},
          {"value", rounded(mean(values))},
          {"median", rounded(median(values))},
          {"part", rounded(sum)},
          {"whole", values.size()}};
}

double moved_by(const Json& first, const Json& second) {
  const double from = first.at("value");
  const double to = second.at("value");
  const double days[]{first.value("days", 0.0), second.value("days", 0.0)};
  const auto [less, more] = std::minmax(days[0], days[1]);
  const bool is_total = less == 0 || are_as_long(less, more);
  return rounded(is_total ? to - from : to / days[1] - from / days[0]);
}

Json figure_of(const Table& table, const std::string& figure, const Measure& measure,
               const Wanted& part, const Asked& group) {
  Json json{{"name", group.name}, {"rows", group.items.size()}};
  std::vector<std::size_t> rows;
  for (const Item& item : group.items) rows.push_back(item.row);
  json["lines"] = table.places(rows);
  if (group.items.empty()) {
    if (figure != "sum" || measure.has_ratio()) return {};
    json["value"] = 0;
    if (group.days > 0) json["days"] = group.days;
    return json;
  }
  const double sum = sum_of(group.items);
  if (figure == "share") {
    double inside = 0;
    for (const Item& item : group.items) {
      if (part.has(table, item)) inside += part.limit ? 1 : item.value;
    }
    const double all = part.limit ? static_cast<double>(group.items.size()) : sum;
    if (all <= 0) return {};
    json.update({{"value", rounded(100 * inside / all)},
                 {"part", rounded(inside)},
                 {"whole", rounded(all)}});
  } else if (measure.has_ratio()) {
    double per = 0;
    for (const Item& item : group.items) per += item.per;
    if (per <= 0) return {};
    json.update({{"value", rounded(measure.each() * sum / per)},
                 {"part", rounded(sum)},
                 {"whole", rounded(per)}});
  } else if (figure == "change") {
    json.update(change_in(table, group.items));
  } else if (figure == "most" || figure == "least") {
    json.update(extreme(table, group.items, figure == "least", part.tell));
  } else if (figure == "spread" || figure == "deviation") {
    json.update(spread_in(table, figure, group.items));
    if (!json.contains("value")) return {};
  } else if (figure == "mean") {
    std::vector<double> values;
    for (const Item& item : group.items) values.push_back(item.value);
    json["value"] = rounded(mean(values));
    json["median"] = rounded(median(values));
  } else {
    json["value"] = rounded(sum);
    if (group.days == 0) return json;
    const std::size_t active = days_of(group.items).size();
    json["days"] = group.days;
    if (active < group.days) json["active_days"] = active;
  }
  return json;
}

}  // namespace insights::tool
