#include "insights/types.hpp"

#include <nlohmann/json.hpp>

namespace insights {

namespace {
using Json = nlohmann::json;
}  // namespace

void to_json(Json& json, const Request& value) {
  json = {{"customPrompt", value.custom_prompt},
          {"systemId", value.system_id},
          {"contextWindowDays", value.context_window_days},
          {"maxIterations", value.max_iterations},
          {"mode", value.mode},
          {"provider", value.provider},
          {"ttlSeconds", value.ttl_seconds},
          {"pictures", value.pictures}};
  if (value.summarize_above > 0) json["summarizeAbove"] = value.summarize_above;
}

void from_json(const Json& json, Request& value) {
  json.at("customPrompt").get_to(value.custom_prompt);
  json.at("systemId").get_to(value.system_id);
  json.at("contextWindowDays").get_to(value.context_window_days);
  json.at("maxIterations").get_to(value.max_iterations);
  json.at("mode").get_to(value.mode);
  json.at("provider").get_to(value.provider);
  json.at("ttlSeconds").get_to(value.ttl_seconds);
  json.at("pictures").get_to(value.pictures);
  value.summarize_above = json.value("summarizeAbove", std::size_t{0});
}

void to_json(Json& json, const ToolCall& value) {
  json = {{"tool", value.tool},
          {"arguments", Json::parse(value.arguments)},
          {"result", Json::parse(value.result)}};
}

void from_json(const Json& json, ToolCall& value) {
  json.at("tool").get_to(value.tool);
  value.arguments = json.at("arguments").dump();
  value.result = json.at("result").dump();
}

void to_json(Json& json, const Exchange& value) {
  json = {{"turn", value.turn},           {"thought", value.thought},      {"calls", value.calls},
          {"problem", value.problem},     {"toolCalls", value.tool_calls}, {"cached", value.cached},
          {"elapsedMs", value.elapsed_ms}};
}

void from_json(const Json& json, Exchange& value) {
  json.at("turn").get_to(value.turn);
  json.at("thought").get_to(value.thought);
  json.at("calls").get_to(value.calls);
  json.at("problem").get_to(value.problem);
  json.at("toolCalls").get_to(value.tool_calls);
  json.at("cached").get_to(value.cached);
  json.at("elapsedMs").get_to(value.elapsed_ms);
}

void to_json(Json& json, const Spent& value) { json = {{"elapsedMs", value.elapsed_ms}}; }

void from_json(const Json& json, Spent& value) { json.at("elapsedMs").get_to(value.elapsed_ms); }

void to_json(Json& json, const ContextSummary& value) {
  json = {{"systemId", value.system_id}, {"from", value.from},       {"to", value.to},
          {"readings", value.readings},  {"normals", value.normals}, {"exchanges", value.exchanges},
          {"omitted", value.omitted}};
}

void from_json(const Json& json, ContextSummary& value) {
  json.at("systemId").get_to(value.system_id);
  json.at("from").get_to(value.from);
  json.at("to").get_to(value.to);
  json.at("readings").get_to(value.readings);
  json.at("normals").get_to(value.normals);
  json.at("exchanges").get_to(value.exchanges);
  json.at("omitted").get_to(value.omitted);
}

void to_json(Json& json, const Insights& value) {
  json = {{"outcome", value.outcome},
          {"rawText", value.raw_text},
          {"contextSummary", value.context_summary},
          {"turns", value.turns},
          {"toolCalls", value.tool_calls},
          {"cached", value.cached},
          {"drawn", value.drawn}};
}

void from_json(const Json& json, Insights& value) {
  json.at("outcome").get_to(value.outcome);
  json.at("rawText").get_to(value.raw_text);
  json.at("contextSummary").get_to(value.context_summary);
  json.at("turns").get_to(value.turns);
  json.at("toolCalls").get_to(value.tool_calls);
  json.at("cached").get_to(value.cached);
  json.at("drawn").get_to(value.drawn);
}

}  // namespace insights
