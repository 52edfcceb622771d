// What comes in: requests, and replies of models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "insights/api.hpp"
#include "insights/conversation.hpp"

namespace insights::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

TEST(Requests, AreReadWithTheirDefaults) {
  const Incoming least = read_request(R"({"systemId":"Seattle"})", {});
  ASSERT_TRUE(least.fresh);
  EXPECT_EQ(*least.fresh, (Request{.custom_prompt = "What do the readings show?",
                                   .system_id = "Seattle",
                                   .context_window_days = 30,
                                   .max_iterations = 20,
                                   .mode = "sync",
                                   .provider = "quote",
                                   .ttl_seconds = 86'400}));
  const Incoming most = read_request(
      R"({"systemId":"New York","customPrompt":"wind?","contextWindowDays":7,"maxIterations":3,)"
      R"("mode":"sync","modelOverride":"big","resumeJobId":null})",
      {"openai:small@http://127.0.0.1:1", 3600});
  EXPECT_EQ(*most.fresh,
            (Request{"wind?", "New York", 7, 3, "sync", "openai:big@http://127.0.0.1:1", 3600}));
  EXPECT_EQ(read_request(R"({"resumeJobId":"insights_1_a"})", {}).resume_job_id, "insights_1_a");
}

TEST(Requests, ThatCannotBeDoneSayWhy) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "not JSON"},
      {"{", "not JSON"},
      {"\"\xff\"", "not JSON"},
      {"[]", "not a JSON object"},
      {"{}", "'systemId' is missing"},
      {R"({"systemId":7})", "'systemId' is not a text"},
      {R"({"systemId":"S","customPrompt":[]})", "'customPrompt' is not a text"},
      {R"({"systemId":"S","customPrompt":")" + std::string(4001, 'x') + R"("})",
       "'customPrompt' has more than 4000 bytes"},
      {R"({"systemId":"S","contextWindowDays":-7})", "'contextWindowDays' is not a whole number"},
      {R"({"systemId":"S","contextWindowDays":0})", "'contextWindowDays' is not a whole number"},
      {R"({"systemId":"S","contextWindowDays":1.5})", "'contextWindowDays' is not a whole number"},
      {R"({"systemId":"S","contextWindowDays":"7"})", "'contextWindowDays' is not a whole number"},
      {R"({"systemId":"S","maxIterations":18446744073709551615})",
       "'maxIterations' is not a whole"},
      {R"({"systemId":"S","maxIterations":1001})", "from 1 to 1000"},
      {R"({"systemId":"S","mode":"background"})", "'mode' is sync"},
      {R"({"systemId":"S","modelOverride":"big"})", "the provider 'quote' has none"},
      {R"({"systemId":"S","summarizeAbove":9})", "'summarizeAbove' needs a model"},
      {R"({"systemId":"S","temperature":1})", "no field 'temperature'"},
      {R"({"resumeJobId":"a","systemId":"S"})", "without other fields"},
      {R"({"resumeJobId":7})", "'resumeJobId' is not a text"}};
  for (const auto& [json, sentence] : cases) {
    try {
      static_cast<void>(read_request(json, {}));
      ADD_FAILURE() << json;
    } catch (const BadRequest& error) {
      EXPECT_THAT(error.what(), HasSubstr(sentence)) << json;
    }
  }
  EXPECT_THROW(static_cast<void>(read_request(R"({"systemId":"S","modelOverride":"a@http://b"})",
                                              {"openai:m@http://c", 1})),
               BadRequest)
      << "a model's name leads nowhere else";
}

TEST(Replies, AreCallsAnAnswerOrAProblem) {
  const auto read = [](const std::string& json) { return read_reply({.json = json, .spent = {}}); };
  const Exchange calls = read(R"({"thought":"t","calls":[{"name":"tables"}]})");
  EXPECT_EQ(calls.thought, "t");
  ASSERT_EQ(calls.calls.size(), 1U);
  EXPECT_EQ(calls.calls[0], (ToolCall{"tables", Json::object()}));
  EXPECT_EQ(read(R"({"answer":"a","calls":[]})").answer, "a");
  EXPECT_FALSE(read(R"({"answer":"a","complete":"yes"})").complete);
  for (const char* json : {"", "7", "{}", R"({"answer":7})", R"({"answer":""})", R"({"calls":{}})",
                           R"({"calls":[]})", R"({"calls":[{}]})", R"({"calls":[{"name":1}]})"}) {
    const Exchange reply = read(json);
    EXPECT_NE(reply.problem, "") << json;
    EXPECT_EQ(reply.answer, "") << json;
    EXPECT_TRUE(reply.calls.empty()) << json;
  }
  Json many{{"calls", Json::array()}};
  for (std::size_t i = 0; i <= most_calls; ++i) many["calls"].push_back({{"name", "tables"}});
  EXPECT_THAT(read(many.dump()).problem, HasSubstr("more than 8"));
}

}  // namespace
}  // namespace insights::testing
