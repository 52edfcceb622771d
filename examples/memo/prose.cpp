#include "memo/prose.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/spelled.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

template <std::size_t N>
using Words = std::array<std::string_view, N>;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }

/// Quotation marks and brackets that may follow a full stop, as UTF-8.
std::size_t skip_closers(std::string_view text, std::size_t at) {
  static constexpr Words<5> closers{"\"", "'", ")", "”", "’"};
  for (bool found = true; found;) {
    found = false;
    for (const auto closer : closers) {
      if (!text.substr(at).starts_with(closer)) continue;
      at += closer.size();
      found = true;
    }
  }
  return at;
}

std::string_view word_before(std::string_view text, std::size_t at) {
  const auto blank = text.rfind(' ', at);
  return text.substr(blank == npos ? 0 : blank + 1, at - (blank == npos ? 0 : blank + 1));
}

/// `U.S`, `e.g`, `vs` … : the full stop behind it ends no sentence.
bool is_abbreviation(std::string_view word) {
  static constexpr Words<18> known{"vs",   "Inc",    "Dr",  "Mr",  "Ms",  "Mrs",
                                   "Prof", "approx", "etc", "ext", "ca",  "incl",
                                   "excl", "max",    "St",  "Ing", "Lic", "Dipl"};
  if (word.starts_with("°")) return false;
  while (!word.empty() && !is_word(word[0])) word.remove_prefix(1);
  if (std::ranges::find(known, word) != known.end()) return true;
  if (word.size() == 1) return is_upper(word[0]) && word != "I";
  return word.size() >= 3 && word.size() <= 5 && word[1] == '.' && !is_digit(word[0]);
}

/// `at 2 p.m.`: nobody can tell it from the sentence behind it.
bool ends_in_abbreviation(std::string_view text) {
  return text.ends_with('.') && is_abbreviation(word_before(text, text.size() - 1));
}

/// `É`, `Ø` … of Latin-1 in UTF-8.
bool has_accented_capital(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  return text.size() > 1 && byte(0) == 0xC3 && byte(1) >= 0x80 && byte(1) <= 0x9E;
}

/// A sentence starts with a capital, a figure, an opening mark, or a name with a dot inside.
bool starts_sentence(std::string_view rest) {
  static constexpr Words<9> openers{"“", "‘", "\"", "(", "[", "$", "€", "£", "₹"};
  if (rest.empty()) return false;
  if (is_upper(rest[0]) || is_digit(rest[0]) || has_accented_capital(rest)) return true;
  for (const auto opener : openers) {
    if (rest.starts_with(opener)) return true;
  }
  const auto word = rest.substr(0, rest.find(' '));
  const auto dot = word.find('.');
  return dot != npos && dot > 0 && dot + 1 < word.size() && is_word(word[dot + 1]);
}

/// Whether a sentence ends at `at`, a '.', '!' or '?'; then `next` is where the rest begins.
bool ends_sentence(std::string_view text, std::size_t at, std::size_t& next) {
  const std::size_t end = skip_closers(text, at + 1);
  next = end;
  if (end >= text.size()) return true;
  if (text[end] != ' ' || !starts_sentence(text.substr(end + 1))) return false;
  const auto word = word_before(text, at);
  const bool number = (word == "No" || word == "no") && is_digit(text[end + 1]);
  return text[at] != '.' || (!number && !is_abbreviation(word));
}

bool is_balanced(std::string_view text) {
  const auto count = [&](char c) { return std::ranges::count(text, c); };
  const auto times = [&](std::string_view mark) {
    std::size_t n = 0;
    for (auto at = text.find(mark); at != npos; at = text.find(mark, at + mark.size())) ++n;
    return n;
  };
  return count('(') == count(')') && count('"') % 2 == 0 && times("“") == times("”");
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_word(text[word.size()]));
}

/// `At Acme, he worked …`: the pronoun refers to the sentence before.
bool has_early_pronoun(std::string_view sentence) {
  static constexpr Words<4> pronouns{", he ", ", she ", ", they ", ", it "};
  const auto head = sentence.substr(0, 40);
  return std::ranges::any_of(pronouns, [&](auto word) { return head.find(word) != npos; });
}

