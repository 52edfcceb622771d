// Versions of one subject: reserving the next one, whatever is in its place.
#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/cli.hpp"
#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "resumable/memory_store.hpp"
#include "support/temp_folder.hpp"

namespace resumable::cli {
namespace {

using test::snapshot;
using test::TempFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A folder that has no checkpoints, as a person may leave it.
void make_folder(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  test::write_file(folder / "notes.txt", "mine");
}

void make_run(CheckpointStore& store, const char* run) {
  static_cast<void>(store.lease(run, {.create = Create::must}));
}

TEST(Versions, AreComparedAsNumbers) {
  MemoryStore store;
  for (const char* run : {"x-v0.0.9", "x-v0.0.10", "x-v0.0.2", "xy-v0.0.30", "x-draft"}) {
    make_run(store, run);
  }
  std::vector<std::string> runs;
  for (const Version& version : versions(store, "x")) runs.push_back(version.run);
  EXPECT_THAT(runs, ElementsAre("x-v0.0.2", "x-v0.0.9", "x-v0.0.10"));
  EXPECT_EQ(next_version(store, "x"), "x-v0.0.11");
  EXPECT_EQ(next_version(store, "new"), "new-v0.0.1");
}

TEST(Versions, ReservingPassesOverAFolderWithoutCheckpoints) {
  const TempFolder folder;
  make_folder(folder / "x-v0.0.1");
  const auto before = snapshot(folder / "x-v0.0.1");
  FileStore store{folder.path()};
  const ReservedVersion reserved = reserve_version(store, "x");
  EXPECT_EQ(reserved.run, "x-v0.0.2");
  ASSERT_EQ(reserved.notes.size(), 1U);
  EXPECT_THAT(reserved.notes.front(), HasSubstr((folder / "x-v0.0.1").string()));
  EXPECT_THAT(reserved.notes.front(), HasSubstr("looks like artifacts without checkpoints"));
  EXPECT_EQ(snapshot(folder / "x-v0.0.1"), before);
}

TEST(Versions, ReservingPassesOverALink) {
  const test::TempFolder folder;
  FileStore store{folder.path()};
  std::filesystem::create_directory(folder / "elsewhere");
  std::filesystem::create_directory_symlink("elsewhere", folder / "x-v0.0.1");
  std::filesystem::create_symlink("gone", folder / "x-v0.0.2");
  const ReservedVersion reserved = reserve_version(store, "x");
  EXPECT_EQ(reserved.run, "x-v0.0.3");
  EXPECT_THAT(reserved.notes,
              ElementsAre(HasSubstr("x-v0.0.1 is a link"), HasSubstr("x-v0.0.2 is a link")));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "elsewhere"));
}

TEST(Versions, ReservingPassesOverARunThatDiffersOnlyInCase) {
  const TempFolder folder;
  FileStore store{folder.path()};
  make_run(store, "acme-v0.0.1");
  const ReservedVersion reserved = reserve_version(store, "Acme");
  EXPECT_EQ(reserved.run, "Acme-v0.0.2");
  EXPECT_THAT(reserved.notes, ElementsAre(HasSubstr("differs from acme-v0.0.1 only in case")));
}

TEST(Versions, ReservingPassesOverACopyThatIsAnotherRun) {
  const TempFolder folder;
  FileStore store{folder.path()};
  make_run(store, "x-v0.0.1");
  std::filesystem::copy(folder / "x-v0.0.1", folder / "x-v0.0.2",
                        std::filesystem::copy_options::recursive);
  EXPECT_EQ(reserve_version(store, "x").run, "x-v0.0.3");
}

TEST(Versions, AnEmptyFolderIsTaken) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "x-v0.0.1");
  FileStore store{folder.path()};
  const ReservedVersion reserved = reserve_version(store, "x");
  EXPECT_EQ(reserved.run, "x-v0.0.1");
  EXPECT_THAT(reserved.notes, IsEmpty());
}

TEST(Versions, ReservingGivesUpWhenAThousandAreTaken) {
  const TempFolder folder;
  for (int i = 1; i <= 1000; ++i) make_folder(folder / ("x-v0.0." + std::to_string(i)));
  FileStore store{folder.path()};
  try {
    static_cast<void>(reserve_version(store, "x"));
    FAIL() << "nothing was free";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::duplicate_name);
    EXPECT_THAT(error.info().what, HasSubstr("x-v0.0.1000"));
  }
}

TEST(Versions, ConcurrentCallersReserveDifferentOnes) {
  const TempFolder folder;
  make_folder(folder / "x-v0.0.2");
  std::vector<std::string> runs(8);
  std::vector<std::thread> threads;
  for (std::string& run : runs) {
    threads.emplace_back([&] {
      FileStore store{folder.path()};
      run = reserve_version(store, "x").run;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(runs.begin(), runs.end()).size(), runs.size());
  EXPECT_EQ(std::ranges::count(runs, "x-v0.0.2"), 0);
}

}  // namespace
}  // namespace resumable::cli
