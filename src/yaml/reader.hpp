/// @file
/// Reading YAML, and where each value stands.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "resumable/yaml.hpp"

namespace resumable::yaml {

/// As yaml-cpp counts: from 0, and bytes, where YamlError counts characters.
struct Place {
  std::size_t line = 0;
  std::size_t byte = 0;
};

/// JSON pointers, and where the values that they point to begin.
using Places = std::map<std::string, Place>;

[[noreturn]] void fail_at(std::string_view text, Place place, const std::string& problem);

/// @throws YamlError
[[nodiscard]] Json read(std::string_view text, Places* places = nullptr);

}  // namespace resumable::yaml
