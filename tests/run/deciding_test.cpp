// What runs again and why: changed inputs, files, code and age; redo, from and fresh.
#include <sys/stat.h>
#include <sys/time.h>

#include "run/run_support.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

struct Options {
  std::string company = "Acme";
  int depth = 2;
  std::uint32_t deck_revision = 1;
  std::chrono::seconds max_age{0};
};

/// company -> deck -> words (a fan-out over the deck's words) -> draft; depth -> length -> draft
/// length is the sign of depth: it often comes out equal.
struct Memo {
  Memo() : Memo(Options{}) {}
  explicit Memo(const Options& options) {
    const auto company = pipeline.input("company", options.company);
    const auto depth = pipeline.input("depth", options.depth);
    const auto deck = pipeline.stage(
        {.name = "deck", .revision = options.deck_revision, .max_age = options.max_age},
        inputs(company), [this](const std::string& c) {
          calls("deck");
          return Strings{c, "team"};
        });
    const auto words = pipeline.stage("words", inputs(each(deck)), [this](const std::string& w) {
      calls("word " + w);
      return w.size();
    });
    const auto length = pipeline.stage("length", inputs(depth), [this](int d) {
      calls("length");
      return d > 0 ? 1 : -1;
    });
    draft.emplace(pipeline.stage("draft", inputs(words, length),
                                 [this](const std::vector<std::size_t>& w, int l) {
                                   calls("draft");
                                   return std::to_string(w.at(0)) + "/" + std::to_string(l);
                                 }));
    pipeline.stage("publish", inputs(*draft), [this](const std::string& d) {
      calls("publish");
      if (on_publish) on_publish();
      return d;
    });
  }
  Calls calls;
  Pipeline pipeline{"memo"};
  std::optional<Stage<std::string>> draft;
  std::function<void()> on_publish;
};

/// One run; what it called.
std::string run(CheckpointStore& store, const Options& options = {}, ResumeOptions how = {}) {
  Memo memo{options};
  how.run = "r";
  const Report report = resume(memo.pipeline, store, how);
  EXPECT_TRUE(report) << (report.error() != nullptr ? report.error()->explain() : "");
  return memo.calls.take();
}

Plan plan(CheckpointStore& store, const Options& options = {}, ResumeOptions how = {}) {
  // The plan outlives its pipeline: it is a value.
  Memo memo{options};
  how.run = "r";
  return ResumePlanner{store}.plan(memo.pipeline, how);
}

constexpr const char* everything = "deck, draft, length, publish, word Acme, word team";

TEST(Deciding, NothingRunsWhenNothingChanged) {
  MemoryStore store;
  EXPECT_EQ(run(store), everything);
  EXPECT_TRUE(plan(store).complete());
  EXPECT_EQ(outline(plan(store)),
            "deck skip done, words skip done, length skip done, draft skip "
            "done, publish skip done");
  EXPECT_EQ(plan(store).summary(), "5 keep");
  EXPECT_EQ(run(store), "");
}

TEST(Deciding, AChangedParameterIsToldWithOldAndNewValue) {
  MemoryStore store;
  run(store);
  const Plan changed = plan(store, {.company = "Fernstone"});
  EXPECT_EQ(changed["deck"].action, Action::run);
  EXPECT_EQ(changed["deck"].causes.front().text(),
            R"(input 'company' changed: "Acme" -> "Fernstone")");
  EXPECT_EQ(changed["deck"].causes.front().before, R"("Acme")");
  EXPECT_THAT(changed.text(), HasSubstr(R"("Acme" -> "Fernstone")"));
  EXPECT_EQ(changed["words"].action, Action::decide);
  EXPECT_EQ(changed["length"].action, Action::skip);
  EXPECT_EQ(changed["draft"].action, Action::decide);
  EXPECT_EQ(changed["publish"].causes.front().reason, Reason::upstream);
  EXPECT_EQ(changed.summary(), "1 keep, 1 rerun, 3 decide");
  EXPECT_EQ(run(store, {.company = "Fernstone"}), "deck, draft, publish, word Fernstone");
  EXPECT_EQ(run(store, {.company = "Fernstone"}), "");
}

TEST(Deciding, ADependentWhoseInputCameOutEqualIsSkipped) {
  MemoryStore store;
  run(store);
  EXPECT_EQ(plan(store, {.depth = 5})["draft"].action, Action::decide);
  EXPECT_EQ(run(store, {.depth = 5}), "length") << "5 > 0, too: draft and publish are cut off";
  EXPECT_EQ(run(store, {.depth = 5}), "");
  EXPECT_EQ(run(store, {.depth = -5}), "draft, length, publish");
}

