// The page and its button. Requests are answered from records, as the commands are.
#include "research/history_server.hpp"

#include <condition_variable>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <regex>
#include <set>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>
#include <resumable/resume.hpp>
#include <resumable/stop.hpp>

#include "research/loopback.hpp"
#include "research/sessions.hpp"
#include "research/views.hpp"
#include "research/web_text.hpp"

namespace research {
namespace rs = resumable;

/// What became of a request to continue a batch.
struct Continued {
  int status = 202;       ///< of HTTP
  std::string session{};  ///< empty when there is none
  std::string error{};    ///< why not
  std::string next{};     ///< what to do
};

/// Continues sessions, each in a thread of its own, which a stop request ends: it keeps what it has
/// saved. All functions may be called at any time.
class Runs {
 public:
  Runs(program::Place place, Settings how) : place_{std::move(place)}, how_{std::move(how)} {}

  /// The batch's session as `research continue` finds it. One that is running here is left alone.
  Continued go_on(const std::string& batch) {
    program::Store store{place_};
    const auto all = sessions_of(store, batch);
    if (all.empty()) {
      return {404,
              {},
              fmt::format("batch {} has no session", batch),
              command(place_, "continue", "BATCH") + " --pages DIR begins one"};
    }
    const Session& session = all.front();
    if (is_running(session.id)) return {202, session.id};
    auto why_not = obstacle(session, place_);
    if (!why_not && !session.begun) why_not = not_begun(session, place_);
    if (why_not) return {409, session.id, why_not->info().what, why_not->info().next};
    if (session.progress.finished()) return {200, session.id};
    return start(session.id);
  }

  void wait() {
    std::unique_lock lock{mutex_};
    ended_.wait(lock, [this] { return running_.empty(); });
  }
  bool is_running(const std::string& session) {
    const std::scoped_lock lock{mutex_};
    return running_.contains(session);
  }
  bool any() {
    const std::scoped_lock lock{mutex_};
    return !running_.empty();
  }
  /// How the last run of a session ended, when it failed; else empty.
  std::string failure(const std::string& session) {
    const std::scoped_lock lock{mutex_};
    const auto found = failures_.find(session);
    return found == failures_.end() ? std::string{} : found->second;
  }

 private:
  Continued start(const std::string& session) {
    const std::scoped_lock lock{mutex_};
    if (!running_.insert(session).second) return {202, session};
    failures_.erase(session);
    threads_.emplace_back([this, session](const std::stop_token& stop) { run(session, stop); });
    return {202, session};
  }

  void run(const std::string& session, const std::stop_token& stop) {
    std::string failure;
    try {
      program::Store store{place_};
      const ResearchPipeline research{how_};
      rs::ResumeOptions options{.run = session, .stop = rs::Stop{stop}};
      options.artifact_folder = program::recorded_folder(store, session);
      options.verify_payloads = true;
      options.create = rs::Create::never;
      const rs::Report report = rs::resume(research.pipeline(), store, options);
      if (const rs::Error* error = report.error()) failure = error->info().what;
      write_session_file(store, place_.out, session);
    } catch (const std::exception& error) {
      failure = error.what();
    }
    const std::scoped_lock lock{mutex_};
    running_.erase(session);
    if (!failure.empty()) failures_[session] = failure;
    ended_.notify_all();
  }

