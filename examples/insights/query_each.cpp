// What a question asks of one of several on average, and in which unit of time.
#include <algorithm>
#include <regex>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/query_basis.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// The category of `a pupil`, of which a question asks how much one has; "": none. Of `each pupil`
/// and `per pupil` it must be a mean that is asked for, since all of them may be wanted.
std::string category_of_one(const QueryBasis& asked) {
  static const std::regex one{
      R"(\b(an?|one|each|every|per|the (?:average|typical|usual))(?: (?:average|typical|single))? )"
      R"(([a-z]+)\b)",
      std::regex::icase};
  const bool is_mean =
      asked.matches(R"(\b(?:average|mean|typical|typically|usual|usually|normally)\b)");
  const std::string& text = asked.clause().text;
  for (std::sregex_iterator at{text.begin(), text.end(), one}, end; at != end; ++at) {
    const std::string which = (*at)[1];
    const bool is_any = which == "a" || which == "an" || which == "one";
    if (!is_any && !is_mean) continue;
    for (const Json& column : asked.table().at("columns")) {
      const std::vector<std::string> name = words_in(name_of(column));
      const bool is_it = !is_number(column) && !column.contains("free") && name.size() == 1 &&
                         is_same_word(name[0], words_in((*at)[2].str())[0]);
      if (is_it && !asked.clause().about.where.contains(name_of(column))) return name_of(column);
    }
  }
  return "";
}

/// `in a month`; "": none. What is asked by the day is told of each sum.
std::string span_of_one(const QueryBasis& asked) {
  static const std::regex one{
      R"(\b(?:an?|per|in one|in an average|in a typical) (week|month|quarter|year)\b)"
      R"((?! (?:ago|earlier|later|before|after|old)\b))",
      std::regex::icase};
  std::smatch found;
  if (!asked.table().contains("time")) return "";
  return std::regex_search(asked.clause().text, found, one) ? words_in(found[1].str())[0] : "";
}

}  // namespace

void find_each(const QueryBasis& asked, Query& query) {
  const bool is_sum = query.measures.empty() || asked.is_amount(query.measures[0]);
  const bool may_be = (query.figure == "sum" || query.figure == "mean") && query.per.empty() &&
                      query.compared.first.empty() && query.by != "measure" && is_sum;
  if (!may_be || !asked.matches(R"(\b(?:how (?:many|much|far)|what|average|number of)\b)")) return;
  std::string of = category_of_one(asked);
  if (of.empty()) of = span_of_one(asked);
  if (of.empty()) return;
  query.figure = "each";
  query.of = of;
  if (query.by == of) query.by.clear();
}

std::string unit_asked(const QueryBasis& asked, const Query& query) {
  static const std::regex counted{R"(\bhow (?:many|much) ([a-z]+)\b)", std::regex::icase};
  std::smatch found;
  const bool is_it = query.measures.size() == 1 && query.times.empty() &&
                     std::regex_search(asked.clause().text, found, counted);
  if (!is_it) return "";
  const auto said = words().unit_names.find(words_in(found[1].str())[0]);
  if (said == words().unit_names.end()) return "";
  const std::string& unit = said->second;
  const std::string own = asked.column(query.measures[0])->value("unit", "");
  return own != unit && in_unit(own, unit) ? unit : "";
}

}  // namespace insights
