// The library is not in here: a fixed plan in place of a model's thoughts.
#include "insights/clerk.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/conversation.hpp"
#include "insights/database.hpp"
#include "insights/overview.hpp"
#include "text/index.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

Json overview_call(const Json& table, const Json& part) {
  return {{"name", "overview"}, {"arguments", {{"table", table.at("name")}, {"column", part}}}};
}

/// All that he does, in order.
std::vector<Json> plan_of(const Json& tables) {
  std::vector<Json> calls;
  for (const Json& table : tables) {
    for (const Json& part : table.at("parts")) calls.push_back(overview_call(table, part));
  }
  return calls;
}

/// The result of a call in the turns so far; null: it was not called yet.
Json result_of(const Json& turns, const Json& wanted) {
  for (const Json& turn : turns) {
    if (!turn.contains("calls")) continue;
    for (const Json& call : turn.at("calls")) {
      if (call.at("name") == wanted.at("name") && call.at("arguments") == wanted.at("arguments")) {
        return call.at("result");
      }
    }
  }
  return nullptr;
}

std::vector<std::string> lines_of(const Json& tables, const Json& turns) {
  std::vector<std::string> lines;
  for (const Json& table : tables) {
    std::size_t count = 0;
    for (const Json& part : table.at("parts")) {
      const Json result = result_of(turns, overview_call(table, part));
      if (!result.is_object()) continue;
      for (const Json& finding : result.value("findings", Json::array())) {
        if (count++ < most_lines) lines.push_back(finding.get<std::string>());
      }
    }
  }
  return lines;
}

std::string answer_to(const Json& input) {
  const std::vector<std::string> lines = lines_of(input.at("tables"), input.at("turns"));
  std::string text =
      "These are findings of fixed queries, without a conclusion: for an answer in words, ask a "
      "model (--provider openai:MODEL@URL).\n";
  const auto prompt = input.at("prompt").get<std::string>();
  if (prompt != any_question) {
    std::vector<text::Passage> passages;
    for (const std::string& line : lines) passages.push_back({.body = line});
    const auto hits = text::PassageIndex{passages}.best(text::search_words(prompt), 3, 0);
    text += fmt::format("\n\"{}\" needs a model. {}\n", prompt,
                        hits.empty() ? "No finding shares a word with it." : "Nearest to it:");
    for (const text::Hit& hit : hits) text += "- " + lines[hit.passage] + "\n";
  }
  text += "\nFindings\n";
  for (const std::string& line : lines) text += "- " + line + "\n";
  return text;
}

}  // namespace

model::Answer Clerk::do_ask(const model::Task& task, const std::stop_token& /*stop*/) {
  const Json input = Json::parse(task.input);
  std::vector<Json> open;
  for (Json& call : plan_of(input.at("tables"))) {
    if (result_of(input.at("turns"), call).is_null()) open.push_back(std::move(call));
  }
  const auto turns_left = input.at("turnsLeft").get<std::size_t>();
  if (open.empty() || turns_left <= 1) {
    const Json reply{{"answer", answer_to(input)}, {"complete", open.empty()}};
    return {.json = dump(reply), .spent = {}};
  }
  const std::size_t each = std::min(most_calls, (open.size() + turns_left - 2) / (turns_left - 1));
  Json calls = Json::array();
  for (std::size_t i = 0; i < std::min(each, open.size()); ++i) calls.push_back(open[i]);
  const Json reply{{"thought", fmt::format("{} of the agenda are left", open.size())},
                   {"calls", std::move(calls)}};
  return {.json = reply.dump(), .spent = {}};
}

}  // namespace insights
