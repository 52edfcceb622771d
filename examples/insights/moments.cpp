#include "insights/moments.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "insights/words.hpp"

namespace insights {
namespace {

constexpr std::array<std::string_view, 7> weekday_names{
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
constexpr std::array<std::string_view, 12> month_names{
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

/// The number that these digits are; -1 when they are not digits alone.
int digits_in(std::string_view digits) {
  int value = -1;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, value);
  return read.ec == std::errc{} && read.ptr == end && digits[0] != '-' ? value : -1;
}

std::optional<Moment> midnight(int year, int month, int day) {
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day when{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!when.ok()) return std::nullopt;
  return std::chrono::sys_days{when}.time_since_epoch().count() * day_length;
}

std::optional<ParsedMoment> of_grain(Grain grain, std::optional<Moment> moment) {
  return moment ? std::optional{ParsedMoment{*moment, false, grain}} : std::nullopt;
}

/// 1 to 12 of `January` or `Jan`, in any case; -1 of anything else.
int month_named(const std::string& word) {
  for (std::size_t i = 0; i < month_names.size(); ++i) {
    const std::string name = words_in(month_names[i]).front();
    if (word == name || (word.size() == 3 && name.starts_with(word)))
      return static_cast<int>(i) + 1;
  }
  return -1;
}

/// By POSIX's strptime(), 69 is 1969 and 68 is 2068.
int year_of(int two_digits) { return two_digits + (two_digits < 69 ? 2000 : 1900); }

/// `Jan 31 2000`, `31 January 2000`, `31-Jan-00`, `Jan 2000`, `Jan-00`; `Jan 00` may be a day.
std::optional<ParsedMoment> parse_named_date(std::string_view text) {
  std::vector<std::string> words = words_in(text);
  if (words.size() < 2 || words.size() > 3) return std::nullopt;
  const bool is_short =
      words.back().size() == 2 && (words.size() == 3 || text.find_first_of("-'") != text.npos);
  if (words.back().size() != 4 && !is_short) return std::nullopt;
  const int last = digits_in(words.back());
  if (last < 0) return std::nullopt;
  const int year = is_short ? year_of(last) : last;
  if (words.size() == 2) return of_grain(Grain::month, midnight(year, month_named(words[0]), 1));
  if (month_named(words[0]) < 0) std::swap(words[0], words[1]);
  if (words[1].size() > 2) return std::nullopt;
  return of_grain(Grain::day, midnight(year, month_named(words[0]), digits_in(words[1])));
}

/// The numbers between marks of one kind, and the mark: 31, 12, 2015 and a dot.
struct Parts {
  std::vector<int> numbers;
  std::vector<std::size_t> sizes;
  char mark = 0;
};

std::optional<Parts> parts_of(std::string_view text) {
  Parts parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find_first_of("-./", from), text.size());
    const std::string_view digits = text.substr(from, end - from);
    if (digits.empty() || digits.size() > 4 || digits_in(digits) < 0) return std::nullopt;
    parts.numbers.push_back(digits_in(digits));
    parts.sizes.push_back(digits.size());
    if (end < text.size()) {
      if (parts.mark != 0 && text[end] != parts.mark) return std::nullopt;
      parts.mark = text[end];
    }
    from = end + 1;
  }
  return parts;
}

/// The Monday of `2025-W07`, the first day of `2025-Q3` or `Q3 2025`; by ISO 8601 week 1 is that of
/// 4 January.
std::optional<ParsedMoment> parse_part_of_year(std::string_view text) {
  if (text.size() < 6 || text.size() > 8) return std::nullopt;
  if (text[0] == 'Q' && text.size() == 7) {
    return parse_part_of_year(fmt::format("{}-{}", text.substr(3), text.substr(0, 2)));
  }
  const int year = digits_in(text.substr(0, 4));
  const std::size_t at = text[4] == '-' || text[4] == '/' || text[4] == ' ' ? 5 : 4;
  const char kind = text[at];
  const int number = at + 1 < text.size() ? digits_in(text.substr(at + 1)) : -1;
  if (kind == 'Q' && number <= 4)
    return of_grain(Grain::quarter, midnight(year, 3 * number - 2, 1));
  const auto fourth = midnight(year, 1, 4);
  if (kind != 'W' || !fourth || number < 1 || number > 53) return std::nullopt;
  const Moment days = Moment{7} * (number - 1) - place_in(Cycle::weekday, *fourth);
  return of_grain(Grain::week, *fourth + days * day_length);
}

/// The month of `2015-12`.
std::optional<Moment> parse_month(std::string_view text) {
  const auto parts = parts_of(text);
  if (!parts || parts->numbers.size() != 2 || parts->mark != '-') return std::nullopt;
  return parts->sizes[0] == 4 && parts->sizes[1] == 2
             ? midnight(parts->numbers[0], parts->numbers[1], 1)
             : std::nullopt;
}

std::optional<Moment> parse_date(std::string_view text, Slashes slashes) {
  const auto parts = parts_of(text);
  if (!parts) return std::nullopt;
  const auto& [numbers, sizes, mark] = *parts;
  if (numbers.size() != 3 || sizes[1] > 2) return std::nullopt;
  if (sizes[0] == 4 && sizes[2] <= 2) return midnight(numbers[0], numbers[1], numbers[2]);
  if (sizes[0] > 2 || (sizes[2] != 4 && sizes[2] != 2)) return std::nullopt;
  const int year = sizes[2] == 2 ? year_of(numbers[2]) : numbers[2];
  const Slashes order = mark == '.' ? Slashes::day_first : slashes;
  if (order == Slashes::unknown) return std::nullopt;
  return order == Slashes::day_first ? midnight(year, numbers[1], numbers[0])
                                     : midnight(year, numbers[0], numbers[1]);
}

/// Without `Z`, `+01:00` and a fraction of a second.
std::string_view without_zone(std::string_view clock) {
  return clock.substr(0, clock.find_first_of("Z+-."));
}

std::chrono::year_month_day date_of(Moment moment) {
  return std::chrono::sys_days{std::chrono::days{day_of(moment) / day_length}};
}

}  // namespace

