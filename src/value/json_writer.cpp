#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/json_special.hpp"
#include "core/text.hpp"
#include "resumable/detail/json_text.hpp"
#include "value/json_pointer.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
namespace {

template <class Number>
void append_integer(std::string& text, Number value) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

/// Decimal notation where a person would use it, as nlohmann does.
void append_real(std::string& text, double value) {
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-5 && size < 1e16);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  std::array<char, 40> digits{};
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value, format).ptr;
  const std::string_view number(digits.data(), static_cast<std::size_t>(end - digits.data()));
  text += number;
  if (number.find_first_of(".e") == std::string_view::npos) text += ".0";
}

void append_escaped(std::string& text, char c) {
  switch (c) {
    case '"': text += "\\\""; return;
    case '\\': text += "\\\\"; return;
    case '\b': text += "\\b"; return;
    case '\f': text += "\\f"; return;
    case '\n': text += "\\n"; return;
    case '\r': text += "\\r"; return;
    case '\t': text += "\\t"; return;
    default: break;
  }
  text += "\\u00";
  core::append_hex(text, static_cast<unsigned char>(c));
}

}  // namespace

JsonSink::~JsonSink() = default;
JsonWriter::~JsonWriter() = default;

void JsonWriter::refuse(std::string_view why, std::string_view next) const {
  throw Error(
      Errc::not_encodable,
      {.what = std::string(why), .path = value::pointer_of(frames_), .next = std::string(next)});
}

void JsonWriter::separate() {
  if (frames_.empty() || frames_.back().object) return;
  if (frames_.back().count++ > 0) text_ += ',';
}

void JsonWriter::null() {
  separate();
  text_ += "null";
}

void JsonWriter::boolean(bool value) {
  separate();
  text_ += value ? "true" : "false";
}

void JsonWriter::integer(std::int64_t value) {
  separate();
  append_integer(text_, value);
}

void JsonWriter::natural(std::uint64_t value) {
  separate();
  append_integer(text_, value);
}

void JsonWriter::real(double value) {
  separate();
  if (!std::isfinite(value)) {
    refuse(std::isnan(value) ? "JSON has no NaN" : "JSON has no infinite numbers",
           "leave the value out, or make it a std::optional or a text");
  }
  append_real(text_, value);
}

void JsonWriter::quote(std::string_view text) {
  if (!core::is_utf8(text)) {
    refuse("not UTF-8: \"" + core::printable(text) + "\"",
           "convert the text to UTF-8, or use resumable::Bytes for what is not text");
  }
  text_ += '"';
  const std::size_t needed = text_.size() + text.size() + 2;
  if (needed > text_.capacity()) text_.reserve(std::max(needed, 2 * text_.capacity()));
  for (std::size_t done = 0; done < text.size();) {
    const std::size_t special = core::find_json_special(text, done);
    text_.append(text, done, special - done);
    if (special < text.size()) append_escaped(text_, text[special]);
    done = special + 1;
  }
  text_ += '"';
}

void JsonWriter::string(std::string_view value) {
  separate();
  quote(value);
}

bool JsonWriter::key(std::string_view name) {
  JsonFrame& object = frames_.back();
  if (object.count++ > 0) text_ += ',';
  object.key = name;
  quote(name);
  text_ += ':';
  return true;
}

void JsonWriter::open(bool object) {
  separate();
  if (frames_.size() >= max_json_depth) {
    refuse("nested deeper than 256 levels", "save it as a list with indices, or as a text");
  }
  text_ += object ? '{' : '[';
  frames_.push_back({.object = object, .count = 0, .key = {}});
}

void JsonWriter::close(char bracket) {
  frames_.pop_back();
  text_ += bracket;
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
