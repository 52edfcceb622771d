/// @file
/// How long a server asks clients to wait.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace model {

/// Reads a Retry-After: a number of seconds, or a date (RFC 9110, 10.2.3), which counts from
/// `date`, the server's own Date, or without one from now. nullopt for anything else.
std::optional<std::chrono::seconds> retry_after(const std::string& value, const std::string& date);

}  // namespace model