std::optional<int> day_number(std::string_view date) {
  if (date.size() != 10 || date[4] != '-') return std::nullopt;
  const auto moment = parse_date(date, Slashes::unknown);
  return moment ? std::optional{static_cast<int>(*moment / day_length)} : std::nullopt;
}

std::optional<Moment> parse_clock(std::string_view text) {
  int later = 0;  // hours by which an afternoon's are later
  const std::string_view half = text.size() > 2 ? text.substr(text.size() - 2) : "";
  const bool is_halved = half == "AM" || half == "PM" || half == "am" || half == "pm";
  if (is_halved) {
    text.remove_suffix(text[text.size() - 3] == ' ' ? 3 : 2);
    later = half == "PM" || half == "pm" ? 12 : 0;
  }
  const std::size_t colon = text.find(':');
  if (colon != 1 && colon != 2) return std::nullopt;
  const std::string_view rest = text.substr(colon + 1);
  const bool seconds = rest.size() == 5 && rest[2] == ':';
  if (rest.size() != 2 && !seconds) return std::nullopt;
  int hour = digits_in(text.substr(0, colon));
  const int minute = digits_in(rest.substr(0, 2));
  const int second = seconds ? digits_in(rest.substr(3)) : 0;
  if (is_halved) hour = hour < 1 || hour > 12 ? -1 : hour % 12 + later;
  const bool good = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0;
  return good && second < 61 ? std::optional{Moment{hour} * 3600 + minute * 60 + second}
                             : std::nullopt;
}

std::optional<ParsedMoment> parse_moment(std::string_view text, Slashes slashes) {
  if (auto part = parse_part_of_year(text)) return part;
  if (auto month = of_grain(Grain::month, parse_month(text))) return month;
  const std::size_t gap = std::min(text.find_first_of("T "), text.size());
  if (const auto date = parse_date(text.substr(0, gap), slashes)) {
    if (gap == text.size()) return ParsedMoment{*date, false};
    const std::string_view clock = without_zone(text.substr(gap + 1));
    const auto time =
        clock.size() == 2 ? parse_clock(std::string{clock} + ":00") : parse_clock(clock);
    return time ? std::optional{ParsedMoment{*date + *time, true}} : std::nullopt;
  }
  if (text.size() < 6 || text.size() > 18) return std::nullopt;
  return parse_named_date(text);
}

