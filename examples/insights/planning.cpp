#include "insights/planning.hpp"

#include <algorithm>

#include "insights/clauses.hpp"
#include "insights/conversation.hpp"
#include "insights/meaning.hpp"
#include "insights/moments.hpp"
#include "insights/routing.hpp"
#include "insights/rows_asked.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

class Plan {
 public:
  Plan(const Interest& about, const Json& table, bool is_beside)
      : about_(about), table_(table), is_beside_(is_beside) {}

  std::vector<Question> all() {
    figures();
    bounds();
    columns_compared();
    outcomes();
    periods();
    groups();
    if (has_times()) still_open();
    if (has_times()) changes();
    if (has_times()) mixes();
    unusual();
    comparisons();
    if (has_times()) patterns();
    ask("What is wrong with the data?", {call("find_faults", Json::object())});
    if (is_beside_) name_table();
    return std::move(questions_);
  }

 private:
  [[nodiscard]] bool has_times() const { return table_.contains("time"); }
  [[nodiscard]] bool has_clock() const { return has_times() && table_.at("clock").get<bool>(); }
  [[nodiscard]] bool has_days() const { return has_times() && !table_.contains("grain"); }
  /// Whether a key is left open, so that a moment has several rows.
  [[nodiscard]] bool is_panel() const {
    return std::ranges::any_of(
        keys(), [&](const std::string& key) { return !is_one_value(about_.where, key); });
  }
  [[nodiscard]] std::vector<std::string> keys() const {
    return table_.value("keys", std::vector<std::string>{});
  }
  [[nodiscard]] const Json& column(const std::string& name) const {
    return *std::ranges::find_if(table_.at("columns"),
                                 [&](const Json& one) { return one.at("name") == name; });
  }
  [[nodiscard]] std::size_t days() const {
    const auto day = [&](const char* end) {
      return day_number(table_.at(end).get<std::string>().substr(0, 10)).value_or(0);
    };
    return static_cast<std::size_t>(day("to") - day("from") + 1);
  }

  /// With the values and the time that the prompt names.
  [[nodiscard]] Json call(const char* tool, Json arguments) const {
    if (!about_.where.empty()) arguments["where"] = about_.where;
    if (!about_.from.empty()) {
      arguments["from"] = about_.from;
      arguments["to"] = about_.to;
    }
    return {{"tool", tool}, {"arguments", std::move(arguments)}};
  }

  void ask(const char* thought, const std::vector<Json>& calls) {
    for (std::size_t from = 0; from < calls.size(); from += most_calls) {
      Question question{thought};
      for (std::size_t i = from; i < std::min(calls.size(), from + most_calls); ++i)
        question.calls.push_back(calls[i]);
      questions_.push_back(std::move(question));
    }
  }

  /// What is asked of a table that stands beside the one of the job says so.
  void name_table() {
    for (Question& question : questions_) {
      for (Json& one : question.calls) one["arguments"]["table"] = table_.at("table");
    }
  }

  void bounds() {
    if (!about_.bound) return lateness();
    // In a unit the limit is one of the columns in it.
    const auto fits = [&](const std::string& name) {
      const std::string unit = column(name).value("unit", "");
      return about_.bound->unit == unit || in_unit(about_.bound->unit, unit).has_value();
    };
    const bool has_unit = std::ranges::any_of(about_.statistics, fits);
    std::vector<Json> calls;
    for (const std::string& name : about_.statistics) {
      const bool is_other = has_unit && !about_.bound->unit.empty() && !fits(name);
      if (is_other || column(name).contains("describes")) continue;
      const double value = about_.bound->in(column(name).value("unit", ""));
      Json one = call("how_often", {{"variable", name}, {about_.bound->name, value}});
      if (about_.periods && about_.turns) one["arguments"].update(since(*about_.periods));
      if (about_.bound->of_days && has_times()) one["arguments"]["step"] = "day";
      if (const std::string by = split(); !by.empty() && !one["arguments"].contains("step"))
        one["arguments"]["by"] = by;
      const auto range = column(name).value("range", Json::array({0, 0}));
      const bool is_far = !about_.names_columns &&
                          (value < range.at(0).get<double>() || value > range.at(1).get<double>());
      if (!is_far || about_.bound->of_days) calls.push_back(std::move(one));
    }
    ask("How often is it beyond the limit?", calls);
  }

  /// From the second of two periods on.
  static Json since(const Periods& periods) {
    return {{"from", periods.second.substr(0, periods.second.find('/'))}};
  }

