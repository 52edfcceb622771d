// Removing what was set aside: damaged records, and copies of files that were replaced.
#include "exports/set_aside.hpp"

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

TEST_F(SetAsideTest, WhatCannotBeListedForWantOfOpenFilesSaysSo) {
  give_up_an_edit();
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  int failed = 0;
  for (std::uint64_t at = 1;; ++at) {
    files.fail(Fault{.ops = {Op::open_root, Op::open, Op::list, Op::stat},
                     .at = at,
                     .error = std::errc::too_many_files_open});
    try {
      static_cast<void>(exports::list_set_aside(files, run_.string()));
    } catch (const Error& error) {
      EXPECT_THAT(error.info().next, HasSubstr("ulimit -n")) << at;
      ++failed;
    }
    if (!files.struck()) break;
  }
  EXPECT_GE(failed, 4);
}

/// Writes over the beginning of a file, or over all of a shorter one, and syncs it.
void overwrite(const Stores& stores, const std::string& folder, const std::string& name,
               std::string_view text) {
  sys::FileSystem& files = stores.files();
  sys::File root;
  sys::File file;
  ASSERT_FALSE(files.open_root(stores.folder() + "/s/r" + folder, root));
  ASSERT_FALSE(files.open(root, name, sys::Open::read_write, file));
  ASSERT_FALSE(sys::write_fully(files, file, 0, text));
  ASSERT_FALSE(files.sync(file));
}

std::string exported(const Stores& stores, const std::string& name) {
  sys::FileSystem& files = stores.files();
  sys::File root;
  sys::File file;
  EXPECT_FALSE(files.open_root(stores.folder() + "/s/r", root));
  EXPECT_FALSE(files.open(root, name, sys::Open::read, file));
  std::string text(100, '\0');
  std::size_t count = 0;
  EXPECT_FALSE(sys::read_fully(files, file, 0, text, count));
  text.resize(count);
  return text;
}

/// Removes copies of two edits that were given up, and a damaged record.
Broken removing() {
  const auto set_aside = [](const Stores& stores) {
    return exports::list_set_aside(stores.files(), stores.folder() + "/s/r").size();
  };
  return {.prepare =
              [=](const Stores& stores) {
                const auto store = stores.open("s");
                ASSERT_TRUE(Story{}.run(*store, "r", &stores.files()));
                for (const char* name : {"notes.md", "whole.md"}) {
                  overwrite(stores, "", name, "mine");
                }
                overwrite(stores, "/.resumable/checkpoints", "outline.1.ckpt", "gone");
                const record::TestEnvironment environment{{.file_system = &stores.files()}};
                const Pipeline p = Story{}.pipeline();
                ASSERT_TRUE(resume(p, *store, {.run = "r", .reject = {"notes", "whole"}}));
                ASSERT_EQ(set_aside(stores), 3U);
              },
          .call =
              [](const Stores& stores) {
                const record::TestEnvironment environment{{.file_system = &stores.files()}};
                EXPECT_THAT(collect_garbage(*stores.open("s"), all).skipped, IsEmpty());
              },
          .check_after_break =
              [](const Stores& stores) {
                const auto store = stores.open("s");
                EXPECT_TRUE(verify_run(*store, "r").ok());
                EXPECT_EQ(payload(*store, "r", {"notes", 1}), "notes on sea");
                EXPECT_EQ(exported(stores, "notes.md"), "notes on sea");
                EXPECT_TRUE(contents(*store, "r").contains("outline.2"));
              },
          .check_when_done =
              [=](const Stores& stores) {
                EXPECT_EQ(set_aside(stores), 0U);
                EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
              }};
}

TEST(SetAside, KilledAtEveryChangeWhileItIsRemovedCompletesWhenCalledAgain) {
  expect_survives_kills(removing(), 3);
}

TEST(SetAside, WithoutPowerAtEveryChangeWhileItIsRemovedCompletesWhenCalledAgain) {
  expect_survives_power_losses(removing(), 15);
}

}  // namespace
}  // namespace resumable::test
