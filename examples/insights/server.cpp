#include "insights/server.hpp"

#include <sstream>
#include <stop_token>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <resumable/error.hpp>
#include <resumable/file_store.hpp>

#include "insights/api.hpp"

namespace insights {
namespace {

namespace rs = resumable;

constexpr std::size_t longest_request = 1U << 20U;
constexpr const char* json_type = "application/json";

}  // namespace

int http_status(const CallResult& result) {
  const std::string& error = result.error;
  if (error.empty()) return 200;
  if (error == "insights_timeout") return 408;
  if (error == "bad_request") return 400;
  if (error == "unknown_job") return 404;
  if (error == "insights_busy") return 409;
  if (error == "expired_job" || error == "damaged_job") return 410;
  if (error == "insights_failed") return 502;
  return error == "insights_interrupted" ? 503 : 500;
}

struct Server::State {
  program::Place place;
  CallOptions options;
  Jobs::Now now;
  httplib::Server http;

  /// Every request has a store of its own, as a program of its own would.
  CallResult call(const std::string& body) {
    CallResult result;
    result.budget = options.budget;
    try {
      const Incoming incoming = read_request(body, options.defaults);
      program::Store store{place};
      Jobs jobs{store, now};
      std::ostringstream nowhere;
      return Caller{store, jobs, nowhere}.call(incoming, options);
    } catch (const BadRequest& error) {
      result.message = error.what();
    }
    result.error = "bad_request";
    return result;
  }

  static void answer(const CallResult& result, httplib::Response& response) {
    response.status = http_status(result);
    if (!result.job_id.empty()) response.set_header("Location", "/insights/" + result.job_id);
    response.set_content(answer_json(result) + "\n", json_type);
  }

  void post(const httplib::Request& request, httplib::Response& response) {
    if (!request.get_header_value("Content-Type").starts_with(json_type)) {
      CallResult result;
      result.error = "bad_request";
      result.message = "a request is sent as application/json";
      answer(result, response);
      response.status = 415;
      return;
    }
    answer(call(request.body), response);
  }

  void poll(const std::string& id, httplib::Response& response) {
    program::Store store{place};
    Jobs jobs{store, now};
    const auto job = jobs.find(id);
    if (job && !jobs.is_expired(*job) && !(job->finished && job->unreadable.empty())) {
      response.status = 202;
      return response.set_content(job_json(*job) + "\n", json_type);
    }
    std::ostringstream nowhere;
    answer(Caller{store, jobs, nowhere}.call({std::nullopt, id}, options), response);
  }

  void list(httplib::Response& response) const {
    program::Store store{place};
    const Jobs jobs{store, now};
    std::string all;
    for (const Job& job : jobs.list()) all += (all.empty() ? "" : ",\n ") + job_json(job);
    response.set_content("[" + all + "]\n", json_type);
  }
};

Server::Server(program::Place place, CallOptions options, Jobs::Now now)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.place = std::move(place);
  state.options = std::move(options);
  state.now = std::move(now);
  state.http.set_keep_alive_max_count(1);  // else stopping waits for idle connections
  state.http.set_payload_max_length(longest_request);
  state.http.set_tcp_nodelay(true);
  state.http.set_socket_options([](socket_t socket) {  // two servers never share a port
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  state.http.Post("/insights",
                  [&state](const auto& request, auto& response) { state.post(request, response); });
  state.http.Get("/insights", [&state](const auto&, auto& response) { state.list(response); });
  state.http.Get(R"(/insights/([^/]+))", [&state](const auto& request, auto& response) {
    state.poll(request.matches[1].str(), response);
  });
  state.http.set_exception_handler(
      [](const auto&, httplib::Response& response, const std::exception_ptr& thrown) {
        CallResult result;
        result.error = "insights_refused";
        try {
          std::rethrow_exception(thrown);
        } catch (const rs::Error& error) {
          if (error.exit_code() == 2) result.error = "bad_request";  // a name that is none
          result.message = error.what();
        } catch (const std::exception& error) {
          result.message = error.what();
        } catch (...) {  // a server outlives whatever a call throws
          result.message = "something went wrong";
        }
        State::answer(result, response);
      });
}

Server::~Server() = default;

std::string Server::listen(const std::string& host, int port) {
  const int bound = port == 0                               ? state_->http.bind_to_any_port(host)
                    : state_->http.bind_to_port(host, port) ? port
                                                            : -1;
  if (bound <= 0) {
    throw rs::Error(rs::Errc::bad_option,
                    {.what = fmt::format("no server can listen on {} port {}", host, port),
                     .next = "name a port that is free, or 0 for any"});
  }
  return fmt::format("http://{}:{}", host, bound);
}

void Server::run() {
  const auto& stop = state_->options.stop.token();
  std::jthread listening{[this] { state_->http.listen_after_bind(); }};
  while (!state_->http.is_running()) std::this_thread::yield();  // stop() would not be heard
  const std::stop_callback on_stop{stop, [this] { state_->http.stop(); }};
  listening.join();
}

}  // namespace insights
