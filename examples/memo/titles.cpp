#include "memo/titles.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

constexpr std::size_t longest = 50;  // bytes
constexpr std::size_t most_words = 8;

std::string_view line_at(const std::vector<std::string_view>& all, std::size_t at) {
  return at < all.size() ? trim(all[at]) : std::string_view{};
}

bool begins_with_a_capital(std::string_view line) {
  return !line.empty() && std::isupper(static_cast<unsigned char>(line[0])) != 0;
}

bool begins_with_a_digit(std::string_view line) {
  return !line.empty() && std::isdigit(static_cast<unsigned char>(line[0])) != 0;
}

/// `Q. What does it cost?` as a heading of what follows.
std::string_view question_in(std::string_view line) {
  constexpr std::size_t longest_question = 120;  // bytes
  if (line.size() > longest_question || !line.ends_with('?')) return {};
  if (line.starts_with("Q. ") || line.starts_with("Q: ")) line = trim(line.substr(3));
  return begins_with_a_capital(line) ? line : std::string_view{};
}

/// `12 May 2024`: where and when.
bool names_nothing_below(std::string_view line, std::string_view next) {
  return next.empty() && line.find_first_of("0123456789") != npos;
}

/// `Q10. What …`, `Q10: What …`: without the letter.
std::string_view without_q(std::string_view line) {
  const bool numbered = line.starts_with('Q') && begins_with_a_digit(line.substr(1));
  return numbered ? line.substr(1) : line;
}

}  // namespace

std::string_view without_number(std::string_view whole) {
  static constexpr std::array<std::string_view, 7> marks{". ",  ") ",  ": ", " · ",
                                                         " / ", " – ", " - "};
  const auto line = without_q(whole);
  const auto digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits == 0 || digits > 2) return whole;
  const auto end = std::min(line.find_first_not_of("0123456789."), line.size());
  const auto last = line[end - 1] == '.' ? end - 1 : end;
  auto words = last > digits ? line.substr(end) : std::string_view{};  // 3.1 needs no mark
  for (const auto mark : marks) {
    if (line.substr(last).starts_with(mark)) words = line.substr(last + mark.size());
  }
  words = trim(words);
  return begins_with_a_capital(words) ? words : whole;
}

std::string_view without_answer_mark(std::string_view line) {
  return line.starts_with("A. ") || line.starts_with("A: ") ? trim(line.substr(3)) : line;
}

std::string_view title_in(const std::vector<std::string_view>& all, std::size_t at) {
  if (at > 0 && !line_at(all, at - 1).empty()) return {};
  const auto line = line_at(all, at);
  if (const auto question = question_in(line); !question.empty()) return question;
  const auto words = without_number(line);
  if (words.size() > longest || words_in(words) > most_words || words_in(words) == 0) return {};
  if (!begins_with_a_capital(words)) return {};
  if (words.find_first_of(".,:;!|*<>@[]`") != npos) return {};
  const auto next = line_at(all, at + 1);
  if (names_nothing_below(words, next)) return {};
  const auto below = next.empty() ? line_at(all, at + 2) : next;
  const bool figure = words.size() == line.size() && begins_with_a_digit(below);
  const bool quote = below.starts_with('"') || below.starts_with("“");
  return figure || quote || begins_with_a_capital(below) ? words : std::string_view{};
}

}  // namespace memo
