// A program that was built again is noticed where its checkpoints are kept.
#include <memory>

#include "run/run_support.hpp"
#include "sys/build_id.hpp"

namespace resumable::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ChangedProgram : public ::testing::Test {
 protected:
  Report run(const std::string& build, ResumeOptions how = {}) {
    const record::TestEnvironment environment{{.build_id = &build}};
    how.run = "r";
    return resume(pipeline(), store, how);
  }
  Plan plan(const std::string& build) {
    const record::TestEnvironment environment{{.build_id = &build}};
    return ResumePlanner{store}.plan(pipeline(), {.run = "r"});
  }
  /// Lives as long as the reports that refer to it.
  Pipeline& pipeline() {
    pipelines.emplace_back(new Pipeline{"letters"});
    Pipeline& made = *pipelines.back();
    const auto words = made.stage("words", [] { return Strings{"a", "b"}; });
    const auto pages = made.stage({.name = "pages", .revision = revision}, inputs(each(words)),
                                  [](const std::string& word) { return word + "!"; });
    made.stage("all", inputs(pages), [](const Strings& all) { return all.size(); });
    return made;
  }
  static Strings notes(const Plan& plan) {
    Strings all;
    for (const Cause& note : plan.notes()) all.push_back(note.text());
    return all;
  }

  MemoryStore store;
  std::vector<std::unique_ptr<Pipeline>> pipelines;
  std::uint32_t revision = 1;
};

constexpr const char* rebuilt =
    "the program has changed since these checkpoints were made; stages are kept unless their "
    "revision changes";

TEST_F(ChangedProgram, IsNamedByPlanAndReportWithTheStagesThatAreKept) {
  ASSERT_THAT(run("aa").warnings(), IsEmpty());
  EXPECT_THAT(notes(plan("aa")), IsEmpty());
  ASSERT_THAT(notes(plan("bb")), ElementsAre(rebuilt + ": words, pages, all"s));
  EXPECT_EQ(plan("bb").notes().front().reason, Reason::program_changed);
  EXPECT_THAT(plan("bb").json(), HasSubstr("\"program_changed\""));
  const Report report = run("bb");
  EXPECT_TRUE(report);
  EXPECT_THAT(report.warnings(), ElementsAre(rebuilt + ": words, pages, all"s));
  EXPECT_EQ(report.stages_skipped(), 3U);
  EXPECT_THAT(notes(plan("bb")), ElementsAre(rebuilt + ": words, pages, all"s))
      << "it made none of them";
}

TEST_F(ChangedProgram, DoesNotNameWhatItMadeItself) {
  ASSERT_TRUE(run("aa"));
  revision = 2;
  EXPECT_THAT(notes(plan("bb")), ElementsAre(rebuilt + ": words"s)) << "all waits for pages";
  ASSERT_TRUE(run("bb"));
  EXPECT_THAT(notes(plan("bb")), ElementsAre(rebuilt + ": words, all"s));
  EXPECT_THAT(notes(plan("aa")), ElementsAre(rebuilt + ": pages"s));
  ASSERT_TRUE(run("aa", {.fresh = true}));
  EXPECT_THAT(notes(plan("aa")), IsEmpty());
}

TEST_F(ChangedProgram, ThatContinuesFromStepsAndTurnsOfAnotherIsNamed) {
  bool fails = true;
  const auto stop = [&] {
    if (fails) throw std::runtime_error{"stopped"};
    return 1;
  };
  Pipeline loop{"loop"};
  loop.stage("steps", inputs(), [&](Context& ctx) {
    ctx.step("first", [] { return 1; });
    return stop();
  });
  loop.stage("turns", inputs(), [&](Context& ctx) {
    auto turns = ctx.history<int>();
    turns.push_back(1);
    turns.save();
    return stop();
  });
  const auto words = loop.stage("words", [] { return Strings{"a", "b"}; });
  loop.stage("items", inputs(each(words)), [&](Context& ctx, const std::string& word) {
    ctx.step("first", [] { return 1; });
    return word == "a" ? 1 : stop();
  });
  loop.stage("new", inputs(), stop);
  const auto as = [&](const std::string& build) {
    const record::TestEnvironment environment{{.build_id = &build}};
    return resume(loop, store, {.run = "r", .keep_going = true});
  };
  ASSERT_FALSE(as("aa"));
  ASSERT_THAT(as("aa").warnings(), IsEmpty());
  fails = false;
  const Report report = as("bb");
  EXPECT_TRUE(report) << report.text();
  EXPECT_THAT(report.warnings(), ElementsAre(rebuilt + ": steps, turns, words, items"s));
}

