// --dry-run says what a command would do, and changes nothing.
#include "inspector/inspected.hpp"
#include "resumable/manage.hpp"
#include "support/schema.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

class DryRun : public Inspected {
 protected:
  void SetUp() override { ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done); }

  /// What the command says as JSON with --dry-run, which must change nothing; then without.
  std::pair<Json, Json> tried_then_done(const std::string& schema, Words words) {
    words.emplace_back("--json");
    const auto before = snapshot(folder_.path());
    Words dry = words;
    dry.emplace_back("--dry-run");
    const Said tried = inspect(dry);
    EXPECT_EQ(tried.code, 0) << tried.err;
    EXPECT_EQ(snapshot(folder_.path()), before) << words.front();
    const Said done = inspect(words);
    EXPECT_EQ(done.code, 0) << done.err;
    std::pair<Json, Json> both{tried.json(), done.json()};
    for (Json* one : {&both.first, &both.second}) {
      EXPECT_EQ(misfit(schema_of(schema), *one), "") << words.front();
    }
    EXPECT_TRUE(both.first.at("dry_run").get<bool>());
    EXPECT_FALSE(both.second.at("dry_run").get<bool>());
    both.first.erase("dry_run");
    both.second.erase("dry_run");
    return both;
  }
};

TEST_F(DryRun, OfForkSaysWhatTheForkGetsAndWhatRunsInIt) {
  const auto [tried, done] = tried_then_done("fork", {"fork", "r", "f", "--from", "count"});
  EXPECT_EQ(tried, done);
  EXPECT_EQ(tried.at("stages_left_out"), (Json{"count", "note"}));
  const Said said = inspect({"fork", "r", "g", "--from", "count", "--dry-run"});
  EXPECT_THAT(said.out, HasSubstr("would have forked r as g: "));
  EXPECT_THAT(said.out, HasSubstr("  left out count, note: they run in the fork\n"));
  EXPECT_FALSE(run_state(store(), "g").has_value());
  const Said again = inspect({"fork", "r", "f", "--from", "count", "--dry-run"});
  EXPECT_THAT(again.out, HasSubstr("that was done earlier"));
}

TEST_F(DryRun, OfForkRefusesWhatAForkRefuses) {
  ASSERT_EQ(run("other", greeting("Cloudgov")), Outcome::done);
  for (const Words& words :
       {Words{"fork", "r", "other"}, Words{"fork", "r", "../up"}, Words{"fork", "r", "r"},
        Words{"fork", "r", "f", "--from", "nothing"}, Words{"fork", "r", "f", "--tag", "none"}}) {
    Words dry = words;
    dry.emplace_back("--dry-run");
    const Said tried = inspect(dry);
    const Said done = inspect(words);
    EXPECT_NE(tried.code, 0) << tried.out;
    EXPECT_EQ(tried.code, done.code);
    EXPECT_EQ(tried.err, done.err);
  }
}

TEST_F(DryRun, OfCopyMakesNoStore) {
  const auto there = folder_ / "elsewhere";
  const auto [tried, done] = tried_then_done("fork", {"copy", "r", "--to", there.string()});
  EXPECT_EQ(tried, done);
  EXPECT_GT(tried.at("records"), 5);
  EXPECT_TRUE(std::filesystem::exists(there));
  const std::string all = (folder_ / "all").string();
  url = "file:" + folder_.path().string();
  const Said said = inspect({"copy", "r", "--to", all, "--dry-run"});
  EXPECT_THAT(said.out, HasSubstr("would have copied r to r in "));
  EXPECT_FALSE(std::filesystem::exists(all));
}

TEST_F(DryRun, OfABackupCountsAllRuns) {
  ASSERT_EQ(run("s", greeting("Cloudgov")), Outcome::done);
  const auto there = folder_.path().string() + "-backup";
  const auto [tried, done] = tried_then_done("backup", {"copy", "--all", "--to", there});
  EXPECT_EQ(tried, done);
  EXPECT_EQ(tried.at("runs"), 2);
  EXPECT_THAT(inspect({"copy", "--all", "--to", there, "--dry-run"}).out,
              HasSubstr("would have copied 2 runs ("));
  std::filesystem::remove_all(there);
}

TEST_F(DryRun, OfMergeNamesTheConflicts) {
  ASSERT_EQ(run("s", greeting("Cloudgov")), Outcome::done);
  const auto before = snapshot(folder_.path());
  const Said refused = inspect({"merge", "s", "r", "--dry-run"});
  EXPECT_EQ(refused.code, 3) << refused.out;
  EXPECT_THAT(refused.out, HasSubstr("note differs\n"));
  EXPECT_THAT(refused.out, HasSubstr("nothing would be merged: "));
  EXPECT_EQ(snapshot(folder_.path()), before);
  const auto [tried, done] = tried_then_done("merge", {"merge", "s", "r", "--conflicts", "take"});
  EXPECT_GT(tried.at("merged"), 2);
  EXPECT_EQ(tried.at("merged"), done.at("merged"));
  EXPECT_EQ(tried.at("conflicts"), done.at("conflicts"));
}

TEST_F(DryRun, OfAMergeIntoAnotherStoreChangesNeither) {
  const auto there = (folder_ / "elsewhere").string();
  ASSERT_EQ(inspect({"fork", "r", "part", "--from", "count"}).code, 0);
  ASSERT_EQ(inspect({"copy", "part", "--to", there}).code, 0);
  const auto [tried, done] = tried_then_done("merge", {"merge", "r", "part", "--to", there});
  EXPECT_EQ(tried, done);
  FileStore elsewhere{there};
  EXPECT_TRUE(verify_run(elsewhere, "part").ok());
  EXPECT_EQ(inspect({"merge", "r", "part", "--to", there, "--json"}).json().at("merged"), 0);
  EXPECT_EQ(inspect({"merge", "r", "none", "--to", there}).code, 2);
}

TEST_F(DryRun, BesideAnOwnerIsRefusedAsTheCommandIs) {
  ASSERT_EQ(run("s", greeting("Cloudgov")), Outcome::done);
  const auto lease = store().lease("s");
  for (const Words& words :
       {Words{"merge", "r", "s", "--conflicts", "keep"}, Words{"fork", "r", "s"}}) {
    Words dry = words;
    dry.emplace_back("--dry-run");
    EXPECT_EQ(inspect(words).code, 4);
    const Said tried = inspect(dry);
    EXPECT_EQ(tried.code, 4) << tried.out;
    EXPECT_THAT(tried.err, HasSubstr("run 's' is in use by pid "));
  }
}

TEST_F(DryRun, OfExportAndImportReachesWhatTheHostLinks) {
  std::vector<bool> dry;
  options.export_bundle = [&](const CheckpointStore&, std::string_view,
                              const std::filesystem::path&, const CopyOptions& how) {
    dry.push_back(how.dry_run);
    return CopyResult{.records = 3};
  };
  options.import_bundle = [&](const std::filesystem::path&, CheckpointStore&, std::string_view,
                              const CopyOptions& how) {
    dry.push_back(how.dry_run);
    return CopyResult{.records = 3};
  };
  EXPECT_THAT(inspect({"export", "r", "x.tar", "--dry-run"}).out,
              HasSubstr("would have exported r to x.tar: 3 records"));
  EXPECT_THAT(inspect({"import", "x.tar", "--dry-run"}).out,
              HasSubstr("would have imported x.tar: 3 records"));
  EXPECT_EQ(inspect({"import", "x.tar"}).code, 0);
  EXPECT_EQ(dry, (std::vector{true, true, false}));
}

}  // namespace
}  // namespace resumable::test
