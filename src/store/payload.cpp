#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "resumable/error.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

Payload::~Payload() = default;

StringPayload::StringPayload(std::string bytes) : bytes_(std::move(bytes)) {}
StringPayload::~StringPayload() = default;

std::size_t StringPayload::read(std::uint64_t at, std::span<char> to) const {
  if (at >= bytes_.size()) return 0;
  const std::size_t count = std::min<std::size_t>(to.size(), bytes_.size() - at);
  std::memcpy(to.data(), bytes_.data() + at, count);
  return count;
}

std::string read_all(const Payload& payload, std::uint64_t limit) {
  if (payload.size() > limit) {
    throw Error(Errc::too_large, {.what = fmt::format("a payload has {} bytes, at most {} are read",
                                                      payload.size(), limit)});
  }
  if (const auto bytes = payload.view()) return std::string(*bytes);
  std::string bytes(static_cast<std::size_t>(payload.size()), '\0');
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t count = payload.read(at, std::span(bytes).subspan(at));
    if (count == 0) throw Error(Errc::damaged, {.what = "a payload ended too early"});
    at += count;
  }
  return bytes;
}

}  // namespace v0
}  // namespace resumable
