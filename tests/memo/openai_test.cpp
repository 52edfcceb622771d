#include "model/openai.hpp"

#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "memo/extractive.hpp"
#include "memo/tasks.hpp"
#include "memo_run.hpp"
#include "model/asking.hpp"
#include "support/fake_openai.hpp"

namespace memo {
namespace {

using namespace std::chrono_literals;
using resumable::test::Act;
using resumable::test::FakeOpenAi;
namespace fake = resumable::test;

const model::Task judging{"judge", "",
                          R"({"statements":[{"id":0,"statement":"a b c","quote":"a b c"}]})", "{}"};

model::OpenAiOptions options_for(const std::string& url) {
  model::OpenAiOptions options;
  options.base_url = url;
  options.model = "test-model";
  options.key = "sk-secret";
  options.timeout = 20s;
  return options;
}

std::optional<model::ProviderError> error_of(const model::OpenAiOptions& options) {
  try {
    model::OpenAiProvider{options}.ask(judging, {});
  } catch (const model::ProviderError& error) {
    return error;
  }
  return std::nullopt;
}

std::optional<model::ProviderError> error_after(Act act) {
  const FakeOpenAi server{testing::extractive_reply, {std::move(act)}};
  auto error = error_of(options_for(server.base_url()));
  EXPECT_EQ(server.requests(), 1U) << "the provider must not try again by itself";
  return error;
}

TEST(OpenAi, AnswersAndReportsWhatItSpent) {
  const FakeOpenAi server{testing::extractive_reply};
  auto options = options_for(server.base_url());
  options.terms.usd_per_million_input = 1e6;
  const model::Answer answer = model::OpenAiProvider{options}.ask(judging, {});
  EXPECT_EQ(answer.json, R"({"verdicts":[{"id":0,"supported":true}]})");
  EXPECT_GT(answer.spent.tokens, 0U);
  EXPECT_GT(answer.spent.usd, 0.0);
}

TEST(OpenAi, WhatTheServerSaysItChargesCountsBeforeThePrices) {
  const FakeOpenAi server{
      testing::extractive_reply,
      {fake::status(200, "",
                    R"({"choices":[{"finish_reason":"stop","message":{"content":"{}"}}],)"
                    R"("usage":{"prompt_tokens":9,"completion_tokens":2,"cost":0.0123}})")}};
  auto options = options_for(server.base_url());
  options.terms.usd_per_million_input = 1e6;
  const model::Answer answer = model::OpenAiProvider{options}.ask(judging, {});
  EXPECT_EQ(answer.spent.tokens, 11U);
  EXPECT_DOUBLE_EQ(answer.spent.usd, 0.0123);
}

TEST(OpenAi, SendsModelTemperatureZeroAndTheKey) {
  const FakeOpenAi server{testing::extractive_reply};
  model::OpenAiProvider{options_for(server.base_url())}.ask(judging, {});
  const auto body = nlohmann::json::parse(server.bodies().at(0));
  EXPECT_EQ(body.at("model"), "test-model");
  EXPECT_EQ(body.at("temperature"), 0);
  EXPECT_EQ(server.authorizations().at(0), "Bearer sk-secret");
}

TEST(OpenAi, SendsTheTasksSchemaASeedAndALimitOfTokens) {
  const FakeOpenAi server{testing::extractive_reply};
  model::Task judge = judging;
  judge.schema = R"({"verdicts":[{"id":0,"supported":true}]})";
  model::OpenAiProvider{options_for(server.base_url())}.ask(judge, {});
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
  const FakeOpenAi server{testing::extractive_reply};
  model::Task either = judging;
  either.schema = R"({"a":1} or {"b":2})";
  model::OpenAiProvider{options_for(server.base_url())}.ask(either, {});
  const auto body = nlohmann::json::parse(server.bodies().at(0));
  EXPECT_EQ(body.at("response_format").at("type"), "json_object");
}

TEST(OpenAi, AServerThatRefusesResponseFormatIsAskedWithout) {
  const FakeOpenAi server{
      testing::extractive_reply,
      {fake::status(400, "", R"({"error":{"message":"unknown field response_format"}})")}};
  model::OpenAiProvider provider{options_for(server.base_url())};
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
  model::OpenAiProvider provider{options};
  double usd = 0;
  const model::Call call{provider, {}, [&](const model::Spent& spent) { usd += spent.usd; }};
  try {
    judge(call, {{"a b c", "a b c", "x.md"}});
    ADD_FAILURE() << "no error";
  } catch (const model::ProviderError& error) {
    EXPECT_TRUE(error.retryable());
    EXPECT_NE(std::string{error.what()}.find("it is prose, without JSON"), std::string::npos);
  }
  EXPECT_GT(usd, 0.0);
}

TEST(OpenAi, TheNextTryIsToldWhatWasWrongWithTheAnswer) {
  int replies = 0;
  const FakeOpenAi server{[&](const std::string& message) {
    return ++replies == 1 ? std::string{"Sorry, I cannot."} : testing::extractive_reply(message);
  }};
  model::OpenAiProvider provider{options_for(server.base_url())};
  model::Call call{provider, {}, {}};
  call.record = [](const model::Task&, const std::function<std::string()>& answer) {
    EXPECT_THROW(static_cast<void>(answer()), model::ProviderError);
    return answer();
  };
  EXPECT_EQ(judge(call, {{"a b c", "a b c", "x.md"}}), std::vector<bool>{true});
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
}

TEST(OpenAi, RetryAfterThatIsNoTimeIsLeftOut) {
  EXPECT_EQ(error_after(fake::status(429, "soon"))->retry_after(), std::nullopt);
}

TEST(OpenAi, ServerErrorsAreRetryable) {
  for (const int status : {500, 502, 503}) {
    const auto error = error_after(fake::status(status));
    ASSERT_TRUE(error);
    EXPECT_TRUE(error->retryable()) << status;
    EXPECT_EQ(error->http_status(), status);
  }
}

TEST(OpenAi, RefusalsAreNotRetryable) {
  for (const int status : {400, 401, 403, 404}) {
    const auto error = error_after(fake::status(status));
    ASSERT_TRUE(error);
    EXPECT_FALSE(error->retryable()) << status;
  }
}

TEST(OpenAi, DroppedConnectionIsRetryable) {
  const auto error = error_after(fake::drop());
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->retryable());
  EXPECT_EQ(error->http_status(), 0);
}

TEST(OpenAi, HalfABodyIsRetryable) {
  const auto error = error_after(fake::half_body());
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->retryable());
}

