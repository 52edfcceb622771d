#include "core/time.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace resumable::core {
namespace {

using namespace std::chrono;

bool number(std::string_view text, std::size_t at, std::size_t length, int& to) {
  if (at + length > text.size()) return false;
  const char* end = text.data() + at + length;
  return std::from_chars(text.data() + at, end, to).ptr == end;
}

}  // namespace

std::string format_utc(system_clock::time_point time) {
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{floor<milliseconds>(time - day)};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<system_clock::time_point> parse_utc(std::string_view text) {
  int y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0, ms = 0;
  const bool shaped = (text.size() == 20 || (text.size() == 24 && text[19] == '.')) &&
                      text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':' &&
                      text[16] == ':' && text.back() == 'Z';
  const bool good = shaped && number(text, 0, 4, y) && number(text, 5, 2, mo) &&
                    number(text, 8, 2, d) && number(text, 11, 2, h) && number(text, 14, 2, mi) &&
                    number(text, 17, 2, s) && (text.size() == 20 || number(text, 20, 3, ms));
  // The clock counts nanoseconds in 64 bits: it ends in 2262.
  const bool possible = good && y >= 1700 && y < 2262 && mo > 0 && d > 0 && h >= 0 && h < 24 &&
                        mi >= 0 && mi < 60 && s >= 0 && s < 60 && ms >= 0;
  if (!possible) return std::nullopt;
  const year_month_day date{year{y}, month{static_cast<unsigned>(mo)},
                            day{static_cast<unsigned>(d)}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date} + hours{h} + minutes{mi} + seconds{s} + milliseconds{ms};
}

std::string format_duration(double seconds) {
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const long long whole = std::llround(seconds);
  if (whole < 3600) return fmt::format("{}m {:02} s", whole / 60, whole % 60);
  return fmt::format("{}h {:02} m", whole / 3600, whole % 3600 / 60);
}

}  // namespace resumable::core
