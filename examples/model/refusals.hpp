/// @file
/// Error responses of a server, in words, and how long it asks clients to wait.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <httplib.h>

namespace model {

/// The beginning of `text` in one line, without the key should the server have repeated that.
[[nodiscard]] std::string excerpt(std::string text, const std::string& key, std::size_t most);

/// Likewise, in quotation marks.
[[nodiscard]] std::string quoted(std::string text, const std::string& key, std::size_t most);

/// @param key  is not repeated, should the server do so
/// @throws ProviderError always; retryable if the same request may be answered later
[[noreturn]] void refuse(const httplib::Response& response, const std::string& key);

/// Why no answer came.
[[nodiscard]] std::string reason(httplib::Error error);

/// Reads a Retry-After, a number of seconds; nullopt for anything else.
std::optional<std::chrono::seconds> retry_after(const std::string& value);

}  // namespace model
