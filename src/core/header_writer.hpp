/// @file
/// Writes the header of a record as one line of JSON; header_reader.hpp reads it.
#pragma once

#include <string>

#include "core/record_format.hpp"

namespace resumable::core {

/// Without the closing brace: what encode_header() adds covers what is before it.
[[nodiscard]] std::string header_line(const Header& header, const Head& head);

}  // namespace resumable::core
