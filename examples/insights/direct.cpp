#include "insights/direct.hpp"

#include <algorithm>

#include "insights/clauses.hpp"
#include "insights/meaning.hpp"
#include "insights/moments.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_columns = 3;

class Direct {
 public:
  Direct(const Json& table, bool is_beside, const Results& results, std::vector<Clause> clauses)
      : table_(table), is_beside_(is_beside), results_(results), clauses_(std::move(clauses)) {}

  /// @param is_about  whether the table is the one that a clause is about
  std::vector<Json> all(const std::vector<bool>& is_about) {
    for (std::size_t i = 0; i < clauses_.size(); ++i) {
      if (!clauses_[i].asks || clauses_[i].about.is_broad || !is_about[i]) continue;
      if (!resolve(clauses_[i])) break;
      add(clauses_[i]);
    }
    return std::move(calls_);
  }

 private:
  /// Puts what was found for the clause before in place of what points to it; whether it is known.
  bool resolve(Clause& clause) {
    const bool is_day = clause.says("pointing") && has(clause, "day");
    const bool is_since = has(clause, "then") && has(clause, "since");
    const bool is_week = has(clause, "week") && (has(clause, "then") || has(clause, "before"));
    if (!day_call_.is_null() && (is_day || is_since || is_week)) {
      const auto found = results_(day_call_);
      if (!found) return false;
      const std::string day = day_in(*found);
      if (!day.empty()) set_day(clause.about, day, is_since, is_week);
    }
    const bool is_there = clause.says("pointing") && !clause.about.named.contains(winner_of_);
    if (winner_call_.is_null() || !is_there || is_day) return true;
    const auto found = results_(winner_call_);
    if (!found) return false;
    const Json groups = found->value("groups", Json::array());
    if (!groups.empty()) clause.about.where[winner_of_] = groups.front().at("name");
    return true;
  }

  /// Of what was found before, the day; "": there is none.
  [[nodiscard]] std::string day_in(const Json& found) const {
    const Json day = found.value(day_field_, Json{});
    const Json date = day.is_object() ? day.value("date", Json{}) : day;
    return date.is_string() ? date.get<std::string>().substr(0, 10) : "";
  }

  /// @param week  the week that ends with the day is asked about
  void set_day(Interest& about, const std::string& day, bool since, bool week) const {
    about.from = about.to = day;
    if (week) about.from = moment_text(parse_moment(day)->moment - 6 * day_length, false);
    if (!since) return;
    const Moment next = parse_moment(day)->moment + day_length;
    about.periods = Periods{end("from") + "/" + day, moment_text(next, false) + "/" + end("to")};
    about.turns = true;
    about.from.clear();
    about.to.clear();
  }

  void add(const Clause& clause) {
    if (contrast(clause) || periods(clause) || day(clause) || last(clause)) return;
    if (std::ranges::count(clauses_, true, &Clause::asks) < 2) return;
    if (!groups(clause)) totals(clause);
  }

  static bool has(const Clause& clause, const char* word) {
    return std::ranges::find(clause.words, word) != clause.words.end();
  }
  [[nodiscard]] std::string end(const char* name) const {
    return table_.at(name).get<std::string>().substr(0, 10);
  }
  [[nodiscard]] bool has_times() const { return table_.contains("time"); }

  /// What the clause names, or, of events, their number.
  [[nodiscard]] std::vector<std::string> columns(const Clause& clause) const {
    std::vector<std::string> names;
    if (clause.about.names_columns) names = clause.about.columns;
    // Rows are what the columns are of, where others are named.
    if (names.size() > 1) {
      const std::string rows = insights::name_of(table_.at("columns").at(0));
      std::erase_if(names, [&](const std::string& name) {
        return name == rows && table_.at("columns").at(0).contains("counts");
      });
    }
    if (names.size() > most_columns) names.resize(most_columns);
    if (names.empty() && table_.value("events", false)) {
      names.push_back(insights::name_of(table_.at("columns").at(0)));
    }
    return names;
  }

  Json call(const char* tool, Json arguments, const Clause& clause) const {
    if (!clause.about.where.empty()) arguments["where"] = clause.about.where;
    if (!clause.about.from.empty()) {
      arguments["from"] = clause.about.from;
      arguments["to"] = clause.about.to;
    }
    if (is_beside_) arguments["table"] = table_.at("table");
    return {{"tool", tool}, {"arguments", std::move(arguments)}};
  }

