// Plans as values, events in order, and runs that do not know of each other.
#include <atomic>
#include <thread>

#include "resumable/forwarding_store.hpp"
#include "run/run_support.hpp"
#include "support/faulty_file_system.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

struct PlannedMemo {
  explicit PlannedMemo(std::string company = "Acme") {
    const auto given = pipeline.input("company", std::move(company));
    const auto deck = pipeline.stage("deck", inputs(given), [this](const std::string& c) {
      calls("deck");
      if (in_deck) in_deck();
      return Strings{c, "team"};
    });
    const auto pages = pipeline.stage("pages", inputs(each(deck)), [this](const std::string& p) {
      calls("page " + p);
      return Text{p + "\n"};
    });
    draft.emplace(pipeline.stage("draft", inputs(pages), [this](const std::vector<Text>& p) {
      calls("draft");
      return Text{p.at(0).text + "!\n"};
    }));
    pipeline.artifact(*draft, "draft.md");
    pipeline.artifact(pages, "pages/{item:slug}.md", &Text::text);
  }
  Calls calls;
  std::function<void()> in_deck;
  Pipeline pipeline{"memo"};
  std::optional<Stage<Text>> draft;
};

// ---- plans --------------------------------------------------------------------------------------

TEST(Plans, AreRunExactlyOrNotAtAll) {
  MemoryStore store;
  PlannedMemo memo;
  const ResumePlanner planner{store};
  const ResumeOptions how{.run = "r"};
  const Plan first = planner.plan(memo.pipeline, how);
  EXPECT_TRUE(resume(memo.pipeline, store, first));
  EXPECT_EQ(memo.calls.take(), "deck, draft, page Acme, page team");
  const Report late = resume(memo.pipeline, store, first);
  EXPECT_EQ(code_of(late), Errc::plan_outdated);
  EXPECT_EQ(late.exit_code(), 3);
  EXPECT_EQ(memo.calls.take(), "");
  const ResumeOptions redo{.run = "r", .redo = {"draft"}};
  const Plan again = planner.plan(memo.pipeline, redo);
  EXPECT_THAT(again.options()->redo, ::testing::ElementsAre("draft"));
  EXPECT_TRUE(resume(memo.pipeline, store, again)) << "with the options of the plan";
  EXPECT_EQ(memo.calls.take(), "draft");
}

/// Somebody else is quicker: before the first lease is given, another call has finished the run.
class OvertakenStore final : public ForwardingStore {
 public:
  OvertakenStore(CheckpointStore& store, std::function<void()> other)
      : ForwardingStore(store), other_(std::move(other)) {}

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    if (other_) std::exchange(other_, nullptr)();
    return next().lease(run, request);
  }
  std::function<void()> other_;
};

TEST(Plans, AreProvedOnceMoreWhenTheRunIsOwned) {
  MemoryStore memory;
  PlannedMemo other;
  OvertakenStore store{memory, [&] { EXPECT_TRUE(resume(other.pipeline, memory, {.run = "r"})); }};
  PlannedMemo memo;
  const Plan plan = ResumePlanner{store}.plan(memo.pipeline, {.run = "r"});
  EXPECT_EQ(code_of(resume(memo.pipeline, store, plan)), Errc::plan_outdated);
  OvertakenStore again{
      memory,
      [&] { EXPECT_TRUE(resume(other.pipeline, memory, {.run = "r", .redo = {"draft"}})); }};
  EXPECT_TRUE(resume(memo.pipeline, again, {.run = "r"})) << "without a plan, a new one is made";
  EXPECT_EQ(memo.calls.take(), "");
}

TEST(Plans, OfANewRunThatIsOutdatedBeginNothing) {
  TempFolder folder;
  FileStore store{folder / "store"};
  PlannedMemo acme;
  PlannedMemo best{"Best"};
  const Plan other = ResumePlanner{store}.plan(acme.pipeline, {.run = "r", .redo = {"deck"}});
  EXPECT_TRUE(resume(best.pipeline, store, {.run = "other"}));
  const auto before = snapshot(folder.path());
  EXPECT_EQ(code_of(resume(best.pipeline, store, other)), Errc::plan_outdated);
  EXPECT_EQ(code_of([&] { static_cast<void>(resume(acme.pipeline, store, Plan{})); }),
            Errc::bad_option);
  EXPECT_EQ(changes(before, snapshot(folder.path())), "");
}

