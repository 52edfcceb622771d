#include "insights/direct.hpp"

#include <algorithm>
#include <regex>

#include "insights/bounds.hpp"
#include "insights/clauses.hpp"
#include "insights/meaning.hpp"
#include "insights/moments.hpp"
#include "insights/periods.hpp"
#include "insights/query.hpp"
#include "insights/query_basis.hpp"
#include "insights/routing.hpp"
#include "insights/rows_asked.hpp"
#include "insights/together.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_columns_of_clause = 3;

class Direct {
 public:
  Direct(const Json& table, bool is_beside, const Results& results, std::vector<Clause> clauses)
      : table_(table), is_beside_(is_beside), results_(results), clauses_(std::move(clauses)) {}

  /// @param is_about  whether the table is the one that a clause is about
  std::vector<DirectCall> all(const std::vector<bool>& is_about) {
    std::vector<DirectCall> found;
    const auto take = [&](std::size_t clause) {
      while (found.size() < calls_.size())
        found.push_back({calls_[found.size()], clause, is_total_});
      is_total_ = false;
    };
    for (std::size_t i = 0; i < clauses_.size(); ++i) {
      if (!clauses_[i].asks || !is_about[i]) continue;
      if (clauses_[i].about.is_broad && !end_asked(QueryBasis{clauses_[i], table_})) continue;
      const bool is_known = resolve(clauses_[i]) && resolve_event(clauses_[i]);
      take(i);
      if (!is_known) break;
      const bool is_rest = i > 0 && clauses_[i].points() && clauses_[i - 1].says("not computed");
      if (!is_rest) add(clauses_[i]);
      take(i);
    }
    return found;
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

  /// `since it got dearer`: compares what was before and since a column changed; whether it is
  /// known when.
  bool resolve_event(Clause& clause) {
    static const std::regex event{R"(\b(?:since|after|before|now that) (?:it|they|the|we|he|she) )"
                                  R"(([^,;?]*))",
                                  std::regex::icase};
    std::smatch found;
    Interest& about = clause.about;
    const bool has_time = about.periods || !about.from.empty() || !has_times();
    if (has_time || !std::regex_search(clause.text, found, event)) return true;
    for (const Json* column : meant_columns(table_.at("columns"), words_in(found[1].str()))) {
      const std::string name = insights::name_of(*column);
      if (about.said.contains(name)) continue;
      const Json change = call("find_change", {{"variable", name}}, clause);
      const auto result = results_(change);
      calls_.push_back(change);
      if (!result) return false;
      const Json changes = result->value("changes", Json::array());
      if (changes.empty()) continue;
      turn_at(about,
              parse_moment(changes.front().at("date").get<std::string>().substr(0, 10))->moment);
      return true;
    }
    return true;
  }

  /// Compares what was before a day and what is from then on.
  void turn_at(Interest& about, Moment day) const {
    about.periods = Periods{end("from") + "/" + moment_text(day - day_length, false),
                            moment_text(day, false) + "/" + end("to")};
    about.turns = true;
    about.from.clear();
    about.to.clear();
  }

  /// Of what was found before, the day; "": there is none.
  [[nodiscard]] std::string day_in(const Json& found) const {
    const Json groups = found.value("groups", Json::array());
    if (!groups.empty()) return groups.front().at("name");
    const Json rows = found.value("rows", Json::array());
    if (!rows.empty()) return rows.front().value("date", "").substr(0, 10);
    const Json last = found.value("last", Json::object());
    return last.value("date", "").substr(0, 10);
  }

  /// @param week  the week that ends with the day is asked about
  void set_day(Interest& about, const std::string& day, bool since, bool week) const {
    about.from = about.to = day;
    if (week) about.from = moment_text(parse_moment(day)->moment - 6 * day_length, false);
    if (!since) return;
    turn_at(about, parse_moment(day)->moment + day_length);
  }

  void add(const Clause& clause) {
    if (looks_up(clause) || together(clause) || contrast(clause) || lateness(clause) ||
        last(clause) || standstill(clause) || limited(clause) || queries(clause))
      return effects(clause);
    is_total_ = std::ranges::count(clauses_, true, &Clause::asks) > 1;
    if (is_total_) totals(clause);
  }

  /// Whether something was worth it shows in all columns, before and since.
  void effects(const Clause& clause) {
    if (!clause.says("worth") || !clause.about.periods || !clause.about.turns) return;
    constexpr std::size_t most = 5;
    std::size_t count = 0;
    for (const Json& column : table_.at("columns")) {
      const std::string name = insights::name_of(column);
      if (!is_number(column) || clause.about.said.contains(name) || ++count > most) continue;
      calls_.push_back(call("compare_periods",
                            {{"variable", name},
                             {"first", clause.about.periods->first},
                             {"second", clause.about.periods->second}},
                            clause));
      calls_.back()["arguments"].erase("from");
      calls_.back()["arguments"].erase("to");
    }
  }

  /// The rows that the clause asks to see; of things with several rows also what is computed of
  /// these. `What was it then?` is told by the row of the clause before.
  bool looks_up(const Clause& clause) {
    std::vector<Json> asked = lookups_of(clause, clauses_, table_);
    if (asked.empty() && !row_call_.is_null() && points_to_row(clause)) {
      calls_.push_back(row_call_);
      return true;
    }
    row_call_ = Json{};
    for (Json& arguments : asked) {
      Json one = call("look_up", std::move(arguments), clause);
      const std::string column = one["arguments"].value("column", "");
      if (clause.about.where.contains(column)) {
        drop(one, column);
        queries(clause);
      }
      if (one["arguments"].contains("end")) row_call_ = day_call_ = one;
      calls_.push_back(std::move(one));
    }
    return !asked.empty();
  }

  /// Whether two columns rise and fall together.
  bool together(const Clause& clause) {
    const std::vector<std::string> two = asked_together(clause, table_);
    if (two.size() != 2) return false;
    Json arguments{{"variable", two[0]}, {"with", two[1]}};
    if (asks_of_rows(clause)) arguments["step"] = "row";
    calls_.push_back(call("related", std::move(arguments), clause));
    return true;
  }

  /// What a clause asks to compute. A group that leads is what the next clauses may point to.
  bool queries(const Clause& clause) {
    const std::size_t before = calls_.size();
    if (is_told_) return !(is_told_ = false);
    for (Query& query : queries_of(clause, table_)) {
      // `Who gets most?` is about the measure of the clause before.
      const bool goes_on = clause.is_short() && !query.by.empty() && last_ &&
                           (!last_->less.empty() || !last_->times.empty() || !last_->per.empty());
      if (goes_on) {
        const std::string by = query.by;
        const std::string order = query.order;
        query = *last_;
        query.by = by;
        query.order = order;
      }
      const bool is_last = &clause == &clauses_.back();
      is_told_ = !is_last && tell_more(query, *(&clause + 1), table_);
      // The highest reading has its day with it.
      const bool is_told = clause.is_short() && query.by == "day" && last_ && last_->by.empty() &&
                           (last_->figure == "most" || last_->figure == "least");
      if (is_told) return true;
      // `How much did this grow, and how much that?`
      const bool changes = last_ && last_->figure == "change" && query.measures == last_->measures;
      if (changes && query.by.empty()) query.figure = "change";
      last_ = query;
      Json one = call("compute", query, clause);
      for (const auto& [category, value] : query.part) drop(one, category);
      for (const std::string& category : query.leaves) drop(one, category);
      if (query.periods) {
        one["arguments"].erase("from");
        one["arguments"].erase("to");
      } else if (clause.about.turns && !query.by.empty()) {
        const std::string& since = clause.about.periods->second;
        one["arguments"]["from"] = since.substr(0, since.find('/'));
      }
      calls_.push_back(std::move(one));
      if (calls_.size() > before + 1) continue;
      if (query.by == "day" && !query.order.empty()) day_call_ = calls_.back();
      if (query.by.empty() || query.by == "measure" || is_span(query.by)) continue;
      winner_call_ = calls_.back();
      winner_of_ = query.by;
    }
    return calls_.size() > before;
  }

  static bool has(const Clause& clause, const char* word) {
    return std::ranges::find(clause.words, word) != clause.words.end();
  }
  [[nodiscard]] std::string end(const char* name) const {
    return table_.at(name).get<std::string>().substr(0, 10);
  }
  [[nodiscard]] bool has_times() const { return table_.contains("time"); }

  /// Whether the column counts the rows.
  [[nodiscard]] bool is_count(const std::string& name) const {
    const Json& first = table_.at("columns").at(0);
    return name == insights::name_of(first) && first.contains("counts");
  }

  /// What the clause names, or, of events, their number.
  [[nodiscard]] std::vector<std::string> columns(const Clause& clause) const {
    std::vector<std::string> names;
    if (clause.about.names_columns) names = clause.about.columns;
    // Rows are what the columns are of, where others are named.
    if (names.size() > 1)
      std::erase_if(names, [&](const std::string& name) { return is_count(name); });
    if (names.size() > most_columns_of_clause) names.resize(most_columns_of_clause);
    if (names.empty() && table_.value("events", false)) {
      names.push_back(insights::name_of(table_.at("columns").at(0)));
    }
    return names;
  }

  Json call(const char* tool, Json arguments, const Clause& clause) const {
    for (const auto& [name, value] : clause.about.where) arguments["where"][name] = value;
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
    const std::string with = column_without(table_.at("columns"), clause.words);
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
    const std::vector<std::string> late = late_columns(clause, table_);
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

  /// A value that the clause names; "": none.
  [[nodiscard]] std::string value_in(const Clause& clause) const {
    std::string any;
    for (const auto& [category, value] : clause.about.where) {
      if (!is_one_value(clause.about.where, category)) continue;
      if (clause.about.named.contains(category)) return category;
      any = category;
    }
    return any;
  }

  static void drop(Json& call, const std::string& category) {
    call["arguments"]["where"].erase(category);
    if (call["arguments"]["where"].empty()) call["arguments"].erase("where");
  }

  /// How often it was late: before and after a day, of each group, or in all.
  bool lateness(const Clause& clause) {
    const std::vector<std::string> late = late_columns(clause, table_);
    if (late.empty()) return false;
    if (clause.about.periods && clause.about.turns) {
      set_apart(clause, {{"period", clause.about.periods->second}});
      return true;
    }
    const auto open = std::ranges::find_if(clause.about.categories, [&](const auto& name) {
      return clause.about.named.contains(name) && !clause.about.where.contains(name);
    });
    const bool is_of_one = open == clause.about.categories.end() && !value_in(clause).empty();
    if (is_of_one || std::ranges::count(clauses_, true, &Clause::asks) < 2) return false;
    for (const std::string& name : late) {
      calls_.push_back(call("how_often", {{"variable", name}, {"above", 0}}, clause));
      if (open != clause.about.categories.end()) calls_.back()["arguments"]["by"] = *open;
    }
    return true;
  }

  /// When there was some of a column for the first or the last time.
  bool last(const Clause& clause) {
    const bool is_end = has(clause, "last") || has(clause, "first");
    const std::vector<std::string> names = columns(clause);
    if (!has_times() || !is_end || !has(clause, "when") || names.empty()) return false;
    calls_.push_back(call("how_often", {{"variable", names.front()}, {"above", 0}}, clause));
    day_call_ = calls_.back();
    return true;
  }

  /// When what usually runs did not: a column that is named was at zero.
  bool standstill(const Clause& clause) {
    if (!asks_for_standstill(clause.text) || !clause.about.names_columns) return false;
    const std::size_t before = calls_.size();
    for (const std::string& name : columns(clause)) {
      const auto of = std::ranges::find(table_.at("columns"), name, insights::name_of);
      const bool may_stop = !is_count(name) && of->contains("range") &&
                            of->at("range").at(0) == 0 && of->at("median") > 0;
      if (may_stop)
        calls_.push_back(call("how_often", {{"variable", name}, {"at_most", 0}}, clause));
    }
    return calls_.size() > before;
  }

  /// `How much do we sell above 25 degrees`: one column where another is beyond the limit.
  bool limited(const Clause& clause) {
    static const std::regex counts{
        R"(\b(?:share|per ?cent\w*|proportion|how often|how many (?:days|times|hours|nights))\b)",
        std::regex::icase};
    if (!clause.about.bound || !clause.about.names_columns) return false;
    if (std::regex_search(clause.text, counts)) return false;
    const Bound& bound = *clause.about.bound;
    const Json* with = limited_column(clause.text, bound, table_.at("columns"));
    if (with == nullptr) return false;
    const std::size_t before = calls_.size();
    for (const std::string& name :
         limited_columns(clause.about.said, *with, table_.at("columns"))) {
      calls_.push_back(call("compare_parts",
                            {{"variable", name},
                             {"with", insights::name_of(*with)},
                             {"beyond", bound.name},
                             {"than", bound.in(with->value("unit", ""))}},
                            clause));
    }
    return calls_.size() > before;
  }

  /// How much there is of each column, and of a value how much of it.
  void totals(const Clause& clause) {
    const std::string category = value_in(clause);
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
  std::optional<Query> last_;
  Json day_call_;
  Json row_call_;  ///< that shows the first or the last row
  Json winner_call_;
  std::string winner_of_;
  bool is_told_ = false;   ///< what the next clause asks is told by the last call
  bool is_total_ = false;  ///< the last calls are those of totals()
};

}  // namespace

std::vector<Json> direct_calls(const std::string& prompt, const Json& table,
                               const Results& results) {
  std::vector<Json> all;
  for (DirectCall& one : direct_calls_of_clauses(prompt, table, results))
    all.push_back(std::move(one.call));
  return all;
}

std::vector<DirectCall> direct_calls_of_clauses(const std::string& prompt, const Json& table,
                                                const Results& results) {
  std::vector<Json> tables{table};
  for (const Json& other : table.value("beside", Json::array())) tables.push_back(other);
  std::vector<std::vector<Clause>> clauses;
  for (const Json& one : tables) clauses.push_back(clauses_of(prompt, one));
  const std::vector<std::size_t> of_clause = tables_of(clauses, tables);
  std::vector<DirectCall> all;
  for (std::size_t at = 0; at < tables.size(); ++at) {
    std::vector<bool> is_about;
    for (std::size_t i = 0; i < of_clause.size(); ++i)
      is_about.push_back(of_clause[i] == at || !clauses[at][i].about.looked_up.empty());
    for (DirectCall& one : Direct{tables[at], at > 0, results, clauses[at]}.all(is_about)) {
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace insights
