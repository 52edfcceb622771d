// The program memo, driven in process: what it says, its exit codes, what it leaves alone.
#include <cstdlib>
#include <sstream>

#include "memo/memo_test.hpp"
#include "resumable/file_store.hpp"
#include "support/fake_openai.hpp"

namespace memo::testing {
namespace {

using resumable::test::read_file;
using resumable::test::snapshot;
using ::testing::HasSubstr;

using MemoCommand = MemoTest;

TEST_F(MemoCommand, RunsFromTheSourcesToTheMemo) {
  const Said said = run();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("Cloudgov-v0.0.1/4-final-draft.md"));
  EXPECT_THAT(said.out, HasSubstr(" of 10; questions open: 7; figures that differ: 2\n"));
  EXPECT_THAT(read_file(folder / "out/Cloudgov-v0.0.1/4-final-draft.md"),
              HasSubstr("## Citations"));
  for (const char* file :
       {"0-deck-analysis.json", "1-research.json", "1-section-research.json", "header.md",
        "2-sections/04-team.md", "3-validation.json", "state.json"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / "out/Cloudgov-v0.0.1" / file)) << file;
  }
}

TEST_F(MemoCommand, AFinishedMemoIsShownAgainAndNothingRuns) {
  ASSERT_EQ(run().code, 0);
  const Said said = memo({"resume", "Cloudgov"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("resumed: 13 of 13 stages skipped"));
  EXPECT_THAT(said.out, HasSubstr("4-final-draft.md"));
}

TEST_F(MemoCommand, VersionsAreCountedAsNumbers) {
  rs::FileStore store{folder / "out"};
  for (const char* run : {"Cloudgov-v0.0.9", "Cloudgov-v0.0.10", "Cloudgov-v0.0.2"}) {
    static_cast<void>(store.lease(run, {.create = rs::Create::must}));
  }
  EXPECT_THAT(run().err, HasSubstr("new memo: Cloudgov-v0.0.11"));
}

TEST_F(MemoCommand, NothingThereExitsWithTheCommandToType) {
  for (const char* word : {"resume", "plan", "status", "approve"}) {
    const Said said = memo({word, "Acme"});
    EXPECT_EQ(said.code, 2) << word;
    EXPECT_THAT(said.err, HasSubstr("memo run Acme")) << word;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "looking creates nothing";
}

TEST_F(MemoCommand, AReaderThatGoesAwayDoesNotEndTheRun) {
  const std::string line = (resumable::test::program_folder() / "memo").string() +
                           " run Cloudgov --sources '" + data_folder().string() + "' --out '" +
                           (folder / "out").string() + "' 2>&1 | head -n 1 >/dev/null";
  ASSERT_EQ(std::system(line.c_str()), 0);
  EXPECT_THAT(memo({"status", "Cloudgov"}).out, HasSubstr("13 of 13 stages done"));
}

TEST_F(MemoCommand, BadInputChangesNothing) {
  std::filesystem::create_directories(folder / "empty");
  const std::string empty = (folder / "empty").string();
  const auto refused = [&](std::vector<std::string> words, const char* sentence) {
    const Said said = memo(std::move(words));
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_THAT(said.err, HasSubstr(sentence));
  };
  refused({"run", "Cloudgov", "--sources", "/nonexistent"}, "No such file or directory");
  refused({"run", "Cloudgov", "--sources", empty}, "no sources in");
  refused({"run", "Cloudgov", "--sources", data_folder().string(), "--budget", "-3s"},
          "a time is not negative");
  refused({"run", "../x/..", "--sources", empty}, "no sources in");
  refused({"run", "///", "--sources", empty}, "name");
  refused({"run", "Cloudgov", "--sources", data_folder().string(), "--type", "x"}, "type");
  refused({"run", "Cloudgov", "--sources", data_folder().string(), "--deck", "no.md"}, "no.md");
  refused({"run", "Cloudgov"}, "--sources");
  refused({"walk"}, "");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_F(MemoCommand, WhoHasToApproveIsToldWhereTheReviewIs) {
  const Said said = run({"--min-score", "10"});
  EXPECT_EQ(said.code, 75);
  EXPECT_THAT(said.err, HasSubstr("/Cloudgov-v0.0.1/4-final-draft.md\n"));
  EXPECT_THAT(said.err,
              HasSubstr("/Cloudgov-v0.0.1/3-validation.json, whose remarks are its review\n"));
  EXPECT_THAT(memo({"status", "Cloudgov"}).out,
              HasSubstr("first read 4-final-draft.md and 3-validation.json"));
}

TEST_F(MemoCommand, AnUnknownStageGetsASuggestion) {
  ASSERT_EQ(run().code, 0);
  const auto before = snapshot(folder / "out");
  for (const char* flag : {"--redo", "--from"}) {
    const Said said = memo({"resume", "Cloudgov", flag, "enrich_link"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("Did you mean 'enrich_links'?"));
  }
  EXPECT_EQ(snapshot(folder / "out"), before);
}

TEST_F(MemoCommand, PlanAndStatusWriteNothing) {
  ASSERT_EQ(run().code, 0);
  const auto before = snapshot(folder / "out");
  EXPECT_EQ(memo({"plan", "Cloudgov", "--explain", "--verify"}).code, 0);
  EXPECT_EQ(memo({"status", "Cloudgov"}).code, 0);
  EXPECT_EQ(memo({"plan", "Cloudgov", "--from", "cite", "--exit-code"}).code, 5);
  EXPECT_EQ(memo({"status", "Cloudgov", "--json"}).code, 0);
  EXPECT_EQ(snapshot(folder / "out"), before);
}

TEST_F(MemoCommand, ListShowsEachMemoOrThoseOfOneCompany) {
  ASSERT_EQ(run().code, 0);
  rs::FileStore store{folder / "out"};
  static_cast<void>(store.lease("Acme-v0.0.1", {.create = rs::Create::must}));
  const Said all = memo({"list"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.out, ::testing::AllOf(HasSubstr("Cloudgov-v0.0.1 "), HasSubstr(" done "),
                                        HasSubstr("Acme-v0.0.1 ")));
  const Said one = memo({"list", "Cloudgov"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out,
              ::testing::AllOf(HasSubstr("Cloudgov-v0.0.1 "), ::testing::Not(HasSubstr("Acme"))));
}

TEST_F(MemoCommand, FromRunsAStageAndAllThatFollows) {
  ASSERT_EQ(run().code, 0);
  const Said said = memo({"resume", "Cloudgov", "--from", "cite"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("resumed: 8 of 13 stages skipped"));
}

TEST_F(MemoCommand, AChangedArtifactIsRefusedByName) {
  ASSERT_EQ(run().code, 0);
  const auto file = folder / "out/Cloudgov-v0.0.1/1-research.json";
  resumable::test::write_file(file, "{\"mine\":true}");
  const Said said = memo({"resume", "Cloudgov", "--from", "cite"});
  EXPECT_EQ(said.code, 3);
  EXPECT_THAT(said.err, HasSubstr("1-research.json"));
  EXPECT_EQ(read_file(file), "{\"mine\":true}");
}

TEST_F(MemoCommand, AServerThatMisbehavesIsAskedAgainWithGrowingWaits) {
  using namespace resumable::test;
  FakeOpenAi server{extractive_reply, {status(429, "0"), status(500), drop(), half_json()}};
  const auto events = (folder / "events.jsonl").string();
  const Said said =
      run({"--provider", "openai", "--base-url", server.base_url(), "--events", events});
  EXPECT_EQ(said.code, 1) << "four tries, four failures: " << said.err;
  const Said again = memo({"resume", "Cloudgov", "--events", events});
  EXPECT_EQ(again.code, 0) << again.err;
  std::istringstream lines{read_file(events)};
  std::vector<double> waits;
  for (std::string line; std::getline(lines, line);) {
    const auto event = nlohmann::json::parse(line);
    if (event.at("event") == "retried") waits.push_back(event.at("seconds").get<double>());
  }
  ASSERT_EQ(waits.size(), 3U);
  EXPECT_LT(waits[0], waits[1]);
  EXPECT_LT(waits[1], waits[2]);
}

}  // namespace
}  // namespace memo::testing
