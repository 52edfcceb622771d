/// @file
/// Reads a header, which is one line of JSON, in the form in which encode_header() writes most of
/// them. A scan of a run decodes one per record, and a parser that builds no tree takes a fifth of
/// the time.
#pragma once

#include <string_view>

#include "core/record_format.hpp"

namespace resumable::core {

/// Returns false if the line is not plain ASCII, has a numeric escape, or has an unknown field:
/// then a JSON parser has to read it. The check at its end has already been compared.
[[nodiscard]] bool read_plain_header(std::string_view line, Header& header);

}  // namespace resumable::core
