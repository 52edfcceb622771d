/// @file
/// Where the tests find the sources and the programs of this build.
#pragma once

#include <filesystem>

namespace resumable::test {

/// The root of the checkout.
[[nodiscard]] std::filesystem::path source_folder();
/// The folder of the example programs.
[[nodiscard]] std::filesystem::path program_folder();

}  // namespace resumable::test
