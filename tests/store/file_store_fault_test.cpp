// Every call fails once, or from then on, with every error that fits: typed errors, nothing lost.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "store/scenario.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct FaultKind {
  const char* name;
  std::errc error;
  bool sticky;
};

class FaultTest : public ::testing::TestWithParam<FaultKind> {};

void expect_complete(const Error& error, std::errc cause) {
  EXPECT_TRUE(error.errc() == Errc::store_failed || error.errc() == Errc::unreadable ||
              error.errc() == Errc::outcome_unknown)
      << error.explain();
  EXPECT_EQ(error.info().cause, cause) << error.explain();
  EXPECT_FALSE(error.info().what.empty());
  EXPECT_FALSE(error.info().operation.empty()) << error.explain();
  EXPECT_FALSE(error.info().file.empty()) << error.explain();
  EXPECT_FALSE(error.info().next.empty()) << error.explain();
}

TEST_P(FaultTest, AnyCallMayFailAndNothingAcknowledgedIsLost) {
  const FaultKind kind = GetParam();
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  for (std::uint64_t at = 1;; ++at) {
    const TempFolder folder;
    const fs::path path = folder / "store";
    const std::size_t descriptors = open_descriptors();
    int acknowledged = 0;
    files.fail(Fault{.ops = {}, .at = at, .error = kind.error, .sticky = kind.sticky});
    try {
      FileStore store{path, {.files = &files}};
      go_on(store, [&](int step) { acknowledged = step; });
    } catch (const Error& error) {
      expect_complete(error, kind.error);
    }
    const bool struck = files.struck();
    files.fail({});
    ASSERT_EQ(open_descriptors(), descriptors) << at;
    ASSERT_EQ(files.open_files(), 0) << at;
    ASSERT_EQ(files.second_syncs(), 0U) << at;

    FileStore store{path};
    const int found = steps_of(state_of(store));
    ASSERT_GE(found, acknowledged) << at;
    ASSERT_LE(found, acknowledged + 1) << at;
    go_on(store, [](int) {});
    ASSERT_EQ(steps_of(state_of(store)), scenario_steps) << at;
    ASSERT_THAT(snapshot(path / "run/.resumable/tmp"), IsEmpty()) << at;
    if (!struck) {
      EXPECT_EQ(acknowledged, scenario_steps);
      EXPECT_GT(at, 100U);
      return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Errors, FaultTest,
    ::testing::Values(FaultKind{"NoSpaceOnce", std::errc::no_space_on_device, false},
                      FaultKind{"NoSpaceFromThenOn", std::errc::no_space_on_device, true},
                      FaultKind{"InputOutputOnce", std::errc::io_error, false},
                      FaultKind{"InputOutputFromThenOn", std::errc::io_error, true},
                      FaultKind{"NoPermissionOnce", std::errc::permission_denied, false},
                      FaultKind{"NoDescriptorFromThenOn", std::errc::too_many_files_open, true}),
    [](const auto& test) { return std::string(test.param.name); });

class CommitFaultTest : public ::testing::Test {
 protected:
  TempFolder folder_;
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  FaultyFileSystem files_{*posix_};
  FileStore store_{folder_ / "store", {.files = &files_}};
};

TEST_F(CommitFaultTest, AFailedSyncOfAFileCostsThatFileAlone) {
  const auto lease = store_.lease("run");
  commit(*lease, "draft", 1, "x");
  files_.fail(Fault{.ops = {Op::sync}, .at = 1, .error = std::errc::io_error});
  EXPECT_THROW(commit(*lease, "draft", 2, "x"), Error);
  EXPECT_THAT(scan(store_, "run"), ::testing::ElementsAre("draft.1"));
  commit(*lease, "draft", 2, "y");
  EXPECT_EQ(payload(store_, "run", {"draft", 2}), "y");
  EXPECT_EQ(files_.second_syncs(), 0U);
}

TEST_F(CommitFaultTest, AfterAFailedSyncOfAFolderTheLeaseWritesNoMore) {
  auto lease = store_.lease("run");
  commit(*lease, "draft", 1, "x");
  files_.fail(Fault{.ops = {Op::sync_folder}, .at = 1, .error = std::errc::io_error});
  EXPECT_THROW(commit(*lease, "draft", 2, "x"), Error);
  files_.fail({});
  EXPECT_THAT(scan(store_, "run"), ::testing::ElementsAre("draft.1"));
  EXPECT_THROW(commit(*lease, "draft", 2, "x"), Error);
  EXPECT_THROW(lease->wait(1), Error);
  EXPECT_EQ(lease->durable(), 1U);
  lease.reset();
  lease = store_.lease("run");
  commit(*lease, "draft", 2, "y");
  EXPECT_EQ(payload(store_, "run", {"draft", 2}), "y");
}

TEST_F(CommitFaultTest, AFailedEraseIsNoFailure) {
  const auto lease = store_.lease("run");
  commit(*lease, "draft", 1, "x");
  const RecordId old{"draft", 1};
  files_.fail(Fault{.ops = {Op::unlink}, .at = 1, .error = std::errc::io_error});
  lease->commit({.puts = {}, .erases = {&old, 1}});
  EXPECT_THAT(scan(store_, "run"), ::testing::ElementsAre("draft.1"));
  lease->commit({.puts = {}, .erases = {&old, 1}});
  EXPECT_THAT(scan(store_, "run"), IsEmpty());
}

TEST_F(CommitFaultTest, AReadOnlyStoreIsReadAndRefusedForWritingBeforeAnythingIsDone) {
  commit(*store_.lease("run"), "draft", 1, "x");
  files_.fail(Fault{.ops = {Op::make_folder, Op::write, Op::truncate, Op::sync, Op::sync_data,
                            Op::rename, Op::link, Op::unlink},
                    .at = 1,
                    .error = std::errc::read_only_file_system,
                    .sticky = true});
  const auto before = snapshot(folder_.path());
  EXPECT_EQ(payload(store_, "run", {"draft", 1}), "x");
  EXPECT_THAT(scan(store_, "run"), ::testing::ElementsAre("draft.1"));
  EXPECT_FALSE(store_.owner("run"));
  try {
    static_cast<void>(store_.lease("run"));
    FAIL() << "a lease";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::store_failed);
    EXPECT_EQ(error.info().cause, std::errc::read_only_file_system);
    EXPECT_THAT(error.explain(), HasSubstr("make the file system writable"));
  }
  EXPECT_EQ(snapshot(folder_.path()), before);
}

TEST_F(CommitFaultTest, TenThousandFailingSavesLeaveNothingBehind) {
  const auto lease = store_.lease("run");
  commit(*lease, "draft", 1, "x");
  const std::size_t descriptors = open_descriptors();
  files_.fail(
      Fault{.ops = {Op::write}, .at = 1, .error = std::errc::no_space_on_device, .sticky = true});
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_THROW(commit(*lease, "draft", 2, "x"), Error);
  }
  files_.fail({});
  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_THAT(snapshot(folder_ / "store/run/.resumable/tmp"), IsEmpty());
  commit(*lease, "draft", 2, "y");
}

}  // namespace
}  // namespace resumable::test
