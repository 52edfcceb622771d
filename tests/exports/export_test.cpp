// What is exported, under which name and mode; what a pattern may not say.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "exports/memo.hpp"
#include "record/environment.hpp"
#include "resumable/error.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/run_list.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"
#include "sys/forwarding_file_system.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class ExportTest : public ::testing::Test {
 protected:
  TempFolder folder_;
  Journal journal_{folder_ / "journal"};
  FileStore store_{folder_ / "store"};
  fs::path run_ = folder_ / "store/r1";
};

TEST_F(ExportTest, ValuesAreExportedWholeAndPerItemAsIndentedJsonAndAsText) {
  const Memo memo;
  const Report report = memo.run(store_, journal_);
  ASSERT_EQ(report.exit_code(), 0);
  EXPECT_THAT(artifacts(run_),
              UnorderedElementsAre(
                  Pair("outline.json",
                       "{\n  \"sections\": [\n    \"intro\",\n    \"team\",\n"
                       "    \"market\"\n  ],\n  \"title\": \"Fernstone\"\n}\n"),
                  Pair("sections/", ""), Pair("sections/01-intro.md", section_text(memo, "intro")),
                  Pair("sections/02-team.md", section_text(memo, "team")),
                  Pair("sections/03-market.md", section_text(memo, "market")),
                  Pair("memo.md", section_text(memo, "intro") + section_text(memo, "team") +
                                      section_text(memo, "market"))));
}

TEST_F(ExportTest, ARenderFunctionOrAMemberMakesTheText) {
  Pipeline pipeline{"p"};
  const auto list = pipeline.input("list", std::vector<std::string>{"a", "b"});
  const auto outline = pipeline.stage("outline", [] { return Outline{"T", {"x"}}; });
  const auto items = pipeline.stage("items", inputs(each(list)), [](const std::string& key) {
    return Outline{key, {}};
  });
  pipeline.artifact(outline, "title.txt", &Outline::title);
  pipeline.artifact(outline, "upper.txt", [](const Outline& of) { return of.title + "!"; });
  pipeline.artifact(items, "{item}.txt", [](const Outline& of) { return "item " + of.title; });
  ASSERT_TRUE(resume(pipeline, store_, {.run = "r1"}));
  EXPECT_THAT(artifacts(run_),
              UnorderedElementsAre(Pair("title.txt", "T"), Pair("upper.txt", "T!"),
                                   Pair("a.txt", "item a"), Pair("b.txt", "item b")));
}

TEST_F(ExportTest, ARenderFunctionThatThrowsFailsTheAttemptAndNothingIsCommitted) {
  bool throws = true;
  int calls = 0;
  Pipeline pipeline{"p"};
  const auto stage = pipeline.stage("stage", [&] { return ++calls; });
  pipeline.artifact(stage, "a.txt", [&](const int& n) {
    if (throws) throw std::runtime_error("no ink");
    return std::to_string(n);
  });
  const Report failed = resume(pipeline, store_, {.run = "r1"});
  EXPECT_EQ(failed.exit_code(), 1);
  EXPECT_THAT(failed.stage("stage").message, HasSubstr("no ink"));
  EXPECT_EQ(failed.find(stage), nullptr);
  EXPECT_THAT(artifacts(run_), IsEmpty());
  throws = false;
  const Report done = resume(pipeline, store_, {.run = "r1"});
  EXPECT_EQ(done.exit_code(), 0);
  EXPECT_EQ(read_file(run_ / "a.txt"), "2");
}

TEST_F(ExportTest, ArtifactsFollowTheUmaskAndTheLibrarysFolderIsPrivate) {
  ChildProcess child([&] {
    ::umask(027);
    return Memo{}.run(store_, journal_).exit_code();
  });
  ASSERT_EQ(child.wait(), (Ended{0, 0}));
  EXPECT_EQ(mode_of(run_ / "memo.md"), 0640U);
  EXPECT_EQ(mode_of(run_ / "sections"), 0750U);
  EXPECT_EQ(mode_of(run_ / "sections/02-team.md"), 0640U);
  EXPECT_EQ(mode_of(run_ / ".resumable"), 0700U);
  for (const auto& entry : fs::recursive_directory_iterator(run_ / ".resumable")) {
    EXPECT_EQ(mode_of(entry.path()), entry.is_directory() ? 0700U : 0600U) << entry.path();
  }
}

TEST_F(ExportTest, AStoreWithoutAFolderExportsNothingAndSaysSo) {
  MemoryStore memory;
  const Memo memo;
  const Report report = memo.run(memory, journal_);
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(report.warnings(), ElementsAre(HasSubstr("artifacts are not exported")));
}

