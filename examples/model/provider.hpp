/// @file
/// The interface of providers, which answer a program's questions. A task is a name, instructions
/// in words, and its input as JSON; the answer is JSON. What is asked, and what happens to an
/// answer, is decided elsewhere (tasks.hpp, stages.hpp), once for all providers.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace model {

/// A function that a model may call.
struct Tool {
  std::string name;
  std::string description;
  std::string json_schema;  ///< of its arguments
};

struct Task {
  std::string name;           ///< `answer`, `judge`, …
  std::string instructions;   ///< for a model; a provider without one goes by the name
  std::string input;          ///< JSON text
  std::string schema;         ///< what the answer must look like, as an example in JSON
  std::string subject{};      ///< tells tasks of one name in one stage apart
  std::string json_schema{};  ///< of the answer, where `schema` is not one example of it
  /// If there are any, an answer may be {"calls": [{"name": "…", "arguments": {…}}]} instead.
  std::vector<Tool> tools{};
};

struct Spent {
  std::uint64_t tokens = 0;
  double usd = 0.0;
};

struct Answer {
  std::string json;
  Spent spent;
  std::string flaw{};  ///< why it is not the whole answer, though it has to be paid; empty: it is
};

/// A provider could not answer.
class ProviderError : public std::runtime_error {
 public:
  struct Details {
    bool retryable = false;                           ///< the same call may succeed later
    std::optional<std::chrono::seconds> retry_after;  ///< what the server asked to wait
    int http_status = 0;                              ///< 0: no answer with a status came
  };

  ProviderError(const std::string& message, Details details);
  ~ProviderError() override;

  bool retryable() const noexcept { return details_.retryable; }
  std::optional<std::chrono::seconds> retry_after() const noexcept { return details_.retry_after; }
  int http_status() const noexcept { return details_.http_status; }

 private:
  Details details_;
};

/// The call was left because its stop_token requested it. Not an error of the provider, and not a
/// std::exception, so that no error handler mistakes it for one.
class Stopped {};

/// Returns after `time`, or as soon as `stop` is requested.
void pause(std::chrono::milliseconds time, const std::stop_token& stop);

/// Stateless between calls: safe to share between threads.
class Provider {
 public:
  virtual ~Provider();

  /// Answers `task`.
  /// @throws ProviderError  no answer, or not the whole of it, unless Answer::flaw says so
  /// @throws Stopped        `stop` was requested, before or while waiting; returns promptly
  Answer ask(const Task& task, const std::stop_token& stop);

  /// For headers and records: `quote`, `openai:gpt-4o`. Never holds a secret.
  std::string name() const { return do_name(); }

 private:
  virtual Answer do_ask(const Task& task, const std::stop_token& stop) = 0;
  virtual std::string do_name() const = 0;
};

/// Waits before every answer of another provider, so that a person can watch and interrupt.
class PacedProvider final : public Provider {
 public:
  /// @pre `inner` outlives this.
  PacedProvider(Provider& inner, std::chrono::milliseconds pace) : inner_{inner}, pace_{pace} {}

 private:
  Answer do_ask(const Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return inner_.name(); }

  Provider& inner_;
  std::chrono::milliseconds pace_;
};

class Flaws;
/// None yet, of nothing.
[[nodiscard]] std::shared_ptr<Flaws> no_flaws();

/// What a stage function needs besides its inputs.
struct Call {
  Provider& provider;
  std::stop_token stop;
  std::function<void(const Spent&)> spend;  ///< called after every answer; may be empty
  /// Returns the recorded answer to a task, or what the function returns, which it records before
  /// it returns; empty: nothing is recorded.
  std::function<std::string(const Task&, const std::function<std::string()>&)> record{};
  /// Of the answers so far.
  std::shared_ptr<Flaws> flaws = no_flaws();
};

/// The provider's answer to `task`, recorded as it came: for who can use any text, also half of it.
/// @param kept  what is recorded of an answer with a flaw; empty: its text
/// @throws ProviderError, Stopped  as Provider::ask
[[nodiscard]] std::string reply(const Call& call, const Task& task,
                                const std::function<std::string(const Answer&)>& kept = {});

}  // namespace model