  /// A part of the rows against all others: one value, one time, or those with some of a column.
  bool contrast(const Clause& clause) {
    const Interest& about = clause.about;
    const std::string with = column_without(clause);
    if (with.empty() && !clause.says("others")) return false;
    Json part;
    if (!with.empty()) {
      part = {{"with", with}};
    } else if (!about.from.empty()) {
      part = {{"period", about.from + "/" + about.to}};
    } else if (const std::string category = value_in(clause); !category.empty()) {
      part = {{"value", {{category, about.where.at(category)}}}};
    } else {
      return false;
    }
    set_apart(clause, part);
    return true;
  }

  /// Calls that set the part against all others, by how long things took or how often they were
  /// late.
  void set_apart(const Clause& clause, const Json& part) {
    const std::vector<std::string> late = late_columns(clause);
    for (const std::string& name : late.empty() ? columns(clause) : late) {
      if (part.contains("with") && part.at("with") == name) continue;
      Json one = call("compare_parts", part, clause);
      one["arguments"]["variable"] = name;
      if (!late.empty()) one["arguments"]["above"] = 0;
      if (part.contains("period")) {
        one["arguments"].erase("from");
        one["arguments"].erase("to");
      }
      if (part.contains("value")) drop(one, part.at("value").begin().key());
      calls_.push_back(std::move(one));
    }
  }

  /// The times between two dates of which some are negative, if the clause asks what was late.
  [[nodiscard]] std::vector<std::string> late_columns(const Clause& clause) const {
    std::vector<std::string> names;
    if (!clause.about.asks.contains("late")) return names;
    for (const Json& one : table_.at("columns")) {
      if (!one.contains("between") || !one.contains("range")) continue;
      const auto range = one.at("range").get<std::vector<double>>();
      if (range[0] < 0 && range[1] > 0) names.push_back(insights::name_of(one));
    }
    const auto is_said = [&](const auto& name) { return clause.about.said.contains(name); };
    if (std::ranges::any_of(names, is_said)) {
      std::erase_if(names, [&](const auto& name) { return !is_said(name); });
    }
    return names;
  }

  /// A value that the clause names; "": none.
  [[nodiscard]] std::string value_in(const Clause& clause) const {
    std::string any;
    for (const auto& [category, value] : clause.about.where) {
      if (clause.about.named.contains(category)) return category;
      any = category;
    }
    return any;
  }

  static void drop(Json& call, const std::string& category) {
    call["arguments"]["where"].erase(category);
    if (call["arguments"]["where"].empty()) call["arguments"].erase("where");
  }

