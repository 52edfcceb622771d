#include "model/openai.hpp"

#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/asking.hpp"
#include "model/quoting.hpp"
#include "support/fake_openai.hpp"

namespace model {
namespace {

using namespace std::chrono_literals;
using resumable::test::Act;
using resumable::test::FakeOpenAi;
namespace fake = resumable::test;

const Task judging{"judge", "", R"({"statements":[{"id":0,"text":"a b","passages":["a b c"]}]})",
                   "{}"};

/// Does what it is asked as the quoting provider would.
std::string quoting_reply(const std::string& message) {
  const auto json = nlohmann::json::parse(message);
  QuotingProvider provider;
  return provider.ask({json.at("task"), "", json.at("input").dump(), ""}, {}).json;
}

bool judged(const Call& call) {
  return ask(call, judging, [](const nlohmann::json& answer) {
    return answer.at("verdicts").at(0).at("supported").get<bool>();
  });
}

OpenAiOptions options_for(const std::string& url) {
  OpenAiOptions options;
  options.base_url = url;
  options.model = "test-model";
  options.key = "sk-secret";
  options.timeout = 20s;
  return options;
}

std::optional<ProviderError> error_of(const OpenAiOptions& options) {
  try {
    OpenAiProvider{options}.ask(judging, {});
  } catch (const ProviderError& error) {
    return error;
  }
  return std::nullopt;
}

std::optional<ProviderError> error_after(Act act) {
  const FakeOpenAi server{quoting_reply, {std::move(act)}};
  auto error = error_of(options_for(server.base_url()));
  EXPECT_EQ(server.requests(), 1U) << "the provider must not try again by itself";
  return error;
}

TEST(OpenAi, AnswersAndReportsWhatItSpent) {
  const FakeOpenAi server{quoting_reply};
  auto options = options_for(server.base_url());
  options.terms.usd_per_million_input = 1e6;
  const Answer answer = OpenAiProvider{options}.ask(judging, {});
  EXPECT_EQ(answer.json, R"({"verdicts":[{"id":0,"supported":true}]})");
  EXPECT_GT(answer.spent.tokens, 0U);
  EXPECT_GT(answer.spent.usd, 0.0);
}

TEST(OpenAi, WhatTheServerSaysItChargesCountsBeforeThePrices) {
  const FakeOpenAi server{
      quoting_reply,
      {fake::status(200, "",
                    R"({"choices":[{"finish_reason":"stop","message":{"content":"{}"}}],)"
                    R"("usage":{"prompt_tokens":9,"completion_tokens":2,"cost":0.0123}})")}};
  auto options = options_for(server.base_url());
  options.terms.usd_per_million_input = 1e6;
  const Answer answer = OpenAiProvider{options}.ask(judging, {});
  EXPECT_EQ(answer.spent.tokens, 11U);
  EXPECT_DOUBLE_EQ(answer.spent.usd, 0.0123);
}

TEST(OpenAi, SendsModelTemperatureZeroAndTheKey) {
  const FakeOpenAi server{quoting_reply};
  OpenAiProvider{options_for(server.base_url())}.ask(judging, {});
  const auto body = nlohmann::json::parse(server.bodies().at(0));
  EXPECT_EQ(body.at("model"), "test-model");
  EXPECT_EQ(body.at("temperature"), 0);
  EXPECT_EQ(server.authorizations().at(0), "Bearer sk-secret");
}

TEST(OpenAi, SendsTheTasksSchemaASeedAndALimitOfTokens) {
  const FakeOpenAi server{quoting_reply};
  Task judge = judging;
  judge.schema = R"({"verdicts":[{"id":0,"supported":true}]})";
  OpenAiProvider{options_for(server.base_url())}.ask(judge, {});
  const auto body = nlohmann::json::parse(server.bodies().at(0));
  EXPECT_EQ(body.at("seed"), 1);
  EXPECT_EQ(body.at("max_tokens"), 4096);
  const auto& format = body.at("response_format");
  EXPECT_EQ(format.at("type"), "json_schema");
  EXPECT_EQ(format.at("json_schema").at("name"), "judge");
  const auto& items = format.at("/json_schema/schema/properties/verdicts/items"_json_pointer);
  EXPECT_EQ(items.at("/properties/id/type"_json_pointer), "integer");
  EXPECT_EQ(items.at("/properties/supported/type"_json_pointer), "boolean");
  EXPECT_EQ(items.at("required").size(), 2U);
}

TEST(OpenAi, ASchemaInWordsAsksForAnyObject) {
  const FakeOpenAi server{quoting_reply};
  Task either = judging;
  either.schema = R"({"a":1} or {"b":2})";
  OpenAiProvider{options_for(server.base_url())}.ask(either, {});
  const auto body = nlohmann::json::parse(server.bodies().at(0));
  EXPECT_EQ(body.at("response_format").at("type"), "json_object");
}

TEST(OpenAi, AServerThatRefusesResponseFormatIsAskedWithout) {
  const FakeOpenAi server{
      quoting_reply,
      {fake::status(400, "", R"({"error":{"message":"unknown field response_format"}})")}};
  OpenAiProvider provider{options_for(server.base_url())};
  EXPECT_FALSE(provider.ask(judging, {}).json.empty());
  provider.ask(judging, {});
  ASSERT_EQ(server.requests(), 3U) << "it remembers";
  const auto sent = [&](std::size_t n) { return nlohmann::json::parse(server.bodies().at(n)); };
  EXPECT_TRUE(sent(0).contains("response_format"));
  EXPECT_FALSE(sent(1).contains("response_format"));
  EXPECT_FALSE(sent(2).contains("response_format"));
}

TEST(OpenAi, ProseIsPaidAndSaidToBeProse) {
  const FakeOpenAi server{[](const std::string&) { return "Sorry, I cannot."; }};
  auto options = options_for(server.base_url());
  options.terms.usd_per_million_output = 1e6;
  OpenAiProvider provider{options};
  double usd = 0;
  const Call call{provider, {}, [&](const Spent& spent) { usd += spent.usd; }};
  try {
    static_cast<void>(judged(call));
    ADD_FAILURE() << "no error";
  } catch (const ProviderError& error) {
    EXPECT_TRUE(error.retryable());
    EXPECT_NE(std::string{error.what()}.find("it is prose, without JSON"), std::string::npos);
  }
  EXPECT_GT(usd, 0.0);
}

TEST(OpenAi, TheNextTryIsToldWhatWasWrongWithTheAnswer) {
  int replies = 0;
  const FakeOpenAi server{[&](const std::string& message) {
    return ++replies == 1 ? std::string{"Sorry, I cannot."} : quoting_reply(message);
  }};
  OpenAiProvider provider{options_for(server.base_url())};
  Call call{provider, {}, {}};
  call.record = [](const Task&, const std::function<std::string()>& answer) {
    EXPECT_THROW(static_cast<void>(answer()), ProviderError);
    return answer();
  };
  EXPECT_TRUE(judged(call));
  const auto bodies = server.bodies();
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_EQ(bodies[0].find("Your last answer could not be used"), std::string::npos);
  EXPECT_NE(bodies[1].find("Your last answer could not be used: the answer to 'judge'"),
            std::string::npos);
}

TEST(OpenAi, TooManyRequestsIsRetryableAfterTheTimeAskedFor) {
  const auto error = error_after(fake::status(429, "7"));
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->retryable());
  EXPECT_EQ(error->http_status(), 429);
  EXPECT_EQ(error->retry_after(), 7s);
  EXPECT_EQ(error_after(fake::status(429, "soon"))->retry_after(), std::nullopt);
}

TEST(OpenAi, WhatMayPassIsRetryableAndARefusalIsNot) {
  for (const Act& act : {fake::status(500), fake::status(502), fake::status(503), fake::drop(),
                         fake::half_body(), fake::half_json()}) {
    const auto error = error_after(act);
    ASSERT_TRUE(error);
    EXPECT_TRUE(error->retryable()) << error->what();
  }
  for (const int status : {400, 401, 403, 404}) {
    const auto error = error_after(fake::status(status));
    ASSERT_TRUE(error);
    EXPECT_FALSE(error->retryable()) << status;
    EXPECT_EQ(error->http_status(), status);
  }
  EXPECT_THAT(error_after(fake::half_json())->what(), ::testing::HasSubstr("half an answer"));
}

TEST(OpenAi, AReplyThatIsNotOfTheChatApiIsToldWithItsBeginning) {
  const auto said = [](const std::string& body) {
    const auto error = error_after(fake::status(200, "", body));
    EXPECT_TRUE(error && error->retryable()) << body;
    const std::string text = error ? error->what() : "";
    EXPECT_EQ(text.find("half an answer"), text.npos) << text;
    EXPECT_EQ(text.find("sk-secret"), text.npos) << text;
    EXPECT_EQ(text.find("json.exception"), text.npos) << text;
    EXPECT_NO_THROW(static_cast<void>(nlohmann::json(text).dump())) << "it can be recorded";
    return text;
  };
  using ::testing::HasSubstr;
  EXPECT_EQ(said("<html>\nsk-secret \xff</html>"),
            "the server's reply is not JSON, as those of the chat API are; it begins with “<html> "
            "*** \xEF\xBF\xBD</html>”");
  EXPECT_EQ(said(""), "the server's reply is empty");
  EXPECT_THAT(said(R"({"error":{"message":"no such model"}})"),
              HasSubstr(R"(it has no 'choices'; it begins with “{"error":{"message":"no such)"));
  EXPECT_THAT(said(R"({"choices":[]})"), HasSubstr("it has no 'choices'"));
  EXPECT_THAT(said("[1]"), HasSubstr("it has no 'choices'"));
  const std::string long_text(100, 'x');
  for (const std::string content : {"null", "7", "[]"}) {
    const std::string body = R"({"choices":[{"message":{"content":)" + content + R"(}}],"x":")";
    EXPECT_EQ(said(body + long_text + "\"}"),
              "the server's reply has no text in 'content'; it "
              "begins with “" +
                  (body + long_text).substr(0, 80) + "”");
  }
  EXPECT_THAT(said(R"({"choices":[null]})"), HasSubstr("no text in 'content'"));
}

TEST(OpenAi, CountsAndReasonsThatAreNullDoNoHarm) {
  for (const char* usage : {"null", "{}", R"({"prompt_tokens":null,"completion_tokens":null})",
                            R"({"prompt_tokens":"7","completion_tokens":-1,"cost":null})"}) {
    const std::string body =
        R"({"choices":[{"finish_reason":null,"message":{"content":"{\"a\":1}"}}],"usage":)" +
        std::string{usage} + "}";
    const FakeOpenAi server{quoting_reply, {fake::status(200, "", body)}};
    const Answer answer = OpenAiProvider{options_for(server.base_url())}.ask(judging, {});
    EXPECT_EQ(answer.json, R"({"a":1})") << usage;
    EXPECT_EQ(answer.flaw, "") << usage;
    EXPECT_EQ(answer.spent.tokens, 0U) << usage;
  }
}

