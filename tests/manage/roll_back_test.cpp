// Taking an earlier value back, and tags.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manage/story.hpp"

namespace resumable::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A run that was made with "sea" and then with "sky".
class RollBackTest : public ::testing::Test {
 protected:
  RollBackTest() {
    EXPECT_TRUE(sea_.run(store_));
    EXPECT_TRUE(sky_.run(store_));
    calls_.take();
  }
  [[nodiscard]] std::string artifact(std::string_view name) const {
    return read_file(folder_ / "store/r" / name);
  }

  TempFolder folder_;
  Calls calls_;
  Story sea_{.topic = "sea", .calls = &calls_};
  Story sky_{.topic = "sky", .calls = &calls_};
  FileStore store_{folder_ / "store"};
};

TEST_F(RollBackTest, TheStageIsUpToDateAndWhatDependsOnItRuns) {
  const RollBackResult result = roll_back(store_, "r", "outline", {.generation = 1});
  ASSERT_THAT(result.values, SizeIs(1));
  EXPECT_EQ(result.values[0].key, "outline");
  EXPECT_EQ(result.values[0].from, 1U);
  EXPECT_EQ(result.values[0].generation, 3U);
  EXPECT_EQ(run_state(store_, "r"), RunState::interrupted);
  const Pipeline pipeline = sky_.pipeline();
  const Plan plan = ResumePlanner{store_}.plan(pipeline, {.run = "r"});
  EXPECT_EQ(plan["outline"].action, Action::skip);
  const Report report = sky_.run(store_);
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(calls_.take(), "whole") << "the items of that list are still there";
  EXPECT_EQ(artifact("whole.md"), "a sea plain\nb sea plain\n");
  EXPECT_EQ(artifact("notes.md"), "notes on sky") << "not asked for";
  EXPECT_THAT(artifact("outline.json"), HasSubstr("a sea"));
  EXPECT_TRUE(sky_.run(store_));
  EXPECT_EQ(calls_.take(), "") << "and it stays";
}

TEST_F(RollBackTest, KeepsEveryGenerationAndIsItselfTakenBack) {
  roll_back(store_, "r", "notes", {.generation = 1});
  EXPECT_TRUE(contents(store_, "r").contains("notes.1"));
  EXPECT_TRUE(contents(store_, "r").contains("notes.2"));
  roll_back(store_, "r", "notes", {.generation = 2});
  EXPECT_TRUE(sky_.run(store_));
  EXPECT_EQ(calls_.take(), "");
  EXPECT_EQ(artifact("notes.md"), "notes on sky");
}

TEST_F(RollBackTest, ExportsTheEarlierArtifactAgainWithoutRunningTheStage) {
  roll_back(store_, "r", "notes", {.generation = 1});
  ASSERT_TRUE(sky_.run(store_));
  EXPECT_EQ(artifact("notes.md"), "notes on sea");
  EXPECT_EQ(calls_.take(), "");
}

TEST_F(RollBackTest, KeepsAFileThatAPersonHasChanged) {
  write_file(folder_ / "store/r/notes.md", "my own notes");
  roll_back(store_, "r", "notes", {.generation = 1});
  const Report report = sky_.run(store_);
  EXPECT_EQ(report.exit_code(), 75) << "both changed the text: " << report.text();
  EXPECT_EQ(artifact("notes.md"), "my own notes");
}

TEST_F(RollBackTest, OfAFileThatAPersonHasDeletedExportsItAgain) {
  std::filesystem::remove(folder_ / "store/r/notes.md");
  roll_back(store_, "r", "notes", {.generation = 1});
  ASSERT_TRUE(sky_.run(store_));
  EXPECT_EQ(artifact("notes.md"), "notes on sea");
}

