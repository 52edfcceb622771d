// What the commands that read print, and that they only read.
#include "inspector/inspected.hpp"
#include "record/environment.hpp"
#include "support/schema.hpp"

namespace resumable::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Reading : public Inspected {
 protected:
  void SetUp() override { ASSERT_EQ(run("r", greeting("Fernstone")), Outcome::done); }

  /// What the program's own command prints.
  std::string program(const Pipeline& pipeline, bool planned) {
    std::ostringstream out;
    std::ostringstream err;
    cli::Console console{out, err};
    planned ? cli::plan(console, pipeline, store(), {.run = "r"})
            : cli::status(console, pipeline, store(), "r");
    return out.str();
  }
};

TEST_F(Reading, StatusAndPlanPrintWhatTheProgramPrints) {
  EXPECT_EQ(inspect({"status", "r"}).out, program(greeting("Fernstone"), false));
  EXPECT_EQ(inspect({"plan", "r"}).out, program(greeting("Fernstone"), true));
  ASSERT_EQ(run("r", greeting("Other", "ann bob cy", true)), Outcome::failed);
  EXPECT_EQ(inspect({"plan", "r"}).out, program(greeting("Other", "ann bob cy", true), true));
  EXPECT_THAT(inspect({"status", "r"}).out,
              HasSubstr(program(greeting("Other", "ann bob cy", true), false)));
  EXPECT_THAT(inspect({"status", "r"}).out, HasSubstr("resumable plan r --explain"));
}

