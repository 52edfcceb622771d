/// @file
/// The JSON schema of a model's reply: calls of tools, or the answer.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// As strict servers want it: all keys are required, what does not apply is null, and no other key
/// is allowed. So a call names a tool that there is, with arguments that it knows, and a condition
/// names a category of the tables.
/// The thought comes first, and a tool before its arguments: a model writes them in this order.
/// @param table  what catalogue() gives
[[nodiscard]] std::string reply_schema(const nlohmann::json& table);

}  // namespace insights
