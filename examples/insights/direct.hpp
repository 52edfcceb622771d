/// @file
/// What the clauses of a question ask for, each by itself: calls of tools, some of which need the
/// answer to the clause before.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace insights {

/// What a tool gave to a call, if it was called.
using Results = std::function<std::optional<nlohmann::json>(const nlohmann::json& call)>;

/// A call, and which clause of the prompt asks for it.
struct DirectCall {
  nlohmann::json call;
  std::size_t clause = 0;
  bool is_total = false;  ///< nothing else was understood of the clause
};

/// The calls that answer the clauses, as far as they are known before those that wait for a result.
/// @param table  what catalogue() gives
[[nodiscard]] std::vector<nlohmann::json> direct_calls(const std::string& prompt,
                                                       const nlohmann::json& table,
                                                       const Results& results);
[[nodiscard]] std::vector<DirectCall> direct_calls_of_clauses(const std::string& prompt,
                                                              const nlohmann::json& table,
                                                              const Results& results);

}  // namespace insights
