/// @file
/// What a model is told in a turn, and what is made of its reply.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/types.hpp"
#include "model/provider.hpp"

namespace insights {

/// What a model did with its turn: called tools, answered, or gave something that is neither.
struct Reply {
  std::string thought;
  std::optional<std::string> answer;
  bool complete = false;        ///< the model says of its answer that nothing is left open
  std::vector<ToolCall> calls;  ///< without results yet
  std::string problem;          ///< why it is neither
};

/// Tools that may be called in one turn.
inline constexpr std::size_t most_calls = 8;

/// The task `turn`: the prompt, the context with the table's columns, what was said so far, and how
/// many turns are left.
/// @param table      what catalogue() gives
/// @param exchanges  what was said so far, as Recollection shows it; `omitted` marks a gap
[[nodiscard]] model::Task turn_task(const Request& request, const ContextSummary& context,
                                    const nlohmann::json& table, std::int64_t turn,
                                    const nlohmann::json& exchanges);

/// What a model says is bytes from outside: anything but what was asked for becomes a `problem`,
/// which it is told in its next turn.
[[nodiscard]] Reply read_reply(const std::string& json);

/// What is recorded of an answer with a flaw: itself if it can be read all the same, or else the
/// flaw, so that read_reply() gives it as the problem.
[[nodiscard]] std::string kept_of(const model::Answer& answer);

}  // namespace insights
