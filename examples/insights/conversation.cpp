// The library is not in here: the words of a turn, in both directions.
#include "insights/conversation.hpp"

#include <fmt/format.h>

#include "insights/tools.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr const char* instructions =
    "You find out what tables of readings show. In each turn call tools, or give the answer to the "
    "prompt as JSON. `overview` is a good beginning; `query` answers what it leaves open. Begin "
    "the answer with findings: what changed, when, how unusual it is and against what; figures "
    "come "
    "after them. Use the tools' figures alone, and name the rows that they are from. A tool that "
    "cannot do what you ask says why. In the last turn give the answer, with \"complete\":false if "
    "you would have asked more. In place of older turns there may be a gap, or their summary.";

constexpr const char* schema =
    R"({"thought":"why","calls":[{"name":"query","arguments":{"sql":"SELECT 1"}}]} )"
    R"(or {"thought":"why","answer":"what the readings show","complete":true})";

Exchange unusable(std::string why) {
  Exchange reply;
  reply.problem = std::move(why);
  return reply;
}

}  // namespace

model::Task turn_task(const Request& request, const Json& tables, std::int64_t turn,
                      const Json& turns) {
  const Json input{{"prompt", request.custom_prompt},
                   {"systemId", request.system_id},
                   {"tables", tables},
                   {"turn", turn},
                   {"turnsLeft", request.max_iterations - turn + 1},
                   {"turns", turns}};
  return {.name = "turn",
          .instructions = instructions,
          .input = input.dump(),
          .schema = schema,
          .subject = std::to_string(turn),
          .tools = Tools::list(request.pictures)};
}

model::Task summary_task(const Request& request, const Json& turns, std::int64_t through) {
  const Json input{{"prompt", request.custom_prompt}, {"turns", turns}};
  return {.name = "summary",
          .instructions =
              "Summarise what these turns have found out for the prompt: figures with "
              "their rows, and which tools were called in vain.",
          .input = input.dump(),
          .schema = R"({"summary":"in at most 300 words"})",
          .subject = std::to_string(through)};
}

Exchange read_reply(const model::Answer& answer) {
  const Json json = Json::parse(answer.json, nullptr, false);
  if (!json.is_object()) {
    return unusable(answer.flaw.empty() ? "the reply is not a JSON object" : answer.flaw);
  }
  Exchange reply;
  if (const auto thought = json.find("thought"); thought != json.end() && thought->is_string()) {
    reply.thought = thought->get<std::string>();
  }
  const auto calls = json.find("calls");
  if (calls != json.end() && calls->is_array() && !calls->empty()) {
    if (calls->size() > most_calls) {
      return unusable(fmt::format("more than {} calls in one turn", most_calls));
    }
    for (const Json& call : *calls) {
      const bool is_good = call.is_object() && call.contains("name") && call["name"].is_string();
      if (!is_good) return unusable("a call has no 'name'");
      reply.calls.push_back(
          {call["name"].get<std::string>(), call.value("arguments", Json::object())});
    }
    return reply;
  }
  const auto text = json.find("answer");
  if (text == json.end()) {
    return unusable(answer.flaw.empty() ? "the reply has neither 'calls' nor 'answer'"
                                        : answer.flaw);
  }
  if (!text->is_string() || text->get<std::string>().empty()) {
    return unusable("'answer' is not a text");
  }
  reply.answer = text->get<std::string>();
  reply.complete = json.value("complete", Json{}) == true;
  return reply;
}

}  // namespace insights
