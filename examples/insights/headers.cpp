#include "insights/headers.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>

#include "insights/words.hpp"

namespace insights {
namespace {

bool is_unit(const std::string& text) {
  return std::ranges::any_of(words().units, [&](const auto& one) { return one.second == text; });
}

/// As words.json has it: `L` and `Litres` are l, but `M` is no metre.
std::string known_unit(const std::string& text) {
  const auto& units = words().units;
  if (is_unit(text)) return text;
  if (const auto exact = units.find(text); exact != units.end()) return exact->second;
  const std::vector<std::string> parts = words_in(text);
  const bool is_word = parts.size() == 1 && parts[0].size() == text.size() && text.size() > 1;
  const auto found = is_word ? units.find(parts[0]) : units.end();
  return found == units.end() ? text : found->second;
}

bool is_money(const std::string& text) {
  return words().has("money", known_unit(text)) ||
         (text.size() > 1 && words().hundredths.contains(text));
}

/// Whether so much of it may be so much per something: km, kWh, or a sign that is no word, as R.
bool is_of_amounts(const std::string& text) {
  constexpr std::size_t longest_sign = 2;
  return text.size() <= longest_sign || is_unit(known_unit(text));
}

bool is_of_each(const std::string& text) {
  const auto parts = words_in(text);
  return is_unit(known_unit(text)) || words().unit_names.contains(text) ||
         words().has("time units", text) || (!parts.empty() && words().has("times", parts[0]));
}

/// `ct/kWh`, `R/t`, `€ per bed`, `l/100 km`: an amount in each of something, not `Vans/lorries`.
std::optional<std::string> rate_in(const std::string& text) {
  static const std::regex pattern{
      R"((?:^|[ _])([^ /_()\d][^ /_()]*)(?:/| per )((?:\d+ ?)?)([^ /()]+))"};
  std::smatch found;
  const bool is_short = text.size() <= longest_header;
  if (!is_short || !std::regex_search(text, found, pattern)) return std::nullopt;
  const bool is_rate = is_money(found[1]) || (is_of_amounts(found[1]) && is_of_each(found[3]));
  if (!is_rate) return std::nullopt;
  return found[1].str() + "/" + found[2].str() + found[3].str();
}

/// What stands in brackets at the end.
std::optional<Header> bracketed(const std::string& text) {
  for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
    const auto at = text.rfind(open);
    if (at == text.npos || at == 0 || text.back() != close) continue;
    const auto end = text.find_last_not_of(" _", at - 1);
    if (end == text.npos) continue;
    const std::string name = text.substr(0, end + 1);
    const std::string inside = text.substr(at + 1, text.size() - at - 2);
    if (inside.find_first_not_of("0123456789-–") == inside.npos) {
      return Header{name, ""};  // (1-5) are the values that there are
    }
    if (const auto rate = rate_in(inside)) return Header{name, known_unit(*rate)};
    // (GBP ex VAT) is a unit and what is said of it, (first half) is none.
    const std::string unit = known_unit(inside.substr(0, inside.find(' ')));
    if (inside.find(' ') == inside.npos || is_unit(unit)) return Header{name, unit};
  }
  return std::nullopt;
}

}  // namespace

Header header_of(const std::string& text, const std::vector<std::string>& all) {
  if (const auto found = bracketed(text)) return *found;
  if (const auto rate = rate_in(text)) return {text, *rate};
  for (const char* sign : {" €", " $", " £", " %"}) {
    const auto at = text.size() - std::min(text.size(), std::string_view{sign}.size());
    if (at > 0 && text.ends_with(sign)) return {text.substr(0, at), sign + 1};
  }
  const std::vector<std::string> parts = words_in(text);
  // A column that is called Kg holds kilograms.
  if (parts.size() == 1 && words().units.contains(parts[0]) && parts[0].size() > 1) {
    return {text, words().units.at(parts[0])};
  }
  const auto unit = parts.empty() ? words().units.end() : words().units.find(parts.back());
  if (parts.size() < 2 || unit == words().units.end()) return {text, ""};
  if (parts[parts.size() - 2] == "per") return {text, ""};  // of something else, per this
  if (text.find('/' + text.substr(text.size() - parts.back().size())) != text.npos)
    return {text, ""};  // M/F
  // phase_a, phase_b: letters that tell columns apart are no units.
  const std::string stem = text.substr(0, text.size() - parts.back().size());
  const auto siblings = std::ranges::count_if(all, [&](const std::string& other) {
    return other.starts_with(stem) && other.size() == stem.size() + 1;
  });
  return {text, parts.back().size() == 1 && siblings > 1 ? "" : unit->second};
}

}  // namespace insights
