/// @file
/// A wait that a stop request ends.
#pragma once

#include <chrono>
#include <stop_token>

namespace model {

/// Returns after `time`, or as soon as `stop` is requested.
void pause(std::chrono::milliseconds time, const std::stop_token& stop);

}  // namespace model