TEST(OpenAi, HalfAJsonIsRetryable) {
  const auto error = error_after(fake::half_json());
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->retryable());
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

TEST(OpenAi, HalfAJsonIsSaidToBeHalf) {
  const auto error = error_after(fake::half_json());
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), ::testing::HasSubstr("half an answer"));
}

TEST(OpenAi, CountsAndReasonsThatAreNullDoNoHarm) {
  for (const char* usage : {"null", "{}", R"({"prompt_tokens":null,"completion_tokens":null})",
                            R"({"prompt_tokens":"7","completion_tokens":-1,"cost":null})"}) {
    const std::string body =
        R"({"choices":[{"finish_reason":null,"message":{"content":"{\"a\":1}"}}],"usage":)" +
        std::string{usage} + "}";
    const FakeOpenAi server{testing::extractive_reply, {fake::status(200, "", body)}};
    const model::Answer answer =
        model::OpenAiProvider{options_for(server.base_url())}.ask(judging, {});
    EXPECT_EQ(answer.json, R"({"a":1})") << usage;
    EXPECT_EQ(answer.flaw, "") << usage;
    EXPECT_EQ(answer.spent.tokens, 0U) << usage;
  }
}

TEST(OpenAi, AnAnswerWithoutTextThatIsCutOffIsSaidToBeSo) {
  const char* body = R"({"choices":[{"finish_reason":"length","message":{"content":null}}]})";
  const FakeOpenAi server{testing::extractive_reply, {fake::status(200, "", body)}};
  const model::Answer answer =
      model::OpenAiProvider{options_for(server.base_url())}.ask(judging, {});
  EXPECT_THAT(answer.flaw, ::testing::HasSubstr("cut off after some tokens"));
}

