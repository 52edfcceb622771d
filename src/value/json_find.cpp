#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/json_special.hpp"
#include "core/text.hpp"
#include "resumable/detail/json_codec.hpp"
#include "resumable/detail/json_text.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
namespace {

constexpr std::string_view space = " \t\n\r";

// What is searched has the digest of a text that the library wrote, so what is skipped need not be
// checked. Migrations are not applied to a part: they need the whole document.

/// What ends a step over text that is in no string: quotes and brackets.
constexpr std::array<bool, 256> structural = [] {
  std::array<bool, 256> is{};
  for (const char c : {'"', '{', '}', '[', ']'}) is[static_cast<unsigned char>(c)] = true;
  return is;
}();

/// Walks down a document. On a text that is not JSON it stops somewhere, at the latest at its end.
class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text) { skip_space(); }

  /// From an object or array to the value with this key or index.
  bool enter(std::string_view step) {
    if (take('{')) return enter_object(step);
    return take('[') && enter_array(step);
  }

  /// The value here; nullopt if there is none.
  std::optional<std::string_view> value() {
    const std::size_t begin = at_;
    skip_value();
    if (at_ == begin) return std::nullopt;
    return text_.substr(begin, at_ - begin);
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_space();
    return true;
  }

  void skip_space() { at_ = std::min(text_.find_first_not_of(space, at_), text_.size()); }

  bool enter_object(std::string_view step) {
    do {
      if (peek() != '"') return false;
      const std::size_t begin = at_;
      skip_string();
      const std::string_view key = text_.substr(begin, at_ - begin);
      skip_space();
      if (!take(':')) return false;
      if (is_key(key, step)) return true;
      skip_value();
      skip_space();
    } while (take(','));
    return false;
  }

  bool enter_array(std::string_view step) {
    std::size_t index = 0;
    const char* const end = step.data() + step.size();
    const auto [rest, error] = std::from_chars(step.data(), end, index);
    if (error != std::errc{} || rest != end || (step.size() > 1 && step.front() == '0')) {
      return false;
    }
    for (; index > 0; --index) {
      skip_value();
      skip_space();
      if (!take(',')) return false;
    }
    return true;
  }

  /// Whether the string `quoted` is `name`.
  static bool is_key(std::string_view quoted, std::string_view name) {
    if (quoted.find('\\') == quoted.npos) {
      return quoted.size() == name.size() + 2 && quoted.substr(1, name.size()) == name;
    }
    const Json key = parse_json(quoted);
    return key.is_string() && key.get_ref<const std::string&>() == name;
  }

  void skip_string() {
    ++at_;
    while (true) {
      at_ = core::find_json_special(text_, at_);
      if (at_ >= text_.size()) break;
      const char c = text_[at_];
      at_ += c == '\\' ? 2 : 1;
      if (c == '"') break;
    }
    at_ = std::min(at_, text_.size());
  }

  void skip_value() {
    const char first = peek();
    if (first == '"') return skip_string();
    if (first != '{' && first != '[') {
      at_ = std::min(text_.find_first_of(" \t\n\r,]}", at_), text_.size());
      return;
    }
    std::size_t depth = 0;
    do {
      while (at_ < text_.size() && !structural[static_cast<unsigned char>(text_[at_])]) ++at_;
      if (at_ >= text_.size()) return;
      if (text_[at_] == '"') {
        skip_string();
        continue;
      }
      const bool opens = text_[at_] == '{' || text_[at_] == '[';
      depth = opens ? depth + 1 : depth - 1;
      ++at_;
    } while (depth > 0);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Takes the first step, without its slash and its escapes, from `pointer`.
std::string take_step(std::string_view& pointer) {
  pointer.remove_prefix(1);
  const std::size_t end = std::min(pointer.find('/'), pointer.size());
  std::string step;
  for (std::size_t i = 0; i < end; ++i) {
    if (pointer[i] == '~' && i + 1 < end) {
      step += pointer[++i] == '1' ? '/' : '~';
    } else {
      step += pointer[i];
    }
  }
  pointer.remove_prefix(end);
  return step;
}

}  // namespace

std::optional<std::string_view> find_json(std::string_view text, std::string_view pointer) {
  if (pointer.empty()) return text;
  if (pointer.front() != '/') {
    throw Error(Errc::bad_option,
                {.what = fmt::format("'{}' is not a JSON pointer", core::printable(pointer)),
                 .next = "begin it with a slash, as in /sections/3/title"});
  }
  Finder finder{text};
  while (!pointer.empty()) {
    if (!finder.enter(take_step(pointer))) return std::nullopt;
  }
  return finder.value();
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