std::optional<ParsedMoment> parse_time(std::string_view text) {
  if (text.size() != 4) return parse_moment(text);
  return of_grain(Grain::year, midnight(digits_in(text), 1, 1));
}

std::string moment_text(Moment moment, bool has_clock) {
  const auto day = date_of(moment);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                  static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  if (!has_clock) return text;
  const Moment clock = moment - day_of(moment);
  return text + fmt::format(" {:02}:{:02}", clock / 3600, clock / 60 % 60);
}

int place_in(Cycle cycle, Moment moment) {
  switch (cycle) {
    case Cycle::none: return 0;
    case Cycle::hour: return static_cast<int>((moment - day_of(moment)) / 3600);
    case Cycle::weekday: {
      const std::chrono::weekday day{std::chrono::sys_days{date_of(moment)}};
      return static_cast<int>(day.iso_encoding()) - 1;
    }
    case Cycle::month: return static_cast<int>(static_cast<unsigned>(date_of(moment).month())) - 1;
  }
  return 0;
}

std::string place_name(Cycle cycle, int place) {
  const auto at = static_cast<std::size_t>(place);
  switch (cycle) {
    case Cycle::none: return "";
    case Cycle::hour: return fmt::format("{:02}:00", place);
    case Cycle::weekday: return std::string{weekday_names[at]};
    case Cycle::month: return std::string{month_names[at]};
  }
  return "";
}

std::string_view cycle_name(Cycle cycle) {
  switch (cycle) {
    case Cycle::none: return "none";
    case Cycle::hour: return "hour";
    case Cycle::weekday: return "weekday";
    case Cycle::month: return "month";
  }
  return "none";
}

std::optional<Cycle> cycle_named(std::string_view name) {
  for (const Cycle cycle : {Cycle::hour, Cycle::weekday, Cycle::month}) {
    if (cycle_name(cycle) == name) return cycle;
  }
  return std::nullopt;
}

Moment day_of(Moment moment) {
  const Moment into = moment % day_length;
  return moment - (into < 0 ? into + day_length : into);
}

Moment month_of(Moment moment) {
  const auto day = date_of(moment);
  return std::chrono::sys_days{day.year() / day.month() / std::chrono::day{1}}
             .time_since_epoch()
             .count() *
         day_length;
}

Moment start_of(Grain grain, Moment moment) {
  const Moment day = day_of(moment);
  if (grain == Grain::day) return day;
  if (grain == Grain::week) return day - place_in(Cycle::weekday, day) * day_length;
  const Moment month = month_of(moment);
  const int place = place_in(Cycle::month, month);
  const int months = grain == Grain::year ? place : grain == Grain::quarter ? place % 3 : 0;
  Moment start = month;
  for (int i = 0; i < months; ++i) start = month_of(start - day_length);
  return start;
}

Moment end_of(Grain grain, Moment moment) {
  constexpr Moment longest[]{1, 7, 31, 93, 366};  // days
  const Moment start = start_of(grain, moment);
  const Moment behind = start + longest[static_cast<std::size_t>(grain)] * day_length;
  return start_of(grain, behind) - 1;
}

std::string_view grain_name(Grain grain) {
  constexpr std::string_view names[]{"day", "week", "month", "quarter", "year"};
  return names[static_cast<std::size_t>(grain)];
}

std::string grain_text(Grain grain, Moment moment) {
  const std::string day = moment_text(start_of(grain, moment), false);
  switch (grain) {
    case Grain::day: return day;
    case Grain::month: return day.substr(0, 7);
    case Grain::year: return day.substr(0, 4);
    case Grain::quarter:
      return fmt::format("{}-Q{}", day.substr(0, 4), place_in(Cycle::month, moment) / 3 + 1);
    case Grain::week: break;
  }
  // A week belongs to the year of its Thursday.
  const Moment thursday = start_of(grain, moment) + 3 * day_length;
  const Moment into = thursday - start_of(Grain::year, thursday);
  return fmt::format("{}-W{:02}", moment_text(thursday, false).substr(0, 4),
                     into / (7 * day_length) + 1);
}

}  // namespace insights
