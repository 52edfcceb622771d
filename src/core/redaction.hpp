/// @file
/// The fields of values that a pipeline never records, and the texts that were in them.
#pragma once

#include <cstddef>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/detail/json_text.hpp"

namespace resumable::core {

/// What is recorded instead of a text. Anything else is replaced by null.
inline constexpr std::string_view redacted_text = "[redacted]";

/// Safe to use from several threads once the fields are added.
class Redaction {
 public:
  /// A key, wherever it is, or a JSON pointer from the value's root, in which `*` is any step.
  /// @throws Error{Errc::bad_option}  empty, or a pointer that ends in a slash
  void add_field(std::string_view field);
  /// Whether the member or element that `place` is at is one of the fields.
  [[nodiscard]] bool names(std::span<const detail::JsonFrame> place) const;

  /// A text that a field had: mask() replaces it from now on. If there are very many, only the
  /// first are kept.
  void note(std::string_view text);
  [[nodiscard]] std::string mask(std::string text) const;

 private:
  struct Longest {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    }
  };

  std::set<std::string, std::less<>> keys_;
  std::vector<std::vector<std::string>> pointers_;
  mutable std::mutex guard_;
  std::set<std::string, Longest> texts_;  ///< one may be a part of another
};

}  // namespace resumable::core