TEST(OpenAi, AnAnswerOfAnotherShapeIsToldInPlainWordsAndQuoted) {
  const auto said = [](const std::string& json) -> std::string {
    try {
      static_cast<void>(model::read_answer(judging, json, [](const nlohmann::json& answer) {
        return answer.at("verdicts").at(0).at("id").get<std::vector<int>>();
      }));
    } catch (const model::ProviderError& error) {
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
      testing::extractive_reply,
      {fake::status(200, "",
                    R"({"choices":[{"finish_reason":"length","message":{"content":"{"}}],)"
                    R"("usage":{"prompt_tokens":9,"completion_tokens":250}})")}};
  model::OpenAiProvider provider{options_for(server.base_url())};
  std::uint64_t tokens = 0;
  const model::Call call{provider, {}, [&](const model::Spent& spent) { tokens += spent.tokens; }};
  try {
    judge(call, {{"a b c", "a b c", "x.md"}});
    ADD_FAILURE() << "no error";
  } catch (const model::ProviderError& error) {
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

TEST(OpenAi, ANumberThatWasNotOfferedIsNamedAsItIs) {
  try {
    static_cast<void>(model::offered(std::vector<int>{1, 2}, nlohmann::json(-3)));
    ADD_FAILURE() << "no error";
  } catch (const model::Misfit& error) {
    EXPECT_STREQ(error.what(), "-3 was not offered");
  }
}

TEST(OpenAi, RefusedConnectionIsRetryable) {
  std::string url;
  {
    const FakeOpenAi gone{testing::extractive_reply};
    url = gone.base_url();
  }
  const auto error = error_of(options_for(url));
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->retryable());
}

TEST(OpenAi, HangingServerEndsInARetryableTimeout) {
  const FakeOpenAi server{testing::extractive_reply, {fake::hang()}};
  auto options = options_for(server.base_url());
  options.timeout = 50ms;
  const auto error = error_of(options);
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->retryable());
}

TEST(OpenAi, StopEndsTheWaitForAHangingServer) {
  const FakeOpenAi server{testing::extractive_reply, {fake::hang()}};
  std::stop_source stop;
  auto asking = std::async(std::launch::async, [&] {
    model::OpenAiProvider{options_for(server.base_url())}.ask(judging, stop.get_token());
  });
  server.wait_for_requests(1);
  stop.request_stop();
  ASSERT_EQ(asking.wait_for(5s), std::future_status::ready);
  EXPECT_THROW(asking.get(), model::Stopped);
}

TEST(OpenAi, StopRequestedBeforeTheCallSendsNothing) {
  const FakeOpenAi server{testing::extractive_reply};
  std::stop_source stop;
  stop.request_stop();
  model::OpenAiProvider provider{options_for(server.base_url())};
  EXPECT_THROW(provider.ask(judging, stop.get_token()), model::Stopped);
  EXPECT_EQ(server.requests(), 0U);
}

TEST(OpenAi, StopAtAnyMomentNeverHangs) {
  for (int round = 0; round < 20; ++round) {
    const FakeOpenAi server{testing::extractive_reply, {fake::hang()}};
    std::stop_source stop;
    auto asking = std::async(std::launch::async, [&] {
      model::OpenAiProvider{options_for(server.base_url())}.ask(judging, stop.get_token());
    });
    for (int i = 0; i < round * 5; ++i) std::this_thread::yield();
    stop.request_stop();
    ASSERT_EQ(asking.wait_for(10s), std::future_status::ready);
    EXPECT_THROW(asking.get(), model::Stopped);
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
  const FakeOpenAi server{testing::extractive_reply};
  model::OpenAiProvider{options_for(server.base_url() + "/v1/")}.ask(judging, {});
  model::OpenAiProvider{options_for(server.base_url() + "/proxy")}.ask(judging, {});
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

TEST(OpenAi, WholeMemoThroughTheServerEqualsTheExtractiveOne) {
  const FakeOpenAi server{testing::extractive_reply};
  model::OpenAiProvider remote{options_for(server.base_url())};
  ExtractiveProvider local;
  std::uint64_t tokens = 0;
  const model::Call call{remote, {}, [&](const model::Spent& spent) { tokens += spent.tokens; }};
  const auto far = testing::run_memo(call, {"cloud.gov"}, testing::pack());
  const auto near = testing::run_memo({local, {}, {}}, {"cloud.gov"}, testing::pack());
  EXPECT_EQ(far.sections, near.sections);
  EXPECT_EQ(far.validation, near.validation);
  EXPECT_GT(tokens, 1000U);
}

}  // namespace
}  // namespace memo
