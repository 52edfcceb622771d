// The library is not in here: SQLite computes, and a template says in words what a row means.
#include "insights/overview.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "text/passages.hpp"

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

/// What a value has in common with others is not said of it alone.
std::string and_more(const Json& others) {
  return others == 0 ? "" : fmt::format(" and {} more", number(others));
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
  std::multimap<std::size_t, std::string> found;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].kind != Kind::text) continue;
    const std::size_t values = table.values<std::string>(i).size();
    if (values < 2 || values > std::min(most_values, table.rows.size() / 2)) continue;
    found.emplace(values, table.columns[i].name);
  }
  std::vector<std::string> names;
  for (const auto& [count, name] : found) {
    if (names.size() < most_groups) names.push_back(name);
  }
  return names;
}

/// Whether the numbers of a column name the rows, as far as their shape tells: whole ones, each of
/// them once, that stand in the first column or leave hardly a number out.
bool is_id(const Table& table, std::size_t column, const std::set<double>& values) {
  const bool each_once = values.size() == table.rows.size() && values.size() >= 3;
  const bool is_whole =
      std::ranges::all_of(values, [](double value) { return value == std::floor(value); });
  if (!each_once || !is_whole) return false;
  const double range = *values.rbegin() - *values.begin() + 1;
  return column == 0 || range < 1.5 * static_cast<double>(values.size());
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
    for (std::size_t i = 0; i < std::min<std::size_t>(2, groups_.size()); ++i) {
      by(groups_[i], in_quotes(groups_[i]));
    }
    if (!time_.empty()) by_time();
    return std::move(findings_);
  }

 private:
  /// `{d}` is the table, `{t}` the time, `{x}` the column, `{g}` the group.
  [[nodiscard]] std::string filled(const std::string& sql, const std::string& group) const {
    return fmt::format(fmt::runtime(text::collapsed(sql)), fmt::arg("d", source_),
                       fmt::arg("t", time_), fmt::arg("x", number_), fmt::arg("g", group));
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
    ask(fmt::format(
        "SELECT count(*) OVER (), sum(count(*)) OVER (), {0}, count(*) FROM {1} WHERE {2} IS NULL "
        "GROUP BY {0} ORDER BY 4 DESC, 3 LIMIT 3",
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

  /// The median step of the time, and the three longest of those that are half as long again.
  void steps() {
    ask(filled(R"(
        WITH s AS (SELECT DISTINCT {t} t FROM {d} WHERE {t} IS NOT NULL),
        l AS (SELECT t, lag(t) OVER (ORDER BY t) p FROM s),
        m AS (SELECT p, t, round((julianday(t) - julianday(p)) * 1440, 3) m FROM l
              WHERE p IS NOT NULL),
        r AS (SELECT m, row_number() OVER (ORDER BY m) r, count(*) OVER () c FROM m),
        q AS (SELECT max(m) med FROM r WHERE r = (c + 1) / 2)
        SELECT NULL, NULL, med FROM q UNION ALL
        SELECT * FROM (SELECT p, t, m FROM m, q WHERE m > 1.5 * med ORDER BY m DESC, p LIMIT 3))",
               ""));
    if (rows_.empty() || rows_[0][2].is_null()) return;
    say(fmt::format("Rows are {} apart (the median).", span(rows_[0][2].get<double>())));
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      say(fmt::format("There is no row between {} and {}: {}.", shown(rows_[i][0]),
                      shown(rows_[i][1]), span(rows_[i][2].get<double>())));
    }
  }

  void level() {
    const std::string place = !time_.empty()    ? time_
                              : groups_.empty() ? "NULL"
                                                : in_quotes(groups_.front());
    ask(filled(R"(
        SELECT avg({x}), min({x}), max({x}), sum({x}), count({x}),
        (SELECT min({g}) FROM {d} WHERE {x} = (SELECT min({x}) FROM {d})),
        (SELECT min({g}) FROM {d} WHERE {x} = (SELECT max({x}) FROM {d})),
        (SELECT count(DISTINCT {g}) - 1 FROM {d} WHERE {x} = (SELECT min({x}) FROM {d})),
        (SELECT count(DISTINCT {g}) - 1 FROM {d} WHERE {x} = (SELECT max({x}) FROM {d})) FROM {d})",
               place));
    if (rows_.empty() || rows_[0][0].is_null()) return;
    const Json& row = rows_[0];
    const auto at = [&](const Json& where, const Json& others) {
      return where.is_null() ? "" : fmt::format(" ({}{})", shown(where), and_more(others));
    };
    say(fmt::format("{}: mean {}, least {}{}, most {}{}; sum {} of {} values.", label_,
                    number(row[0]), number(row[1]), at(row[5], row[7]), number(row[2]),
                    at(row[6], row[8]), number(row[3]), number(row[4])));
  }

  /// The groups, days or hours with the most and the least; nothing if each has one row.
  void by(const std::string& name, const std::string& key) {
    ask(filled(R"(
        WITH p AS (SELECT {g} k, avg({x}) a, sum({x}) s, count(*) n FROM {d}
                   WHERE {x} IS NOT NULL GROUP BY 1 HAVING k IS NOT NULL),
        q AS (SELECT k, a, s, count(*) OVER (PARTITION BY a) - 1 ta,
              count(*) OVER (PARTITION BY s) - 1 ts FROM p WHERE (SELECT max(n) FROM p) > 1)
        SELECT * FROM (SELECT * FROM q ORDER BY a DESC, k LIMIT 1) UNION ALL
        SELECT * FROM (SELECT * FROM q ORDER BY a, k LIMIT 1) UNION ALL
        SELECT * FROM (SELECT * FROM q ORDER BY s DESC, k LIMIT 1) UNION ALL
        SELECT * FROM (SELECT * FROM q ORDER BY s, k LIMIT 1))",
               key));
    if (rows_.empty() || rows_[0][0] == rows_[1][0]) return;
    const auto one = [&](std::size_t row, std::size_t column) {
      return fmt::format("{}{} ({})", shown(rows_[row][0]), and_more(rows_[row][column + 2]),
                         number(rows_[row][column]));
    };
    const std::string means = number(rows_[0][1]) == number(rows_[1][1])
                                  ? fmt::format("the same mean in each ({})", number(rows_[0][1]))
                                  : fmt::format("highest mean {}, lowest {}", one(0, 1), one(1, 1));
    say(fmt::format("{} by {}: {}; largest sum {}, smallest {}.", label_, name, means, one(2, 2),
                    one(3, 2)));
  }

  /// By days, or months where they are more than three months; by weekdays from two weeks on, and
  /// by hours.
  void by_time() {
    ask(filled("SELECT julianday(max({t})) - julianday(min({t})) FROM {d}", ""));
    if (rows_.empty() || rows_[0][0].is_null()) return;
    const double days = rows_[0][0].get<double>();
    by(days > 93 ? "month" : "day",
       days > 93 ? filled("strftime('%Y-%m', {t})", "") : filled("date({t})", ""));
    if (days > 13) {
      by("weekday", filled("substr('SunMonTueWedThuFriSat', 1 + 3 * strftime('%w', {t}), 3)", ""));
    }
    if (days > 1) by("hour", filled("strftime('%H h', {t})", ""));
  }

  /// The mean of the first quarter of the time against the last, in all and in the two groups that
  /// changed most; changes of a tenth and more.
  void quarters() {
    const auto change = [&](const std::string& group) {
      ask(filled(R"(
          WITH b AS (SELECT julianday(min({t})) a, julianday(max({t})) z FROM {d}),
          c AS (SELECT {g} g, avg(CASE WHEN julianday({t}) < a + (z - a) / 4 THEN {x} END) p,
                avg(CASE WHEN julianday({t}) > z - (z - a) / 4 THEN {x} END) q
                FROM {d}, b GROUP BY 1)
          SELECT g, p, q FROM c WHERE p <> 0 AND abs(q - p) > abs(p) * 0.1
          ORDER BY abs(q - p) / abs(p) DESC, 1 LIMIT 2)",
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

  /// Rows in a row that lie more than six median deviations from the median of their group, if that
  /// has enough values to have a usual range.
  void runs() {
    ask(filled(R"(
        WITH v AS (SELECT {g} g, {t} t, {x} x FROM {d} WHERE {x} IS NOT NULL AND {g} IS NOT NULL),
        m AS (SELECT g, x, row_number() OVER (PARTITION BY g ORDER BY x) r,
              count(*) OVER (PARTITION BY g) c FROM v),
        med AS (SELECT g, avg(x) med FROM m WHERE r IN ((c + 1) / 2, (c + 2) / 2) GROUP BY g),
        e AS (SELECT v.*, med, abs(v.x - med) dv FROM v JOIN med USING (g)),
        n AS (SELECT g, dv, row_number() OVER (PARTITION BY g ORDER BY dv) r,
              count(*) OVER (PARTITION BY g) c FROM e),
        mad AS (SELECT g, avg(dv) mad FROM n WHERE c >= 20 AND r IN ((c + 1) / 2, (c + 2) / 2)
                GROUP BY g),
        f AS (SELECT e.*, mad, mad > 0 AND dv > 6 * mad odd FROM e JOIN mad USING (g)),
        i AS (SELECT *, row_number() OVER (PARTITION BY g ORDER BY t)
                      - row_number() OVER (PARTITION BY g, odd ORDER BY t) run FROM f)
        SELECT g, min(t), max(t), count(*), min(x), max(x), med FROM i WHERE odd GROUP BY g, run
        ORDER BY max(dv / mad) * count(*) DESC, g, 2 LIMIT 2)",
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
    const std::set<double> values = table.values<double>(i);
    if (values.size() > 1 && !is_id(table, i, values)) parts.push_back(column.name);
  }
  return parts;
}

std::vector<Finding> overview(const Database& database, const Table& table, const LongView* view,
                              const std::string& column, const std::stop_token& stop) {
  Part part{database, table, view, column, stop};
  return column.empty() ? part.of_table() : part.of_column();
}

}  // namespace insights
