// Which figure of its measure a question asks for.
#include <algorithm>
#include <regex>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/query_basis.hpp"
#include "insights/shapes.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

class Figure {
 public:
  Figure(const QueryBasis& asked, Query& query)
      : asked_(asked), query_(query), first_(query.measures[0]) {}

  void find() {
    if (is_spread() || is_range()) {
      query_.figure = is_range() ? "range" : "spread";
      if (!query_.order.empty()) query_.order = is_of_least_spread() ? "least" : "most";
      return;
    }
    const std::string unit = asked_.column(first_)->value("unit", "");
    const bool is_mean = is_of_one() || matches(R"(\b(?:average|mean|typical|typically|usually|)"
                                                R"(normally)\b)");
    const bool is_total = matches(
        R"(\b(?:in all|altogether|total|totals|in sum|sum|how much|how many|spent|spend|booked)\b)");
    const bool is_product = !query_.times.empty() || !query_.less.empty();
    const bool may_add =
        asked_.is_amount(first_) || is_product || first_ == asked_.nights() ||
        (words().has("time units", unit) && matches(R"(\bhow many (?:hours|minutes)\b)")) ||
        (asked_.has_events() && words().has("amount units", unit) &&
         (is_total || (asked_.has("most") && !query_.by.empty()))) ||
        (asked_.may_add_up(first_) &&
         matches(R"(\b(?:how many|how often|in all|altogether|in total|in sum)\b)"));
    const bool is_of_all = query_.by.empty() && !query_.periods;
    const bool may_be_one = !is_total && !is_mean && (is_of_all || is_of_each(may_add));
    if (may_be_one && is_extreme()) {
      query_.figure = asked_.asks_for_least(first_) ? "least" : "most";
    } else if (may_be_one && is_of_all && !may_add && asked_.has("worst")) {
      query_.figure = is_good_when_high() ? "least" : "most";
    } else if (is_mean || !may_add) {
      query_.figure = "mean";
    }
  }

 private:
  [[nodiscard]] bool matches(const char* pattern) const { return asked_.matches(pattern); }

  /// Whether it asks how far apart the highest and the lowest are.
  [[nodiscard]] bool is_range() const {
    return query_.measures.size() == 1 && !query_.periods &&
           matches(
               R"(\b(?:difference|gap|range|swing|spread|distance) (?:\w+ ){0,2}between (?:\w+ ){0,3})"
               R"((?:low(?:est)?|high(?:est)?|smallest|largest|least|most|minimum|maximum)\b)");
  }
  /// Whether it asks how much something goes up and down.
  [[nodiscard]] bool is_spread() const {
    return query_.measures.size() == 1 && !query_.periods && asked_.clause().says("spreads");
  }
  [[nodiscard]] bool is_of_least_spread() const {
    return asked_.clause().says("steady") != asked_.clause().says("fewest");
  }

  /// Whether two are compared by what one of them is: one is dearer than the other whichever there
  /// are more of. Of those that have something and those that have not, there are hardly as many.
  [[nodiscard]] bool is_of_one() const {
    if (is_of_many_things()) return true;
    if (query_.compared.first.empty()) return false;
    const bool is_flag = words().has("yes", words_in(query_.compared.first)[0]);
    const bool has_unit = asked_.column(first_)->contains("unit");
    return is_flag ? !matches(R"(\b(?:in all|altogether|totals?|how many)\b)")
                   : has_unit && (is_comparative(asked_.clause().words) || asked_.has("lower") ||
                                  matches(R"(\bcosts? (?:\w+ )?(?:more|less)\b)"));
  }

  /// Whether things of groups are compared by how heavy, long or dear each is: `whose lambs are
  /// heaviest`, `do triplets come out lighter`. One row is `the heaviest lamb`.
  [[nodiscard]] bool is_of_many_things() const {
    if (query_.by.empty() || query_.by == "measure" || !asked_.column(first_)->contains("unit"))
      return false;
    const std::vector<std::string>& said = asked_.clause().words;
    for (std::size_t i = 0; i < said.size(); ++i) {
      const bool is_it = words().has("of each thing", said[i]);
      if (!is_it) continue;
      if (!said[i].ends_with("est")) return true;
      const bool is_of_things =
          i + 1 < said.size() && names_things({said[i + 1]}) && !words().has("times", said[i + 1]);
      const bool are_so = i > 1 && matches(R"(\b(?:are|were)\b)") &&
                          (said[i - 1] == "the" || said[i - 1] == "are" || said[i - 1] == "were");
      if (is_of_things || are_so) return true;
    }
    return false;
  }

  /// Whether the extreme of each group is asked for: `the highest temperature in each room`.
  [[nodiscard]] bool is_of_each(bool may_add) const {
    return !query_.by.empty() && query_.by != "measure" && !query_.periods &&
           (!may_add || asked_.has_events()) &&
           matches(may_add ? R"(\b(?:each|every)\b)" : R"(\b(?:each|every|per|by|all)\b)") &&
           !matches(R"(\b(?:which|who|whose)\b)");
  }
  [[nodiscard]] bool is_extreme() const {
    return matches(
        R"(\b(?:highest|lowest|largest|smallest|biggest|longest|shortest|)"
        R"(dearest|cheapest|heaviest|lightest|coldest|warmest|hottest|)"
        R"(furthest|farthest|oldest|youngest|tallest|deepest|fastest|slowest|loudest|steepest|)"
        R"(strongest|maximum|minimum|peak|most expensive|how (?:high|low|cold|warm|hot))\b)");
  }
  /// Whether the worst is the lowest: a rating.
  [[nodiscard]] bool is_good_when_high() const {
    return std::ranges::any_of(words_in(first_), [](const std::string& word) {
      return words().has("good when high", word);
    });
  }

  const QueryBasis& asked_;
  Query& query_;
  const std::string first_;
};

/// Whether it asks by how much a level rose or fell from the first to the last of its times.
bool is_of_change(const QueryBasis& asked, const Query& query) {
  return query.measures.size() == 1 && !asked.is_amount(query.measures[0]) && !query.periods &&
         asked.table().contains("time") && !asked.has_events() && query.less.empty() &&
         query.times.empty() && asked.matches(R"(\b(?:how much|how many|what|by how)\b)") &&
         asked.matches(
             R"(\b(?:gr[eo]w|grown|rise|rose|risen|fall|fell|fallen|drop(?:ped)?|gain(?:ed)?|)"
             R"(put on|increased?|decreased?|shr[aiu]nk|changed?|los[et]|climb(?:ed)?)\b)");
}

}  // namespace

void find_figure(const QueryBasis& asked, Query& query) {
  if (query.figure == "share" || !query.per.empty()) return;
  if (is_of_change(asked, query)) {
    query.figure = "change";
  } else if (!query.measures.empty()) {
    Figure{asked, query}.find();
  }
}

}  // namespace insights
