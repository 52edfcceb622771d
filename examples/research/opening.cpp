#include "research/opening.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "research/dates.hpp"
#include "research/text.hpp"

namespace research {
namespace {

using Words = std::vector<std::string>;

bool is_auxiliary(std::string_view word) {
  static const std::set<std::string_view> all{
      "is",  "are", "was",   "were", "am",    "has",    "have",  "had",   "do",  "does",
      "did", "can", "could", "will", "would", "should", "shall", "might", "may", "must"};
  return all.contains(word);
}

/// Of verbs whose past has no `-ed`, one that is not used as a participle of a caption.
bool is_irregular_past(std::string_view word) {
  static const std::set<std::string_view> all{
      "began", "became", "came", "gave", "went", "ran",   "rose", "fell",  "grew",  "knew",
      "drew",  "flew",   "blew", "took", "saw",  "stood", "lay",  "led",   "left",  "lost",
      "won",   "met",    "sat",  "sang", "swam", "rang",  "sank", "drank", "broke", "spoke",
      "chose", "froze",  "wore", "tore", "rode", "wrote", "ate",  "found", "got",   "held",
      "kept",  "meant",  "said", "sent", "told", "put",   "let",  "set",   "cut",   "cost"};
  return all.contains(word);
}

/// By its form: `grinds`, but not `for years`, `thirty years`; a year may stand before a verb.
bool is_third_person(const std::string& word, const std::string& before) {
  static const std::set<std::string_view> of_nouns{
      "the", "a",  "for", "of",   "in", "with", "at",    "on",  "to",   "by",   "and",
      "or",  "no", "per", "from", "my", "our",  "under", "few", "over", "more", "many"};
  const bool form = word.size() > 2 && word.ends_with('s') && !word.ends_with("ss");
  const bool year = before.size() == 4 && is_number(before);
  return form && !of_nouns.contains(before) && (year || !has_figure({before}));
}

/// `The works begin`, but not `wheels lying` or `wheels bought`.
bool is_plural_verb(const std::string& word, const std::string& before) {
  static const std::set<std::string_view> participles{"bought", "made", "built", "laid", "sold"};
  return before.size() > 3 && before.ends_with('s') && word.size() > 2 && !is_stop_word(word) &&
         !has_figure({word}) && !word.ends_with("ing") && !word.ends_with("ed") &&
         !participles.contains(word);
}

/// `The Trust built the lock`, but not `A wheel bought new`.
bool has_object(const std::string& word, const std::string& next) {
  static const std::set<std::string_view> verbs{"bought", "made", "built",   "laid",  "sold",
                                                "paid",   "read", "brought", "taught"};
  static const std::set<std::string_view> objects{"the", "a",   "an",    "it",  "its", "his", "her",
                                                  "us",  "for", "their", "all", "our", "them"};
  return verbs.contains(word) && (objects.contains(next) || has_figure({next}));
}

/// `The miller sifted it`, but not `Snow, melted and fixed, …`.
bool is_past(const std::string& word, const std::string& before, const std::string& text) {
  const bool joined = before == "and" || before == "or" || text.find(", " + word) != text.npos;
  return is_irregular_past(word) || (word.ends_with("ed") && !joined);
}

bool has_verb(const Words& words, const std::string& text) {
  static const std::set<std::string_view> subjects{"we", "you", "i", "they", "people"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_auxiliary(words[i]) || subjects.contains(words[i])) return true;
    if (i == 0) continue;
    const std::string& before = words[i - 1];
    if (is_third_person(words[i], before) || is_past(words[i], before, text)) return true;
    if (is_plural_verb(words[i], before)) return true;
    if (i + 1 < words.size() && has_object(words[i], words[i + 1])) return true;
  }
  return false;
}

/// What stands before a colon near the beginning.
std::string label_before_colon(const std::string& text) {
  constexpr std::size_t most_words = 6;
  const std::string label = text.substr(0, text.find(": "));
  return label != text && words(label).size() <= most_words ? label : std::string{};
}

/// `Opening hours: …`, but not `The mill has three wheels: …`.
bool is_labelled(const std::string& text) {
  static const std::set<std::string_view> determiners{"the", "a", "an", "each", "every", "there"};
  const Words label = words(label_before_colon(text));
  return !label.empty() && !determiners.contains(label.front()) &&
         std::ranges::none_of(label, is_auxiliary);
}

bool is_dated_entry(const std::string& text) {
  const auto end = std::min({text.find(": "), text.find(" - "), text.find(" \u2013 ")});
  return end != text.npos && date_in(text.substr(0, end)) && is_only_date(text.substr(0, end));
}

/// Three words that follow one another in capitals.
bool is_shouted(const std::string& text) {
  constexpr std::size_t enough = 3;
  std::size_t run = 0;
  std::size_t capitals = 0;
  bool other = false;
  for (const char c : text + " ") {
    if (c != ' ') {
      capitals += c >= 'A' && c <= 'Z' ? 1U : 0U;
      other = other || (c >= 'a' && c <= 'z');
      continue;
    }
    run = !other && capitals > 1 ? run + 1 : 0;
    if (run == enough) return true;
    capitals = 0;
    other = false;
  }
  return false;
}

bool offers_or_demands(const Words& words) {
  static const std::set<std::string_view> offers{
      "vacancy", "vacancies", "wanted", "thesis", "theses", "salary", "internships", "internship"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool demand =
        words[i] == "required" && i > 0 && (words[i - 1] == "is" || words[i - 1] == "are");
    if (demand || offers.contains(words[i])) return true;
  }
  return false;
}

/// `Walk round the mill`: a verb that is seldom a noun before such a word.
bool is_order(const Words& words) {
  static const std::set<std::string_view> verbs{"walk", "run",   "count",   "find",  "look", "go",
                                                "come", "drill", "tighten", "mount", "stay", "try"};
  return !words.empty() && verbs.contains(words.front());
}

/// `Now three are left`: so it was when that was written.
bool is_of_its_day(const Words& words) {
  static const std::set<std::string_view> days{"now", "today", "currently", "yesterday",
                                               "tomorrow"};
  const bool present = words.size() > 1 && words[0] == "at" && words[1] == "present";
  return present || (!words.empty() && days.contains(words.front()));
}

}  // namespace