TEST_F(RollBackTest, OfOneItemLeavesTheOthers) {
  ASSERT_TRUE((Story{.topic = "sky", .style = "grand", .calls = &calls_}.run(store_)));
  calls_.take();
  std::string item;
  store_.scan("r", {.prefix = "parts/"}, [&](const RecordHead& head) {
    item = head.id.path;
    return false;
  });
  const Story grand{.topic = "sky", .style = "grand", .calls = &calls_};
  roll_back(store_, "r", "parts/a sky", {.generation = 1});
  ASSERT_TRUE(grand.run(store_));
  EXPECT_EQ(calls_.take(), "whole");
  EXPECT_EQ(artifact("whole.md"), "a sky plain\nb sky grand\n");
}

TEST_F(RollBackTest, CalledTwiceWritesOnce) {
  roll_back(store_, "r", "notes", {.generation = 1});
  const auto before = contents(store_, "r");
  const RollBackResult again = roll_back(store_, "r", "notes", {.generation = 1});
  EXPECT_EQ(again.unchanged, 1U);
  EXPECT_EQ(contents(store_, "r"), before);
}

TEST_F(RollBackTest, ToAGenerationThatIsNotThereListsThoseThatAre) {
  try {
    roll_back(store_, "r", "notes", {.generation = 9});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::no_value);
    EXPECT_THAT(error.what(), HasSubstr("it has 1, 2"));
  }
  EXPECT_EQ(errc_of([&] { roll_back(store_, "r", "nothing", {.generation = 1}); }), Errc::no_value);
  EXPECT_EQ(errc_of([&] { roll_back(store_, "r", "notes", {}); }), Errc::bad_option);
  EXPECT_EQ(errc_of([&] { roll_back(store_, "r", "parts", {.generation = 1}); }), Errc::bad_option);
  EXPECT_EQ(errc_of([&] { roll_back(store_, "none", "notes", {.generation = 1}); }),
            Errc::unknown_run);
  const auto owner = store_.lease("r");
  EXPECT_EQ(errc_of([&] { roll_back(store_, "r", "notes", {.generation = 1}); }), Errc::busy);
}

TEST_F(RollBackTest, ToADamagedGenerationIsRefused) {
  const auto file = store_.locate("r", {"notes", 1});
  std::string bytes = read_file(file);
  bytes.back() ^= 1;
  write_file(file, bytes);
  const auto before = contents(store_, "r");
  EXPECT_EQ(errc_of([&] { roll_back(store_, "r", "notes", {.generation = 1}); }), Errc::damaged);
  EXPECT_EQ(contents(store_, "r"), before);
}

// ---- tags --------------------------------------------------------------------------------------

TEST_F(RollBackTest, ToATagAfterManyLaterGenerationsTakesAllItemsBack) {
  tag_run(store_, "r", "good", {.who = "eve"});
  for (const char* style : {"grand", "short", "long"}) {
    ASSERT_TRUE((Story{.topic = "sky", .style = style}.run(store_)));
  }
  const RollBackResult result = roll_back(store_, "r", "parts", {.tag = "good"});
  EXPECT_THAT(result.values, SizeIs(2));
  const Story last{.topic = "sky", .style = "long", .calls = &calls_};
  ASSERT_TRUE(last.run(store_));
  EXPECT_EQ(calls_.take(), "whole");
  EXPECT_EQ(artifact("whole.md"), "a sky plain\nb sky plain\n");
  EXPECT_EQ(artifact("parts/01.md"), "a sky plain");
}

TEST_F(RollBackTest, WhatATagNamesStaysUntilItIsRemoved) {
  tag_run(store_, "r", "good");
  for (const char* topic : {"sun", "ice", "sand"}) ASSERT_TRUE((Story{.topic = topic}.run(store_)));
  EXPECT_TRUE(contents(store_, "r").contains("notes.2"));
  EXPECT_FALSE(contents(store_, "r").contains("notes.3"));
  EXPECT_TRUE(untag_run(store_, "r", "good"));
  EXPECT_FALSE(untag_run(store_, "r", "good"));
  ASSERT_TRUE((Story{.topic = "sea"}.run(store_)));
  EXPECT_FALSE(contents(store_, "r").contains("notes.2"));
}

