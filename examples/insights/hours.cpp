#include "insights/hours.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <regex>
#include <string_view>
#include <vector>

#include "insights/words.hpp"
#include "text/pattern.hpp"

namespace insights {
namespace {

/// An hour as it is said.
struct Said {
  int hour = 0;
  bool is_sure = false;   ///< a time of day, not any number
  bool is_whole = false;  ///< of 24 hours: half of the day is known
};

const std::string hour_names = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
/// Its hour, `:00`, what half of the day it is in.
const std::string said_hour =
    "(\\d{1,2}|" + hour_names +
    "|noon|midday|midnight)(:00)?(?: ?(o'?clock))?(?: ?([ap])\\.?m\\b\\.?| (?:in "
    "the|at) (morning|afternoon|evening|night)\\b)?";
constexpr std::size_t said_groups = 5;  // of `said_hour`

int number_of(const std::string& word) {
  if (word[0] >= '0' && word[0] <= '9') return std::atoi(word.c_str());
  const std::size_t at = hour_names.find(word);
  return 1 + static_cast<int>(std::count(
                 hour_names.begin(), hour_names.begin() + static_cast<std::ptrdiff_t>(at), '|'));
}

/// @param at  the first of the groups
Said said_at(const std::smatch& found, std::size_t at) {
  const std::string word = found[at];
  if (word == "noon" || word == "midday") return {12, true, true};
  if (word == "midnight") return {0, true, true};
  const int hour = number_of(word);
  const std::string half = found[at + 3].str() + found[at + 4].str();
  const bool is_clock = found[at + 1].matched || found[at + 2].matched;
  if (half.empty()) return {hour, is_clock, hour > 12 || word[0] == '0'};
  // Six at night is in the evening, three at night is not.
  const bool is_late = half == "night" && hour > 5;
  const bool is_after_noon = half == "p" || half == "afternoon" || half == "evening";
  if (half == "night" && hour == 12) return {0, true, true};
  return {hour % 12 + (is_late || is_after_noon ? 12 : 0), true, true};
}

/// The one of the two halves of the day in which `hour` is closest behind `from`.
int behind(int from, int hour) {
  const auto distance = [&](int one) { return (one - from + 23) % 24; };
  const int other = (hour + 12) % 24;
  return distance(other) < distance(hour) ? other : hour;
}

std::optional<std::pair<int, int>> between(const std::string& text) {
  static const std::regex pattern{R"(\b(?:between|from) )" + said_hour +
                                      R"( ?(?:and|to|until|till|-|–) ?)" + said_hour +
                                      R"((?![\d:]))",
                                  std::regex::icase};
  std::smatch found;
  if (!std::regex_search(text, found, pattern)) return std::nullopt;
  const Said first = said_at(found, 1);
  const Said second = said_at(found, 1 + said_groups);
  if ((!first.is_sure && !second.is_sure) || first.hour > 24 || second.hour > 24)
    return std::nullopt;
  std::pair<int, int> hours{first.hour, second.hour};
  if (second.is_whole && !first.is_whole && second.hour <= 24) {
    // 2 and 6 pm: the first is the later one of the two before it.
    const int other = (first.hour + 12) % 24;
    const auto distance = [&](int one) { return (second.hour - one + 23) % 24; };
    if (distance(other) < distance(first.hour)) hours.first = other;
  } else if (!second.is_whole) {
    hours.second = behind(hours.first, second.hour);
  }
  if (hours.second == 0) hours.second = 24;
  return hours.first == hours.second ? std::nullopt : std::optional{hours};
}

std::optional<std::pair<int, int>> one_sided(const std::string& text) {
  // A number in words needs no o'clock where nothing follows that it counts.
  static const std::regex pattern{
      R"(\b(after|before) )" + said_hour + R"((?![\d:])( ?[?.,;!)]| ?$)?)", std::regex::icase};
  for (std::sregex_iterator at{text.begin(), text.end(), pattern}, end; at != end; ++at) {
    const Said one = said_at(*at, 2);
    const bool is_word = (*at)[2].str().find_first_of("0123456789") == std::string::npos;
    const bool is_end = (*at)[2 + said_groups].matched;
    if ((!one.is_sure && !(is_word && is_end)) || one.hour > 23 || one.hour == 0) continue;
    const bool is_before = ((*at)[1].str()[0] | 0x20) == 'b';
    return is_before ? std::pair{0, one.hour} : std::pair{one.hour, 24};
  }
  // `six in the evening or later`
  static const std::regex turned{
      R"(\b)" + said_hour + R"((?: or| and) (later|after|earlier|before)\b)", std::regex::icase};
  std::smatch found;
  if (!std::regex_search(text, found, turned)) return std::nullopt;
  const Said one = said_at(found, 1);
  if (!one.is_sure || one.hour > 23 || one.hour == 0) return std::nullopt;
  const char side = found[1 + said_groups].str()[0];
  return side == 'e' || side == 'b' ? std::pair{0, one.hour} : std::pair{one.hour, 24};
}

/// The parts of the day that a text names, but for an hour's: not `nine in the evening`.
std::vector<std::pair<int, int>> parts_of_day(const std::string& text) {
  static const std::regex part{
      R"((\b(?:\d+|)" + hour_names +
          R"()(?::\d\d)?(?: ?o'?clock)? (?:in the )?)?)"
          R"(\b(?:(morning|afternoon|evening)s?\b|(?:at|by|during the|in the) nights?\b))",
      std::regex::icase};
  static const std::map<std::string, std::pair<int, int>> hours{
      {"morning", {6, 12}}, {"afternoon", {12, 17}}, {"evening", {17, 22}}, {"", {22, 6}}};
  std::vector<std::pair<int, int>> found;
  for (std::sregex_iterator at{text.begin(), text.end(), part}, end; at != end; ++at) {
    if ((*at)[1].matched) continue;
    const std::pair<int, int> one = hours.at((*at)[2].str());
    if (std::ranges::find(found, one) == found.end()) found.push_back(one);
  }
  return found;
}

std::string lower_case_of(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// Whether parts of the day are set against each other, or one against the rest of it.
bool compares_parts_of_day(const std::string& text) {
  static const std::regex other{R"(\b(?:than|against|versus|compared|rest|other)\b)"};
  const std::string lower = lower_case_of(text);
  const std::size_t parts = parts_of_day(lower).size();
  return parts > 1 || (parts == 1 && std::regex_search(lower, other));
}

/// The hours that are said as numbers.
std::optional<std::pair<int, int>> hours_said(const std::string& text) {
  const std::string lower = lower_case_of(text);
  const auto both = between(lower);
  return both ? both : one_sided(lower);
}

}  // namespace

std::optional<std::pair<int, int>> hours_in(const std::string& text) {
  if (const auto said = hours_said(text)) return said;
  const std::string lower = lower_case_of(text);
  const auto parts = parts_of_day(lower);
  return parts.size() == 1 && !compares_parts_of_day(lower) ? std::optional{parts.front()}
                                                            : std::nullopt;
}

std::string span_in(const std::string& text, bool has_clock) {
  const auto matches = [&](const char* pattern) {
    return std::regex_search(text, text::pattern(pattern));
  };
  if (matches(R"(\bweek-?ends?\b)") &&
      matches(R"(\b(?:week-?days?|working|than|other|against|rest|compared|less|more|fewer|)"
              R"(higher|lower|differ\w*)\b)"))
    return "weekend";
  if (has_clock && !hours_said(text) && matches(R"(\b(?:at|by|during|in the) nights?\b)") &&
      matches(R"(\b(?:day|daytime|than|against|compared)\b)"))
    return "night";
  if (matches(R"(\bmonth by month|monthly\b)")) return "month";
  if (matches(R"(\bweek by week|weekly\b)")) return "week";
  if (has_clock && (matches(R"(\btime of (?:the )?day\b)") || compares_parts_of_day(text)))
    return "hour";
  static const std::regex asked{
      R"(\b(?:which|what|each|every|by|\w{3,}est|best|worst|most \w+|least \w+|single)(?: of)?)"
      R"((?: the)? (?:(?!per\b|an?\b)\w+ )?((?:day|night|evening) of the week|weekday|month|week|quarter|year|hour|day)\b)",
      std::regex::icase};
  std::smatch found;
  if (!std::regex_search(text, found, asked)) return "";
  const std::string name = found[1].length() > 7 ? "weekday" : words_in(found[1].str())[0];
  return name == "hour" && !has_clock ? "" : name;
}

}  // namespace insights