TEST(Deciding, AFanOutWhoseItemsComeOutEqualCutsOffWhatFollows) {
  MemoryStore store;
  run(store);
  // 'Best' has as many letters as 'Acme'.
  EXPECT_EQ(run(store, {.company = "Best"}), "deck, draft, word Best")
      << "other keys: draft runs, and comes out equal";
  const auto redone = run(store, {.company = "Best"}, {.run = "", .redo = {"words"}});
  EXPECT_EQ(redone, "word Best, word team") << "the same keys and values: draft is kept";
  EXPECT_EQ(run(store, {.company = "Best"}, {.run = "", .redo = {"words/team"}}), "word team");
}

TEST(Deciding, WhatIsKeptAfterAllIsSavedToo) {
  MemoryStore store;
  const auto once = [&](int revision, ResumeOptions how) {
    Pipeline memo{"memo"};
    const auto list = memo.stage({.name = "list", .revision = static_cast<std::uint32_t>(revision)},
                                 [](Context& ctx) {
                                   ctx.spend({.usd = 1});
                                   return Strings{"a", "b", "a"};
                                 });
    const auto pages =
        memo.stage("pages", inputs(each(list)), [](Context& ctx, const std::string& n) {
          ctx.spend({.usd = 10});
          return n;
        });
    memo.stage("all", inputs(pages), [](Context& ctx, const Strings&) {
      ctx.spend({.usd = 100});
      return 1;
    });
    how.run = "r";
    const Report report = resume(memo, store, how);
    EXPECT_TRUE(report);
    return std::pair{report.cost().usd, report.savings().cost.usd};
  };
  EXPECT_EQ(once(1, {}), (std::pair{121.0, 0.0}));
  EXPECT_EQ(once(1, {}), (std::pair{0.0, 121.0}));
  EXPECT_EQ(once(2, {}), (std::pair{1.0, 120.0})) << "the list came out equal";
  EXPECT_EQ(once(2, {.run = "", .redo = {"pages/a"}}), (std::pair{10.0, 111.0}));
}

TEST(Deciding, AllCausesAreListedTheStrongestFirst) {
  MemoryStore store;
  run(store);
  const Plan both =
      plan(store, {.company = "Fernstone", .deck_revision = 3}, {.run = "", .redo = {"deck"}});
  const auto& causes = both["deck"].causes;
  ASSERT_EQ(causes.size(), 3U);
  EXPECT_EQ(causes[0].reason, Reason::requested);
  EXPECT_EQ(causes[1].text(), "code 1 -> 3");
  EXPECT_EQ(causes[2].reason, Reason::input_changed);
  EXPECT_THAT(both.text(true), HasSubstr("code 1 -> 3"));
  EXPECT_THAT(both.json(), HasSubstr(R"("before":"1","after":"3")"));
}

TEST(Deciding, ARaisedRevisionRunsTheStageAgain) {
  MemoryStore store;
  run(store);
  const Plan raised = plan(store, {.deck_revision = 2});
  EXPECT_EQ(raised["deck"].causes.front().reason, Reason::code_changed);
  EXPECT_EQ(raised["deck"].causes.front().text(), "code 1 -> 2");
  EXPECT_EQ(run(store, {.deck_revision = 2}), "deck") << "the same value: dependents are kept";
  EXPECT_EQ(run(store, {.deck_revision = 2}), "");
  EXPECT_EQ(run(store, {.deck_revision = 1}), "deck") << "and back again";
}

TEST(Deciding, AnInputMayBeTheRecordedOne) {
  MemoryStore store;
  const auto once = [&](std::optional<std::string> company) {
    Pipeline memo{"memo"};
    const auto name =
        company ? memo.input("company", *company) : memo.input<std::string>("company");
    const auto deck =
        memo.stage("deck", inputs(name), [](const std::string& c) { return c + "!"; });
    const Report report = resume(memo, store, {.run = "r"});
    return report ? report[deck]
                  : std::to_string(report.exit_code()) + " " + report.error()->what();
  };
  EXPECT_THAT(once(std::nullopt), HasSubstr("2 no value for input 'company'"));
  bool begun = false;
  store.runs("", [&](std::string_view) { return begun = true; });
  EXPECT_FALSE(begun) << "a refused run is not begun";
  EXPECT_EQ(once("Acme"), "Acme!");
  EXPECT_EQ(once(std::nullopt), "Acme!");
  EXPECT_EQ(once("Best"), "Best!");
  EXPECT_EQ(once(std::nullopt), "Best!");
}

