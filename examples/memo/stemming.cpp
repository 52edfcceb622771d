#include "memo/stemming.hpp"

#include <algorithm>
#include <map>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "text/stem.hpp"

namespace memo {
namespace {

/// Quotation marks, dashes and dots of Unicode; the apostrophe of `don’t` is part of a word.
bool is_mark(std::string_view text, std::size_t at) {
  constexpr std::string_view head = "\u201C";  // of the three bytes of each the first two are one
  constexpr std::string_view apostrophe = "\u2019";
  for (std::size_t begin = at < 2 ? 0 : at - 2; begin <= at; ++begin) {
    const auto mark = text.substr(begin, 3);
    if (mark.starts_with(head.substr(0, 2)) && mark != apostrophe) return true;
  }
  return false;
}

/// A dot stays inside a name (`acme.org`), nowhere else.
bool in_word(std::string_view text, std::size_t at) {
  if (is_word(text[at])) return true;
  if ((text[at] & 0x80) != 0) return !is_mark(text, at);
  return text[at] == '.' && at > 0 && at + 1 < text.size() && is_word(text[at - 1]) &&
         is_word(text[at + 1]);
}

/// Whether a sign is nothing but words.
bool is_words(std::string_view sign) {
  return std::ranges::all_of(sign, [](char c) {
    return is_word(c) || (c & 0x80) != 0 || c == ' ' || c == '-' || c == '.';
  });
}

/// Takes ` & 0` or ` & $` off the end of a sign, and says which.
char taken_condition(std::string_view& sign) {
  if (!sign.ends_with(" & 0") && !sign.ends_with(" & $")) return 0;
  const char condition = sign.back();
  sign.remove_suffix(4);
  return condition;
}

bool holds(const WordIndex& text, char condition) {
  return condition == 0 || (condition == '0' ? text.figure : text.money);
}

}  // namespace

std::string stem_of(const std::string& word) {
  static const std::map<std::string, std::string> others{
      {"founded", "founded"},        {"founding", "founded"}, {"interested", "interested"},
      {"interesting", "interested"}, {"busy", "busy"},        {"marketing", "marketing"}};
  const auto found = others.find(word);
  return found == others.end() ? ::text::stem_of(word) : found->second;
}

std::vector<std::string> lower_words(std::string_view text) {
  const std::string lower = to_lower(text);
  std::vector<std::string> words;
  std::string word;
  for (std::size_t at = 0; at <= lower.size(); ++at) {
    if (at < lower.size() && in_word(lower, at)) {
      word += lower[at];
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

WordIndex::WordIndex(std::string_view text) : lower{to_lower(text)} {
  for (const auto& word : lower_words(lower)) {
    words += word + ' ';
    stems += stem_of(word) + ' ';
  }
  figure = lower.find_first_of("0123456789") != npos;
  money = figure && std::ranges::any_of(amounts_in(text), [](const Amount& amount) {
            return !amount.unit.empty() && amount.unit != "%";
          });
}

bool is_brief(const WordIndex& heading) {
  constexpr std::int64_t longest = 10;  // words
  return std::ranges::count(heading.words, ' ') <= longest + 1;
}

Signs::Signs(const std::vector<std::string>& signs) {
  for (std::string_view sign : signs) {
    const bool heading_only = sign.starts_with('#');
    if (heading_only) sign.remove_prefix(1);
    const bool head = sign.starts_with('^');
    if (head) sign.remove_prefix(1);
    const char with = taken_condition(sign);
    const bool open = sign.ends_with('*');
    if (open) sign.remove_suffix(1);
    if (trim(sign).empty()) continue;
    const WordIndex index{sign};
    if (head) {
      add({By::head, heading_only, index.words, with});
    } else if (!is_words(sign)) {
      add({By::text, heading_only, index.lower, with});
    } else if (open) {
      add({By::letters, heading_only, index.words.substr(0, index.words.size() - 1), with});
    } else {
      add({By::stems, heading_only, index.stems, with});
    }
  }
}

void Signs::add(Sign sign) {
  if (std::ranges::find(signs_, sign) == signs_.end()) signs_.push_back(std::move(sign));
}

bool Signs::Sign::is_in(const WordIndex& index) const {
  if (!holds(index, with)) return false;
  if (by == By::head) return index.words.starts_with(pattern);
  const std::string& where = by == By::stems     ? index.stems
                             : by == By::letters ? index.words
                                                 : index.lower;
  return where.find(pattern) != std::string::npos;
}

std::int64_t Signs::count_in(const WordIndex& text) const {
  return std::ranges::count_if(
      signs_, [&](const Sign& sign) { return !sign.heading_only && sign.is_in(text); });
}

bool Signs::in_heading(const WordIndex& heading) const {
  const bool brief = is_brief(heading);
  return std::ranges::any_of(signs_, [&](const Sign& sign) {
    return (brief || !sign.heading_only) && sign.is_in(heading);
  });
}

std::string Signs::Sign::key() const {
  return pattern + (heading_only ? '#' : ' ') + (with == 0 ? ' ' : with);
}

std::string Signs::Sign::first_stem() const {
  if (by != By::stems) return {};
  return pattern.substr(1, pattern.find(' ', 1) - 1);
}

int Signs::Sign::words() const {
  const auto blanks = static_cast<int>(std::ranges::count(pattern, ' '));
  return by == By::text ? blanks + 1 : std::max(1, blanks - 1);
}

}  // namespace memo
