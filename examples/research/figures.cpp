#include "research/figures.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "research/html_text.hpp"
#include "research/measures.hpp"
#include "research/text.hpp"

namespace research {
namespace {

constexpr std::array<std::string_view, 4> currencies{"\u00A3", "\u20AC", "$", "\u00A5"};
constexpr std::array<std::string_view, 7> weekdays{"monday", "tuesday",  "wednesday", "thursday",
                                                   "friday", "saturday", "sunday"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_of_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// A text that is read from left to right.
struct Cursor {
  std::string_view text;
  std::size_t at = 0;

  [[nodiscard]] std::string_view rest() const { return text.substr(std::min(at, text.size())); }
  /// The letters that stand here, as they are.
  [[nodiscard]] std::string_view word() const {
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    return text.substr(at, end - at);
  }
  [[nodiscard]] std::string_view digits() const {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return text.substr(at, end - at);
  }
  bool skip(std::string_view part) {
    if (!rest().starts_with(part)) return false;
    at += part.size();
    return true;
  }
  /// Whether a word, or a number, may begin here.
  [[nodiscard]] bool begins() const {
    if (at == 0) return true;
    const char before = text[at - 1];
    return !is_of_word(before) && before != '-' && (!is_digit(before) || is_of_word(text[at]));
  }
};

int number_in(std::string_view digits) {
  const bool fits = !digits.empty() && digits.size() < 5 && std::ranges::all_of(digits, is_digit);
  return fits ? std::stoi(std::string{digits}) : 0;
}

/// 1 to 12; 0 if it is no month. Months have a capital, or they may be verbs.
int month_named(std::string_view word) {
  static constexpr std::array<std::string_view, 12> names{
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  if (word.empty() || !is_capital(word[0])) return 0;
  const std::string small = lower(word);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_short = small.size() == 3 || small == "sept";
    if (is_short ? names[i].starts_with(small) : names[i] == small) return static_cast<int>(i) + 1;
  }
  return 0;
}

std::string as_date(int year, int month, int day) {
  return fmt::format("{:04}-{:02}-{:02}", year, month, day);
}

/// ` 2025` or `, 2025`; 0 if no year stands here.
int take_year(Cursor& cursor) {
  Cursor next = cursor;
  next.skip(",");
  if (!next.skip(" ")) return 0;
  const auto digits = next.digits();
  const int year = digits.size() == 4 ? number_in(digits) : 0;
  if (year < 1900 || year > 2099) return 0;
  next.at += digits.size();
  cursor = next;
  return year;
}

/// `12`, `12th`; 0 if no day stands here.
int take_day(Cursor& cursor) {
  Cursor next = cursor;
  const auto digits = next.digits();
  const int day = digits.size() < 3 ? number_in(digits) : 0;
  if (day < 1 || day > 31) return 0;
  next.at += digits.size();
  for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
    if (next.skip(ending)) break;
  }
  const bool goes_on =
      !next.rest().empty() && (is_digit(next.rest()[0]) || is_of_word(next.rest()[0]));
  if (goes_on) return 0;
  cursor = next;
  return day;
}

/// `12 July 2025`, `the 12th of July`, `July 12`, `July 2025`, `2025-07-12`.
std::optional<Figure> date_at(std::string_view text, std::size_t at) {
  Cursor cursor{text, at};
  if (const auto year = cursor.digits(); year.size() == 4 && text.size() >= at + 10) {
    const auto month = number_in(text.substr(at + 5, 2));
    const auto day = number_in(text.substr(at + 8, 2));
    const bool marks = text[at + 4] == '-' && text[at + 7] == '-';
    if (!marks || month < 1 || month > 12 || day < 1) return std::nullopt;
    return Figure{at, at + 10, as_date(number_in(year), month, day), "date"};
  }
  if (const int day = take_day(cursor); day > 0) {
    cursor.skip(".");
    if (!cursor.skip(" ")) return std::nullopt;
    cursor.skip("of ");
    const int month = month_named(cursor.word());
    if (month == 0) return std::nullopt;
    cursor.at += cursor.word().size();
    const int year = take_year(cursor);
    return Figure{at, cursor.at, as_date(year, month, day), "date"};
  }
  const int month = month_named(cursor.word());
  if (month == 0) return std::nullopt;
  cursor.at += cursor.word().size();
  cursor.skip(".");
  if (const int year = take_year(cursor); year > 0) {
    return Figure{at, cursor.at, as_date(year, month, 0), "date"};
  }
  if (!cursor.skip(" ")) return std::nullopt;
  const int day = take_day(cursor);
  if (day == 0) return std::nullopt;
  const int year = take_year(cursor);
  return Figure{at, cursor.at, as_date(year, month, day), "date"};
}

/// `the end of 2025`, `spring 2025`: a date that leaves the day open, or is the last.
std::optional<Figure> part_of_year_at(std::string_view text, std::size_t at) {
  static const std::set<std::string_view> parts{"end",  "spring", "summer", "autumn", "winter",
                                                "fall", "early",  "mid",    "late"};
  Cursor cursor{text, at};
  const std::string part = lower(cursor.word());
  if (!parts.contains(part)) return std::nullopt;
  cursor.at += part.size();
  const bool of = cursor.skip(" of");
  if (part == "end" && !of) return std::nullopt;
  cursor.skip("-");
  if (!cursor.rest().starts_with(' ')) cursor.at = text.size();
  const int year = take_year(cursor);
  if (year == 0) return std::nullopt;
  const bool end = part == "end";
  return Figure{at, cursor.at, as_date(year, end ? 12 : 0, end ? 31 : 0), "date"};
}

std::optional<Figure> weekday_at(std::string_view text, std::size_t at) {
  if (!is_capital(text[at])) return std::nullopt;
  const auto word = Cursor{text, at}.word();
  std::string small = lower(word);
  if (small.ends_with('s')) small.pop_back();
  const auto found = std::ranges::find(weekdays, small);
  if (found == weekdays.end()) return std::nullopt;
  return Figure{at, at + word.size(), std::to_string(found - weekdays.begin() + 1), "weekday"};
}

/// `8:30`, `8.30 pm`, `8 p.m.`
std::optional<Figure> clock_at(std::string_view text, std::size_t at) {
  Cursor cursor{text, at};
  const auto hours = cursor.digits();
  if (hours.empty() || hours.size() > 2) return std::nullopt;
  cursor.at += hours.size();
  int hour = number_in(hours);
  int minute = 0;
  const bool colon = cursor.rest().starts_with(':');
  Cursor next = cursor;
  const bool has_minutes = (next.skip(":") || next.skip(".")) && next.digits().size() == 2 &&
                           number_in(next.digits()) < 60;
  if (has_minutes) {
    minute = number_in(next.digits());
    next.at += 2;
    cursor = next;
  }
  if (cursor.rest().starts_with('.') && cursor.at + 1 < text.size() &&
      is_digit(text[cursor.at + 1]))
    return std::nullopt;  // 3.45.2
  const std::size_t end = cursor.at;
  cursor.skip(" ");
  const std::string behind = lower(cursor.rest().substr(0, 5));
  const auto is_half = [&](char half) {
    const std::string dotted{half, '.', 'm', '.'};
    const std::string plain{half, 'm'};
    if (behind.starts_with(dotted)) return true;
    return behind.starts_with(plain) && (behind.size() < 3 || !is_of_word(behind[2]));
  };
  const bool am = is_half('a');
  const bool pm = is_half('p');
  if (!am && !pm && !(colon && has_minutes)) return std::nullopt;
  if (hour > 24) return std::nullopt;
  if (pm && hour < 12) hour += 12;
  if (am && hour == 12) hour = 0;
  return Figure{at, am || pm ? cursor.at + 2 : end, fmt::format("{}:{:02}", hour, minute), "clock"};
}

/// The sign of a currency right before `at`; empty if there is none.
std::string_view currency_before(std::string_view text, std::size_t at) {
  while (at > 0 && text[at - 1] == ' ') --at;
  for (const auto sign : currencies) {
    if (text.substr(0, at).ends_with(sign)) return sign;
  }
  return {};
}

/// The word that begins at `at`, if it is in small letters.
std::string_view small_word_at(std::string_view text, std::size_t at) {
  const auto word = Cursor{text, std::min(at, text.size())}.word();
  const bool small = std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  return small ? word : std::string_view{};
}

/// The noun of `fourteen wooden nets`: what is counted may have another word before it.
std::string noun_behind(std::string_view text, std::size_t at, std::string_view word) {
  static const std::set<std::string_view> before{"more", "other", "further", "new", "old"};
  const auto is_plural = [](std::string_view noun) {
    return noun.size() > 3 && noun.ends_with('s') && !noun.ends_with("ss");
  };
  const bool adjective = word.size() > 2 && !is_plural(word) && !is_measure(stem(word)) &&
                         (before.contains(word) || !is_stop_word(word));
  if (!adjective || text.substr(std::min(text.size(), at)).substr(0, 1) != " ") return {};
  const auto noun = small_word_at(text, at + 1);
  return is_plural(noun) && !is_stop_word(noun) ? stem(noun) : std::string{};
}

/// The word or sign behind a number, with or without a space or a hyphen: its unit.
std::string unit_at(std::string_view text, std::size_t at) {
  Cursor cursor{text, at};
  if (!cursor.skip(" ")) cursor.skip("-");
  if (cursor.skip("%") || cursor.skip("per cent")) return "percent";
  const auto end = std::min(cursor.text.find_first_of(" ,;)", cursor.at), text.size());
  std::string_view token = text.substr(cursor.at, end - cursor.at);
  while (!token.empty() && std::string_view{".:!?\"'"}.find(token.back()) != token.npos) {
    token.remove_suffix(1);
  }
  static constexpr std::array<std::string_view, 6> signs{"/",      "\u00B2", "\u00B3",
                                                         "\u00B0", "\u00B5", "\u03A9"};
  const bool compound = token.size() < 12 && std::ranges::any_of(signs, [&](auto sign) {
                          return token.find(sign) != token.npos;
                        });
  if (compound && !is_digit(token.front()) && token != "/") return std::string{token};
  if (std::ranges::find(currencies, token) != currencies.end()) return std::string{token};
  if (token.empty() || is_digit(token.front())) return {};
  const bool starts =
      is_of_word(token.front()) || static_cast<unsigned char>(token.front()) >= 0xC3;
  const auto behind = words(token);
  if (!starts || behind.empty()) return {};
  const auto word = small_word_at(text, cursor.at);
  const std::string noun = noun_behind(text, cursor.at + word.size(), word);
  return noun.empty() ? stem(behind.front()) : noun;
}

/// The number that begins at `at` as a word, and where the word ends; 0 if none does.
std::pair<double, std::size_t> number_word(std::string_view text, std::size_t at) {
  static const std::map<std::string_view, double> numbers{
      {"two", 2},        {"three", 3},     {"four", 4},      {"five", 5},     {"six", 6},
      {"seven", 7},      {"eight", 8},     {"nine", 9},      {"ten", 10},     {"eleven", 11},
      {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15}, {"sixteen", 16},
      {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19}, {"twenty", 20},  {"thirty", 30},
      {"forty", 40},     {"fifty", 50},    {"sixty", 60},    {"seventy", 70}, {"eighty", 80},
      {"ninety", 90}};
  Cursor cursor{text, at};
  const auto found = numbers.find(lower(cursor.word()));
  if (found == numbers.end()) return {};
  cursor.at += cursor.word().size();
  Cursor next = cursor;
  if (!next.skip("-")) return {found->second, cursor.at};
  const std::string behind = lower(next.word());
  const auto one = behind == "one" ? std::pair{std::string_view{"one"}, 1.0}
                   : numbers.contains(behind)
                       ? std::pair{std::string_view{behind}, numbers.at(behind)}
                       : std::pair{std::string_view{}, 0.0};
  const bool both = found->second >= 20 && one.second > 0 && one.second < 10;
  if (both) return {found->second + one.second, next.at + behind.size()};
  return {found->second, cursor.at};
}

/// The digits that begin at `at`, with points, commas and colons between them.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  std::size_t end = at;
  const auto goes_on = [&] {
    const bool mark = text[end] == '.' || text[end] == ',' || text[end] == ':';
    return is_digit(text[end]) || (mark && end + 1 < text.size() && is_digit(text[end + 1]));
  };
  while (end < text.size() && goes_on()) ++end;
  return end;
}

/// `million` behind a number; `m` and `k` only behind an amount of money.
double take_scale(std::string_view text, std::size_t& at, bool money) {
  static const std::map<std::string_view, double> words{
      {"hundred", 100}, {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"bn", 1e9}};
  static const std::map<std::string_view, double> of_money{{"m", 1e6}, {"k", 1e3}};
  Cursor cursor{text, at};
  cursor.skip(" ");
  const std::string word = lower(cursor.word());
  const auto found = words.find(word);
  const auto short_one = of_money.find(word);
  if (found == words.end() && (!money || short_one == of_money.end())) return 1;
  at = cursor.at + word.size();
  return found == words.end() ? short_one->second : found->second;
}

/// `a third of the wood`, `two thirds of it`: in percent.
std::optional<Figure> part_at(std::string_view text, std::size_t at) {
  static const std::map<std::string_view, double> parts{{"half", 2},  {"third", 3}, {"quarter", 4},
                                                        {"fifth", 5}, {"sixth", 6}, {"eighth", 8},
                                                        {"tenth", 10}};
  static const std::map<std::string_view, double> counts{
      {"a", 1}, {"one", 1}, {"two", 2}, {"three", 3}, {"four", 4}};
  static const std::set<std::string_view> wholes{"the",  "our",   "all", "its",   "their", "those",
                                                 "them", "these", "it",  "every", "each"};
  Cursor cursor{text, at};
  const auto count = counts.find(lower(cursor.word()));
  if (count == counts.end()) return std::nullopt;
  cursor.at += cursor.word().size();
  if (!cursor.skip(" ")) cursor.skip("-");
  std::string_view part = cursor.word();
  cursor.at += part.size();
  if (part.ends_with('s')) part.remove_suffix(1);
  const auto found = parts.find(part);
  const std::size_t end = cursor.at;
  if (found == parts.end() || !cursor.skip(" of ") || !wholes.contains(cursor.word())) {
    return std::nullopt;
  }
  const double percent = 100 * count->second / found->second;
  return Figure{at, end, fmt::format("{:.0f}", percent), "percent"};
}

/// Whether a number counts these: a stem that says something, or a span of time; `3 dates` have no
/// unit, as that of a date is called so.
bool is_counted(const std::string& unit) {
  if (unit == "date" || unit == "clock" || unit == "weekday") return false;
  return !unit.empty() && (!is_stop_word(unit) || unit == "year" || unit == "t");
}

/// `python version` of `Python 3.11 or newer`: what a number with a point names behind a name.
std::string product_before(std::string_view text, std::size_t at, const std::string& number,
                           const std::string& unit) {
  static const std::set<std::string_view> places{"section", "table",   "figure",   "fig", "chapter",
                                                 "version", "release", "appendix", "no",  "see"};
  const bool counts = (!unit.empty() && is_measure(unit)) || at == 0 || text[at - 1] != ' ';
  if (counts || number.find('.') == number.npos) return unit;
  const auto begin = text.substr(0, at - 1).find_last_of(" (") + 1;
  const auto name = text.substr(begin, at - 1 - begin);
  const bool is_name = name.size() > 1 && is_capital(name[0]) &&
                       std::ranges::all_of(name, is_of_word) && !places.contains(lower(name));
  return is_name && begin > 0 ? stem(lower(name)) + " version" : unit;
}

std::optional<Figure> number_at(const std::string& text, std::size_t at) {
  Figure figure{at, at, {}, {}};
  const auto [as_word, behind] = number_word(text, at);
  if (as_word <= 0 && !is_digit(text[at])) return std::nullopt;
  figure.end = as_word > 0 ? behind : end_of_number(text, at);
  std::string digits = text.substr(at, figure.end - at);
  std::erase(digits, ',');
  const auto sign = currency_before(text, at);
  const double scale = take_scale(text, figure.end, !sign.empty());
  const double value = (as_word > 0 ? as_word : std::strtod(digits.c_str(), nullptr)) * scale;
  const bool is_version = std::ranges::count(digits, '.') + std::ranges::count(digits, ':') > 1;
  figure.number = is_version ? digits : fmt::format("{:.10g}", value);
  figure.unit = sign.empty() ? unit_at(text, figure.end) : std::string{sign};
  if (!is_counted(figure.unit)) figure.unit.clear();
  if (!is_version) figure.unit = product_before(text, at, figure.number, figure.unit);
  return figure;
}

}  // namespace

