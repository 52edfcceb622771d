#include "research/history_server.hpp"

#include <fstream>
#include <iterator>
#include <regex>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <resumable/file_store.hpp>

#include "research/history_page.hpp"
#include "research/listing.hpp"
#include "research/runs.hpp"
#include "research/sessions.hpp"

namespace research {
namespace {

namespace rs = resumable;

constexpr const char* host = "127.0.0.1";
constexpr const char* json_type = "application/json";

std::string json_of(const Continued& result) {
  nlohmann::ordered_json json{{"schema", 1}};
  if (!result.session.empty()) json["session_id"] = result.session;
  json["status"] = result.status == 202 ? "running" : result.status == 200 ? "finished" : "refused";
  if (!result.error.empty()) json["error"] = result.error;
  if (!result.next.empty()) json["next"] = result.next;
  return json.dump() + "\n";
}

}  // namespace

struct HistoryServer::State {
  State(const program::Place& where, Settings how) : place{where}, runs{where, std::move(how)} {}

  program::Place place;
  Runs runs;
  httplib::Server http;
  int port = 0;
  std::jthread thread;

  /// Pages of other sites may neither read this one (a name that leads here is not ours) nor press
  /// its buttons.
  [[nodiscard]] bool is_ours(const httplib::Request& request) const {
    const auto names_us = [&](std::string_view name) {
      return name == fmt::format("127.0.0.1:{}", port) || name == fmt::format("localhost:{}", port);
    };
    if (!names_us(request.get_header_value("Host"))) return false;
    if (!request.has_header("Origin")) return true;
    const std::string origin = request.get_header_value("Origin");
    return origin.starts_with("http://") && names_us(std::string_view{origin}.substr(7));
  }

  void page(httplib::Response& response) const {
    program::Store store{place};
    response.set_header("Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
                        "frame-ancestors 'none'");
    response.set_content(history_page(sessions(store), runs), "text/html; charset=utf-8");
  }

  void list(httplib::Response& response) const {
    program::Store store{place};
    response.set_content(sessions_json(sessions(store)) + "\n", json_type);
  }

  void resume(const std::string& batch, httplib::Response& response) {
    const Continued result = runs.go_on(batch);
    response.status = result.status;
    response.set_content(json_of(result), json_type);
  }

  /// Here and not in a handler of its own: for those the server first reads a body, and waits for
  /// it when a client names no length (`curl -X POST`).
  httplib::Server::HandlerResponse post(const httplib::Request& request,
                                        httplib::Response& response) {
    static const std::regex of_page{"/history/([^/]+)/resume"};
    static const std::regex of_api{"/api/history/([^/]+)/resume"};
    std::smatch match;
    if (std::regex_match(request.path, match, of_api)) {
      resume(match[1].str(), response);
    } else if (std::regex_match(request.path, match, of_page)) {
      resume(match[1].str(), response);
      const bool told = response.status == 200 || response.status == 202 || response.status == 409;
      if (told) response.set_redirect("/", 303);
    } else {
      response.status = 404;
    }
    return httplib::Server::HandlerResponse::Handled;
  }

  void report(const std::string& session, httplib::Response& response) const {
    program::Store store{place};
    response.status = 404;
    response.set_content("there is no such report\n", "text/plain");
    if (look_up(store, session) != Known::session) return;
    std::ifstream file{store.artifact_folder(session) + "/report.md", std::ios::binary};
    if (!file) return;
    response.status = 200;
    response.set_content(std::string{std::istreambuf_iterator<char>{file}, {}},
                         "text/plain; charset=utf-8");  // a browser shows it
  }

  void declare() {
    http.set_pre_routing_handler(
        [this](const httplib::Request& request, httplib::Response& response) {
          if (!is_ours(request)) {
            response.status = 403;
            response.set_content("this is for the user of this machine\n", "text/plain");
            return httplib::Server::HandlerResponse::Handled;
          }
          return request.method == "POST" ? post(request, response)
                                          : httplib::Server::HandlerResponse::Unhandled;
        });
    http.Get("/", [this](const auto&, auto& response) { page(response); });
    // A browser asks for it with each page; there is none.
    http.Get("/favicon.ico", [](const auto&, auto& response) { response.status = 204; });
    http.Get("/api/history", [this](const auto&, auto& response) { list(response); });
    http.Get("/sessions/([^/]+)/report", [this](const auto& request, auto& response) {
      report(request.matches[1].str(), response);
    });
    http.set_exception_handler([](const auto&, auto& response, const std::exception_ptr& thrown) {
      Continued result;
      result.status = 500;
      try {
        std::rethrow_exception(thrown);
      } catch (const rs::Error& error) {
        if (error.exit_code() == 2) result.status = 404;  // a name that is none
        result.error = error.info().what;
      } catch (const std::exception& error) {
        result.error = error.what();
      }
      response.status = result.status;
      response.set_content(json_of(result), json_type);
    });
  }
};

HistoryServer::HistoryServer(const program::Place& place, Settings how, int port)
    : state_{std::make_unique<State>(place, std::move(how))} {
  State& state = *state_;
  state.http.set_keep_alive_max_count(1);  // else stopping waits for idle connections
  state.http.set_tcp_nodelay(true);
  state.http.set_socket_options([](socket_t socket) {  // two servers never share a port
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  state.declare();
  const bool bound = port == 0 ? (state.port = state.http.bind_to_any_port(host)) > 0
                               : state.http.bind_to_port(host, state.port = port);
  if (!bound) {
    throw rs::Error(rs::Errc::bad_option,
                    {.what = fmt::format("no server can listen on {} port {}", host, port),
                     .next = "name a port that is free, or 0 for any"});
  }
  state.thread = std::jthread{[&state] { state.http.listen_after_bind(); }};
  while (!state.http.is_running()) std::this_thread::yield();  // stop() would not be heard
}

HistoryServer::~HistoryServer() {
  state_->http.stop();
  state_->thread.join();
}

std::string HistoryServer::url() const { return fmt::format("http://{}:{}", host, state_->port); }

void HistoryServer::wait() const { state_->runs.wait(); }

}  // namespace research