TEST_F(ChangedProgram, ThatHasNoBuildIdSaysNothing) {
  ASSERT_TRUE(run(""));
  EXPECT_THAT(notes(plan("")), IsEmpty());
  EXPECT_THAT(notes(plan("bb")), IsEmpty());
  ASSERT_TRUE(run("bb", {.redo = {"words"}}));
  EXPECT_THAT(notes(plan("")), IsEmpty());
  ASSERT_TRUE(run("", {.redo = {"pages"}}));
  EXPECT_THAT(notes(plan("cc")), ElementsAre(rebuilt + ": words"s));
}

// A stage's function may live in a library that is built again while the program stays.
TEST_F(ChangedProgram, IsALibraryThatItHasLoaded) {
  const std::string same = "aa";
  const auto with = [&](std::map<std::string, std::string> libraries) {
    return record::Environment{.build_id = &same, .libraries = std::move(libraries)};
  };
  const auto planned = [&](std::map<std::string, std::string> libraries) {
    const record::TestEnvironment environment{with(std::move(libraries))};
    return notes(ResumePlanner{store}.plan(pipeline(), {.run = "r"}));
  };
  {
    const record::TestEnvironment environment{with({{"plugin.so", "11"}, {"other.so", "22"}})};
    ASSERT_TRUE(resume(pipeline(), store, {.run = "r"}));
  }
  EXPECT_THAT(planned({{"plugin.so", "11"}, {"other.so", "22"}}), IsEmpty());
  EXPECT_THAT(planned({{"plugin.so", "33"}, {"other.so", "22"}}),
              ElementsAre("the library 'plugin.so' has changed since these checkpoints were made; "
                          "stages are kept unless their revision changes: words, pages, all"));
  EXPECT_THAT(
      planned({{"plugin.so", "33"}, {"other.so", "44"}}),
      ElementsAre(HasSubstr("the library 'other.so', the library 'plugin.so' have changed")));
  EXPECT_THAT(planned({{"new.so", "33"}}), IsEmpty()) << "what was not loaded says nothing";
}

TEST_F(ChangedProgram, IsRecordedOnlyWhenSomethingRuns) {
  TempFolder folder;
  FileStore files{folder / "store"};
  const std::string one = "aa";
  const std::string two = "bb";
  const record::TestEnvironment first{{.build_id = &one}};
  ASSERT_TRUE(resume(pipeline(), files, {.run = "r"}));
  const auto checkpoints = folder / "store/r/.resumable/checkpoints";
  const auto before = snapshot(checkpoints);
  const record::TestEnvironment second{{.build_id = &two}};
  ASSERT_TRUE(resume(pipeline(), files, {.run = "r"}));
  EXPECT_EQ(changes(before, snapshot(checkpoints)), "");
}

TEST(BuildId, OfThisProgramIsHexadecimalOrNothing) {
  const std::string id = sys::build().program;
  EXPECT_EQ(sys::build(), sys::build());
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), id.npos);
  EXPECT_EQ(id.size() % 2, 0U);
}

TEST(BuildId, OfLibrariesOfTheSystemIsLeftOut) {
  for (const auto& [name, id] : sys::build().libraries) {
    EXPECT_FALSE(name.starts_with("libc.") || name.starts_with("libstdc++")) << name;
    EXPECT_FALSE(id.empty()) << name;
  }
}

}  // namespace
}  // namespace resumable::test
