/// @file
/// The builds of the program that this process runs, and of the libraries that it has loaded.
#pragma once

#include <map>
#include <string>

namespace resumable::sys {

/// GNU build ids in hexadecimal, which the linker derives from the content. Two files with one id
/// are the same.
struct Build {
  std::string program;                           ///< "" if it has none
  std::map<std::string, std::string> libraries;  ///< by file name; those that have one
  friend bool operator==(const Build&, const Build&) = default;
};

/// Of what is loaded now. Libraries of the system (/lib, /usr/lib) are left out: they change with
/// every upgrade, and hold no stages. Cost: a look at memory.
[[nodiscard]] Build build();

}  // namespace resumable::sys
