// A job in several calls: out of time, killed, stopped, failed; it goes on in the turn
// that was not answered.
#include <csignal>
#include <stop_token>

#include "insights/call.hpp"
#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::Ended;
using resumable::test::FakeOpenAi;
using resumable::test::hang;
using resumable::test::read_file;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using Calls = InsightsTest;

/// Requests a stop as soon as these words were written to it.
class StopsAt final : public std::stringbuf {
 public:
  StopsAt(std::string words, std::stop_source source)
      : words_{std::move(words)}, source_{std::move(source)} {}

 private:
  int sync() override {
    if (str().find(words_) != std::string::npos) source_.request_stop();
    return std::stringbuf::sync();
  }
  std::string words_;
  std::stop_source source_;
};

/// Each turn takes at least 300 ms; a call stops at 1.2 s, and has to end by 3 s.
const Words slow{"--pace", "300", "--budget", "3s", "--reserve", "1800ms"};

TEST_F(Calls, ThatEndBeforeTheirLimitGiveTogetherWhatOneUnlimitedCallGives) {
  FakeOpenAi server{clerk_reply};
  for (const std::string& who : {std::string{"quote"}, provider(server)}) {
    Words flags = slow;
    flags.insert(flags.end(), {"--provider", who});
    const std::string job = who.substr(0, 6);
    Said said = ask(job, flags);
    int calls = 1;
    for (std::int64_t before = 0; said.code == 75 && calls < 100; ++calls) {
      const Json answer = said.json();
      EXPECT_EQ(answer.at("error"), "insights_timeout");
      const Json& details = answer.at("details");
      EXPECT_TRUE(details.at("canResume"));
      EXPECT_EQ(details.at("wasResumed"), calls > 1);
      EXPECT_LE(details.at("durationMs"), 3000);
      EXPECT_EQ(details.at("timeoutMs"), 3000);
      EXPECT_GT(details.at("turns"), before) << "each call gets on";
      before = details.at("turns").get<std::int64_t>();
      EXPECT_GE(details.at("elapsedMs"), 300 * before) << "over all calls";
      said = go_on(job, slow);
    }
    ASSERT_EQ(said.code, 0) << said.out;
    EXPECT_GE(calls, 3);
    const Json answer = said.json();
    EXPECT_EQ(answer.at("insights").dump(), uninterrupted().dump());
    EXPECT_EQ(answer.at("metadata").at("turns"), turns);
    EXPECT_EQ(answer.at("metadata").at("toolCalls"), tool_calls);
    EXPECT_TRUE(answer.at("metadata").at("wasResumed"));
    std::filesystem::remove_all(folder / "out/uninterrupted");
  }
  EXPECT_GE(server.requests(), std::size_t{turns});
}

