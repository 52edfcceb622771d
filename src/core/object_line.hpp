/// @file
/// Writes JSON objects without making trees of them.
#pragma once

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

  void text(std::string_view name, std::string_view value) {
    begin(name);
    add_text(value);
  }
  void text_if(std::string_view name, std::string_view value) {
    if (!value.empty()) text(name, value);
  }
  void digest(std::string_view name, const Digest& value) {
    begin(name);
    quote_hex(value);
  }
  /// The name is a host's, too.
  void digest_of(std::string_view name, const Digest& value) {
    if (to_.back() != '{') to_ += ',';
    add_text(name);
    to_ += ':';
    quote_hex(value);
  }
  void number(std::string_view name, std::uint64_t value) {
    begin(name);
    std::array<char, 20> digits{};
    to_.append(digits.data(),
               std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
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
  void begin(std::string_view name) {
    to_ += to_.back() == '{' ? "\"" : ",\"";
    to_ += name;
    to_ += "\":";
  }
  /// @throws nlohmann::json::type_error  it is not UTF-8
  void add_text(std::string_view text);
  void add_number(double value);
  void quote_hex(const Digest& value) {
    to_ += '"';
    append_hex(to_, value.bytes);
    to_ += '"';
  }
  void quote(std::string_view text) {
    to_ += '"';
    to_ += text;
    to_ += '"';
  }

  std::string& to_;
};

}  // namespace resumable::core
