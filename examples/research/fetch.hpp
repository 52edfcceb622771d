/// @file
/// One GET over HTTP or HTTPS.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>

#include <resumable/context.hpp>

#include "research/types.hpp"

namespace research {

/// What robots.txt and the User-Agent header call this program.
inline constexpr const char* crawler_name = "resumable-research";

/// How a page is asked for.
struct Fetching {
  std::size_t limit = std::size_t{2} << 20;  ///< bytes of a page; of a longer one the beginning
  std::string ca{};  ///< a file of certificates to trust; empty: the system's
};

/// A server answered 5xx: its fault, and perhaps only that of one page.
class ServerFault : public resumable::Retryable {
  using Retryable::Retryable;
};

/// What `origin` (`http://host[:port]` or `https://…`) answers for `path`. A redirect is an answer
/// like any other. Text is converted to UTF-8; a body that is not text is dropped.
/// @throws ServerFault           5xx: another try may succeed
/// @throws resumable::Retryable  no answer, half of one, or 429: another try may succeed, after the
///         time that the server's Retry-After names; also when `stop` is requested, before anything
///         is sent or while it waits
Response fetch(const std::string& origin, const std::string& path, const std::stop_token& stop,
               const Fetching& how = {});

/// Whether `text` is an origin that fetch() understands.
bool is_origin(const std::string& text);

/// Whether the origin is this machine: nobody there needs to be spared.
bool is_loopback(const std::string& origin);

}  // namespace research