TEST_F(Calls, CountTheTimeOfATurnThatWasCutOff) {
  std::int64_t minutes = 0;  // each look at the clock finds it a minute later
  const auto call = [&](Words words, const Json& request) {
    words.insert(words.begin(), {"insights", "request", "--out", (folder / "out").string()});
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream out;
    std::ostringstream err;
    std::istringstream from{request.dump()};
    resumable::cli::Console console{out, err};
    static_cast<void>(command(static_cast<int>(argv.size()), argv.data(), console, from, [&] {
      return std::chrono::system_clock::time_point{std::chrono::minutes{29'000'000 + ++minutes}};
    }));
    return Json::parse(out.str()).at("details");
  };
  FakeOpenAi server{clerk_reply, answers_then(3, resumable::test::status(400))};
  const Json first =
      call({"--data", data_folder().string(), "--job", "j", "--provider", provider(server)},
           december_request());
  EXPECT_EQ(first.at("turns"), 3);
  EXPECT_EQ(first.at("elapsedMs"), 4 * 60'000) << "three turns and one that failed";
  server.script({resumable::test::status(400)});
  const Json second = call({}, {{"resumeJobId", "j"}});
  EXPECT_EQ(second.at("turns"), 3);
  EXPECT_EQ(second.at("elapsedMs"), 5 * 60'000) << "and another one that failed";
}

TEST_F(Calls, StoppedByASignalSaveWhatTheyHave) {
  FakeOpenAi server{clerk_reply, answers_then(3, hang())};
  const auto child = start("j", {"--provider", provider(server)});
  server.wait_for_requests(4);
  child->kill(SIGTERM);
  EXPECT_EQ(child->wait(), (Ended{143, 0}));
  const Json answer = Json::parse(read_file(folder / "answer"));
  EXPECT_EQ(answer.at("error"), "insights_interrupted");
  EXPECT_TRUE(answer.at("details").at("canResume"));
  EXPECT_EQ(answer.at("details").at("turns"), 3);
  EXPECT_EQ(go_on("j").code, 0);
  EXPECT_EQ(server.requests(), 4U + turns - 3);
}

TEST_F(Calls, LeaveAModelThatHangsInTime) {
  FakeOpenAi server{clerk_reply, answers_then(2, hang())};
  const Said said =
      ask("j", {"--provider", provider(server), "--budget", "9s", "--reserve", "8600ms"});
  EXPECT_EQ(said.code, 75);
  const Json details = said.json().at("details");
  EXPECT_EQ(details.at("turns"), 2) << "the two before are saved";
  EXPECT_LE(details.at("durationMs"), 9000);
  EXPECT_EQ(go_on("j").code, 0);
  EXPECT_EQ(server.requests(), 3U + turns - 2) << "the third is asked again";
}

TEST_F(Calls, DoNotWaitLongerThanTheirBudgetForAModelThatIsBusy) {
  FakeOpenAi server{clerk_reply, answers_then(2, resumable::test::status(429, "20"))};
  const Said said =
      ask("j", {"--provider", provider(server), "--budget", "9s", "--reserve", "8600ms"});
  EXPECT_EQ(said.code, 75) << said.out;
  EXPECT_EQ(said.json().at("details").at("turns"), 2);
  EXPECT_LE(said.json().at("details").at("durationMs"), 9000);
  EXPECT_EQ(go_on("j").code, 0);
}

TEST_F(Calls, WithoutAFinishedTurnCanBeResumed) {
  FakeOpenAi server{clerk_reply, {hang()}};
  const Said said = ask("j", {"--provider", provider(server), "--budget", "200ms"});
  EXPECT_EQ(said.code, 1);
  const Json answer = said.json();
  EXPECT_EQ(answer.at("error"), "insights_timeout");
  EXPECT_THAT(said.err, HasSubstr(R"({"resumeJobId":"j"})"));
  EXPECT_TRUE(answer.at("details").at("canResume"));
  EXPECT_EQ(answer.at("details").at("turns"), 0);
  EXPECT_THAT(answer.at("message").get<std::string>(),
              AllOf(HasSubstr("No turn was finished; the job is kept"), HasSubstr("more time")));
  EXPECT_EQ(go_on("j").code, 0);
}

TEST_F(Calls, ThatGetOnlyProseSaySo) {
  FakeOpenAi server{[](const std::string&) { return "Things look good."; }};
  Json request = december_request();
  request["maxIterations"] = 3;
  const Said said = ask("j", {"--provider", provider(server)}, request);
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.json().at("metadata").at("outcome"), "max_iterations");
  EXPECT_THAT(
      said.json().at("insights").at("rawText").get<std::string>(),
      AllOf(HasSubstr("within 3 turns"),
            HasSubstr("none of the replies was a call of a tool or an answer. The last: the "
                      "reply is not a JSON object.")));
  EXPECT_THAT(said.err, AllOf(HasSubstr("another model"), Not(HasSubstr("with a higher one"))));
}

TEST_F(Calls, ThatFailSaveTheTurnsBefore) {
  FakeOpenAi server{clerk_reply, answers_then(3, resumable::test::status(400, "", "no"))};
  const Said said = ask("j", {"--provider", provider(server)});
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(said.json().at("error"), "insights_failed");
  EXPECT_THAT(said.json().at("message").get<std::string>(), HasSubstr("400"));
  EXPECT_EQ(said.json().at("details").at("turns"), 3);
  EXPECT_EQ(go_on("j").code, 0);
  EXPECT_EQ(server.requests(), 4U + turns - 3);
}

TEST_F(Calls, AskAModelForASummaryOnceAndShowItInPlaceOfTheTurns) {
  int summaries = 0;
  const auto reply = [&](const std::string& message) -> std::string {
    if (Json::parse(message).at("task") != "summary") return endless_reply(message);
    return Json{{"summary", "the wind was low " + std::to_string(++summaries)}}.dump();
  };
  Json request = december_request();
  request["maxIterations"] = 30;
  request["summarizeAbove"] = 1000;
  FakeOpenAi plain{reply};
  const Said whole = ask("whole", {"--provider", provider(plain)}, request);
  ASSERT_EQ(whole.code, 0) << whole.out;
  ASSERT_GT(summaries, 1);
  const std::size_t asked = plain.requests();
  EXPECT_EQ(asked, 30U + static_cast<std::size_t>(summaries));
  const Json first = input_of(plain.bodies().back()).at("turns").at(0);
  EXPECT_EQ(first.at("summary"), "the wind was low " + std::to_string(summaries));
  EXPECT_EQ(whole.json().at("/insights/contextSummary/omitted"_json_pointer), first.at("turns"));

  summaries = 0;
  FakeOpenAi server{reply, answers_then(20, hang())};
  const auto child = start("killed", {"--provider", provider(server)}, request);
  server.wait_for_requests(21);
  child->kill(SIGKILL);
  ASSERT_EQ(child->wait(), (Ended{-1, SIGKILL}));
  const Said said = go_on("killed");
  EXPECT_EQ(said.json().at("insights"), whole.json().at("insights"));
  EXPECT_EQ(server.requests(), asked + 1) << "no summary is paid twice";
}

TEST_F(Calls, SeeAfterAKillTheConversationThatTheyWouldHaveSeen) {
  const Json request{{"systemId", "Seattle"}, {"maxIterations", 81}};
  FakeOpenAi plain{endless_reply};
  const Said one = ask("one", {"--provider", provider(plain)}, request);
  ASSERT_EQ(one.code, 0) << one.out;
  ASSERT_EQ(plain.requests(), 81U);
  const Json last = input_of(plain.bodies().back());
  ASSERT_EQ(last.at("turns").size(), 26U) << "of eighty";
  EXPECT_EQ(last.at("turns").at(5), (Json{{"omitted", 55}}));
  EXPECT_EQ(input_of(plain.bodies().at(51)).at("turns").size(), 26U) << "more than fifty";
  EXPECT_EQ(input_of(plain.bodies().at(50)).at("turns").size(), 50U) << "nothing is left out yet";
  EXPECT_EQ(one.json().at("metadata").at("outcome"), "max_iterations");
  EXPECT_EQ(one.json().at("metadata").at("turns"), 81);
  EXPECT_EQ(one.json().at("metadata").at("toolCalls"), 81) << "also those that are left out";
  EXPECT_LT(bytes_beside_readings("one"), 40'000) << "of eighty turns";
  const Json metrics = insights({"status", "one", "--json"}).json().at("metrics");
  EXPECT_GT(metrics.at("bytesWritten"), metrics.at("bytesKept")) << "before and after compaction";

  FakeOpenAi server{endless_reply, answers_then(67, hang())};
  const auto child = start("two", {"--provider", provider(server)}, request);
  server.wait_for_requests(68);
  child->kill(SIGKILL);
  ASSERT_EQ(child->wait(), (Ended{-1, SIGKILL}));
  const Said two = go_on("two");
  ASSERT_EQ(two.code, 0) << two.out;
  EXPECT_EQ(two.json().at("insights"), one.json().at("insights"));
  ASSERT_EQ(server.requests(), 82U);
  for (std::size_t turn = 68; turn <= 81; ++turn) {
    EXPECT_EQ(input_of(server.bodies().at(turn)), input_of(plain.bodies().at(turn - 1))) << turn;
  }
}

TEST_F(Calls, ToldNonsenseByAModelTellItSoAndGoOn) {
  int said_so_far = 0;
  const auto reply = [&](const std::string& message) -> std::string {
    switch (++said_so_far) {
      case 1: return R"({"thought":"?"})";
      case 2:
        return R"({"calls":[{"name":"rm","arguments":["-rf"]},{"name":"query",)"
               R"("arguments":{"sql":"DELETE FROM weather"}}]})";
      case 3: return R"({"calls":[7]})";
      case 4: return "I would look at the wind first.";
      default: return clerk_reply(message);
    }
  };
  FakeOpenAi server{reply};
  const Said said = ask("j", {"--provider", provider(server)});
  ASSERT_EQ(said.code, 0) << said.out;
  EXPECT_EQ(said.json().at("metadata").at("turns"), turns + 4);
  EXPECT_EQ(server.requests(), turns + 4U) << "no turn is asked for twice";
  EXPECT_EQ(said.json().at("metadata").at("toolCalls"), tool_calls + 2);
  EXPECT_EQ(said.json().at("insights").at("rawText"), uninterrupted().at("rawText"));
  const Json seen = input_of(server.bodies().at(4)).at("turns");
  EXPECT_THAT(seen.at(0).at("problem").get<std::string>(), HasSubstr("'answer' is missing"));
  EXPECT_THAT(seen.at(1).at("calls").at(0).at("result").at("error").get<std::string>(),
              HasSubstr("not a JSON object"));
  EXPECT_EQ(seen.at(1).at("calls").at(1).at("result").at("error"), "not authorized");
  EXPECT_THAT(seen.at(2).at("problem").get<std::string>(), HasSubstr("an object has to be"));
  EXPECT_THAT(seen.at(3).at("problem").get<std::string>(), HasSubstr("not a JSON object"));
}

TEST_F(Calls, AReplyThatIsCutOffCostsItsTurn) {
  const char* half = R"({"choices":[{"finish_reason":"length","message":{"content":"{\"th"}}]})";
  FakeOpenAi server{clerk_reply, {resumable::test::status(200, "", half)}};
  const Said said = ask("j", {"--provider", provider(server)});
  ASSERT_EQ(said.code, 0) << said.out;
  EXPECT_EQ(said.json().at("metadata").at("turns"), turns + 1);
  EXPECT_EQ(server.requests(), turns + 1U);
  EXPECT_THAT(input_of(server.bodies().at(1)).at("turns").at(0).at("problem"),
              HasSubstr("4096 are allowed (--max-tokens)"));
}

