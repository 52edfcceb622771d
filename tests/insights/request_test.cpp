// What comes in: requests, replies of models, and what the offline provider makes of a
// conversation.
#include "insights/request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "insights/computed.hpp"
#include "insights/conversation.hpp"
#include "insights/reply_schema.hpp"
#include "insights/tools.hpp"

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
                                   .provider = "computed",
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
      {R"({"systemId":"S","modelOverride":"big"})", "the provider 'computed' has none"},
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

/// What a model is told of a table of the columns a, b and wind.
Json table(bool normals) {
  Json columns = Json::array();
  for (const char* name : {"temp_max", "temp_min", "wind"}) {
    columns.push_back({{"name", name}, {"kind", "number"}, {"amount", false}});
  }
  columns.push_back({{"name", "temp_mean"},
                     {"kind", "number"},
                     {"amount", false},
                     {"of", {"temp_max", "temp_min"}}});
  return {{"files", {"x.csv"}},   {"time", "date"},
          {"from", "2015-12-01"}, {"to", "2015-12-10"},
          {"clock", false},       {"history", 0},
          {"columns", columns},   {"normals", normals ? Json{"wind"} : Json::array()}};
}

TEST(Replies, AreCallsAnAnswerOrAProblem) {
  const Reply calls = read_reply(R"({"thought":"t","calls":[{"tool":"trend"}]})");
  EXPECT_EQ(calls.thought, "t");
  ASSERT_EQ(calls.calls.size(), 1U);
  EXPECT_EQ(calls.calls[0], (ToolCall{"trend", "{}", "{}"}));
  EXPECT_EQ(read_reply(R"({"answer":"a","calls":[]})").answer, "a");
  for (const char* json : {"", "7", "{}", R"({"answer":7})", R"({"calls":{}})", R"({"calls":[]})",
                           R"({"calls":[{}]})", R"({"calls":[{"tool":1}]})"}) {
    const Reply reply = read_reply(json);
    EXPECT_NE(reply.problem, "") << json;
    EXPECT_FALSE(reply.answer) << json;
    EXPECT_TRUE(reply.calls.empty()) << json;
  }
  Json many{{"calls", Json::array()}};
  for (std::size_t i = 0; i <= most_calls; ++i) many["calls"].push_back({{"tool", "trend"}});
  EXPECT_THAT(read_reply(many.dump()).problem, HasSubstr("more than 8"));
}

TEST(Replies, OfNullsAreAsIfTheyWereLeftOut) {
  const Reply calls = read_reply(
      R"({"thought":"t","answer":null,"complete":null,"calls":[{"tool":"trend","arguments":)"
      R"({"variable":"wind","where":{"town":"B","road":null},"table":null}}]})");
  ASSERT_EQ(calls.calls.size(), 1U) << calls.problem;
  EXPECT_EQ(calls.calls[0].arguments, R"({"variable":"wind","where":{"town":"B"}})");
  const Reply said = read_reply(R"({"thought":"t","calls":null,"answer":"a","complete":true})");
  EXPECT_EQ(said.answer, "a");
  EXPECT_TRUE(said.complete);
}

TEST(Replies, HaveASchemaThatAllowsTheToolsWithTheirArgumentsAndNoMore) {
  Json two = table(true);
  two["columns"].push_back({{"name", "town"}, {"kind", "category"}});
  const Json schema = Json::parse(reply_schema(two));
  EXPECT_EQ(schema.at("required").size(), 4U);
  EXPECT_EQ(schema.at("additionalProperties"), false);
  const Json& calls = schema.at("/properties/calls/anyOf/0/items/anyOf"_json_pointer);
  ASSERT_EQ(calls.size(), tools().size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i].at("/properties/tool/enum/0"_json_pointer), tools()[i].name);
    const Json& arguments = calls[i].at("/properties/arguments"_json_pointer);
    EXPECT_EQ(arguments.at("additionalProperties"), false);
    const Json example = Json::parse(tools()[i].arguments);
    EXPECT_EQ(arguments.at("properties").size(), example.size() + 1) << "and the table";
    EXPECT_EQ(arguments.at("required").size(), example.size() + 1);
    for (const auto& argument : example.items()) {
      const Json& one = arguments.at("properties").at(argument.key());
      const Json none{{"type", "null"}};
      EXPECT_EQ(one.at("anyOf").at(1), none) << "each may be left out";
      if (argument.key() != "where") continue;
      const Json text{{"type", "string"}};
      EXPECT_EQ(one.at("/anyOf/0/properties/town/anyOf"_json_pointer), (Json{text, none}));
    }
  }
}

/// One turn of the computed provider.
Json turn(const std::string& prompt, bool normals, int left, const Json& exchanges) {
  const Json input{{"prompt", prompt},
                   {"context",
                    {{"systemId", "S"},
                     {"from", "2015-12-01"},
                     {"to", "2015-12-31"},
                     {"readings", 31},
                     {"normals", normals},
                     {"table", table(normals)}}},
                   {"turn", 1},
                   {"turnsLeft", left},
                   {"exchanges", exchanges}};
  ComputedProvider provider;
  return Json::parse(provider.ask({"turn", "", input.dump(), ""}, {}).json);
}

TEST(ComputedProvider, AsksAboutWhatThePromptNames) {
  const Json all = turn("What stands out?", true, 20, Json::array());
  EXPECT_EQ(all.at("calls").size(), 3U);
  EXPECT_EQ(all.at("calls").at(0).at("arguments").at("variable"), "temp_max");
  const Json wind = turn("Was there a STORM?", true, 20, Json::array());
  ASSERT_EQ(wind.at("calls").size(), 1U);
  EXPECT_EQ(wind.at("calls").at(0).at("arguments").at("variable"), "wind");
}

TEST(ComputedProvider, AsksNothingTwiceAndNoNormalsWhereThereAreNone) {
  for (const bool normals : {true, false}) {
    Json exchanges = Json::array();
    std::set<std::string> asked;
    bool compared = false;
    for (int left = 20; left > 0; --left) {
      const Json reply = turn("wind", normals, left, exchanges);
      if (reply.contains("answer")) break;
      for (Json call : reply.at("calls")) {
        EXPECT_TRUE(asked.insert(call.dump()).second) << call;
        compared = compared || call.at("tool") == "compare_normals";
        call["result"] = {{"error", "not now"}};
        exchanges.push_back({{"thought", ""}, {"calls", {call}}});
      }
    }
    EXPECT_EQ(compared, normals);
    EXPECT_EQ(asked.size(), normals ? 7U : 6U);
  }
}

TEST(ComputedProvider, AnswersInTheLastTurnWithWhatItHas) {
  const Json call{{"tool", "trend"},
                  {"arguments", {{"variable", "wind"}}},
                  {"result",
                   {{"variable", "wind"},
                    {"unit", "m/s"},
                    {"from", "2015-12-01"},
                    {"to", "2015-12-31"},
                    {"first", 1.5},
                    {"last", 4.5},
                    {"change", 2.5},
                    {"r2", 0.5}}}};
  const Json exchanges{{{"thought", ""}, {"calls", {call}}}, {{"omitted", 3}}};
  const std::string answer = turn("", true, 1, exchanges).at("answer").get<std::string>();
  EXPECT_THAT(answer, HasSubstr("wind rises by 2.5 m/s"));
  EXPECT_THAT(answer, HasSubstr("(3 turns are no longer shown.)"));
  EXPECT_THAT(answer, HasSubstr("no language model was asked"));
}

}  // namespace
}  // namespace insights::testing
