// The jobs of a folder: looked at, damaged, expired, removed, and told from runs of others.
#include "insights/insights_run.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "resumable/store.hpp"

namespace insights::testing {
namespace {

namespace rs = resumable;
using resumable::test::FakeOpenAi;
using resumable::test::snapshot;
using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

using InsightsJobs = InsightsTest;

TEST_F(InsightsJobs, UnknownAndExpiredJobsAreToldApart) {
  ASSERT_EQ(ask("short", {"--ttl", "2h"}).code, 0);
  const auto error = [&](const std::string& job) {
    const Said said = go_on(job);
    EXPECT_EQ(said.code, 2);
    EXPECT_FALSE(said.json().at("success"));
    EXPECT_FALSE(said.json().at("details").at("wasResumed"));
    EXPECT_FALSE(said.json().at("details").at("canResume"));
    EXPECT_THAT(said.err, Not(HasSubstr("resumeJobId")));
    return said.json().at("error").get<std::string>();
  };
  EXPECT_EQ(error("insights_9700000000000_abcdef"), "unknown_job");
  EXPECT_EQ(error("insights_1700000000000_abcdef"), "unknown_job") << "an old id, never given";
  EXPECT_EQ(error("mine"), "unknown_job");
  EXPECT_THAT(go_on("mine").out, Not(HasSubstr("short"))) << "an id gives access to a job";
  later = std::chrono::hours{1};
  EXPECT_EQ(go_on("short").code, 0) << "an hour is not two";
  later = std::chrono::hours{4};
  EXPECT_EQ(error("short"), "expired_job");
  ASSERT_EQ(insights({"clean"}).code, 0);
  ASSERT_FALSE(std::filesystem::exists(folder / "out/short"));
  EXPECT_EQ(error("short"), "expired_job") << "that was recorded";
  EXPECT_THAT(insights({"status", "short"}).err, HasSubstr("expired at 20"));
  EXPECT_EQ(insights({"status", "short"}).code, 2);
  EXPECT_EQ(error("insights_1700000000000_abcdef"), "unknown_job");
  later = std::chrono::hours{0};
  EXPECT_EQ(ask("short").code, 0) << "its name is free";
  EXPECT_EQ(go_on("short").code, 0);
}

TEST_F(InsightsJobs, CleanRemovesWholeJobsThatHaveExpiredAndNobodyOwns) {
  ASSERT_EQ(ask("short", {"--ttl", "1h"}).code, 0);
  ASSERT_EQ(ask("owned", {"--ttl", "1h"}).code, 0);
  ASSERT_EQ(ask("long").code, 0);
  rs::FileStore store{folder / "out"};
  static_cast<void>(store.lease("other", {.create = rs::Create::must}));  // declares nothing
  const auto all = snapshot(folder / "out");
  EXPECT_THAT(insights({"clean"}).out, HasSubstr("removed 0 jobs"));
  later = std::chrono::hours{2};
  EXPECT_THAT(insights({"clean", "--dry-run"}).out, HasSubstr("would remove short: expired 20"));
  EXPECT_EQ(snapshot(folder / "out"), all);
  const auto lease = store.lease("owned", {.create = rs::Create::never});
  const Said said = insights({"clean"});
  EXPECT_THAT(said.out, HasSubstr("removed short"));
  EXPECT_THAT(said.out, HasSubstr("kept owned"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/short"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/.removing-short"));
  for (const char* job : {"owned", "long", "other"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / job)) << job;
  }
  later = std::chrono::hours{25};
  const std::string last = insights({"clean"}).out;
  EXPECT_THAT(last, HasSubstr("removed long"));
  EXPECT_THAT(last, HasSubstr("\nremoved 1 job\n"));
}

TEST_F(InsightsJobs, StatusAndListSayWhereJobsAreAndWriteNothing) {
  FakeOpenAi server{clerk_reply};
  leave_unfinished("begun", server);
  later = std::chrono::hours{25};
  ASSERT_EQ(ask("done", {"--ttl", "30d"}).code, 0);
  const auto before = snapshot(folder / "out");
  const std::string list = insights({"list"}).out;
  EXPECT_THAT(list, HasSubstr("begun  failed  7 turns, 7 tool calls  Seattle  saved 20"));
  EXPECT_THAT(list, HasSubstr("  expired 20"));
  EXPECT_THAT(list, HasSubstr("done  done  10 turns, 9 tool calls"));
  EXPECT_THAT(list, HasSubstr("2 jobs in "));
  const Json status = insights({"status", "begun", "--json"}).json();
  EXPECT_EQ(status.at("schema"), 1);
  EXPECT_EQ(status.at("turns"), 7);
  EXPECT_EQ(status.at("request").at("systemId"), "Seattle");
  EXPECT_THAT(insights({"status", "begun"}).out, HasSubstr(R"({"resumeJobId":"begun"})"));
  EXPECT_EQ(insights({"status", "begun", "--exit-code"}).code, 5);
  EXPECT_EQ(insights({"status", "nobody"}).code, 2);
  EXPECT_EQ(snapshot(folder / "out"), before);
}

TEST_F(InsightsJobs, ListsAndStatusesSayWhatIsDamagedAndWhatHelps) {
  FakeOpenAi server{clerk_reply};
  ASSERT_EQ(ask("answer").code, 0);
  EXPECT_THAT(insights({"list"}).out, HasSubstr("\n1 job in "));
  damage(checkpoints("answer") / "insights.1.ckpt", "These are findings", "These are fundings");
  EXPECT_THAT(insights({"list"}).out, HasSubstr("10 turns, 9 tool calls  answer damaged  Seattle"));
  const Said answer = insights({"status", "answer", "--exit-code"});
  EXPECT_EQ(answer.code, 5);
  EXPECT_THAT(answer.out, HasSubstr("insights.1.ckpt"));
  EXPECT_THAT(answer.out, HasSubstr(R"(next  echo '{"resumeJobId":"answer"}')"));
  const Json json = insights({"status", "answer", "--json"}).json();
  EXPECT_EQ(json.at("unreadable").at(0).at("part"), "answer");
  EXPECT_EQ(json.at("unreadable").at(0).at("reason"), "damaged");
  EXPECT_EQ(go_on("answer").code, 0) << "what it says helps";
  EXPECT_THAT(insights({"list"}).out, Not(HasSubstr("damaged")));

  leave_unfinished("torn", server);
  write_file(first_turn("torn"), "nonsense");
  EXPECT_THAT(insights({"status", "torn"}).out, HasSubstr("turns damaged"));

  for (const auto& [job, part] : {std::pair{"asked", "request"}, std::pair{"about", "readings"}}) {
    ASSERT_EQ(ask(job).code, 0);
    for (const char* copy : {".1.ckpt", ".2.ckpt"}) {  // each input is recorded twice
      damage(checkpoints(job) / ("@input/" + std::string{part} + copy), "\"Seattle\"",
             "\"Seabees\"");
    }
    const Said said = insights({"status", job});
    EXPECT_EQ(said.code, 3);
    EXPECT_THAT(said.out, HasSubstr(std::string{"damaged  "} + part));
    EXPECT_THAT(said.out, HasSubstr("next  insights request FILE --data PATH"));
    EXPECT_THAT(said.out, Not(HasSubstr("resumeJobId")));
    EXPECT_EQ(go_on(job).json().at("error"), "damaged_job");
    EXPECT_THAT(insights({"list"}).out, HasSubstr(std::string{part} + " damaged"));
  }
}

TEST_F(InsightsJobs, RunsOfOtherProgramsAreNoJobs) {
  rs::FileStore store{folder / "out"};
  rs::Pipeline alien{"alien"};
  const auto request = alien.input("request", std::string{"what I want"});
  static_cast<void>(alien.stage("insights", inputs(request),
                                [](rs::Context&, const std::string& text) { return text; }));
  for (const std::string run : {"alien", "nameless", "broken"}) {
    ASSERT_EQ(rs::resume(alien, store, {.run = run}).exit_code(), 0);
  }
  std::filesystem::remove(folder / "out/nameless/.resumable/run.json");
  damage(checkpoints("broken") / "@input/request.1.ckpt", "what I want", "what I lost");
  ASSERT_EQ(ask("mine").code, 0);
  std::filesystem::remove(folder / "out/mine/.resumable/run.json");
  const auto before = snapshot(folder / "out");
  const std::string list = insights({"list"}).out;
  EXPECT_THAT(list, HasSubstr("1 job in "));
  EXPECT_THAT(list, ::testing::StartsWith("mine  "));
  for (const std::string run : {"alien", "nameless", "broken"}) {
    EXPECT_EQ(insights({"status", run}).code, 2);
    const Said said = go_on(run);
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.json().at("error"), "unknown_job");
    EXPECT_THAT(said.json().at("message").get<std::string>(), HasSubstr("insights list"));
    EXPECT_EQ(ask(run).json().at("error"), "bad_request") << "its name is taken";
  }
  later = std::chrono::hours{1000};
  EXPECT_THAT(insights({"clean", "--dry-run"}).out, HasSubstr("would remove 1 job\n"));
  EXPECT_EQ(snapshot(folder / "out"), before);
}

}  // namespace
}  // namespace insights::testing