  const program::Place place_;
  const Settings how_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::set<std::string> running_;
  std::map<std::string, std::string> failures_;
  std::vector<std::jthread> threads_;  // last: they use the rest, and end first
};

namespace {

constexpr const char* json_type = "application/json";
constexpr const char* style =
    "body{font:16px/1.5 sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;"
    "background:#fff}table{border-collapse:collapse;width:100%}th,td{text-align:left;"
    "padding:.4rem .6rem;border-bottom:1px solid #bbb}button{font:inherit;padding:.2rem .8rem}"
    "button:focus-visible,a:focus-visible,.wide:focus-visible{outline:3px solid #06c}"
    ".why{color:#a00}.wide{overflow-x:auto}";

std::string last_column(const Session& session, Runs& runs) {
  const std::string batch = session.batch.empty() ? session.id : session.batch;
  const bool finished = session.trouble().empty() && session.progress.finished();
  if (finished) {
    return fmt::format("<a href=\"/sessions/{}/report\">Report<span class=\"of\"> of {}</span></a>",
                       percent_encoded(session.id), escaped(session.id));
  }
  if (runs.is_running(session.id)) return "running";
  const std::string why = session.trouble().empty() ? runs.failure(session.id) : session.trouble();
  std::string text = fmt::format(
      "<form method=\"post\" action=\"/history/{}/resume\"><button aria-label=\"Continue {}\">"
      "Continue</button></form>",
      percent_encoded(batch), escaped(batch));
  if (!why.empty()) text += fmt::format("<p class=\"why\">{}</p>", escaped(why));
  return text;
}

std::string json_of(const Continued& result) {
  nlohmann::ordered_json json{{"schema", 1}};
  if (!result.session.empty()) json["session_id"] = result.session;
  json["status"] = result.status == 202 ? "running" : result.status == 200 ? "finished" : "refused";
  if (!result.error.empty()) json["error"] = result.error;
  if (!result.next.empty()) json["next"] = result.next;
  return json.dump() + "\n";
}

/// A table with a button for each session that can continue. Plain forms: no script, and the
/// keyboard reaches all of it. While something is running, the page loads itself again.
std::string history_page(const std::vector<Session>& sessions, Runs& runs) {
  std::string rows;
  for (const Session& session : sessions) {
    rows += fmt::format(
        "<tr><th "
        "scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escaped(session.id), escaped(session.batch), escaped(status_of(session)),
        escaped(phases_of(session)), escaped(session.created), last_column(session, runs));
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Research sessions"
      "</title>\n<meta name=\"viewport\" "
      "content=\"width=device-width\">{}\n<style>{}</style></head>"
      "\n<body>\n<h1>Research sessions</h1>\n{}<p>The same as JSON: <a href=\"/api/history\">"
      "/api/history</a></p>\n</body>\n</html>\n",
      runs.any() ? "<meta http-equiv=\"refresh\" content=\"2\">" : "", style,
      sessions.empty()
          ? std::string{"<p>There are no sessions yet: <code>research continue BATCH --pages DIR"
                        "</code> begins one.</p>\n"}
          : "<div class=\"wide\" role=\"region\" aria-label=\"Sessions\" tabindex=\"0\">"
            "<table>\n<tr><th scope=\"col\">Session</th><th scope=\"col\">Batch</th>"
            "<th scope=\"col\">Status</th><th scope=\"col\">Phases done</th>"
            "<th scope=\"col\">Created</th><th scope=\"col\">Next</th></tr>\n" +
                rows + "</table></div>\n");
}

}  // namespace

struct HistoryServer::State {
  State(const program::Place& where, Settings how, int port)
      : place{where}, runs{where, std::move(how)}, server{port} {}

  program::Place place;
  Runs runs;
  Loopback server;

  /// Pages of other sites may neither read this one (a name that leads here is not ours) nor press
  /// its buttons.
  [[nodiscard]] bool is_ours(const httplib::Request& request) const {
    const auto names_us = [&](std::string_view name) {
      return name == fmt::format("127.0.0.1:{}", server.port()) ||
             name == fmt::format("localhost:{}", server.port());
    };
    if (!names_us(request.get_header_value("Host"))) return false;
    if (!request.has_header("Origin")) return true;
    const std::string origin = request.get_header_value("Origin");
    return origin.starts_with("http://") && names_us(std::string_view{origin}.substr(7));
  }

  void page(httplib::Response& response) {
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
    httplib::Server& http = server.http;
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
    : state_{std::make_unique<State>(place, std::move(how), port)} {
  state_->declare();
  state_->server.start();
}

HistoryServer::~HistoryServer() = default;

std::string HistoryServer::url() const { return state_->server.url(); }

void HistoryServer::wait() const { state_->runs.wait(); }

}  // namespace research
