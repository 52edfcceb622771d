/// @file
/// What differs between two values, as paths into them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/json.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

/// One place: before and after are compact JSON (or lines of text); empty where there was nothing.
struct Change {
  std::string pointer{};
  std::string before{};
  std::string after{};
};

struct Differences {
  std::vector<Change> changes{};
  std::size_t unchanged = 0;  ///< values that are neither lists nor objects, or lines
};

/// JSON pointers (RFC 6901). Lists are aligned at both ends: the elements in between are compared
/// one by one.
[[nodiscard]] Differences diff_json(const core::OrderedJson& before,
                                    const core::OrderedJson& after);

/// `line 12`, aligned likewise.
[[nodiscard]] Differences diff_text(std::string_view before, std::string_view after);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