std::vector<Figure> figures_in(const std::string& text) {
  std::vector<Figure> figures;
  for (std::size_t at = 0; at < text.size();) {
    if ((!is_of_word(text[at]) && !is_digit(text[at])) || !Cursor{text, at}.begins()) {
      ++at;
      continue;
    }
    auto found = date_at(text, at);
    if (!found) found = part_of_year_at(text, at);
    if (!found) found = weekday_at(text, at);
    if (!found) found = clock_at(text, at);
    if (!found) found = part_at(text, at);
    if (!found) found = number_at(text, at);
    at = found ? std::max(found->end, at + 1)
               : at + std::max<std::size_t>(1, Cursor{text, at}.word().size());
    if (found) figures.push_back(std::move(*found));
  }
  return figures;
}

std::string without_figures(const std::string& text) {
  static const std::set<std::string_view> parts{"cent", "percent", "am", "pm"};
  std::string rest = text;
  for (const Figure& one : figures_in(text)) {
    std::fill(rest.begin() + static_cast<std::ptrdiff_t>(one.begin),
              rest.begin() + static_cast<std::ptrdiff_t>(one.end), ' ');
  }
  for (std::size_t at = 0; at < rest.size();) {
    const auto word = Cursor{rest, at}.word();
    const std::size_t size = std::max<std::size_t>(1, word.size());
    if (month_named(word) > 0 || parts.contains(lower(word))) rest.replace(at, size, size, ' ');
    at += size;
  }
  return rest;
}

bool are_same(const std::string& unit, const std::string& one, const std::string& other) {
  if (one == other) return true;
  if (unit != "date" || one.size() != other.size()) return false;
  const auto agree = [&](std::size_t at, std::size_t size) {
    const std::string_view a = std::string_view{one}.substr(at, size);
    const std::string_view b = std::string_view{other}.substr(at, size);
    return a == b || number_in(a) == 0 || number_in(b) == 0;
  };
  return agree(0, 4) && agree(5, 2) && agree(8, 2);
}

bool has_same(const std::set<std::string>& numbers, const std::string& unit,
              const std::string& number) {
  return std::ranges::any_of(numbers, [&](const auto& one) { return are_same(unit, one, number); });
}

}  // namespace research
