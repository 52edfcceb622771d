#include "insights/bounds.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"
#include "text/pattern.hpp"

namespace insights {

using Json = nlohmann::json;

namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// What ends in a word of these, followed by a number; what an adjective is about is `more` or
/// `less` so, but `more miles than 800` may be those of many rows.
std::string alternatives(const std::string& list) {
  std::string all;
  for (const std::string& phrase : words().of.at(list)) all += (all.empty() ? "" : "|") + phrase;
  if (list != "above" && list != "below") return all;
  for (const Meaning& meaning : words().meanings) {
    for (const std::string& said : meaning.said)
      all += fmt::format("|{} {} than", list == "above" ? "more" : "less", said);
  }
  return all;
}

/// What is faster takes less time.
std::string side_of(const std::string& name, const std::string& phrase, const std::string& unit) {
  const bool is_turned = words().has("faster", phrase) && words().has("time units", unit);
  if (!is_turned) return name;
  return name == "above" ? "below" : "above";
}

/// 0.3, 0,3, 1,200 and 1'200 as people write them in a sentence.
double number_in(std::string digits) {
  std::erase(digits, '\'');
  const std::size_t comma = digits.find(',');
  const bool is_mark = comma != digits.npos && digits.size() - comma == 4 && comma > 0 &&
                       digits.substr(0, comma) != "0";
  if (is_mark) {
    std::erase(digits, ',');
  } else if (comma != digits.npos) {
    digits[comma] = '.';
  }
  return std::strtod(digits.c_str(), nullptr);
}

/// A number that stands in words: `an hour`, `two hours`.
double number_named(const std::string& word) {
  static const std::vector<std::string> names{"zero", "one",    "two",   "three", "four",
                                              "five", "six",    "seven", "eight", "nine",
                                              "ten",  "eleven", "twelve"};
  if (word == "half an") return 0.5;
  if (word == "a" || word == "an") return 1;
  return static_cast<double>(std::ranges::find(names, word) - names.begin());
}

/// The unit that the word is: s, min, h or d, or one of words.json.
std::string unit_named(const std::string& word) {
  if (word == "%" || word.starts_with("percent")) return "%";
  if (word.starts_with("sec")) return "s";
  if (word.starts_with("min")) return "min";
  if (word.starts_with("hour") || word == "h" || word == "hrs") return "h";
  if (word.starts_with("day")) return "d";
  const auto found = words().unit_names.find(word);
  return found == words().unit_names.end() ? "" : found->second;
}

}  // namespace

double Bound::in(const std::string& column_unit) const {
  return value * in_unit(unit, column_unit).value_or(1);
}

std::optional<Bound> bound_in(const std::string& prompt) {
  const std::string text = lower_case(prompt);
  const std::vector<std::string> asked = words_in(prompt);
  std::optional<Bound> first;
  std::size_t begin = text.size();
  // `no more than` also ends in `more than`: what begins first is meant.
  for (const char* name : {"at_most", "at_least", "below", "above"}) {
    const std::string pattern = R"(\b()" + alternatives(name) + R"() (?:of |the )?(?:€|£|\$)?()" +
                                R"(-?\d+(?:[.,']\d+)*|(?:an?|half an)(?= (?:sec|min|hour|day))|)" +
                                R"(zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|)" +
                                R"(twelve)\b[ -]?(%|[a-z]*))";
    std::smatch found;
    if (!std::regex_search(text, found, text::pattern(pattern))) continue;
    const auto at = static_cast<std::size_t>(found.position());
    if (at >= begin) continue;
    begin = at;
    const std::string number = found[2];
    const bool is_digits = number.find_first_of("0123456789") != number.npos;
    const std::string unit = unit_named(found[3]);
    first = Bound{side_of(name, found[1], unit),
                  is_digits ? number_in(number) : number_named(number), false, unit};
  }
  // `15 kW or more`
  static const std::regex turned{
      R"((?:^|[ €£$])(-?\d+(?:[.,]\d+)*) ?([^ \d]*) (?:or|and) (more|over|above|up|less|fewer|under|below)\b)"};
  std::smatch found;
  if (!first && std::regex_search(text, found, turned)) {
    const std::string side = found[3];
    const bool is_more = side == "more" || side == "over" || side == "above" || side == "up";
    first =
        Bound{is_more ? "at_least" : "at_most", number_in(found[1]), false, unit_named(found[2])};
  }
  if (!first) return first;
  // `more than three days` limits days; the days of `on how many days` are counted.
  first->of_days = first->unit != "d" && std::ranges::any_of(asked, [](const std::string& word) {
                     return word == "day" || word == "days";
                   });
  return first;
}

