// Conditions of a question: how many rows a group must have, which group has none, different days,
// and whether it is rows that are counted.
#include <algorithm>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/bounds.hpp"
#include "insights/meaning.hpp"
#include "insights/periods.hpp"
#include "insights/query_basis.hpp"
#include "insights/unread.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// `more than once`, `at least twice`, `only once`, `a second time`, `three times or more`; "": no
/// number of times is asked for.
std::string times_in(const QueryBasis& asked) {
  struct Said {
    const char* pattern;
    const char* limit;
  };
  static const Said all[]{
      {R"(\bmore than once\b|\b(?:at least|a) (?:twice|second time)\b|\btwice or more\b)",
       "above 1"},
      {R"(\b(?:only|just|exactly|no more than) once\b|\bonce only\b)", "exactly 1"},
      {R"(\b(?:only|just|exactly) twice\b)", "exactly 2"},
      {R"(\bmore than twice\b)", "above 2"}};
  for (const Said& one : all) {
    if (asked.matches(one.pattern)) return one.limit;
  }
  return "";
}

/// Whether what a limit counts are rows: `more than two visits`, `at least three times`.
bool counts_rows_beyond(const QueryBasis& asked) {
  static const std::regex limit{
      R"((?:than|least|most|over|under|above|below|only|just|exactly) (?:\d+|[a-z]+) ([a-z-]+)|)"
      R"(\b(?:\d+|two|three|four|five|six|ten) (?:([a-z-]+) )?or (?:more|fewer)(?: ([a-z-]+))?)",
      std::regex::icase};
  const std::string& text = asked.clause().text;
  const std::vector<std::string> rows = words_in(asked.table().value("table", ""));
  for (std::sregex_iterator at{text.begin(), text.end(), limit}, end; at != end; ++at) {
    std::string said = (*at)[1].str() + (*at)[2].str();
    if (said.empty()) said = (*at)[3];
    const std::vector<std::string> noun = words_in(said);
    if (noun.empty()) continue;
    if (noun[0] == "times" || words().has("rows", noun[0])) return true;
    if (!names_of_rows(rows, noun).empty()) return true;
    const bool is_value = std::ranges::any_of(asked.clause().about.where, [&](const auto& one) {
      const std::vector<std::string> value = words_in(one.second);
      return is_one_value(asked.clause().about.where, one.first) &&
             std::ranges::any_of(value, [&](const std::string& word) {
               return word.size() > 2 && is_same_word(word, noun.back());
             });
    });
    if (is_value) return true;
  }
  return false;
}

/// The category or the time of which a question asks how many have, or which: `how many customers`,
/// `which ewes`; "": none.
std::string groups_asked(const QueryBasis& asked) {
  const Interest& about = asked.clause().about;
  if (!asked.matches(R"(\b(?:which|who|whose|how many|what|any|number of)\b)")) return "";
  static const std::regex noun{R"(\b(?:how many|which|number of) (?:of (?:the|our|my) )?([a-z]+))",
                               std::regex::icase};
  std::smatch found;
  if (std::regex_search(asked.clause().text, found, noun)) {
    const std::vector<std::string> said = words_in(found[1].str());
    for (const Json& one : asked.table().at("columns")) {
      const bool is_it =
          !is_number(one) && !one.contains("free") && is_named(words_in(name_of(one)), said);
      if (is_it) return name_of(one);
    }
    const std::string span =
        said[0].ends_with("s") ? said[0].substr(0, said[0].size() - 1) : said[0];
    const bool is_time = span == "day" || span == "week" || span == "month" || span == "year";
    if (is_time && asked.table().contains("time")) return span;
  }
  for (const std::string& category : about.categories) {
    if (about.named.contains(category) && !about.where.contains(category)) return category;
  }
  return "";
}

/// Whether the question is about what has none: `which rooms were not used`, `who never came`. A
/// value may be called so: `not sealed`.
bool asks_for_none(const QueryBasis& asked) {
  const Interest& about = asked.clause().about;
  const bool is_value = std::ranges::any_of(about.where, [](const auto& one) {
    return std::ranges::any_of(words_in(one.second), [](const std::string& word) {
      return word == "no" || words().has("denials", word);
    });
  });
  if (is_value && about.from.empty()) return false;
  if (asked.matches(R"(\b(?:share|percentage|proportion|per ?cent|rate)\b)")) return false;
  return asked.matches(
      R"(^\W*(?:and )?(?:which|who|what|how many)\b.*(?:\b(?:not|never|no longer)\b|n't\b|n’t\b|)"
      R"(\b(?:have|has|had|with) (?:no|not a single|none)\b|\bwithout (?:a|any) single\b))");
}

