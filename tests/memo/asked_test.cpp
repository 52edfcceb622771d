// What a model is asked: the question, with the best passages that there are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "memo_run.hpp"
#include "model/openai.hpp"
#include "support/fake_openai.hpp"

namespace memo::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

const std::string question = "Quid novi?";
const std::string answer_in_deck = "The bakery opens at six on weekdays.";

/// An outline with one question that shares no word with the sources.
Request foreign_request() {
  return {"Acme", "direct", "consider",
          R"({"sections":[{"key":"a","title":"A","topics":[{"id":"a.b","heading":"Opening",
              "question":")" +
              question + R"(","signs":["quid"]}]}]})"};
}

/// The longest list of candidates that the question was asked with.
Json candidates_in(const std::vector<std::string>& messages) {
  Json most = Json::array();
  for (const auto& message : messages) {
    const Json json = Json::parse(message);
    if (json.at("task") != "pick") continue;
    for (const Json& asked : json.at("input").at("questions")) {
      const Json& offered = asked.at("candidates");
      if (asked.at("question") == question && offered.size() > most.size()) most = offered;
    }
  }
  return most;
}

TEST(Asked, AModelGetsTheBestPassagesAlsoWhereNoSignMatches) {
  std::string text = "# Acme\n\n" + answer_in_deck + "\n\n";
  for (int i = 10; i < 40; ++i) text += "Oven number " + std::to_string(i) + " is hot enough.\n\n";
  std::vector<std::string> messages;
  const resumable::test::FakeOpenAi server{[&](const std::string& message) {
    messages.push_back(message);
    const Json json = Json::parse(message);
    if (json.at("task") != "pick") return extractive_reply(message);
    Json picks = Json::array();
    for (const Json& asked : json.at("input").at("questions")) {
      picks.push_back({{"question", asked.at("id")}, {"candidates", {0}}});
    }
    return Json{{"picks", picks}}.dump();
  }};
  model::OpenAiOptions options;
  options.base_url = server.base_url();
  options.model = "test-model";
  model::OpenAiProvider remote{options};
  const auto run = run_memo({remote, {}, {}}, foreign_request(), {make_source("deck.md", text)});
  const Json candidates = candidates_in(messages);
  EXPECT_EQ(candidates.size(), 16U);
  EXPECT_EQ(candidates.at(0).at("text"), answer_in_deck);
  EXPECT_THAT(run.draft.markdown, HasSubstr("### Opening\n\n" + answer_in_deck + "[^"));
}

TEST(Asked, TheOfflineProviderLeavesSuchAQuestionOpen) {
  ExtractiveProvider provider;
  const auto run = run_memo({provider, {}, {}}, foreign_request(),
                            {make_source("deck.md", "# Acme\n\n" + answer_in_deck + "\n")});
  EXPECT_THAT(run.draft.markdown, HasSubstr("**Not answered:** opening."));
}

}  // namespace
}  // namespace memo::testing