std::string limit_not_known(const std::string& prompt) {
  static const std::regex limit{
      R"(\b((?:[a-z]{3,}er|more [a-z]+|less [a-z]+) than (?:€|£|\$)?-?\d+(?:[.,]\d+)*(?: ?%)?))"};
  std::smatch found;
  const std::string text = lower_case(prompt);
  if (bound_in(prompt) || !std::regex_search(text, found, limit)) return "";
  return found[1];
}

const Json* limited_column(const std::string& text, const Bound& bound, const Json& columns) {
  // `at force 6 and more`: its name stands before the number.
  static const std::regex limit{
      R"(([a-z]+) (?:(?:is|was|were|of|above|over|below|under|more than|less than|at least|at most) )*-?\d)",
      std::regex::icase};
  std::smatch found;
  const bool is_said = std::regex_search(text, found, limit);
  // A share is told in percent, and may have no unit.
  for (const bool by_unit : {true, false}) {
    if (by_unit ? bound.unit.empty() : !bound.unit.empty() && bound.unit != "%") continue;
    for (const Json& one : columns) {
      if (!is_number(one) || one.contains("counts")) continue;
      const bool is_it =
          by_unit ? in_unit(bound.unit, one.value("unit", "")).has_value()
                  : is_said && is_named(words_in(name_of(one)), words_in(found[1].str()));
      if (is_it) return &one;
    }
  }
  return nullptr;
}

std::vector<std::string> limited_columns(const std::set<std::string>& said, const Json& with,
                                         const Json& columns) {
  std::vector<std::string> named;
  std::vector<std::string> measured;
  for (const Json& column : columns) {
    if (!is_number(column) || column.contains("counts") || name_of(column) == name_of(with))
      continue;
    if (said.contains(name_of(column))) named.push_back(name_of(column));
    if (!column.contains("describes") && !column.contains("between"))
      measured.push_back(name_of(column));
  }
  const bool is_of_things = named.empty() && with.contains("describes") && measured.size() == 1;
  return is_of_things ? measured : named;
}

bool asks_for_gaps(const std::string& text) {
  static const std::regex asked{
      R"((?:\bnot|n't|n’t|\bnever|\bstop(?:ped|s)?|\bwithout|\bno|\bfail(?:ed|s)? to|\bmissed) (?:\w+ )?)"
      R"((?:record|recorded|recording|log|logged|logging|measure|measured|measuring|transmit\w*|)"
      R"(report(?:ed|ing)?|readings?|measurements?|data)\b)",
      std::regex::icase};
  static const std::regex stopped{
      R"(\b(?:stop|stops|stopped|fail|fails|failed|off|offline|dead|died|silent|broken|broke|)"
      R"(not work\w*|n't work\w*|out of (?:order|action|service))\b)",
      std::regex::icase};
  const bool is_of_instrument = std::ranges::any_of(
      words_in(text), [](const std::string& word) { return words().has("instruments", word); });
  return std::regex_search(text, asked) || (is_of_instrument && std::regex_search(text, stopped));
}

bool asks_for_standstill(const std::string& text) {
  static const std::regex asked{
      R"(\bst(?:and|ands|ood|anding) (?:still|idle)\b|\bstandstill\b|\bstop(?:ped|s)?\b|)"
      R"(\b(?:was|were|is|are|been) (?:off|idle|down|out of (?:order|action|service)|closed|shut)\b|)"
      R"(\b(?:not|n't) (?:run|running|work|working)\b|\bswitched off\b)",
      std::regex::icase};
  return std::regex_search(text, asked);
}

}  // namespace insights
