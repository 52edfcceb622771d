/// @file
/// FoundFile: a file that was there before the run had checkpoints.
#pragma once

#include <string_view>

namespace resumable {
inline namespace v0 {

/// What Pipeline::adopt_as() and adopt_if() look at. Valid during the call.
struct FoundFile {
  std::string_view text;  ///< all its bytes
  std::string_view item;  ///< of a fan-out: the item's key; else empty
  std::string_view path;  ///< below the run's folder
};

}  // namespace v0
}  // namespace resumable
