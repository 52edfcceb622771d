// A figure that a model invents is found here by looking, not by understanding: each number is
// brought to one form, and has to stand in a passage in that form.
#include "text/backing.hpp"

#include <algorithm>
#include <set>

#include "text/passages.hpp"
#include "text/words.hpp"

namespace text {
namespace {

/// Blanks that set off thousands become plain ones.
std::string with_plain_blanks(std::string_view text) {
  std::string out{text};
  for (const std::string_view blank : {"\u00A0", "\u2009", "\u202F"}) {
    for (auto at = out.find(blank); at != out.npos; at = out.find(blank, at)) {
      out.replace(at, blank.size(), " ");
    }
  }
  return out;
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

/// A number from `at` on: digits with marks between them. A blank is one only before three digits.
std::size_t number_end(std::string_view text, std::size_t at) {
  std::size_t end = at + digits_from(text, at);
  while (end + 1 < text.size()) {
    const std::size_t more = digits_from(text, end + 1);
    const bool mark = text[end] == '.' || text[end] == ',' || text[end] == '\'';
    if (more == 0 || !(mark || (text[end] == ' ' && more == 3 && end - at <= 3 + 4 * 3))) break;
    end += 1 + more;
  }
  return end;
}

std::string trimmed(std::string whole, std::string fraction) {
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
  while (fraction.ends_with('0')) fraction.pop_back();
  return (whole.empty() ? "0" : whole) + (fraction.empty() ? "" : "." + fraction);
}

/// What a number may mean, in one form: `1234.5`.
std::set<std::string> readings(std::string_view number) {
  std::string digits;
  for (const char c : number) {
    if (is_digit(c)) digits += c;
  }
  const auto last = number.find_last_of(".,");
  const std::string as_whole = trimmed(digits, "");
  if (last == number.npos) return {as_whole};
  const std::size_t behind = number.size() - last - 1;
  const std::string as_decimal =
      trimmed(digits.substr(0, digits.size() - behind), digits.substr(digits.size() - behind));
  const bool repeated = std::ranges::count(number, number[last]) > 1;
  if (repeated) return {as_whole};
  const bool alone = number.find_first_of(".,' ") == last;
  if (behind == 3 && alone) return {as_whole, as_decimal};
  return {as_decimal};
}

}  // namespace

std::vector<std::string> numbers_in(std::string_view text) {
  const std::string plain = with_plain_blanks(text);
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at < plain.size(); ++at) {
    if (!is_digit(plain[at])) continue;
    const std::size_t end = number_end(plain, at);
    numbers.push_back(plain.substr(at, end - at));
    at = end;
  }
  return numbers;
}

std::vector<std::string> numbers_missing(std::string_view statement,
                                         const std::vector<std::string>& passages) {
  std::set<std::string> known;
  for (const std::string& passage : passages) {
    for (const std::string& number : numbers_in(passage)) {
      known.merge(readings(number));
      // What looks like one number with blanks may be several that follow each other.
      for (std::size_t at = 0; number.find(' ') != number.npos && at < number.size();) {
        const std::size_t end = std::min(number.find(' ', at), number.size());
        known.merge(readings(number.substr(at, end - at)));
        at = end + 1;
      }
    }
  }
  std::vector<std::string> missing = numbers_in(statement);
  std::erase_if(missing, [&](const std::string& number) {
    return std::ranges::any_of(readings(number),
                               [&](const std::string& form) { return known.contains(form); });
  });
  return missing;
}

std::vector<std::string> names_missing(std::string_view statement,
                                       const std::vector<std::string>& passages) {
  std::set<std::string> known;
  for (const std::string& passage : passages) {
    for (std::string& word : words_of(passage)) known.insert(in_lower_case(std::move(word)));
  }
  std::vector<std::string> missing;
  for (const auto sentence : sentences(statement)) {
    bool first = true;
    for (const std::string& word : words_of(sentence)) {
      const auto is_mark = [](char c) { return is_capital(c) || is_digit(c); };
      const bool letters = std::ranges::any_of(word, [](char c) { return !is_digit(c); });
      const bool inside = std::any_of(word.begin() + 1, word.end(), is_mark);
      const bool is_name = letters && (inside || (is_capital(word[0]) && !first));
      first = false;
      if (is_name && !known.contains(in_lower_case(word))) missing.push_back(word);
    }
  }
  return missing;
}

}  // namespace text
