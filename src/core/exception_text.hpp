/// @file
/// What an exception of a program says, also if it is no std::exception.
#pragma once

#include <exception>
#include <string>

namespace resumable::core {

/// what() of a std::exception with those nested in it; the words of a thrown text; for any other
/// exception a sentence with the name of its type.
[[nodiscard]] std::string exception_text(const std::exception_ptr& error);

/// Of the exception that is being handled.
[[nodiscard]] std::string caught_text();

}  // namespace resumable::core
