#include "research/leaning.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>

#include "research/dates.hpp"
#include "research/html_text.hpp"
#include "research/text.hpp"

namespace research {
namespace {

using Words = std::vector<std::string>;

bool is_one_of(const std::set<std::string_view>& set, const std::string& word) {
  return set.contains(word);
}

const std::set<std::string_view> pronouns{"it",    "its",   "they", "their",  "them", "he",
                                          "she",   "his",   "her",  "this",   "that", "both",
                                          "these", "those", "such", "neither"};

/// `A full one can be forced`, `the last ones leave at noon`: one of what?
bool leaves_out_the_noun(const Words& words) {
  static const std::set<std::string_view> articles{"a", "an", "the", "each", "every", "no"};
  if (words.empty() || !is_one_of(articles, words.front())) return false;
  const auto end = words.begin() + std::min<std::ptrdiff_t>(4, std::ssize(words));
  return std::any_of(words.begin() + 1, end,
                     [](const auto& word) { return word == "one" || word == "ones"; });
}

/// `Two were found later`, `the rest came out of a box`, `over the spring he tested all of them`.
bool speaks_of_some(const Words& words) {
  static const std::set<std::string_view> some{"others", "latter", "former", "rest", "remainder"};
  static const std::set<std::string_view> some_of{"other", "second", "third"};
  static const std::set<std::string_view> persons{"he", "she", "him", "them"};
  if (words.size() < 2) return false;
  const bool counted = has_figure({words[0]}) && words[1] != "of" && is_stop_word(words[1]);
  const bool alone = words.size() < 3 || is_stop_word(words[2]);
  const bool left =
      words[0] == "the" && (is_one_of(some, words[1]) || (is_one_of(some_of, words[1]) && alone));
  const auto end = words.begin() + std::min<std::ptrdiff_t>(5, std::ssize(words));
  return counted || left ||
         std::any_of(words.begin(), end, [](const auto& word) { return is_one_of(persons, word); });
}

/// `On a new disk it is 11 per cent`: what is?
bool leans_behind_a_place(const Words& words) {
  static const std::set<std::string_view> places{"on", "in",    "at",     "with",
                                                 "by", "under", "without"};
  if (words.empty() || !is_one_of(places, words.front())) return false;
  const auto end = words.begin() + std::min<std::ptrdiff_t>(8, std::ssize(words));
  return std::any_of(words.begin(), end,
                     [](const auto& word) { return word == "it" || word == "they"; });
}

/// `The new way inverts this`, `in other words, …`
bool sums_up(const Words& words) {
  static const std::set<std::string_view> pointing{"this", "that", "these", "those"};
  const bool other_words =
      words.size() > 2 && words[0] == "in" && words[1] == "other" && words[2] == "words";
  return other_words || is_one_of(pointing, words.back());
}

/// `There dust darkens the snow`: where? But `there is`, `there stands`.
bool begins_with_a_place(const Words& words) {
  static const std::set<std::string_view> being{"exist", "exists", "existed", "stands", "stand",
                                                "stood", "lies",   "lie",     "lay",    "seems",
                                                "seem",  "remain", "come",    "comes",  "remains"};
  return words.size() > 1 && words[0] == "there" && !is_stop_word(words[1]) &&
         !has_figure({words[1]}) && !is_one_of(being, words[1]);
}

/// `On 14 of these no one came`, `the winter before it was 17 days`.
bool counts_some_of_them(const Words& words) {
  static const std::set<std::string_view> pointing{"these", "those", "them"};
  const bool before = words.size() > 3 && words[0] == "the" && words[2] == "before" &&
                      (words[3] == "it" || words[3] == "there");
  for (std::size_t i = 1; i < std::min<std::size_t>(5, words.size()); ++i) {
    if (words[i - 1] == "of" && is_one_of(pointing, words[i])) return true;
  }
  return before;
}

}  // namespace

bool points_back(const Words& words) {
  static const std::set<std::string_view> pointing{"this", "that", "these",  "those",
                                                   "such", "both", "neither"};
  return !words.empty() && is_one_of(pointing, words.front());
}

bool is_joined_on(const Words& words) {
  static const std::set<std::string_view> joining{
      "but",   "and",       "so",        "or",      "also",    "however",  "then",
      "thus",  "therefore", "otherwise", "besides", "further", "moreover", "likewise",
      "again", "instead",   "here",      "yet",     "still"};
  return !words.empty() && is_one_of(joining, words.front()) &&
         std::none_of(words.begin(), words.begin() + std::min<std::ptrdiff_t>(4, std::ssize(words)),
                      [](const std::string& word) { return is_one_of(pronouns, word); });
}

bool leans(const Words& words) {
  static const std::set<std::string_view> leaning{
      "it",      "its",        "they",    "their",     "them",      "he",        "she",
      "his",     "her",        "but",     "and",       "so",        "or",        "also",
      "however", "then",       "both",    "again",     "instead",   "similarly", "besides",
      "further", "moreover",   "thus",    "therefore", "otherwise", "likewise",  "here",
      "else",    "afterwards", "neither", "yet",       "still"};
  static const std::set<std::string_view> pointing{"this", "that", "these", "those", "such"};
  if (words.empty() || is_one_of(leaning, words.front())) return true;
  if (leaves_out_the_noun(words) || speaks_of_some(words) || leans_behind_a_place(words) ||
      begins_with_a_place(words) || sums_up(words)) {
    return true;
  }
  if (words.size() > 1 && words[0] == "for" && (words[1] == "example" || words[1] == "instance")) {
    return true;
  }
  if (counts_some_of_them(words)) return true;
  const auto end =
      words.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, words.size()));
  static const std::set<std::string_view> objects{"it", "them", "they"};
  return std::any_of(words.begin(), end, [](const auto& word) {
    return is_one_of(pointing, word) || is_one_of(objects, word);
  });
}