/// Whether `sign` occurs as words, both in lower case.
bool holds_sign(std::string_view in, std::string_view sign) {
  const bool open = sign.ends_with('*');
  if (open) sign.remove_suffix(1);
  if (sign.empty()) return false;
  for (auto at = in.find(sign); at != npos; at = in.find(sign, at + 1)) {
    const auto end = at + sign.size();
    const bool head = at == 0 || !is_word(in[at - 1]) || !is_word(sign.front());
    const bool tail = open || end == in.size() || !is_word(in[end]) || !is_word(sign.back());
    if (head && tail) return true;
  }
  return false;
}

/// Needs the sentence before it to be understood.
bool leans_back(std::string_view sentence) {
  static constexpr Words<56> words{"This",         "These",
                                   "Those",        "That",
                                   "They",         "Their",
                                   "Them",         "It",
                                   "Its",          "He",
                                   "She",          "His",
                                   "Her",          "However",
                                   "And",          "But",
                                   "So",           "Then",
                                   "Also",         "Therefore",
                                   "Thus",         "Instead",
                                   "Such",         "In other words",
                                   "In short",     "In addition",
                                   "In that",      "In this",
                                   "For example",  "Among",
                                   "Both",         "Here",
                                   "There",        "Meanwhile",
                                   "Otherwise",    "Like",
                                   "The same",     "With this",
                                   "With that",    "Since then",
                                   "Best of all",  "Specifically",
                                   "To solve",     "Additionally",
                                   "To that end",  "Previously",
                                   "As explained", "Some of",
                                   "Other",        "As part of that",
                                   "First,",       "Before that it",
                                   "In truth",     "In fact",
                                   "In reality",   "Actually"};
  const bool names_what_exists =
      starts_with_word(sentence, "There are") || starts_with_word(sentence, "There is");
  static constexpr Words<2> elsewhere{"them", "you"};
  const bool whole =
      std::ranges::none_of(elsewhere, [&](auto word) { return holds_sign(sentence, word); });
  if (names_what_exists && whole) return false;
  static constexpr Words<3> decided{"It was decided", "It was agreed", "It was resolved"};
  if (std::ranges::any_of(decided, [&](auto word) { return starts_with_word(sentence, word); })) {
    return false;
  }
  return has_early_pronoun(sentence) ||
         std::ranges::any_of(words, [&](auto word) { return starts_with_word(sentence, word); });
}

/// An item of a list that only says more of the one before.
bool refers_back(std::string_view fragment) {
  static constexpr Words<12> words{"This", "These", "Those", "That", "They", "Their",
                                   "It",   "Its",   "He",    "She",  "His",  "Her"};
  return std::ranges::any_of(words, [&](auto word) { return starts_with_word(fragment, word); });
}

/// `Asked what is wrong with it.`: the answer follows.
bool asks_indirectly(std::string_view sentence) {
  static constexpr Words<9> words{"what",  "why", "how",  "whether", "if",
                                  "about", "who", "when", "where"};
  constexpr std::string_view head = "Asked ";
  return sentence.starts_with(head) && std::ranges::any_of(words, [&](auto word) {
           return starts_with_word(sentence.substr(head.size()), word);
         });
}

/// Talks to the reader of the source, about its page, or of how a meeting went.
bool addresses_reader(std::string_view sentence) {
  if (is_of_paper(sentence) || asks_indirectly(sentence) || sentence.ends_with(": none.")) {
    return true;
  }
  static constexpr Words<52> signs{
      "click",          "check out",     "see also",       "let us know",   "contact us",
      "email us",       "see below",     "see above",      "as above",      "listed above",
      "shown below",    "listed below",  "email",          "read more",     "learn more",
      "sign up",        "log in",        "join us",        "stay tuned",    "this post",
      "blog post",      "here’s",        "here's",         "please",        "try",
      "our docs",       "if you",        "you’re",         "you've",        "you’ve",
      "drop us",        "thank",         "excited",        "delighted",     "download",
      "this page",      "you’d",         "following",      "you'd",         "your own",
      "we’re going to", "we’ll",         "up next",        "imagine",       "thanked",
      "vote of thanks", "show of hands", "from the floor", "taken as read", "quorum",
      "abstained",      "seconded"};
  if (starts_with_word(sentence, "See")) return true;
  const std::string lower = to_lower(sentence);
  return std::ranges::any_of(signs, [&](auto sign) { return holds_sign(lower, sign); });
}

