#include "research/agreement.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "research/html_text.hpp"
#include "research/text.hpp"

namespace research {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<std::string_view, 4> currencies{"\u00A3", "\u20AC", "$", "\u00A5"};

/// The sign of a currency right before `at`; empty if there is none.
std::string_view currency_before(std::string_view text, std::size_t at) {
  while (at > 0 && text[at - 1] == ' ') --at;
  for (const auto sign : currencies) {
    if (text.substr(0, at).ends_with(sign)) return sign;
  }
  return {};
}

/// The word or sign behind a number: its unit.
std::string unit_after(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '%') return "percent";
  const auto behind = words(text.substr(at, 24));
  const bool apart = at < text.size() && text[at] != ' ';
  if (!apart && behind.size() > 1 && behind[0] == "per" && behind[1] == "cent") return "percent";
  return behind.empty() || apart ? std::string{} : stem(behind.front());
}

/// Whether it is the first figure of `has gone from sixteen to 64`; of `from 8:00 to 10:00` it is
/// not, as nothing has changed.
bool is_left_behind(std::string_view text, std::size_t at, std::string_view clause) {
  if (!clause.ends_with(" from ") && !clause.ends_with(" from \u00A3") &&
      !clause.ends_with(" from \u20AC") && !clause.ends_with(" from $")) {
    return false;
  }
  static const std::set<std::string_view> moves{
      "gone",   "went",  "goes",    "rises", "rose",      "risen",   "falls",   "fell",  "fallen",
      "raised", "cut",   "up",      "down",  "increased", "reduced", "lowered", "grown", "grew",
      "grows",  "drops", "dropped", "moved", "changed",   "shrunk",  "extended"};
  const bool moved = std::ranges::any_of(
      words(clause), [](const std::string& word) { return moves.contains(word); });
  return moved && text.substr(at, 40).find(" to ") != text.npos;
}

/// Whether what stands at `at` is denied in its clause: `will not reopen on 12 January but on …`.
bool is_denied(std::string_view text, std::size_t at) {
  std::string_view clause = text.substr(0, at);
  for (const std::string_view end : {". ", ", ", "; ", ": ", " but "}) {
    const auto found = clause.rfind(end);
    if (found != clause.npos) clause.remove_prefix(found + end.size() - 1);
  }
  if (is_left_behind(text, at, clause)) return true;
  constexpr std::array<std::string_view, 5> denials{" not ", "n't ", " no longer ", " instead of ",
                                                    " rather than "};
  return std::ranges::any_of(denials,
                             [&](auto denial) { return clause.find(denial) != clause.npos; });
}

/// What a figure measures: its unit and the three words behind that, `months in any year`; empty if
/// these tell nothing.
std::string measure_at(std::string_view text, std::size_t at) {
  const auto behind = words(text.substr(at, 60));
  if (behind.size() < 4 || terms(behind).size() < 2) return {};
  return fmt::format("{}", fmt::join(behind.begin(), behind.begin() + 4, " "));
}

/// The number that begins at `at` as a word, with the length of the word; empty if none does.
std::pair<std::string, std::size_t> number_word(std::string_view text, std::size_t at) {
  static const std::map<std::string_view, std::string_view> numbers{
      {"two", "2"},       {"three", "3"},     {"four", "4"},     {"five", "5"},
      {"six", "6"},       {"seven", "7"},     {"eight", "8"},    {"nine", "9"},
      {"ten", "10"},      {"eleven", "11"},   {"twelve", "12"},  {"thirteen", "13"},
      {"fourteen", "14"}, {"fifteen", "15"},  {"sixteen", "16"}, {"seventeen", "17"},
      {"eighteen", "18"}, {"nineteen", "19"}, {"twenty", "20"},  {"thirty", "30"},
      {"forty", "40"},    {"fifty", "50"},    {"sixty", "60"},   {"seventy", "70"},
      {"eighty", "80"},   {"ninety", "90"}};
  const auto is_letter = [&](std::size_t here) {
    return here < text.size() && std::isalpha(static_cast<unsigned char>(text[here])) != 0;
  };
  if (!is_letter(at) || (at > 0 && (is_letter(at - 1) || text[at - 1] == '-'))) return {};
  std::size_t end = at;
  while (is_letter(end)) ++end;
  if (end < text.size() && text[end] == '-') return {};  // twenty-one
  const auto found = numbers.find(lower(text.substr(at, end - at)));
  if (found == numbers.end()) return {};
  return {std::string{found->second}, end - at};
}

/// Whether a text says that something is no longer as it was: `now`, `no longer`, `down from`.
bool speaks_of_end(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "now" || words[i] == "instead") return true;
    if (i == 0) continue;
    const bool no_longer = words[i] == "longer" && words[i - 1] == "no";
    const bool moved = words[i] == "from" && (words[i - 1] == "down" || words[i - 1] == "up");
    if (no_longer || moved) return true;
  }
  return false;
}

/// Whether words speak of something that is not as it was, or not as it was thought to be.
bool speaks_of_change(const std::vector<std::string>& words) {
  static const std::set<std::string_view> signs{
      "now",       "longer",    "instead",  "not",      "rather",   "changed", "moved",
      "raised",    "lowered",   "cut",      "reduced",  "risen",    "fallen",  "increased",
      "corrected", "wrong",     "revised",  "later",    "earlier",  "new",     "newer",
      "since",     "gone",      "replaced", "measured", "actually", "turned",  "extended",
      "delayed",   "postponed", "planned",  "until"};
  return std::ranges::any_of(words, [](const std::string& word) { return signs.contains(word); });
}

