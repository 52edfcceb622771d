/// @file
/// FoundFile: a file that existed before the run had checkpoints.
#pragma once

#include <string_view>

namespace resumable {
inline namespace v0 {

/// The argument of the functions given to Pipeline::adopt_as() and adopt_if(). Valid during the
/// call.
struct FoundFile {
  std::string_view text;  ///< all its bytes
  std::string_view item;  ///< in a fan-out: the item's key; else empty
  std::string_view path;  ///< relative to the run's folder
};

}  // namespace v0
}  // namespace resumable