/// Whether a clause in lower case has a verb that needs no grammar to be told.
bool has_verb(std::string_view clause) {
  static constexpr Words<30> verbs{
      "is",    "are",    "was",   "were",  "has",  "have",  "had",  "do",      "does",   "did",
      "will",  "would",  "can",   "could", "may",  "might", "must", "shall",   "should", "cannot",
      "isn't", "aren't", "don't", "we",    "they", "you",   "i",    "there's", "it's",   "who"};
  return std::ranges::any_of(verbs, [&](auto verb) { return holds_sign(clause, verb); });
}

/// `Sales £347,500.`
bool names_amount(std::string_view sentence) {
  return is_upper(sentence[0]) && std::ranges::any_of(amounts_in(sentence), [](const Amount& one) {
           return !one.unit.empty() && one.unit != "%" && !is_year(one);
         });
}

/// A whole sentence of sensible length that tells something. With a figure and a verb, or an
/// amount of money and its name, it may be short.
bool is_telling(std::string_view sentence) {
  const auto words = words_in(sentence);
  const bool figure = std::ranges::any_of(sentence, is_digit) && has_verb(to_lower(sentence));
  const std::size_t least = figure ? 3 : words > 1 && names_amount(sentence) ? 2 : 6;
  if (words < least || words > 48 || !starts_sentence(sentence)) return false;
  if (sentence[0] == '(' || sentence[0] == '[') return false;
  const bool complete = sentence.ends_with('.') || sentence.ends_with(".”") ||
                        sentence.ends_with(".)") || sentence.ends_with('!');
  return complete && is_balanced(sentence) && sentence.find('?') == npos &&
         !ends_in_abbreviation(sentence) && !addresses_reader(sentence);
}

bool is_stop_word(const std::string& word) {
  static const std::set<std::string> words{
      "a",   "an",   "and",  "are",  "as",   "at",    "be",    "been", "but",  "by",   "can",
      "do",  "does", "for",  "from", "had",  "has",   "have",  "he",   "her",  "his",  "how",
      "if",  "in",   "into", "is",   "it",   "its",   "may",   "not",  "of",   "on",   "or",
      "our", "she",  "so",   "than", "that", "the",   "their", "them", "then", "they", "this",
      "to",  "was",  "we",   "were", "what", "which", "who",   "will", "with", "you",  "your"};
  return words.contains(word);
}

std::size_t number_end(std::string_view text, std::size_t at) {
  while (at < text.size() &&
         (is_digit(text[at]) || ((text[at] == ',' || text[at] == '.') && at + 1 < text.size() &&
                                 is_digit(text[at + 1])))) {
    ++at;
  }
  return at;
}

std::string normalised(std::string_view number) {
  std::string out = replace_all(std::string{number}, ",", "");
  if (out.find('.') != std::string::npos) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  return out;
}

}  // namespace

bool is_of_paper(std::string_view text) {
  static constexpr Words<27> heads{"Present:",     "In attendance:",   "Attendees:",
                                   "Attended by",  "Apologies",        "Excused",
                                   "Keeper of",    "Minutes",          "Next meeting",
                                   "Agenda",       "Put together by",  "Compiled by",
                                   "Collected by", "Written by",       "Prepared by",
                                   "Edited by",    "Translated by",    "Any other business",
                                   "As promised",  "The next meeting", "On the phone",
                                   "On the call",  "In the room",      "Spoke to",
                                   "Spoke with",   "Kind regards",     "Best regards"};
  return std::ranges::any_of(heads, [&](auto head) { return starts_with_word(text, head); });
}