bool points_away(const Words& words) {
  static const std::set<std::string_view> verbs{"read", "click", "visit", "view", "follow"};
  static const std::set<std::string_view> where{"also", "more", "here", "our", "the", "about"};
  if (words.size() < 2) return false;
  const bool link = is_one_of(verbs, words[0]) && (is_one_of(where, words[1]) || words.size() < 6);
  const auto refers = std::find_if(words.begin(), words.end() - 1, [](const auto& word) {
    return word == "see" || word == "refer";
  });
  const bool see = refers == words.begin() || (words[0] == "for" && refers < words.end() - 1);
  const bool last = words.end() - refers == 2 && words.size() < 10 && !has_figure(words);
  const bool here = words.back() == "here" && is_one_of(verbs, words[words.size() - 2]);
  const auto page = std::ranges::find(words, "page");
  const bool names = words.end() - page > 2 && (page[1] == "about" || page[1] == "on");
  const bool itself = page != words.begin() && page != words.end() && page[-1] == "this";
  const bool more = words[0] == "more" && (words[1] == "about" || words[1] == "on");
  const bool below = words[0] == "below" && (words[1] == "is" || words[1] == "are");
  const bool back =
      (words[0] == "back" && words[1] == "to") || (words[0] == "continue" && words[1] == "with");
  return link || see || last || here || names || (itself && !has_figure(words)) || more || below ||
         (back && words.size() < 8);
}

bool speaks_of_else(const Words& words) {
  static const std::set<std::string_view> pronouns{"it", "its", "they", "their", "them",
                                                   "he", "she", "his",  "her"};
  return !words.empty() && pronouns.contains(words.front());
}

std::string label_at_start(const std::string& text) {
  constexpr std::size_t most_words = 3;
  const auto at = text.find(':');
  const Words label = words(text.substr(0, at));
  if (at == text.npos || label.size() > most_words) return {};
  return lower(text.substr(0, at));
}

