/// @file
/// The command line: request, status, list, clean.
#pragma once

#include <iosfwd>

#include <resumable/cli.hpp>

#include "insights/jobs.hpp"

namespace insights {

/// Runs the program with the words of a command line.
/// @param in   where a request is read from when no file is named
/// @param now  the time by which jobs expire
int command(int argc, const char* const* argv, resumable::cli::Console& console, std::istream& in,
            Jobs::Now now = std::chrono::system_clock::now);

}  // namespace insights
