/// @file
/// What a model is told in a turn, and what is made of its reply.
#pragma once

#include <functional>
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

/// The conversation as it is seen: entries in order, and where some were left out. The visitors of
/// resumable::History have this form.
using OnExchange = std::function<void(const Exchange&)>;
using OnGap = std::function<void(std::size_t omitted)>;
using Visit = std::function<void(const OnExchange&, const OnGap&)>;

/// The task `turn`: the prompt, the context with the table's columns, what was said so far, and how
/// many turns are left.
/// @param table  what catalogue() gives
[[nodiscard]] model::Task turn_task(const Request& request, const ContextSummary& context,
                                    const nlohmann::json& table, std::int64_t turn,
                                    const Visit& exchanges);

/// What a model says is bytes from outside: anything but what was asked for becomes a `problem`,
/// which it is told in its next turn.
[[nodiscard]] Reply read_reply(const std::string& json);

}  // namespace insights
