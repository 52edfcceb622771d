// Old turns of a long conversation are summarised: once each, also when the job is killed.
#include <csignal>

#include "insights/insights_run.hpp"
#include "insights/recollection.hpp"

namespace insights::testing {
namespace {

using resumable::test::Ended;
using resumable::test::FakeOpenAi;
using resumable::test::hang;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Summaries = InsightsTest;

constexpr int most = 14;  // turns

Json long_request() {
  return {{"systemId", "Seattle"}, {"maxIterations", most}, {"summarizeAbove", 2000}};
}

bool is_summary(const std::string& message) { return Json::parse(message).at("task") == "summary"; }

/// Calls tools until it is told to stop; summaries are numbered by the turns that they are given.
std::string talkative_reply(const std::string& message) {
  const Json json = Json::parse(message);
  if (!is_summary(message)) return endless_reply(message);
  const auto count = json.at("input").at("turns").size();
  return Json{{"summary", "summary of " + std::to_string(count)}}.dump();
}

std::vector<Json> inputs_of(const FakeOpenAi& server, bool summaries) {
  std::vector<Json> all;
  for (const std::string& body : server.bodies()) {
    const auto message = Json::parse(body).at("messages").back().at("content").get<std::string>();
    if (is_summary(message) == summaries) all.push_back(input_of(body));
  }
  return all;
}

TEST_F(Summaries, StandForTheOldTurnsOnceTheConversationIsTooLong) {
  FakeOpenAi server{talkative_reply};
  const Said said = ask("j", {"--provider", provider(server)}, long_request());
  ASSERT_EQ(said.code, 0) << said.out;
  const auto turns_seen = inputs_of(server, false);
  const auto summarised = inputs_of(server, true);
  ASSERT_EQ(turns_seen.size(), std::size_t{most}) << "a summary costs no turn";
  ASSERT_GE(summarised.size(), 2U);
  const Json& last = turns_seen.back().at("exchanges");
  EXPECT_LT(last.size(), 9U);
  EXPECT_THAT(last.at(0).at("summary").get<std::string>(), StartsWith("summary of "));
  const auto covered = last.at(0).at("turns").get<std::size_t>();
  EXPECT_EQ(covered + last.size() - 1, std::size_t{most - 1}) << "each turn is there";
  EXPECT_EQ(last.at(0).at("called").size(), covered) << "and each call";
  const std::size_t first = summarised[0].at("turns").size();
  EXPECT_EQ(summarised[1].at("turns").at(0).at("summary"), "summary of " + std::to_string(first))
      << "the summary before is summarised, too";
  EXPECT_EQ(said.json().at("insights").at("contextSummary").at("omitted"), covered);
}

TEST_F(Summaries, AreNotAskedForUnlessTheRequestSaysSo) {
  FakeOpenAi server{talkative_reply};
  Json request = long_request();
  request.erase("summarizeAbove");
  ASSERT_EQ(ask("j", {"--provider", provider(server)}, request).code, 0);
  EXPECT_EQ(inputs_of(server, true).size(), 0U);
}

TEST_F(Summaries, AfterAKillAreThoseThatThereWere) {
  FakeOpenAi plain{talkative_reply};
  const Said whole = ask("whole", {"--provider", provider(plain)}, long_request());
  for (const int killed_in : {8, 13}) {
    const std::string job = "killed" + std::to_string(killed_in);
    FakeOpenAi server{talkative_reply, answers_then(killed_in - 1, hang())};
    const auto child = start(job, {"--provider", provider(server)}, long_request());
    server.wait_for_requests(static_cast<std::size_t>(killed_in));
    child->kill(SIGKILL);
    ASSERT_EQ(child->wait(), (Ended{-1, SIGKILL}));
    const Said said = go_on(job);
    ASSERT_EQ(said.code, 0) << said.out;
    EXPECT_EQ(said.json().at("insights"), whole.json().at("insights"));
    EXPECT_EQ(server.requests(), plain.requests() + 1) << "the one that was not answered";
    EXPECT_EQ(input_of(server.bodies().back()), input_of(plain.bodies().back()));
  }
}

TEST_F(Summaries, OfTheComputedProviderAreItsFindings) {
  Json request = december_request();
  request["summarizeAbove"] = 4000;
  const Said said = ask("j", {}, request);
  ASSERT_EQ(said.code, 0) << said.out;
  const Json answer = said.json();
  EXPECT_EQ(answer.at("metadata").at("outcome"), "answered") << "no question is asked twice";
  EXPECT_GT(answer.at("insights").at("contextSummary").at("omitted"), 0);
  const auto text = answer.at("insights").at("rawText").get<std::string>();
  EXPECT_THAT(text, HasSubstr("From earlier turns"));
  EXPECT_THAT(text, HasSubstr("54.1 on 2015-12-08"));
}

Exchange turn_of(int number, std::size_t length) {
  Exchange turn;
  turn.turn = number;
  turn.thought = std::string(length, 'x');
  turn.calls = {{"trend", "{}", "{}"}};
  return turn;
}

TEST(Recollection, ASummaryInProseIsTakenAsItIs) {
  Recollection all{"?", 100, [](const model::Task&) { return "It rained."; }};
  for (int turn = 1; turn <= 6; ++turn) {
    all.add(turn_of(turn, 50));
  }
  EXPECT_EQ(all.conversation().front().at("summary"), "It rained.");
  EXPECT_EQ(all.conversation().size(), 4U);
  EXPECT_EQ(all.summarised(), 3);
}

TEST(Recollection, FewTurnsAreNotSummarisedHoweverLongTheyAre) {
  Recollection all{"?", 10,
                   [](const model::Task&) -> std::string { throw std::logic_error{"asked"}; }};
  for (int turn = 1; turn <= 5; ++turn) all.add(turn_of(turn, 999));
  EXPECT_EQ(all.conversation().size(), 5U);
}

}  // namespace
}  // namespace insights::testing
