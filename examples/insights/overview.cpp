// The library is not in here: SQLite computes, and a template says in words what a row means.
#include "insights/overview.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <fmt/args.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_numbers = 8;
constexpr std::size_t most_groups = 3;
constexpr std::size_t most_values = 30;  // of a group
constexpr std::size_t kept_rows = 5;     // of a finding, as its proof

/// Up to two decimals of numbers from 1 on, four digits of smaller ones.
std::string number(const Json& json) {
  const double value = json.get<double>();
  if (std::abs(value) < 1 && value != 0) return fmt::format("{:.4g}", value);
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

/// A time without a clock that says nothing; any other value as it is.
std::string shown(const Json& json) {
  if (json.is_number()) return number(json);
  std::string text = json.is_string() ? json.get<std::string>() : "(empty)";
  if (text.ends_with(" 00:00:00")) text.resize(text.size() - 9);
  return text;
}

std::string span(double minutes) {
  const auto of = [&](double unit, const char* name) {
    const std::string count = number(minutes / unit);
    return fmt::format("{} {}{}", count, name, count == "1" ? "" : "s");
  };
  if (minutes >= 1440) return of(1440, "day");
  return minutes >= 60 ? of(60, "hour") : of(1, "minute");
}

/// The text columns that divide the rows into a few groups, the fewest groups first.
std::vector<std::string> groups_of(const Table& table) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].kind != Kind::text) continue;
    std::set<std::string> values;
    for (const auto& row : table.rows) {
      if (const auto* text = row[i].get_ptr<const std::string*>()) values.insert(*text);
    }
    const std::size_t most = std::min(most_values, table.rows.size() / 2);
    if (values.size() >= 2 && values.size() <= most) {
      found.emplace_back(values.size(), table.columns[i].name);
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> names;
  for (auto& [count, name] : found) {
    if (names.size() < most_groups) names.push_back(std::move(name));
  }
  return names;
}

/// Asks and tells.
class Part {
 public:
  Part(const Database& database, const Table& table, const LongView* view,
       const std::string& column, const std::stop_token& stop)
      : database_(database), stop_(stop), table_(table), label_(column), groups_(groups_of(table)) {
    const bool is_long = view != nullptr && column == "value";
    source_ = in_quotes(is_long ? view->name : table.name);
    if (is_long) {
      label_ = view->table + ", all columns";
      groups_.insert(groups_.begin(), "name");
      if (groups_.size() > most_groups) groups_.resize(most_groups);
    }
    if (const auto at = table.first(Kind::time); at < table.columns.size()) {
      time_ = in_quotes(table.columns[at].name);
    }
    number_ = in_quotes(column);
    group_ = groups_.empty() ? "''" : in_quotes(groups_.front());
  }

  std::vector<Finding> of_table() {
    rows();
    for (const std::string& group : groups_) values(group);
    for (const Column& column : table_.columns) empty_cells(column);
    if (!time_.empty()) steps();
    return std::move(findings_);
  }

  std::vector<Finding> of_column() {
    level();
    if (!time_.empty()) {
      runs();
      quarters();
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(2, groups_.size()); ++i) by_group(groups_[i]);
    if (!time_.empty()) {
      days();
      cycle("%w", "weekday", 14);
      cycle("%H", "hour", 2);
    }
    return std::move(findings_);
  }

 private:
  using Tell = std::function<std::string(const Json& row)>;

  /// `{d}` is the table, `{t}` the time, `{x}` the column, `{g}` the group.
  [[nodiscard]] std::string filled(const std::string& sql, const std::string& group) const {
    return fmt::format(fmt::runtime(sql), fmt::arg("d", source_), fmt::arg("t", time_),
                       fmt::arg("x", number_), fmt::arg("g", group));
  }

  Json ask(const std::string& sql) {
    sql_ = sql;
    Json result = database_.query(sql, stop_);
    rows_ = result.value("rows", Json::array());
    return rows_;
  }

  void say(std::string text) {
    Json proof = Json::array();
    for (const Json& row : rows_) {
      if (proof.size() < kept_rows) proof.push_back(row);
    }
    findings_.push_back({std::move(text), sql_, std::move(proof)});
  }

