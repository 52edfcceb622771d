/// @file
/// Reads a header, which is one line of JSON, if its fields stand in the order in which
/// header_writer.hpp writes them. A scan of a run decodes one per record, and a reader that knows
/// what comes next is several times as fast as a JSON parser.
#pragma once

#include <string_view>

#include "core/record_format.hpp"

namespace resumable::core {

/// Returns false if the line is not plain ASCII, has a numeric escape, a rare field, or its fields
/// in another order: then a JSON parser has to read it. The check at its end has already been
/// compared.
[[nodiscard]] bool read_plain_header(std::string_view line, Header& header);

}  // namespace resumable::core
