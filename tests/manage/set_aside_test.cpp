// Removing what was set aside: damaged records, and copies of files that were replaced.
#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manage/story.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

const GarbageOptions all{.set_aside_older_than = 0s};

class SetAsideTest : public ::testing::Test {
 protected:
  SetAsideTest() { EXPECT_TRUE(story_.run(store_)); }

  /// A text of a person that was given up, of which a copy is kept.
  void give_up_an_edit() {
    write_file(run_ / "notes.md", "my own notes");
    const Pipeline p = story_.pipeline();
    ASSERT_TRUE(resume(p, store_, {.run = "r", .reject = {"notes"}}));
    ASSERT_THAT(names(".resumable/removed"), SizeIs(1));
  }
  void damage(std::string_view run, std::string_view path, std::uint64_t generation) const {
    const auto file = store_.locate(run, {std::string{path}, generation});
    std::string bytes = read_file(file);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    write_file(file, bytes);
  }
  [[nodiscard]] std::vector<std::string> names(std::string_view below) const {
    std::vector<std::string> result;
    if (!fs::exists(run_ / below)) return result;
    for (const auto& entry : fs::recursive_directory_iterator{run_ / below}) {
      if (entry.is_regular_file()) result.push_back(entry.path().filename().string());
    }
    return result;
  }
  static std::vector<std::string> paths(const GarbageResult& result) {
    std::vector<std::string> of;
    for (const Garbage& one : result.removed) of.push_back(one.path);
    return of;
  }

  TempFolder folder_;
  fs::path run_ = folder_ / "store/r";
  Story story_{};
  FileStore store_{folder_ / "store"};
};

TEST_F(SetAsideTest, StaysUnlessAskedForAndWhileItIsYoung) {
  give_up_an_edit();
  EXPECT_THAT(paths(collect_garbage(store_)), IsEmpty());
  EXPECT_THAT(paths(collect_garbage(store_, {.set_aside_older_than = 1h})), IsEmpty());
  EXPECT_THAT(names(".resumable/removed"), SizeIs(1));
}

TEST_F(SetAsideTest, ACopyOfAReplacedFileGoesAfterADryRunThatSaysSo) {
  give_up_an_edit();
  GarbageOptions dry = all;
  dry.dry_run = true;
  const GarbageResult told = collect_garbage(store_, dry);
  EXPECT_THAT(paths(told), ElementsAre(StartsWith(".resumable/removed/notes.md.")));
  EXPECT_EQ(told.bytes, std::string_view{"my own notes"}.size());
  EXPECT_EQ(read_file(told.removed.front().where), "my own notes") << "a dry run removes nothing";
  EXPECT_EQ(paths(collect_garbage(store_, all)), paths(told));
  EXPECT_THAT(names(".resumable/removed"), IsEmpty());
  EXPECT_EQ(read_file(run_ / "notes.md"), "notes on sea");
  EXPECT_THAT(paths(collect_garbage(store_, all)), IsEmpty());
}

TEST_F(SetAsideTest, ADamagedRecordGoesOnceItsValueWasMadeAgain) {
  damage("r", "notes", 1);
  const Pipeline p = story_.pipeline();
  ASSERT_TRUE(resume(p, store_, {.run = "r", .verify_payloads = true}));
  ASSERT_THAT(names(".resumable/quarantine"), ElementsAre("notes.1.ckpt"));
  EXPECT_THAT(paths(collect_garbage(store_, all)),
              ElementsAre(".resumable/quarantine/notes.1.ckpt"));
  EXPECT_THAT(names(".resumable/quarantine"), IsEmpty());
  EXPECT_TRUE(verify_run(store_, "r").ok());
}

TEST_F(SetAsideTest, NothingGoesWhileAnOlderGenerationStandsInForADamagedOne) {
  Pipeline p{"p"};
  p.stage("echo", [] { return 7; });
  ASSERT_TRUE(resume(p, store_, {.run = "q"}));
  ASSERT_TRUE(resume(p, store_, {.run = "q", .redo = {"echo"}}));
  static_cast<void>(store_.lease("q")->quarantine({"echo", 2}));
  ASSERT_TRUE(fs::exists(folder_ / "store/q/.resumable/quarantine/echo.2.ckpt"));
  const GarbageResult result = collect_garbage(store_, all);
  EXPECT_THAT(paths(result), IsEmpty());
  ASSERT_THAT(result.skipped, SizeIs(1));
  EXPECT_THAT(result.skipped.front().why, HasSubstr("'echo' was set aside"));
  EXPECT_TRUE(fs::exists(folder_ / "store/q/.resumable/quarantine/echo.2.ckpt"));
}

TEST_F(SetAsideTest, NothingGoesWhileARecordIsDamagedEvenInItsPayloadAlone) {
  give_up_an_edit();
  damage("r", "whole", 1);
  const GarbageResult result = collect_garbage(store_, all);
  EXPECT_THAT(paths(result), IsEmpty());
  ASSERT_THAT(result.skipped, SizeIs(1));
  EXPECT_THAT(result.skipped.front().why, HasSubstr("'whole' is damaged"));
  EXPECT_THAT(names(".resumable/removed"), SizeIs(1));
}

TEST_F(SetAsideTest, OfARunThatAProcessOwnsStays) {
  give_up_an_edit();
  const auto lease = store_.lease("r");
  EXPECT_THAT(paths(collect_garbage(store_, all)), IsEmpty());
  EXPECT_THAT(names(".resumable/removed"), SizeIs(1));
}

TEST_F(SetAsideTest, AStoreWithoutFoldersHasNone) {
  MemoryStore memory;
  ASSERT_TRUE(story_.run(memory));
  EXPECT_THAT(paths(collect_garbage(memory, all)), IsEmpty());
}

TEST(SetAside, KilledAtEveryChangeWhileItIsRemovedCompletesWhenCalledAgain) {
  const auto files = [](const Stores& stores, const char* below) {
    return snapshot(fs::path{stores.folder()} / "s/r" / below);
  };
  expect_survives_kills(
      {.prepare =
           [](const Stores& stores) {
             const auto store = stores.open("s");
             ASSERT_TRUE(Story{}.run(*store, "r", &stores.files()));
             for (const char* name : {"notes.md", "whole.md"}) {
               write_file(fs::path{stores.folder()} / "s/r" / name, "mine");
             }
             const Pipeline p = Story{}.pipeline();
             ASSERT_TRUE(resume(p, *store, {.run = "r", .reject = {"notes", "whole"}}));
           },
       .call =
           [](const Stores& stores) {
             const record::TestEnvironment environment{{.file_system = &stores.files()}};
             EXPECT_THAT(collect_garbage(*stores.open("s"), all).skipped, IsEmpty());
           },
       .check_after_break =
           [&](const Stores& stores) {
             EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
             EXPECT_EQ(files(stores, "").at("notes.md"), "notes on sea");
           },
       .check_when_done =
           [&](const Stores& stores) {
             EXPECT_THAT(files(stores, ".resumable/removed"), IsEmpty());
             EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
           }},
      3);
}

}  // namespace
}  // namespace resumable::test
