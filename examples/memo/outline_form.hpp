/// @file
/// Whether JSON has the form of an outline (docs/memo.md), before anything is made of it.
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace memo {

/// The JSON of an outline, in the form that docs/memo.md describes.
/// @throws std::invalid_argument  it is not; the message names the section or question, and the key
[[nodiscard]] nlohmann::json parsed_outline(std::string_view text);

}  // namespace memo