TEST(Plans, WithOneDigestDecideTheSame) {
  MemoryStore store;
  PlannedMemo memo;
  const ResumePlanner planner{store};
  const auto digest = [&](ResumeOptions how = {}) {
    how.run = "r";
    return planner.plan(memo.pipeline, how).digest().hex();
  };
  const std::string fresh = digest();
  EXPECT_EQ(digest(), fresh);
  EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r"}));
  const std::string done = digest();
  EXPECT_NE(done, fresh);
  EXPECT_EQ(digest(), done);
  EXPECT_NE(digest({.run = "", .redo = {"pages"}}), done);
  EXPECT_NE(digest({.run = "", .redo = {"pages/team"}}),
            digest({.run = "", .redo = {"pages/Acme"}}));
  PlannedMemo changed{"Best"};
  EXPECT_NE(planner.plan(changed.pipeline, {.run = "r"}).digest().hex(), done);
  const Plan copy = planner.plan(memo.pipeline, {.run = "r"});
  EXPECT_EQ(Plan{copy}.digest().hex(), done);
}

TEST(Plans, OfNothingAreWholeValuesToo) {
  const Plan plan;
  EXPECT_TRUE(plan.complete());
  EXPECT_FALSE(plan.refused());
  EXPECT_EQ(plan.stages().size(), 0U);
  EXPECT_EQ(plan.item("x", "y"), std::nullopt);
  EXPECT_EQ(code_of([&] { static_cast<void>(plan["deck"]); }), Errc::unknown_stage);
  MemoryStore store;
  PlannedMemo memo;
  const Plan some = ResumePlanner{store}.plan(memo.pipeline, {.run = "r"});
  EXPECT_THAT(what_of([&] { static_cast<void>(some["drat"]); }),
              HasSubstr("Did you mean 'draft'?"));
  EXPECT_EQ(some[*memo.draft].stage, "draft");
  EXPECT_EQ(some.run_id(), "r");
  EXPECT_EQ(some.pipeline(), "memo");
}

TEST(Plans, ArePrintedForPeopleAndAsJson) {
  MemoryStore store;
  PlannedMemo memo;
  EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r"}));
  const Plan plan = ResumePlanner{store}.plan(memo.pipeline, {.run = "r", .redo = {"pages/team"}});
  EXPECT_EQ(plan.text(),
            "= keep      deck          done: inputs, revision and schema as before\n"
            "> continue  pages         1 of 2 items kept\n"
            "? decide    draft         waits for 'pages'; kept if that value does not change\n"
            "\nPlan: 1 keep, 1 continue, 1 decide; one at a time.\n");
  const Json json = Json::parse(plan.json());
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("stages").at(1).at("items").at("skip"), 1);
  EXPECT_EQ(json.at("stages").at(1).at("items").at("open").at(0).at("item"), "team");
  EXPECT_EQ(json.at("stages").at(2).at("causes").at(0).at("subject"), "pages");
}

TEST(Plans, WriteNothing) {
  TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  FileStore store{folder / "store", {.files = &files}};
  const record::TestEnvironment environment{{.file_system = &files}};
  PlannedMemo memo;
  const auto plan = [&] {
    files.reset_counts();
    const auto before = snapshot(folder.path());
    for (const bool deep : {false, true}) {
      static_cast<void>(ResumePlanner{store}.plan(
          memo.pipeline, {.run = "r", .redo = {"deck"}, .verify_payloads = deep}));
    }
    for (const Op op : writing_ops()) {
      EXPECT_EQ(files.count(op), 0U) << to_string(op);
    }
    EXPECT_EQ(files.count(Op::lock), 0U);
    EXPECT_EQ(changes(before, snapshot(folder.path())), "");
  };
  plan();
  EXPECT_TRUE(fs::is_empty(folder.path())) << "the store was not even made";
  memo.in_deck = plan;  // beside an owner that is running
  EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r"}));
  plan();
  fs::resize_file(folder / "store/r/.resumable/checkpoints/deck.1.ckpt", 100);
  plan();
  // Half a commit and half an export that a killed process left.
  write_file(folder / "store/r/.resumable/tmp/left", "half");
  fs::create_directories(folder / "store/r/.resumable/publish");
  write_file(folder / "store/r/.resumable/publish/export-left", "half");
  plan();
}

