#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/time.hpp"
#include "resumable/json_types.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
namespace {

struct Unit {
  Period period;
  std::string_view name;
};

constexpr Unit units[] = {
    {{1, 1'000'000'000}, "ns"}, {{1, 1'000'000}, "us"}, {{1, 1'000}, "ms"}, {{1, 1}, "s"},
    {{60, 1}, "min"},           {{3600, 1}, "h"},       {{86400, 1}, "d"}};

/// How many digits a fraction of a second has; -1 if `den` is not a power of ten.
int fraction_digits(std::int64_t den) {
  int digits = 0;
  for (; den % 10 == 0; den /= 10) ++digits;
  return den == 1 ? digits : -1;
}

bool has_date(Period period) {
  return period.den == 1 || (period.num == 1 && fraction_digits(period.den) >= 0);
}

std::int64_t whole_seconds(std::int64_t ticks, Period period) {
  constexpr std::int64_t year_9999 = 253'402'300'799;
  constexpr std::int64_t year_0 = -62'167'219'200;
  const std::int64_t floor = ticks / period.den - (ticks % period.den < 0 ? 1 : 0);
  if (floor > year_9999 / period.num || floor < year_0 / period.num) {
    throw std::out_of_range("a time outside of the years 0 to 9999");
  }
  return floor * period.num;
}

/// The digits after the seconds. What else is there shows when the time is written again.
std::int64_t fraction_of(std::string_view text, int digits) {
  std::int64_t value = -1;
  const std::string_view rest = text.substr(std::min<std::size_t>(20, text.size()));
  const std::string_view wanted = rest.substr(0, static_cast<std::size_t>(digits));
  std::from_chars(wanted.data(), wanted.data() + wanted.size(), value);
  return value;
}

std::int64_t from_date(std::string_view text, Period period) {
  const auto time = core::parse_seconds(text);
  if (!time) throw std::invalid_argument("not a date");
  std::int64_t seconds = time->time_since_epoch().count();
  if (period.den == 1) return seconds / period.num;
  std::int64_t fraction = fraction_of(text, fraction_digits(period.den));
  if (seconds < 0 && fraction > 0) {  // towards zero, so that the earliest time does not overflow
    ++seconds;
    fraction -= period.den;
  }
  std::int64_t ticks = 0;
  if (__builtin_mul_overflow(seconds, period.den, &ticks) ||
      __builtin_add_overflow(ticks, fraction, &ticks)) {
    throw std::out_of_range("a time that its clock cannot represent");
  }
  return ticks;
}

std::int64_t from_duration(std::string_view text, Period period) {
  const std::string_view digits = without_unit(text, period);
  std::int64_t ticks = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), ticks);
  if (result.ec != std::errc{}) throw std::invalid_argument("not a time");
  return ticks;
}

}  // namespace

std::string unit_name(Period period) {
  for (const Unit& unit : units) {
    if (unit.period.num == period.num && unit.period.den == period.den) {
      return std::string(unit.name);
    }
  }
  return fmt::format("[{}/{}]s", period.num, period.den);
}

std::string_view without_unit(std::string_view text, Period period) {
  const std::string unit = unit_name(period);
  if (!text.ends_with(unit)) throw std::invalid_argument("not a number of " + unit);
  text.remove_suffix(unit.size());
  return text;
}

std::string utc_text(std::int64_t ticks, Period period) {
  if (!has_date(period)) return fmt::format("{}{}", ticks, unit_name(period));
  const std::chrono::seconds since_1970{whole_seconds(ticks, period)};
  std::string text = core::format_seconds(std::chrono::sys_seconds{since_1970});
  if (period.den > 1) {
    const std::int64_t fraction = (ticks % period.den + period.den) % period.den;
    text += fmt::format(".{:0{}}", fraction, fraction_digits(period.den));
  }
  return text + "Z";
}

std::int64_t parse_utc(std::string_view text, Period period) {
  const std::int64_t ticks =
      has_date(period) ? from_date(text, period) : from_duration(text, period);
  if (utc_text(ticks, period) != text) {
    throw std::invalid_argument("not a time as in 2026-11-21T20:31:07Z, with the clock's digits");
  }
  return ticks;
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
