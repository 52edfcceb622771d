#include "core/time.hpp"

#include <charconv>
#include <cmath>

#include <fmt/compile.h>
#include <fmt/format.h>

#include "resumable/time.hpp"

namespace resumable::core {
namespace {

using namespace std::chrono;

/// A number without a sign that has all of these digits.
std::optional<unsigned> number(std::string_view text, std::size_t at, std::size_t length) {
  unsigned value = 0;
  const char* const end = text.data() + at + length;
  const auto [last, error] = std::from_chars(text.data() + at, end, value);
  return error == std::errc{} && last == end ? std::optional(value) : std::nullopt;
}

/// Overwrites `count` characters with the last digits of a number.
template <std::size_t count>
void set_digits(std::string& text, std::size_t at, unsigned value) {
  for (std::size_t i = count; i-- > 0; value /= 10) {
    text[at + i] = static_cast<char>('0' + value % 10);
  }
}

}  // namespace

/// Each record has its time, so this is not left to fmt, which takes ten times as long.
std::string format_seconds(sys_seconds time) {
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  std::string text = fmt::format(FMT_COMPILE("{:04}-00-00T00:00:00"), int{date.year()});
  const std::size_t month = text.size() - 14;
  set_digits<2>(text, month, unsigned{date.month()});
  set_digits<2>(text, month + 3, unsigned{date.day()});
  set_digits<2>(text, month + 6, static_cast<unsigned>(clock.hours().count()));
  set_digits<2>(text, month + 9, static_cast<unsigned>(clock.minutes().count()));
  set_digits<2>(text, month + 12, static_cast<unsigned>(clock.seconds().count()));
  return text;
}

std::optional<sys_seconds> parse_seconds(std::string_view text) {
  const bool shaped = text.size() >= 19 && text[4] == '-' && text[7] == '-' && text[10] == 'T' &&
                      text[13] == ':' && text[16] == ':';
  if (!shaped) return std::nullopt;
  const auto y = number(text, 0, 4), mo = number(text, 5, 2), d = number(text, 8, 2);
  const auto h = number(text, 11, 2), mi = number(text, 14, 2), s = number(text, 17, 2);
  if (!y || !mo || !d || !h || !mi || !s || *h > 23 || *mi > 59 || *s > 59) return std::nullopt;
  const year_month_day date{year{static_cast<int>(*y)}, month{*mo}, day{*d}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date} + hours{*h} + minutes{*mi} + seconds{*s};
}

std::string format_utc(system_clock::time_point time) {
  const auto whole = floor<seconds>(time);
  std::string text = format_seconds(whole);
  const std::size_t fraction = text.size() + 1;
  text += ".000Z";
  set_digits<3>(text, fraction, static_cast<unsigned>(floor<milliseconds>(time - whole).count()));
  return text;
}

std::string format_utc_seconds(system_clock::time_point time) {
  return format_seconds(floor<seconds>(time)) + "Z";
}

std::optional<system_clock::time_point> parse_utc(std::string_view text) {
  const bool shaped =
      text.ends_with('Z') && (text.size() == 20 || (text.size() == 24 && text[19] == '.'));
  const auto time = shaped ? parse_seconds(text) : std::nullopt;
  const auto fraction = text.size() == 24 ? number(text, 20, 3) : std::optional(0U);
  if (!time || !fraction) return std::nullopt;
  // The clock counts nanoseconds in 64 bits: it ends in 2262.
  const year from = year_month_day{floor<days>(*time)}.year();
  if (from < year{1700} || from >= year{2262}) return std::nullopt;
  return *time + milliseconds{*fraction};
}

std::string format_duration(duration<double> time) {
  const double seconds = time.count();
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const long long whole = std::llround(seconds);
  if (whole < 3600) return fmt::format("{}m {:02} s", whole / 60, whole % 60);
  return fmt::format("{}h {:02} m", whole / 3600, whole % 3600 / 60);
}

}  // namespace resumable::core

namespace resumable {
inline namespace v0 {

std::string to_string(Timestamp time) { return core::format_utc(time); }

}  // namespace v0
}  // namespace resumable
