#include "memo/others.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

using Names = std::set<std::string>;

bool is_capital(std::string_view word) {
  const auto byte = static_cast<unsigned char>(word.empty() ? 0 : word[0]);
  return std::isupper(byte) != 0 || byte == 0xC3;
}

/// Words that begin sentences, and name nobody.
bool is_small(const std::string& word) {
  static const Names words{"about", "almost", "both",  "each",  "every",  "five",    "four",
                           "from",  "here",   "many",  "most",  "nobody", "none",    "only",
                           "other", "others", "ours",  "price", "prices", "several", "some",
                           "their", "there",  "these", "they",  "this",   "those",   "three",
                           "what",  "when",   "where", "while", "with",   "whoever"};
  return word.size() < 4 || words.contains(word);
}

/// The words with a capital that a passage begins with, but for an article: `Brot`, `Old Mill`.
std::string_view name_at_head(std::string_view text) {
  if (text.starts_with("The ")) text.remove_prefix(4);
  std::size_t end = 0;
  for (std::string_view rest = text; is_capital(rest);) {
    const auto word = rest.substr(0, rest.find_first_of(" ,:;.'(|"));
    end = static_cast<std::size_t>(word.data() - text.data()) + word.size();
    if (end >= text.size() || text[end] != ' ') break;
    rest = text.substr(end + 1);
  }
  return text.substr(0, end);
}

/// Whether a name that begins a passage goes on as a subject or label does.
bool is_subject(std::string_view name, std::string_view text) {
  const auto behind = text.substr(text.find(name) + name.size());
  const bool verb = behind.size() > 1 && behind[0] == ' ' &&
                    std::islower(static_cast<unsigned char>(behind[1])) != 0;
  return verb || behind.starts_with(',') || behind.starts_with(':') || behind.starts_with(" (") ||
         behind.starts_with("'s ") || behind.starts_with("’s ");
}

bool is_own(std::string_view name, std::string_view company) {
  const std::string lower = to_lower(company);
  const auto words = lower_words(name);
  return words.empty() || lower.find(words.front()) != std::string::npos;
}

bool is_on_rivals(const Passage& passage) {
  static const Signs headings{{"competitor", "competitors", "competition", "competitive", "rivals",
                               "who else", "who sells", "other makers", "other providers",
                               "alternatives", "landscape", "peers"}};
  static const Signs called{{"competitor", "rival"}};
  return headings.in_text(WordIndex{passage.heading}) || called.in_text(WordIndex{passage.text});
}

/// All words that stand in small letters somewhere.
Names small_words(const Sources& sources) {
  Names words;
  for (const auto& source : sources) {
    std::string word;
    for (const char c : source.text + ' ') {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) != 0 || byte >= 0x80) {
        word += c;
        continue;
      }
      if (!word.empty() && std::islower(static_cast<unsigned char>(word[0])) != 0) {
        words.insert(word);
      }
      word.clear();
    }
  }
  return words;
}

/// Whether words that begin a passage are the name of somebody else.
bool is_name_of_other(const std::string& name, const Names& small, std::string_view company) {
  if (name.empty() || is_own(name, company)) return false;
  const std::string lower = to_lower(name);
  return name.find(' ') != std::string::npos || (!is_small(lower) && !small.contains(lower));
}

Names rivals_in(const std::vector<Passage>& passages, const Names& small,
                std::string_view company) {
  Names rivals;
  for (const auto& passage : passages) {
    const std::string name{name_at_head(passage.text)};
    const bool named = is_on_rivals(passage) && is_name_of_other(name, small, company);
    if (named && is_subject(name, passage.text)) rivals.insert(name);
  }
  return rivals;
}

}  // namespace

bool is_talk_outside(const Source& source) {
  static const Signs signs{{"call with", "reference call", "customer call", "client call",
                            "interview with", "talk with", "conversation with", "visit to"}};
  constexpr std::size_t head = 200;  // bytes
  const std::string_view text = source.text;
  return signs.in_text(WordIndex{source.title}) ||
         signs.in_text(WordIndex{text.substr(0, text.substr(0, head).find('\n'))});
}

void mark_rivals(std::vector<Passage>& passages, const Sources& sources, std::string_view company) {
  if (company.empty()) return;
  const Names small = small_words(sources);
  const Names rivals = rivals_in(passages, small, company);
  for (auto& passage : passages) {
    const std::string name{name_at_head(passage.text)};
    const bool owns = is_name_of_other(name, small, company) && is_subject(name, passage.text) &&
                      passage.text.find(" its ") != std::string::npos;
    if (owns) passage.owner = name;
    passage.of_rival = rivals.contains(name) && is_subject(name, passage.text) &&
                       !is_first_person(passage.text) &&
                       to_lower(passage.text).find(to_lower(company)) == std::string::npos;
  }
}

}  // namespace memo
