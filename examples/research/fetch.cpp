#include "research/fetch.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>
#include <httplib.h>

#include "model/refusals.hpp"
#include "research/web_text.hpp"
#include "text/charset.hpp"

namespace research {
namespace {

constexpr std::chrono::seconds connect_limit{5};
constexpr std::chrono::seconds answer_limit{30};
constexpr std::size_t near_the_beginning = 1024;  ///< bytes that HTML has for its encoding

/// Where the host begins; npos when the scheme is none that fetch() speaks.
std::size_t host_of(const std::string& origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return scheme.size();
  }
  return origin.npos;
}

void prepare(httplib::Client& client, const Fetching& how) {
  client.set_connection_timeout(connect_limit);
  client.set_read_timeout(answer_limit);
  client.set_tcp_nodelay(true);
  client.set_follow_location(false);  // a crawl has to know where a page is
  if (!how.ca.empty()) client.set_ca_cert_path(how.ca.c_str());
}

/// What stands behind `charset=`, in a header or a `<meta>`; empty if nothing does.
std::string encoding_in(std::string_view text) {
  const std::string all = lower(text);
  const std::string_view before = "charset=";
  const auto at = all.find(before);
  if (at == all.npos) return {};
  const auto begin = all.find_first_not_of("\"' ", at + before.size());
  if (begin == all.npos) return {};
  return all.substr(begin, all.find_first_of("\"'; />", begin) - begin);
}

/// Passes on the answers with which it is worth to come again.
void refuse_for_now(const httplib::Response& response, const std::string& origin,
                    const std::string& path) {
  if (response.status != 429 && response.status < 500) return;
  const auto wait = model::retry_after(response.get_header_value("Retry-After"));
  const auto what = fmt::format("{} answered {} to GET {}", origin, response.status, path);
  const auto when = wait.value_or(std::chrono::seconds{0});
  if (response.status >= 500) throw ServerFault(what, when);
  throw resumable::Retryable(what, when);
}

}  // namespace

bool is_origin(const std::string& text) {
  const std::size_t host = host_of(text);
  return host != text.npos && text.size() > host && text.find_first_of("/?# @", host) == text.npos;
}

bool is_loopback(const std::string& origin) {
  static constexpr std::array<std::string_view, 3> names{"127.0.0.1", "localhost", "[::1]"};
  const std::size_t begin = host_of(origin);
  if (begin == origin.npos) return false;
  const std::string_view host = std::string_view{origin}.substr(begin);
  return std::ranges::any_of(names, [&](std::string_view name) {
    return host == name || (host.starts_with(name) && host[name.size()] == ':');
  });
}

Response fetch(const std::string& origin, const std::string& path, const std::stop_token& stop,
               const Fetching& how) {
  if (stop.stop_requested()) throw resumable::Retryable("stopped before GET " + path);
  httplib::Client client{origin};
  prepare(client, how);
  const std::stop_callback leave{stop, [&client] { client.stop(); }};
  const httplib::Headers headers{{"Accept", "text/html"}, {"User-Agent", crawler_name}};
  Response response;
  httplib::Response head;
  const httplib::Result result = client.Get(
      path, headers,
      [&](const httplib::Response& begun) {
        head = begun;
        return true;
      },
      [&](const char* data, std::size_t size) {
        const std::size_t room = how.limit - response.body.size();
        response.body.append(data, std::min(size, room));
        response.cut = size > room;
        return !response.cut && !stop.stop_requested();
      });
  if (!result && !response.cut) {
    throw resumable::Retryable(fmt::format("no answer from {} to GET {}: {}", origin, path,
                                           model::reason(result.error())));
  }
  refuse_for_now(head, origin, path);
  response.status = head.status;
  response.type = head.get_header_value("Content-Type");
  response.location = head.get_header_value("Location");
  if (response.type.starts_with("text/") || response.type.find("xhtml") != std::string::npos) {
    std::string encoding = encoding_in(response.type);
    if (encoding.empty()) encoding = encoding_in(response.body.substr(0, near_the_beginning));
    response.body = ::text::to_utf8(std::move(response.body), std::move(encoding));
  } else {
    response.body.clear();  // no text, and nobody reads it
  }
  return response;
}

}  // namespace research