  /// The category by which counts are split: one that is named and left open, or the key.
  [[nodiscard]] std::string split() const {
    for (const std::string& name : about_.categories) {
      if (about_.named.contains(name) && !about_.where.contains(name)) return name;
    }
    const std::vector<std::string> open = keys();
    return open.size() == 1 && !about_.where.contains(open[0]) ? open[0] : "";
  }

  [[nodiscard]] bool is_time_between(const std::string& name) const {
    return std::ranges::any_of(table_.at("columns"), [&](const Json& one) {
      return one.at("name") == name && one.contains("between");
    });
  }

  /// How often it was late: the time from what was due to what was done is above zero.
  void lateness() {
    std::vector<Json> calls;
    for (const Json& one : table_.at("columns")) {
      if (!about_.asks.contains("late") || !one.contains("between") || !one.contains("range"))
        continue;
      const auto range = one.at("range").get<std::vector<double>>();
      if (range[0] >= 0 || range[1] <= 0) continue;
      calls.push_back(call("how_often", {{"variable", name_of(one)}, {"above", 0}}));
      if (const std::string by = split(); !by.empty()) calls.back()["arguments"]["by"] = by;
    }
    ask("How often was it late?", calls);
  }

  void columns_compared() {
    const std::vector<std::string>& two = about_.per.empty() ? about_.pair : about_.per;
    if (two.size() != 2) return;
    const auto has = [&](const Json& table) {
      return std::ranges::any_of(table.at("columns"),
                                 [&](const Json& one) { return one.at("name") == two[0]; });
    };
    const auto counts = [&](const std::string& name) {
      return std::ranges::any_of(table_.at("columns"), [&](const Json& one) {
        return one.at("name") == name && one.contains("counts");
      });
    };
    if (!has(table_) || counts(two[0]) || counts(two[1])) return;
    if (is_time_between(two[0]) && is_time_between(two[1])) return;
    Json one = call("compare_columns", {{"variable", two[0]}, {"with", two[1]}});
    if (!about_.categories.empty()) one["arguments"]["by"] = about_.categories.front();
    if (about_.per_each != 1) one["arguments"]["per"] = about_.per_each;
    ask("How do the two columns compare?", {one});
  }

  /// A value of one category within the values of another, where the question counts or compares.
  /// What only tells the rows of a moment apart is no outcome.
  void outcomes() {
    if (!about_.counts && !about_.asks.contains("often")) return;
    const std::vector<std::string> no_outcomes = keys();
    const bool is_open = std::ranges::any_of(
        about_.named, [&](const std::string& name) { return !about_.where.contains(name); });
    std::vector<Json> calls;
    for (const auto& [outcome, value] : about_.where) {
      const bool is_outcome = std::ranges::find(no_outcomes, outcome) == no_outcomes.end() &&
                              is_one_value(about_.where, outcome) &&
                              (about_.part.empty() || about_.part == outcome);
      if (!is_outcome) continue;
      for (const std::string& by : about_.named) {
        if (by == outcome || (is_open && is_one_value(about_.where, by))) continue;
        Json one = call("outcomes", {{"outcome", outcome}, {"value", value}, {"by", by}});
        one["arguments"]["where"].erase(outcome);
        if (is_one_value(about_.where, by)) one["arguments"]["where"].erase(by);
        calls.push_back(std::move(one));
      }
    }
    ask("How does the outcome differ between groups?", calls);
  }

  void periods() {
    if (!about_.periods || !has_times()) return;
    std::vector<Json> calls;
    for (const std::string& name : about_.columns) {
      Json one = call("compare_periods", {{"variable", name},
                                          {"first", about_.periods->first},
                                          {"second", about_.periods->second}});
      one["arguments"].erase("from");
      one["arguments"].erase("to");
      calls.push_back(std::move(one));
    }
    ask("How do the two compare?", calls);
  }

  void figures() {
    std::vector<Json> calls;
    for (const std::string& name : about_.statistics)
      calls.push_back(call("statistics", {{"variable", name}}));
    ask("What are the figures?", calls);
  }

