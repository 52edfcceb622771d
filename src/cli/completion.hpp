/// @file
/// Scripts that let a shell complete a program's commands and flags.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace resumable {
inline namespace v0 {
namespace cli {

/// @param shell  bash, zsh or fish
[[nodiscard]] std::string completion_script(const CLI::App& app, std::string_view shell);

}  // namespace cli
}  // namespace v0
}  // namespace resumable