TEST(OpenAi, AnAnswerWithoutTextThatIsCutOffIsSaidToBeSo) {
  const char* body = R"({"choices":[{"finish_reason":"length","message":{"content":null}}]})";
  const FakeOpenAi server{quoting_reply, {fake::status(200, "", body)}};
  const Answer answer = OpenAiProvider{options_for(server.base_url())}.ask(judging, {});
  EXPECT_THAT(answer.flaw, ::testing::HasSubstr("cut off after some tokens"));
}

TEST(OpenAi, AnAnswerOfAnotherShapeIsToldInPlainWordsAndQuoted) {
  const auto said = [](const std::string& json) -> std::string {
    try {
      static_cast<void>(read_answer(judging, json, [](const nlohmann::json& answer) {
        return answer.at("verdicts").at(0).at("id").get<std::vector<int>>();
      }));
    } catch (const ProviderError& error) {
      const std::string text = error.what();
      const std::string quote = "; it begins with “" + json + "”";
      EXPECT_EQ(text.ends_with(quote), !json.empty()) << text;
      const auto from = text.find("schema: ") + 8;
      return text.substr(from, text.find(quote) - from);
    }
    return "";
  };
  EXPECT_EQ(said(R"({"foo":1})"), "the key 'verdicts' is missing");
  EXPECT_EQ(said(R"({"verdicts":[]})"), "a list is too short");
  EXPECT_EQ(said(R"({"verdicts":[{"id":"x"}]})"),
            "a value is of the type string, and has to be array");
  EXPECT_EQ(said(R"({"verdicts":"x"})"), "there is string where an object has to be");
  EXPECT_EQ(said(""), "it is empty");
  EXPECT_EQ(said(R"([])"), "there is array where an object has to be");
}

