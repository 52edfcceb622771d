#include "memo/periods.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "memo/markdown.hpp"

namespace memo {
namespace {

/// A number without separators, of at most `digits` digits; -1 for none.
int plain_number(std::string_view text, std::size_t digits) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && text.size() <= digits ? number : -1;
}

int year_written(std::string_view text) {
  const int number = text.size() == 4 ? plain_number(text, 4) : -1;
  return number >= 1900 && number < 2100 ? number : 0;
}

int between(int number, int most) { return number >= 1 && number <= most ? number : 0; }

/// 1 to 4 of `q2`, 5 and 6 of `h1`; 0 for another word.
int part_of_year(std::string_view word) {
  if (word.size() != 2) return 0;
  const int number = word[1] - '0';
  if (word[0] == 'q') return between(number, 4);
  return word[0] == 'h' && between(number, 2) != 0 ? 4 + number : 0;
}

/// Reads the date that begins at a token, if one does.
class PeriodReader {
 public:
  PeriodReader(const std::vector<Token>& tokens, std::size_t begin) : tokens_{tokens}, at_{begin} {}

  bool read() {
    return digits() || dotted() || part() || named_part() || fiscal() || month() || plain_year();
  }
  [[nodiscard]] const Period& period() const { return period_; }
  [[nodiscard]] std::size_t end() const { return at_; }

 private:
  [[nodiscard]] std::string_view text(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? std::string_view{tokens_[at_ + ahead].text}
                                        : std::string_view{};
  }
  [[nodiscard]] bool glued(std::size_t ahead) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].follows(tokens_[at_ + ahead - 1]);
  }
  [[nodiscard]] int two_digits(std::size_t ahead, int most) const {
    return between(plain_number(text(ahead), 2), most);
  }
  bool accept(const Period& period, std::size_t tokens) {
    period_ = period;
    at_ += tokens;
    return true;
  }

  /// `2025-09-14`, `2025-09`
  bool digits() {
    if (year_written(text()) == 0 || text(1) != "-" || !glued(1) || !glued(2)) return false;
    const int month = text(2).size() == 2 ? two_digits(2, 12) : 0;
    if (month == 0) return false;
    const int day = text(3) == "-" && glued(3) && glued(4) ? two_digits(4, 31) : 0;
    return accept({year_written(text()), 0, month, day}, day == 0 ? 3 : 5);
  }

  /// `14.09.2025`, and the same with slashes: the larger of two is the day.
  bool dotted() {
    const auto whole = text();
    std::array<std::string_view, 3> parts{text(), text(2), text(4)};
    std::size_t tokens = 5;
    if (const auto dot = whole.find('.'); dot != npos) {
      const auto rest = whole.substr(dot + 1);
      if (rest.find('.') == npos) return false;
      parts = {whole.substr(0, dot), rest.substr(0, rest.find('.')),
               rest.substr(rest.find('.') + 1)};
      tokens = 1;
    } else if (text(1) != "/" || text(3) != "/" || !glued(1) || !glued(2)) {
      return false;
    }
    int day = between(plain_number(parts[0], 2), 31);
    int month = between(plain_number(parts[1], 2), 31);
    if (month > 12) std::swap(day, month);
    if (day == 0 || month == 0 || month > 12 || year_written(parts[2]) == 0) return false;
    return accept({year_written(parts[2]), 0, month, day}, tokens);
  }

  /// A year that may stand behind `ahead` tokens: `of 2025`, `/2025`, `FY25`.
  bool with_year(Period period, std::size_t ahead) {
    for (const std::string_view link : {",", "of", "/", "-", "'", "’", "fy"}) {
      if (text(ahead) == link && year_after(ahead + 1) != 0) ++ahead;
    }
    period.year = year_after(ahead);
    return accept(period, ahead + (period.year == 0 ? 0 : 1));
  }
  [[nodiscard]] int year_after(std::size_t ahead) const {
    const auto word = text(ahead);
    return word.starts_with("fy") ? fiscal_year(word.substr(2)) : year_written(word);
  }
  [[nodiscard]] static int fiscal_year(std::string_view digits) {
    const int brief = digits.size() == 2 ? plain_number(digits, 2) : -1;
    return brief >= 0 ? 2000 + brief : year_written(digits);
  }

  bool part() {
    const int part = part_of_year(text());
    return part != 0 && with_year({0, part, 0, 0}, 1);
  }

  /// `second quarter of 2025`
  bool named_part() {
    static constexpr std::array<std::string_view, 4> names{"first", "second", "third", "fourth"};
    const auto found = std::ranges::find(names, text());
    const int number = static_cast<int>(found - names.begin()) + 1;
    if (number > 4 || (text(1) != "quarter" && (text(1) != "half" || number > 2))) return false;
    return with_year({0, text(1) == "half" ? 4 + number : number, 0, 0}, 2);
  }

  bool fiscal() {
    const bool apart = text() == "fy" && fiscal_year(text(1)) != 0;
    const auto year = apart ? fiscal_year(text(1)) : year_after(0);
    return text().starts_with("fy") && year != 0 && accept({year, 0, 0, 0}, apart ? 2 : 1);
  }

  /// `14 May 2025`, `May 14, 2025`, `May 2025`
  bool month() {
    const std::size_t first = two_digits(0, 31) != 0 ? 1 : 0;
    const int month = month_named(text(first));
    if (month == 0) return false;
    if (first == 1) return with_year({0, 0, month, two_digits(0, 31)}, 2);
    if (const int day = two_digits(1, 31); day != 0) return with_year({0, 0, month, day}, 2);
    const bool verb = text() == "may" || text() == "march";
    return (!verb || year_written(text(1)) != 0) && with_year({0, 0, month, 0}, 1);
  }

  bool plain_year() {
    const int year = year_written(text());
    if (year == 0) return false;
    const std::size_t link = text(1) == "-" || text(1) == "/" ? 2 : 1;
    if (const int part = part_of_year(text(link)); part != 0) {
      return accept({year, part, 0, 0}, link + 1);  // `2025 Q1`
    }
    return accept({year, 0, 0, 0}, 1);
  }

  const std::vector<Token>& tokens_;
  std::size_t at_;
  Period period_;
};

int part_with(int month) { return (month + 2) / 3; }

bool differ(int one, int other) { return one != 0 && other != 0 && one != other; }

}  // namespace

int month_named(std::string_view word) {
  static constexpr std::array<std::string_view, 12> names{
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool brief = word.size() >= 3 && word != "mar" && names[i].starts_with(word);
    if (word == names[i] || brief) return static_cast<int>(i) + 1;
  }
  return 0;
}

std::vector<Dated> periods_in(const std::vector<Token>& tokens) {
  std::vector<Dated> found;
  for (std::size_t at = 0; at < tokens.size();) {
    PeriodReader reader{tokens, at};
    const bool name =
        at > 0 && tokens[at].follows(tokens[at - 1]) && tokens[at - 1].kind == Token::Kind::word;
    if (!name && reader.read()) {
      found.push_back({reader.period(), at, reader.end()});
      at = reader.end();
    } else {
      ++at;
    }
  }
  return found;
}

bool contradict(const Period& one, const Period& other) {
  const bool parts =
      (one.part != 0 && one.part < 5 && differ(one.part, part_with(other.month))) ||
      (other.part != 0 && other.part < 5 && differ(other.part, part_with(one.month)));
  return parts || differ(one.year, other.year) || differ(one.month, other.month) ||
         differ(one.day, other.day) || differ(one.part, other.part);
}

}  // namespace memo
