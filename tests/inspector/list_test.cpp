// Which runs there are, and how one is named.
#include "inspector/inspected.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/manage.hpp"

namespace resumable::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Listing : public Inspected {};

TEST_F(Listing, NamesRunPipelineStateStagesSizeAndCost) {
  ASSERT_EQ(run("done-1", greeting("Fernstone")), Outcome::done);
  ASSERT_EQ(run("failed-1", greeting("Fernstone", "ann", true)), Outcome::failed);
  const Said said = inspect({"list"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out,
              ContainsRegex("^RUN +STARTED +PIPELINE +STATE +DONE +LAST_STAGE +SIZE +COST"));
  EXPECT_THAT(said.out, ContainsRegex("done-1 .* greet +done +4 of 4 +note +.* bytes +\\$0.25"));
  EXPECT_THAT(said.out, ContainsRegex("failed-1 .* greet +failed +3 of 4 +count "));
  EXPECT_LT(said.out.find("failed-1"), said.out.find("done-1")) << "the newest first";
  EXPECT_THAT(said.err, HasSubstr("2 runs in file:"));
}

TEST_F(Listing, FindsRunsByIdPatternStateTimeAndLatest) {
  ASSERT_EQ(run("memo-1", greeting("A")), Outcome::done);
  ASSERT_EQ(run("memo-2", greeting("A", "ann", true)), Outcome::failed);
  ASSERT_EQ(run("other", greeting("A")), Outcome::done);
  const auto ids = [&](Words words) {
    words.insert(words.begin(), "list");
    words.emplace_back("--json");
    std::string all;
    const Said said = inspect(words);
    if (said.code != 0) return said.err;
    const Json json = said.json();
    for (const Json& one : json.at("runs")) all += one.at("run").get<std::string>() + " ";
    return all;
  };
  EXPECT_EQ(ids({}), "other memo-2 memo-1 ");
  EXPECT_EQ(ids({"memo-*"}), "memo-2 memo-1 ");
  EXPECT_EQ(ids({"memo-?", "other"}), "other memo-2 memo-1 ");
  EXPECT_EQ(ids({"latest"}), "other ");
  EXPECT_EQ(ids({"--state", "failed"}), "memo-2 ");
  EXPECT_EQ(ids({"--since", "7d"}), "other memo-2 memo-1 ");
  EXPECT_EQ(ids({"--pipeline", "memo"}), "");
  EXPECT_THAT(ids({"--state", "sleeping"}), HasSubstr("the states are created, running, done"));
  EXPECT_THAT(ids({"memo-3"}), HasSubstr("there is no run 'memo-3'"));
  EXPECT_THAT(ids({"memo-3"}), HasSubstr("Did you mean 'memo-"));
}

TEST_F(Listing, OfItemsOfAnInputIsWhatTheProgramSays) {
  Pipeline p{"letters"};
  const auto names = p.input("names", std::vector<std::string>{"ann", "bob"});
  const auto letters =
      p.stage("letters", inputs(each(names)), [](const std::string& to) { return "Dear " + to; });
  p.stage("count", inputs(letters), [](const std::vector<std::string>& all) { return all.size(); });
  ASSERT_EQ(run("r", p), Outcome::done);
  EXPECT_THAT(inspect({"status", "r"}).out, HasSubstr("2 of 2 stages done"));
  EXPECT_THAT(inspect({"plan", "r"}).out, HasSubstr("Plan: 2 keep"));
}

TEST_F(Listing, FindsRunsByLabel) {
  const auto labelled = [&](const std::string& id, std::map<std::string, std::string> labels) {
    return resume(greeting("A"), store(), {.run = id, .labels = std::move(labels)}).outcome();
  };
  ASSERT_EQ(labelled("a", {{"batch_id", "7"}, {"by", "ann"}}), Outcome::done);
  ASSERT_EQ(labelled("b", {{"batch_id", "8"}, {"by", "ann"}}), Outcome::done);
  ASSERT_EQ(labelled("c", {}), Outcome::done);
  const auto ids = [&](Words words) {
    words.insert(words.begin(), {"list", "--json"});
    std::string all;
    const Json json = inspect(words).json();
    for (const Json& one : json.at("runs")) all += one.at("run").get<std::string>();
    return all;
  };
  EXPECT_EQ(ids({"--label", "by"}), "ba");
  EXPECT_EQ(ids({"--label", "by=ann", "--label", "batch_id=7"}), "a");
  EXPECT_EQ(ids({"--label", "batch_id=9"}), "");
  EXPECT_EQ(inspect({"list", "a", "--json"}).json().at("runs").at(0).at("labels"),
            (Json{{"batch_id", "7"}, {"by", "ann"}}));
  const Said one = inspect({"status", "--label", "batch_id=8"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("greet · b"));
  EXPECT_THAT(inspect({"status", "--label", "by=ann"}).err, HasSubstr("b, a"));
}

TEST_F(Listing, TwoMatchesWhereOneIsWantedAreAnErrorWithTheList) {
  ASSERT_EQ(run("memo-1", greeting("A")), Outcome::done);
  ASSERT_EQ(run("memo-2", greeting("A")), Outcome::done);
  for (const Words& words : {Words{"status", "memo-*"}, Words{"status"}}) {
    const Said said = inspect(words);
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("memo-2, memo-1"));
    EXPECT_THAT(said.err, HasSubstr("name one of them, or latest"));
  }
  EXPECT_EQ(inspect({"status", "latest"}).code, 0);
}

TEST_F(Listing, EveryCommandForOneRunFindsItByLabelStateOrPattern) {
  const auto labelled = [&](const std::string& id, const std::string& batch) {
    return resume(greeting("A"), store(), {.run = id, .labels = {{"batch_id", batch}}}).outcome();
  };
  ASSERT_EQ(labelled("memo-1", "7"), Outcome::done);
  ASSERT_EQ(labelled("memo-2", "8"), Outcome::done);
  ASSERT_EQ(run("failed", greeting("A", "ann", true)), Outcome::failed);
  const auto page = [&](const char* name) { return (folder_ / name).string(); };
  const std::vector<std::pair<Words, Words>> commands{
      {{"status"}, {}},
      {{"plan"}, {}},
      {{"explain"}, {"note"}},
      {{"show"}, {}},
      {{"show"}, {"count"}},
      {{"diff"}, {}},
      {{"graph"}, {}},
      {{"report"}, {"-o", page("r.html")}},
      {{"tag"}, {"good"}},
      {{"rollback"}, {"count", "--generation", "1", "--dry-run"}},
      {{"fork"}, {"f", "--dry-run"}},
      {{"copy"}, {"--to", page("there"), "--dry-run"}},
      {{"remove"}, {"--dry-run"}},
  };
  for (const auto& [first, rest] : commands) {
    for (const Words& choice : {Words{"*", "--label", "batch_id=7"}, Words{"*-1"},
                                Words{"latest", "--label", "batch_id=7"},
                                Words{"memo-1", "--state", "done", "--since", "1d"}}) {
      Words words = first;
      words.insert(words.end(), choice.begin(), choice.end());
      // The words first, as a shell has them, then the flags.
      words.insert(words.begin() + 2, rest.begin(), rest.end());
      words.emplace_back("--json");
      const Said said = inspect(words);
      EXPECT_EQ(said.code, 0) << first.front() << " " << choice.front() << said.err;
      EXPECT_THAT(said.out, HasSubstr(first.front() == "fork" ? "\"f\"" : "memo-1"))
          << first.front() << " " << choice.front();
    }
    for (const Words& choice : {Words{"*"}, Words{"memo-*", "--label", "batch_id"}}) {
      Words words = first;
      words.insert(words.end(), choice.begin(), choice.end());
      words.insert(words.begin() + 2, rest.begin(), rest.end());
      const Said said = inspect(words);
      EXPECT_EQ(said.code, 2) << first.front() << said.out;
      EXPECT_THAT(said.err, HasSubstr("memo-2, memo-1")) << first.front();
    }
  }
}

TEST_F(Listing, ARunCalledLatestIsFoundByItsId) {
  ASSERT_EQ(run("latest", greeting("A")), Outcome::done);
  ASSERT_EQ(run("newer", greeting("A")), Outcome::done);
  EXPECT_THAT(inspect({"status", "latest"}).out, HasSubstr("greet · latest · done"));
}

TEST_F(Listing, OfAnEmptyStoreSaysWhatCreatesARun) {
  const Said list = inspect({"list"});
  EXPECT_EQ(list.code, 0);
  EXPECT_EQ(list.out, "");
  EXPECT_THAT(list.err, HasSubstr("0 runs in file:"));
  EXPECT_THAT(list.err, HasSubstr("a program that calls resumable::resume()"));
  const Said status = inspect({"status"});
  EXPECT_EQ(status.code, 2);
  EXPECT_THAT(status.err, HasSubstr("there are no runs in file:"));
  EXPECT_TRUE(snapshot(folder_.path()).empty()) << "nothing was created";
}

TEST_F(Listing, OfAnEmptyStoreEveryCommandSaysThatThereAreNoRuns) {
  const auto elsewhere = folder_.path().string() + "-elsewhere";
  const std::vector<Words> all{{"list"},
                               {"list", "--stats"},
                               {"verify"},
                               {"gc", "--yes"},
                               {"migrate"},
                               {"adopt"},
                               {"copy", "--all", "--to", elsewhere}};
  for (const Words& words : all) EXPECT_EQ(inspect(words).code, 0) << words.front();
  for (const Words& words :
       {Words{"status"}, Words{"plan"}, Words{"explain", "note"}, Words{"show"}, Words{"diff", "r"},
        Words{"graph"}, Words{"report"}, Words{"tag", "r", "t"}, Words{"fork", "r", "f"},
        Words{"rollback", "r", "note", "--generation", "1"}, Words{"merge", "r", "s"},
        Words{"copy", "r", "--to", elsewhere}, Words{"remove", "r", "--yes"}}) {
    const Said said = inspect(words);
    EXPECT_EQ(said.code, 2) << words.front();
    EXPECT_EQ(said.out, "") << words.front();
    EXPECT_THAT(said.err, HasSubstr("there are no runs in file:")) << words.front();
    EXPECT_THAT(said.err, HasSubstr("  next  ")) << words.front();
  }
  EXPECT_TRUE(snapshot(folder_.path()).empty()) << "nothing was created";
  std::filesystem::remove_all(elsewhere);
}

TEST_F(Listing, KnowsStoresByTheirUrl) {
  ASSERT_EQ(run("r", greeting("A")), Outcome::done);
  url = folder_.path().string();
  EXPECT_EQ(inspect({"list"}).code, 0);
  for (const char* unknown : {"s3:bucket/path", "s3://bucket", "SQLite:x.db"}) {
    url = unknown;
    const Said said = inspect({"list"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("this program knows no stores of the kind 's"));
    EXPECT_THAT(said.err, HasSubstr("file:DIR"));
  }
  url = (folder_ / "nowhere").string();
  const Said said = inspect({"list"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("there is no folder"));
  EXPECT_FALSE(std::filesystem::exists(url));
}

TEST_F(Listing, OfAJournalIsThatOfTheSameRunInFiles) {
  ASSERT_EQ(run("r", greeting("A")), Outcome::done);
  const Json in_files = inspect({"list", "--json"}).json();
  const std::filesystem::path folder = folder_ / "log";
  JournalStore journal{folder};
  copy_run(store(), "r", journal, "r");
  url = "journal:" + folder.string();
  const Json by_url = inspect({"list", "--json"}).json();
  EXPECT_EQ(by_url.at("runs"), in_files.at("runs"));
  url = folder.string();
  EXPECT_EQ(inspect({"list", "--json"}).json(), by_url) << "a path is opened as what it is";
  url = "file:" + folder.string();
  const Said refused = inspect({"status", "r"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("name the store journal:"));
}

/// All heads and payloads of a run.
std::vector<std::string> records_of(const CheckpointStore& store, const std::string& run) {
  std::vector<std::string> all;
  store.scan(run, {}, [&](const RecordHead& head) {
    const auto record = store.get(run, head.id);
    const auto* const tag = reinterpret_cast<const char*>(record->tag.raw.data());
    all.push_back(std::string{head.id.path} + ' ' + std::to_string(head.id.generation) + ' ' +
                  std::string{tag, record->tag.raw.size()} + record->header +
                  read_all(*record->payload));
    return true;
  });
  return all;
}

TEST_F(Listing, OfARunThatWasInAJournalAndIsBackIsTheSameByteForByte) {
  ASSERT_EQ(run("r", greeting("A")), Outcome::done);
  JournalStore journal{folder_ / "log"};
  FileStore back{folder_ / "back"};
  copy_run(store(), "r", journal, "r");
  copy_run(journal, "r", back, "r");
  EXPECT_EQ(records_of(back, "r"), records_of(store(), "r"));
  EXPECT_EQ(resume(greeting("A"), journal, {.run = "r"}).outcome(), Outcome::done);
}

TEST_F(Listing, OfAStoreThatAHostLinksIsTheSame) {
  MemoryStore memory;
  ASSERT_EQ(resume(greeting("A"), memory, {.run = "r"}).outcome(), Outcome::done);
  options.stores["own"] = [&](std::string_view given, CreateStore) {
    EXPECT_EQ(given, "own:somewhere");
    return std::make_unique<Linked>(memory);
  };
  url = "own:somewhere";
  EXPECT_THAT(inspect({"list"}).out, ContainsRegex("r +.* greet +done +4 of 4"));
  EXPECT_THAT(inspect({"status", "r"}).out, HasSubstr("4 of 4 stages done"));
  url = "s3:x";
  EXPECT_THAT(inspect({"list"}).err, HasSubstr("own:"));
}

TEST_F(Listing, OfARunThatCannotBeReadHidesNoOther) {
  ASSERT_EQ(run("bad", greeting("A")), Outcome::done);
  ASSERT_EQ(run("good", greeting("A")), Outcome::done);
  write_file(folder_ / "bad/.resumable/run.json", "{ not JSON");
  const Said said = inspect({"list"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, ContainsRegex("good .* done +4 of 4"));
  EXPECT_THAT(said.out, ContainsRegex("bad +.* greet +created +4 of 4 "))
      << "what the manifest has noted is lost; the records tell";
}

TEST_F(Listing, OfAKilledRunCountsWhatItsRecordsSay) {
  ASSERT_EQ(run("r", greeting("A", "ann", true)), Outcome::failed);
  const auto noted = store().manifest("r").value();
  auto manifest = Json::parse(noted);
  manifest["status"] = "running";  // as a killed process leaves it
  for (Json& stage : manifest["stages"]) stage["outcome"] = "not_started";
  store().lease("r")->manifest(manifest.dump());
  EXPECT_THAT(inspect({"list"}).out, ContainsRegex("r .* killed +3 of 4 +count "));
}

TEST_F(Listing, SaysWhatResumingHasSaved) {
  ASSERT_EQ(run("r", greeting("A", "ann", true)), Outcome::failed);
  ASSERT_EQ(run("r", greeting("A", "ann")), Outcome::done);
  ASSERT_EQ(run("once", greeting("A", "ann")), Outcome::done);
  const Json stats = inspect({"list", "--stats", "--json"}).json();
  EXPECT_EQ(stats.at("runs"), 2);
  EXPECT_EQ(stats.at("calls"), 3);
  EXPECT_EQ(stats.at("resumes"), 1);
  EXPECT_EQ(stats.at("succeeded"), 1);
  EXPECT_DOUBLE_EQ(stats.at("saved").at("cost").at("usd").get<double>(), 0.25);
  std::uint64_t commits = 0;
  const Json listed = inspect({"list", "--json"}).json();
  for (const Json& one : listed.at("runs")) {
    commits += one.at("overhead").at("commits").get<std::uint64_t>();
  }
  EXPECT_EQ(stats.at("overhead").at("commits"), commits);
  EXPECT_GT(stats.at("overhead").at("loading_seconds"), 0.0);
  const std::string text = inspect({"list", "--stats"}).out;
  EXPECT_THAT(text,
              HasSubstr("1 of them continued an earlier one, and 1 of those finished the run"));
  EXPECT_THAT(text, ContainsRegex("overhead: .* for 24 commits [(][0-9]+ bytes[)], .* to load"));
}

TEST_F(Listing, OfRunsIsOneCallOfTheLibrary) {
  ASSERT_EQ(run("a", greeting("A")), Outcome::done);
  ASSERT_EQ(run("b", greeting("A", "ann", true)), Outcome::failed);
  const std::vector<RunInfo> runs = list_runs(store());
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].run, "a");
  EXPECT_EQ(runs[0].pipeline, "greet");
  EXPECT_EQ(runs[0].state, RunState::done);
  EXPECT_EQ(runs[0].stages_done, 4U);
  EXPECT_EQ(runs[0].stages, 4U);
  EXPECT_EQ(runs[0].last_stage, "note");
  EXPECT_DOUBLE_EQ(runs[0].cost.usd, 0.25);
  ASSERT_TRUE(runs[0].started.has_value());
  EXPECT_LE(*runs[0].started, runs[0].at.value());
  EXPECT_EQ(runs[1].state, RunState::failed);
  EXPECT_EQ(runs[1].stages_done, 3U);
  ASSERT_EQ(runs[1].calls.size(), 1U);
  EXPECT_EQ(runs[1].calls[0].outcome, Outcome::failed);
  EXPECT_FALSE(run_info(store(), "c").has_value());
}

}  // namespace
}  // namespace resumable::test
