#include "insights/query.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

#include "insights/cells.hpp"
#include "insights/hours.hpp"
#include "insights/meaning.hpp"
#include "insights/moves.hpp"
#include "insights/periods.hpp"
#include "insights/query_basis.hpp"
#include "insights/seasons.hpp"
#include "insights/takings.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_measures = 3;

class Asking : public QueryBasis {
 public:
  using QueryBasis::QueryBasis;

  std::vector<Query> all() {
    std::vector<Query> queries;
    if (std::optional<Query> end = end_asked(*this)) return {*end};
    if (std::optional<Query> owed = owed_in(*this)) {
      complete_owed(*owed);
      return {*owed};
    }
    if (std::optional<Query> with = groups_with(*this)) return {*with};
    if (std::optional<Query> without = groups_without(*this)) return {*without};
    if (std::optional<Query> times = different_times(*this)) return {*times};
    const bool is_of_gaps = matches(
        R"(\b(?:have|has|had|with|do|does|did) (?:no|not)\b|\bwithout\b|)"
        R"(\b(?:stretch|time|gap|pause|period|spell) (?:when|in which) (?:no|not)[a-z]*\b)");
    if (clause_.says("not computed") || (is_of_gaps && !clause_.restricts_to_none()))
      return queries;
    if (std::optional<Query> counted = different()) return {*counted};
    for (Query& query : measures()) {
      if (complete(query)) queries.push_back(std::move(query));
    }
    return queries;
  }

 private:
  /// The measures that are named, each a query; columns alike are one.
  [[nodiscard]] std::vector<Query> measures() const {
    const Interest& about = clause_.about;
    if (about.per.size() == 2) {
      Query query{.measures = {about.per[0]}, .per = about.per[1], .each = about.per_each};
      return {query};
    }
    if (const std::string stay = nights(); !stay.empty()) return {Query{.measures = {stay}}};
    if (std::optional<Query> made = pair_asked(*this)) return {*made};
    std::vector<std::string> names;
    for (const std::string& name : about.columns) {
      if (about.names_columns && !column(name)->contains("counts")) names.push_back(name);
    }
    leave_out_plan(names);
    if (std::optional<Query> made = signed_asked(*this, names)) return {*made};
    if (names.empty()) names = unnamed();
    const bool is_of_value = !clause_.about.where.empty();
    const bool counts = counts_days() || asks_for_rate() ||
                        (asks_for_share() && !clause_.about.part.empty()) ||
                        (is_of_value && counts_outcomes()) || asks_for_rows(*this) ||
                        ((is_of_value || hours()) && matches(R"(\bhow many\b)") &&
                         counts_rows(table_.at("columns"), clause_.words));
    if (names.empty()) {
      if (std::optional<Query> made = arithmetic_of(*this, names)) return {*made};
    }
    if (names.empty() && !has_events() && !counts) return {};
    if (names.empty()) return {Query{}};
    if (std::optional<Query> made = arithmetic_of(*this, names)) return {*made};
    if (std::optional<Query> made = takings(clause_.words, names, table_)) return {*made};
    if (are_alike(names)) return {Query{.measures = names}};
    if (names.size() > most_measures) names.resize(most_measures);
    std::vector<Query> all;
    for (const std::string& name : names) all.push_back(Query{.measures = {name}});
    return all;
  }

  /// What was planned is not added to what it came to.
  void leave_out_plan(std::vector<std::string>& names) const {
    const auto [actual, planned] = plan_in(table_);
    const bool has_both = std::ranges::find(names, actual) != names.end() &&
                          std::ranges::find(names, planned) != names.end();
    if (has_both && !clause_.says("planned")) std::erase(names, planned);
  }

  /// Of readings, where no column is named: the only one, or the amounts, unless their days are
  /// counted.
  [[nodiscard]] std::vector<std::string> unnamed() const {
    const bool is_of_amounts = matches(
        R"(\b(?:how much|how many|most|least|more|less|fewer|total|average|best|worst|\w{3,}est|busier|quieter|gr[eo]wn?)\b)");
    if (has_events()) {
      std::vector<std::string> all = better();
      return all.empty() ? amount_meant(*this) : all;
    }
    if (counts_days() || asks_for_share() || asks_for_rate() || counts_outcomes() ||
        !is_of_amounts || asks_for_rows(*this))
      return {};
    const bool is_thing =
        matches(R"(\bhow many\b)") && counts_rows(table_.at("columns"), clause_.words);
    std::vector<std::string> all;
    std::vector<std::string> amounts;
    for (const Json& one : table_.at("columns")) {
      const bool is_made = one.contains("counts") || one.contains("between") || one.contains("of");
      if (!is_number(one) || is_made) continue;
      // What is counted is no weight and no length.
      if (is_thing && !one.value("unit", "").empty()) continue;
      all.push_back(name_of(one));
      if (is_amount(all.back())) amounts.push_back(all.back());
    }
    return all.size() == 1 ? all : amounts;
  }
  /// Of events what is better brings more, where one column holds what was taken.
  [[nodiscard]] std::vector<std::string> better() const {
    if (!matches(R"(\b(?:better|worse|best|worst)\b)")) return {};
    std::vector<std::string> all;
    for (const Json* one : meant_columns(table_.at("columns"), {"takings"})) {
      if (is_amount(name_of(*one))) all.push_back(name_of(*one));
    }
    return all.size() == 1 ? all : std::vector<std::string>{};
  }

