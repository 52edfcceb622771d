// No rules about words stand here, and none should: ranking has been done by text/index, and what
// is beyond ranking needs a model.
#include "model/quoting.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace model {
namespace {

using Json = nlohmann::json;

/// The first passages of each question, each a statement that cites itself.
Json quotes_for(const Json& input) {
  Json answers = Json::array();
  for (const Json& question : input.at("questions")) {
    Json statements = Json::array();
    for (const Json& id : question.at("passages")) {
      if (statements.size() == input.at("most").get<std::size_t>()) break;
      statements.push_back({{"text", input.at("passages").at(id.get<std::size_t>()).at("text")},
                            {"passages", {id}}});
    }
    const bool found = !statements.empty();
    answers.push_back(
        {{"question", question.at("id")}, {"found", found}, {"statements", std::move(statements)}});
  }
  return {{"answers", std::move(answers)}};
}

Json verdicts_on(const Json& input) {
  Json verdicts = Json::array();
  for (const Json& statement : input.at("statements")) {
    const auto text = statement.at("text").get<std::string>();
    const bool stands = std::ranges::any_of(statement.at("passages"), [&](const Json& passage) {
      return passage.get<std::string>().find(text) != std::string::npos;
    });
    verdicts.push_back({{"id", statement.at("id")}, {"supported", stands}});
  }
  return {{"verdicts", std::move(verdicts)}};
}

}  // namespace

bool is_quoting(std::string_view provider) {
  return provider == "quote" || provider == "extractive";
}

Answer QuotingProvider::do_ask(const Task& task, const std::stop_token& /*stop*/) {
  const Json input = Json::parse(task.input);
  if (task.name == "answer") return {quotes_for(input).dump(), {}};
  if (task.name == "judge") return {verdicts_on(input).dump(), {}};
  throw ProviderError{"'" + task.name + "' needs a model (--provider openai --base-url URL)", {}};
}

}  // namespace model
