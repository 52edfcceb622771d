/// @file
/// The tags of a run, by name.
#pragma once

#include <string_view>

#include "record/tags.hpp"

namespace resumable::manage {

/// @throws Error{Errc::no_value}  with the tags that there are
[[nodiscard]] record::TagRecord tag_of(const record::RecordIndex& records, std::string_view run,
                                       std::string_view name);

}  // namespace resumable::manage
