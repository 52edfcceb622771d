/// @file
/// The command line of review.
#pragma once

#include <resumable/cli.hpp>

namespace review {

/// Parses the arguments and does what they say; returns the exit code.
int command(int argc, const char* const* argv, resumable::cli::Console& console);

}  // namespace review
