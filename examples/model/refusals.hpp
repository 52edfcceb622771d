/// @file
/// Error responses of a server, in words.
#pragma once

#include <string>

#include <httplib.h>

namespace model {

/// @param key  is not repeated, should the server do so
/// @throws ProviderError always; retryable if the same request may be answered later
[[noreturn]] void refuse(const httplib::Response& response, const std::string& key);

/// Why no answer came.
[[nodiscard]] std::string reason(httplib::Error error);

}  // namespace model
