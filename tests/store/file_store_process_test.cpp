// Real processes: killed at every call, forked, two at once.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "store/scenario.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;

/// A number that a child leaves to its parent, however it ends.
class SharedNumber {
 public:
  SharedNumber()
      : place_(::mmap(nullptr, sizeof(Number), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                      -1, 0)),
        number_(new (place_) Number(0)) {}
  ~SharedNumber() { ::munmap(place_, sizeof(Number)); }
  SharedNumber(const SharedNumber&) = delete;
  SharedNumber& operator=(const SharedNumber&) = delete;
  void set(int value) { *number_ = value; }
  [[nodiscard]] int get() const { return *number_; }

 private:
  using Number = std::atomic<int>;
  void* place_;
  Number* number_;
};

/// Continues the scenario in a child that is killed at its nth call; returns how it ended.
Ended go_on_killed_at(const fs::path& path, std::uint64_t at, bool after,
                      SharedNumber& acknowledged) {
  ChildProcess child([&] {
    const auto posix = sys::posix_file_system();
    FaultyFileSystem files(*posix);
    files.on_call([&](Op, std::uint64_t count, bool done) {
      if (count == at && done == after) ::raise(SIGKILL);
    });
    FileStore store{path, {.files = &files}};
    go_on(store, [&](int step) { acknowledged.set(step); });
    return 0;
  });
  return child.wait();
}

void killed_at_every_call(bool after) {
  std::uint64_t at = 1;
  for (;; ++at) {
    const TempFolder folder;
    const fs::path path = folder / "store";
    SharedNumber acknowledged;
    const Ended first = go_on_killed_at(path, at, after, acknowledged);
    // And once more while it recovers, somewhere else each time.
    if (first.signal == SIGKILL) {
      go_on_killed_at(path, at % 37 + 1, after, acknowledged);
    }
    FileStore store{path};
    const int found = steps_of(state_of(store));
    ASSERT_GE(found, acknowledged.get()) << at;
    ASSERT_LE(found, acknowledged.get() + 1) << at;
    go_on(store, [](int) {});
    ASSERT_EQ(steps_of(state_of(store)), scenario_steps) << at;
    ASSERT_THAT(snapshot(path / "run/.resumable/tmp"), IsEmpty()) << at;
    ASSERT_THAT(snapshot(path / ".resumable"), ElementsAre(Key("store.json"))) << at;
    if (first == Ended{0, 0}) break;
    ASSERT_EQ(first.signal, SIGKILL) << at;
  }
  EXPECT_GT(at, 100U);
}

TEST(FileStoreProcess, KilledBeforeEveryCallLosesNothingAcknowledged) {
  killed_at_every_call(false);
}

TEST(FileStoreProcess, KilledAfterEveryCallLosesNothingAcknowledged) { killed_at_every_call(true); }

TEST(FileStoreProcess, AnotherProcessIsToldWhoHasTheRunAndGetsItWhenThatIsKilled) {
  const TempFolder folder;
  const Signpost leased;
  ChildProcess owner([&] {
    FileStore store{folder / "store"};
    const auto lease = store.lease("run");
    commit(*lease, "draft", 1, "x");
    leased.say();
    for (;;) ::pause();
    return 0;
  });
  leased.await();
  FileStore store{folder / "store"};
  const auto begin = std::chrono::steady_clock::now();
  try {
    static_cast<void>(store.lease("run"));
    FAIL() << "two owners";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::busy);
    EXPECT_THAT(error.explain(),
                HasSubstr("run run is in use by pid " + std::to_string(owner.pid()) + " on "));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  EXPECT_EQ(store.owner("run")->pid, owner.pid());
  EXPECT_THAT(scan(store, "run"), ElementsAre("draft.1"));

  owner.kill(SIGKILL);
  owner.wait();
  EXPECT_FALSE(store.owner("run"));
  EXPECT_EQ(store.lease("run")->fence(), 2U);
}

TEST(FileStoreProcess, ManyMayMakeTheStoreAtOnce) {
  for (int round = 0; round < 20; ++round) {
    const TempFolder folder;
    const Signpost begin;
    std::vector<std::unique_ptr<ChildProcess>> children;
    for (int child = 0; child < 4; ++child) {
      children.push_back(std::make_unique<ChildProcess>([&, child] {
        begin.await();
        FileStore store{folder / "store"};
        commit(*store.lease("run" + std::to_string(child)), "draft", 1, "x");
        return 0;
      }));
    }
    for (std::size_t i = 0; i < children.size(); ++i) begin.say();
    for (const auto& child : children) ASSERT_EQ(child->wait(), (Ended{0, 0})) << round;
    ASSERT_THAT(snapshot(folder / "store/.resumable"), ElementsAre(Key("store.json")));
  }
}

TEST(FileStoreProcess, AForkedChildMayNotWriteAndDoesNotReleaseTheLock) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  auto lease = store.lease("run");
  ChildProcess child([&] {
    int code = 0;
    try {
      commit(*lease, "draft", 1, "x");
    } catch (const Error& error) {
      code = static_cast<int>(error.errc());
    }
    lease.reset();
    return code;
  });
  EXPECT_EQ(child.wait().exit_code, static_cast<int>(Errc::forked));
  EXPECT_TRUE(store.owner("run"));
  EXPECT_THROW(static_cast<void>(store.lease("run")), Error);
  commit(*lease, "draft", 1, "x");
}

TEST(FileStoreProcess, AChildThatOutlivesTheOwnerDoesNotKeepTheLock) {
  const TempFolder folder;
  const Signpost leased;
  const Signpost over;
  ChildProcess owner([&] {
    FileStore store{folder / "store"};
    const auto lease = store.lease("run");
    if (::fork() == 0) {
      leased.say();
      over.await();
      ::_exit(0);
    }
    for (;;) ::pause();
    return 0;
  });
  leased.await();
  FileStore store{folder / "store"};
  EXPECT_TRUE(store.owner("run"));
  owner.kill(SIGKILL);
  owner.wait();
  EXPECT_NE(store.lease("run"), nullptr);
  over.say();
}

TEST(FileStoreProcess, AChildClosesNothingThatIsNotItsOwn) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  auto lease = store.lease("run");
  ChildProcess child([&] {
    const std::size_t before = open_descriptors();
    commit(*store.lease("other"), "draft", 1, "x");
    return open_descriptors() == before ? 0 : 1;
  });
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
  EXPECT_EQ(payload(store, "other", {"draft", 1}), "x");
}

}  // namespace
}  // namespace resumable::test