bool is_signpost(const std::string& text) {
  static const std::set<std::string_view> labels{
      "on these pages", "on this page", "on this site", "in this section", "read on",
      "read next",      "read more",    "start here",   "see also",        "contents",
      "last change",    "last changed", "last update",  "last updated"};
  return labels.contains(label_at_start(text));
}

namespace {

/// With their capitals.
std::vector<std::string> plain_words(const std::string& text) {
  std::vector<std::string> all;
  std::string word;
  for (const char c : text + " ") {
    const bool inside = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                        static_cast<unsigned char>(c) > 127 || c == '\'';
    if (inside) word += c;
    if (!inside && !word.empty()) all.push_back(std::exchange(word, {}));
  }
  return all;
}

}  // namespace

bool is_byline(const std::string& text) {
  constexpr std::size_t most_words = 8;
  const Words all = words(text);
  const bool named = text.starts_with("By ") && text.size() > 3 && text[3] >= 'A' && text[3] <= 'Z';
  return named && all.size() < most_words && text.find(", ") != text.npos && !has_figure(all) &&
         !text.ends_with('.');
}

bool is_signed(const std::string& text) {
  static const std::set<std::string_view> makers{
      "by",    "text",   "texts",    "words",    "picture", "pictures",  "photo",  "photos",
      "story", "report", "reported", "compiled", "posted",  "published", "author", "written"};
  static const std::set<std::string_view> joining{"and", "for", "in", "on", "the", "from", "of"};
  constexpr std::size_t most_words = 9;
  const Words all = words(text);
  const bool has_date = date_in(text).has_value();
  const bool bracket = has_date && text.find('(') != text.npos;
  const bool made =
      std::ranges::any_of(all, [](const auto& word) { return makers.contains(word); });
  if (all.size() > most_words || (!made && !bracket) || (!has_date && text.find(':') == text.npos))
    return false;
  std::size_t names = 0;
  const bool only = std::ranges::all_of(plain_words(text), [&](const std::string& word) {
    const std::string small = lower(word);
    const bool known = makers.contains(small) || joining.contains(small) || is_only_date(word);
    const bool name = word[0] >= 'A' && word[0] <= 'Z';
    names += !known && name ? 1U : 0U;
    return known || name || is_number(word);
  });
  return only && names <= 4 && (names > 0 || has_date);
}

bool names_writer(const std::string& text) {
  if (is_signed(text)) return true;
  const auto all = plain_words(text);
  return all.size() <= 8 && date_in(text) && !text.ends_with('.') && !text.ends_with('!') &&
         std::ranges::all_of(all, [](const std::string& word) {
           return (word[0] >= 'A' && word[0] <= 'Z') || is_only_date(word) || is_number(word);
         });
}

bool leans_on_another(const std::string& text) { return leans(words(text)); }

bool refers_elsewhere(const std::string& text) {
  static const std::set<std::string_view> places{"see",     "refer",    "section",
                                                 "chapter", "appendix", "page"};
  static const std::set<std::string_view> sides{"above", "below"};
  static const std::set<std::string_view> determiners{"the", "a",   "an",    "its",  "our", "his",
                                                      "her", "all", "their", "this", "that"};
  static const std::set<std::string_view> conditions{"if",  "when", "while",   "note",
                                                     "tip", "some", "another", "other"};
  const auto all = words(text);
  if (std::ranges::find(all, "also") != all.end()) return true;
  if (text.find(" from above") != text.npos) return false;
  // But `it runs below a slope`, `above 40 degrees`.
  const auto side = std::find_if(all.begin(), all.end(), [&](const std::string& word) {
    const auto next = &word + 1;
    const bool end = next == &all.back() + 1;
    return is_one_of(sides, word) &&
           (end || (!is_one_of(determiners, *next) && !has_figure({*next})));
  });
  return text.starts_with('(') || (!all.empty() && is_one_of(conditions, all[0])) ||
         std::ranges::any_of(all, [](const auto& word) { return is_one_of(places, word); }) ||
         side != all.end();
}

}  // namespace research
