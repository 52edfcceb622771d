#include "research/site_server.hpp"

#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <resumable/error.hpp>

namespace research {

struct SiteServer::State {
  Site site;
  httplib::Server server;
  int port = 0;
  std::jthread thread;
  mutable std::mutex mutex;
  std::map<std::string, std::size_t> requests;

  /// `/news/`, of `/news` and of `/news/index.html`; nullopt: there is none.
  [[nodiscard]] std::optional<std::string> folder_of(const std::string& path) const {
    const std::size_t slash = path.rfind('/') + 1;
    const bool is_index = path.substr(slash).starts_with("index.htm");
    std::string folder = is_index ? path.substr(0, slash) : path + "/";
    if (!site.pages.contains(folder)) return std::nullopt;
    return folder;
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    {
      const std::scoped_lock lock{mutex};
      ++requests[request.path];
    }
    const auto page = site.pages.find(request.path);
    if (const auto folder = folder_of(request.path); folder && page == site.pages.end()) {
      response.set_redirect(*folder, 301);
    } else if (page == site.pages.end()) {
      response.status = 404;
      response.set_content("no such page\n", "text/plain");
    } else {
      response.set_content(page->second, "text/html; charset=utf-8");
    }
  }
};

SiteServer::SiteServer(Site site, int port) : state_{std::make_unique<State>()} {
  State& state = *state_;
  state.site = std::move(site);
  state.server.new_task_queue = [] { return new httplib::ThreadPool{2}; };
  state.server.set_keep_alive_max_count(1);  // else stopping waits for idle connections
  state.server.set_tcp_nodelay(true);
  state.server.set_socket_options([](socket_t socket) {  // two servers never share a port
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  state.server.Get(".*", [&state](const httplib::Request& request, httplib::Response& response) {
    state.answer(request, response);
  });
  const std::string host = "127.0.0.1";
  const bool bound = port == 0 ? (state.port = state.server.bind_to_any_port(host)) > 0
                               : state.server.bind_to_port(host, state.port = port);
  if (!bound) {
    throw resumable::Error(resumable::Errc::bad_option,
                           {.what = fmt::format("no server can listen on {} port {}", host, port),
                            .next = "name a port that is free, or 0 for any"});
  }
  state.thread = std::jthread{[&state] { state.server.listen_after_bind(); }};
  while (!state.server.is_running()) std::this_thread::yield();  // stop() would not be heard
}

SiteServer::~SiteServer() { state_->server.stop(); }

std::string SiteServer::url() const { return fmt::format("http://127.0.0.1:{}", state_->port); }

std::map<std::string, std::size_t> SiteServer::requests() const {
  const std::scoped_lock lock{state_->mutex};
  return state_->requests;
}

}  // namespace research