/// Counts what is asked of a store.
class CountingStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  struct Counts {
    std::size_t gets = 0;
    std::size_t scans = 0;
    std::size_t visits = 0;
    std::size_t locates = 0;
  };
  mutable Counts counts;
  std::size_t gone = 0;  ///< the get of this number finds nothing: its owner has superseded it

 private:
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    ++counts.scans;
    next().scan(run, what, [&](const RecordHead& found) {
      ++counts.visits;
      return visit(found);
    });
  }
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override {
    next().get_many(
        run, ids,
        [&](Fetched one) {
          if (++counts.gets == gone) one.record.reset();
          return visit(std::move(one));
        },
        wait);
  }
  std::string do_locate(std::string_view run, RecordId id) const override {
    ++counts.locates;
    return next().locate(run, id);
  }
};

/// What planning asks of the store when `count` items are done.
CountingStore::Counts cost_of_planning(int count) {
  MemoryStore memory;
  CountingStore store{memory};
  Pipeline memo{"memo"};
  std::vector<int> numbers(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) numbers[static_cast<std::size_t>(i)] = i;
  std::vector<int> backward(numbers.rbegin(), numbers.rend());
  const auto list = memo.stage("list", [=] { return numbers; });
  const auto other = memo.stage("other", [=] { return backward; });
  const auto squares = memo.stage("squares", inputs(each(list)), [](int n) { return n % 7; });
  const auto cubes = memo.stage("cubes", inputs(each(other)), [](int n) { return n % 5; });
  memo.stage("sums", inputs(each(squares), matching(cubes)), [](int a, int b) { return a + b; });
  EXPECT_TRUE(resume(memo, store, {.run = "r"}));
  store.counts = {};
  const Plan plan = ResumePlanner{store}.plan(memo, {.run = "r"});
  EXPECT_TRUE(plan.complete());
  EXPECT_EQ(plan["sums"].items, numbers.size());
  return store.counts;
}

