/// @file
/// Writes JSON objects without making trees of them.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "resumable/digest.hpp"

namespace resumable::core {

/// As JSON, in quotes; what of it is not UTF-8 is replaced.
[[nodiscard]] std::string json_text(std::string_view text);

/// A JSON object in one line, field by field, as nlohmann writes it: a header is written with each
/// commit, a graph with each run, and a tree of either costs ten times as much.
class ObjectLine {
 public:
  explicit ObjectLine(std::string& to) : to_(to) { to_ += '{'; }
  void end() { to_ += '}'; }

  void text(std::string_view name, std::string_view value);
  void text_if(std::string_view name, std::string_view value) {
    if (!value.empty()) text(name, value);
  }
  void digest(std::string_view name, const Digest& value) {
    char* const at = field(name, 2 * value.bytes.size() + 2);
    *write_hex(quote(at), value.bytes) = '"';
  }
  /// The name is a host's, too.
  void digest_of(std::string_view name, const Digest& value) {
    if (to_.back() != '{') to_ += ',';
    add_text(name);
    to_ += ":\"";
    append_hex(to_, value.bytes);
    to_ += '"';
  }
  void number(std::string_view name, std::uint64_t value) {
    std::array<char, 20> digits{};
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    const auto count = static_cast<std::size_t>(end - digits.data());
    std::copy_n(digits.data(), count, field(name, count));
  }
  void number(std::string_view name, double value) {
    begin(name);
    add_number(value);
  }
  void yes(std::string_view name) { boolean(name, true); }
  void boolean(std::string_view name, bool value) {
    begin(name);
    to_ += value ? "true" : "false";
  }
  [[nodiscard]] ObjectLine object(std::string_view name) {
    begin(name);
    return ObjectLine{to_};
  }
  /// The texts that `text_of(item)` gives; what of them is not UTF-8 is replaced.
  template <class Items, class TextOf>
  void texts_if(std::string_view name, const Items& items, const TextOf& text_of) {
    if (items.empty()) return;
    begin(name);
    char before = '[';
    for (const auto& item : items) {
      to_ += std::exchange(before, ',');
      to_ += json_text(text_of(item));
    }
    to_ += ']';
  }
  /// `write(item, object)` for each.
  template <class Items, class Write>
  void list_if(std::string_view name, const Items& items, const Write& write) {
    if (items.empty()) return;
    begin(name);
    char before = '[';
    for (const auto& item : items) {
      to_ += std::exchange(before, ',');
      ObjectLine object{to_};
      write(item, object);
      object.end();
    }
    to_ += ']';
  }

 private:
  void begin(std::string_view name) { static_cast<void>(field(name, 0)); }
  /// The beginning of a field, and room for a value of so many bytes: returns where that belongs.
  [[nodiscard]] char* field(std::string_view name, std::size_t size) {
    const bool first = to_.back() == '{';
    const std::size_t before = to_.size();
    to_.resize(before + name.size() + size + (first ? 3 : 4));
    char* at = to_.data() + before;
    if (!first) *at++ = ',';
    at = quote(std::copy(name.begin(), name.end(), quote(at)));
    *at++ = ':';
    return at;
  }
  static char* quote(char* at) {
    *at = '"';
    return at + 1;
  }
  /// @throws nlohmann::json::type_error  it is not UTF-8
  void add_text(std::string_view text);
  void add_number(double value);

  std::string& to_;
};

}  // namespace resumable::core
