// Two columns of one row that a question sets against each other in everyday words: what was
// planned and what it came to, room and how much of it is taken; and one column of what goes out
// and comes in.
#include <algorithm>
#include <regex>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/query_basis.hpp"
#include "insights/takings.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

bool has_word(const Json& column, const char* list) {
  return std::ranges::any_of(words_in(name_of(column)),
                             [&](const std::string& word) { return words().has(list, word); });
}

bool is_measured(const Json& column) {
  return is_number(column) && !column.contains("counts") && !column.contains("between");
}

/// Whether two names have a word in common that tells nothing of a plan.
bool are_of_one_thing(const Json& planned, const Json& actual) {
  const std::vector<std::string> others = words_in(name_of(actual));
  return std::ranges::any_of(words_in(name_of(planned)), [&](const std::string& word) {
    return !words().has("planned", word) && std::ranges::find(others, word) != others.end();
  });
}

/// `Tickets sold` of `Seats`: the column of room and that of what of it is taken; none: "".
std::pair<std::string, std::string> room_in(const Json& table) {
  for (const Json& room : table.at("columns")) {
    if (!is_measured(room) || !has_word(room, "capacities") || !room.contains("range")) continue;
    for (const Json& filled : table.at("columns")) {
      const bool is_it = is_measured(filled) && name_of(filled) != name_of(room) &&
                         filled.contains("range") && has_word(filled, "filled") &&
                         filled.at("median") <= room.at("median");
      if (is_it) return {name_of(filled), name_of(room)};
    }
  }
  return {};
}

/// Of hours, an estimate or a budget, that somebody goes over or remains under.
bool asks_for_overrun(const QueryBasis& asked) {
  return asked.matches(
      R"(\b(?:over|under|above|below|beyond|past|within|exceed\w*)(?: (?:its|his|her|their|the|our|my))?)"
      R"((?: (?:planned|estimated|allowed|budgeted|quoted))? )"
      R"((?:hours|time|estimates?|budgets?|plans?|planned|allowance|targets?)\b|)"
      R"(\b(?:over|under)(?:-| )?(?:r[au]n\w*|spen[dt]\w*|estimat\w*|budget\w*)\b|)"
      R"(\bthan (?:(?:it|they|we|I|he|she) (?:was|were|had|is|are)? ?)?)"
      R"((?:planned|estimated|expected|allowed|quoted|budgeted)\b|)"
      R"(\b(?:allow|estimate|plan|budget)(?:ed|s)?\b.*\b(?:take|took|takes|needed|used|spent|worked)\b)");
}

}  // namespace

std::pair<std::string, std::string> plan_in(const Json& table) {
  for (const Json& planned : table.at("columns")) {
    if (!is_measured(planned) || !has_word(planned, "planned") || has_word(planned, "actual"))
      continue;
    for (const Json& actual : table.at("columns")) {
      const bool is_other = is_measured(actual) && name_of(actual) != name_of(planned) &&
                            actual.value("unit", "") == planned.value("unit", "");
      const bool is_it = !has_word(actual, "planned") && are_of_one_thing(planned, actual) &&
                         (has_word(actual, "actual") ||
                          words_in(name_of(actual)).size() < words_in(name_of(planned)).size());
      if (is_other && is_it) return {name_of(actual), name_of(planned)};
    }
  }
  return {};
}