TEST(OpenAi, AnAnswerThatIsCutOffIsPaidAndSaysAfterHowManyTokens) {
  const FakeOpenAi server{
      quoting_reply,
      {fake::status(200, "",
                    R"({"choices":[{"finish_reason":"length","message":{"content":"{"}}],)"
                    R"("usage":{"prompt_tokens":9,"completion_tokens":250}})")}};
  OpenAiProvider provider{options_for(server.base_url())};
  std::uint64_t tokens = 0;
  const Call call{provider, {}, [&](const Spent& spent) { tokens += spent.tokens; }};
  try {
    static_cast<void>(judged(call));
    ADD_FAILURE() << "no error";
  } catch (const ProviderError& error) {
    EXPECT_FALSE(error.retryable());
    EXPECT_NE(
        std::string{error.what()}.find("cut off after 250 tokens: 4096 are allowed (--max-tokens)"),
        std::string::npos);
  }
  EXPECT_EQ(tokens, 259U);
}

TEST(OpenAi, ALongComplaintIsCutBetweenTwoCharacters) {
  std::string text = "x";
  while (text.size() < 400) text += "é";
  const auto error = error_after(fake::status(400, "", nlohmann::json{{"error", text}}.dump()));
  ASSERT_TRUE(error);
  EXPECT_NO_THROW(static_cast<void>(nlohmann::json(error->what()).dump())) << error->what();
}

TEST(OpenAi, RefusedConnectionIsRetryable) {
  std::string url;
  {
    const FakeOpenAi gone{quoting_reply};
    url = gone.base_url();
  }
  const auto error = error_of(options_for(url));
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->retryable());
}

