/// @file
/// Names of pipelines, stages and inputs: checked at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

/// A checked name: 1 to 64 characters of a–z, A–Z, 0–9, '_', '-' or '.', the first one a letter.
/// A literal is checked by the compiler; text that is known only at run time goes through
/// checked(). It refers to the characters it was made from: whatever takes a Name copies it before
/// returning.
class Name {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a name
  template <std::size_t N>
  consteval Name(const char (&text)[N]) : text_(text, N - 1) {
    if (!fits(text_)) {
      throw "a name is 1 to 64 characters of a-z, A-Z, 0-9, '_', '-', '.', first a letter";
    }
  }

  /// Text that is known only at run time is refused at compile time: see checked().
  template <class S>
    requires(!std::is_array_v<S> && std::is_convertible_v<const S&, std::string_view>)
  // NOLINTNEXTLINE(google-explicit-constructor): for its sentence
  Name(const S& /*text*/) {
    static_assert(sizeof(S) == 0,
                  "resumable: a name that is known only at run time goes through "
                  "resumable::Name::checked(text)");
  }

  /// `text` as a name. It refers to the characters of `text`.
  /// @throws Error{Errc::bad_name}  `text` is not a name
  [[nodiscard]] RESUMABLE_EXPORT static Name checked(std::string_view text);

  [[nodiscard]] constexpr std::string_view view() const noexcept { return text_; }

 private:
  [[nodiscard]] static constexpr bool fits(std::string_view text) noexcept {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (text.empty() || text.size() > 64 || !letter(text.front())) return false;
    for (const char c : text) {
      if (!letter(c) && !(c >= '0' && c <= '9') && c != '_' && c != '-' && c != '.') return false;
    }
    return true;
  }

  struct Unchecked {};
  constexpr Name(std::string_view text, Unchecked) : text_(text) {}
  std::string_view text_;
};

/// The names that a stage, an input or a condition had before: `.was = "draft"`, or all of them:
/// `.was = {"text", "draft"}`. A run that has records of one of them, and none of the present name,
/// uses these records.
class FormerNames {
 public:
  static constexpr std::size_t most = 8;

  constexpr FormerNames() = default;
  template <std::size_t... N>
    requires(sizeof...(N) > 0 && sizeof...(N) <= most)
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a name
  consteval FormerNames(const char (&... names)[N])
      : names_{Name(names).view()...}, count_(sizeof...(N)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): one that is known only at run time
  constexpr FormerNames(Name name) : names_{name.view()}, count_(1) {}

  [[nodiscard]] constexpr std::span<const std::string_view> names() const noexcept {
    return {names_.data(), count_};
  }

 private:
  std::array<std::string_view, most> names_{};
  std::size_t count_ = 0;
};

}  // namespace v0
}  // namespace resumable
