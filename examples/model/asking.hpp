/// @file
/// Asks a provider for JSON and reads the answer, which may be wrong in many ways.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/flaws.hpp"
#include "model/provider.hpp"

namespace model {

/// @throws ProviderError (retryable)
[[noreturn]] inline void misfit(const std::string& task, const std::string& why) {
  throw ProviderError{fmt::format("the answer to '{}' does not fit its schema: {}", task, why),
                      {.retryable = true, .retry_after = std::nullopt, .http_status = 0}};
}

/// What is wrong with a JSON value that does not have the shape it should: which key is missing.
[[nodiscard]] std::string in_words(const nlohmann::json::exception& error);

/// Returns `read(json)` of an answer. A type error in `read` counts as the provider's.
/// @throws ProviderError (retryable) the answer is not JSON, or `read` cannot use it
template <class Read>
auto read_answer(const Task& task, const std::string& answer, Read&& read) {
  const auto json = nlohmann::json::parse(answer, nullptr, false);
  if (json.is_discarded()) {
    const bool prose = answer.find('{') == std::string::npos;
    misfit(task.name, answer.empty() ? "it is empty"
                      : prose        ? "it is prose, without JSON"
                                     : "it is not whole JSON");
  }
  try {
    return std::forward<Read>(read)(json);
  } catch (const nlohmann::json::exception& error) {
    misfit(task.name, in_words(error));
  }
}

/// Returns `read(json)` of the provider's answer to `task`. An answer is recorded only after `read`
/// has accepted it; a recorded answer is read again, not paid again. An answer that cannot be used,
/// such as prose, has to be paid for all the same. The next request for the same task, in this
/// attempt or another one that shares Call::flaws, tells the provider what was wrong with it,
/// because equal questions often get equal answers.
/// @throws ProviderError no answer, an incomplete one, or (retryable) one that cannot be used
template <class Read>
auto ask(const Call& call, const Task& task, Read read) {
  std::optional<std::invoke_result_t<Read&, const nlohmann::json&>> value;
  const auto answer = [&] {
    Answer fresh = call.provider.ask(call.flaws->told(task), call.stop);
    if (call.spend) call.spend(fresh.spent);
    if (!fresh.flaw.empty()) throw ProviderError{fresh.flaw, {}};
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
/// @throws ProviderError (retryable)  there is no such element
template <class List>
const auto& offered(const std::string& task, const List& list, const nlohmann::json& number) {
  const auto index = number.get<std::size_t>();  // of a negative number a very large one
  if (index >= list.size()) misfit(task, fmt::format("{} was not offered", number.dump()));
  return list[index];
}

}  // namespace model
