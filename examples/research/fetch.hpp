/// @file
/// One GET over HTTP.
#pragma once

#include <stop_token>
#include <string>

#include "research/types.hpp"

namespace research {

/// What `origin` (`http://host[:port]`) answers for `path`. Redirections are not followed.
/// @throws resumable::Retryable  no answer, half of one, 429 or 5xx: another try may succeed; also
///         when `stop` is requested, before anything is sent or while it waits
Response fetch(const std::string& origin, const std::string& path, const std::stop_token& stop);

/// Whether `text` is an origin that fetch() understands.
bool is_origin(const std::string& text);

}  // namespace research
