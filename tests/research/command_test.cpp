// The program research: what it says, its exit codes, what it leaves alone.
#include <nlohmann/json.hpp>

#include "research/research_run.hpp"
#include "research/sessions.hpp"
#include "resumable/pipeline.hpp"

namespace research::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using ResearchCommand = ResearchTest;

TEST_F(ResearchCommand, AnUnknownSessionIsAnErrorThatListsWhatThereIs) {
  const Said none = research({"resume", "B9"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("research continue BATCH"));
  EXPECT_FALSE(std::filesystem::exists(out())) << "looking creates nothing";
  ASSERT_EQ(begin().code, 0);
  for (const char* word : {"resume", "status", "plan"}) {
    const Said said = research({word, "B9"});
    EXPECT_EQ(said.code, 2) << word;
    EXPECT_THAT(said.err, HasSubstr("there are " + std::string{batch})) << word;
  }
}

TEST_F(ResearchCommand, BadInputChangesNothing) {
  const auto refused = [&](std::vector<std::string> words, const char* sentence) {
    const Said said = research(std::move(words));
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_THAT(said.err, HasSubstr(sentence));
  };
  std::filesystem::create_directories(folder / "empty");
  refused({"continue", "B", "--pages", "/nonexistent"}, "No such file or directory");
  refused({"continue", "B", "--pages", (folder / "empty").string()}, "no HTML files");
  refused({"continue", "B", "--site", "ftp://x.example"}, "is not a site");
  refused({"continue", "B", "--site", "http://x/", "--pages", "x"}, "--site");
  refused({"continue", "../..", "--site", server.url()}, "..");
  refused({"continue", "B", "--site", server.url(), "--provider", "gpt"}, "none of quote");
  refused({"continue", "B", "--site", server.url(), "--model", "m"}, "add --provider openai");
  refused({"continue", "B"}, "--pages DIR");
  refused({"continue"}, "batch");
  refused({"walk"}, "");
  EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST_F(ResearchCommand, PhaseRunsThatPhaseAndWhatFollowsAgain) {
  ASSERT_EQ(begin().code, 0);
  const Said unforced = research({"resume", batch, "--phase", "1"});
  EXPECT_EQ(unforced.code, 2);
  EXPECT_THAT(unforced.err, HasSubstr("--force"));
  for (const char* spelling : {"0.5", "0_5", "phase0_5"}) {
    const Said said = research({"resume", batch, "--phase", spelling, "--force"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("resumed: 1 of 6 stages skipped")) << spelling;
  }
  EXPECT_THAT(research({"resume", batch, "--phase", "5", "--force"}).err,
              HasSubstr("no phase '5'"));
  expect_every_page_fetched_once();
}

TEST_F(ResearchCommand, APhaseThatTheSessionHasNotComeToIsAnErrorInTheWordsOfTheFlag) {
  ASSERT_EQ(run_until_saved("phase0"), killed);
  const Said said = research({"resume", batch, "--phase", "3"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("is at phase 0.5, which --phase 3 needs first"));
  EXPECT_EQ(research({"resume", batch, "--phase", "0.5"}).code, 0);
  EXPECT_EQ(read_file(report()), uninterrupted());
}

TEST_F(ResearchCommand, NothingRunsAFinishedSessionAgainWithoutForce) {
  ASSERT_EQ(begin().code, 0);
  const Said again = go_on();
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("report: " + report().string()));
  EXPECT_THAT(again.out, HasSubstr("6 of 6 stages skipped"));
  const auto before = snapshot(out());
  for (const auto& flags : std::vector<std::vector<std::string>>{
           {"--redo", "phase1"}, {"--from", "phase2"}, {"--fresh"}}) {
    std::vector<std::string> words{"resume", batch};
    words.insert(words.end(), flags.begin(), flags.end());
    EXPECT_EQ(research(words).code, 2) << flags.front();
    EXPECT_EQ(go_on(flags).code, 2) << flags.front();
  }
  EXPECT_EQ(snapshot(out()), before);
}

TEST_F(ResearchCommand, StepRunsThatStepAndWhatFollowsAgain) {
  ASSERT_EQ(begin().code, 0);
  EXPECT_EQ(research({"resume", batch, "--step", "8"}).code, 2) << "finished";
  const Said said = research({"resume", batch, "--step", "8", "--force"});
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* step : {"step-8", "step-9", "step-10"}) {
    EXPECT_THAT(said.err, HasSubstr("done     stage=phase3 item=" + std::string{step}));
  }
  EXPECT_THAT(said.err, Not(HasSubstr("done     stage=phase3 item=step-7")));
  EXPECT_THAT(said.err, HasSubstr("done     stage=phase4"));
  const Said beyond = research({"resume", batch, "--step", "11", "--force"});
  EXPECT_EQ(beyond.code, 2);
  EXPECT_THAT(beyond.err, HasSubstr("its plan has 10"));
  EXPECT_EQ(research({"resume", batch, "--step", "2", "--phase", "2", "--force"}).code, 2);
}

TEST_F(ResearchCommand, OfSeveralSessionsTheNewestUnfinishedGoesOnAndTheOthersAreNamed) {
  for (const int number : {2, 10, 9}) {
    const std::string id = std::string{batch} + "." + std::to_string(number);
    ASSERT_EQ(run_until_saved("phase0", "", id), killed);
  }
  const Said said = go_on();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr(std::string{batch} + ".10/report.md"));
  EXPECT_THAT(said.err, HasSubstr("also unfinished: 20251117_072443.9; "));
  EXPECT_THAT(go_on().out, HasSubstr(std::string{batch} + ".9/report.md")) << "10 is finished";
  EXPECT_EQ(sessions().size(), 3U);
}

TEST_F(ResearchCommand, ListAndSessionFileHaveTheKnownParts) {
  ASSERT_EQ(run_until_saved("phase3", "step-2"), killed);
  const auto before = snapshot(out());
  EXPECT_EQ(research({"status", batch}).code, 0);
  EXPECT_EQ(research({"plan", batch, "--explain", "--exit-code"}).code, 5);
  const auto list = nlohmann::json::parse(research({"list", "--json"}).out);
  const auto& row = list.at("sessions").at(0);
  EXPECT_EQ(row.at("status"), "in-progress (killed)");
  EXPECT_EQ(row.at("phases").dump(), R"(["phase0","phase0_5","phase1","phase2"])");
  EXPECT_EQ(row.at("steps").dump(), R"({"done":2,"total":10})");
  EXPECT_EQ(row.at("created_at"), "2025-11-17T15:24:44Z");
  EXPECT_EQ(snapshot(out()), before) << "looking writes nothing";
  const Said stopped = go_on({"--budget", "1ms"});
  ASSERT_EQ(stopped.code, 75) << stopped.err;
  auto file = nlohmann::json::parse(read_file(view()));
  EXPECT_EQ(file.at("metadata").at("status"), "in-progress");
  EXPECT_EQ(file.at("metadata").at("created_at"), "2025-11-17T15:24:44Z");
  EXPECT_EQ(file.at("step_digests").size(), 2U);
  EXPECT_EQ(file.at("phase_artifacts").at("phase3").dump(),
            R"({"completed_step_ids":[1,2],"next_step_id":3})");
  EXPECT_FALSE(file.at("phase_artifacts").contains("phase4"));
  EXPECT_EQ(file.at("phase_artifacts").at("phase0").at("pages").size(), 38U);

  EXPECT_EQ((Progress{.at = "map"}.text()), "map") << "a stage that somebody added";
  ASSERT_EQ(go_on().code, 0);
  file = nlohmann::json::parse(read_file(view()));
  EXPECT_EQ(file.at("metadata").at("status"), "completed");
  EXPECT_EQ(file.at("phase_artifacts").size(), 6U);
}

TEST_F(ResearchCommand, ATopicThatThePagesDoNotKnowFailsAndAnotherOneGoesOn) {
  const Said said = go_on({"--site", server.url(), "--topic", "xylophones"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("none has a word of 'xylophones'"));
  const std::string another =
      "research continue 20251117_072443 --out " + out().string() + " --topic TEXT";
  EXPECT_THAT(said.err, HasSubstr("run   " + another));
  EXPECT_THAT(said.err, Not(HasSubstr("research resume"))) << "which fails the same way";
  EXPECT_THAT(research({"resume", batch}).err, HasSubstr("run   " + another));
  EXPECT_THAT(research({"status", batch}).out, HasSubstr(another));
  EXPECT_EQ(go_on({"--topic", "open source"}).code, 0);
  EXPECT_THAT(read_file(report()), HasSubstr("# open source\n"));
  expect_every_page_fetched_once();
  const Said late = go_on({"--topic", "procurement"});
  EXPECT_EQ(late.code, 2);
  EXPECT_THAT(late.err, HasSubstr("is finished"));
}

TEST_F(ResearchCommand, RunsOfOtherProgramsAreNoSessions) {
  ASSERT_EQ(begin().code, 0);
  rs::Pipeline other{"other"};
  other.stage("answer", inputs(other.input<int>("question", 6)), [](int q) { return 7 * q; });
  rs::FileStore store{out()};
  ASSERT_TRUE(rs::resume(other, store, {.run = "theirs"}));
  const auto before = snapshot(out() / "theirs");

  EXPECT_THAT(research({"list"}).out, Not(HasSubstr("theirs")));
  EXPECT_EQ(nlohmann::json::parse(research({"list", "--json"}).out).at("sessions").size(), 1U);
  for (const char* word : {"resume", "status", "plan"}) {
    const Said said = research({word, "theirs"});
    EXPECT_EQ(said.code, 2) << word;
    EXPECT_THAT(said.err, HasSubstr("there are 20251117_072443\n")) << word;
  }
  const Said said = research({"continue", "theirs", "--site", server.url()});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.err, HasSubstr("another program's"));
  EXPECT_EQ(snapshot(out() / "theirs"), before);
}

TEST_F(ResearchCommand, AnEditedReportStaysUntilItIsMadeAgainWithACopyKept) {
  ASSERT_EQ(begin().code, 0);
  resumable::test::write_file(report(), "mine");
  EXPECT_THAT(research({"list"}).out, HasSubstr("completed (report edited)  0 0.5 1 2 3 4  20"));
  EXPECT_EQ(go_on().code, 0);
  EXPECT_EQ(read_file(report()), "mine");
  EXPECT_EQ(research({"resume", batch, "--force"}).code, 0);
  EXPECT_NE(read_file(report()), "mine");
  EXPECT_FALSE(std::filesystem::is_empty(out() / batch / ".resumable/removed"));
}

TEST_F(ResearchCommand, AMissingSessionFileDoesNotHideItsSession) {
  ASSERT_EQ(begin().code, 0);
  const std::string before = read_file(view());
  std::filesystem::remove(view());
  EXPECT_EQ(go_on().code, 0);
  EXPECT_EQ(read_file(view()), before);
  expect_every_page_fetched_once();
}

}  // namespace
}  // namespace research::testing
