/// @file
/// The values that a job keeps beside its readings (table.hpp): what was asked, the turns of its
/// loop, and what came out. Plain structs with JSON serialisers; a missing field is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// What a person asked for, and how long the job is kept. Part of the job's record.
struct Request {
  std::string custom_prompt;
  std::string system_id;  ///< what the readings are of: `Seattle`, `sales`
  int context_window_days = 30;
  int max_iterations = 20;
  std::string mode = "sync";
  std::string provider = "computed";  ///< or `openai:MODEL@URL`
  std::int64_t ttl_seconds = 86'400;
  bool pictures = false;  ///< whether to draw findings
  /// So many bytes of conversation are summarised; 0, which the record leaves out: none are.
  std::size_t summarize_above = 0;

  bool operator==(const Request&) const = default;
};

/// A tool that the model asked for. Arguments and result are JSON.
struct ToolCall {
  std::string tool;
  std::string arguments = "{}";
  std::string result = "{}";

  bool operator==(const ToolCall&) const = default;
};

/// One turn: what the model thought, the tools it called, and what they gave. It is one entry of
/// the history, so that no gap can fall between a call and its result. The totals count every turn
/// so far, those that compaction has left out as well.
struct Exchange {
  std::int64_t turn = 1;
  std::string thought;
  std::vector<ToolCall> calls;
  std::string problem;          ///< why the reply could not be used; empty: it could
  std::int64_t tool_calls = 0;  ///< total
  std::int64_t cached = 0;      ///< total of the tool calls that the cache answered
  std::int64_t elapsed_ms = 0;  ///< total, over all calls of the program

  bool operator==(const Exchange&) const = default;
};

/// The time that was spent when a turn was cut off, that of its part included.
struct Spent {
  std::int64_t elapsed_ms = 0;  ///< total, over all calls of the program

  bool operator==(const Spent&) const = default;
};

/// What the answer was drawn from.
struct ContextSummary {
  std::string system_id;
  std::string from;
  std::string to;
  std::int64_t readings = 0;
  bool normals = false;
  std::int64_t exchanges = 0;  ///< turns that called tools
  std::int64_t omitted = 0;    ///< of them, those left out or summarised

  bool operator==(const ContextSummary&) const = default;
};

/// What a finished job gives.
struct Insights {
  std::string outcome;  ///< `answered`, or `max_iterations`: the limit came before the end
  std::string raw_text;
  ContextSummary context_summary;
  std::int64_t turns = 0;
  std::int64_t tool_calls = 0;
  std::int64_t cached = 0;      ///< of them, those that the cache answered
  std::vector<ToolCall> drawn;  ///< calls that have a picture; empty when none was asked for

  /// Whether none of the model's replies could be used, so that more turns would not help.
  [[nodiscard]] bool is_in_vain() const {
    return tool_calls == 0 && turns == context_summary.exchanges;
  }
  bool operator==(const Insights&) const = default;
};

void to_json(nlohmann::json& json, const Request& value);
void from_json(const nlohmann::json& json, Request& value);
void to_json(nlohmann::json& json, const ToolCall& value);
void from_json(const nlohmann::json& json, ToolCall& value);
void to_json(nlohmann::json& json, const Exchange& value);
void from_json(const nlohmann::json& json, Exchange& value);
void to_json(nlohmann::json& json, const Spent& value);
void from_json(const nlohmann::json& json, Spent& value);
void to_json(nlohmann::json& json, const ContextSummary& value);
void from_json(const nlohmann::json& json, ContextSummary& value);
void to_json(nlohmann::json& json, const Insights& value);
void from_json(const nlohmann::json& json, Insights& value);

}  // namespace insights