TEST(Deciding, ASecretIsNeitherStoredNorMakesAnythingStale) {
  TempFolder folder;
  FileStore store{folder / "store"};
  Calls calls;
  const auto once = [&](const std::string& key) {
    Pipeline memo{"memo"};
    const auto secret = memo.secret("key", key);
    const auto deck = memo.stage("deck", inputs(secret), [&](const std::string& k) {
      calls("deck");
      return k.size();
    });
    static_cast<void>(deck);
    const Report report = resume(memo, store, {.run = "r"});
    EXPECT_EQ(report[secret], key);
    return ResumePlanner{store}.plan(memo, {.run = "r"}).text();
  };
  EXPECT_THAT(once("hunter2-hunter2"), ::testing::Not(HasSubstr("hunter2")));
  once("other");
  EXPECT_EQ(calls.of("deck"), 1);
  for (const auto& [name, bytes] : snapshot(folder.path())) {
    EXPECT_THAT(bytes, ::testing::Not(HasSubstr("hunter2"))) << name;
  }
}

// ---- age ----------------------------------------------------------------------------------------

TEST(Age, AnOldValueExpires) {
  MemoryStore store;
  ManualTime time;
  const Options options{.max_age = std::chrono::hours{1}};
  const ResumeOptions how{.run = ""};
  run(store, options, how);
  time.clock.advance(std::chrono::minutes{59});
  EXPECT_EQ(run(store, options, how), "");
  time.clock.advance(std::chrono::minutes{2});
  const Plan old = plan(store, options, how);
  EXPECT_EQ(old["deck"].causes.front().reason, Reason::expired);
  EXPECT_EQ(old["deck"].causes.front().text(), "too old: saved 2026-11-21T20:31:07.000Z");
  EXPECT_EQ(run(store, options, how), "deck");
  EXPECT_EQ(run(store, options, how), "");
  EXPECT_EQ(run(store, {}, how), "") << "no limit, no age";
}

TEST(Age, AValueOfTheFutureIsKeptWithANote) {
  MemoryStore store;
  ManualTime time;
  const Options options{.max_age = std::chrono::hours{1}};
  const ResumeOptions how{.run = ""};
  time.clock.advance(std::chrono::hours{100});
  run(store, options, how);
  time.clock.advance(-std::chrono::hours{100});
  const Plan skewed = plan(store, options, how);
  EXPECT_EQ(skewed["deck"].action, Action::skip);
  EXPECT_EQ(skewed["deck"].causes.front().reason, Reason::clock_skew);
  EXPECT_EQ(run(store, options, how), "");
}

TEST(Age, WhatIsNewEnoughWhenPlannedIsNotRunAgainForTheTimeThatPassesMeanwhile) {
  MemoryStore store;
  ManualTime time;
  Calls calls;
  const auto once = [&] {
    Pipeline memo{"memo"};
    const auto slow = memo.stage("slow", [&] {
      calls("slow");
      time.clock.advance(std::chrono::hours{2});
      return 1;
    });
    memo.stage({.name = "aging", .max_age = std::chrono::hours{3}}, inputs(after(slow)), [&] {
      calls("aging");
      return 1;
    });
    const Report report = resume(memo, store, {.run = "r", .redo = {"slow"}});
    return outline(report.plan());
  };
  once();
  calls.take();
  EXPECT_EQ(once(), "slow run requested, aging skip done");
  EXPECT_EQ(once(), "slow run requested, aging skip done") << "the value is 2 hours old";
  EXPECT_EQ(calls.take(), "slow x2") << "what ran is what was planned";
}

// ---- files --------------------------------------------------------------------------------------

class SourceFiles : public ::testing::Test {
 protected:
  SourceFiles() {
    fs::create_directories(folder / "sources/deep");
    write_file(folder / "sources/a.md", "a");
    write_file(folder / "sources/deep/b.md", "b");
    write_file(folder / "sources/.hidden", "no");
  }
  struct Result {
    std::string calls;
    std::string text;
    int exit_code = 0;
    std::optional<Errc> code;
  };
  Result once(std::optional<fs::path> from, bool only_plan = false) {
    Pipeline memo{"memo"};
    Calls calls;
    const auto sources = from ? memo.files("sources", *from) : memo.files("sources");
    const auto sizes = memo.stage("sizes", inputs(each(sources)), [&](const SourceFile& file) {
      calls(file.name);
      return file.read().size();
    });
    memo.stage("names", inputs(sources), [&](const std::vector<SourceFile>& files) {
      calls("names");
      return files.size();
    });
    memo.stage("sum", inputs(sizes), [&](const std::vector<std::size_t>& all) {
      calls("sum");
      return all.size();
    });
    Result result;
    if (only_plan) {
      result.code =
          code_of([&] { result.text = ResumePlanner{store}.plan(memo, {.run = "r"}).text(true); });
      return result;
    }
    const Report report = resume(memo, store, {.run = "r"});
    return {calls.take(), report.plan().text(true), report.exit_code(), code_of(report)};
  }
  TempFolder folder;
  FileStore store{folder / "store"};
};

