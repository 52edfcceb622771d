/// @file
/// JSON pointers (RFC 6901): the names of places in a document.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "resumable/detail/json_text.hpp"

namespace resumable::value {

/// Appends `/name` with '~' and '/' escaped; what cannot be printed becomes \xNN.
void append_pointer(std::string& pointer, std::string_view name);

/// The place that `frames` are at.
[[nodiscard]] std::string pointer_of(std::span<const detail::JsonFrame> frames);

}  // namespace resumable::value
