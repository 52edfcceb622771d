#include "research/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "text/stem.hpp"

namespace research {
namespace {

// Of ASCII alone, whatever the locale.
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_alpha(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_alnum(char c) { return is_alpha(c) || (c >= '0' && c <= '9'); }
char small(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether this byte behind 0xC3 makes a capital with an accent, in UTF-8.
bool is_capital_behind_c3(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 && byte <= 0x9E;
}

constexpr std::string_view curly_apostrophe = "\u2019";
constexpr std::string_view opening_quote = "\u201C";
constexpr std::string_view closing_quote = "\u201D";

/// Whether the full stop at the end of `before` belongs to an abbreviation.
bool is_abbreviation(std::string_view before) {
  static constexpr std::array<std::string_view, 30> known{
      "e.g", "i.e",    "etc",  "mr",   "mrs", "ms",  "dr",   "vs",   "v",   "inc",
      "no",  "fig",    "st",   "al",   "mt",  "ca",  "cf",   "jr",   "sr",  "ltd",
      "co",  "approx", "dept", "prof", "vol", "sec", "incl", "excl", "tel", "est"};
  std::size_t begin = before.size();
  while (begin > 0 && (is_alnum(before[begin - 1]) || before[begin - 1] == '.')) --begin;
  std::string word;
  for (const char c : before.substr(begin)) {
    word += small(c);
  }
  const bool initial = word.size() == 1 && is_alpha(word[0]);
  const bool initials = word.size() >= 3 && word[word.size() - 2] == '.';  // U.S
  return initial || initials || std::ranges::find(known, word) != known.end();
}

/// After the end of a sentence: closing quotes and brackets belong to it.
std::size_t skip_closing(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text[at] == '"' || text[at] == ')' || text[at] == '\'') {
      ++at;
    } else if (text.substr(at).starts_with(closing_quote) ||
               text.substr(at).starts_with(curly_apostrophe)) {
      at += closing_quote.size();
    } else {
      break;
    }
  }
  return at;
}

bool begins_sentence(std::string_view text) {
  static constexpr std::array<std::string_view, 3> signs{opening_quote, "\u00A3", "\u20AC"};
  if (std::ranges::any_of(signs, [&](auto sign) { return text.starts_with(sign); })) return true;
  if (text.size() > 1 && text[0] == '\xC3') return is_capital_behind_c3(text[1]);
  return !text.empty() && (is_upper(text[0]) || text[0] == '"' || text[0] == '$' ||
                           (text[0] >= '0' && text[0] <= '9'));
}

/// The bytes of the letter of another alphabet, or with an accent, that begins here; 0 if none
/// does.
std::size_t other_letter(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  if (byte(0) == 0xC2 && byte(1) == 0xB5) return 2;  // µ
  if (byte(0) < 0xC3 || (byte(1) & 0xC0) != 0x80) return 0;
  if (byte(0) == 0xC3 && (byte(1) == 0x97 || byte(1) == 0xB7)) return 0;  // × and ÷
  if (byte(0) < 0xE0) return 2;
  const bool sign = byte(0) == 0xE2 || (byte(0) == 0xE3 && byte(1) == 0x80) || byte(0) > 0xEF;
  return sign || (byte(2) & 0xC0) != 0x80 ? 0 : 3;
}

/// `[12]`
bool is_source(const std::string& word) {
  return word.size() > 2 && word.front() == '[' && word.back() == ']' &&
         word.find_first_not_of("0123456789", 1) == word.size() - 1;
}

}  // namespace

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> all;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) all.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    if (is_alnum(text[at])) {
      word += small(text[at++]);
      continue;
    }
    if (const std::size_t letter = other_letter(text.substr(at)); letter > 0) {
      word += text.substr(at, letter);
      const bool capital = text[at] == '\xC3' && is_capital_behind_c3(text[at + 1]);
      if (capital) word.back() = static_cast<char>(word.back() + 0x20);
      at += letter;
      continue;
    }
    const bool curly = text.substr(at).starts_with(curly_apostrophe);
    const bool apostrophe = !word.empty() && (curly || text[at] == '\'');
    at += curly ? curly_apostrophe.size() : 1;
    if (apostrophe) {
      while (at < text.size() && is_alpha(text[at])) ++at;
    }
    end();
  }
  end();
  return all;
}

std::size_t count_words(const std::string& text) {
  std::istringstream stream{text};
  std::size_t count = 0;
  std::string source;
  for (std::string word; stream >> word;) {
    const bool again = is_source(word) && std::exchange(source, word) == word;
    count += again || words(word).empty() ? 0U : 1U;
  }
  return count;
}

