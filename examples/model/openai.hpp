/// @file
/// Asks any server that speaks OpenAI's `POST /v1/chat/completions`: the real one, or one on this
/// machine. One attempt per call: the caller decides whether and when to try again, and can save
/// first.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "model/provider.hpp"
#include "model/terms.hpp"

namespace httplib {
struct Request;
struct Response;
}  // namespace httplib

namespace model {

struct OpenAiOptions {
  std::string base_url = "https://api.openai.com";  ///< http[s]://host[:port][/prefix]
  std::string model = "gpt-4o-mini";
  std::string key;  ///< empty: no Authorization header; never logged
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds timeout{120'000};  ///< for the whole answer
  Terms terms{};
  int seed = 1;  ///< equal requests get equal answers, as far as the server can
};

/// The key from OPENAI_API_KEY, empty if there is none.
std::string key_from_environment();

class OpenAiProvider final : public Provider {
 public:
  /// @throws ProviderError (not retryable)  the URL cannot be read, or asks for https in a build
  ///         without it
  explicit OpenAiProvider(OpenAiOptions options);

 private:
  /// Not retryable: 400, 401, 403, 404 and other refusals. Retryable: 408, 409, 425, 429, 5xx, no
  /// connection, a dropped one, a timeout, an incomplete reply. What a model says is returned as it
  /// is, without the fence or the sentences around its JSON, even if it is not JSON. The task's
  /// JSON schema, or else that of its example, is sent as `response_format`, and its tools as
  /// functions; if the server refuses either, it is asked again with the text of the task alone. An
  /// answer cut off at `max_tokens` comes with its flaw. A stop ends the wait for a server that
  /// hangs; while a connection is being made it takes up to `connect_timeout`.
  Answer do_ask(const Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return "openai:" + options_.model; }
  Answer send(httplib::Request request, const std::stop_token& stop) const;

  OpenAiOptions options_;
  std::atomic<bool> knows_formats_{true};  // until the server refuses one
  std::atomic<bool> knows_tools_{true};    // likewise
  std::string origin_;                     // scheme://host:port
  std::string path_;                       // prefix + /v1/chat/completions
};

/// What a reply of the chat API says. Of a count or a reason that is missing or null it assumes 0,
/// and a whole answer.
/// @throws ProviderError (retryable)  no such reply, or one without a text; says which, and how it
///         begins
[[nodiscard]] Answer answer_from(const httplib::Response& response, const OpenAiOptions& options);

}  // namespace model