  void groups() {
    std::vector<Json> calls;
    for (const std::string& by : about_.categories) {
      bool is_counted = false;
      for (const std::string& name : about_.columns) {
        Json one = call("shares", {{"variable", name}, {"by", by}});
        // The share that a value has is one of all values.
        if (is_one_value(about_.where, by)) one["arguments"]["where"].erase(by);
        if (about_.compared.contains(by)) {
          const auto& [first, second] = about_.compared.at(by);
          one["arguments"]["compared"] = {{"first", first}, {"second", second}};
        }
        calls.push_back(std::move(one));
        is_counted = is_counted || column(name).at("amount").get<bool>();
      }
      // Of events that are not asked for, their number says little.
      const bool events = table_.value("events", false);
      const std::vector<std::string> fixed = keys();
      const bool is_fixed = !events && std::ranges::find(fixed, by) != fixed.end();
      const bool says_more = events ? about_.named.contains(by) : !is_fixed;
      const bool is_asked = about_.counts && about_.named.contains(by) && !events;
      if ((!is_counted && says_more) || is_asked) {
        Json one = call("shares", {{"by", by}});
        if (events) one["arguments"]["variable"] = table_.at("columns").at(0).at("name");
        if (is_one_value(about_.where, by)) one["arguments"]["where"].erase(by);
        calls.push_back(std::move(one));
      }
    }
    ask("What falls to which category?", calls);
  }

  /// Rows whose last date is empty, of each time between two dates that the question is about.
  void still_open() {
    std::vector<Json> calls;
    for (const Json& one : table_.at("columns")) {
      if (!one.contains("between") || one.at("between").at(0) != table_.at("time")) continue;
      const auto name = one.at("name").get<std::string>();
      const bool is_about = about_.is_broad || about_.said.contains(name);
      if (!about_.asks.contains("open") && (!is_about || one.at("open") == 0)) continue;
      Json arguments{{"variable", name}};
      if (const std::string money = money_named(about_, table_); !money.empty())
        arguments["amount"] = money;
      calls.push_back(call("still_open", arguments));
      for (const std::string& by : about_.categories) {
        if (about_.where.contains(by)) continue;
        arguments["by"] = by;
        calls.push_back(call("still_open", arguments));
      }
    }
    ask("What has not ended yet?", calls);
  }

  void changes() {
    constexpr std::size_t few_values = 8;
    std::vector<Json> calls;
    const std::vector<const Json*> prices = meant_columns(table_.at("columns"), {"price"});
    for (const std::string& name : about_.columns) {
      calls.push_back(call("trend", {{"variable", name}, {"step", "day"}}));
      calls.push_back(call("find_change", {{"variable", name}}));
      if (std::ranges::find(prices, &column(name)) != prices.end())
        calls.push_back(call("find_settings", {{"variable", name}}));
      for (const std::string& key : keys()) {
        const bool few = column(key).at("values").size() <= few_values;
        if (about_.where.contains(key) || !few || column(key).contains("more_values")) continue;
        calls.push_back(call("find_change", {{"variable", name}, {"by", key}}));
      }
    }
    ask("What has changed, and when?", calls);
  }

  /// Whether the values of a category have other shares than before, of rows or of what is asked
  /// about. Rows of a key that has one at each time have none.
  void mixes() {
    std::vector<Json> calls;
    for (const Json& one : table_.at("columns")) {
      if (is_number(one) || one.contains("more_values")) continue;
      const std::string by = name_of(one);
      const bool is_named = about_.named.contains(by);
      const bool is_wanted = about_.is_broad || about_.asks.contains("change") || about_.periods;
      const bool none_named = about_.named.empty();
      if (!is_named && !(is_wanted && none_named) && !about_.is_broad) continue;
      const bool is_open = !is_named || !about_.where.contains(by);
      if (is_open && !is_wanted && !about_.asks.contains("months")) continue;
      Json arguments{{"by", by}};
      const std::vector<std::string> fixed = keys();
      if (std::ranges::find(fixed, by) != fixed.end() && !table_.value("events", false)) {
        const std::string amount = first_amount();
        if (amount.empty()) continue;
        arguments["variable"] = amount;
      }
      if (table_.value("events", false))
        arguments["variable"] = name_of(table_.at("columns").at(0));
      if (about_.periods) {
        arguments["first"] = about_.periods->first;
        arguments["second"] = about_.periods->second;
      }
      if (is_one_value(about_.where, by)) arguments["value"] = about_.where.at(by);
      calls.push_back(call("compare_mix", std::move(arguments)));
      if (is_one_value(about_.where, by)) calls.back()["arguments"]["where"].erase(by);
      if (about_.periods) {
        calls.back()["arguments"].erase("from");
        calls.back()["arguments"].erase("to");
      }
    }
    ask("Has the mix changed?", calls);
  }

  /// Of the columns that are asked about the first that can be summed.
  [[nodiscard]] std::string first_amount() const {
    for (const std::string& name : about_.columns) {
      if (column(name).at("amount").get<bool>()) return name;
    }
    return "";
  }

