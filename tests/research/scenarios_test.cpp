// The five situations in which a session is continued, and the same session goes on.
#include <nlohmann/json.hpp>

#include "research/research_run.hpp"

namespace research::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Scenario = ResearchTest;

TEST_F(Scenario, AnIncompleteScrapeResumesFromScraping) {
  int pages_saved = 0;
  ASSERT_EQ(run_until([&](const rs::Event& event) {
              return event.kind == rs::EventKind::committed && !event.step.empty() &&
                     ++pages_saved == 17;
            }),
            killed);
  EXPECT_THAT(research({"list"}).out, HasSubstr("in-progress (killed)"));
  const Said said = go_on();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("phase 0\n"));
  EXPECT_THAT(sessions(), ElementsAre(batch));
  EXPECT_EQ(read_file(report()), uninterrupted());
  expect_every_page_fetched_once();
}

TEST_F(Scenario, AfterScrapingItResumesFromRoleGeneration) {
  ASSERT_EQ(run_until_saved("phase0"), killed);
  const Said said = go_on();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("phase 0.5\n"));
  EXPECT_THAT(said.out, HasSubstr("resumed: 1 of 6 stages skipped"));
  EXPECT_THAT(sessions(), ElementsAre(batch));
  EXPECT_EQ(read_file(report()), uninterrupted());
  expect_every_page_fetched_once();
}

TEST_F(Scenario, DuringPhase3ItResumesFromTheNextStep) {
  ASSERT_EQ(run_until_saved("phase3", "step-3"), killed);
  EXPECT_THAT(research({"list"}).out, HasSubstr("0 0.5 1 2, at step 4 of 8"));
  const Said said = go_on();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("phase 3, step 4 of 8\n"));
  EXPECT_THAT(said.err, Not(HasSubstr("done     stage=phase3 item=step-3")));
  EXPECT_THAT(said.err, HasSubstr("done     stage=phase3 item=step-4"));
  EXPECT_THAT(sessions(), ElementsAre(batch));
  EXPECT_EQ(read_file(report()), uninterrupted());
}

TEST_F(Scenario, ACompletedSessionDoesNotResumeUnlessForced) {
  ASSERT_EQ(begin().code, 0);
  const std::string before = read_file(report());
  const Said again = go_on();
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("report: " + report().string()));
  EXPECT_THAT(again.out, HasSubstr("6 of 6 stages skipped"));

  const Said forced = research({"resume", batch, "--force"});
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_THAT(forced.out, HasSubstr("5 of 6 stages skipped"));
  EXPECT_THAT(forced.err, HasSubstr("done     stage=phase4"));
  EXPECT_THAT(sessions(), ElementsAre(batch));
  EXPECT_EQ(read_file(report()), before);
  expect_every_page_fetched_once();
}

TEST_F(Scenario, ABatchWithoutSessionGetsOneOfItsOwnId) {
  const Said said = begin();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(sessions(), ElementsAre(batch));
  const auto file = nlohmann::json::parse(read_file(view()));
  EXPECT_EQ(file.at("metadata").at("session_id"), batch);
  EXPECT_EQ(file.at("metadata").at("batch_id"), batch);
}

TEST_F(Scenario, AMissingSessionFileDoesNotHideItsSession) {
  ASSERT_EQ(begin().code, 0);
  const std::string before = read_file(view());
  std::filesystem::remove(view());
  const Said said = go_on();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(sessions(), ElementsAre(batch));
  EXPECT_EQ(read_file(view()), before);
  expect_every_page_fetched_once();
}

TEST_F(Scenario, ASessionFileAloneIsNoSession) {
  ASSERT_EQ(begin().code, 0);
  std::filesystem::remove_all(out() / batch);
  const Said said = begin();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("new session " + std::string{batch}));
  EXPECT_THAT(sessions(), ElementsAre(batch));
}

// When the last step is done, next_step_id is null: the next thing is phase 4, not phase 3 again.
TEST_F(Scenario, WithAllStepsDoneItResumesFromPhase4) {
  ASSERT_EQ(run_until_saved("phase3", "step-8"), killed);
  const Said said = go_on();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("phase 4\n"));
  EXPECT_THAT(said.out, HasSubstr("resumed: 5 of 6 stages skipped"));
  EXPECT_EQ(read_file(report()), uninterrupted());
}

}  // namespace
}  // namespace research::testing