std::optional<Query> pair_asked(const QueryBasis& asked) {
  const Interest& about = asked.clause().about;
  const bool counts = asked.matches(
      R"(\b(?:how (?:many|often)|what (?:share|percentage|proportion)|which \w+ never)\b)");
  if (asks_for_overrun(asked)) {
    const auto [actual, planned] = plan_in(asked.table());
    if (actual.empty()) return std::nullopt;
    Query query{.measures = {actual}, .less = planned};
    const bool is_amount = asked.matches(R"(\bhow many (?:hours|minutes|days)\b)");
    if (!counts || is_amount) return query;
    query.figure = "share";
    query.limit = Bound{asked.matches(R"(\bunder\b|\bwithin\b)") ? "below" : "above", 0};
    return query;
  }
  const auto [filled, room] = room_in(asked.table());
  if (filled.empty()) return std::nullopt;
  const bool is_empty = asked.matches(
      R"(\b(?:empty|unsold|unfilled|unused|free|spare|vacant|unoccupied|left over) )"
      R"((?:seats?|places?|beds?|spaces?|tickets?|berths?|chairs?|capacity)\b|)"
      R"(\b(?:seats?|places?|beds?|spaces?) (?:\w+ ){0,3}(?:empty|unsold|unfilled|vacant|free|unused)\b)");
  if (is_empty) return Query{.measures = {room}, .less = filled};
  const bool is_of_room = asked.matches(
      R"(\b(?:of|in) (?:the |our |all |its |their |available )*(?:seats|places|capacity|house|beds|spaces|)"
      R"(berths|room|stalls)\b|\b(?:per ?cent|%) full\b)");
  Query share{.measures = {filled}, .per = room, .each = 100};
  if (about.bound && about.bound->unit == "%" && is_of_room) {
    share.limit = about.bound;
    share.figure = "share";
    return share;
  }
  const bool is_full = asked.matches(R"(\b(?:full(?:y booked)?|sold out|sell ?-?out|packed)\b)") &&
                       counts && !asked.matches(R"(\bhow full\b)");
  if (is_full) {
    share.limit = Bound{"at_least", 100};
    share.figure = "share";
    return share;
  }
  const bool is_share = asked.matches(
      R"(\b(?:share|percentage|proportion|per ?cent|fraction|part) of (?:the |our |all |its |their )*)"
      R"((?:seats|places|capacity|house|beds|spaces|berths)\b|\bhow full\b|\boccupancy\b|\bfullest\b|)"
      R"(\bemptiest\b)");
  return is_share ? std::optional{share} : std::nullopt;
}

std::optional<Query> signed_asked(const QueryBasis& asked, const std::vector<std::string>& names) {
  const Json* only = nullptr;
  for (const Json& one : asked.table().at("columns")) {
    if (!one.contains("signed")) continue;
    if (only != nullptr) return std::nullopt;
    only = &one;
  }
  if (only == nullptr || (!names.empty() && names != std::vector{name_of(*only)}))
    return std::nullopt;
  const bool is_net = asked.matches(
      R"(\bnet\b|\b(?:more|less) (?:\w+ ){0,3}(?:out|in) than (?:\w+ ){0,2}(?:in|out)\b|\bmore than (?:\w+ ){1,4})"
      R"((?:earned|came in|received)\b|\bleft over\b|\bin and out\b|\bbreak even\b)");
  const bool is_in = asked.matches(
      R"(\b(?:c[ao]mes? in|coming in|earn(?:s|ed|ings?)?|income|receive[ds]?|paid in|deposit(?:s|ed)?|)"
      R"(takings|took in|bring in|brought in|paid (?:us|me))\b)");
  const bool is_out = asked.matches(
      R"(\b(?:spen[dt]|spends|spending|pa(?:y|ys|id|ying)|payments?|costs?|bills?|expenses?|)"
      R"(expenditure|outgoings?|(?:go(?:es|ing)?|went) out|charge[ds]?|dearest|(?:most |more )?expensive)\b)");
  Query query{.measures = {name_of(*only)}};
  const bool is_out_more =
      asked.matches(R"(\bmore (?:\w+ ){0,3}out than\b|\bspen[dt] more than\b)");
  if (is_net) {
    if (is_out_more) query.having = "below 0";
    return query;
  }
  if (!is_in && !is_out) return std::nullopt;
  query.sign = is_in ? "in" : "out";
  return query;
}

std::vector<std::string> amount_meant(const QueryBasis& asked) {
  const bool is_much =
      asked.matches(R"(\bhow much (?!more\b|less\b|longer\b|time\b|of the time\b|[a-z]+er\b))");
  const bool is_charged = asked.clause().says("charging");
  const bool is_counted = asked.matches(R"(\bhow (?:many|often)\b)");
  if (is_counted || asked.matches(R"(\b(?:share|percentage|proportion|fraction|per ?cent)\b)") ||
      (!is_much && !is_charged))
    return {};
  const std::string money = only_money(asked.table().at("columns"));
  std::vector<std::string> goods;
  for (const Json& one : asked.table().at("columns")) {
    const bool is_it = is_number(one) && !one.contains("counts") && !one.contains("between") &&
                       asked.is_amount(name_of(one)) && words().has("goods", one.value("unit", ""));
    if (is_it) goods.push_back(name_of(one));
  }
  if (!money.empty() && (is_charged || goods.empty())) return {money};
  return is_much && goods.size() == 1 ? goods : std::vector<std::string>{};
}

}  // namespace insights
