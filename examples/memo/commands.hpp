/// @file
/// The program `memo` as a function, so that tests drive it in process.
#pragma once

#include <resumable/cli.hpp>

namespace memo {

/// Runs one command and returns its exit code: run, resume, plan, status, approve.
int command(int argc, const char* const* argv, resumable::cli::Console& console);

}  // namespace memo