/// `Leaving out those with fewer than 30`: how few rows a group has that is left out.
const std::regex& left_out() {
  static const std::regex fewer{
      R"(\b(?:leaving out|leave out|without|not counting|ignoring|ignore|excluding|except)(?: for)? )"
      R"((?:those|any|the ones|the \w+|\w+s?)?(?: \w+)? ?(?:with|of|that have|which have|who have|having) )"
      R"((?:fewer|less) than (\d+)\b)",
      std::regex::icase};
  return fewer;
}

}  // namespace

std::optional<Query> groups_with(const QueryBasis& asked) {
  const Interest& about = asked.clause().about;
  if (std::regex_search(asked.clause().text, left_out())) return std::nullopt;
  std::string limit = times_in(asked);
  if (limit.empty() && about.bound && counts_rows_beyond(asked)) {
    std::string how = about.bound->name;
    std::ranges::replace(how, '_', ' ');
    limit = fmt::format("{} {}", how, about.bound->value);
  }
  if (limit.empty()) return std::nullopt;
  const std::string by = groups_asked(asked);
  if (by.empty()) return std::nullopt;
  Query query;
  query.by = by;
  query.having = limit;
  return query;
}

std::optional<Query> groups_without(const QueryBasis& asked) {
  const Interest& about = asked.clause().about;
  const bool is_part = !about.from.empty() || !about.where.empty();
  if (!is_part || about.bound || about.periods || !asks_for_none(asked)) return std::nullopt;
  const std::string of = groups_asked(asked);
  if (of.empty() || is_span(of) || about.where.contains(of)) return std::nullopt;
  Query query;
  query.figure = "none";
  query.of = of;
  // `Did not come` restricts the rows to no outcome that is called otherwise.
  for (const auto& [category, value] : about.where) {
    const bool is_other =
        is_one_value(about.where, category) && !is_said(asked.clause().words, words_in(value));
    if (is_other) query.leaves.push_back(category);
  }
  if (about.from.empty() && query.leaves.size() == about.where.size()) return std::nullopt;
  return query;
}

std::optional<Query> different_times(const QueryBasis& asked) {
  static const std::regex said{
      R"(\b(?:how many|number of) (?:different|distinct|separate) (day|week|month|year)s?\b)",
      std::regex::icase};
  std::smatch found;
  if (!asked.table().contains("time") || !std::regex_search(asked.clause().text, found, said))
    return std::nullopt;
  Query query;
  query.figure = "different";
  query.of = words_in(found[1].str())[0];
  return query;
}

void find_least_rows(const QueryBasis& asked, Query& query) {
  static const std::regex least{
      R"(\b(?:of|among|only|counting)(?: \w+)? (?:those|the ones|\w+s) (?:with|that have|who have|having) )"
      R"(at least (\d+) ([a-z]+))",
      std::regex::icase};
  const Json* by = query.by.empty() ? nullptr : asked.column(query.by);
  std::smatch found;
  if (by == nullptr) return;
  const std::string& text = asked.clause().text;
  if (std::regex_search(text, found, left_out()) || std::regex_search(text, found, least))
    query.rows = std::stoul(found[1].str());
}

bool asks_for_rows(const QueryBasis& asked) {
  const Interest& about = asked.clause().about;
  if (asked.matches(R"(\b(?:forg[eo]t\w*|missing|failed to|write down|written down)\b)"))
    return false;
  // How often what is not known is no number of all rows.
  const bool is_of_some =
      !about.where.empty() || !about.named.empty() || !about.compared.empty() || about.periods;
  const bool is_often = (is_of_some && asked.matches(R"(\b(?:how often|how many times)\b)")) ||
                        asked.matches(R"(\bas often\b)") ||
                        (about.where.empty() && asked.matches(R"(\b(?:more|less|most) often\b)"));
  if (is_often || asked.clause().says("busy")) return true;
  static const std::regex noun{R"(\b(?:how many|number of|most|fewest|more|fewer|as many)(?: of)? )"
                               R"((?:(?:the|our|my|their|these) )?([a-z]+))",
                               std::regex::icase};
  const std::vector<std::string> rows = words_in(asked.table().value("table", ""));
  const std::string& text = asked.clause().text;
  for (std::sregex_iterator at{text.begin(), text.end(), noun}, end; at != end; ++at) {
    const std::vector<std::string> said = words_in((*at)[1].str());
    if (words().has("row words", said[0]) || !names_of_rows(rows, said).empty()) return true;
  }
  return false;
}

}  // namespace insights