TEST_F(RollBackTest, ADamagedTagProtectsEveryRecord) {
  tag_run(store_, "r", "good");
  const auto file = store_.locate("r", {"@tag/good", 1});
  std::string bytes = read_file(file);
  bytes[bytes.size() - 4] ^= 1;
  write_file(file, bytes);
  for (const char* topic : {"sun", "ice", "sand"}) ASSERT_TRUE((Story{.topic = topic}.run(store_)));
  EXPECT_TRUE(contents(store_, "r").contains("notes.2"));
}

TEST_F(RollBackTest, TagsAreListedWithWhoMadeThem) {
  tag_run(store_, "r", "good", {.who = "eve"});
  tag_run(store_, "r", "better/2 \xC3\xA9");
  const auto tags = run_tags(store_, "r");
  ASSERT_THAT(tags, SizeIs(2));
  EXPECT_EQ(tags[0].name, "better/2 \xC3\xA9");
  EXPECT_EQ(tags[1].name, "good");
  EXPECT_EQ(tags[1].who, "eve");
  EXPECT_GT(tags[1].records, 5U);
  EXPECT_TRUE(tag_run(store_, "r", "good").existed);
  ASSERT_TRUE((Story{.topic = "sun"}.run(store_)));
  EXPECT_EQ(errc_of([&] { tag_run(store_, "r", "good"); }), Errc::duplicate_name);
  EXPECT_EQ(errc_of([&] { tag_run(store_, "r", ""); }), Errc::bad_name);
  EXPECT_EQ(errc_of([&] { tag_run(store_, "none", "good"); }), Errc::unknown_run);
}

// ---- broken ------------------------------------------------------------------------------------

Broken rolling_back() {
  return {
      .prepare =
          [](const Stores& stores) {
            const auto store = stores.open("s");
            ASSERT_TRUE((Story{.topic = "sea"}.run(*store, "r", &stores.files())));
            ASSERT_TRUE((Story{.topic = "sky"}.run(*store, "r", &stores.files())));
          },
      .call =
          [](const Stores& stores) {
            roll_back(*stores.open("s"), "r", "outline", {.generation = 1});
          },
      .check_after_break =
          [](const Stores& stores) {
            const auto store = stores.open("s");
            EXPECT_TRUE(verify_run(*store, "r").ok());
            EXPECT_TRUE(contents(*store, "r").contains("outline.1"));
            EXPECT_TRUE(contents(*store, "r").contains("outline.2"));
          },
      .check_when_done =
          [](const Stores& stores) {
            const auto store = stores.open("s");
            EXPECT_FALSE(contents(*store, "r").contains("outline.4")) << "once";
            Calls calls;
            ASSERT_TRUE((Story{.topic = "sky", .calls = &calls}.run(*store, "r", &stores.files())));
            EXPECT_EQ(calls.take(), "whole");
          }};
}

TEST(RollBack, KilledAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_kills(rolling_back(), 5);
}

TEST(RollBack, WithoutPowerAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_power_losses(rolling_back(), 20);
}

Broken tagging() {
  return {.prepare =
              [](const Stores& stores) {
                ASSERT_TRUE(Story{}.run(*stores.open("s"), "r", &stores.files()));
                tag_run(*stores.open("s"), "r", "old");
              },
          .call =
              [](const Stores& stores) {
                untag_run(*stores.open("s"), "r", "old");
                tag_run(*stores.open("s"), "r", "new");
              },
          .check_after_break =
              [](const Stores& stores) { EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok()); },
          .check_when_done =
              [](const Stores& stores) {
                const auto tags = run_tags(*stores.open("s"), "r");
                ASSERT_THAT(tags, SizeIs(1));
                EXPECT_EQ(tags[0].name, "new");
              }};
}

TEST(TagRun, KilledAtEveryChangeCompletesWhenCalledAgain) { expect_survives_kills(tagging(), 5); }

TEST(TagRun, WithoutPowerAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_power_losses(tagging(), 20);
}

}  // namespace
}  // namespace resumable::test
