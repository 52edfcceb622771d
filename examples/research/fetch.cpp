#include "research/fetch.hpp"

#include <charconv>
#include <chrono>

#include <fmt/format.h>
#include <httplib.h>
#include <resumable/context.hpp>

namespace research {
namespace {

constexpr std::chrono::seconds connect_limit{5};
constexpr std::chrono::seconds answer_limit{30};

std::chrono::seconds retry_after(const httplib::Response& response) {
  const std::string value = response.get_header_value("Retry-After");
  unsigned seconds = 0;
  std::from_chars(value.data(), value.data() + value.size(), seconds);
  return std::chrono::seconds{seconds};
}

}  // namespace

bool is_origin(const std::string& text) {
  constexpr std::string_view scheme = "http://";
  return text.starts_with(scheme) && text.size() > scheme.size() &&
         text.find_first_of("/?# ", scheme.size()) == text.npos;
}

Response fetch(const std::string& origin, const std::string& path, const std::stop_token& stop) {
  if (stop.stop_requested()) throw resumable::Retryable("stopped before GET " + path);
  httplib::Client client{origin};
  client.set_connection_timeout(connect_limit);
  client.set_read_timeout(answer_limit);
  client.set_tcp_nodelay(true);
  const std::stop_callback leave{stop, [&client] { client.stop(); }};
  const httplib::Headers headers{{"Accept", "text/html"}, {"User-Agent", "resumable-research"}};
  const auto go_on = [&stop](std::uint64_t, std::uint64_t) { return !stop.stop_requested(); };
  const httplib::Result result = client.Get(path, headers, go_on);
  if (!result) {
    throw resumable::Retryable(fmt::format("no answer from {} to GET {}: {}", origin, path,
                                           httplib::to_string(result.error())));
  }
  if (result->status == 429 || result->status >= 500) {
    throw resumable::Retryable(
        fmt::format("{} answered {} to GET {}", origin, result->status, path),
        retry_after(*result));
  }
  return {result->status, result->get_header_value("Content-Type"), result->body};
}

}  // namespace research
