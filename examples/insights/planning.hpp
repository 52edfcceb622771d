/// @file
/// The questions that the offline provider asks of the tools, in order.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/interest.hpp"

namespace insights {

/// What is asked in one turn, and why.
struct Question {
  std::string thought;
  nlohmann::json calls = nlohmann::json::array();  ///< {"tool","arguments"}, most_calls at most
};

/// The questions that need no answer of another, of all tables that the prompt speaks of.
/// @param table  what catalogue() gives
[[nodiscard]] std::vector<Question> questions(const std::string& prompt,
                                              const nlohmann::json& table);

}  // namespace insights
