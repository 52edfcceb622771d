// What is not ours, or was changed by a person, is never replaced; and who would write one path
// twice is told before anything runs.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include "exports/folder.hpp"
#include "exports/memo.hpp"
#include "record/environment.hpp"
#include "resumable/error.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class GuardTest : public ::testing::Test {
 protected:
  Report run(ResumeOptions options = {}) { return memo_.run(store_, journal_, std::move(options)); }

  /// Exit code 3 that names `file`; nothing ran, and every byte is as it was.
  void expect_refused(const fs::path& file) {
    const auto before = digests(folder_.path());
    const Report report = run();
    EXPECT_EQ(report.exit_code(), 3) << file;
    ASSERT_NE(report.error(), nullptr);
    EXPECT_EQ(report.error()->errc(), Errc::edited);
    EXPECT_EQ(report.error()->info().file, file.string());
    EXPECT_THAT(report.error()->explain(), AllOf(HasSubstr(file.string()), HasSubstr("next")));
    EXPECT_EQ(digests(folder_.path()), before);
  }

  TempFolder folder_;
  Journal journal_{folder_ / "journal"};
  FileStore store_{folder_ / "store"};
  fs::path run_ = folder_ / "store/r1";
  fs::path team_ = folder_ / "store/r1/sections/02-team.md";
  Memo memo_;
};

// ---- before the first export -------------------------------------------------------------------

TEST_F(GuardTest, APersonsFileAtTheLastStagesPathIsNamedBeforeAnythingRuns) {
  fs::create_directories(run_);
  write_file(run_ / "memo.md", "mine");
  expect_refused(run_ / "memo.md");
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_FALSE(fs::exists(run_ / ".resumable"));
  fs::remove(run_ / "memo.md");
  EXPECT_EQ(run().exit_code(), 0);
}

TEST_F(GuardTest, APersonsFileAtAnItemsPathIsNamedBeforeAnythingRunsWhenTheListIsKnown) {
  memo_.outlined = true;
  EventLog stop([](const Event& event) {
    if (event.kind == EventKind::item_started) ::raise(SIGKILL);
  });
  ChildProcess child([&] {
    FileStore store{folder_ / "store"};
    return memo_.run(store, journal_, {.run = "r1", .observers = {&stop}}).exit_code();
  });
  ASSERT_EQ(child.wait().signal, SIGKILL);  // the list was recorded, no item has run
  fs::create_directories(team_.parent_path());
  write_file(team_, "mine");
  journal_.clear();
  expect_refused(team_);
  EXPECT_THAT(journal_.lines(), IsEmpty());
}

TEST_F(GuardTest, APersonsFileAtAnItemsPathIsNamedBeforeAnyItemRunsWhenTheListIsNew) {
  memo_.outlined = true;
  fs::create_directories(team_.parent_path());
  write_file(team_, "mine");
  const Report report = run();
  EXPECT_EQ(report.exit_code(), 3);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_EQ(report.error()->errc(), Errc::edited);
  EXPECT_EQ(report.error()->info().file, team_.string());
  EXPECT_THAT(journal_.lines(), ElementsAre("outline", "listed"));
  EXPECT_EQ(read_file(team_), "mine");
  fs::remove(team_);
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_EQ(read_file(team_), section_text(memo_, "team"));
}

