#include "memo/persons.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

bool begins_with_capital(std::string_view word) {
  const auto byte = static_cast<unsigned char>(word.empty() ? 0 : word[0]);
  return std::isupper(byte) != 0 || byte >= 0x80;
}

/// Two to four words with a capital; `de` or `van` may stand between them.
bool is_full_name(std::string_view words) {
  constexpr std::size_t longest_particle = 3;
  std::size_t capitals = 0;
  for (std::string_view rest = words; !rest.empty();) {
    const auto word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (begins_with_capital(word)) {
      ++capitals;
    } else if (capitals == 0 || rest.empty() || word.size() > longest_particle) {
      return false;
    }
  }
  return capitals >= 2 && capitals <= 4 && words.find_first_of("0123456789&%$:;,") == npos;
}

bool is_role(std::string_view words) {
  constexpr std::size_t most_words = 8;
  return !words.empty() && std::isalpha(static_cast<unsigned char>(words[0])) != 0 &&
         words.find_first_of("0123456789") == npos && words_in(words) <= most_words;
}

/// `Ada`, not `ADA` or `a`.
bool may_be_a_name(std::string_view word) {
  return begins_with_capital(word) && word.size() > 1 &&
         std::isupper(static_cast<unsigned char>(word[1])) == 0;
}

/// Whether a name may go on behind `word`.
bool is_open(std::string_view word) {
  static constexpr std::array<std::string_view, 4> titles{"Dr.", "Mr.", "Mrs.", "Ms."};
  const auto last = static_cast<unsigned char>(word.back());
  return std::isalpha(last) != 0 || last >= 0x80 || std::ranges::find(titles, word) != titles.end();
}

}  // namespace

bool mentions_person(std::string_view text) {
  bool open = false;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const bool name = may_be_a_name(word);
    if (open && name) return true;
    open = name && is_open(word);
  }
  return false;
}

bool names_person(std::string_view sentence) {
  static constexpr std::array<std::string_view, 5> separators{", ", " – ", " — ", " - ", ": "};
  std::size_t at = npos;
  std::size_t size = 0;
  for (const auto separator : separators) {
    const auto found = sentence.find(separator);
    if (found >= at) continue;
    at = found;
    size = separator.size();
  }
  return at != npos && sentence.ends_with('.') && is_full_name(sentence.substr(0, at)) &&
         is_role(sentence.substr(at + size));
}

}  // namespace memo
