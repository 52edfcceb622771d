// The program insights: the shapes of its answers, exit codes, jobs in use or damaged.
#include <algorithm>
#include <csignal>
#include <future>

#include "insights/insights_run.hpp"
#include "resumable/progress.hpp"
#include "resumable/resume.hpp"
#include "resumable/schema.hpp"
#include "resumable/store.hpp"

namespace insights::testing {

/// A turn as a later version of the program may save it.
struct LaterExchange {
  int turn = 1;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaterExchange, turn)

struct OtherExchange {
  int number = 1;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OtherExchange, number)

}  // namespace insights::testing

template <>
struct resumable::Schema<insights::testing::LaterExchange> {
  static constexpr std::string_view name = "";
  static void same(nlohmann::json&) {}
  static constexpr Migrations migrations{same};
};

namespace insights::testing {
namespace {

namespace rs = resumable;
using resumable::test::FakeOpenAi;
using resumable::test::hang;
using resumable::test::read_file;
using resumable::test::snapshot;
using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

using InsightsCommand = InsightsTest;

std::vector<std::string> names(const Json& object) {
  std::vector<std::string> all;
  for (const auto& [name, value] : object.items()) all.push_back(name);
  return all;
}

TEST_F(InsightsCommand, AnswersInTheShapesOfTheContract) {
  const Said said = ask("j");
  EXPECT_EQ(said.code, 0);
  const Json good = said.json();
  EXPECT_THAT(names(good), UnorderedElementsAre("success", "insights", "metadata"));
  EXPECT_TRUE(good.at("success"));
  EXPECT_THAT(names(good.at("insights")),
              UnorderedElementsAre("rawText", "contextSummary", "findings"));
  EXPECT_THAT(
      names(good.at("metadata")),
      UnorderedElementsAre("mode", "jobId", "outcome", "turns", "toolCalls", "toolCacheHits",
                           "durationMs", "wasResumed", "cached", "usedFunctionCalling"));
  EXPECT_EQ(good.at("metadata").at("jobId"), "j");
  EXPECT_FALSE(good.at("metadata").at("wasResumed"));
  EXPECT_TRUE(good.at("metadata").at("usedFunctionCalling"));
  EXPECT_EQ(good.at("metadata").at("outcome"), "answered");

  FakeOpenAi server{clerk_reply};
  leave_unfinished("k", server);
  const Json bad = go_on("k", {"--budget", "100ms", "--pace", "1000"}).json();
  EXPECT_THAT(names(bad), UnorderedElementsAre("success", "error", "message", "details"));
  EXPECT_FALSE(bad.at("success"));
  EXPECT_EQ(bad.at("message"),
            "Insights generation timed out after 100ms. A checkpoint was saved - retry with "
            "resumeJobId to continue.");
  EXPECT_THAT(names(bad.at("details")),
              UnorderedElementsAre("jobId", "canResume", "wasResumed", "durationMs", "timeoutMs",
                                   "turns", "toolCalls", "elapsedMs", "savedAt", "saved"));
}

TEST_F(InsightsCommand, AJobThatWasKilledBeforeItRecordedAnythingIsBegunAgain) {
  std::filesystem::create_directories(folder / "out/j/.resumable");
  EXPECT_EQ(ask("j").code, 0);
}

TEST_F(InsightsCommand, PricesGiveWhatWasSpentAndWhatAResumeSaved) {
  FakeOpenAi server{clerk_reply, answers_then(7, resumable::test::status(400))};
  const Words prices{"--price-in", "150"};
  const Said failed = ask("j", {"--provider", provider(server), "--price-in", "150"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_GT(failed.json().at("details").at("cost").at("usd"), 0.0) << failed.out;
  EXPECT_THAT(failed.err, HasSubstr(" --price-in 150\n"));
  EXPECT_THAT(insights({"status", "j"}).out, HasSubstr(", $"));
  const Json metadata = go_on("j", prices).json().at("metadata");
  EXPECT_GT(metadata.at("cost").at("usd"), 0.0) << metadata;
  EXPECT_GT(metadata.at("saved").at("usd"), metadata.at("cost").at("usd")) << "7 of 10 turns";
  EXPECT_THAT(insights({"status", "j"}).out, HasSubstr(", $"));
  const Json metrics = insights({"status", "j", "--json"}).json().at("metrics");
  EXPECT_EQ(metrics.at("resumes"), 1) << metrics;
  for (const char* one : {"savedSeconds", "loadSeconds", "saveSeconds"})
    EXPECT_GT(metrics.at(one), 0.0) << one;
  EXPECT_EQ(ask("k", {"--price-in", "-1"}).code, 2);
}

TEST_F(InsightsCommand, AModelCallsToolsAsFunctionsAndAServerWithoutThemIsToldInWords) {
  FakeOpenAi server{
      clerk_reply,
      {resumable::test::status(400, "", R"({"error":{"message":"tools are not known"}})")}};
  const Said said = ask("j", {"--provider", provider(server)});
  ASSERT_EQ(said.code, 0) << said.out;
  const Json tools = Json::parse(server.bodies().at(0)).at("tools");
  ASSERT_EQ(tools.size(), 4U) << "no chart was asked for";
  EXPECT_EQ(tools.at(3).at("/function/name"_json_pointer), "query");
  EXPECT_FALSE(Json::parse(server.bodies().at(1)).contains("tools"));
  EXPECT_EQ(said.json().at("insights"), uninterrupted());
}

TEST_F(InsightsCommand, ChoosesAnIdAndSaysItAtOnce) {
  const Said said =
      insights({"request", "--data", data_folder().string()}, december_request().dump());
  const std::string id = said.json().at("metadata").at("jobId").get<std::string>();
  EXPECT_THAT(id, ::testing::MatchesRegex("insights_[0-9]{13}_[a-z0-9]{6}"));
  EXPECT_THAT(said.err, HasSubstr("job " + id));
}

TEST_F(InsightsCommand, SaysOfAFinishedJobWhatItSaidAndDoesNotBeginItAgain) {
  FakeOpenAi server{clerk_reply};
  const Json first = ask("j", {"--provider", provider(server)}).json();
  const Said again = go_on("j");
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.json().at("insights"), first.at("insights"));
  EXPECT_TRUE(again.json().at("metadata").at("cached"));
  EXPECT_TRUE(again.json().at("metadata").at("wasResumed"));
  EXPECT_EQ(again.json().at("metadata").at("turns"), turns);
  EXPECT_EQ(server.requests(), std::size_t{turns});
  const Said begun = ask("j");
  EXPECT_EQ(begun.code, 2);
  EXPECT_THAT(begun.json().at("message").get<std::string>(), HasSubstr("resumeJobId"));
}

TEST_F(InsightsCommand, RefusesBadRequestsAndWritesNothing) {
  const auto refused = [&](Words words, const std::string& in, const char* sentence) {
    words.insert(words.begin(), "request");
    const Said said = insights(std::move(words), in);
    EXPECT_EQ(said.code, 2) << in;
    EXPECT_EQ(said.json().at("error"), "bad_request");
    EXPECT_THAT(said.json().at("message").get<std::string>(), HasSubstr(sentence));
    EXPECT_FALSE(said.json().at("details").at("canResume"));
  };
  const std::string data = data_folder().string();
  refused({"--data", data}, "nonsense", "not JSON");
  refused({"--data", data}, R"({"systemId":"Seattle","contextWindowDays":-1})", "whole number");
  refused({"--data", data}, R"({"systemId":"Oslo"})", "New York, Seattle");
  refused({"--data", "/nonexistent"}, R"({"systemId":"Oslo"})", "no such file or folder");
  refused({}, R"({"systemId":"Seattle"})", "--data");
  refused({"--data", data, "--provider", "openai:m@ftp://x"}, R"({"systemId":"Seattle"})", "ftp");
  refused({"--data", data, "--budget", "5s", "--reserve", "5s"}, R"({"systemId":"Seattle"})",
          "--reserve");
  refused({"/nonexistent"}, "", "cannot be read");
  refused({data}, "", "cannot be read");
  refused({}, R"({"resumeJobId":"../out"})", "");
  refused({}, R"({"resumeJobId":""})", "");
  for (const Words& flags : {Words{"--budget", "-1s"}, Words{"--provider", "clerk"},
                             Words{"--provider", "openai:gpt"}, Words{"--base-url", "http://x"}}) {
    EXPECT_EQ(ask("j", flags).code, 2) << flags.back();
  }
  EXPECT_EQ(insights({"ask"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_F(InsightsCommand, AJobThatIsWorkedOnNamesItsOwnerOrIsWaitedFor) {
  FakeOpenAi server{clerk_reply, answers_then(2, hang())};
  const auto child = start("j", {"--provider", provider(server)});
  server.wait_for_requests(3);
  const Said busy = go_on("j");
  EXPECT_EQ(busy.code, 4);
  EXPECT_EQ(busy.json().at("error"), "insights_busy");
  EXPECT_FALSE(busy.json().at("details").at("wasResumed")) << "another process works on it";
  EXPECT_EQ(busy.json().at("details").at("owner").at("pid"), child->pid());
  EXPECT_THAT(busy.json().at("message").get<std::string>(),
              HasSubstr("pid " + std::to_string(child->pid())));
  EXPECT_EQ(server.requests(), 3U) << "one works, one is told";
  const Said waited = go_on("j", {"--wait", "200ms"});
  EXPECT_EQ(waited.code, 4);
  EXPECT_GE(waited.json().at("details").at("durationMs"), 200);
  auto waiting = std::async(std::launch::async, [&] { return go_on("j", {"--wait", "60s"}); });
  child->kill(SIGKILL);
  EXPECT_EQ(waiting.get().code, 0);
}

TEST_F(InsightsCommand, AnAnswerThatIsDamagedIsGivenAgainFromTheSavedTurns) {
  FakeOpenAi server{clerk_reply};
  const Json first = ask("j", {"--provider", provider(server)}).json();
  damage(checkpoints("j") / "insights.1.ckpt", "These are findings", "These are fundings");
  const Json again = go_on("j").json();
  EXPECT_EQ(again.at("insights"), first.at("insights"));
  EXPECT_FALSE(again.at("metadata").at("cached"));
  ASSERT_EQ(again.at("metadata").at("warnings").size(), 1U);
  EXPECT_THAT(again.at("metadata").at("warnings").at(0).get<std::string>(),
              HasSubstr("insights.1.ckpt"));
}

TEST_F(InsightsCommand, TurnsThatAreDamagedMakeAFreshStartThatIsReported) {
  FakeOpenAi server{clerk_reply};
  for (const std::string job : {"altered", "torn"}) {
    leave_unfinished(job, server);
    const auto turns_on_record = first_turn(job);
    if (job == "torn") {
      write_file(turns_on_record, "nonsense");
    } else {
      damage(turns_on_record, R"("turn":1})", R"("turn":3})");
    }
    const Json answer = go_on(job).json();
    EXPECT_EQ(answer.at("insights").dump(), uninterrupted().dump());
    const Json& metadata = answer.at("metadata");
    EXPECT_TRUE(metadata.at("restarted")) << job;
    EXPECT_THAT(metadata.at("warnings").at(0).get<std::string>(),
                HasSubstr(turns_on_record.filename().string()));
    EXPECT_EQ(metadata.at("turns"), turns);
    std::filesystem::remove_all(folder / "out/uninterrupted");
  }
}

TEST_F(InsightsCommand, ARequestThatIsDamagedIsSaidSo) {
  ASSERT_EQ(ask("j").code, 0);
  for (const char* copy : {"@input/request.1.ckpt", "@input/request.2.ckpt"}) {
    damage(checkpoints("j") / copy, "\"Seattle\"", "\"Seabees\"");
  }
  const Said said = go_on("j");
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.json().at("error"), "damaged_job") << said.out;
  EXPECT_FALSE(said.json().at("details").at("canResume"));
}

TEST_F(InsightsCommand, WhatANewerProgramSavedIsRefusedAndKept) {
  ASSERT_EQ(ask("j").code, 0);
  {
    rs::FileStore store{folder / "out"};
    const rs::StoredRecord good = store.get("j", {"insights", 1}).value();
    rs::Tag tag = good.tag;
    tag.raw[4] = std::byte{9};  // the layout
    const rs::Put put{{"insights", 2}, tag, good.header, good.payload.get()};
    store.lease("j")->commit({{&put, 1}, {}});
  }
  const auto before = snapshot(folder / "out/j/.resumable/checkpoints");
  const Said said = go_on("j");
  EXPECT_EQ(said.code, 3);
  EXPECT_EQ(said.json().at("error"), "insights_refused");
  EXPECT_EQ(said.json().at("details").at("reason"), "newer");
  EXPECT_EQ(snapshot(folder / "out/j/.resumable/checkpoints"), before);
}

/// A job with one turn, as another build of the program keeps it.
template <class Turn>
void leave_turn_of_another_build(rs::FileStore& store, const std::string& job) {
  rs::Pipeline other{"insights"};
  const auto request = other.input("request", Request{.system_id = "Seattle"});
  const auto readings = other.input("readings", december());
  static_cast<void>(other.stage("insights", inputs(request, readings),
                                [](rs::Context& ctx, const Request&, const Readings&) -> Insights {
                                  ctx.history<Turn>({.keep = true}).push_back({});
                                  throw std::runtime_error("no more");
                                }));
  ASSERT_EQ(rs::resume(other, store, {.run = job}).exit_code(), 1);
}

TEST_F(InsightsCommand, TurnsThatThisBuildCannotReadAreRefusedAndKept) {
  rs::FileStore store{folder / "out"};
  leave_turn_of_another_build<LaterExchange>(store, "newer");
  leave_turn_of_another_build<OtherExchange>(store, "shape_changed");
  for (const std::string reason : {"newer", "shape_changed"}) {
    const auto before = snapshot(checkpoints(reason) / "@history");
    const Said said = go_on(reason);
    EXPECT_EQ(said.code, 3) << said.out;
    EXPECT_EQ(said.json().at("error"), "insights_refused");
    EXPECT_EQ(said.json().at("details").at("reason"), reason);
    EXPECT_EQ(snapshot(checkpoints(reason) / "@history"), before);
  }
  EXPECT_THAT(insights({"status", "newer"}).out, HasSubstr("next  use the newer insights"));
}

TEST_F(InsightsCommand, AnAnswerThatTheLimitOfTurnsCutOffIsTold) {
  const auto limited = [&](int most) {
    Json request = december_request();
    request["maxIterations"] = most;
    return ask("most" + std::to_string(most), {}, request);
  };
  for (const int most : {1, 2}) {  // eight calls fit into a turn, and nine are planned
    const Said said = limited(most);
    EXPECT_EQ(said.code, 0) << "an outcome, no error";
    const Json answer = said.json();
    EXPECT_TRUE(answer.at("success"));
    EXPECT_EQ(answer.at("metadata").at("outcome"), "max_iterations") << most;
    EXPECT_EQ(answer.at("metadata").at("turns"), most);
    EXPECT_THAT(answer.at("insights").at("rawText").get<std::string>(), HasSubstr("indings"));
    EXPECT_THAT(said.err, HasSubstr("(maxIterations) was reached before the model had finished"));
  }
  const Said exact = limited(turns);
  EXPECT_EQ(exact.json().at("metadata").at("outcome"), "answered") << "it needed no more";
  EXPECT_EQ(exact.json().at("insights"), uninterrupted());
  EXPECT_THAT(exact.err, Not(HasSubstr("maxIterations")));
  EXPECT_THAT(insights({"list"}).out, HasSubstr("most1  done  1 turn, 0 tool calls (max_iter"));
  EXPECT_EQ(insights({"status", "most1", "--json"}).json().at("outcome"), "max_iterations");
}

TEST_F(InsightsCommand, AModelThatAnswersInItsLastTurnHasToSayThatThisIsTheWholeAnswer) {
  for (const auto& [said, outcome] :
       {std::pair{R"({"answer":"all"})", "max_iterations"},
        std::pair{R"({"answer":"all","complete":false})", "max_iterations"},
        std::pair{R"({"answer":"all","complete":"yes"})", "max_iterations"},
        std::pair{R"({"answer":"all","complete":true})", "answered"}}) {
    FakeOpenAi server{[reply = std::string{said}](const std::string&) { return reply; }};
    Json request = december_request();
    const Words flags{"--provider", provider(server)};
    request["maxIterations"] = 1;
    const Json last = ask("last", flags, request).json();
    EXPECT_EQ(last.at("metadata").at("outcome"), outcome) << said;
    request["maxIterations"] = 2;
    const Json early = ask("early", flags, request).json();
    EXPECT_EQ(early.at("metadata").at("outcome"), "answered") << "nothing kept it from going on";
    std::filesystem::remove_all(folder / "out");
  }
}

TEST_F(InsightsCommand, WhatCannotBeReadIsNamedAsItsExitCodeSays) {
  write_file(folder / "file", "x");
  const Said said = insights(
      {"request", "--data", data_folder().string(), "--events", (folder / "file/events").string()},
      december_request().dump());
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.json().at("error"), "insights_failed");
  write_file(folder / "out", "a file is no store");
  const Said refused = go_on("j");
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.json().at("error"), "insights_refused");
  EXPECT_EQ(refused.json().at("details").at("reason"), "unreadable");
}

}  // namespace
}  // namespace insights::testing
