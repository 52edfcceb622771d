#include "research/leaning.hpp"

#include <algorithm>
#include <set>
#include <string_view>

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

bool is_byline(const std::string& text) {
  constexpr std::size_t most_words = 8;
  const Words all = words(text);
  const bool named = text.starts_with("By ") && text.size() > 3 && text[3] >= 'A' && text[3] <= 'Z';
  return named && all.size() < most_words && text.find(", ") != text.npos && !has_figure(all) &&
         !text.ends_with('.');
}

bool leans_on_another(const std::string& text) { return leans(words(text)); }

bool refers_elsewhere(const std::string& text) {
  static const std::set<std::string_view> places{"see",      "refer", "section", "chapter",
                                                 "appendix", "above", "below",   "page"};
  static const std::set<std::string_view> conditions{"if",  "when", "while",   "note",
                                                     "tip", "some", "another", "other"};
  const auto all = words(text);
  if (std::ranges::find(all, "also") != all.end()) return true;
  if (text.find(" from above") != text.npos) return false;
  return text.starts_with('(') || (!all.empty() && is_one_of(conditions, all[0])) ||
         std::ranges::any_of(all, [](const auto& word) { return is_one_of(places, word); });
}

}  // namespace research
