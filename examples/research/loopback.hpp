/// @file
/// A web server on the loopback device, and only there.
#pragma once

#include <string>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <resumable/error.hpp>

namespace research {

/// Takes a port when it is made, and stops when it is destroyed.
class Loopback {
 public:
  /// @param port  0: pick a free one
  /// @throws resumable::Error{Errc::bad_option}  the port cannot be had
  explicit Loopback(int port) {
    http.set_keep_alive_max_count(1);  // else stopping waits for idle connections
    http.set_tcp_nodelay(true);
    http.set_socket_options([](socket_t socket) {  // two servers never share a port
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    const bool bound = port == 0 ? (port_ = http.bind_to_any_port(host)) > 0
                                 : http.bind_to_port(host, port_ = port);
    if (bound) return;
    throw resumable::Error(resumable::Errc::bad_option,
                           {.what = fmt::format("no server can listen on {} port {}", host, port),
                            .next = "name a port that is free, or 0 for any"});
  }
  ~Loopback() { http.stop(); }
  Loopback(const Loopback&) = delete;
  Loopback& operator=(const Loopback&) = delete;

  /// Once all handlers are declared.
  void start() {
    thread_ = std::jthread{[this] { http.listen_after_bind(); }};
    while (!http.is_running()) std::this_thread::yield();  // stop() would not be heard
  }
  [[nodiscard]] int port() const noexcept { return port_; }
  [[nodiscard]] std::string url() const { return fmt::format("http://{}:{}", host, port_); }

  httplib::Server http;

 private:
  static constexpr const char* host = "127.0.0.1";

  int port_ = 0;
  std::jthread thread_;  // ends before what it serves
};

}  // namespace research
