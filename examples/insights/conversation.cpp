#include "insights/conversation.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/reply_schema.hpp"
#include "insights/tools.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

const std::string& instructions() {
  static const std::string text = [] {
    std::string all =
        "You find out what the readings of a table show. context.table lists its columns with "
        "their "
        "kind, unit, range and values: use their names as arguments. An amount can be summed, a "
        "level cannot. In each turn call one or more tools, or give the answer to the prompt. "
        "Begin "
        "the answer with findings: what changed, when, how unusual it is and against what, each "
        "with its date or file and line; figures come after them. Use the tools' figures alone. A "
        "tool that cannot do what you ask says why. In the last turn give the answer, with "
        "\"complete\":false if you would have asked more. In place of older turns there may be "
        "their "
        "summary, with the tools that they have called. The tools:";
    for (const Tool& tool : tools()) {
      all += fmt::format("\n- {} {}: {}", tool.name, tool.arguments, tool.description);
    }
    return all;
  }();
  return text;
}

constexpr const char* schema =
    R"({"thought":"why","calls":[{"tool":"trend","arguments":{"variable":"NUMBER"}}]} )"
    R"(or {"thought":"why","answer":"what the readings show","complete":true})";

constexpr const char* flaw_key = "flaw";

/// A schema in which all keys are required gives null for those that do not apply.
void drop_nulls(Json& json) {
  if (!json.is_object()) return;
  for (auto field = json.begin(); field != json.end();) {
    field = field->is_null() ? json.erase(field) : std::next(field);
  }
  for (Json& field : json) drop_nulls(field);
}

Reply unusable(std::string why) {
  Reply reply;
  reply.problem = std::move(why);
  return reply;
}

}  // namespace

model::Task turn_task(const Request& request, const ContextSummary& context, const Json& table,
                      std::int64_t turn, const Json& exchanges) {
  Json input{{"prompt", request.custom_prompt},
             {"context",
              {{"systemId", context.system_id},
               {"from", context.from},
               {"to", context.to},
               {"readings", context.readings},
               {"normals", context.normals},
               {"table", table}}},
             {"turn", turn},
             {"turnsLeft", request.max_iterations - turn + 1},
             {"exchanges", exchanges}};
  return {"turn", instructions(), input.dump(), schema, std::to_string(turn), reply_schema(table)};
}

Reply read_reply(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return unusable("the reply is not a JSON object");
  drop_nulls(json);
  Reply reply;
  if (const auto thought = json.find("thought"); thought != json.end() && thought->is_string()) {
    reply.thought = thought->get<std::string>();
  }
  if (const auto answer = json.find("answer"); answer != json.end()) {
    if (!answer->is_string()) return unusable("'answer' is not a text");
    reply.answer = answer->get<std::string>();
    reply.complete = json.value("complete", Json{}) == true;
    return reply;
  }
  const auto calls = json.find("calls");
  if (calls == json.end() || !calls->is_array() || calls->empty()) {
    const auto flaw = json.find(flaw_key);
    return unusable(flaw != json.end() && flaw->is_string()
                        ? flaw->get<std::string>()
                        : "the reply has neither 'calls' nor 'answer'");
  }
  if (calls->size() > most_calls) {
    return unusable(fmt::format("more than {} calls in one turn", most_calls));
  }
  for (Json& call : *calls) {
    drop_nulls(call);
    const bool good = call.is_object() && call.contains("tool") && call.at("tool").is_string();
    if (!good) return unusable("a call names no 'tool'");
    const Json arguments = call.contains("arguments") ? call.at("arguments") : Json::object();
    reply.calls.push_back({call.at("tool").get<std::string>(), arguments.dump(), "{}"});
  }
  return reply;
}

std::string kept_of(const model::Answer& answer) {
  const bool is_usable = read_reply(answer.json).problem.empty();
  return is_usable ? answer.json : Json{{flaw_key, answer.flaw}}.dump();
}

}  // namespace insights
