/// @file
/// Asks a provider for JSON and reads the answer, which may be wrong in many ways.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/progress.hpp>

#include "model/provider.hpp"

namespace model {

/// Remembers what was wrong with the last answer to each task, to tell the provider when it is
/// asked again. Safe to share between threads.
class Flaws {
 public:
  Flaws() = default;  ///< in memory only
  /// Recorded with the stage or item, so that another attempt has them too, also after a kill.
  explicit Flaws(resumable::Context& ctx);

  /// The task, with what was wrong with its last answer if there was one that could not be used.
  [[nodiscard]] Task told(Task task) const;
  /// Committed on return, if they are recorded.
  void keep(const Task& task, const std::string& flaw);
  /// Called when the answer to a task could be used.
  void forget(const Task& task);

 private:
  using Flaw = std::pair<std::string, std::string>;  // of what is asked, and what was wrong

  mutable std::mutex mutex_;
  std::map<std::string, std::string> flaws_;
  std::optional<resumable::History<Flaw>> recorded_;
};

/// What a function that reads an answer throws if it cannot use it; says why.
class Misfit final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// @throws ProviderError (retryable) always; it says which answer it was, and how that begins
[[noreturn]] void refuse_answer(const Task& task, const std::string& answer,
                                const std::string& why);

/// What is wrong with a JSON value that does not have the shape it should: which key is missing.
[[nodiscard]] std::string in_words(const nlohmann::json::exception& error);

/// Returns `read(json)` of an answer. A type error in `read` counts as the provider's, as does a
/// Misfit.
/// @throws ProviderError (retryable) the answer is not JSON, or `read` cannot use it
template <class Read>
auto read_answer(const Task& task, const std::string& answer, Read&& read) {
  const auto json = nlohmann::json::parse(answer, nullptr, false);
  if (json.is_discarded()) {
    const bool prose = answer.find('{') == std::string::npos;
    refuse_answer(task, answer,
                  answer.empty() ? "it is empty"
                  : prose        ? "it is prose, without JSON"
                                 : "it is not whole JSON");
  }
  try {
    return std::forward<Read>(read)(json);
  } catch (const Misfit& error) {
    refuse_answer(task, answer, error.what());
  } catch (const nlohmann::json::exception& error) {
    refuse_answer(task, answer, in_words(error));
  }
}

/// Returns `read(json)` of the provider's answer to `task`. An answer is recorded only after `read`
/// has accepted it; a recorded answer is read again, not paid again. An answer that cannot be used,
/// such as prose, has to be paid for all the same. The next request for the same task tells the
/// provider what was wrong with it, because equal questions often get equal answers.
/// @throws ProviderError no answer, an incomplete one, or (retryable) one that cannot be used
template <class Read>
auto ask(const Call& call, const Task& task, Read read) {
  std::optional<std::invoke_result_t<Read&, const nlohmann::json&>> value;
  const auto answer = [&] {
    Answer fresh = call.provider.ask(call.flaws->told(task), call.stop);
    if (call.spend) call.spend(fresh.spent);
    if (!fresh.flaw.empty()) {
      call.flaws->keep(task, fresh.flaw);
      throw ProviderError{fresh.flaw, {}};
    }
    try {
      value = read_answer(task, fresh.json, read);
    } catch (const ProviderError& error) {
      call.flaws->keep(task, error.what());
      throw;
    }
    call.flaws->forget(task);
    return std::move(fresh.json);
  };
  const std::string recorded = call.record ? call.record(task, answer) : answer();
  return value ? std::move(*value) : read_answer(task, recorded, read);
}

/// Returns the element of `list` that a number in an answer names.
/// @throws Misfit  there is no such element
template <class List>
const auto& offered(const List& list, const nlohmann::json& number) {
  const auto index = number.get<std::size_t>();  // of a negative number a very large one
  if (index >= list.size()) throw Misfit{fmt::format("{} was not offered", number.dump())};
  return list[index];
}

}  // namespace model
