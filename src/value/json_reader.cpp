#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/json_special.hpp"
#include "core/text.hpp"
#include "resumable/detail/json_text.hpp"
#include "value/json_pointer.hpp"
#include "value/json_position.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A code point that is not a surrogate, as UTF-8.
void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(bits); };
  const auto tail = [&](unsigned shift) { byte(0x80U | ((code >> shift) & 0x3fU)); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0U | (code >> 6U));
  } else if (code < 0x10000) {
    byte(0xe0U | (code >> 12U));
    tail(6);
  } else {
    byte(0xf0U | (code >> 18U));
    tail(12);
    tail(6);
  }
  tail(0);
}

class Reader {
 public:
  Reader(std::string_view text, JsonSink& sink) : text_(text), sink_(sink) {}

  /// Reads as far as the value with this pointer; where it begins.
  std::optional<value::Position> find(std::string_view pointer) {
    wanted_ = pointer;
    document();
    return found_;
  }

  void document() {
    if (text_.starts_with("\xEF\xBB\xBF")) fail("a byte order mark, which JSON must not have");
    value();
    skip_space();
    if (at_ < text_.size()) fail("more text behind the end of the document");
  }

 private:
  [[noreturn]] void fail(std::string_view why) const { fail_at(at_, why); }

  [[nodiscard]] value::Position position(std::size_t at) const {
    const std::string_view before = text_.substr(0, at);
    const auto line_start = before.rfind('\n') + 1;  // npos + 1 == 0
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto column =
        1 + std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                          [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
    return {static_cast<std::size_t>(line), static_cast<std::size_t>(column)};
  }

  [[noreturn]] void fail_at(std::size_t at, std::string_view why) const {
    const auto [line, column] = position(at);
    throw Error(Errc::not_decodable,
                {.what = fmt::format("not valid JSON: line {}, column {}: {}", line, column, why),
                 .path = value::pointer_of(frames_)});
  }

  [[noreturn]] void fail_here(std::string_view expected) const {
    if (at_ >= text_.size()) fail(fmt::format("the text ends where {} should be", expected));
    if (text_[at_] == '/') fail("JSON has no comments");
    fail(fmt::format("'{}' where {} should be", core::printable(text_.substr(at_, 1)), expected));
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != text_.npos) ++at_;
  }

  void value() {
    skip_space();
    if (wanted_ && !found_ && value::pointer_of(frames_) == *wanted_) found_ = position(at_);
    switch (peek()) {
      case '{': return object();
      case '[': return array();
      case '"': return sink_.string(quoted());
      case 't': literal("true"); return sink_.boolean(true);
      case 'f': literal("false"); return sink_.boolean(false);
      case 'n': literal("null"); return sink_.null();
      default: break;
    }
    if (peek() != '-' && !is_digit(peek())) fail_here("a value");
    number();
  }

