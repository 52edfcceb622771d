#include "model/retry_after.hpp"

#include <algorithm>
#include <charconv>
#include <ctime>

namespace model {
namespace {

/// Seconds since the epoch of an HTTP date (RFC 9110, 5.6.7, the preferred form).
std::optional<std::time_t> parse_date(const std::string& date) {
  std::tm time{};
  const char* end = strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return timegm(&time);
}

}  // namespace

std::optional<std::chrono::seconds> retry_after(const std::string& value, const std::string& date) {
  unsigned seconds = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (read.ec == std::errc{} && read.ptr == value.data() + value.size()) {
    return std::chrono::seconds{seconds};
  }
  const auto until = parse_date(value);
  if (!until) return std::nullopt;
  const std::time_t now = parse_date(date).value_or(std::time(nullptr));
  return std::chrono::seconds{std::max<std::time_t>(0, *until - now)};
}

}  // namespace model
