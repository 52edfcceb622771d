// A memo through a server: what a model may do wrong, and what is never paid twice.
#include <optional>

#include "memo/memo_test.hpp"
#include "support/fake_openai.hpp"

namespace memo::testing {
namespace {

using namespace resumable::test;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class MemoProvider : public MemoTest {
 protected:
  Said through(const FakeOpenAi& server, std::vector<std::string> more = {}) const {
    std::vector<std::string> flags{"--provider",      "openai",  "--base-url",
                                   server.base_url(), "--model", "m"};
    flags.insert(flags.end(), more.begin(), more.end());
    return run(flags);
  }
  std::string text() const { return read_file(folder / "out/Aldermere-v0.0.1/4-final-draft.md"); }
};

/// What was asked in these requests.
std::vector<std::string> messages(const std::vector<std::string>& bodies) {
  std::vector<std::string> all;
  for (const auto& body : bodies) all.push_back(nlohmann::json::parse(body).at("messages").dump());
  return all;
}

/// Answers each question with `text`, citing its first passage.
std::string says(const std::string& message, const std::string& text) {
  auto json = nlohmann::json::parse(message);
  auto reply = nlohmann::json::parse(quoting_reply(message));
  for (auto& answer : reply["answers"]) {
    for (auto& statement : answer["statements"]) statement["text"] = text;
  }
  return reply.dump();
}

TEST_F(MemoProvider, AnInventedFigureKeepsTheScoreBelowEightAndWaitsForAPerson) {
  const FakeOpenAi server{
      [](const std::string& message) { return says(message, "They hire out 4711 barges."); }};
  const Said said = through(server);
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_THAT(said.err, HasSubstr("of 10, below 8.0"));
  ASSERT_EQ(memo({"approve", "Aldermere"}).code, 0);
  EXPECT_EQ(memo({"resume", "Aldermere"}).code, 0);
  EXPECT_THAT(text(), HasSubstr("At most 7.9 points: 4711 stands in nothing that is cited for"));
}

TEST_F(MemoProvider, WhatAModelDoesNotFindIsSaidToBeOpen) {
  const FakeOpenAi server{[](const std::string&) { return R"({"answers":[],"verdicts":[]})"; }};
  ASSERT_EQ(through(server, {"--min-score", "0"}).code, 0);
  EXPECT_THAT(text(), HasSubstr("*Nothing found in the sources for:*\n\n- What it is: "));
  EXPECT_THAT(text(), HasSubstr("- At most 7.9 points: there are only 2 statements\n"))
      << "the head of the memo, and a profile";
}

TEST_F(MemoProvider, WhatBeginsLikeMarkupIsReadBackAsAStatement) {
  const FakeOpenAi server{
      [](const std::string& message) { return says(message, "# | 4711 <!-- [x] is *it*."); }};
  ASSERT_EQ(through(server, {"--min-score", "0"}).code, 0);
  EXPECT_THAT(text(), HasSubstr("4711 stands in nothing that is cited"));
}

TEST_F(MemoProvider, PricesGiveWhatWasSpentAndWhatAResumeSaved) {
  const FakeOpenAi server{quoting_reply};
  ASSERT_EQ(through(server, {"--price-in", "1.5", "--price-out", "6", "--min-score", "0"}).code, 0);
  EXPECT_THAT(memo({"status", "Aldermere"}).out, HasSubstr("$"));
  const std::size_t before = server.requests();
  const Said again = memo({"resume", "Aldermere", "--redo", "finalize"});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(server.requests(), before) << "nothing is asked again";
  EXPECT_THAT(again.out + again.err, HasSubstr(" and $"));
}

TEST_F(MemoProvider, GoesOnAtAServerThatHasMovedWithoutPayingAgain) {
  std::optional<FakeOpenAi> old{std::in_place, quoting_reply,
                                std::deque<Act>{answer(), answer(), status(401)}};
  ASSERT_EQ(through(*old, {"--min-score", "0"}).code, 1);
  const auto asked = messages(old->bodies());
  old.reset();
  const FakeOpenAi moved{quoting_reply};
  const Said said =
      memo({"resume", "Aldermere", "--base-url", moved.base_url(), "--max-tokens", "9000"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(messages(moved.bodies()),
              AllOf(Contains(asked.at(2)), Not(Contains(asked.at(0))), Not(Contains(asked.at(1)))))
      << "the first two were answered";
  for (const std::string& body : moved.bodies()) EXPECT_THAT(body, HasSubstr(R"("model":"m")"));
}

TEST_F(MemoProvider, ResumesWithAnotherModelOrNone) {
  const FakeOpenAi server{quoting_reply, {answer(), status(401)}};
  ASSERT_EQ(through(server, {"--min-score", "0"}).code, 1);
  EXPECT_EQ(memo({"resume", "Aldermere", "--model", "other"}).code, 0);
  EXPECT_THAT(server.bodies().back(), HasSubstr(R"("model":"other")"));
  const std::size_t before = server.requests();
  EXPECT_EQ(memo({"resume", "Aldermere", "--provider", "quote"}).code, 0);
  EXPECT_EQ(server.requests(), before);
  const Said refused = memo({"resume", "Aldermere", "--model", "m"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("add --provider openai"));
}

TEST_F(MemoProvider, RecordedAnswersMakeTheSameMemo) {
  const FakeOpenAi server{quoting_reply};
  const auto file = (folder / "answers.jsonl").string();
  ASSERT_EQ(through(server, {"--record", file, "--min-score", "0"}).code, 0);
  const std::string first = text();
  ASSERT_EQ(run({"--provider", "recorded:" + file, "--min-score", "0"}).code, 0);
  EXPECT_EQ(read_file(folder / "out/Aldermere-v0.0.2/4-final-draft.md"), first);
}

}  // namespace
}  // namespace memo::testing