TEST_F(SourceFiles, AreKnownByContent) {
  EXPECT_EQ(once(folder / "sources").calls, "a.md, deep/b.md, names, sum");
  EXPECT_EQ(once(folder / "sources").calls, "");
  EXPECT_EQ(once(std::nullopt).calls, "") << "the folder was recorded";
}

TEST_F(SourceFiles, TouchingDatesRunsNothing) {
  once(folder / "sources");
  const timeval dates[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  ASSERT_EQ(::utimes((folder / "sources/a.md").c_str(), dates), 0);
  EXPECT_EQ(once(folder / "sources").calls, "");
}

TEST_F(SourceFiles, AChangedOneIsNamed) {
  once(folder / "sources");
  write_file(folder / "sources/a.md", "changed");
  write_file(folder / "sources/new.md", "new!");
  fs::remove(folder / "sources/deep/b.md");
  const Result result = once(folder / "sources");
  EXPECT_EQ(result.calls, "a.md, names, new.md, sum");
  EXPECT_THAT(result.text, HasSubstr("(~a.md, +new.md, -deep/b.md)"));
  EXPECT_THAT(result.text, HasSubstr("item a.md runs: input 'sources[]' changed"));
}

TEST_F(SourceFiles, AMovedFolderRunsNothing) {
  once(folder / "sources");
  fs::rename(folder / "sources", folder / "elsewhere");
  EXPECT_EQ(once(folder / "elsewhere").calls, "");
  EXPECT_EQ(once(std::nullopt).calls, "") << "the new place was recorded";
}

TEST_F(SourceFiles, MayBeOneFile) {
  EXPECT_EQ(once(folder / "sources/a.md").calls, "a.md, names, sum");
  EXPECT_EQ(once(folder / "sources/a.md").calls, "");
}

TEST_F(SourceFiles, ThatCannotBeReadEndTheRunBeforeAnythingIsWritten) {
  fs::create_directory(folder / "empty");
  fs::create_directory(folder / "hidden");
  write_file(folder / "hidden/.x", "x");
  write_file(folder / "sources/locked.md", "x");
  fs::permissions(folder / "sources/locked.md", fs::perms::none);
  std::vector<fs::path> bad{folder / "missing", folder / "empty", folder / "hidden"};
  if (::geteuid() != 0) bad.push_back(folder / "sources");
  const auto before = snapshot(folder.path());
  for (const fs::path& path : bad) {
    const Result result = once(path);
    EXPECT_EQ(result.code, Errc::source_failed) << path;
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_EQ(result.calls, "");
    EXPECT_EQ(once(path, true).code, Errc::source_failed) << path;
    EXPECT_EQ(changes(before, snapshot(folder.path())), "") << path;
  }
  fs::permissions(folder / "sources/locked.md", fs::perms::owner_all);
}

TEST_F(SourceFiles, ThatTheSystemDoesNotReadAreNotTakenForEmptyOnes) {
  const auto posix = sys::posix_file_system();
  for (const auto& [op, error] : {std::pair{Op::read, std::errc::io_error},
                                  {Op::open, std::errc::permission_denied},
                                  {Op::list, std::errc::io_error}}) {
    FaultyFileSystem files{*posix};
    const record::TestEnvironment environment{{.file_system = &files}};
    MemoryStore memory;
    Pipeline memo{"memo"};
    memo.files("sources", folder / "sources");
    files.fail(Fault{.ops = {op}, .at = 2, .error = error});
    const Report report = resume(memo, memory, {.run = "r"});
    EXPECT_TRUE(files.struck());
    EXPECT_EQ(code_of(report), Errc::source_failed);
    EXPECT_EQ(report.exit_code(), 2);
    EXPECT_EQ(report.error()->info().cause, error);
    EXPECT_FALSE(report.error()->info().file.empty());
  }
}

TEST_F(SourceFiles, ThatGoAwayAfterARunChangeNothingEither) {
  once(folder / "sources");
  fs::remove_all(folder / "sources");
  const auto before = snapshot(folder.path());
  EXPECT_EQ(once(folder / "sources").code, Errc::source_failed);
  EXPECT_EQ(once(std::nullopt).code, Errc::source_failed);
  EXPECT_EQ(changes(before, snapshot(folder.path())), "");
}

// What a link leads to is as much a part of the folder as a file in it.
TEST_F(SourceFiles, BehindLinksAreRead) {
  fs::create_directories(folder / "data/news");
  write_file(folder / "data/linked.md", "linked");
  write_file(folder / "data/news/today.md", "today");
  fs::create_symlink("../data/linked.md", folder / "sources/linked.md");
  fs::create_symlink(folder / "data/news", folder / "sources/news");
  fs::create_symlink("news", folder / "sources/same");
  EXPECT_EQ(once(folder / "sources").calls,
            "a.md, deep/b.md, linked.md, names, news/today.md, same/today.md, sum");
  EXPECT_EQ(once(folder / "sources").calls, "");
  write_file(folder / "data/news/today.md", "tomorrow");
  const Result result = once(folder / "sources");
  EXPECT_EQ(result.calls, "names, news/today.md, same/today.md, sum");
  EXPECT_THAT(result.text, HasSubstr("(~news/today.md, ~same/today.md)"));
}

TEST_F(SourceFiles, MayBeALinkToOneFile) {
  fs::create_symlink(folder / "sources/a.md", folder / "deck.md");
  EXPECT_EQ(once(folder / "deck.md").calls, "deck.md, names, sum");
}

// Whatever is in an input's folder is read, named, or the reason why nothing runs.
TEST_F(SourceFiles, ThatAreNoneAreNamedInPlanReportAndEvents) {
  ASSERT_EQ(::mkfifo((folder / "sources/pipe").c_str(), 0600), 0);
  fs::create_directory_symlink("..", folder / "sources/deep/up");
  fs::create_directory_symlink(".", folder / "sources/self");
  const char* const named =
      "input 'sources' is read without this: 'deep/up/' leads back to a folder that it is in, "
      "'pipe' is a socket, a pipe or a device, 'self/' leads back to a folder that it is in";
  EXPECT_THAT(once(folder / "sources", true).text, HasSubstr(named));
  Pipeline memo{"memo"};
  memo.files("sources", folder / "sources");
  Strings warned;
  EventLog log{[&](const Event& event) {
    if (event.kind == EventKind::warning) warned.push_back(event.message);
  }};
  const Report report = resume(memo, store, {.run = "r", .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_EQ(report.warnings(), Strings{named});
  EXPECT_THAT(report.json(), HasSubstr("\"warnings\":[\"input 'sources' is read without"));
  EXPECT_EQ(warned, Strings{named});
}

TEST_F(SourceFiles, BehindALinkThatLeadsNowhereEndTheRun) {
  fs::create_symlink("gone.md", folder / "sources/dangling.md");
  fs::create_symlink("round", folder / "round");
  EXPECT_EQ(once(folder / "sources").code, Errc::source_failed);
  EXPECT_EQ(once(folder / "sources", true).code, Errc::source_failed);
  EXPECT_EQ(once(folder / "round").code, Errc::source_failed);
}

TEST_F(SourceFiles, WhoseNamesAreNotUtf8AreToBeRenamed) {
  write_file(folder / "sources/\xff.md", "x");
  Pipeline memo{"memo"};
  memo.files("sources", folder / "sources");
  const Report report = resume(memo, store, {.run = "r"});
  ASSERT_EQ(code_of(report), Errc::source_failed);
  EXPECT_EQ(report.error()->info().next, "rename it");
}

/// Calls a function before each read.
class BeforeReads final : public sys::ForwardingFileSystem {
 public:
  BeforeReads(sys::FileSystem& next, std::function<void()> act)
      : ForwardingFileSystem(next), act_(std::move(act)) {}
  std::error_code read(const sys::File& file, std::uint64_t at, std::span<char> to,
                       std::size_t& count) override {
    act_();
    return ForwardingFileSystem::read(file, at, to, count);
  }

 private:
  std::function<void()> act_;
};

TEST_F(SourceFiles, ThatChangeWhileTheyAreReadEndTheRun) {
  const auto posix = sys::posix_file_system();
  std::string content;
  BeforeReads files{*posix, [&] {
                      content += "more";
                      write_file(folder / "sources/a.md", content);
                    }};
  const record::TestEnvironment environment{{.file_system = &files}};
  MemoryStore memory;
  Pipeline memo{"memo"};
  memo.files("sources", folder / "sources");
  const Report report = resume(memo, memory, {.run = "r"});
  ASSERT_EQ(code_of(report), Errc::source_failed);
  EXPECT_THAT(report.error()->what(), HasSubstr("the file changed while it was read"));
}

// ---- requests -----------------------------------------------------------------------------------

TEST(Requests, RedoRunsTheStageAndDependentsAsNeeded) {
  MemoryStore store;
  run(store);
  EXPECT_EQ(outline(plan(store, {}, {.run = "", .redo = {"deck"}})),
            "deck run requested, words decide upstream, length skip done, draft decide upstream, "
            "publish decide upstream");
  EXPECT_EQ(run(store, {}, {.run = "", .redo = {"deck"}}), "deck");
  EXPECT_EQ(run(store, {}, {.run = "", .redo = {"words/team", "length"}}), "length, word team");
  EXPECT_EQ(run(store), "");
}

TEST(Requests, FromRunsAllThatDependsOnTheStage) {
  MemoryStore store;
  run(store);
  EXPECT_EQ(run(store, {}, {.run = "", .from = {"words"}}), "draft, publish, word Acme, word team");
  EXPECT_EQ(run(store, {}, {.run = "", .from = {"words"}}), "draft, publish, word Acme, word team")
      << "the first request was met: this is a new one";
  EXPECT_EQ(run(store), "");
}

TEST(Requests, FreshRunsEverythingAndKeepsTheFormerGeneration) {
  TempFolder folder;
  FileStore store{folder / "store"};
  run(store);
  EXPECT_EQ(run(store, {}, {.run = "", .fresh = true}), everything);
  EXPECT_EQ(run(store), "");
  EXPECT_EQ(run(store, {}, {.run = "", .fresh = true}), everything);
  EXPECT_TRUE(fs::exists(folder / "store/r/.resumable/checkpoints/draft.2.ckpt"));
  EXPECT_TRUE(fs::exists(folder / "store/r/.resumable/checkpoints/draft.3.ckpt"));
}

TEST(Requests, AreRefusedWhenTheyNameNothing) {
  MemoryStore store;
  run(store);
  const auto refused = [&](const ResumeOptions& how) {
    const auto planned = code_of([&] { static_cast<void>(plan(store, {}, how)); });
    EXPECT_EQ(code_of([&] { run(store, {}, how); }), planned);
    return planned;
  };
  EXPECT_EQ(refused({.run = "", .redo = {"dek"}}), Errc::unknown_stage);
  EXPECT_EQ(refused({.run = "", .redo = {"company"}}), Errc::unknown_stage);
  EXPECT_EQ(refused({.run = "", .redo = {""}}), Errc::unknown_stage);
  EXPECT_EQ(refused({.run = "", .from = {"nothing like it"}}), Errc::unknown_stage);
  EXPECT_EQ(refused({.run = "", .redo = {"deck/x"}}), Errc::bad_option);
  EXPECT_EQ(refused({.run = "", .redo = {"words/"}}), Errc::bad_option);
  EXPECT_EQ(refused({.run = "", .from = {"words/team"}}), Errc::bad_option);
  EXPECT_EQ(refused({.run = "", .redo = {"words/tean"}}), Errc::unknown_stage);
  EXPECT_THAT(what_of([&] { run(store, {}, {.run = "", .redo = {"dek"}}); }),
              HasSubstr("no stage 'dek' in pipeline memo. Did you mean 'deck'?"));
  EXPECT_THAT(what_of([&] { run(store, {}, {.run = "", .redo = {"words/tean"}}); }),
              HasSubstr("stage 'words' has no item 'tean'. Did you mean 'team'?"));
  EXPECT_EQ(run(store), "") << "nothing was recorded";
}

TEST(Requests, FromNeedsTheValuesBefore) {
  MemoryStore store;
  Memo memo;
  const auto from = [&](std::string stage) {
    const Report report = resume(memo.pipeline, store, {.run = "r", .from = {std::move(stage)}});
    return code_of(report);
  };
  EXPECT_EQ(from("draft"), Errc::no_value);
  EXPECT_EQ(memo.calls.take(), "");
  EXPECT_EQ(from("deck"), std::nullopt) << "nothing is before it";
  EXPECT_EQ(memo.calls.take(), everything);
  EXPECT_EQ(from("draft"), std::nullopt);
}

TEST(Requests, OneThatWasMetDoesNotAskForWhatCameLater) {
  MemoryStore store;
  run(store);
  run(store, {}, {.run = "", .from = {"draft"}});
  // A later version of the program puts a stage before draft.
  Pipeline later{"memo"};
  const auto company = later.input("company", "Acme"s);
  const auto tone = later.stage("tone", inputs(company), [](const std::string&) { return 1; });
  later.stage("draft", inputs(tone), [](int t) { return std::to_string(t); });
  const Report report = resume(later, store, {.run = "r"});
  EXPECT_TRUE(report) << report.error()->explain();
}

TEST(Requests, ANotTakenStageDoesNotKeepThemPending) {
  MemoryStore store;
  Calls calls;
  const auto once = [&](int score, ResumeOptions how) {
    Pipeline memo{"memo"};
    const auto given = memo.input("score", score);
    const auto draft = memo.stage("draft", inputs(given), [&](int) {
      calls("draft");
      return 1;
    });
    const auto low = memo.condition("low", inputs(given), [](int s) { return s < 8; });
    memo.stage({.name = "fix", .when = low}, inputs(draft), [&](int) {
      calls("fix");
      return 1;
    });
    how.run = "r";
    EXPECT_TRUE(resume(memo, store, how));
    return calls.take();
  };
  EXPECT_EQ(once(5, {}), "draft, fix");
  EXPECT_EQ(once(9, {}), "draft");
  EXPECT_EQ(once(9, {.run = "", .from = {"draft"}}), "draft");
  EXPECT_EQ(once(9, {.run = "", .from = {"draft"}}), "draft") << "asked for twice, done twice";
}

TEST(Requests, AnOrphanDoesNotKeepThemPending) {
  MemoryStore store;
  run(store);
  EXPECT_EQ(run(store, {.company = "Best"}), "deck, draft, word Best");
  const ResumeOptions from{.run = "", .from = {"words"}};
  EXPECT_EQ(run(store, {.company = "Best"}, from), "draft, publish, word Best, word team");
  EXPECT_EQ(run(store, {.company = "Best"}, from), "draft, publish, word Best, word team");
}

/// Runs in a child that is killed when `stage` begins.
void killed_at(const fs::path& folder, const Tally& tally, const std::string& victim,
               const ResumeOptions& how) {
  ChildProcess child{[&] {
    FileStore store{folder};
    Pipeline memo{"memo"};
    std::vector<Stage<int>> chain;
    for (const char* name : {"a", "b", "c", "d"}) {
      const auto body = [&tally, &victim, name](const int&) {
        if (name == victim) ::raise(SIGKILL);
        tally(name);
        return 1;
      };
      const auto start = [body] { return body(0); };
      chain.push_back(chain.empty() ? memo.stage(Name::checked(name), start)
                                    : memo.stage(Name::checked(name), inputs(chain.back()), body));
    }
    const Report report = resume(memo, store, how);
    return report.exit_code();
  }};
  const Ended ended = child.wait();
  EXPECT_EQ(ended, victim.empty() ? (Ended{0, 0}) : (Ended{-1, SIGKILL}));
}

TEST(Requests, GoOnAfterAKillWithNothingDoneTwice) {
  TempFolder folder;
  const Tally tally{folder / "calls"};
  killed_at(folder / "store", tally, "", {.run = "r"});
  for (const ResumeOptions& how :
       {ResumeOptions{.run = "r", .from = {"a"}}, ResumeOptions{.run = "r", .fresh = true}}) {
    tally.clear();
    killed_at(folder / "store", tally, "c", how);
    EXPECT_EQ(tally.counts(), (std::map<std::string, int>{{"a", 1}, {"b", 1}}));
    killed_at(folder / "store", tally, "d", {.run = "r"});
    killed_at(folder / "store", tally, "", {.run = "r"});
    EXPECT_EQ(tally.counts(), (std::map<std::string, int>{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}}))
        << "the request was recorded: plain resumes finish it";
    tally.clear();
    killed_at(folder / "store", tally, "c", how);
    killed_at(folder / "store", tally, "", how);
    EXPECT_EQ(tally.counts(), (std::map<std::string, int>{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}}))
        << "the same selector while it is pending is the same request";
    tally.clear();
    killed_at(folder / "store", tally, "", {.run = "r"});
    EXPECT_EQ(tally.counts(), (std::map<std::string, int>{}));
  }
  tally.clear();
  killed_at(folder / "store", tally, "c", {.run = "r", .redo = {"a", "c"}});
  killed_at(folder / "store", tally, "", {.run = "r", .redo = {"a", "c"}});
  EXPECT_EQ(tally.counts(), (std::map<std::string, int>{{"a", 1}, {"c", 1}}))
      << "of two requests, the fulfilled one is made again";
}

// ---- run ids ------------------------------------------------------------------------------------

TEST(RunIds, ThatAreNoneAreRefusedAndChangeNothing) {
  TempFolder folder;
  FileStore store{folder / "store"};
  MemoryStore memory;
  Memo memo;
  for (const std::string& id : {""s, "../x"s, "a/../b"s, ".hidden"s, ".."s, "a\0b"s,
                                std::string(10'000, 'x'), std::string(129, 'x')}) {
    for (CheckpointStore* each_store :
         {static_cast<CheckpointStore*>(&store), static_cast<CheckpointStore*>(&memory)}) {
      EXPECT_EQ(
          code_of([&] { static_cast<void>(resume(memo.pipeline, *each_store, {.run = id})); }),
          Errc::bad_name)
          << id.substr(0, 20);
      EXPECT_EQ(code_of([&] {
                  static_cast<void>(ResumePlanner{*each_store}.plan(memo.pipeline, {.run = id}));
                }),
                Errc::bad_name);
      EXPECT_EQ(code_of([&] { approve(memo.pipeline, *each_store, id, "deck", "me"); }),
                Errc::bad_name);
    }
    const std::string what =
        what_of([&] { static_cast<void>(resume(memo.pipeline, memory, {.run = id})); });
    EXPECT_LT(what.size(), 400U);
  }
  EXPECT_FALSE(fs::exists(folder / "store"));
  EXPECT_EQ(memo.calls.take(), "");
}

TEST(RunIds, OfAllSortsWork) {
  TempFolder folder;
  FileStore store{folder / "store"};
  for (const std::string& id :
       {"Fernstone-v0.0.3"s, "a b"s, "a/b"s, "\xC3\xA9"s, std::string(128, 'x')}) {
    Memo memo;
    EXPECT_TRUE(resume(memo.pipeline, store, {.run = id})) << id;
  }
}

TEST(RunIds, AnUnknownRunIsNotBegunWhenItMustExist) {
  TempFolder folder;
  FileStore store{folder / "store"};
  Memo memo;
  const Report report = resume(memo.pipeline, store, {.run = "r", .create = Create::never});
  EXPECT_EQ(code_of(report), Errc::unknown_run);
  EXPECT_EQ(report.exit_code(), 2);
  EXPECT_FALSE(fs::exists(folder / "store"));
  EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r"}));
  EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r", .create = Create::never}));
}

TEST(RunIds, ARunThatDiedBeforeItsFirstRecordExists) {
  TempFolder folder;
  FileStore store{folder / "store"};
  static_cast<void>(store.lease("r"));
  Memo memo;
  EXPECT_EQ(run_state(store, "r"), RunState::not_begun);
  EXPECT_TRUE(resume(memo.pipeline, store, {.run = "r", .create = Create::never}));
}

TEST(RunIds, ARunOfAnotherPipelineIsNeitherPlannedNorGoneOnWith) {
  TempFolder folder;
  FileStore store{folder / "store"};
  Memo memo;
  ASSERT_TRUE(resume(memo.pipeline, store, {.run = "r"}));
  const auto before = snapshot(folder / "store");
  Pipeline other{"other"};
  other.stage("own", inputs(), [] { return 1; });
  const Report report = resume(other, store, {.run = "r"});
  EXPECT_EQ(code_of(report), Errc::foreign);
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_THAT(report.error()->explain(),
              HasSubstr("run 'r' belongs to pipeline 'memo', not to 'other'"));
  EXPECT_EQ(code_of([&] { static_cast<void>(ResumePlanner{store}.plan(other, {.run = "r"})); }),
            Errc::foreign);
  EXPECT_EQ(snapshot(folder / "store"), before);
  fs::remove(folder / "store/r/.resumable/checkpoints/@run.1.ckpt");
  EXPECT_EQ(code_of(resume(other, store, {.run = "r"})), Errc::foreign) << "any record says so";
}

TEST(RunIds, ARunOfAnotherPipelineIsSoEvenIfAnInputHasTheNameOfOursAndAnotherType) {
  MemoryStore store;
  Pipeline theirs{"theirs"};
  theirs.input("topic", std::vector<int>{1, 2});
  ASSERT_TRUE(resume(theirs, store, {.run = "r"}));
  Pipeline ours{"ours"};
  ours.input<std::string>("topic");
  EXPECT_EQ(code_of([&] { static_cast<void>(ResumePlanner{store}.plan(ours, {.run = "r"})); }),
            Errc::foreign);
}

}  // namespace
}  // namespace resumable::test
