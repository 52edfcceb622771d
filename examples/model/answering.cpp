// One call for several questions: a passage that serves two of them is sent once.
#include "model/answering.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "model/asking.hpp"

namespace model {
namespace {

using Json = nlohmann::json;
using Passages = std::vector<text::Passage>;

constexpr const char* instructions =
    "Answer each question from the passages alone. Write one statement a sentence, each with the "
    "ids of the passages that say it. Write figures and names as the passage writes them. Write "
    "`found: false` if the passages do not say it.";

constexpr const char* shape =
    R"({"answers":[{"question":0,"found":true,"statements":[{"text":"…","passages":[0]}]}]})";

std::size_t id_of(Passages& offered, const text::Passage& passage) {
  const auto found = std::ranges::find(offered, passage);
  const auto id = static_cast<std::size_t>(found - offered.begin());
  if (found == offered.end()) offered.push_back(passage);
  return id;
}

Json input_of(const std::vector<Question>& questions, std::size_t most, Passages& offered) {
  Json asked = Json::array();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (questions[i].passages.empty()) continue;
    Json ids = Json::array();
    for (const auto& passage : questions[i].passages) ids.push_back(id_of(offered, passage));
    asked.push_back({{"id", i}, {"question", questions[i].text}, {"passages", std::move(ids)}});
  }
  Json passages = Json::array();
  for (const auto& passage : offered) {
    passages.push_back({{"id", passages.size()},
                        {"title", passage.title},
                        {"text", passage.body},
                        {"file", passage.file},
                        {"line", passage.line}});
  }
  return {{"questions", std::move(asked)}, {"passages", std::move(passages)}, {"most", most}};
}

Statement read_statement(const Json& json, const Passages& offered) {
  Statement statement{text::collapsed(json.at("text").get<std::string>()), {}};
  if (statement.text.empty()) throw Misfit{"an empty statement"};
  for (const Json& id : json.at("passages")) statement.cited.push_back(model::offered(offered, id));
  if (statement.cited.empty()) throw Misfit{"a statement that cites no passage"};
  return statement;
}

}  // namespace

std::vector<std::vector<Statement>> answer(const Call& call, const std::vector<Question>& questions,
                                           std::size_t most, const std::string& subject) {
  Passages offered;
  const Json input = input_of(questions, most, offered);
  if (offered.empty()) return std::vector<std::vector<Statement>>(questions.size());
  return ask(call, Task{"answer", instructions, input.dump(), shape, subject},
             [&](const Json& json) {
               std::vector<std::vector<Statement>> answers(questions.size());
               for (const Json& one : json.at("answers")) {
                 const auto id = one.at("question").get<std::size_t>();
                 if (id >= questions.size()) throw Misfit{"a question that was not asked"};
                 if (!one.at("found").get<bool>()) continue;
                 for (const Json& statement : one.at("statements")) {
                   answers[id].push_back(read_statement(statement, offered));
                 }
               }
               return answers;
             });
}

}  // namespace model