TEST_F(Reading, AliveIsARunThatAProcessOwnsAndTheAnswerIsAnExitCode) {
  const Said idle = inspect({"status", "r", "--alive"});
  EXPECT_EQ(idle.code, 1) << idle.err;
  EXPECT_EQ(inspect({"status", "gone", "--alive"}).code, 2);
  const auto lease = store().lease("r");
  for (const char* run : {"r", "latest", "r*"}) {
    const Said said = inspect({"status", run, "--alive"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(said.out, "");
  }
}

TEST_F(Reading, TheInspectorIsNoNewBuildOfTheProgram) {
  const std::string build = "the program's";
  {
    const record::TestEnvironment other{{.build_id = &build}};
    ASSERT_EQ(run("b", greeting("A", "ann", true)), Outcome::failed);
  }
  EXPECT_THAT(inspect({"plan", "b", "--explain"}).out, Not(HasSubstr("program has changed")));
}

TEST_F(Reading, ARecordedPipelineCannotBeResumed) {
  const auto pipeline = recorded_pipeline(store(), "r");
  ASSERT_TRUE(pipeline.has_value());
  const auto before = snapshot(folder_.path());
  try {
    static_cast<void>(resume(*pipeline, store(), {.run = "r", .fresh = true}));
    FAIL() << "it ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::bad_option);
  }
  EXPECT_EQ(snapshot(folder_.path()), before);
}

TEST_F(Reading, TheGraphOfTheLastProgramIsRecorded) {
  Pipeline changed{"greet"};
  const auto of = changed.input("company", std::string{"Fernstone"});
  changed.stage("other", inputs(of), [](const std::string& c) { return c; });
  ASSERT_EQ(run("r", changed), Outcome::done);
  EXPECT_THAT(inspect({"graph", "r"}).out, HasSubstr("✓ other"));
  EXPECT_THAT(inspect({"graph", "r"}).out, Not(HasSubstr("words")));
}

TEST_F(Reading, OfARunWithoutAGraphSaysWhatItsManifestNotes) {
  MemoryStore memory;  // a run of which nothing but a manifest is left
  memory.lease("old")->manifest(
      R"({"status":"done","pipeline":"greet","stages":[{"stage":"a","outcome":"ran"}]})");
  options.stores["own"] = [&](std::string_view, CreateStore) {
    return std::make_unique<Linked>(memory);
  };
  url = "own:x";
  const Said said = inspect({"status", "old"});
  EXPECT_EQ(said.code, 0);
  EXPECT_THAT(said.out, HasSubstr("greet · old · done"));
  EXPECT_THAT(said.out, HasSubstr("1 of 1 stages done"));
  EXPECT_THAT(said.err, HasSubstr("the pipeline of run old is not recorded"));
}

TEST_F(Reading, ExplainFollowsTheChainOfReasons) {
  ASSERT_EQ(run("r", greeting("Other", "ann", true)), Outcome::failed);
  const Said note = inspect({"explain", "r", "note"});
  EXPECT_EQ(note.code, 0) << note.err;
  EXPECT_THAT(note.out, HasSubstr("greet · r · note · run"));
  EXPECT_THAT(note.out, HasSubstr("depends on  company, count (skip)"));
  const Said words = inspect({"explain", "words/ann"});
  EXPECT_THAT(words.out, HasSubstr("read by     count"));
  EXPECT_THAT(words.out, ContainsRegex("made        20.* generation 2"));
  EXPECT_EQ(inspect({"explain", "r", "nore"}).code, 2);
  EXPECT_THAT(inspect({"explain", "r", "nore"}).err, HasSubstr("Did you mean 'note'?"));
}

TEST_F(Reading, ExplainAsksWhichRunWhereThereAreSeveral) {
  ASSERT_EQ(run("s", greeting("Acme")), Outcome::done);
  for (const Words& words : {Words{"explain", "note"}, Words{"explain", "words/ann"}}) {
    const Said said = inspect(words);
    EXPECT_EQ(said.code, 2) << said.out;
    EXPECT_THAT(said.err, ContainsRegex("which of the 2 runs in .*name one of them"));
  }
  EXPECT_THAT(inspect({"explain", "s", "nothing"}).err, HasSubstr("(in run s)"));
}

TEST_F(Reading, ExplainPlanAndStatusSayWhatAFailureSaid) {
  Pipeline p{"greet"};
  const auto names = p.input("names", std::vector<std::string>{"ann", "bob"});
  p.stage("words", inputs(each(names)), [](const std::string& name) -> std::string {
    if (name == "bob") throw std::runtime_error("no word for bob");
    return name;
  });
  ASSERT_EQ(run("f", p), Outcome::failed);
  EXPECT_THAT(inspect({"explain", "f", "words/bob"}).out,
              HasSubstr("failed after 1 attempt: no word for bob"));
  EXPECT_THAT(inspect({"plan", "f", "--explain"}).out, HasSubstr("no word for bob"));
  EXPECT_THAT(inspect({"status", "f"}).out, HasSubstr("no word for bob"));
}

TEST_F(Reading, PlanAndExplainTellWhatWasAcceptedPinnedAndIgnored) {
  ASSERT_EQ(run("c", greeting("Acme")), Outcome::done);
  const Pipeline other = greeting("Other");
  ASSERT_TRUE(resume(other, store(),
                     {.run = "c", .accept = {"words"}, .pin = {"note"}, .ignore = {"count:code"}}));
  const Said plan = inspect({"plan", "c", "--explain"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("accepted: input 'company' changed"));
  EXPECT_THAT(plan.out, HasSubstr("pinned: it would run: input 'company' changed"));
  EXPECT_THAT(plan.out, HasSubstr("ignored: changes of its code"));
  EXPECT_THAT(inspect({"explain", "c", "note"}).out, HasSubstr("why         pinned: it would run"));
  EXPECT_THAT(inspect({"explain", "c", "words/ann"}).out, HasSubstr("why         accepted: input"));
  const Json json = inspect({"explain", "c", "words/ann", "--json"}).json();
  EXPECT_EQ(json["causes"][0]["reason"], "accepted");
  EXPECT_EQ(json["causes"][0]["subject"], "company");
}

TEST_F(Reading, AnEditedFileIsToldByEveryCommandThatPlans) {
  for (const char* name : {"r/note.txt", "r/letters/ann.json"}) {
    write_file(folder_ / name, "mine\n");
  }
  const auto before = snapshot(folder_.path());
  EXPECT_EQ(inspect({"status", "r"}).code, 0);
  EXPECT_EQ(inspect({"graph", "r"}).code, 0);
  EXPECT_EQ(inspect({"list"}).code, 0);
  EXPECT_THAT(
      inspect({"plan", "r"}).out,
      HasSubstr(
          "you edited it: 'note.txt': the program that owns the run decides how to use this edit"));
  EXPECT_THAT(inspect({"explain", "r", "note"}).out, HasSubstr("note.txt"));
  EXPECT_THAT(inspect({"explain", "r", "words/ann"}).out, HasSubstr("letters/ann.json"));
  EXPECT_EQ(misfit(schema_of("plan"), inspect({"plan", "r", "--json"}).json()), "");
  EXPECT_EQ(snapshot(folder_.path()), before);
}

TEST_F(Reading, ShowPrintsHeaderAndValue) {
  const Said words = inspect({"show", "r", "words/ann"});
  EXPECT_EQ(words.code, 0) << words.err;
  EXPECT_THAT(words.out, HasSubstr("words/ann · value, generation 1, current"));
  EXPECT_THAT(words.out, HasSubstr("  \"greeting\": \"Hello, ann\""));
  EXPECT_THAT(words.out, HasSubstr("exports   letters/ann.json"));
  EXPECT_EQ(inspect({"show", "r", "note", "--raw"}).out, "Fernstone\nwrites 2 letters\n");
  EXPECT_THAT(inspect({"show", "r", "@input/company"}).out, HasSubstr("\"Fernstone\""));
  EXPECT_THAT(inspect({"show", "r"}).out, ContainsRegex("words/ +value +2 +0"));
  const Said none = inspect({"show", "r", "wordz"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("Did you mean 'words'?"));
}

TEST_F(Reading, ShowPrintsThePartOfAValueThatAPointerNames) {
  const Said from = inspect({"show", "r", "words/ann", "--pointer", "/from"});
  EXPECT_EQ(from.code, 0) << from.err;
  EXPECT_THAT(from.out, HasSubstr("words/ann · value, generation 1, current"));
  EXPECT_THAT(from.out, HasSubstr("\"Fernstone\"\n"));
  EXPECT_THAT(from.out, Not(HasSubstr("greeting")));
  const Json json = inspect({"show", "r", "names", "--pointer", "/1", "--json"}).json();
  EXPECT_EQ(misfit(schema_of("show"), json), "");
  EXPECT_EQ(json["value"], "bob");
  EXPECT_EQ(json["pointer"], "/1");
  EXPECT_EQ(inspect({"show", "r", "names", "--pointer", "/1", "--raw"}).out, "bob\n");
  EXPECT_EQ(inspect({"show", "r", "names", "--pointer", "", "--raw"}).out, "[\"ann\",\"bob\"]");
  for (const char* name : {"words/ann", "note"}) {
    const Said none = inspect({"show", "r", name, "--pointer", "/2"});
    EXPECT_EQ(none.code, 3);
    EXPECT_THAT(none.err, HasSubstr("has no part /2"));
  }
  EXPECT_THAT(inspect({"show", "r", "names", "--pointer", "1"}).err,
              HasSubstr("begin it with a slash"));
}

TEST_F(Reading, ShowFindsEarlierGenerations) {
  ASSERT_EQ(run("r", greeting("Other")), Outcome::done);
  EXPECT_THAT(inspect({"show", "r", "note", "--generation", "1"}).out, HasSubstr("Fernstone\n"));
  EXPECT_THAT(inspect({"show", "r", "note"}).out, HasSubstr("Other\n"));
  const Said none = inspect({"show", "r", "note", "--generation", "7"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("the generations 1, 2"));
}

TEST_F(Reading, DiffNamesChangedPathsAndCountsTheRest) {
  ASSERT_EQ(run("s", greeting("Other", "ann bob cy")), Outcome::done);
  const Said said = inspect({"diff", "r", "s"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, HasSubstr("words/ann  changed\n    /from  \"Fernstone\" → \"Other\"\n"
                                  "    1 unchanged hidden"));
  EXPECT_THAT(said.out, HasSubstr("words/cy  added"));
  EXPECT_THAT(said.out, HasSubstr("names  changed\n    /2  added  \"cy\"\n    2 unchanged hidden"));
  EXPECT_THAT(said.out, HasSubstr("line 1  Fernstone → Other"));
  EXPECT_THAT(inspect({"diff", "r", "r"}).out, HasSubstr("0 values differ, 7 the same"));
}

TEST_F(Reading, DiffComparesGenerations) {
  ASSERT_EQ(run("r", greeting("Other")), Outcome::done);
  EXPECT_THAT(inspect({"diff", "r"}).out, HasSubstr("@input/company  changed"));
  const Said two = inspect({"diff", "r", "--stage", "note", "--generations", "1,2"});
  EXPECT_THAT(two.out, HasSubstr("line 1  Fernstone → Other"));
  EXPECT_THAT(two.out, HasSubstr("1 unchanged hidden"));
  EXPECT_EQ(inspect({"diff", "r", "--generations", "1,2"}).code, 2);
}

TEST_F(Reading, GraphIsDrawnInFourWays) {
  EXPECT_THAT(inspect({"graph", "r"}).out,
              ContainsRegex("✓ words +fan-out, 2 of 2 kept  ← company, each names"));
  EXPECT_THAT(inspect({"graph", "r", "--format", "dot"}).out,
              HasSubstr("n2 -> n3 [label=\"each\"]"));
  EXPECT_THAT(inspect({"graph", "r", "--format", "mermaid"}).out, HasSubstr("n2 -->|each| n3"));
  const std::string svg = inspect({"graph", "r", "--format", "svg"}).out;
  EXPECT_THAT(svg, HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, HasSubstr(">words</text>"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_EQ(inspect({"graph", "r", "--format", "png"}).code, 2);
}

TEST_F(Reading, WritesNothing) {
  const auto before = snapshot(folder_.path());
  for (const Words& words :
       {Words{"list"}, Words{"list", "--stats"}, Words{"status"}, Words{"plan"},
        Words{"explain", "note"}, Words{"show", "r"}, Words{"show", "r", "note"},
        Words{"diff", "r", "r"}, Words{"graph"}, Words{"verify"}, Words{"tag", "r"},
        Words{"remove", "r", "--dry-run"}, Words{"gc", "--dry-run"}}) {
    EXPECT_EQ(inspect(words).code, 0) << words.front();
    EXPECT_EQ(snapshot(folder_.path()), before) << words.front();
  }
}

TEST_F(Reading, BesideAnOwnerNamesIt) {
  const auto lease = store().lease("r");
  for (const char* command : {"status", "plan", "show", "graph", "diff"}) {
    const Said said = inspect({command, "r"});
    EXPECT_EQ(said.code, 0) << command << said.err;
    EXPECT_THAT(said.out + said.err, HasSubstr("pid " + std::to_string(::getpid()))) << command;
  }
  EXPECT_EQ(inspect({"verify", "r"}).code, 0);
  const Said said = inspect({"remove", "r", "--yes"});
  EXPECT_EQ(said.code, 4);
  EXPECT_EQ(run_state(store(), "r"), RunState::running);
}

TEST_F(Reading, WarnsAboutARunThatIsOld) {
  auto manifest = Json::parse(store().manifest("r").value());
  manifest["at"] = "2020-01-01T00:00:00.000Z";
  store().lease("r")->manifest(manifest.dump());
  EXPECT_THAT(inspect({"status", "r"}).err, HasSubstr("warning: run r was last worked on"));
  EXPECT_THAT(inspect({"status", "r", "--warn-age", "0"}).err, Not(HasSubstr("warning")));
  EXPECT_THAT(inspect({"status", "r", "--warn-age", "9000d"}).err, Not(HasSubstr("warning")));
}

TEST_F(Reading, EscapesWhatAStoreSaysForTerminals) {
  ASSERT_EQ(run("e", greeting("\x1b[31mred")), Outcome::done);
  for (const Words& words : {Words{"show", "e", "note"}, Words{"show", "e", "@input/company"},
                             Words{"diff", "r", "e"}, Words{"diff", "r", "e", "--all"}}) {
    const Said said = inspect(words);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out + said.err, Not(HasSubstr("\x1b"))) << words.front();
    EXPECT_THAT(said.out, HasSubstr("[31mred")) << words.front();
  }
  EXPECT_THAT(inspect({"show", "e", "note", "--raw"}).out, HasSubstr("\x1b[31mred"));
}

TEST_F(Reading, ShowOfAStageWithItemsSaysHowToShowOne) {
  const Said said = inspect({"show", "r", "words"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("'words' has no record itself: its items have one each"));
  EXPECT_THAT(said.err, HasSubstr("show r words/ann --store"));
  EXPECT_EQ(inspect({"show", "r", "words/ann"}).code, 0);
}

TEST_F(Reading, PrintsJsonThatItsSchemasDescribe) {
  ASSERT_EQ(run("s", greeting("Other", "ann", true)), Outcome::failed);
  flip_last_byte(record_file("r", "note.1"));
  const std::vector<std::pair<std::string, Words>> commands{
      {"list", {"list"}},
      {"stats", {"list", "--stats"}},
      {"status", {"status", "s"}},
      {"plan", {"plan", "s"}},
      {"explain", {"explain", "s", "note"}},
      {"explain", {"explain", "s", "words/ann"}},
      {"show", {"show", "s", "words/ann"}},
      {"show", {"show", "s", "@input/company"}},
      {"records", {"show", "s"}},
      {"diff", {"diff", "r", "s", "--stage", "words"}},
      {"graph", {"graph", "s"}},
      {"verify", {"verify"}},
      {"tag", {"tag", "s", "before"}},
      {"tags", {"tag", "s"}},
      {"fork", {"fork", "s", "t"}},
      {"fork", {"copy", "s", "--to", (folder_ / "elsewhere").string()}},
      {"rollback", {"rollback", "s", "count", "--tag", "before"}},
      {"merge", {"merge", "s", "t"}},
      {"migrate", {"migrate"}},
      {"gc", {"gc", "--dry-run", "--keep", "1"}},
      {"remove", {"remove", "s", "--dry-run"}},
      {"remove", {"remove", "t", "--yes"}},
  };
  for (auto [name, words] : commands) {
    const std::string command = words.front();
    words.emplace_back("--json");
    const Said said = inspect(words);
    ASSERT_TRUE(Json::accept(said.out)) << command << ": " << said.out << said.err;
    EXPECT_EQ(misfit(schema_of(name), said.json()), "") << command;
    EXPECT_EQ(said.out.find('\n'), said.out.size() - 1) << command;
  }
}

// ---- how much is read --------------------------------------------------------------------------

class Counting final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  inline static int gets = 0;
  inline static int scans = 0;

 private:
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    ++scans;
    next().scan(run, what, visit);
  }
  void do_restore(std::string_view, RecordId, StoredRecord&) const override { ++gets; }
};

TEST_F(Reading, AskForAHandfulOfRecordsHoweverManyItemsThereAre) {
  const auto reads_of = [&](const std::string& people, const Words& words) {
    MemoryStore memory;
    EXPECT_EQ(resume(greeting("A", people), memory, {.run = "r"}).outcome(), Outcome::done);
    options.stores["own"] = [&](std::string_view, CreateStore) {
      return std::make_unique<Counting>(memory);
    };
    url = "own:x";
    Counting::gets = Counting::scans = 0;
    EXPECT_EQ(inspect(words).code, 0) << words.front();
    return std::pair{Counting::gets, Counting::scans};
  };
  std::string many;
  for (int i = 0; i < 300; ++i) many += "p" + std::to_string(i) + " ";
  for (const Words& words : {Words{"list"}, Words{"list", "--stats"}, Words{"status", "r"},
                             Words{"plan", "r"}, Words{"show", "r"}, Words{"show", "r", "--all"},
                             Words{"explain", "note"}, Words{"graph", "r"}}) {
    EXPECT_EQ(reads_of("ann", words), reads_of(many, words)) << words.front();
  }
}

TEST_F(Reading, APlanOfARunScansItOnce) {
  MemoryStore memory;
  ASSERT_EQ(resume(greeting("A"), memory, {.run = "r"}).outcome(), Outcome::done);
  options.stores["own"] = [&](std::string_view, CreateStore) {
    return std::make_unique<Counting>(memory);
  };
  url = "own:x";
  for (const Words& words : {Words{"status", "r"}, Words{"plan", "r"}, Words{"graph", "r"},
                             Words{"explain", "r", "note"}, Words{"explain", "r", "words"},
                             Words{"explain", "r", "words/ann"}}) {
    Counting::scans = 0;
    const Said said = inspect(words);
    EXPECT_EQ(said.code, 0) << said.err;
    // Where stages export files, a plan needs the headers of their records as well.
    EXPECT_LE(Counting::scans, words.front() == "status" ? 1 : 2) << words.front();
  }
}

/// Another process continues the run while it is read.
class GoingOn final : public ForwardingStore {
 public:
  GoingOn(CheckpointStore& next, std::function<void()> go_on)
      : ForwardingStore(next), go_on_(std::move(go_on)) {}

 private:
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override {
    if (std::ranges::any_of(ids, [](RecordId id) { return id.path.starts_with("@input/"); })) {
      if (auto now = std::exchange(go_on_, {})) now();
    }
    next().get_many(run, ids, visit, wait);
  }
  mutable std::function<void()> go_on_;
};

TEST_F(Reading, WhatGoesOnWhileItIsLookedAtIsToldAsItIsInTheEnd) {
  for (const Words& words : {Words{"status", "r"}, Words{"plan", "r"}, Words{"explain", "note"}}) {
    MemoryStore memory;
    ASSERT_EQ(resume(greeting("A"), memory, {.run = "r"}).outcome(), Outcome::done);
    bool went_on = false;
    options.stores["own"] = [&](std::string_view, CreateStore) {
      return std::make_unique<GoingOn>(memory, [&] {
        for (const char* company : {"B", "C", "D"}) {  // no generation that was seen is left
          EXPECT_EQ(resume(greeting(company), memory, {.run = "r"}).outcome(), Outcome::done);
        }
        went_on = true;
      });
    };
    url = "own:x";
    const Said said = inspect(words);
    EXPECT_TRUE(went_on) << words.front();
    EXPECT_EQ(said.code, 0) << said.err;
    if (words.front() == "explain") {
      EXPECT_THAT(said.out, HasSubstr("generation 4"));
    }
    if (words.front() == "status") {
      EXPECT_THAT(said.out, HasSubstr("4 of 4 stages done"));
    }
  }
}

}  // namespace
}  // namespace resumable::test