bool is_word(char c) noexcept { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::vector<std::string> sentences(std::string_view paragraph) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  std::size_t next = 0;
  for (std::size_t at = 0; at < paragraph.size(); ++at) {
    const bool stop = paragraph[at] == '.' || paragraph[at] == '!' || paragraph[at] == '?';
    if (!stop || !ends_sentence(paragraph, at, next)) continue;
    out.emplace_back(paragraph.substr(begin, next - begin));
    begin = std::min(next + 1, paragraph.size());
    at = next;
  }
  if (begin < paragraph.size()) out.emplace_back(paragraph.substr(begin));
  return out;
}

bool stands_alone(std::string_view sentence) {
  return is_telling(sentence) && !leans_back(sentence);
}

bool follows_on(std::string_view sentence) { return is_telling(sentence) && leans_back(sentence); }

bool begins_with_figure(std::string_view sentence) {
  const auto amounts = amounts_in(sentence);
  const auto first = to_lower(sentence.substr(0, sentence.find_first_of(" :,-")));
  return (!amounts.empty() && amounts.front().begin == 0) || is_digit(sentence[0]) ||
         small_number(first).has_value();
}

bool answers_briefly(std::string_view sentence) {
  const bool whole = sentence.ends_with('.') && tells_briefly(sentence);
  const auto clause = to_lower(sentence.substr(0, sentence.find(';')));
  return whole && (begins_with_figure(sentence) || !has_verb(clause));
}

bool tells_briefly(std::string_view fragment) {
  const auto words = words_in(fragment);
  const auto first = to_lower(fragment.substr(0, fragment.find_first_of(" :,;-")));
  const bool figure = std::ranges::any_of(fragment, is_digit) || small_number(first);
  const bool begins = fragment.find_first_of("=+/<>") != 0;
  return begins && !ends_in_abbreviation(fragment) && words >= (figure ? 2U : 4U) && words <= 40 &&
         is_balanced(fragment) && !refers_back(fragment) && !addresses_reader(fragment);
}

bool is_first_person(std::string_view sentence) {
  static constexpr Words<9> signs{"we", "our", "we’ve", "we’re", "we're", "ours", "my", "i", "you"};
  const bool us = sentence.find(" us ") != npos || sentence.find(" us.") != npos;  // but not "US"
  const std::string lower = to_lower(sentence);
  return us || std::ranges::any_of(signs, [&](auto sign) { return holds_sign(lower, sign); });
}

bool has_sign(std::string_view text, std::string_view sign) {
  return holds_sign(to_lower(text), to_lower(sign));
}

std::vector<std::string> terms(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& word : lower_words(text)) {
    if (!is_stop_word(word)) out.push_back(stem_of(word));
  }
  return out;
}

std::vector<std::string> numbers(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at]) || (at > 0 && is_word(text[at - 1]))) continue;
    const auto end = number_end(text, at);
    const bool bare = end >= text.size() || !std::isalpha(static_cast<unsigned char>(text[end]));
    if (bare) out.push_back(normalised(text.substr(at, end - at)));
    at = end;
  }
  return out;
}

std::size_t words_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
}

int overlap_percent(std::string_view part, std::string_view whole) {
  const auto wanted = terms(part);
  const auto known = terms(whole);
  const std::set<std::string> set{known.begin(), known.end()};
  const auto hits = std::ranges::count_if(wanted, [&](const auto& w) { return set.contains(w); });
  return wanted.empty() ? 0 : static_cast<int>(100 * hits / std::ssize(wanted));
}

std::string to_lower_first(std::string_view words) {
  std::string out{words};
  const bool abbreviation = out.size() < 2 || is_upper(out[1]);
  if (!abbreviation && is_upper(out[0])) out[0] = static_cast<char>(out[0] - 'A' + 'a');
  return out;
}

std::string listed(const std::vector<std::string>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 == items.size() ? " and " : ", ";
    out += items[i];
  }
  return out;
}

}  // namespace memo