bool is_statement(const std::string& text) {
  const Words all = words(text);
  return has_verb(all, text) && !is_labelled(text) && !is_dated_entry(text) && !is_shouted(text) &&
         !offers_or_demands(all) && !is_order(all) && !is_of_its_day(all);
}

bool denies(const std::string& text) {
  static const std::set<std::string_view> denials{"no",     "not",     "never",
                                                  "nobody", "nothing", "neither"};
  constexpr std::size_t early = 5;
  auto all = words(text);
  if (text.find("another matter") != text.npos) return true;
  all.resize(std::min(early, all.size()));
  return std::ranges::any_of(all, [](const auto& word) { return denials.contains(word); });
}

bool names_money(const Said& said) {
  static const std::set<std::string_view> currencies{
      "\u00A3", "\u20AC", "$",   "\u00A5", "eur", "euro", "pound", "dollar",
      "franc",  "crown",  "chf", "usd",    "gbp", "penc", "penni", "cent"};
  return std::ranges::any_of(said.figures,
                             [](const auto& one) { return currencies.contains(one.first); });
}

bool names_time(const Said& said) {
  return said.figures.contains("date") || said.figures.contains("clock") ||
         said.figures.contains("weekday");
}

bool has_condition(const std::string& text) {
  const auto all = words(text);
  const bool limit = std::ranges::any_of(all, [](const auto& word) {
    return word == "if" || word == "when" || word == "at" || word == "from" || word == "above" ||
           word == "until" || word == "after" || word == "before";
  });
  return limit && has_figure(all);
}

}  // namespace research
