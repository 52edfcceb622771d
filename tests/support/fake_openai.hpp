/// @file
/// A server on the loopback device that speaks OpenAI's chat completions. Left alone it answers
/// every request by asking a function of the test; a script makes it misbehave, an act a request.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace resumable::test {

/// What the server does with one request.
struct Act {
  enum class Kind { answer, status, hang, drop, half_body, half_json };

  Kind kind = Kind::answer;
  int status = 200;           ///< for Kind::status
  std::string retry_after{};  ///< header's value, empty: no header
  std::string body{};         ///< for Kind::status
};

Act answer();
Act status(int code, std::string retry_after = {}, std::string body = {});
Act hang();       ///< reads the request, then says nothing until the server is destroyed
Act drop();       ///< closes the connection without a byte
Act half_body();  ///< promises a length, closes in the middle
Act half_json();  ///< a whole HTTP message whose JSON ends early

/// Gives the content of a reply to the content of the last message of a request.
using Responder = std::function<std::string(const std::string& message)>;

/// Listens on a free port of 127.0.0.1 from construction to destruction.
class FakeOpenAi {
 public:
  /// @param respond  called in turn by several threads, one per connection
  explicit FakeOpenAi(Responder respond, std::deque<Act> script = {});
  ~FakeOpenAi();
  FakeOpenAi(const FakeOpenAi&) = delete;
  FakeOpenAi& operator=(const FakeOpenAi&) = delete;

  std::string base_url() const;  ///< http://127.0.0.1:PORT

  /// Acts for the next requests, after those not yet used. When none is left, it answers.
  void script(std::deque<Act> acts);

  std::size_t requests() const;                     ///< received so far
  void wait_for_requests(std::size_t count) const;  ///< blocks until so many have been received
  std::vector<std::string> bodies() const;          ///< of the requests, in order
  std::vector<std::string> targets() const;         ///< the requests' paths
  std::vector<std::string> authorizations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace resumable::test