  /// `how many different boats`: how many values a category has.
  [[nodiscard]] std::optional<Query> different() const {
    const Json* category = category_of_different(clause_.text, table_);
    if (category == nullptr) return std::nullopt;
    Query query;
    query.figure = "different";
    query.of = name_of(*category);
    find_groups(query);
    if (query.by == query.of) query.by.clear();
    return query;
  }

  /// Whether rows are counted that failed or succeeded.
  [[nodiscard]] bool counts_outcomes() const {
    return clause_.says("failures") || clause_.says("successes");
  }
  [[nodiscard]] bool asks_for_rate() const {
    return !clause_.about.where.empty() && matches(R"(\brates?\b)");
  }

  /// `on how many days`, `who was there on most days`
  [[nodiscard]] bool counts_days() const {
    return matches(
        R"(\b(?:many|most|fewest|of the|more|fewer) (?:\w+ )?(?:days|nights|times|shifts)\b|\bhow often\b)");
  }

  /// Whether names differ in one word only, and units in nothing: `Feed P1`, `Feed P2`.
  [[nodiscard]] bool are_alike(const std::vector<std::string>& names) const {
    if (names.size() < 2) return false;
    const std::vector<std::string> first = words_in(names[0]);
    const auto [actual, planned] = plan_in(table_);
    if (std::ranges::find(names, actual) != names.end() &&
        std::ranges::find(names, planned) != names.end())
      return false;
    return std::ranges::all_of(names, [&](const std::string& name) {
      const std::vector<std::string> words = words_in(name);
      if (words.size() != first.size() || words.size() < 2) return false;
      std::size_t different = 0;
      for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == first[i]) continue;
        ++different;
        // What comes from the grid is not added to what goes to it.
        if (insights::words().has("directions", words[i]) &&
            insights::words().has("directions", first[i]))
          return false;
      }
      return different < 2 && is_amount(name) &&
             column(name)->value("unit", "") == column(names[0])->value("unit", "");
    });
  }

  /// Fills in everything but the measure; whether there is more to compute than one column's
  /// statistics.
  bool complete(Query& query) const {
    find_share(query);
    find_groups(query);
    query.hours = hours().value_or(query.hours);
    find_whole(query);
    find_figure(*this, query);
    find_each(*this, query);
    find_row(*this, query);
    find_least_rows(*this, query);
    query.unit = unit_asked(*this, query);
    const bool is_share = query.figure == "share";
    if (query.figure == "change" || query.figure == "each") return true;
    if (clause_.about.bound && !is_share && query.rows == 0) return false;
    // Of readings nothing else says how many rows have a value.
    const bool is_of_value = !clause_.about.where.empty();
    const bool is_count =
        (is_of_value || asks_for_rows(*this)) && query.measures.empty() && !has_events();
    // Of how many something is asked, it is the number of those that the question restricts it to.
    const bool is_number = is_of_value && query.figure == "sum" && query.by.empty() &&
                           matches(R"(\bhow (?:many|much)\b)");
    const bool is_single = is_count || is_number || query.figure == "most" ||
                           query.figure == "least" || query.figure == "spread";
    const bool is_made =
        !query.per.empty() || !query.less.empty() || !query.times.empty() || !query.sign.empty();
    const bool is_sum =
        query.figure == "sum" && query.measures.size() == 1 && !is_amount(query.measures[0]);
    return !query.tell.empty() || is_share || is_single || is_made || is_sum ||
           query.measures.size() > 1 || !query.by.empty() || query.periods ||
           query.hours.second - query.hours.first < 24;
  }

  /// Who owes is told by the only key, where nothing else is named.
  void complete_owed(Query& query) const {
    find_groups(query);
    const auto keys = table_.value("keys", std::vector<std::string>{});
    const bool is_by = matches(R"(\b(?:who|whom|which|each|every|by)\b)");
    if (query.by.empty() && is_by && keys.size() == 1 && !clause_.about.where.contains(keys[0]))
      query.by = keys[0];
    if (query.order.empty() && !query.by.empty()) query.order = "most";
  }

  [[nodiscard]] bool asks_for_share() const {
    return matches(R"(\b(?:share|percentage|per ?cent|proportion|fraction|what part|how much of|)"
                   R"(how likely|most likely|likeliest|likelier|more likely|more often)\b)");
  }

  /// The values of which the share is asked, and none of which another is the group.
  void find_share(Query& query) const {
    const Interest& about = clause_.about;
    const bool is_rate = query.measures.empty() && asks_for_rate();
    if ((!asks_for_share() && !is_rate) || !query.per.empty()) return;
    if (about.bound && query.measures.size() == 1) {
      query.limit = about.bound;
      query.limit->value = about.bound->in(column(query.measures[0])->value("unit", ""));
      query.figure = "share";
      return;
    }
    if (about.where.contains(about.part)) query.part[about.part] = about.where.at(about.part);
    for (const bool is_named : {true, false}) {
      for (const auto& [category, value] : about.where) {
        if (number_wanted(value)) continue;
        if (query.part.empty() && about.named.contains(category) == is_named &&
            !about.left_out.contains(category))
          query.part[category] = value;
      }
    }
    if (query.part.empty() && query.measures.size() == 1 && is_of_rows(query.measures[0])) {
      query.limit = Bound{"above", 0};
    }
    if (!query.part.empty() || query.limit) query.figure = "share";
  }

  /// Whether the share of rows is asked in which there is any of a column: `in how many per cent of
  /// the calls was anybody hurt?`
  [[nodiscard]] bool is_of_rows(const std::string& name) const {
    return column(name)->value("unit", "").empty() &&
           matches(R"(\bin (?:how many|what|which) (?:per ?cent|percentage|share|proportion)\b)");
  }

  /// The column of which another is a part: of `Spoiled sheets`, `Sheets`; "": none.
  [[nodiscard]] std::string whole_of(const std::string& part) const {
    const std::vector<std::string> name = words_in(part);
    const auto has_all = [&](const Json& other) {
      const std::vector<std::string> words = words_in(name_of(other));
      return words.size() < name.size() && std::ranges::all_of(words, [&](const auto& word) {
               return std::ranges::find(name, word) != name.end();
             });
    };
    for (const Json& other : table_.at("columns")) {
      const bool is_sum =
          is_number(other) && !other.contains("counts") && other.at("amount").get<bool>();
      if (is_sum && has_all(other)) return name_of(other);
    }
    return "";
  }

  /// Of the rate of a part, the column before it, or else behind it, that is in the same unit and
  /// usually larger: of `Rejected`, `Delivered`; "": none.
  [[nodiscard]] std::string larger_than(const std::string& part) const {
    const Json& of = *column(part);
    std::string found;
    for (const Json& other : table_.at("columns")) {
      const bool is_made = other.contains("counts") || other.contains("between");
      if (other == of && !found.empty()) break;
      if (!is_number(other) || is_made || other == of || !other.contains("median")) continue;
      const bool is_whole = other.value("unit", "") == of.value("unit", "") &&
                            other.at("median") > of.at("median") && may_add_up(name_of(other));
      if (is_whole) found = name_of(other);
    }
    return found;
  }

  /// Of a part that is compared, or whose rate is asked, how much of the whole it is.
  void find_whole(Query& query) const {
    const bool is_rate = matches(R"(\brates?\b)") || asks_for_share();
    if (query.measures.size() != 1 || !query.per.empty() || query.figure == "share") return;
    if (!query.periods && !is_rate) return;
    query.per = whole_of(query.measures[0]);
    const bool is_part = is_rate && query.per.empty() &&
                         column(query.measures[0])->contains("median") &&
                         may_add_up(query.measures[0]);
    if (is_part) query.per = larger_than(query.measures[0]);
    if (!query.per.empty()) query.each = 100;
  }

  /// `Do shops with parking sell more?`: the category of yes and no that tells those apart, and its
  /// values; "": none.
  [[nodiscard]] std::pair<std::string, std::pair<std::string, std::string>> flag() const {
    if (!matches(R"(^\W*(?:do|does|did|are|is|was|were|have|has|had)\b)")) return {};
    for (const std::string& category : clause_.about.categories) {
      const bool is_open =
          clause_.about.named.contains(category) && !clause_.about.where.contains(category);
      auto values = column(category)->at("values").get<std::vector<std::string>>();
      if (!is_open || values.size() != 2) continue;
      const auto is = [&](std::size_t at, const char* list) {
        const std::vector<std::string> word = words_in(values[at]);
        return word.size() == 1 && words().has(list, word[0]);
      };
      if (is(1, "yes")) std::swap(values[0], values[1]);
      if (is(0, "yes") && is(1, "no")) return {category, {values[0], values[1]}};
    }
    return {};
  }

  void find_groups(Query& query) const {
    const Interest& about = clause_.about;
    query.by = span();
    if (query.by.empty() && about.compared.empty()) std::tie(query.by, query.compared) = flag();
    for (const auto& [category, two] : about.compared) {
      if (!query.by.empty()) break;
      query.by = category;
      query.compared = two;
    }
    const bool is_by = matches(R"(\b(?:which|what|who|whose|where|each|every|per|by|compare|than|)"
                               R"(against|most|least|\w{3,}est|best|worst|any)\b)");
    for (const std::string& category : about.categories) {
      if (!query.by.empty() || !is_by) break;
      const bool is_open = about.named.contains(category) && !about.where.contains(category);
      if (is_open && category != query.of) query.by = category;
    }
    const bool is_of_each = !about.periods || matches(R"(\b(?:which|each|every)\b)");
    if (query.by.empty() && query.measures.size() > 1 && is_of_each) query.by = "measure";
    const bool is_of_two = query.by.empty() || column(query.by) != nullptr;
    if (about.periods && table_.contains("time") && is_of_two) query.periods = about.periods;
    if (is_of_two && asks_for_growth(*this, query)) {
      if (auto ends = ends_of_time(clause_.text, table_)) query.periods = std::move(ends);
    }
    if (clause_.says("extremes") || matches(R"(\b\w{3,}est\b)")) {
      const bool is_of_time = query.measures.size() == 1 && (has("slowest") || has("fastest") ||
                                                             has("quickest") || has("soonest"));
      const bool is_least =
          is_of_time ? asks_for_least(query.measures.front()) : clause_.says("fewest");
      query.order = is_least ? "least" : "most";
    }
    if (!query.by.empty() && query.periods) find_move(query);
  }

  /// Of groups in two times, the order; `most since June` is asked of one time.
  void find_move(Query& query) const {
    const std::string move = move_asked(clause_);
    if (!move.empty()) query.order = move;
    if (move.empty() && !query.order.empty() && clause_.about.turns) query.periods.reset();
  }

  /// The time that the rows are to be grouped by.
  [[nodiscard]] std::string span() const {
    if (!table_.contains("time")) return "";
    const std::string span = span_in(clause_.text, table_.at("clock").get<bool>());
    if (span.empty() && clause_.about.from.empty() && !clause_.about.periods) {
      if (std::string season = season_in(clause_.text, table_); !season.empty()) return season;
    }
    const auto days = clause_.about.where.find(std::string{weekday_key});
    if (span.empty() && days != clause_.about.where.end() && days->second.starts_with(one_of))
      return "weekday";
    const bool is_of_day = span == "night" || (span == "hour" && !says_hour());
    return is_of_day && is_name_of_hours() ? "" : span;
  }

  [[nodiscard]] bool says_hour() const { return matches(R"(\b(?:hours?|time of (?:the )?day)\b)"); }

  [[nodiscard]] std::optional<std::pair<int, int>> hours() const {
    const bool has_clock = table_.contains("time") && table_.at("clock").get<bool>();
    return has_clock && !is_name_of_hours() ? hours_in(clause_.text) : std::nullopt;
  }

  /// Whether a column or a value that the clause names is called after a part of the day: `Night
  /// rate`, or a session in the morning.
  [[nodiscard]] bool is_name_of_hours() const {
    static const std::set<std::string> parts{"morning", "afternoon", "evening", "night"};
    std::vector<std::string> names{clause_.about.said.begin(), clause_.about.said.end()};
    for (const auto& [category, value] : clause_.about.where) names.push_back(value);
    for (const auto& [category, two] : clause_.about.compared) names.push_back(two.first);
    return std::ranges::any_of(names, [](const std::string& name) {
      return std::ranges::any_of(words_in(name), [](const auto& word) {
        return std::ranges::any_of(parts,
                                   [&](const auto& part) { return is_same_word(word, part); });
      });
    });
  }
};

}  // namespace

std::vector<Query> queries_of(const Clause& clause, const Json& table) {
  return Asking{clause, table}.all();
}

}  // namespace insights
