/// @file
/// The program `corpus` as a function, so that tests drive it in process.
#pragma once

#include <resumable/cli.hpp>

namespace corpus {

/// Runs one command and returns its exit code: generate, plan, status, restore, list.
int command(int argc, const char* const* argv, resumable::cli::Console& console);

}  // namespace corpus
