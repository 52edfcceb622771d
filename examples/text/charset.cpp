#include "text/charset.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <optional>
#include <string_view>

#include <iconv.h>

namespace text {
namespace {

constexpr const char* fallback = "WINDOWS-1252";
constexpr std::string_view unknown = "\uFFFD";
constexpr std::string_view byte_order_mark = "\uFEFF";

/// A conversion by iconv().
class Converter {
 public:
  explicit Converter(const std::string& from) : with_{iconv_open("UTF-8", from.c_str())} {}
  ~Converter() {
    if (knows()) iconv_close(with_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  [[nodiscard]] bool knows() const { return with_ != reinterpret_cast<iconv_t>(-1); }

  /// Converts what can be converted, and marks the rest. Precondition: knows().
  std::string convert(std::string bytes) {
    constexpr auto failed = static_cast<std::size_t>(-1);
    std::string result;
    char* in = bytes.data();
    std::size_t left = bytes.size();
    while (left > 0) {
      char buffer[4096];
      char* out = buffer;
      std::size_t room = sizeof buffer;
      const std::size_t done = iconv(with_, &in, &left, &out, &room);
      const bool full = done == failed && errno == E2BIG;
      result.append(buffer, sizeof buffer - room);
      if (done != failed || full) continue;
      result += unknown;
      ++marked_;
      ++in;
      --left;
    }
    return result;
  }

  /// How many bytes stood for nothing.
  [[nodiscard]] std::size_t marked() const noexcept { return marked_; }

 private:
  iconv_t with_;
  std::size_t marked_ = 0;
};

std::optional<std::string> converted(const std::string& bytes, const std::string& from) {
  Converter converter{from};
  if (!converter.knows()) return std::nullopt;
  return converter.convert(bytes);
}

/// What the bytes look like.
std::string guessed(const std::string& bytes) {
  const bool marked = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
  if (marked) return "UTF-16";
  Converter utf8{"UTF-8"};
  static_cast<void>(utf8.convert(bytes));
  return utf8.marked() == 0 ? "UTF-8" : fallback;
}

}  // namespace

std::string to_utf8(std::string bytes, std::string encoding) {
  std::ranges::transform(encoding, encoding.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (encoding == "iso-8859-1" || encoding == "latin1" || encoding == "us-ascii") {
    encoding = fallback;
  }
  std::optional<std::string> result;
  if (!encoding.empty()) result = converted(bytes, encoding);
  if (!result) result = converted(bytes, guessed(bytes));
  if (result->starts_with(byte_order_mark)) result->erase(0, byte_order_mark.size());
  return *result;
}

}  // namespace text
