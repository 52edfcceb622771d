/// @file
/// Reads the line of JSON that a header is, as encode_header() writes it for most records. A scan
/// of a run decodes one a record: a parser that makes no tree takes a fifth of the time.
#pragma once

#include <string_view>

#include "core/record_format.hpp"

namespace resumable::core {

/// False where the line is not plain ASCII, has an escape by number, or has a field that this does
/// not know: then a JSON parser says what it is. The check at its end has been compared.
[[nodiscard]] bool read_plain_header(std::string_view line, Header& header);

}  // namespace resumable::core
