#include "sys/random.hpp"

#include <array>
#include <cerrno>
#include <cstdint>

#include <fmt/format.h>
#include <sys/random.h>

namespace resumable::sys {

Random::~Random() = default;

std::error_code SystemRandom::fill(std::span<std::byte> to) {
  while (!to.empty()) {
    const ssize_t got = ::getrandom(to.data(), to.size(), 0);
    if (got < 0 && errno != EINTR) return {errno, std::system_category()};
    if (got > 0) to = to.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

std::error_code random_name(Random& random, std::string& out) {
  std::uint64_t number = 0;
  const auto error = random.fill(std::as_writable_bytes(std::span(&number, 1)));
  out = fmt::format("{:016x}", number);
  return error;
}

}  // namespace resumable::sys
