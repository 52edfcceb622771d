/// @file
/// The build of the program that this process runs.
#pragma once

#include <string>

namespace resumable::sys {

/// The GNU build id of the executable in hexadecimal, which the linker derives from its content;
/// "" when it has none. Two programs with one id are the same. Cost: a look at memory.
[[nodiscard]] std::string build_id();

}  // namespace resumable::sys
