/// @file
/// Asking a provider in JSON, and reading its answer with all that may be wrong in it.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "model/provider.hpp"

namespace research {

[[noreturn]] void misfit(const std::string& task, const std::string& why);

/// The parsed answer.
nlohmann::json ask(const model::Call& call, const model::Task& task);

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
