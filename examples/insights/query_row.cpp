// A row that a question looks up, and what has grown.
#include <algorithm>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/moves.hpp"
#include "insights/query_basis.hpp"
#include "insights/unread.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

bool is_extreme_word(const std::string& word) {
  static const std::set<std::string> more{"highest", "lowest"};
  return more.contains(word) || is_superlative({word});
}

/// Whether it asks for one row: `the longest trip`, of trips, or of what no column is called.
bool asks_for_row(const QueryBasis& asked) {
  const std::vector<std::string>& said = asked.clause().words;
  const std::vector<std::string> rows = words_in(asked.table().value("table", ""));
  const auto is_one_row = [&](const std::string& noun) {
    const bool is_one = !noun.ends_with("s") || noun.ends_with("ss");
    const bool is_row =
        std::ranges::any_of(rows, [&](const std::string& row) { return is_same_word(row, noun); });
    return is_one && (is_row || is_unknown({asked.table()}, noun));
  };
  for (std::size_t i = 0; i + 1 < said.size(); ++i) {
    if (is_extreme_word(said[i]) && is_one_row(said[i + 1])) return true;
    // `Which ride took longest?`
    const bool is_which = i == 0 && said[0] == "which" && is_one_row(said[1]);
    if (is_which && asked.matches(R"(\b(?:took|takes|lasted|lasts) (?:the )?(?:long|short)est\b)"))
      return true;
  }
  return false;
}

/// `Which job ran over its hours the worst?`
bool asks_for_worst_row(const QueryBasis& asked) {
  const std::vector<std::string>& said = asked.clause().words;
  const std::vector<std::string> rows = words_in(asked.table().value("table", ""));
  if (said.size() < 3 || said[0] != "which" || said[1].ends_with("s")) return false;
  const bool is_row = words().has("row words", said[1]) || !names_of_rows(rows, {said[1]}).empty();
  return is_row && asked.matches(R"(\b(?:worst|most|furthest|farthest|longest)\b)");
}

}  // namespace

std::optional<Query> end_asked(const QueryBasis& asked) {
  const Interest& about = asked.clause().about;
  // `How long from the first to the last?` is asked of the rows' own times.
  const bool is_span =
      asked.matches(R"(\bhow (?:long|many (?:days|weeks|months|years))\b.*\bfirst\b.*\blast\b)");
  if (is_span && asked.table().contains("time")) {
    Query query;
    query.figure = "ends";
    return query;
  }
  const bool is_asked = asked.matches(
      R"(\b(?:what|whatever) (?:has |have )?(?:happened|became|become|s become) (?:to|of|with)\b|)"
      R"(\b(?:is|are|does|do) .*\bstill\b|\b(?:not|n't|n’t)\b.*\bany ?more\b|)"
      R"(\bwhen did .*\b(?:stop|leave|quit|disappear|go away)\b)");
  if (!is_asked || !asked.table().contains("time") || about.names_columns) return std::nullopt;
  const auto keys = asked.table().value("keys", std::vector<std::string>{});
  const auto is_thing = [&](const auto& one) {
    const std::vector<std::string> name = words_in(one.first);
    const bool is_of_people = std::ranges::any_of(
        name, [](const std::string& word) { return words().has("people", word); });
    const bool is_key = std::ranges::find(keys, one.first) != keys.end();
    // Names have capitals, as states that something is still in do not.
    const bool is_name = asked.clause().text.find(" " + one.second) != std::string::npos &&
                         one.second[0] >= 'A' && one.second[0] <= 'Z';
    return is_one_value(about.where, one.first) && (is_of_people || is_key || is_name);
  };
  if (!std::ranges::any_of(about.where, is_thing)) return std::nullopt;
  Query query;
  query.figure = "ends";
  return query;
}

void find_row(const QueryBasis& asked, Query& query) {
  const bool may_be = query.measures.size() == 1 && !query.periods && query.per.empty() &&
                      query.times.empty() && query.compared.first.empty() &&
                      (query.figure == "sum" || query.figure == "mean") &&
                      (asked.has_events() || !query.less.empty());
  const Json* by = query.by.empty() ? nullptr : asked.column(query.by);
  const bool is_worst = !query.less.empty() && asks_for_worst_row(asked);
  if (!may_be || (by == nullptr && !query.by.empty())) return;
  if (!is_worst && (!query.less.empty() || !asks_for_row(asked))) return;
  query.figure = asked.asks_for_least(query.measures.front()) ? "least" : "most";
  if (by != nullptr) query.tell = {query.by};
  query.by.clear();
  query.order.clear();
}

bool tell_more(Query& query, const Clause& next, const Json& table) {
  const bool is_row = (query.figure == "most" || query.figure == "least") && query.by.empty();
  if (!is_row || !next.asks || !next.is_short()) return false;
  for (const std::string& name : next.about.named) {
    if (!next.about.where.contains(name)) query.tell.push_back(name);
  }
  const Json& first = table.at("columns").at(0);
  for (const std::string& name : next.about.said) {
    const bool is_count = first.contains("counts") && name == name_of(first);
    if (!is_count && name != query.measures[0]) query.tell.push_back(name);
  }
  return !query.tell.empty();
}

bool asks_for_growth(const QueryBasis& asked, const Query& query) {
  static const std::regex since{R"(\bsince (?:the year )?(?:19|20)\d\d\b)", std::regex::icase};
  const Interest& about = asked.clause().about;
  const bool is_since = std::regex_search(asked.clause().text, since);
  if (!asked.table().contains("time") || (about.periods && !is_since)) return false;
  if (!about.from.empty() && !is_since) return false;
  const bool is_grown = asked.matches(
      R"(\b(?:how (?:much|many|far|fast)|by how|by what|has|have|did|are|is)\b.*)"
      R"(\b(?:gr[eo]wn?|increased?|decreased?|shr[aiu]nk|declined?|expand(?:ed)?)\b)");
  if (query.measures.empty()) return is_grown;
  const bool is_moved = asked.matches(
      R"(\b(?:how (?:much|many|far)|by how much|by what|has|have|did)\b.*)"
      R"(\b(?:r[io]se|risen|f[ae]ll|fallen|drop(?:ped)?|(?:go|gone|went|come|came) (?:up|down)|gained?)\b)");
  const bool is_when =
      asked.matches(R"(\b(?:when|(?:which|what) (?:day|week|month|quarter|year))\b)");
  const bool is_lost = !asked.has_events() && asked.has("lost") && asked.has("which") &&
                       move_asked(asked.clause()) == "fall";
  return (is_grown || is_moved || is_lost) && !is_when && asked.is_amount(query.measures[0]);
}

}  // namespace insights