  void unusual() {
    std::vector<Json> calls;
    for (const std::string& name : about_.columns) {
      const bool is_of_days = about_.is_broad && about_.asks.contains("days") &&
                              column(name).at("amount").get<bool>() && has_times();
      for (const char* step : {"", "day", "row"}) {
        if (step[0] == 'd' ? !is_of_days : step[0] == 'r' && !is_panel()) continue;
        calls.push_back(call("find_unusual", {{"variable", name}, {"method", "robust"}}));
        if (step[0] != '\0') calls.back()["arguments"]["step"] = step;
      }
    }
    ask("Which readings are unusual?", calls);
  }

  void comparisons() {
    std::vector<Json> calls;
    const auto normals = table_.at("normals").get<std::vector<std::string>>();
    for (const std::string& name : about_.columns) {
      if (std::ranges::find(normals, name) != normals.end())
        calls.push_back(call("compare_normals", {{"variable", name}}));
      if (table_.at("history") > 0) calls.push_back(call("compare_before", {{"variable", name}}));
    }
    ask("How is this against what is usual, and against before?", calls);
  }

  /// The hours and weekdays of each value of a category that is named, if they are asked for.
  void patterns_of_each(std::vector<Json>& calls, const std::string& name) const {
    constexpr std::size_t few = 6;
    if (!about_.asks.contains("pattern") || name != about_.columns.front()) return;
    for (const std::string& category : about_.categories) {
      const Json& values = column(category).at("values");
      if (!about_.named.contains(category) || about_.where.contains(category)) continue;
      if (values.size() > few) continue;
      for (const Json& value : values) {
        for (const char* cycle : {"hour", "weekday"}) {
          if (cycle[0] == 'h' ? !has_clock() : !has_days() || days() < 21) continue;
          calls.push_back(call("pattern", {{"variable", name}, {"by", cycle}}));
          calls.back()["arguments"]["where"][category] = value;
        }
      }
    }
  }

  void patterns() {
    std::vector<Json> calls;
    for (const std::string& name : about_.columns) {
      const auto by = [&](const char* cycle) {
        calls.push_back(call("pattern", {{"variable", name}, {"by", cycle}}));
      };
      if (has_clock()) by("hour");
      if (has_days() && days() >= 21) by("weekday");
      if (days() >= 45 && about_.from.empty()) by("month");
      if (has_days() && days() >= 14 && about_.asks.contains("weeks")) by("week");
      patterns_of_each(calls, name);
    }
    const bool alone = table_.at("columns").size() < 2 && !table_.contains("beside");
    if (about_.columns.size() > 0 && !alone && (!is_beside_ || about_.pair.size() == 2)) {
      calls.push_back(call("related", Json::object()));
      if (about_.columns.size() == 1) {
        calls.back()["arguments"]["variable"] = about_.columns.front();
      }
      if (about_.pair.size() == 2) {
        calls.back()["arguments"]["variable"] = about_.pair[0];
        calls.back()["arguments"]["with"] = about_.pair[1];
      }
    }
    ask("Is there a rhythm, and what moves together?", calls);
  }

  const Interest& about_;
  const Json& table_;
  const bool is_beside_;
  std::vector<Question> questions_;
};

}  // namespace

std::vector<Question> questions(const std::string& prompt, const Json& table) {
  Interest about = interest_in(prompt, table);
  std::vector<Interest> others;
  for (const Json& other : table.value("beside", Json::array())) {
    others.push_back(interest_in(prompt, other));
  }
  if (asks_for_rows_alone(about, others)) return {};
  leave_to_named(about, others);
  std::vector<std::string> said{about.said.begin(), about.said.end()};
  for (const Interest& other : others)
    said.insert(said.end(), other.said.begin(), other.said.end());
  if (said.size() == 2) about.pair = said;
  if (said.size() > 2 && about.pair.empty()) about.pair = pair_of_one_unit(about, others, table);
  // What another table's columns or values answer is not asked of all columns of this one.
  const auto is_about = [&](const Interest& other) {
    return other.names_columns || names_more(other, about);
  };
  const bool is_elsewhere =
      !about.names_columns && !about.is_broad && std::ranges::any_of(others, is_about);
  std::vector<Question> all;
  if (!is_elsewhere) all = Plan{about, table, false}.all();
  const std::vector<Json> remarks = remarks_about(prompt, table);
  if (!remarks.empty()) all.push_back({"What is noted?", remarks});
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!is_about(others[i]) && !about.is_broad) continue;
    others[i].pair = about.pair;
    for (Question& one : Plan{others[i], table.at("beside").at(i), true}.all()) {
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace insights