TEST_F(GuardTest, AFileThatAppearsWhileRunningIsNotReplacedAndTheValueIsKept) {
  EventLog log([&](const Event& event) {
    if (event.kind == EventKind::committed && event.stage == "memo")
      write_file(run_ / "memo.md", "mine");
  });
  const Report report = run({.run = "r1", .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 3);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_EQ(report.error()->errc(), Errc::edited);
  EXPECT_EQ(report.error()->info().file, (run_ / "memo.md").string());
  EXPECT_EQ(read_file(run_ / "memo.md"), "mine");
  EXPECT_THAT(snapshot(run_ / ".resumable/publish"), IsEmpty());
  journal_.clear();
  expect_refused(run_ / "memo.md");
  fs::rename(run_ / "memo.md", folder_ / "mine.md");
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_TRUE(fs::exists(run_ / "memo.md"));
}

// ---- changed by hand ---------------------------------------------------------------------------

TEST_F(GuardTest, AnEditThatCannotBeReadBackIsNamedAndStays) {
  ASSERT_EQ(run().exit_code(), 0);
  journal_.clear();
  const fs::path file = run_ / "outline.json";
  const std::string ours = read_file(file);
  write_file(file, ours + "and my thoughts\n");
  expect_refused(file);
  write_file(file, ours);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(run().exit_code(), 0);
}

TEST_F(GuardTest, TheContentOfAnOlderGenerationPutThereByHandIsAnEdit) {
  ASSERT_EQ(run().exit_code(), 0);
  const std::string old = read_file(run_ / "memo.md");
  const std::string old_team = read_file(team_);
  memo_.company = "Cloudgov";
  ASSERT_EQ(run().exit_code(), 0);
  const std::string now = read_file(run_ / "memo.md");
  journal_.clear();
  write_file(run_ / "memo.md", old);
  write_file(team_, old_team);
  EXPECT_EQ(run().plan()["memo"].causes.front().reason, Reason::edited);
  EXPECT_EQ(read_file(run_ / "memo.md"), old);
  EXPECT_EQ(read_file(team_), old_team);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_NE(old, now);
}

TEST_F(GuardTest, TheContentOfAnEarlierStageOfTheChainPutThereByHandIsAnEdit) {
  ASSERT_EQ(run().exit_code(), 0);
  const std::string text = "Fernstone: draft of team\n";
  write_file(team_, text);
  EXPECT_EQ(run().plan().item("charts", "team")->causes.front().reason, Reason::edited);
  EXPECT_EQ(read_file(team_), text);
}

TEST_F(GuardTest, AChangeBeforeTheNextStageWritesIsNotReplaced) {
  EventLog log([&](const Event& event) {
    if (event.kind == EventKind::exported && event.stage == "draft" && event.item == "team") {
      write_file(team_, "mine");
    }
  });
  const Report report = run({.run = "r1", .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(report.warnings(), ElementsAre(HasSubstr(team_.string())));
  EXPECT_EQ(read_file(team_), "mine");
  journal_.clear();
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_THAT(journal_.lines(), ElementsAre("links/team", "charts/team", "memo"))
      << "what was edited is the draft's text, as it was then";
  EXPECT_EQ(read_file(team_), "mine+ links\n+ charts\n");
}

TEST_F(GuardTest, AChangeInTheVeryMomentOfReplacingIsPutBack) {
  ASSERT_EQ(run().exit_code(), 0);
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  bool changed = false;
  files.on_call([&](Op op, std::uint64_t, bool done) {
    // The first rename is the exchange: it comes after the change.
    if (op != Op::rename || done || changed ||
        read_file(run_ / "outline.json").find("Cloudgov") != std::string::npos)
      return;
    changed = true;
    write_file(run_ / "outline.json", "mine");
  });
  const record::TestEnvironment environment{{.file_system = &files}};
  memo_.company = "Cloudgov";
  const Report report = run({.run = "r1"});
  files.on_call({});
  EXPECT_TRUE(changed);
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(report.warnings(), ElementsAre(HasSubstr("outline.json")));
  EXPECT_EQ(read_file(run_ / "outline.json"), "mine");
  EXPECT_THAT(snapshot(run_ / ".resumable/publish"), IsEmpty());
}

TEST_F(GuardTest, WhatCannotBePutBackIsKeptAside) {
  ASSERT_EQ(run().exit_code(), 0);
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  int renames = 0;
  files.on_call([&](Op op, std::uint64_t, bool done) {
    if (op != Op::rename || done) return;
    if (++renames == 1) write_file(run_ / "outline.json", "mine");
  });
  // 1: the exchange, 2: the exchange back.
  files.fail(Fault{.ops = {Op::rename}, .at = 2, .error = std::errc::io_error, .sticky = true});
  const record::TestEnvironment environment{{.file_system = &files}};
  memo_.company = "Cloudgov";
  const Report report = run({.run = "r1"});
  files.on_call({});
  files.fail({});
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_THAT(artifacts(run_), Contains(::testing::Pair(HasSubstr(".export-"), "mine")));
  EXPECT_EQ(run().exit_code(), 0);
  EXPECT_THAT(artifacts(run_), Not(Contains(::testing::Key(HasSubstr(".export-")))));
  EXPECT_THAT(snapshot(run_ / ".resumable/publish"), IsEmpty());
  EXPECT_THAT(snapshot(run_ / ".resumable/removed"),
              Contains(::testing::Pair(::testing::_, "mine")));
}

// ---- what is no file ---------------------------------------------------------------------------

TEST_F(GuardTest, AFolderALinkOrAFifoInTheArtifactsPlaceIsNamedAndStays) {
  write_file(folder_ / "elsewhere", "not yours");
  for (const bool exported : {false, true}) {
    for (const char* what : {"folder", "link", "dangling", "fifo"}) {
      fs::remove_all(folder_ / "store");
      if (exported) {
        ASSERT_EQ(run().exit_code(), 0);
      }
      fs::create_directories(run_);
      const fs::path place = run_ / "memo.md";
      fs::remove(place);
      const std::string_view kind{what};
      if (kind == "folder") fs::create_directory(place);
      if (kind == "link") fs::create_symlink(folder_ / "elsewhere", place);
      if (kind == "dangling") fs::create_symlink("nowhere", place);
      if (kind == "fifo") {
        ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0);
      }
      expect_refused(place);
    }
  }
  EXPECT_EQ(read_file(folder_ / "elsewhere"), "not yours");
}

TEST_F(GuardTest, ALinkedFolderBelowTheRunsFolderIsNotFollowed) {
  fs::create_directories(folder_ / "outside");
  for (const bool exported : {false, true}) {
    fs::remove_all(folder_ / "store");
    if (exported) {
      ASSERT_EQ(run().exit_code(), 0);
    }
    fs::create_directories(run_);
    fs::remove_all(run_ / "sections");
    fs::create_directory_symlink(folder_ / "outside", run_ / "sections");
    const Report report = run();
    EXPECT_EQ(report.exit_code(), 3);
    ASSERT_NE(report.error(), nullptr);
    EXPECT_THAT(report.error()->info().file, HasSubstr("/sections/"));
    EXPECT_THAT(snapshot(folder_ / "outside"), IsEmpty());
  }
}

TEST_F(GuardTest, ALinkSwappedInWhileRunningIsNotFollowed) {
  fs::create_directories(folder_ / "outside");
  EventLog log([&](const Event& event) {
    if (event.kind != EventKind::committed || event.stage != "draft" || event.item != "team")
      return;
    fs::rename(run_ / "sections", folder_ / "was");
    fs::create_directory_symlink(folder_ / "outside", run_ / "sections");
  });
  const Report report = run({.run = "r1", .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_THAT(snapshot(folder_ / "outside"), IsEmpty());
}

TEST_F(GuardTest, AnArtifactThatCannotBeReadIsRefusedAndNotTakenForMissing) {
  ASSERT_EQ(run().exit_code(), 0);
  const auto before = digests(folder_.path());
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  const record::TestEnvironment environment{{.file_system = &files}};
  journal_.clear();
  for (const std::errc error : {std::errc::permission_denied, std::errc::io_error}) {
    for (const Op op : {Op::open, Op::read, Op::open_root}) {
      files.fail(Fault{.ops = {op}, .at = 1, .error = error, .sticky = true});
      const Report report = run({.run = "r1"});
      EXPECT_EQ(report.exit_code(), 3) << to_string(op);
      ASSERT_NE(report.error(), nullptr) << to_string(op);
      EXPECT_THAT(report.error()->explain(), HasSubstr("cannot be read")) << to_string(op);
      files.fail({});
    }
  }
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_EQ(digests(folder_.path()).size(), before.size() - 1);  // the journal was cleared
}

// ---- one path, two writers ---------------------------------------------------------------------

struct Conflict {
  Errc code{};
  std::string what;
};

template <class F>
Conflict conflict_of(const F& declare) {
  Pipeline pipeline{"p"};
  try {
    declare(pipeline);
  } catch (const Error& error) {
    return {error.errc(), error.info().what};
  }
  return {};
}

TEST(ArtifactConflict, TwoStagesOnOnePathAreRefusedAtDeclarationNamingBothUnlessChained) {
  const auto declare = [](const char* one, const char* two, bool chained, bool by_order) {
    return conflict_of([&](Pipeline& p) {
      const auto a = p.stage("first", [] { return 1; });
      const auto b = by_order  ? p.stage("second", inputs(after(a)), [] { return 2; })
                     : chained ? p.stage("second", inputs(a), [](int) { return 2; })
                               : p.stage("second", [] { return 2; });
      p.artifact(b, two);
      p.artifact(a, one);
    });
  };
  for (const auto& [one, two] : {std::pair{"x.md", "x.md"}, std::pair{"x.md", "X.md"},
                                 std::pair{"\xc3\xa9.md", "e\xcc\x81.md"}}) {
    const Conflict conflict = declare(one, two, false, false);
    EXPECT_EQ(conflict.code, Errc::path_conflict) << two;
    EXPECT_THAT(conflict.what, AllOf(HasSubstr("'first'"), HasSubstr("'second'"))) << two;
    EXPECT_EQ(declare(one, two, true, false).code, Errc{}) << two;
    EXPECT_EQ(declare(one, two, false, true).code, Errc{}) << two;
  }
}

TEST(ArtifactConflict, OneStageExportingOnePathTwiceIsRefused) {
  const Conflict conflict = conflict_of([](Pipeline& p) {
    const auto a = p.stage("first", [] { return 1; });
    p.artifact(a, "x");
    p.artifact(a, "x");
  });
  EXPECT_EQ(conflict.code, Errc::path_conflict);
}

class ItemConflictTest : public ::testing::Test {
 protected:
  /// The message of the conflict between items, with its advice; no body of the fan-out has run.
  std::string conflict(const std::vector<std::string>& items,
                       const std::vector<std::string>& patterns, const std::string& plain = "",
                       bool from_stage = false) {
    const TempFolder folder;
    FileStore store{folder / "store"};
    int calls = 0;
    Pipeline pipeline{"p"};
    const auto given = pipeline.input("given", items);
    const auto made = pipeline.stage("made", inputs(given),
                                     [](const std::vector<std::string>& all) { return all; });
    const auto stage = pipeline.stage("items", inputs(each(from_stage ? made : given)),
                                      [&](const std::string& key) {
                                        ++calls;
                                        return Text{key};
                                      });
    for (const std::string& pattern : patterns) pipeline.artifact(stage, pattern);
    if (!plain.empty()) pipeline.artifact(pipeline.stage("plain", [] { return Text{"p"}; }), plain);
    const Report report = resume(pipeline, store, {.run = "r"});
    if (report.error() == nullptr) return "";
    EXPECT_EQ(report.error()->errc(), Errc::path_conflict) << report.error()->explain();
    EXPECT_NE(report.exit_code(), 0);
    EXPECT_EQ(calls, 0);
    return report.error()->explain();
  }
};

TEST_F(ItemConflictTest, TwoItemsOnOnePathAreNamedBeforeAnyRuns) {
  for (const bool from_stage : {false, true}) {
    EXPECT_THAT(conflict({"a", "Team A", "team-a"}, {"{item:slug}.md"}, "", from_stage),
                AllOf(HasSubstr("'Team A'"), HasSubstr("'team-a'"), HasSubstr("team-a.md")));
    EXPECT_THAT(conflict({"a", "A"}, {"{item}.md"}, "", from_stage),
                AllOf(HasSubstr("'a'"), HasSubstr("'A'"), HasSubstr("put {position} into"),
                      Not(HasSubstr("{item}"))))
        << "the pattern has {item} already";
    EXPECT_THAT(conflict({"\xc3\xa9", "e\xcc\x81"}, {"{item}.md"}, "", from_stage),
                HasSubstr("both export"));
  }
  EXPECT_EQ(conflict({"a", "b"}, {"{item}.md"}), "");
  EXPECT_EQ(conflict({"a", "A"}, {"{position}-{item}.md"}), "");
  EXPECT_EQ(conflict({"a", "a"}, {"{item}.md"}), "") << "one item, twice in the list";
}

TEST_F(ItemConflictTest, TwoPatternsOfOneStageAndAnItemAndAnotherStageAreFoundToo) {
  EXPECT_THAT(conflict({"a"}, {"{item}.md", "{item:slug}.md"}), HasSubstr("both export 'a.md'"));
  EXPECT_THAT(conflict({"a", "intro"}, {"{item}.md"}, "Intro.md"),
              AllOf(HasSubstr("'intro'"), HasSubstr("'plain'"), HasSubstr("a different path")));
  EXPECT_EQ(conflict({"a", "intro"}, {"{item}.md"}, "outro.md"), "");
}

}  // namespace
}  // namespace resumable::test
