/// @file
/// How the conformance kit reports a broken promise.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "resumable/error.hpp"
#include "testing/store_check.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {

inline void promise(bool kept, std::string_view text) {
  if (!kept) throw Violation(std::string(text));
}

template <class T>
void expect_same(const T& found, const T& expected, std::string_view text) {
  if (found == expected) return;
  if constexpr (fmt::is_formattable<T>::value) {
    throw Violation(fmt::format("{}: {} instead of {}", text, found, expected));
  } else {
    throw Violation(std::string(text));
  }
}

/// The code that `call` throws.
template <class Call>
[[nodiscard]] std::optional<Errc> code_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    promise(!error.info().what.empty(), "an error says what happened");
    return error.errc();
  }
  return {};
}

template <class Call>
void refuses(Errc code, const Call& call, std::string_view text) {
  const auto found = code_of(call);
  promise(found.has_value(), std::string(text) + ": not refused");
  promise(*found == code, fmt::format("{}: code {} instead of {}", text, static_cast<int>(*found),
                                      static_cast<int>(code)));
}

}  // namespace testing
}  // namespace v0
}  // namespace resumable
