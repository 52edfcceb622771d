/// @file
/// What a model is told in a turn, and what is made of its reply.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/types.hpp"
#include "model/provider.hpp"

namespace insights {

/// Tools that may be called in one turn.
inline constexpr std::size_t most_calls = 8;

/// The task `turn`: the prompt, the tables with their columns, the turns so far, and how many are
/// left.
/// @param tables  as Tools::tables() gives them
/// @param turns   as the loop shows them; `omitted` marks a gap, `summary` stands for older ones
[[nodiscard]] model::Task turn_task(const Request& request, const nlohmann::json& tables,
                                    std::int64_t turn, const nlohmann::json& turns);

/// The task `summary`: the same turns in few words.
[[nodiscard]] model::Task summary_task(const Request& request, const nlohmann::json& turns,
                                       std::int64_t through);

/// What a model says is bytes from outside: anything but what was asked for becomes a `problem`,
/// which it is told in its next turn. Only `thought`, `calls`, `answer`, `complete` and `problem`
/// are set.
[[nodiscard]] Exchange read_reply(const model::Answer& answer);

}  // namespace insights