/// Whether a number counts these: a stem that says something, or a span of time.
bool is_counted(const std::string& unit) {
  return !unit.empty() && (!is_stop_word(unit) || unit == "year");
}

/// Whether a sentence ends between two places of a text.
bool ends_between(std::string_view text, std::size_t from, std::size_t to) {
  return text.substr(from, to - from).find(". ") != text.npos;
}

/// Reads what is counted, with the numbers that are named for it.
void read_figures(const std::string& text, Said& said) {
  std::string last;  // unit in the sentence
  std::size_t behind = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto [as_word, letters] = number_word(text, at);
    if (as_word.empty() && !is_digit(text[at])) continue;
    std::size_t end = at + letters;
    const auto goes_on = [&](std::size_t here) {
      const bool mark = text[here] == '.' || text[here] == ',' || text[here] == ':';
      return is_digit(text[here]) || (mark && here + 1 < text.size() && is_digit(text[here + 1]));
    };
    while (as_word.empty() && end < text.size() && goes_on(end)) ++end;
    const auto sign = currency_before(text, at);
    const bool time = text.substr(at, end - at).find(':') != std::string::npos;
    const std::string unit = time           ? "clock"
                             : sign.empty() ? unit_after(text, end)
                                            : std::string{sign};
    const bool counts = is_counted(unit);
    if (ends_between(text, behind, at)) last.clear();
    behind = end;
    const std::string number = as_word.empty() ? text.substr(at, end - at) : as_word;
    if (counts) said.measures[measure_at(text, end)].insert(number);
    if (counts) said.figures[unit].insert(number);
    if (counts) last = unit;
    if (!counts) said.bare.insert(number);
    if (is_denied(text, at)) said.denied[last].insert(number);
    at = end;
  }
}

/// Whether `one` has a figure of `other` and, for the same unit, one that `other` has not.
bool replaces(const Said& one, const Said& other) {
  for (const auto& [unit, numbers] : one.figures) {
    const auto found = other.figures.find(unit);
    if (found == other.figures.end()) continue;
    const auto common = std::ranges::count_if(
        numbers, [&](const auto& number) { return found->second.contains(number); });
    if (common > 0 && std::cmp_less(common, numbers.size())) return true;
  }
  return false;
}

/// Whether two texts that have this number mean the same by it: a short one stands on many pages.
bool are_alike(const Said& one, const Said& other, const std::string& number) {
  constexpr std::size_t telling_length = 3;
  constexpr std::ptrdiff_t telling_terms = 3;  // the number and its unit are two
  const auto common = std::ranges::count_if(
      one.terms, [&](const auto& term) { return other.context.contains(term); });
  return number.size() >= telling_length || common >= telling_terms;
}

/// Whether it names another figure for the unit: `6 months, not 38`.
bool names_another(const Said& said, const std::string& unit, const std::string& number) {
  const auto figures = said.figures.find(unit);
  return figures != said.figures.end() &&
         std::ranges::any_of(figures->second, [&](const auto& other) { return other != number; });
}

/// Whether it has the number, for the unit if one is given; the unit may stand above it.
bool has(const Said& said, const std::string& unit, const std::string& number) {
  if (said.bare.contains(number)) return unit.empty() || said.context.contains(unit);
  return std::ranges::any_of(said.figures, [&](const auto& one) {
    return (unit.empty() || unit == one.first) && one.second.contains(number);
  });
}

}  // namespace

Said said_of(const std::string& text, const std::string& columns, const std::string& heading,
             const std::string& title) {
  const auto own = terms(text);
  const auto more = terms(columns + " " + heading + " " + title);
  Said said;
  said.terms = {own.begin(), own.end()};
  said.context = said.terms;
  said.tells_end = speaks_of_end(words(text));
  said.tells_change = speaks_of_change(words(text));
  read_figures(text, said);
  said.context.insert(more.begin(), more.end());
  return said;
}

bool takes_back(const Said& one, const Said& other) {
  return std::ranges::any_of(one.denied, [&](const auto& denied) {
    const std::string& unit = denied.first;
    return std::ranges::any_of(denied.second, [&](const std::string& number) {
      return has(other, unit, number) &&
             (names_another(one, unit, number) || are_alike(one, other, number));
    });
  });
}

bool measure_alike(const Said& one, const Said& other) {
  return std::ranges::any_of(one.measures, [&](const auto& measure) {
    return !measure.first.empty() && other.measures.contains(measure.first);
  });
}

bool disagree(const Said& one, const Said& other) {
  if (takes_back(one, other) || takes_back(other, one)) return true;
  for (const auto& [unit, numbers] : one.figures) {
    const auto found = other.figures.find(unit);
    if (found == other.figures.end()) continue;
    const bool common = std::ranges::any_of(
        numbers, [&](const auto& number) { return found->second.contains(number); });
    if (!common) return true;
  }
  return replaces(one, other) || replaces(other, one);
}

}  // namespace research