  void rows() {
    if (time_.empty()) {
      ask(filled("SELECT count(*) FROM {d}", ""));
      if (!rows_.empty())
        say(fmt::format("{}: {} rows, without a time.", table_.name, number(rows_[0][0])));
      return;
    }
    ask(filled("SELECT count(*), min({t}), max({t}), count(DISTINCT date({t})) FROM {d}", ""));
    if (rows_.empty() || rows_[0][1].is_null()) return;
    const Json& row = rows_[0];
    say(fmt::format("{}: {} rows from {} to {}, on {} days{}.", table_.name, number(row[0]),
                    shown(row[1]), shown(row[2]), number(row[3]),
                    table_.left_out > 0
                        ? fmt::format(" ({} further {} of {} not looked at)", table_.left_out,
                                      table_.left_out == 1 ? "row" : "rows", table_.file)
                        : ""));
  }

  void values(const std::string& group) {
    ask(filled("SELECT {g}, count(*) FROM {d} GROUP BY 1 ORDER BY 2 DESC, 1", in_quotes(group)));
    if (rows_.size() < 2) return;
    std::string text = fmt::format("Rows by {}:", group);
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(most, rows_.size()); ++i) {
      text += fmt::format("{} {} {}", i > 0 ? "," : "", shown(rows_[i][0]), number(rows_[i][1]));
    }
    say(text + (rows_.size() > most ? fmt::format(" and {} more.", rows_.size() - most) : "."));
  }

  void empty_cells(const Column& column) {
    const std::string name = in_quotes(column.name);
    const bool is_grouped = !groups_.empty() && groups_.front() != column.name;
    ask(
        fmt::format("SELECT count(*) OVER (), sum(count(*)) OVER (), {0}, count(*) FROM {1} WHERE "
                    "{2} IS NULL GROUP BY {0} ORDER BY 4 DESC, 3 LIMIT 3",
                    is_grouped ? group_ : "''", source_, name));
    if (rows_.empty()) return;
    std::string text = fmt::format("{}: {} empty {}", column.name, number(rows_[0][1]),
                                   rows_[0][1] == 1 ? "cell" : "cells");
    if (column.unreadable > 0) {
      text += fmt::format(", of which {} could not be read", column.unreadable);
    }
    if (is_grouped && rows_[0][0].get<int>() > 1) {
      text += fmt::format("; most where {} is {} ({})", groups_.front(), shown(rows_[0][2]),
                          number(rows_[0][3]));
    }
    say(text + ".");
  }

  /// The usual step of the time, and what is far longer.
  void steps() {
    ask(filled(
        "WITH s AS (SELECT DISTINCT {t} t FROM {d} WHERE {t} IS NOT NULL), "
        "l AS (SELECT t, lag(t) OVER (ORDER BY t) p FROM s), "
        "m AS (SELECT p, t, round((julianday(t) - julianday(p)) * 1440, 3) m FROM l WHERE p IS NOT "
        "NULL), "
        "r AS (SELECT *, row_number() OVER (ORDER BY m) r, count(*) OVER () c FROM m), "
        "q AS (SELECT max(CASE WHEN r = (c + 1) / 2 THEN m END) med, max(CASE WHEN r = 1 + (c - 1) "
        "* 5 / 100 THEN m END) p5, max(CASE WHEN r = 1 + (c - 1) * 95 / 100 THEN m END) p95 FROM "
        "r) "
        "SELECT NULL, NULL, med, p5, p95 FROM q UNION ALL SELECT * FROM (SELECT p, t, m, p5, p95 "
        "FROM r, q WHERE m > 1.5 * med AND (med >= 1440 OR m > 2.5 * med AND m > 1.5 * p95) "
        "ORDER BY m DESC, p LIMIT 3)",
        ""));
    if (rows_.empty() || rows_[0][2].is_null()) return;
    const double usual = rows_[0][2].get<double>();
    const double low = rows_[0][3].get<double>();
    const double high = rows_[0][4].get<double>();
    say(high - low > 0.02 * usual ? fmt::format("Rows are {} apart (the median), mostly {} to {}.",
                                                span(usual), span(low), span(high))
                                  : fmt::format("Rows are {} apart.", span(usual)));
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      say(fmt::format("There is no row between {} and {}: {}.", shown(rows_[i][0]),
                      shown(rows_[i][1]), span(rows_[i][2].get<double>())));
    }
  }

  void level() {
    const std::string place = !time_.empty()    ? time_
                              : groups_.empty() ? "NULL"
                                                : in_quotes(groups_.front());
    ask(fmt::format(
        "SELECT avg({0}), min({0}), max({0}), sum({0}), count({0}), (SELECT {1} FROM {2} WHERE {0} "
        "= "
        "(SELECT min({0}) FROM {2}) ORDER BY 1 LIMIT 1), (SELECT {1} FROM {2} WHERE {0} = (SELECT "
        "max({0}) FROM {2}) ORDER BY 1 LIMIT 1) FROM {2}",
        number_, place, source_));
    if (rows_.empty() || rows_[0][0].is_null()) return;
    const Json& row = rows_[0];
    const auto at = [&](const Json& where) {
      return where.is_null() ? "" : fmt::format(" ({})", shown(where));
    };
    say(fmt::format("{}: mean {}, least {}{}, most {}{}; sum {} of {} values.", label_,
                    number(row[0]), number(row[1]), at(row[5]), number(row[2]), at(row[6]),
                    number(row[3]), number(row[4])));
  }

  void by_group(const std::string& group) {
    ask(
        filled("SELECT {g}, avg({x}), sum({x}), count({x}) FROM {d} WHERE {x} IS NOT NULL AND {g} "
               "IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1",
               in_quotes(group)));
    if (rows_.size() < 2) return;
    const Json& top = rows_.front();
    const Json& low = rows_.back();
    const auto by_sum = [](const Json& a, const Json& b) { return a[2] < b[2]; };
    const Json& most = *std::ranges::max_element(rows_, by_sum);
    const Json& least = *std::ranges::min_element(rows_, by_sum);
    const std::string means =
        number(top[1]) == number(low[1])
            ? fmt::format("the same mean in each ({})", number(top[1]))
            : fmt::format("highest mean {} ({}), lowest {} ({})", shown(top[0]), number(top[1]),
                          shown(low[0]), number(low[1]));
    say(fmt::format("{} by {}: {}; largest sum {} ({}), smallest {} ({}).", label_, group, means,
                    shown(most[0]), number(most[2]), shown(least[0]), number(least[2])));
  }

  /// Days, or months where there are more than three of them; nothing if each has one row.
  void days() {
    ask(filled("SELECT julianday(max({t})) - julianday(min({t})) FROM {d}", ""));
    if (rows_.empty() || rows_[0][0].is_null()) return;
    const bool is_long = rows_[0][0].get<double>() > 93;
    ask(fmt::format(
        "WITH p AS (SELECT {0} d, avg({1}) a, sum({1}) s, count(*) n FROM {2} WHERE {1} "
        "IS NOT NULL GROUP BY 1) SELECT * FROM (SELECT d, a, s, n FROM p ORDER BY a "
        "DESC, d LIMIT 1) UNION ALL SELECT * FROM (SELECT d, a, s, n FROM p ORDER BY a, "
        "d LIMIT 1)",
        is_long ? fmt::format("strftime('%Y-%m', {})", time_) : fmt::format("date({})", time_),
        number_, source_));
    if (rows_.size() < 2 || rows_[0][0] == rows_[1][0] || rows_[0][3] == 1) return;
    say(fmt::format("{} by {}: highest mean {} ({}; sum {}), lowest {} ({}; sum {}).", label_,
                    is_long ? "month" : "day", shown(rows_[0][0]), number(rows_[0][1]),
                    number(rows_[0][2]), shown(rows_[1][0]), number(rows_[1][1]),
                    number(rows_[1][2])));
  }

  void cycle(const char* form, const char* name, int least_days) {
    ask(
        fmt::format("SELECT strftime('{0}', {1}), avg({2}), count({2}) FROM {3} WHERE {2} IS NOT "
                    "NULL AND (SELECT count(DISTINCT date({1})) FROM {3}) >= {4} GROUP BY 1 ORDER "
                    "BY 2 DESC, 1",
                    form, time_, number_, source_, least_days));
    if (rows_.size() < 2 || rows_.front()[0].is_null()) return;
    if (number(rows_.front()[1]) == number(rows_.back()[1])) return;
    static constexpr std::array weekdays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                         "Thursday", "Friday", "Saturday"};
    const auto named = [&](const Json& value) {
      const auto text = value.get<std::string>();
      return text.size() == 1 ? std::string{weekdays[static_cast<std::size_t>(text[0] - '0')]}
                              : text + " h";
    };
    say(fmt::format("{} by {}: highest mean {} ({}), lowest {} ({}).", label_, name,
                    named(rows_.front()[0]), number(rows_.front()[1]), named(rows_.back()[0]),
                    number(rows_.back()[1])));
  }

  /// The mean of the first quarter of the time against the last, in all and in the two groups that
  /// changed most; changes of a tenth and more.
  void quarters() {
    const auto change = [&](const std::string& group) {
      ask(
          filled("WITH b AS (SELECT julianday(min({t})) a, julianday(max({t})) z FROM {d}), c AS "
                 "(SELECT {g} g, avg(CASE WHEN julianday({t}) < a + (z - a) / 4 THEN {x} END) p, "
                 "avg(CASE WHEN julianday({t}) > z - (z - a) / 4 THEN {x} END) q FROM {d}, b GROUP "
                 "BY 1) SELECT g, p, q FROM c WHERE p <> 0 AND abs(q - p) > abs(p) * 0.1 ORDER BY "
                 "abs(q - p) / abs(p) DESC, 1 LIMIT 2",
                 group));
      for (const Json& row : rows_) {
        const double from = row[1].get<double>();
        const double to = row[2].get<double>();
        const bool is_all = group == "''";
        say(fmt::format(
            "{}{}: mean {} in the first quarter of the time, {} in the last ({:+.0f} %).", label_,
            is_all ? "" : fmt::format(" ({})", shown(row[0])), number(from), number(to),
            (to - from) / std::abs(from) * 100));
      }
    };
    change("''");
    if (!groups_.empty()) change(group_);
  }

  /// Rows in a row that lie more than six median deviations from the median of their group.
  void runs() {
    ask(filled(
        "WITH v AS (SELECT {g} g, {t} t, {x} x FROM {d} WHERE {x} IS NOT NULL AND {g} IS NOT "
        "NULL), "
        "m AS (SELECT g, x, row_number() OVER w r, count(*) OVER (PARTITION BY g) c FROM v WINDOW "
        "w "
        "AS (PARTITION BY g ORDER BY x)), "
        "med AS (SELECT g, avg(x) med FROM m WHERE r IN ((c + 1) / 2, (c + 2) / 2) GROUP BY g), "
        "e AS (SELECT v.*, med, abs(v.x - med) dv FROM v JOIN med USING (g)), "
        "n AS (SELECT g, dv, row_number() OVER (PARTITION BY g ORDER BY dv) r, count(*) OVER "
        "(PARTITION BY g) c FROM e), "
        "mad AS (SELECT g, avg(dv) mad FROM n WHERE r IN ((c + 1) / 2, (c + 2) / 2) GROUP BY g), "
        "f AS (SELECT e.*, mad, mad > 0 AND dv > 6 * mad odd FROM e JOIN mad USING (g)), "
        "i AS (SELECT *, row_number() OVER (PARTITION BY g ORDER BY t) - row_number() OVER "
        "(PARTITION BY g, odd ORDER BY t) run FROM f) "
        "SELECT g, min(t), max(t), count(*), min(x), max(x), med FROM i WHERE odd GROUP BY g, run "
        "ORDER BY max(dv / mad) * count(*) DESC, g, 2 LIMIT 2",
        group_));
    for (const Json& row : rows_) {
      const std::string of = groups_.empty() ? "" : fmt::format(" ({})", shown(row[0]));
      std::string values = number(row[4]);
      if (row[4] != row[5]) values += " to " + number(row[5]);
      const std::string when = row[3] == 1
                                   ? fmt::format("the value of {} is", shown(row[1]))
                                   : fmt::format("{} values from {} to {} are", number(row[3]),
                                                 shown(row[1]), shown(row[2]));
      say(fmt::format("{}{}: {} unlike the rest: {}, where the median is {}.", label_, of, when,
                      values, number(row[6])));
    }
  }

  const Database& database_;
  const std::stop_token& stop_;
  const Table& table_;
  std::string label_;
  std::vector<std::string> groups_;
  std::string source_;
  std::string time_;
  std::string number_;
  std::string group_;
  std::string sql_;
  Json rows_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<std::string> parts_of(const Table& table, const LongView* view) {
  std::vector<std::string> parts{""};
  const auto is_wide = [&](const std::string& name) {
    return view != nullptr && std::ranges::find(view->columns, name) != view->columns.end();
  };
  if (view != nullptr) parts.emplace_back("value");
  for (std::size_t i = 0; i < table.columns.size() && parts.size() <= most_numbers; ++i) {
    const Column& column = table.columns[i];
    if (column.kind != Kind::number || is_wide(column.name)) continue;
    std::set<double> values;
    for (const auto& row : table.rows) {
      if (const auto* value = row[i].get_ptr<const double*>()) values.insert(*value);
    }
    if (values.size() > 1) parts.push_back(column.name);
  }
  return parts;
}

std::vector<Finding> overview(const Database& database, const Table& table, const LongView* view,
                              const std::string& column, const std::stop_token& stop) {
  Part part{database, table, view, column, stop};
  return column.empty() ? part.of_table() : part.of_column();
}

}  // namespace insights
