// The library is not in here: the words of a turn, in both directions.
#include "insights/conversation.hpp"

#include <fmt/format.h>

#include "insights/tools.hpp"
#include "model/asking.hpp"

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

Exchange unusable(const model::Answer& answer, const std::string& why) {
  Exchange reply;
  reply.problem = answer.flaw.empty() ? why : answer.flaw;
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
  Exchange reply;
  try {
    const Json json = Json::parse(answer.json, nullptr, false);
    if (!json.is_object()) throw model::Misfit{"the reply is not a JSON object"};
    if (json.contains("thought") && json["thought"].is_string()) reply.thought = json["thought"];
    for (const Json& call : json.value("calls", Json::array())) {
      reply.calls.push_back({call.at("name"), call.value("arguments", Json::object())});
    }
    if (reply.calls.size() > most_calls) {
      throw model::Misfit{fmt::format("more than {} calls in one turn", most_calls)};
    }
    if (!reply.calls.empty()) return reply;
    json.at("answer").get_to(reply.answer);
    if (reply.answer.empty()) throw model::Misfit{"'answer' is empty"};
    reply.complete = json.value("complete", Json{}) == true;
  } catch (const model::Misfit& error) {
    return unusable(answer, error.what());
  } catch (const Json::exception& error) {
    return unusable(answer, model::in_words(error));
  }
  return reply;
}

}  // namespace insights
