/// @file
/// The program by HTTP: the same requests and answers, with a status for each way to end.
///
///     POST /insights      a request, new or with resumeJobId: 200 with the answer, or 408 with
///                         canResume and the job's id when the time is up
///     GET /insights/ID    200 with the answer of a finished job, 202 with the state of another
///     GET /insights       all jobs, the newest first
///
/// What is posted has to be application/json, which the pages of other sites cannot send without
/// asking first. A server has no more rights than `insights request`: data, provider and folder are
/// those it was started with.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "insights/call.hpp"
#include "program/store.hpp"

namespace insights {

/// The status of an answer: 200; 408 out of time; 400, 404, 409, 410 for what the client can
/// change; 500, 502, 503 for what it cannot.
[[nodiscard]] int http_status(const CallResult& result);

class Server {
 public:
  /// @param place    where the jobs are
  /// @param options  of each call; its stop ends run(), and the calls with what they have saved
  Server(program::Place place, CallOptions options, Jobs::Now now);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Binds to `port`, 0 for any that is free. Returns the URL.
  /// @throws resumable::Error{Errc::bad_option}  the port cannot be had
  [[nodiscard]] std::string listen(const std::string& host, int port);
  /// Answers until a stop is requested. @pre listen() was called
  void run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace insights
