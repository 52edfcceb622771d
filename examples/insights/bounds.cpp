#include "insights/bounds.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/moments.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// What ends in a word of these, followed by a number.
std::string alternatives(const char* list) {
  std::string all;
  for (const std::string& phrase : words().of.at(list)) all += (all.empty() ? "" : "|") + phrase;
  return all;
}

/// 0.3, 0,3 and 1,200 as people write them in a sentence.
double number_in(std::string digits) {
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

/// The dates of a text: 2025-03-01, 1 March 2025, March 1; without a year that of the last day or
/// the one before.
std::vector<std::string> dates_in(const std::string& prompt, const std::string& last) {
  static const std::regex iso{R"(\b\d{4}-\d{2}-\d{2}\b)"};
  static const std::regex named{
      R"(\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([A-Z][a-z]{2,8})\b|\b([A-Z][a-z]{2,8}) (\d{1,2})\b)"};
  std::vector<std::string> dates;
  for (std::sregex_iterator at{prompt.begin(), prompt.end(), iso}, end; at != end; ++at) {
    if (day_number(at->str())) dates.push_back(at->str());
  }
  for (std::sregex_iterator at{prompt.begin(), prompt.end(), named}, end; at != end; ++at) {
    const std::string day = (*at)[1].matched ? (*at)[1] : (*at)[4];
    const std::string month = (*at)[2].matched ? (*at)[2] : (*at)[3];
    const int year = std::atoi(last.substr(0, 4).c_str());
    for (const int one : {year, year - 1}) {
      const auto moment = parse_moment(fmt::format("{} {} {}", day, month, one));
      if (!moment || moment_text(moment->moment, false) > last) continue;
      dates.push_back(moment_text(moment->moment, false));
      break;
    }
  }
  return dates;
}

/// The first day of the month in `since March` or `before March`, when no other month is named.
std::vector<std::string> month_begun_in(const std::string& prompt, const std::string& last) {
  static const std::regex turn{R"(\b(?:[Ss]ince|[Bb]efore) ([A-Z][a-z]{2,8})\b)"};
  std::smatch found;
  if (!std::regex_search(prompt, found, turn)) return {};
  const auto is_other = [&](int month) {
    const std::string name = place_name(Cycle::month, month);
    return name != found[1] && prompt.find(name) != prompt.npos;
  };
  for (int month = 0; month < 12; ++month) {
    if (is_other(month)) return {};
  }
  return dates_in("1 " + found[1].str(), last);
}

}  // namespace

std::optional<Bound> bound_in(const std::string& prompt) {
  const std::string text = lower_case(prompt);
  const std::vector<std::string> asked = words_in(prompt);
  const bool days = std::ranges::any_of(
      asked, [](const std::string& word) { return word == "day" || word == "days"; });
  std::optional<Bound> first;
  std::size_t begin = text.size();
  // `no more than` also ends in `more than`: what begins first is meant.
  for (const char* name : {"at_most", "at_least", "below", "above"}) {
    const std::regex pattern{R"(\b(?:)" + alternatives(name) +
                             R"() (?:of )?(?:€|£|\$)?(-?\d+(?:[.,]\d+)*|zero))"};
    std::smatch found;
    if (!std::regex_search(text, found, pattern)) continue;
    const auto at = static_cast<std::size_t>(found.position());
    if (at >= begin) continue;
    begin = at;
    first = Bound{name, found[1] == "zero" ? 0 : number_in(found[1]), days};
  }
  return first;
}

bool find_turn(Interest& about, const std::string& prompt, const Json& table) {
  if (!table.contains("to")) return false;
  const std::vector<std::string> asked = words_in(prompt);
  const bool is_turn = std::ranges::any_of(asked, [](const std::string& word) {
    return word == "since" || word == "before" || word == "after" || word == "from";
  });
  const std::string from = table.at("from").get<std::string>().substr(0, 10);
  const std::string to = table.at("to").get<std::string>().substr(0, 10);
  std::vector<std::string> dates = dates_in(prompt, to);
  if (dates.empty()) dates = month_begun_in(prompt, to);
  if (!is_turn || dates.size() != 1) return false;
  const auto moment = parse_moment(dates[0]);
  if (dates[0] > from) {
    about.periods =
        Periods{from + "/" + moment_text(moment->moment - day_length, false), dates[0] + "/" + to};
  }
  return true;
}

}  // namespace insights
