#include "insights/query_basis.hpp"

#include <algorithm>
#include <regex>

#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/words.hpp"
#include "text/pattern.hpp"

namespace insights {

using Json = nlohmann::json;

const Json* QueryBasis::column(const std::string& name) const {
  for (const Json& one : table_.at("columns")) {
    if (one.at("name") == name) return &one;
  }
  return nullptr;
}

bool QueryBasis::is_amount(const std::string& name) const {
  return column(name)->at("amount").get<bool>();
}

bool QueryBasis::may_add_up(const std::string& name) const {
  const Json& one = *column(name);
  const std::string unit = one.value("unit", "");
  const bool is_level = std::ranges::any_of(
      words_in(name), [](const std::string& word) { return words().has("levels", word); });
  return is_amount(name) || (!is_level && (unit.empty() || words().has("amount units", unit)) &&
                             one.contains("range") && one.at("range").at(0) >= 0);
}

bool QueryBasis::asks_for_least(const std::string& name) const {
  const Json* of = column(name);
  const bool is_time = of != nullptr && (of->contains("between") ||
                                         words().has("time units", of->value("unit", "")));
  if (is_time && has("slowest")) return false;
  if (is_time && (has("fastest") || has("quickest") || has("soonest"))) return true;
  return clause_.says("lows");
}

bool QueryBasis::has_events() const { return table_.value("events", false); }

bool QueryBasis::has(const char* word) const {
  return std::ranges::find(clause_.words, word) != clause_.words.end();
}

bool QueryBasis::matches(const char* pattern) const {
  return std::regex_search(clause_.text, text::pattern(pattern));
}

std::string QueryBasis::nights() const {
  const bool is_asked = matches(R"(\b(?:how many|most|fewest|number of) nights\b)") &&
                        !matches(R"(\b(?:on|in|of) how many\b)");
  for (const Json& one : table_.at("columns")) {
    if (is_asked && is_number(one) && is_stay(one) && one.value("unit", "") == "days")
      return name_of(one);
  }
  return "";
}

}  // namespace insights
