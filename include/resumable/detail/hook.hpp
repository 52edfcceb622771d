/// @file
/// How the library calls small functions of a program, such as those that render, parse or check.
/// No promises: this header may change in any version.
#pragma once

#include <exception>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

/// Throws a std::runtime_error that says which function has thrown the exception that is being
/// handled, and what that is.
[[noreturn]] RESUMABLE_EXPORT void throw_foreign(std::string_view function);

/// Calls `call`. What it throws is a std::exception in any case.
template <class F>
decltype(auto) call_hook(std::string_view function, const F& call) {
  try {
    return call();
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    throw_foreign(function);
  }
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
