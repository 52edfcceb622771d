#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <utf8proc.h>

namespace resumable::core {
namespace {

// Length of the UTF-8 sequence at `at`, 0 when there is none.
std::size_t sequence(std::string_view text, std::size_t at) noexcept {
  utf8proc_int32_t code = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto length =
      utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &code);
  return length > 0 && code >= 0 ? static_cast<std::size_t>(length) : 0;
}

// How many bytes are ASCII there, of the next eight at most.
std::size_t ascii_at(std::string_view text, std::size_t at) noexcept {
  std::uint64_t word = 0;
  if (text.size() - at >= sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080) == 0) return sizeof word;
  }
  return static_cast<unsigned char>(text[at]) < 0x80 ? 1 : 0;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t ascii = ascii_at(text, at); ascii > 0) {
      at += ascii;
      continue;
    }
    const std::size_t length = sequence(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

namespace {

// Appends the character at `at`, or an escape if a terminal would interpret or garble it, and
// returns where the next one begins.
std::size_t append_safely(std::string& result, std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const std::size_t length = byte < 0x80 ? 1 : sequence(text, at);
  // U+0080 to U+009F are controls, too: C2 80 to C2 9F.
  const bool control =
      byte < 0x20 || byte == 0x7f ||
      (byte == 0xC2 && length == 2 && static_cast<unsigned char>(text[at + 1]) < 0xA0);
  if (length == 0 || control) {
    result += "\\x";
    append_hex(result, byte);
    return at + 1;
  }
  result.append(text.substr(at, length));
  return at + length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (result.size() >= 120) return result + "…";
    at = append_safely(result, text, at);
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n' || text[at] == '\t') {
      result += text[at++];
    } else {
      at = append_safely(result, text, at);
    }
  }
  return result;
}

bool read_hex(std::string_view text, std::span<std::byte> to) noexcept {
  static constexpr auto nibbles = [] {
    std::array<std::uint8_t, 256> all{};
    all.fill(0xff);  // what is no digit
    for (unsigned i = 0; i < 16; ++i) {
      all[static_cast<unsigned char>("0123456789abcdef"[i])] = static_cast<std::uint8_t>(i);
    }
    return all;
  }();
  if (text.size() != 2 * to.size()) return false;
  unsigned found = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const unsigned high = nibbles[static_cast<unsigned char>(text[2 * i])];
    const unsigned low = nibbles[static_cast<unsigned char>(text[2 * i + 1])];
    found |= high | low;
    to[i] = static_cast<std::byte>((high << 4U | low) & 0xffU);
  }
  return found < 16;
}

namespace {

std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* result = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &result,
                                 static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned{result, &std::free};
  if (size < 0) return std::string{text};
  return {reinterpret_cast<const char*>(result), static_cast<std::size_t>(size)};
}

}  // namespace

std::string nfc(std::string_view text) { return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE); }

std::string fold_case(std::string_view text) {
  return mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
}

std::string lower(std::string_view text) {
  std::string result{text};
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > 200) return {};
  std::string best;
  std::size_t best_distance = word.size() / 3 + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t d = distance(lower(word), lower(candidate));
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string format_cost(const Cost& cost) {
  if (cost.usd >= 0.1) return fmt::format("${:.2f}", cost.usd);
  if (cost.usd >= 0.0001) {
    std::string text = fmt::format("${:.4f}", cost.usd);
    while (text.back() == '0' && text.size() > std::string_view{"$0.00"}.size()) text.pop_back();
    return text;
  }
  if (cost.usd > 0) return "<$0.0001";
  return cost.tokens > 0 ? fmt::format("{} tokens", cost.tokens) : std::string{};
}

std::string format_size(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  return bytes < 10'000'000 ? fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3)
                            : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace resumable::core
