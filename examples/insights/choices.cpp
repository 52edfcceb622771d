#include "insights/choices.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/meaning.hpp"
#include "insights/moments.hpp"
#include "insights/values.hpp"
#include "insights/words.hpp"
#include "text/stem.hpp"

namespace insights {

using Json = nlohmann::json;

namespace {

/// The words of a value that the prompt says. Those for a time are said of other things as well.
std::set<std::string> said_words(const std::string& value, const std::vector<std::string>& asked) {
  const std::vector<std::string> theirs = words_in(value);
  const bool is_whole = is_said(asked, theirs);
  std::set<std::string> found;
  for (const std::string& word : theirs) {
    const bool is_weak = words().has("stop", word) || words().has("times", word);
    const auto is_it = [&](const std::string& one) { return is_same_word(one, word); };
    if (is_whole || (!is_weak && std::ranges::any_of(asked, is_it))) found.insert(word);
  }
  return found;
}

/// Whether a column is in the unit that is written so: `W`, `watts`, `°C`.
bool is_of_unit(const Json& column, const std::string& said) {
  const std::string unit = column.value("unit", "");
  const auto written = words().units.find(said);
  const std::vector<std::string> word = words_in(said);
  const bool is_it = said == unit || (written != words().units.end() && written->second == unit) ||
                     (!word.empty() && names_unit(word.front(), unit));
  return !unit.empty() && is_it;
}

}  // namespace

void leave_out_parts(std::vector<std::string>& values) {
  const std::vector<std::string> all = values;
  std::erase_if(values, [&](const std::string& value) {
    const std::vector<std::string> part = words_in(value);
    return std::ranges::any_of(all, [&](const std::string& other) {
      const std::vector<std::string> words = words_in(other);
      return words.size() > part.size() && is_said(words, part);
    });
  });
}

void keep_fully_said(std::vector<std::string>& values, const std::vector<std::string>& asked) {
  const std::vector<std::string> all = values;
  std::erase_if(values, [&](const std::string& value) {
    const std::set<std::string> part = said_words(value, asked);
    return !part.empty() && std::ranges::any_of(all, [&](const std::string& other) {
      const std::set<std::string> more = said_words(other, asked);
      return more.size() > part.size() && std::ranges::includes(more, part);
    });
  });
}

bool are_said_alike(const std::vector<std::string>& values, const std::vector<std::string>& asked) {
  if (values.size() < 2) return false;
  const std::set<std::string> first = said_words(values.front(), asked);
  return std::ranges::all_of(values, [&](const std::string& value) {
    return said_words(value, asked) == first && words_in(value).size() > first.size();
  });
}

void find_setting(Interest& about, const Json& columns, const std::string& prompt) {
  static const std::regex quantity{
      R"((\b[a-z]+ )?((?:exactly|only|just|a|an|the|of) )?\b(\d+(?:\.\d+)?)(?: |-)?([a-z%°]+)\b)",
      std::regex::icase};
  static const std::set<std::string> other{"per ",  "every ",  "each ", "last ", "past ", "first ",
                                           "next ", "within ", "than ", "to ",   "and ",  "from "};
  if (about.bound) return;
  for (std::sregex_iterator at{prompt.begin(), prompt.end(), quantity}, end; at != end; ++at) {
    if (other.contains((*at)[1].str())) continue;
    const std::string said = (*at)[4];
    const Json* found = nullptr;
    std::size_t count = 0;
    for (const Json& column : columns) {
      if (!is_number(column) || column.contains("between") || !is_of_unit(column, said)) continue;
      found = &column;
      ++count;
    }
    const double number = std::strtod((*at)[3].str().c_str(), nullptr);
    const auto settings =
        found == nullptr ? std::vector<double>{} : found->value("settings", std::vector<double>{});
    if (count != 1 || std::ranges::find(settings, number) == settings.end()) continue;
    about.where[name_of(*found)] =
        fmt::format("{}{} {}", exactly, (*at)[3].str(), found->value("unit", ""));
  }
}

namespace {

/// Whether a column says the how manieth it is: `Attempt`, of whole numbers from 1 on.
bool is_ordinal(const Json& column) {
  const auto settings = column.value("settings", std::vector<double>{});
  const auto is_whole = [](double one) { return one == std::floor(one); };
  return is_number(column) && !column.contains("unit") && settings.size() > 1 &&
         settings.front() == 1 && std::ranges::all_of(settings, is_whole);
}

/// The number of `first` or `2nd`; 0: none.
int ordinal_of(const std::string& word) {
  static const std::vector<std::string> names{"first", "second", "third", "fourth", "fifth"};
  const auto name = std::ranges::find(names, word);
  if (name != names.end()) return static_cast<int>(name - names.begin()) + 1;
  return std::atoi(word.c_str());
}

/// Restricts the rows to one number of a column, which is then no measure.
void restrict_to(Interest& about, const std::string& column, const std::string& wanted,
                 const Json& columns) {
  about.where[column] = wanted;
  if (about.said.erase(column) == 0) return;
  std::erase(about.columns, column);
  std::erase(about.statistics, column);
  about.names_columns = !about.said.empty();
  if (!about.columns.empty()) return;
  about.columns = about.statistics = {insights::name_of(columns.front())};
}

}  // namespace

void find_ordinal(Interest& about, const Json& columns, const std::string& prompt) {
  static const std::regex said{
      R"((\bfor the )?\b(first|second|third|fourth|fifth|1st|2nd|3rd|[4-9]th)[ -]([a-z]+)\b|)"
      R"(\b([a-z]+) ([1-9])\b)",
      std::regex::icase};
  static const std::set<std::string> tries{"attempt", "try", "time", "go"};
  const auto is_try = [](const std::string& word) {
    return std::ranges::any_of(tries, [&](const auto& one) { return is_same_word(word, one); });
  };
  for (std::sregex_iterator at{prompt.begin(), prompt.end(), said}, end; at != end; ++at) {
    // `For the first time` is a day.
    if ((*at)[1].matched) continue;
    const bool is_behind = (*at)[4].matched;
    const std::string noun = words_in((*at)[is_behind ? 4 : 3].str())[0];
    const int number = ordinal_of(words_in((*at)[is_behind ? 5 : 2].str())[0]);
    for (const Json& column : columns) {
      if (!is_ordinal(column)) continue;
      const auto settings = column.at("settings").get<std::vector<double>>();
      const std::vector<std::string> name = words_in(name_of(column));
      const bool is_it = std::ranges::any_of(name, [&](const std::string& word) {
        return is_same_word(word, noun) || (!is_behind && is_try(word) && is_try(noun));
      });
      if (is_it && std::ranges::find(settings, number) != settings.end())
        restrict_to(about, name_of(column), fmt::format("{}{}", exactly, number), columns);
    }
  }
}

std::vector<std::string> names_of_value(const std::string& value) {
  constexpr std::size_t shortest = 3;
  std::vector<std::string> names{value};
  const std::size_t at = value.find(" (");
  if (at == value.npos || !value.ends_with(')')) return names;
  for (std::string name : {value.substr(0, at), value.substr(at + 2, value.size() - at - 3)}) {
    const bool is_number = name.find_first_not_of("0123456789 ") == name.npos;
    if (name.size() >= shortest && !is_number) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> weekdays_set_out(const std::string& prompt) {
  static const std::regex apart{
      R"(\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?,? )"
      R"((?:or|and|than|against|versus|vs|compared (?:with|to)) (?:on |a |the )?)"
      R"((?=(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b))",
      std::regex::icase};
  std::vector<std::string> found;
  if (!std::regex_search(prompt, apart)) return found;
  const std::vector<std::string> asked = words_in(prompt);
  for (int at = 0; at < 7; ++at) {
    const std::string name = place_name(Cycle::weekday, at);
    const auto is_it = [&](const auto& word) { return is_same_word(word, words_in(name)[0]); };
    if (std::ranges::any_of(asked, is_it)) found.push_back(name);
  }
  return found;
}

std::string meant_flag(const Json& column, const std::vector<std::string>& asked) {
  std::string yes;
  std::string no;
  for (const Json& value : column.at("values")) {
    const auto text = value.get<std::string>();
    const std::vector<std::string> word = words_in(text);
    if (word.size() != 1 || (!words().has("yes", word[0]) && !words().has("no", word[0])))
      return "";
    (words().has("yes", word[0]) ? yes : no) = text;
  }
  const bool is_asked = std::ranges::any_of(asked, [](const std::string& word) {
    return words().has("counted", word) || words().has("others", word);
  });
  if (!is_asked || yes.empty()) return "";
  const bool is_denied = std::ranges::any_of(
      asked, [](const std::string& word) { return words().has("denials", word); });
  return is_denied ? no : yes;
}

std::string meant_outcome(const Json& column, const std::vector<std::string>& asked) {
  const auto says = [&](const char* list) {
    return std::ranges::any_of(asked, [&](const auto& word) { return words().has(list, word); });
  };
  const bool is_failure = says("failures");
  if (!is_failure && !says("successes")) return "";
  const std::vector<std::string> name = words_in(name_of(column));
  const bool is_flag = std::ranges::any_of(
      name, [](const std::string& word) { return words().has("succeeded", word); });
  if (is_flag && !meant_flag(column, {"many"}).empty())
    return is_failure ? meant_flag(column, {"many", "not"}) : meant_flag(column, {"many"});
  for (const Json& bad : column.at("values")) {
    std::vector<std::string> denied = words_in(bad.get<std::string>());
    if (denied.size() < 2 || !words().has("denials", denied.front())) continue;
    denied.erase(denied.begin());
    for (const Json& good : column.at("values")) {
      if (words_in(good.get<std::string>()) == denied) return is_failure ? bad : good;
    }
  }
  return "";
}

bool is_within(const Json& column, const std::vector<std::string>& asked) {
  constexpr std::size_t shortest = 4;
  const std::vector<std::string> name = words_in(name_of(column));
  if (column.at("values").size() > 2 || meant_flag(column, {"many"}).empty()) return false;
  return std::ranges::any_of(asked, [&](const std::string& word) {
    const std::string stem = text::stem_of(word);
    return stem.size() >= shortest && !is_general(word) &&
           std::ranges::any_of(
               name, [&](const std::string& part) { return part.find(stem) != part.npos; });
  });
}

bool is_one_share(const std::string& prompt, const std::vector<std::string>& two) {
  static const std::regex share{
      R"(\b(?:what|which|the) (?:share|percentage|per ?cent|proportion|fraction|part)\b|)"
      R"(\bhow many per ?cent\b)",
      std::regex::icase};
  static const std::regex against{
      R"(\b(?:larger|higher|bigger|smaller|lower|more|less|than|each|compared?)\b)",
      std::regex::icase};
  if (two.size() != 2 || !std::regex_search(prompt, share) || std::regex_search(prompt, against))
    return false;
  const std::vector<std::string> asked = words_in(prompt);
  for (const bool turned : {false, true}) {
    std::vector<std::string> phrase = words_in(two[turned ? 1 : 0]);
    phrase.emplace_back("or");
    for (std::string& word : words_in(two[turned ? 0 : 1])) phrase.push_back(std::move(word));
    if (is_said(asked, phrase)) return true;
  }
  return false;
}

}  // namespace insights