  void literal(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) fail_here("a value");
    at_ += word.size();
  }

  void enter(bool object) {
    if (frames_.size() >= max_json_depth) fail("nested deeper than 256 levels");
    frames_.push_back({.object = object, .count = 0, .key = {}});
    ++at_;
    skip_space();
  }

  void array() {
    sink_.begin_array();
    enter(false);
    if (!take(']')) {
      do {
        ++frames_.back().count;
        value();
        skip_space();
      } while (take(','));
      if (!take(']')) fail_here("',' or ']'");
    }
    frames_.pop_back();
    sink_.end_array();
  }

  void object() {
    sink_.begin_object();
    enter(true);
    if (!take('}')) {
      do {
        member();
        skip_space();
      } while (take(','));
      if (!take('}')) fail_here("',' or '}'");
    }
    frames_.pop_back();
    sink_.end_object();
  }

  void member() {
    skip_space();
    if (peek() != '"') fail_here("a key in quotes");
    const std::size_t begin = at_;
    const std::string_view name = quoted();
    ++frames_.back().count;
    frames_.back().key = name;
    if (!sink_.key(name)) fail_at(begin, "the object has this key already");
    skip_space();
    if (!take(':')) fail_here("':'");
    value();
  }

  /// The content of a string; valid until the next one is read.
  std::string_view quoted() {
    const std::size_t begin = ++at_;
    skip_plain();
    if (take('"')) return checked(begin, text_.substr(begin, at_ - 1 - begin));
    scratch_.assign(text_, begin, at_ - begin);
    while (!take('"')) {
      escape();
      const std::size_t plain = at_;
      skip_plain();
      scratch_.append(text_, plain, at_ - plain);
    }
    return checked(begin, scratch_);
  }

  std::string_view checked(std::size_t begin, std::string_view content) const {
    if (!core::is_utf8(content)) fail_at(begin, "a text that is not UTF-8");
    return content;
  }

  /// Goes on to the next quote or backslash.
  void skip_plain() {
    at_ = core::find_json_special(text_, at_);
    if (at_ >= text_.size()) fail("the document ends inside a text");
    if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("a control character in a text");
  }

  void escape() {
    static constexpr std::string_view names = "\"\\/bfnrt";
    static constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    ++at_;
    if (take('u')) return append_utf8(scratch_, unicode());
    const auto which = at_ < text_.size() ? names.find(text_[at_]) : names.npos;
    if (which == names.npos) fail("an escape that JSON does not have");
    scratch_ += meant[which];
    ++at_;
  }

  std::uint32_t unicode() {
    const std::size_t begin = at_;
    const std::uint32_t first = hex4();
    if (first < 0xd800 || first > 0xdfff) return first;
    if (first < 0xdc00 && take('\\') && take('u')) {
      const std::uint32_t second = hex4();
      if (second >= 0xdc00 && second <= 0xdfff) {
        return 0x10000U + ((first - 0xd800U) << 10U) + (second - 0xdc00U);
      }
    }
    fail_at(begin, "half of a surrogate pair, which is not a character");
  }

  std::uint32_t hex4() {
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < 4 || error != std::errc{} || end != digits.data() + 4) {
      fail("\\u without four hexadecimal digits");
    }
    at_ += 4;
    return code;
  }

  void digits() {
    if (!is_digit(peek())) fail_here("a digit");
    while (is_digit(peek())) ++at_;
  }

  void number() {
    const std::size_t begin = at_;
    take('-');
    if (!take('0')) digits();
    const std::size_t whole = at_;
    if (take('.')) digits();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      digits();
    }
    const std::string_view token = text_.substr(begin, at_ - begin);
    if (at_ > whole || token == "-0") return real(begin, token);
    if (token.front() == '-') return sink_.integer(exactly<std::int64_t>(begin, token));
    sink_.natural(exactly<std::uint64_t>(begin, token));
  }

  template <class Number>
  Number exactly(std::size_t begin, std::string_view token) const {
    Number number{};
    const auto result = std::from_chars(token.data(), token.data() + token.size(), number);
    if (result.ec != std::errc{}) {
      fail_at(begin, fmt::format("{} does not fit into 64 bits", core::printable(token)));
    }
    return number;
  }

  void real(std::size_t begin, std::string_view token) {
    const auto number = exactly<double>(begin, token);
    const auto first = token.find_first_of("123456789");
    if (number == 0 && first < token.find_first_of("eE")) {
      fail_at(begin, fmt::format("{} does not fit into 64 bits", core::printable(token)));
    }
    sink_.real(number);
  }

  std::string_view text_;
  JsonSink& sink_;
  std::size_t at_ = 0;
  std::vector<JsonFrame> frames_;
  std::string scratch_;
  std::optional<std::string_view> wanted_;
  std::optional<value::Position> found_;
};

/// Takes everything and keeps nothing.
class NoSink final : public JsonSink {
 public:
  void null() override {}
  void boolean(bool /*value*/) override {}
  void integer(std::int64_t /*value*/) override {}
  void natural(std::uint64_t /*value*/) override {}
  void real(double /*value*/) override {}
  void string(std::string_view /*value*/) override {}
  void begin_array() override {}
  void end_array() override {}
  void begin_object() override {}
  bool key(std::string_view /*name*/) override { return true; }
  void end_object() override {}
};

}  // namespace

void read_json(std::string_view text, JsonSink& sink) { Reader(text, sink).document(); }

}  // namespace detail
}  // namespace v0
}  // namespace resumable

namespace resumable::value {

std::optional<Position> position_of(std::string_view text, std::string_view pointer) {
  detail::NoSink sink;
  try {
    return detail::Reader(text, sink).find(pointer);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace resumable::value
