#include "insights/server.hpp"

#include <sstream>
#include <stop_token>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <resumable/error.hpp>

#include "insights/api.hpp"

namespace insights {
namespace {

namespace rs = resumable;

constexpr std::size_t longest_request = 1U << 20U;
constexpr const char* json_type = "application/json";
constexpr const char* loopback = "127.0.0.1";

/// 408 out of time; 400, 404, 409, 410 for what the client can change; 500, 502, 503 for what it
/// cannot.
int status_of(const std::string& error) {
  if (error.empty()) return 200;
  if (error == "insights_timeout") return 408;
  if (error == "bad_request") return 400;
  if (error == "unknown_job") return 404;
  if (error == "insights_busy") return 409;
  if (error == "expired_job" || error == "damaged_job") return 410;
  if (error == "insights_failed") return 502;
  return error == "insights_interrupted" ? 503 : 500;
}

class Handlers {
 public:
  Handlers(const program::Place& place, const CallOptions& options, const Jobs::Now& now)
      : place_(place), options_(options), now_(now) {}

  void post(const httplib::Request& request, httplib::Response& response) const {
    const bool is_json = request.get_header_value("Content-Type").starts_with(json_type);
    answer(response, [&](Jobs&, Caller& caller) {
      if (!is_json) throw BadRequest("a request is sent as application/json");
      return caller.call(read_request(request.body, options_.defaults), options_);
    });
    if (!is_json) response.status = 415;
  }

  void get(const std::string& id, httplib::Response& response) const {
    answer(response, [&](Jobs& jobs, Caller& caller) -> std::optional<CallResult> {
      const auto job = jobs.find(id);
      const bool is_open =
          job && !jobs.is_expired(*job) && !(job->finished && job->unreadable.empty());
      if (!is_open) return caller.call({std::nullopt, id}, options_);
      response.status = 202;
      response.set_content(job_json(*job) + "\n", json_type);
      return std::nullopt;
    });
  }

 private:
  /// Every request has a store of its own, as a program of its own would.
  void answer(httplib::Response& response,
              const std::function<std::optional<CallResult>(Jobs&, Caller&)>& call) const {
    std::optional<CallResult> result{std::in_place};
    result->budget = options_.budget;
    try {
      program::Store store{place_};
      Jobs jobs{store, now_};
      std::ostringstream nowhere;
      Caller caller{store, jobs, nowhere};
      result = call(jobs, caller);
    } catch (const BadRequest& error) {
      result->error = "bad_request";
      result->message = error.what();
    } catch (const rs::Error& error) {
      result->error = error.exit_code() == 2 ? "bad_request" : "insights_refused";
      result->message = error.what();
    }
    if (!result) return;
    response.status = status_of(result->error);
    if (!result->job_id.empty()) response.set_header("Location", "/insights/" + result->job_id);
    response.set_content(answer_json(*result) + "\n", json_type);
  }

  const program::Place& place_;
  const CallOptions& options_;
  const Jobs::Now& now_;
};

}  // namespace

void serve(const program::Place& place, const CallOptions& options, const Jobs::Now& now, int port,
           const std::function<void(const std::string& url)>& ready) {
  const Handlers handlers{place, options, now};
  httplib::Server http;
  http.set_keep_alive_max_count(1);  // else stopping waits for idle connections
  http.set_payload_max_length(longest_request);
  http.set_tcp_nodelay(true);
  http.set_socket_options([](socket_t socket) {  // two servers never share a port
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  http.Post("/insights",
            [&](const auto& request, auto& response) { handlers.post(request, response); });
  http.Get(R"(/insights/([^/]+))", [&](const auto& request, auto& response) {
    handlers.get(request.matches[1].str(), response);
  });
  const bool is_bound = port == 0 || http.bind_to_port(loopback, port);
  if (port == 0) port = http.bind_to_any_port(loopback);
  if (!is_bound || port <= 0) {
    throw rs::Error(rs::Errc::bad_option,
                    {.what = fmt::format("no server can listen on port {}", port),
                     .next = "name a port that is free, or 0 for any"});
  }
  ready(fmt::format("http://{}:{}", loopback, port));
  std::jthread listening{[&] { http.listen_after_bind(); }};
  while (!http.is_running()) std::this_thread::yield();  // stop() would not be heard
  const std::stop_callback on_stop{options.stop.token(), [&] { http.stop(); }};
  listening.join();
}

}  // namespace insights