TEST_F(Calls, UntilDoneAreRepeatedAndSayHowFarTheyAre) {
  Words flags = slow;
  flags.push_back("--until-done");
  const Said said = ask("j", flags);
  ASSERT_EQ(said.code, 0) << said.out;
  EXPECT_EQ(said.json().at("insights").dump(), uninterrupted().dump());
  EXPECT_THAT(said.err, HasSubstr("of at most 20 turns"));
  EXPECT_THAT(said.err, HasSubstr("continues after turn"));
}

TEST_F(Calls, UntilDoneGiveUpWhenNothingGetsOn) {
  FakeOpenAi server{clerk_reply, {hang(), hang(), hang(), hang()}};
  const Said said = ask("j", {"--provider", provider(server), "--budget", "300ms", "--until-done"});
  EXPECT_EQ(said.code, 1) << said.out;
  EXPECT_EQ(said.json().at("error"), "insights_timeout");
  EXPECT_THAT(said.err, AllOf(HasSubstr("begins in 0.2 s"), HasSubstr("begins in 0.5 s"),
                              HasSubstr("begins in 1.0 s")))
      << "longer and longer";
  EXPECT_THAT(said.err, Not(HasSubstr("begins in 2.0 s"))) << "the fourth is the last";
}

TEST_F(Calls, UntilDoneThatAreStoppedBetweenTwoCallsAreInterrupted) {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    std::stop_source source;
    StopsAt words{"the next begins in", source};
    std::ostream talk{&words};
    resumable::FileStore store{folder / "out"};
    Jobs jobs{store, std::chrono::system_clock::now};
    Caller caller{store, jobs, talk};
    CallOptions options;
    options.data = data_folder();
    options.budget = std::chrono::seconds{1};
    options.reserve = std::chrono::milliseconds{600};
    options.pace = std::chrono::milliseconds{100};
    options.stop = {source.get_token(), std::make_shared<const int>(signal)};
    Request request;
    request.system_id = "Seattle";
    const CallResult result = caller.call_until_done({request, ""}, options);
    EXPECT_EQ(result.exit_code, code);
    EXPECT_EQ(result.error, "insights_interrupted");
    EXPECT_THAT(result.message, HasSubstr("A checkpoint was saved"));
    EXPECT_TRUE(result.can_resume());
  }
}

}  // namespace
}  // namespace insights::testing
