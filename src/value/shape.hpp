/// @file
/// Shapes: the JSON of a type with the kind of each value in the value's place.
///
/// `{"company":"string","hits":["string"],"meta":{"*":"number"}}`. An array of one element says of
/// what kind all are; `[]` is an array of anything, `"any"` and `""` (none) are not known. The
/// bytes of a shape are in records, so what they look like is frozen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace resumable::value {

/// What changed between two shapes, in the order of paths: "field '/sources' added",
/// "field '/hits' removed", "field '/score' was integer, is string". Empty when a text is not a
/// shape, or one is "".
[[nodiscard]] std::vector<std::string> diff_shapes(std::string_view before, std::string_view after);

/// Four bytes that differ when shapes do; 0 for "".
[[nodiscard]] std::uint32_t shape_hash(std::string_view shape);

/// A place in a document, and what is the matter there.
struct Misfit {
  std::string pointer;
  std::string why;
};

/// The first place where `document` lacks a field of `shape` or has another kind of value; empty
/// when there is none or a text cannot be read.
[[nodiscard]] Misfit first_misfit(std::string_view document, std::string_view shape);

}  // namespace resumable::value
