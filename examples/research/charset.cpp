#include "research/charset.hpp"

#include <cctype>
#include <cerrno>
#include <string_view>

#include <iconv.h>

#include "research/html_text.hpp"

namespace research {
namespace {

constexpr const char* fallback = "WINDOWS-1252";  ///< what browsers take ISO-8859-1 for
constexpr std::size_t near_the_beginning = 1024;  ///< bytes, as HTML asks for
constexpr std::string_view unknown = "\uFFFD";

/// What stands behind `charset=`; empty if nothing does.
std::string charset_in(std::string_view text) {
  const std::string all = lower(text);
  const auto at = all.find("charset=");
  if (at == all.npos) return {};
  std::string name;
  for (std::size_t i = at + 8; i < all.size() && name.size() < 40; ++i) {
    const auto c = static_cast<unsigned char>(all[i]);
    if (std::isalnum(c) != 0 || c == '-' || c == '_') {
      name += static_cast<char>(c);
    } else if (!name.empty()) {
      break;
    }
  }
  return name == "iso-8859-1" || name == "latin1" || name == "us-ascii" ? fallback : name;
}

/// Converts what can be converted, and marks the rest.
class Converter {
 public:
  explicit Converter(const std::string& from) : with_{iconv_open("UTF-8", from.c_str())} {
    if (!is_open()) with_ = iconv_open("UTF-8", fallback);
  }
  ~Converter() {
    if (is_open()) iconv_close(with_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  std::string convert(std::string text) {
    std::string result;
    char* in = text.data();
    std::size_t left = text.size();
    while (left > 0) {
      char buffer[4096];
      char* out = buffer;
      std::size_t room = sizeof buffer;
      const std::size_t done = is_open() ? iconv(with_, &in, &left, &out, &room) : failed;
      result.append(buffer, sizeof buffer - room);
      if (done != failed || errno == E2BIG) continue;
      result += unknown;
      ++in;
      --left;
    }
    return result;
  }

 private:
  static constexpr auto failed = static_cast<std::size_t>(-1);
  [[nodiscard]] bool is_open() const { return with_ != reinterpret_cast<iconv_t>(-1); }

  iconv_t with_;
};

}  // namespace

std::string to_utf8(std::string page, const std::string& type) {
  std::string from = charset_in(type);
  if (from.empty()) from = charset_in(std::string_view{page}.substr(0, near_the_beginning));
  std::string utf8 = Converter{from.empty() ? "UTF-8" : from}.convert(page);
  const bool guessed = from.empty() && utf8.find(unknown) != utf8.npos;
  return guessed ? Converter{fallback}.convert(std::move(page)) : utf8;
}

}  // namespace research