  /// The column of numbers of which `without` speaks: some have none of it.
  [[nodiscard]] std::string column_without(const Clause& clause) const {
    if (!has(clause, "without")) return "";
    const auto& asked = clause.words;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (asked[i] != "with" && asked[i] != "without") continue;
      for (std::size_t j = i + 1; j < std::min(asked.size(), i + 3); ++j) {
        for (const Json& column : table_.at("columns")) {
          const bool is_made = column.contains("between") || column.contains("counts");
          if (!is_number(column) || is_made) continue;
          for (const std::string& word : words_in(insights::name_of(column))) {
            if (!words().has("stop", asked[j]) && speaks_of(asked[j], word))
              return insights::name_of(column);
          }
        }
      }
    }
    return "";
  }

  bool periods(const Clause& clause) {
    if (!clause.about.periods || !clause.about.turns || !has_times()) return false;
    if (!late_columns(clause).empty()) {
      set_apart(clause, {{"period", clause.about.periods->second}});
      return true;
    }
    for (const std::string& name : columns(clause)) {
      Json one = call("compare_periods",
                      {{"variable", name},
                       {"first", clause.about.periods->first},
                       {"second", clause.about.periods->second}},
                      clause);
      if (const std::string whole = whole_of(name); !whole.empty()) one["arguments"]["of"] = whole;
      one["arguments"].erase("from");
      one["arguments"].erase("to");
      calls_.push_back(std::move(one));
    }
    return true;
  }

  /// The column of which another is a part: of `Spoiled sheets`, `Sheets`; "": none.
  [[nodiscard]] std::string whole_of(const std::string& part) const {
    const std::vector<std::string> name = words_in(part);
    const auto has_all = [&](const Json& other) {
      const std::vector<std::string> words = words_in(insights::name_of(other));
      return words.size() < name.size() && std::ranges::all_of(words, [&](const auto& word) {
               return std::ranges::find(name, word) != name.end();
             });
    };
    for (const Json& other : table_.at("columns")) {
      const bool is_sum =
          is_number(other) && !other.contains("counts") && other.at("amount").get<bool>();
      if (is_sum && has_all(other)) return insights::name_of(other);
    }
    return "";
  }

  /// The day with the most or least.
  bool day(const Clause& clause) {
    if (!has_times() || !has(clause, "day") || !clause.says("extremes")) return false;
    for (const std::string& name : columns(clause)) {
      calls_.push_back(call("statistics", {{"variable", name}, {"step", "day"}}, clause));
      if (name != columns(clause).front()) continue;
      day_call_ = calls_.back();
      day_field_ = clause.says("fewest") ? "min_date" : "max_date";
    }
    return true;
  }

  /// When something was for the last time.
  bool last(const Clause& clause) {
    if (!has_times() || !has(clause, "last") || !has(clause, "when")) return false;
    const std::vector<std::string> names = columns(clause);
    if (names.empty()) return false;
    calls_.push_back(call("how_often", {{"variable", names.front()}, {"above", 0}}, clause));
    day_call_ = calls_.back();
    day_field_ = "last";
    return true;
  }

  bool groups(const Clause& clause) {
    const auto open = std::ranges::find_if(clause.about.categories, [&](const auto& name) {
      return clause.about.named.contains(name) && !clause.about.where.contains(name);
    });
    if (open == clause.about.categories.end()) return false;
    for (const std::string& name : late_columns(clause)) {
      calls_.push_back(
          call("how_often", {{"variable", name}, {"above", 0}, {"by", *open}}, clause));
    }
    if (!late_columns(clause).empty()) return true;
    for (const std::string& name : columns(clause)) {
      calls_.push_back(call("shares", {{"variable", name}, {"by", *open}}, clause));
      if (name != columns(clause).front()) continue;
      winner_call_ = calls_.back();
      winner_of_ = *open;
    }
    return true;
  }

  /// How much there is of each column, and of a value how much of it.
  void totals(const Clause& clause) {
    const std::string category = value_in(clause);
    const std::vector<std::string> late = late_columns(clause);
    for (const std::string& name : late) {
      calls_.push_back(call("how_often", {{"variable", name}, {"above", 0}}, clause));
    }
    if (!late.empty()) return;
    if (!category.empty()) {
      set_apart(clause, {{"value", {{category, clause.about.where.at(category)}}}});
      return;
    }
    for (const std::string& name : columns(clause)) {
      calls_.push_back(call("statistics", {{"variable", name}}, clause));
    }
  }

  const Json& table_;
  const bool is_beside_;
  const Results& results_;
  std::vector<Clause> clauses_;
  std::vector<Json> calls_;
  Json day_call_;
  std::string day_field_;
  Json winner_call_;
  std::string winner_of_;
};

/// How much of a clause a table has names for.
std::size_t named_in(const Interest& about) {
  return (about.names_columns && !about.is_meant ? 2 : 0) + about.where.size() +
         about.compared.size() + about.named.size();
}

/// The first table that has the most of a clause.
std::size_t table_of(const std::vector<std::vector<Clause>>& clauses, std::size_t clause) {
  std::size_t best = 0;
  for (std::size_t at = 1; at < clauses.size(); ++at) {
    if (named_in(clauses[at][clause].about) > named_in(clauses[best][clause].about)) best = at;
  }
  return best;
}

}  // namespace

std::vector<Json> direct_calls(const std::string& prompt, const Json& table,
                               const Results& results) {
  std::vector<Json> tables{table};
  for (const Json& other : table.value("beside", Json::array())) tables.push_back(other);
  std::vector<std::vector<Clause>> clauses;
  for (const Json& one : tables) clauses.push_back(clauses_of(prompt, one));
  std::vector<Json> all;
  for (std::size_t at = 0; at < tables.size(); ++at) {
    std::vector<bool> is_about;
    for (std::size_t i = 0; i < clauses[0].size(); ++i) {
      is_about.push_back(table_of(clauses, i) == at);
    }
    for (Json& one : Direct{tables[at], at > 0, results, clauses[at]}.all(is_about)) {
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace insights
