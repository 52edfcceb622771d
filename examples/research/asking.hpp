/// @file
/// Asking a provider in JSON, and reading its answer with all that may be wrong in it.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "model/provider.hpp"

namespace research {

[[noreturn]] inline void misfit(const std::string& task, const std::string& why) {
  throw model::ProviderError{
      fmt::format("the answer to '{}' does not fit its schema: {}", task, why),
      {.retryable = true, .retry_after = std::nullopt, .http_status = 0}};
}

/// The parsed answer.
inline nlohmann::json ask(const model::Call& call, const model::Task& task) {
  const model::Answer answer = call.provider.ask(task, call.stop);
  if (call.spend) call.spend(answer.spent);
  auto json = nlohmann::json::parse(answer.json, nullptr, false);
  if (json.is_discarded()) misfit(task.name, "it is not whole JSON");
  return json;
}

/// Reads an answer; whatever type error that meets is the provider's.
template <class Read>
auto read_answer(const std::string& task, Read&& read) {
  try {
    return std::forward<Read>(read)();
  } catch (const nlohmann::json::exception& error) {
    misfit(task, error.what());
  }
}

/// A number that names one of the things offered.
template <class List>
const auto& offered(const std::string& task, const List& list, const nlohmann::json& number) {
  const auto index = number.get<std::size_t>();
  if (index >= list.size()) misfit(task, fmt::format("{} was not offered", index));
  return list[index];
}

}  // namespace research