TEST_F(ExportTest, AStoreWithoutAFolderExportsToTheOneThatIsGiven) {
  MemoryStore memory;
  const Memo memo;
  const fs::path out = folder_ / "a/b";
  Report report = memo.run(memory, journal_, {.run = "r1", .artifact_folder = out});
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(report.warnings(), IsEmpty());
  EXPECT_EQ(read_file(out / "sections/02-team.md"), section_text(memo, "team"));
  EXPECT_EQ(mode_of(out / ".resumable"), 0700U);
  fs::remove(out / "memo.md");
  journal_.clear();
  report = memo.run(memory, journal_, {.run = "r1", .artifact_folder = out});
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(journal_.lines(), IsEmpty());
  EXPECT_TRUE(fs::exists(out / "memo.md"));
}

TEST_F(ExportTest, AFolderThatAnotherWorkerMakesAtTheSameTimeIsNoFailure) {
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  files.on_call([&](Op op, std::uint64_t, bool done) {
    if (op != Op::make_folder || done) return;
    // The library's own folder is made first, then the one for the sections.
    const bool own = fs::exists(run_ / ".resumable/publish");
    fs::create_directories(run_ / (own ? "sections" : ".resumable/publish"));
  });
  const record::TestEnvironment environment{{.file_system = &files}};
  EXPECT_EQ(Memo{}.run(store_, journal_, {.run = "r1"}).exit_code(), 0);
  files.on_call({});
}

// ---- names -------------------------------------------------------------------------------------

Errc refusal_of(const std::string& pattern, bool per_item = false) {
  Pipeline pipeline{"p"};
  const auto list = pipeline.input("list", std::vector<std::string>{});
  const auto stage = pipeline.stage("stage", [] { return 1; });
  const auto items =
      pipeline.stage("items", inputs(each(list)), [](const std::string&) { return 1; });
  try {
    if (per_item) {
      pipeline.artifact(items, pattern, [](int) { return ""; });
    } else {
      pipeline.artifact(stage, pattern);
    }
  } catch (const Error& error) {
    EXPECT_FALSE(error.info().next.empty());
    return error.errc();
  }
  return Errc{};
}

TEST(ArtifactPattern, WhatLeavesTheFolderOrIsNoFileIsRefused) {
  for (const char* bad : {"../x", "a/../b", "..", ".", "/etc/x", "", "a//b", "a/", ".resumable/x",
                          ".Resumable", ".resumable", "a\xff"}) {
    EXPECT_EQ(refusal_of(bad), Errc::bad_name) << bad;
  }
  EXPECT_EQ(refusal_of(std::string("a\0b", 3)), Errc::bad_name);
  EXPECT_EQ(refusal_of(std::string(201, 'a')), Errc::bad_name);
  EXPECT_EQ(refusal_of("a/.resumable/x"), Errc{});
  EXPECT_EQ(refusal_of("über.md"), Errc{});
}

TEST(ArtifactPattern, UnknownFieldsAndFieldsInTheWrongPlaceAreRefused) {
  for (const char* bad : {"{name}.md", "{item", "{}", "{item:upper}", "{position:2}",
                          "{position:0}", "{position:00}", "plain.md"}) {
    EXPECT_EQ(refusal_of(bad, true), Errc::bad_name) << bad;
  }
  EXPECT_EQ(refusal_of("{item}.md"), Errc::bad_name);
  EXPECT_EQ(refusal_of("{position:03}/{item:slug}-{item}.md", true), Errc{});
}

/// The files of a fan-out over these items with this pattern.
std::vector<std::string> names_of(const std::vector<std::string>& items, const char* pattern) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Pipeline pipeline{"p"};
  const auto list = pipeline.input("list", items);
  const auto stage =
      pipeline.stage("items", inputs(each(list)), [](const std::string& key) { return Text{key}; });
  pipeline.artifact(stage, pattern);
  const Report report = resume(pipeline, store, {.run = "r"});
  EXPECT_EQ(report.exit_code(), 0) << (report.error() ? report.error()->explain() : "");
  std::vector<std::string> names;
  for (const auto& [name, content] : artifacts(folder / "store/r")) names.push_back(name);
  // And nothing beside them.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "store"), {}), 2);
  return names;
}

TEST(ArtifactPattern, FieldsGiveTheItemItsSlugAndItsPlace) {
  EXPECT_THAT(names_of({"Team & Co", "Ärzte"}, "{item}.md"),
              UnorderedElementsAre("Team & Co.md", "Ärzte.md"));
  EXPECT_THAT(names_of({"Team & Co", "a--b"}, "{item:slug}.md"),
              UnorderedElementsAre("team-co.md", "a-b.md"));
  EXPECT_THAT(names_of({"x", "y"}, "{position}-{position:03}.md"),
              UnorderedElementsAre("1-001.md", "2-002.md"));
}

