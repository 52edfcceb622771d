#include "insights/moves.hpp"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "insights/words.hpp"
#include "text/pattern.hpp"

namespace insights {
namespace {

constexpr const char* risen =
    R"(\b(?:gr[eo]w(?:n|s|ing|th)?|r[io]se|risen|rising|increas\w+|gain(?:ed|s)?|climb(?:ed)?|)"
    R"((?:go|goes|gone|went|come|came) up|expand\w*|improv\w+)\b)";
constexpr const char* fallen =
    R"(\b(?:los(?:e|es|t|ing)|f[ae]ll|fallen|falling|drop(?:s|ped)?|declin\w+|decreas\w+|)"
    R"(shr[aiu]nk|(?:go|goes|gone|went|come|came) down|worsen\w*)\b)";
constexpr const char* changed = R"(\b(?:compare[ds]?|comparing|chang\w+)\b)";
constexpr const char* more = R"(\b(?:more|better|higher|larger|bigger|greater)\b)";
constexpr const char* less = R"(\b(?:fewer|less|worse|lower|smaller)\b)";
constexpr const char* against = R"(\b(?:than|since|after|compared|now)\b)";

bool has(const std::string& text, const char* pattern) {
  return std::regex_search(text, text::pattern(pattern));
}

/// Whether something has become less: what got lost has not, nor does `how many people fell` ask
/// so.
bool has_fallen(const std::string& text) {
  static const std::regex passive{
      R"(\b(?:was|were|been|being|is|are|got|get|gets) (?:lost|dropped)\b|)"
      R"(\bhow many \w+ (?:lost|fell|dropped|rose|gained)\b)",
      std::regex::icase};
  return has(std::regex_replace(text, passive, ""), fallen);
}

/// The text without the words of columns and values: a reason may be called Lost.
std::string without_names(const Clause& clause) {
  std::vector<std::string> names{clause.about.said.begin(), clause.about.said.end()};
  for (const auto& [category, value] : clause.about.where) names.push_back(value);
  for (const auto& [category, two] : clause.about.compared) {
    names.push_back(two.first);
    names.push_back(two.second);
  }
  std::string text;
  for (const std::string& word : clause.words) {
    const bool is_name = std::ranges::any_of(names, [&](const std::string& name) {
      return std::ranges::any_of(words_in(name),
                                 [&](const auto& part) { return is_same_word(word, part); });
    });
    if (!is_name) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

/// Whether of two years that `than` sets against each other the first is the earlier one.
bool names_earlier_first(const std::string& text) {
  static const std::regex years{R"(\b((?:19|20)\d\d)\b.*\bthan\b.*\b((?:19|20)\d\d)\b)"};
  std::smatch found;
  return std::regex_search(text, found, years) && found[1] < found[2];
}

}  // namespace

std::string move_asked(const Clause& clause) {
  const std::string text = without_names(clause);
  const bool is_against = has(text, against);
  const bool rises = has(text, risen) || (is_against && has(text, more));
  const bool falls = has_fallen(text) || (is_against && has(text, less));
  if (rises && falls) return "change";
  if (!rises && !falls) return has(text, changed) ? "change" : "";
  const bool turns =
      has(text, R"(\b(?:least|slowest|fewest)\b)") != names_earlier_first(clause.text);
  return rises != turns ? "rise" : "fall";
}

bool is_of_moves(const std::string& word) {
  return has(word, risen) || has(word, fallen) || has(word, changed);
}

std::string with_two_years(const std::string& text) {
  static const std::regex range{
      R"(\b(?:from|between) ((?:19|20)\d\d) (?:to|and|until) ((?:19|20)\d\d)\b)",
      std::regex::icase};
  static const std::regex year{R"(\b(?:19|20)\d\d\b)"};
  const auto years = std::distance(std::sregex_iterator{text.begin(), text.end(), year}, {});
  const bool is_moved = has(text, risen) || has_fallen(text) || has(text, changed);
  return years == 2 && is_moved ? std::regex_replace(text, range, "in $1 against $2") : text;
}

}  // namespace insights
