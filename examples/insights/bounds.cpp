#include "insights/bounds.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
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

/// Numbers in digits or in words: `1,200`, `half an`, `ten thousand`.
constexpr const char* number_pattern =
    R"((-?\d+(?:[.,']\d+)*|(?:half an?|an?|zero|one|two|three|four|five|six|seven|eight|nine|)"
    R"(ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|)"
    R"(thousand|million|dozen)\b)(?:[ -](hundred|thousand|million|dozen)\b)?)";

/// How many a word is: `twelve`, `dozen`, `a`; 0: it is no number.
double number_named(const std::string& word) {
  static const std::map<std::string, double> names{
      {"a", 1},         {"an", 1},         {"half a", 0.5},  {"half an", 0.5}, {"one", 1},
      {"two", 2},       {"three", 3},      {"four", 4},      {"five", 5},      {"six", 6},
      {"seven", 7},     {"eight", 8},      {"nine", 9},      {"ten", 10},      {"eleven", 11},
      {"twelve", 12},   {"fifteen", 15},   {"twenty", 20},   {"thirty", 30},   {"forty", 40},
      {"fifty", 50},    {"sixty", 60},     {"seventy", 70},  {"eighty", 80},   {"ninety", 90},
      {"hundred", 1e2}, {"thousand", 1e3}, {"million", 1e6}, {"dozen", 12}};
  const auto found = names.find(word);
  return found == names.end() ? 0 : found->second;
}

/// Of what `number_pattern` finds, the number.
double number_said(const std::string& first, const std::string& more) {
  const bool is_digits = first.find_first_of("0123456789") != first.npos;
  return (is_digits ? number_in(first) : number_named(first)) *
         (more.empty() ? 1 : number_named(more));
}

/// Whether a number is one: `a` is none in `more than a few`, and no second in `a second time`.
bool is_number_said(const std::string& first, const std::string& more, const std::string& unit,
                    const std::string& behind) {
  const bool is_article = first == "a" || first == "an" || first.starts_with("half ");
  return !is_article || !more.empty() || (!unit.empty() && !behind.starts_with(" time"));
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
    const std::string pattern = R"(\b()" + alternatives(name) + R"() (?:of |the )?(?:€|£|\$)?)" +
                                number_pattern + R"(\b[ -]?(%|[a-z]*))";
    std::smatch found;
    if (!std::regex_search(text, found, text::pattern(pattern))) continue;
    const auto at = static_cast<std::size_t>(found.position());
    const std::string unit = unit_named(found[4]);
    if (at >= begin || !is_number_said(found[2], found[3], unit, found.suffix())) continue;
    begin = at;
    first = Bound{side_of(name, found[1], unit), number_said(found[2], found[3]), false, unit};
  }
  // `15 kW or more`, `two or more`
  static const std::regex turned{
      std::string{R"((?:^|[ €£$]))"} + number_pattern +
      R"( ?([^ \d]*) (?:or|and) (more|over|above|up|less|fewer|under|below)\b)"};
  std::smatch found;
  if (!first && std::regex_search(text, found, turned)) {
    const std::string side = found[4];
    const std::string unit = unit_named(found[3]);
    const bool is_more = side == "more" || side == "over" || side == "above" || side == "up";
    if (is_number_said(found[1], found[2], unit, ""))
      first = Bound{is_more ? "at_least" : "at_most", number_said(found[1], found[2]), false, unit};
  }

  if (!first) return first;
  // `more than three days` limits days; the days of `on how many days` are counted.
  first->of_days = first->unit != "d" && std::ranges::any_of(asked, [](const std::string& word) {
                     return word == "day" || word == "days";
                   });
  return first;
}

std::optional<std::pair<const Json*, Bound>> place_bound_in(const std::string& prompt,
                                                            const Json& columns) {
  static const std::regex top{std::string{R"(\b(?:top|first) )"} + number_pattern +
                              R"(\b(?! (?:days?|weeks?|months?|years?|hours?|minutes?|times?)\b))"};
  std::smatch found;
  const std::string text = lower_case(prompt);
  if (!std::regex_search(text, found, top) || number_said(found[1], found[2]) < 2)
    return std::nullopt;
  for (const Json& one : columns) {
    const std::vector<std::string> name = words_in(name_of(one));
    const bool is_it = is_number(one) && std::ranges::any_of(name, [](const std::string& word) {
                         return words().has("standings", word);
                       });
    if (is_it) return std::pair{&one, Bound{"at_most", number_said(found[1], found[2]), false, ""}};
  }
  return std::nullopt;
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