TEST(Plans, OfManyItemsReadHeadsOnceAndNoPayloads) {
  const auto small = cost_of_planning(100);
  const auto large = cost_of_planning(2'000);
  EXPECT_EQ(large.scans, 1U);
  EXPECT_EQ(large.visits, 3 * 2'000 + small.visits - 3 * 100) << "each head once";
  EXPECT_EQ(large.gets, small.gets) << "the library's own few, however many items there are";
  EXPECT_EQ(large.locates, small.locates);
}

TEST(Plans, OfOneChangedItemReadThatOnesHeader) {
  MemoryStore memory;
  CountingStore store{memory};
  const auto declare = [](Pipeline& memo, int last) {
    std::vector<int> numbers(1'000);
    for (int i = 0; i < 1'000; ++i) numbers[static_cast<std::size_t>(i)] = i;
    numbers.back() = last;
    memo.stage(
        "pages",
        inputs(each(memo.input("list", numbers), [](int n) { return std::to_string(n % 1'000); })),
        [](int n) { return n; });
  };
  Pipeline before{"memo"};
  declare(before, 999);
  EXPECT_TRUE(resume(before, store, {.run = "r"}));
  store.counts = {};
  Pipeline after_it{"memo"};
  declare(after_it, 1'999);
  const Plan plan = ResumePlanner{store}.plan(after_it, {.run = "r"});
  EXPECT_EQ(plan["pages"].skipped, 999U);
  EXPECT_EQ(plan["pages"].to_run, 1U);
  EXPECT_LE(store.counts.gets, 10U);
}

TEST(Plans, LookAgainWhenARecordGoesAwayMeanwhile) {
  MemoryStore memory;
  CountingStore store{memory};
  PlannedMemo memo;
  EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r"}));
  const ResumeOptions how{.run = "r", .redo = {"pages"}, .verify_payloads = true};
  store.counts = {};
  const std::string calm = ResumePlanner{store}.plan(memo.pipeline, how).json();
  const std::size_t gets = store.counts.gets;
  ASSERT_GE(gets, 5U);
  for (store.gone = 1; store.gone <= gets; ++store.gone) {
    store.counts = {};
    EXPECT_EQ(ResumePlanner{store}.plan(memo.pipeline, how).json(), calm) << store.gone;
    EXPECT_EQ(store.counts.scans, 2U) << "it was not taken for damaged";
  }
}

// ---- events -------------------------------------------------------------------------------------

TEST(EventOrder, AreNumberedWithoutGapsAndCommittedOnesAreDurable) {
  for (const unsigned concurrency : {1U, 4U}) {
    TempFolder folder;
    FileStore store{folder / "store"};
    PlannedMemo memo;
    Log log;
    log.on = [&](const Event& event) {
      EXPECT_EQ(event.run, "r");
      EXPECT_EQ(event.pipeline, "memo");
      if (event.kind != EventKind::committed) return;
      const std::string key = event.item.empty() ? event.stage : event.stage + "/" + event.item;
      const FileStore fresh{folder / "store"};
      bool found = false;
      fresh.scan("r", {}, [&](const RecordHead& record) {
        // 'Acme' is '%41cme' on disk.
        found = found || (record.id.path.substr(0, 4) == key.substr(0, 4) &&
                          record.id.path.size() >= key.size() && record.damage == Damage::none);
        return true;
      });
      EXPECT_TRUE(found) << key;
      EXPECT_TRUE(event.bytes && event.duration && event.save_duration && event.changed.value());
      EXPECT_EQ(event.reasons, std::vector{Reason::first_run});
    };
    EXPECT_TRUE(resume(memo.pipeline, store,
                       {.run = "r", .concurrency = concurrency, .observers = {&log}}));
    for (std::size_t i = 0; i < log.events.size(); ++i) EXPECT_EQ(log.events[i].seq, i + 1);
    EXPECT_EQ(log.events.front().kind, EventKind::run_started);
    EXPECT_EQ(log.events.back().kind, EventKind::run_finished);
    EXPECT_EQ(log.lines(EventKind::committed).size(), 4U);
    EXPECT_EQ(log.lines(EventKind::exported).size(), 3U);
    EXPECT_EQ(log.lines(EventKind::stage_finished).size(), 3U);
  }
}

TEST(EventOrder, TellASequentialRunInThisOrder) {
  MemoryStore store;
  TempFolder folder;
  PlannedMemo memo;
  Log log;
  const ResumeOptions how{.run = "r", .artifact_folder = folder.path(), .observers = {&log}};
  EXPECT_TRUE(resume(memo.pipeline, store, how));
  EXPECT_EQ(log.lines(),
            (Strings{"run_started", "planned", "stage_started deck", "committed deck",
                     "stage_finished deck", "items_listed pages", "stage_started pages",
                     "item_started pages/Acme", "committed pages/Acme", "exported pages/Acme",
                     "item_started pages/team", "committed pages/team", "exported pages/team",
                     "stage_finished pages", "stage_started draft", "committed draft",
                     "exported draft", "stage_finished draft", "run_finished"}));
  log.events.clear();
  EXPECT_TRUE(resume(memo.pipeline, store, how));
  EXPECT_EQ(log.lines(), (Strings{"run_started", "planned", "items_listed pages", "skipped deck",
                                  "skipped pages", "skipped draft", "run_finished"}));
  EXPECT_EQ(log.events.back().code, "done");
  EXPECT_EQ(log.events[3].reasons, std::vector{Reason::done});
  log.events.clear();
  EXPECT_TRUE(resume(
      memo.pipeline, store,
      {.run = "r", .redo = {"draft"}, .artifact_folder = folder.path(), .observers = {&log}}));
  EXPECT_EQ(log.first(EventKind::committed)->changed, false);
}

TEST(EventOrder, GoToAFileALineEachAfterAnUnfinishedOneIsEnded) {
  TempFolder folder;
  MemoryStore store;
  PlannedMemo memo;
  const fs::path file = folder / "events.jsonl";
  write_file(file, "{\"event\":\"done\"}\n{\"event\":\"comm");
  EventFile events{file};
  EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r", .observers = {&events}}));
  std::istringstream lines(read_file(file));
  Strings all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  ASSERT_GE(all.size(), 10U);
  EXPECT_EQ(all[1], "{\"event\":\"comm");
  std::uint64_t seq = 0;
  for (std::size_t i = 2; i < all.size(); ++i) {
    const Json json = Json::parse(all[i]);
    EXPECT_EQ(json.at("seq"), ++seq);
    EXPECT_TRUE(json.contains("event") && json.contains("at") && json.contains("run"));
  }
  EXPECT_EQ(code_of([&] { EventFile{folder / "no/such/folder"}; }), Errc::store_failed);
  { EventFile again{file}; }
  EXPECT_EQ(read_file(file).back(), '\n');
  EXPECT_EQ(read_file(file).find("\n\n"), std::string::npos);
}

TEST(EventOrder, AFullEventsFileIsAWarningNotAFailure) {
  MemoryStore store;
  PlannedMemo memo;
  EventFile events{"/dev/full"};
  const Report report = resume(memo.pipeline, store, {.run = "r", .observers = {&events}});
  EXPECT_TRUE(report);
  EXPECT_THAT(report.warnings(), ::testing::Contains(HasSubstr("events file cannot be written")));
}

// ---- side by side -------------------------------------------------------------------------------

TEST(SideBySide, TwoPipelinesOnTwoStoresDoNotKnowOfEachOther) {
  TempFolder folder;
  const auto work = [&](const std::string& name, std::string& result) {
    for (int i = 0; i < 5; ++i) {
      FileStore store{folder / name};
      PlannedMemo memo{name + std::to_string(i)};
      Log log;
      const Report report =
          resume(memo.pipeline, store, {.run = "r", .concurrency = 2, .observers = {&log}});
      if (!report) return;
      result =
          report[*memo.draft].text + std::to_string(log.events.back().seq == log.events.size());
    }
  };
  std::string one;
  std::string other;
  {
    const std::jthread first{[&] { work("one", one); }};
    const std::jthread second{[&] { work("other", other); }};
  }
  EXPECT_EQ(one, "one4\n!\n1");
  EXPECT_EQ(other, "other4\n!\n1");
}

TEST(SideBySide, TwoRunsOfOneStoreAndOnePipelineToo) {
  MemoryStore store;
  PlannedMemo memo;
  std::atomic<int> done{0};
  {
    const std::jthread first{[&] { done += resume(memo.pipeline, store, {.run = "a"}) ? 1 : 0; }};
    const std::jthread second{[&] { done += resume(memo.pipeline, store, {.run = "b"}) ? 1 : 0; }};
  }
  EXPECT_EQ(done, 2);
}

TEST(SideBySide, ARunThatIsOwnedIsBusyAndCanBePlanned) {
  MemoryStore store;
  PlannedMemo memo;
  memo.in_deck = [&] {
    PlannedMemo other;
    const Report report = resume(other.pipeline, store, {.run = "r"});
    EXPECT_EQ(report.outcome(), Outcome::busy);
    EXPECT_EQ(report.exit_code(), 4);
    EXPECT_EQ(code_of(report), Errc::busy);
    EXPECT_EQ(other.calls.take(), "");
    EXPECT_EQ(ResumePlanner{store}.plan(other.pipeline, {.run = "r"})["deck"].action, Action::run);
    EXPECT_EQ(code_of([&] { approve(other.pipeline, store, "r", "deck", "me"); }), Errc::busy);
  };
  EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r"}));
  EXPECT_EQ(memo.calls.of("deck"), 1);
}

TEST(SideBySide, TheLibraryPrintsNothing) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  {
    TempFolder folder;
    FileStore store{folder / "store"};
    PlannedMemo memo;
    EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r"}));
    fs::resize_file(folder / "store/r/.resumable/checkpoints/draft.1.ckpt", 10);
    EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r"}));
    fs::remove(folder / "store/r/draft.md");
    fs::create_directory(folder / "store/r/draft.md");
    EXPECT_FALSE(resume(memo.pipeline, store, {.run = "r"}));
    Pipeline bad{"memo"};
    bad.stage("bad", []() -> int { throw 1; });
    EXPECT_FALSE(resume(bad, store, {.run = "bad"}));
    static_cast<void>(ResumePlanner{store}.plan(memo.pipeline, {.run = "r"}).text(true));
  }
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(ARunId, ThatIsNotUtf8IsRefusedAndNothingIsWritten) {
  TempFolder folder;
  FileStore store{folder / "store"};
  Pipeline memo{"memo"};
  memo.stage("a", [] { return 1; });
  const std::string id = "acme-\xff\xfe";
  EXPECT_EQ(explained([&] { static_cast<void>(resume(memo, store, {.run = id})); }),
            "error: 'acme-\\xff\\xfe' cannot be the id of a run: it is not UTF-8\n"
            "  kept  nothing was changed\n"
            "  next  choose another id");
  EXPECT_EQ(code_of([&] { static_cast<void>(status(memo, store, id)); }), Errc::bad_name);
  EXPECT_FALSE(fs::exists(folder / "store"));
}

TEST(AnItemKey, ThatIsNotUtf8CannotBeSelected) {
  MemoryStore store;
  Pipeline memo{"memo"};
  const auto list = memo.stage("list", [] { return Strings{"a"}; });
  memo.stage("pages", inputs(each(list)), [](const std::string& name) { return name; });
  const ResumeOptions options{.run = "r", .redo = {"pages/\xff"}};
  EXPECT_EQ(code_of([&] { static_cast<void>(resume(memo, store, options)); }), Errc::bad_name);
  EXPECT_EQ(run_state(store, "r"), std::nullopt);
}

}  // namespace
}  // namespace resumable::test
