#include "insights/group_figures.hpp"

#include <algorithm>
#include <cmath>

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

/// The value of a category, or the time, that a row falls to; "": none.
std::string key_of(const Table& table, const std::string& of, const Item& item) {
  return is_span(of) ? span_key(of, item.moment) : table.find(of)->words[item.row];
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

/// Of a ratio, what it is in a row.
Item of_each(const Measure& measure, Item item) {
  if (measure.has_ratio() && item.per != 0) item.value = measure.each() * item.value / item.per;
  return item;
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

void take_sign(std::vector<Item>& items, const std::string& sign) {
  const auto is_other = [&](const Item& item) {
    return sign == "out" ? item.value >= 0 : item.value <= 0;
  };
  if (sign.empty()) return;
  if (!std::ranges::all_of(items, is_other)) std::erase_if(items, is_other);
  for (Item& item : items) item.value = std::abs(item.value);
}

void keep_having(Json& result, const std::string& having, std::size_t least_rows) {
  const auto limit = number_wanted(having);
  if (!limit && least_rows == 0) return;
  std::vector<Json> groups = result.at("groups");
  result["of_groups"] = groups.size();
  std::erase_if(groups, [&](const Json& one) {
    if (one.value("rows", std::size_t{0}) < least_rows) return true;
    return limit && !is_within(*limit, one.at("value").get<double>());
  });
  result["groups"] = groups;
  if (limit) result["having"] = having;
  if (least_rows > 0) result["least_rows"] = least_rows;
}

Json different_in(const Table& table, const std::string& of, const Asked& group) {
  constexpr std::size_t most_told = 12;
  std::set<std::string> values;
  std::vector<std::size_t> rows;
  for (const Item& item : group.items) {
    const std::string key = key_of(table, of, item);
    if (key.empty()) continue;
    values.insert(is_span(of) ? span_name(of, key) : key);
    rows.push_back(item.row);
  }
  if (rows.empty()) return {};
  Json json{{"name", group.name}, {"rows", rows.size()}, {"value", values.size()}};
  json["lines"] = table.places(rows);
  if (values.size() <= most_told) json["values"] = values;
  return json;
}

Json without_rows(const Table& table, const std::string& of, const std::vector<Asked>& groups,
                  std::size_t first) {
  constexpr std::size_t most_told = 24;
  const std::vector<std::string>& words = table.find(of)->words;
  std::map<std::string, std::size_t> last;
  for (std::size_t row = first; row < words.size(); ++row) {
    if (!words[row].empty()) last[words[row]] = row;
  }
  const std::size_t all = last.size();
  for (const Asked& group : groups) {
    for (const Item& item : group.items) last.erase(words[item.row]);
  }
  Json result{{"value", last.size()}, {"whole", all}, {"values", Json::array()}};
  for (const auto& [value, row] : last) {
    if (result["values"].size() == most_told) break;
    Json one{{"name", value}, {"line", table.place(row)}};
    if (!table.moments.empty()) one["date"] = table.when(row);
    result["values"].push_back(std::move(one));
  }
  return result;
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
          {"span", (day_of(last.moment) - day_of(first.moment)) / day_length},
          {"days", (end - day_of(last.moment)) / day_length}};
}

Json each_in(const Table& table, const std::string& of, const Asked& group) {
  std::map<std::string, double> sums;
  std::vector<std::size_t> rows;
  for (const Item& item : group.items) {
    const std::string key = key_of(table, of, item);
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
      if (part.has(table, of_each(measure, item))) inside += part.limit ? 1 : item.value;
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
  } else if (figure == "range") {
    const auto [least, most] = std::ranges::minmax(group.items, {}, &Item::value);
    json.update({{"value", rounded(most.value - least.value)},
                 {"first", rounded(least.value)},
                 {"last", rounded(most.value)}});
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
