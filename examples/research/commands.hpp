/// @file
/// The program `research`.
#pragma once

#include <resumable/cli.hpp>

namespace research {

/// Parses the command line and does what it says; the exit codes are those of README.
int command(int argc, const char* const* argv, resumable::cli::Console& console);

}  // namespace research
