#include "model/answering.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/asking.hpp"
#include "model/model.hpp"
#include "model/quoting.hpp"
#include "model/recorded.hpp"
#include "support/fake_openai.hpp"
#include "support/temp_folder.hpp"

namespace model {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

const text::Passage ferry{"Boats", "The ferry holds 40.", "a.md", 3};
const text::Passage crew{"Crew", "Three people sail her.", "a.md", 9};
const text::Passage price{"", "A ticket is 4 euros.", "b.md", 1};
const std::vector<Question> questions{
    {"How many?", {ferry, crew, price}}, {"Who?", {}}, {"Price?", {price}}};

/// Says the same to whatever it is asked.
class Saying final : public Provider {
 public:
  explicit Saying(std::string json) : json_{std::move(json)} {}

 private:
  Answer do_ask(const Task& task, const std::stop_token& /*stop*/) override {
    asked = Json::parse(task.input);
    return {json_, {}};
  }
  std::string do_name() const override { return "saying"; }
  std::string json_;

 public:
  Json asked;
};

std::string refusal_of(const std::string& json) {
  Saying provider{json};
  try {
    static_cast<void>(answer({provider, {}, {}}, questions, 2));
  } catch (const ProviderError& error) {
    EXPECT_TRUE(error.retryable());
    return error.what();
  }
  return "";
}

TEST(Quoting, GivesTheBestPassagesWordForWordEachCitingItself) {
  QuotingProvider provider;
  const auto answers = answer({provider, {}, {}}, questions, 2);
  ASSERT_EQ(answers.size(), 3U);
  ASSERT_EQ(answers[0].size(), 2U);
  EXPECT_EQ(answers[0][0].text, ferry.body);
  EXPECT_EQ(answers[0][1].cited, std::vector{crew});
  EXPECT_TRUE(answers[1].empty());
  EXPECT_EQ(answers[2][0].cited, std::vector{price});
}

TEST(Quoting, SaysWhichTaskNeedsAModel) {
  QuotingProvider provider;
  try {
    provider.ask({"turn", "", "{}", ""}, {});
    ADD_FAILURE() << "no error";
  } catch (const ProviderError& error) {
    EXPECT_FALSE(error.retryable());
    EXPECT_THAT(error.what(), HasSubstr("'turn' needs a model (--provider openai --base-url URL)"));
  }
}

TEST(Answering, APassageOfTwoQuestionsIsSentOnceAndAQuestionWithoutOneIsNot) {
  Saying provider{R"({"answers":[]})"};
  static_cast<void>(answer({provider, {}, {}}, questions, 2));
  EXPECT_EQ(provider.asked.at("passages").size(), 3U);
  EXPECT_EQ(provider.asked.at("questions").size(), 2U);
  EXPECT_EQ(provider.asked.at("/questions/1/passages"_json_pointer), Json({2}));
}

TEST(Answering, StatementsAreOneLine) {
  Saying provider{
      R"({"answers":[{"question":0,"found":true,"statements":[{"text":" It holds\n40.","passages":[0]}]}]})"};
  EXPECT_EQ(answer({provider, {}, {}}, questions, 2)[0].at(0).text, "It holds 40.");
}

TEST(Answering, WhatCitesWhatWasNotOfferedOrNothingIsRefused) {
  const auto with = [](const std::string& statement) {
    return R"({"answers":[{"question":0,"found":true,"statements":[)" + statement + "]}]}";
  };
  EXPECT_THAT(refusal_of(with(R"({"text":"x","passages":[7]})")), HasSubstr("7 was not offered"));
  EXPECT_THAT(refusal_of(with(R"({"text":"x","passages":[]})")), HasSubstr("cites no passage"));
  EXPECT_THAT(refusal_of(with(R"({"text":" ","passages":[0]})")), HasSubstr("an empty statement"));
  EXPECT_THAT(refusal_of(R"({"answers":[{"question":9,"found":true,"statements":[]}]})"),
              HasSubstr("a question that was not asked"));
}

TEST(Recorded, AnswersWhatWasAskedWhileItWasWritten) {
  const resumable::test::TempFolder folder;
  const std::string file = (folder / "answers.jsonl").string();
  Calling calling;
  calling.terms.record = file;
  Model recording{"quote", std::make_unique<QuotingProvider>(), calling};
  const auto first = answer({recording.get(), {}, {}}, questions, 2);
  RecordedProvider recorded{file};
  const auto second = answer({recorded, {}, {}}, questions, 2);
  EXPECT_EQ(first[0][0].text, second[0][0].text);
  try {
    static_cast<void>(answer({recorded, {}, {}}, {{"Another?", {crew}}}, 2));
    ADD_FAILURE() << "no error";
  } catch (const ProviderError& error) {
    EXPECT_FALSE(error.retryable());
    EXPECT_THAT(error.what(), HasSubstr("has no answer to this 'answer', of digest "));
  }
}

TEST(Recorded, AFileThatIsNoneIsRefused) {
  const resumable::test::TempFolder folder;
  EXPECT_THROW(RecordedProvider{(folder / "none").string()}, ProviderError);
  std::ofstream{folder / "prose"} << "Dear reader\n";
  EXPECT_THROW(RecordedProvider{(folder / "prose").string()}, ProviderError);
}

}  // namespace
}  // namespace model