bool is_stop_word(std::string_view word) {
  static const std::unordered_set<std::string_view> stop{
      "a",       "about",    "above",  "after",  "again",     "all",     "also",    "although",
      "always",  "am",       "among",  "an",     "and",       "another", "any",     "are",
      "around",  "as",       "at",     "back",   "be",        "because", "been",    "before",
      "being",   "below",    "best",   "better", "between",   "both",    "but",     "by",
      "can",     "come",     "could",  "did",    "different", "do",      "does",    "doing",
      "don",     "done",     "down",   "during", "each",      "either",  "else",    "even",
      "every",   "example",  "few",    "first",  "for",       "from",    "further", "get",
      "give",    "go",       "going",  "good",   "got",       "had",     "has",     "have",
      "having",  "he",       "help",   "her",    "here",      "high",    "him",     "his",
      "how",     "however",  "i",      "if",     "in",        "instead", "into",    "is",
      "isn",     "it",       "its",    "just",   "keep",      "know",    "last",    "less",
      "let",     "like",     "ll",     "long",   "look",      "lot",     "made",    "make",
      "makes",   "making",   "many",   "may",    "me",        "might",   "more",    "most",
      "much",    "must",     "my",     "need",   "needs",     "never",   "new",     "next",
      "no",      "nor",      "not",    "now",    "of",        "off",     "often",   "on",
      "once",    "one",      "only",   "or",     "other",     "others",  "our",     "out",
      "over",    "own",      "part",   "per",    "put",       "rather",  "re",      "really",
      "s",       "said",     "same",   "say",    "second",    "see",     "she",     "should",
      "since",   "so",       "some",   "still",  "such",      "sure",    "t",       "take",
      "than",    "that",     "the",    "their",  "them",      "then",    "there",   "these",
      "they",    "thing",    "things", "this",   "those",     "three",   "through", "time",
      "to",      "together", "too",    "two",    "under",     "until",   "up",      "us",
      "use",     "used",     "using",  "ve",     "very",      "via",     "want",    "was",
      "way",     "ways",     "we",     "well",   "were",      "what",    "when",    "where",
      "whether", "which",    "while",  "who",    "why",       "will",    "with",    "within",
      "without", "won",      "would",  "year",   "years",     "yet",     "you",     "your"};
  return stop.contains(word);
}

std::string stem(std::string_view word) {
  thread_local std::unordered_map<std::string, std::string> known;  // pages repeat their words
  std::string key{word};
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  std::string of_word = ::text::stem_of(key);
  return known.emplace(std::move(key), std::move(of_word)).first->second;
}

std::vector<std::string> terms(std::string_view text) { return terms(words(text)); }

std::vector<std::string> terms(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words) {
    if (word.size() > 1 && !is_stop_word(word)) all.push_back(stem(word));
  }
  return all;
}

bool is_number(std::string_view term) {
  return !term.empty() && std::isdigit(static_cast<unsigned char>(term.front())) != 0;
}

std::vector<std::string> sentences(std::string_view text) {
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c != '.' && c != '!' && c != '?') continue;
    const std::size_t end = skip_closing(text, at + 1);
    const bool last = end == text.size();
    if (c == '.' && !last && is_abbreviation(text.substr(begin, at - begin))) continue;
    if (!last && (text[end] != ' ' || !begins_sentence(text.substr(end + 1)))) continue;
    if (begin == 0 || begins_sentence(text.substr(begin))) {
      all.emplace_back(text.substr(begin, end - begin));
    }
    begin = last ? end : end + 1;
    at = end - 1;
  }
  return all;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text + (names.size() > shown ? " and others" : "");
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string{noun} + (count == 1 ? "" : "s");
}

bool has_figure(const std::vector<std::string>& words) {
  static const std::set<std::string_view> numbers{
      "two",     "three",     "four",     "five",     "six",      "seven",    "eight",
      "nine",    "ten",       "eleven",   "twelve",   "thirteen", "fourteen", "fifteen",
      "sixteen", "seventeen", "eighteen", "nineteen", "twenty",   "thirty",   "forty",
      "fifty",   "sixty",     "seventy",  "eighty",   "ninety",   "hundred",  "half",
      "third",   "quarter",   "dozen",    "thousand", "million",  "twice"};
  return std::ranges::any_of(words, [](const std::string& word) {
    return (word[0] >= '0' && word[0] <= '9') || numbers.contains(word);
  });
}

bool share_a_term(const std::string& one, const std::string& other) {
  const auto here = terms(one);
  const auto there = terms(other);
  return std::ranges::any_of(
      here, [&](const auto& term) { return std::ranges::find(there, term) != there.end(); });
}

}  // namespace research