TEST(OpenAi, HangingServerEndsInARetryableTimeout) {
  const FakeOpenAi server{quoting_reply, {fake::hang()}};
  auto options = options_for(server.base_url());
  options.timeout = 50ms;
  const auto error = error_of(options);
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->retryable());
}

TEST(OpenAi, StopRequestedBeforeTheCallSendsNothing) {
  const FakeOpenAi server{quoting_reply};
  std::stop_source stop;
  stop.request_stop();
  OpenAiProvider provider{options_for(server.base_url())};
  EXPECT_THROW(provider.ask(judging, stop.get_token()), Stopped);
  EXPECT_EQ(server.requests(), 0U);
}

TEST(OpenAi, StopAtAnyMomentNeverHangs) {
  for (int round = 0; round < 20; ++round) {
    const FakeOpenAi server{quoting_reply, {fake::hang()}};
    std::stop_source stop;
    auto asking = std::async(std::launch::async, [&] {
      OpenAiProvider{options_for(server.base_url())}.ask(judging, stop.get_token());
    });
    for (int i = 0; i < round * 5; ++i) std::this_thread::yield();
    stop.request_stop();
    ASSERT_EQ(asking.wait_for(10s), std::future_status::ready);
    EXPECT_THROW(asking.get(), Stopped);
  }
}

TEST(OpenAi, KeyIsNeverInAMessage) {
  const auto error = error_after(
      fake::status(401, "", R"({"error":{"message":"Incorrect API key provided: sk-secret"}})"));
  const std::string message = error->what();
  EXPECT_EQ(message.find("sk-secret"), std::string::npos);
  EXPECT_NE(message.find("Incorrect API key"), std::string::npos);
}

TEST(OpenAi, PrefixOfTheBaseUrlIsKept) {
  const FakeOpenAi server{quoting_reply};
  OpenAiProvider{options_for(server.base_url() + "/v1/")}.ask(judging, {});
  OpenAiProvider{options_for(server.base_url() + "/proxy")}.ask(judging, {});
  const std::vector<std::string> expected{"/v1/chat/completions", "/proxy/v1/chat/completions"};
  EXPECT_EQ(server.targets(), expected);
}

TEST(OpenAi, BaseUrlThatCannotBeReadIsNotRetryable) {
  for (const std::string url : {"localhost:80", "ftp://x", "http://"}) {
    const auto error = error_of(options_for(url));
    ASSERT_TRUE(error) << url;
    EXPECT_FALSE(error->retryable());
  }
}

TEST(OpenAi, ToolsGoOutAsFunctionsAndCallsComeBackAsTheAnswer) {
  const char* body =
      R"({"choices":[{"message":{"content":null,"tool_calls":[)"
      R"({"id":"1","type":"function","function":{"name":"query","arguments":"{\"sql\":\"x\"}"}},)"
      R"({"id":"2","type":"function","function":{"name":"query","arguments":"{bad"}}]}}]})";
  const FakeOpenAi server{quoting_reply, {fake::status(200, "", body)}};
  Task task = judging;
  task.tools = {{"query", "Runs SQL.", R"({"type":"object"})"}};
  const Answer answer = OpenAiProvider{options_for(server.base_url())}.ask(task, {});
  EXPECT_EQ(answer.json, R"({"calls":[{"arguments":{"sql":"x"},"name":"query"},)"
                         R"({"arguments":"{bad","name":"query"}]})");
  const auto sent = nlohmann::json::parse(server.bodies().at(0));
  EXPECT_EQ(sent.at("/tools/0/function/name"_json_pointer), "query");
}

TEST(OpenAi, AServerWithoutFunctionsIsToldTheToolsInWords) {
  const FakeOpenAi server{
      quoting_reply,
      {fake::status(400, "", R"({"error":"tools are not supported"})"),
       fake::status(400, "", R"({"error":"response_format is not supported"})")}};
  Task task = judging;
  task.tools = {{"query", "Runs SQL.", R"({"type":"object"})"}};
  EXPECT_FALSE(OpenAiProvider{options_for(server.base_url())}.ask(task, {}).json.empty());
  ASSERT_EQ(server.requests(), 3U);
  const auto sent = nlohmann::json::parse(server.bodies().at(2));
  EXPECT_FALSE(sent.contains("tools"));
  EXPECT_FALSE(sent.contains("response_format"));
  EXPECT_THAT(sent.dump(), ::testing::HasSubstr("Runs SQL."));
}

}  // namespace
}  // namespace model
