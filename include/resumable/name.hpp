/// @file
/// Names of pipelines, stages and inputs: checked while compiling.
#pragma once

#include <cstddef>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable::inline v0 {

/// Whether `text` may name a pipeline, stage or input: 1 to 64 characters of a–z, A–Z, 0–9, '_',
/// '-' or '.', the first one a letter.
[[nodiscard]] constexpr bool is_name(std::string_view text) noexcept {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (text.empty() || text.size() > 64 || !letter(text.front())) return false;
  for (const char c : text) {
    if (!letter(c) && !(c >= '0' && c <= '9') && c != '_' && c != '-' && c != '.') return false;
  }
  return true;
}

/// A checked name. A literal is checked by the compiler; text of run time goes through checked().
/// It refers to the characters it was made from: whatever takes a Name copies it before returning.
class Name {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a name
  template <std::size_t N>
  consteval Name(const char (&text)[N]) : text_(text, N - 1) {
    if (!is_name(text_)) {
      throw "a name is 1 to 64 characters of a-z, A-Z, 0-9, '_', '-', '.', first a letter";
    }
  }

  /// @throws Error{Errc::bad_name}  `text` is not a name
  [[nodiscard]] RESUMABLE_EXPORT static Name checked(std::string_view text);

  [[nodiscard]] constexpr std::string_view view() const noexcept { return text_; }

 private:
  struct Unchecked {};
  constexpr Name(std::string_view text, Unchecked) : text_(text) {}
  std::string_view text_;
};

}  // namespace resumable::inline v0
