/// @file
/// The manual page.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace resumable {
inline namespace v0 {
namespace inspector {

/// In roff, for man(1): made from what --help is made from.
[[nodiscard]] std::string man_page(const CLI::App& app);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