TEST(ArtifactPattern, AHostileItemGivesOneComponentInsideTheFolder) {
  const std::vector<std::string> hostile{"../x",
                                         "/",
                                         "/escaped",
                                         "%",
                                         "%2F",
                                         "a\nb",
                                         "\x1b[31m",
                                         ".",
                                         "..",
                                         ".resumable",
                                         ".RESUMABLE",
                                         "..\\escaped",
                                         std::string(1024, 'a'),
                                         std::string(1024, '/'),
                                         "con",
                                         " ",
                                         "-rf",
                                         "{item}"};
  for (const std::string& item : hostile) {
    const auto names = names_of({item}, "{item}");
    ASSERT_EQ(names.size(), 1U) << item;
    EXPECT_THAT(names.front(), Not(HasSubstr("/"))) << item;
  }
  for (const char* pattern : {"{item}/x.md", "s/{item}-{item}.md", ".{item}/x.md"}) {
    for (const std::string& item : {std::string("resumable"), std::string(".resumable"),
                                    std::string("."), std::string(1024, 'b')}) {
      EXPECT_EQ(names_of({item}, pattern).size(), 2U) << pattern << " " << item;
    }
  }
}

TEST(ArtifactPattern, ALongNameOfManyBytesALetterIsCutBetweenLetters) {
  std::string item;
  for (int i = 0; i < 59; ++i) item += "ß";
  const auto names = names_of({item, item + "s"}, "{item}-{item}.md");
  ASSERT_EQ(names.size(), 2U);
  for (const std::string& name : names) {
    EXPECT_LE(name.size(), 255U);
    EXPECT_TRUE(name.ends_with(".md"));
  }
}

/// A stage with an artifact, and where that is to be.
struct Exporting {
  explicit Exporting(std::vector<std::string> keys = {"a"}) {
    const auto list = pipeline.input("keys", std::move(keys));
    const auto items = pipeline.stage("items", inputs(each(list)),
                                      [](const std::string& key) { return Text{key}; });
    pipeline.artifact(items, "k/{item}.txt");
  }
  Pipeline pipeline{"p"};
};

TEST_F(ExportTest, AFolderForArtifactsIsMadeAndFoundAgainWithoutTheProgram) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  for (const char* given : {"out", "new/below/out"}) {
    MemoryStore store;
    const Exporting exporting;
    const Report report = resume(exporting.pipeline, store, {.run = "r", .artifact_folder = given});
    EXPECT_EQ(report.exit_code(), 0) << report.text();
    EXPECT_EQ(read_file(folder_ / given / "k/a.txt"), "a");
    const RunStatus now = status(*recorded_pipeline(store, "r"), store, "r");
    EXPECT_EQ(now.folder, (folder_ / given).string());
    EXPECT_TRUE(now.plan.complete());
    EXPECT_THAT(now.plan.text(true), Not(HasSubstr("exported again")));
  }
  fs::current_path(before);
}

/// In which no folder can be written.
class ReadOnly final : public sys::ForwardingFileSystem {
 public:
  using ForwardingFileSystem::ForwardingFileSystem;
  std::error_code may_write(const sys::File& /*folder*/) override {
    return std::make_error_code(std::errc::read_only_file_system);
  }
};

TEST_F(ExportTest, AFolderThatCannotBeWrittenIsRefusedInThePlanUnlessNothingIsExported) {
  const auto disk = sys::posix_file_system();
  MemoryStore store;
  const Exporting exporting;
  const ResumeOptions options{.run = "r", .artifact_folder = folder_ / "not/there"};
  {
    ReadOnly files{*disk};
    const record::TestEnvironment environment{{.file_system = &files}};
    const Plan plan = ResumePlanner{store}.plan(exporting.pipeline, options);
    EXPECT_TRUE(plan.refused());
    EXPECT_THAT(plan.text(), HasSubstr("the folder of its artifacts cannot be written: "));
    const Report report = resume(exporting.pipeline, store, options);
    EXPECT_EQ(report.exit_code(), 3);
    EXPECT_THAT(report.error()->what(), HasSubstr("the folder of its artifacts cannot be written"));
  }
  EXPECT_EQ(resume(exporting.pipeline, store, options).exit_code(), 0);
  ReadOnly files{*disk};
  const record::TestEnvironment environment{{.file_system = &files}};
  EXPECT_TRUE(ResumePlanner{store}.plan(exporting.pipeline, options).complete());
}

TEST_F(ExportTest, AFileInPlaceOfTheFolderIsRefusedInThePlan) {
  write_file(folder_ / "file", "mine");
  MemoryStore store;
  const Exporting exporting;
  const ResumeOptions options{.run = "r", .artifact_folder = folder_ / "file/out"};
  EXPECT_TRUE(ResumePlanner{store}.plan(exporting.pipeline, options).refused());
  EXPECT_EQ(resume(exporting.pipeline, store, options).exit_code(), 3);
}

TEST_F(ExportTest, KeysThatWouldShareAFileAreRefusedInThePlan) {
  const Exporting exporting{{"README", "readme", "other"}};
  const Plan plan = ResumePlanner{store_}.plan(exporting.pipeline, {.run = "r"});
  EXPECT_TRUE(plan.refused());
  const char* sentence =
      "item 'README' of stage 'items' and item 'readme' of stage 'items' both "
      "export 'k/readme.txt'";
  EXPECT_THAT(plan.text(), HasSubstr(sentence));
  const Report report = resume(exporting.pipeline, store_, {.run = "r"});
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_THAT(report.error()->what(), HasSubstr(sentence));
}

}  // namespace
}  // namespace resumable::test
