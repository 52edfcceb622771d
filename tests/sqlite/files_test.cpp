// The files of a database: which there are, and what happens when they are moved, removed, left by
// a killed process, or cannot be written.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include "resumable/error.hpp"
#include "resumable/manage.hpp"
#include "resumable/resumable.hpp"
#include "resumable/run_list.hpp"
#include "resumable/sqlite_store.hpp"
#include "sqlite/database.hpp"
#include "sqlite/schema.hpp"
#include "sqlite/system_calls.hpp"
#include "support/child_process.hpp"
#include "support/run_log.hpp"
#include "support/temp_folder.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using testing::code_of;
using testing::commit;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::payload;
using testing::scan;

/// The names in a folder.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

class SqliteFiles : public ::testing::Test {
 protected:
  /// Five stages, of which each calls `between` first.
  Report run(const std::function<void(int)>& between = {}) {
    Pipeline p{"five"};
    auto last = p.stage("s1", [this, between] { return pass(1, between); });
    for (int number = 2; number <= 5; ++number) {
      last = p.stage({.name = Name::checked("s" + std::to_string(number))}, inputs(last),
                     [this, number, between](int) { return pass(number, between); });
    }
    SqliteStore store{file_};
    EventLog log([&](const Event& event) {
      if (event.kind == EventKind::committed) committed_.push_back(event.stage);
    });
    return resume(p, store, {.run = "r1", .observers = {&log}});
  }
  int pass(int number, const std::function<void(int)>& between) {
    ran_.push_back("s" + std::to_string(number));
    if (between) between(number);
    return number;
  }

  TempFolder folder_;
  fs::path file_ = folder_ / "db/s.db";
  std::vector<std::string> ran_;
  std::vector<std::string> committed_;
};

// ---- after a clean end -------------------------------------------------------------------------

TEST_F(SqliteFiles, AfterACleanEndTheDatabaseIsOneFile) {
  ASSERT_TRUE(run());
  EXPECT_THAT(names_in(folder_ / "db"), ElementsAre("s.db"));
  fs::create_directory(folder_ / "copy");
  fs::copy_file(file_, folder_ / "copy/c.db");
  EXPECT_THAT(scan(SqliteStore{folder_ / "copy/c.db"}, "r1"), scan(SqliteStore{file_}, "r1"));
}

TEST_F(SqliteFiles, WhatIsCopiedToADatabaseIsInOneFile) {
  {
    FileStore files{folder_ / "files"};
    Pipeline p{"one"};
    p.stage("s1", [] { return 1; });
    ASSERT_TRUE(resume(p, files, {.run = "a"}));
    SqliteStore copy{file_};
    copy_run(files, "a", copy, "b");
  }
  EXPECT_THAT(names_in(folder_ / "db"), ElementsAre("s.db"));
  EXPECT_EQ(payload(SqliteStore{file_}, "b", {"s1", 1}), "1");
}

TEST_F(SqliteFiles, WhileAnotherProcessReadsTheDatabaseIsWholeWithoutItsLog) {
  commit(*SqliteStore{file_}.lease("r1"), "a", 1, "x");
  sqlite::Connection reads{file_.string(), sqlite::Mode::read};
  ASSERT_TRUE(check_schema(reads));
  commit(*SqliteStore{file_}.lease("r1"), "b", 1, "y");
  fs::copy_file(file_, folder_ / "copy.db");
  EXPECT_THAT(scan(SqliteStore{folder_ / "copy.db"}, "r1"), ElementsAre("a.1", "b.1"));
}

TEST_F(SqliteFiles, TheFileOfALeaseGoesWithIt) {
  SqliteStore store{file_};
  const fs::path leases = folder_ / "db/s.db-leases";
  {
    const auto a = store.lease("a");
    const auto b = store.lease("b");
    EXPECT_THAT(names_in(leases), ElementsAre("a", "b"));
    EXPECT_EQ(code_of([&] { static_cast<void>(SqliteStore{file_}.lease("a")); }), Errc::busy);
  }
  EXPECT_FALSE(fs::exists(leases));
  EXPECT_FALSE(store.owner("a"));
  store.remove("a");
  EXPECT_FALSE(fs::exists(leases));
}

TEST_F(SqliteFiles, AnotherOwnersFileStaysWhenALeaseEndsWhoseFileWasRemoved) {
  SqliteStore store{file_};
  auto first = store.lease("a");
  fs::remove(folder_ / "db/s.db-leases/a");
  const auto second = SqliteStore{file_}.lease("a");
  EXPECT_EQ(code_of([&] { commit(*first, "x", 1, "x"); }), Errc::fenced);
  first.reset();
  EXPECT_TRUE(store.owner("a"));
  EXPECT_EQ(code_of([&] { static_cast<void>(SqliteStore{file_}.lease("a")); }), Errc::busy);
}

TEST_F(SqliteFiles, AChildThatEndsDoesNotRemoveTheFileOfItsParentsLease) {
  SqliteStore store{file_};
  auto lease = store.lease("a");
  ChildProcess child{[&] {
    lease.reset();
    return 0;
  }};
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
  EXPECT_EQ(code_of([&] { static_cast<void>(SqliteStore{file_}.lease("a")); }), Errc::busy);
}

TEST_F(SqliteFiles, ManyProcessesTakeOneRunInTurn) {
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (std::uint64_t i = 1; i <= 4; ++i) {
    children.push_back(std::make_unique<ChildProcess>([&, i] {
      SqliteStore store{file_};
      for (std::uint64_t n = 1; n <= 10; ++n) {
        commit(*store.lease("run", {.wait = std::chrono::minutes{1}}), "p" + std::to_string(i), n,
               "x");
      }
      return 0;
    }));
  }
  for (const auto& child : children) EXPECT_EQ(child->wait(), (Ended{0, 0}));
  EXPECT_EQ(scan(SqliteStore{file_}, "run").size(), 40U);
}

// ---- moved, removed, replaced ------------------------------------------------------------------

class MovedDatabase : public SqliteFiles {
 protected:
  /// Runs five stages; `change` is made within the third.
  void expect_taken(const std::function<void()>& change) {
    const Report report = run([&](int number) {
      if (number == 3) change();
    });
    ASSERT_NE(report.error(), nullptr);
    EXPECT_EQ(report.error()->errc(), Errc::fenced) << report.error()->explain();
    EXPECT_THAT(report.error()->explain(), HasSubstr("run r1 was taken from this process"));
    EXPECT_EQ(report.exit_code(), 1);
    EXPECT_THAT(committed_, ElementsAre("s1", "s2"));
    EXPECT_THAT(ran_, ElementsAre("s1", "s2", "s3"));
  }
  /// All that was acknowledged is in this database.
  void expect_kept(const fs::path& in) {
    fs::rename(in, folder_ / "found");
    fs::remove_all(folder_ / "db");
    fs::rename(folder_ / "found", folder_ / "db");
    ran_.clear();
    EXPECT_TRUE(run());
    EXPECT_THAT(ran_, ElementsAre("s3", "s4", "s5"));
  }
  fs::path log_ = file_.string() + "-wal";
  fs::path index_ = file_.string() + "-shm";
};

TEST_F(MovedDatabase, OrRemovedUnderARunEndsIt) {
  expect_taken([&] { fs::rename(file_, folder_ / "db/old.db"); });
  EXPECT_FALSE(fs::exists(file_));
  fs::rename(folder_ / "db/old.db", file_);
  expect_kept(folder_ / "db");
}

TEST_F(MovedDatabase, WithItsFolderEndsTheRun) {
  expect_taken([&] { fs::rename(folder_ / "db", folder_ / "elsewhere"); });
  expect_kept(folder_ / "elsewhere");
}

TEST_F(MovedDatabase, RemovedWithAllItsFilesEndsTheRun) {
  expect_taken([&] {
    for (const fs::path& path : {file_, log_, index_}) fs::remove(path);
  });
}

TEST_F(MovedDatabase, ReplacedByAnotherEndsTheRun) {
  commit(*SqliteStore{folder_ / "other.db"}.lease("r1"), "theirs", 1, "x");
  expect_taken([&] {
    fs::create_directory(folder_ / "away");
    for (const fs::path& path : {file_, log_, index_}) {
      fs::rename(path, folder_ / "away" / path.filename());
    }
    fs::rename(folder_ / "other.db", file_);
  });
  EXPECT_THAT(scan(SqliteStore{file_}, "r1"), ElementsAre("theirs.1"));
  expect_kept(folder_ / "away");
}

TEST_F(MovedDatabase, ReplacedByItsOwnEarlierCopyEndsTheRun) {
  expect_taken([&] {
    fs::create_directory(folder_ / "copy");
    for (const fs::path& path : {file_, log_}) {
      fs::copy_file(path, folder_ / "copy" / path.filename());
      fs::remove(path);
      fs::rename(folder_ / "copy" / path.filename(), path);
    }
  });
}

TEST_F(MovedDatabase, OfWhichTheLogIsRemovedEndsTheRunWithAllThatWasSaved) {
  expect_taken([&] { fs::remove(log_); });
  expect_kept(folder_ / "db");
}

TEST_F(MovedDatabase, OfWhichTheIndexOfTheLogIsRemovedEndsTheRunWithAllThatWasSaved) {
  expect_taken([&] { fs::remove(index_); });
  expect_kept(folder_ / "db");
}

TEST_F(MovedDatabase, AfterTheLastStageIsNoDone) {
  const Report report = [&] {
    Pipeline p{"one"};
    p.stage("s1", [] { return 1; });
    SqliteStore store{file_};
    EventLog log([&](const Event& event) {
      if (event.kind == EventKind::stage_finished) fs::rename(file_, folder_ / "old.db");
    });
    return resume(p, store, {.run = "r1", .observers = {&log}});
  }();
  EXPECT_EQ(report.exit_code(), 1);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_EQ(report.error()->errc(), Errc::fenced);
}

TEST_F(MovedDatabase, IsNoLongerReadByAStoreThatWasOpen) {
  SqliteStore store{file_};
  commit(*store.lease("r1"), "a", 1, "x");
  EXPECT_EQ(payload(store, "r1", {"a", 1}), "x");
  fs::rename(file_, folder_ / "old.db");
  for (const fs::path& path : {log_, index_}) fs::remove(path);
  EXPECT_FALSE(store.exists());
  commit(*SqliteStore{file_}.lease("r1"), "a", 1, "y");
  EXPECT_EQ(payload(store, "r1", {"a", 1}), "y");
  commit(*store.lease("r1"), "a", 2, "z");
  EXPECT_EQ(payload(store, "r1", {"a", 2}), "z");
}

// ---- left by a killed process ------------------------------------------------------------------

/// Whether a process that was killed while it made a database has left a transaction to be undone.
bool needs_undoing(const fs::path& file) {
  try {
    static_cast<void>(
        check_schema(*std::make_unique<sqlite::Connection>(file.string(), sqlite::Mode::read)));
  } catch (const Error& error) {
    return sqlite::needs_rollback(error);
  }
  return false;
}

class KilledCreation : public SqliteFiles {
 protected:
  /// Makes a database in a child that `breaks` in some way, and which does not end well.
  bool left_by(const std::function<void()>& breaks) {
    fs::remove_all(folder_ / "db");
    ChildProcess child{[&] {
      breaks();
      return run().exit_code();
    }};
    return !(child.wait() == Ended{0, 0});
  }
  /// Each command answers; and the run goes on.
  void expect_usable(int at) {
    const std::string url = "sqlite:" + file_.string();
    bool has_runs = false;
    try {
      const auto store = open_sqlite_store(url);
      has_runs = true;
      for (const RunInfo& info : list_runs(*store)) EXPECT_FALSE(info.error) << at;
    } catch (const Error& error) {
      ASSERT_EQ(error.errc(), Errc::bad_option) << at << error.explain();
    }
    {
      SqliteStore store{file_};
      ASSERT_EQ(store.exists(), has_runs) << at;
      if (run_info(store, "r1")) {
        EXPECT_TRUE(verify_run(store, "r1").ok()) << at;
      }
    }
    ran_.clear();
    ASSERT_EQ(run().exit_code(), 0) << at;
    EXPECT_TRUE(verify_run(SqliteStore{file_}, "r1").ok()) << at;
    ASSERT_THAT(names_in(folder_ / "db"), ElementsAre("s.db")) << at;
  }
};

TEST_F(KilledCreation, AtEveryCallTheNextOneGoesOn) {
  int undone = 0;
  int at = 1;
  while (left_by([&] { kill_before_call(at); })) {
    if (fs::exists(file_)) undone += needs_undoing(file_) ? 1 : 0;
    expect_usable(at);
    ASSERT_FALSE(HasFailure()) << at;
    ++at;
  }
  EXPECT_GE(undone, 2);
  EXPECT_GT(at, 60);
}

TEST_F(KilledCreation, AfterAnyCallThatFailsTheNextOneGoesOn) {
  for (const int error : {EIO, EACCES, ENOSPC}) {
    for (const int kill_after : {0, 1, 2}) {
      for (int at = 1; at < 40; ++at) {
        left_by([&] { fail_call({.at = at, .error = error, .kill_after = kill_after}); });
        expect_usable(at);
        ASSERT_FALSE(HasFailure()) << at << ' ' << error << ' ' << kill_after;
      }
    }
  }
}

TEST_F(KilledCreation, IsRefusedByNameWhereNothingCanBeWritten) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  int at = 1;
  do {
    ASSERT_TRUE(left_by([&] { kill_before_call(at); }));
    ++at;
  } while (!fs::exists(file_) || !needs_undoing(file_));
  fs::permissions(folder_.path(), fs::perms(0755));
  fs::permissions(folder_ / "db", fs::perms(0555));
  for (const auto& entry : fs::directory_iterator(folder_ / "db")) {
    if (entry.is_regular_file()) fs::permissions(entry.path(), fs::perms(0444));
  }
  const auto before = digests(folder_ / "db");
  ChildProcess child{[&] {
    if (::setuid(65534) != 0) return 98;
    try {
      static_cast<void>(open_sqlite_store("sqlite:" + file_.string()));
    } catch (const Error& error) {
      const bool says = error.info().next.find("writable") != std::string::npos;
      return error.errc() == Errc::unreadable && says ? 0 : 97;
    }
    return 96;
  }};
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
  EXPECT_EQ(digests(folder_ / "db"), before);
}

TEST_F(SqliteFiles, ADatabaseWithoutTablesIsNotToldAsMissing) {
  fs::create_directories(file_.parent_path());
  write_file(file_, "");
  try {
    static_cast<void>(open_sqlite_store("sqlite:" + file_.string()));
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_THAT(error.explain(), HasSubstr("is empty"));
  }
}

// ---- without space -----------------------------------------------------------------------------

TEST_F(SqliteFiles, WithoutSpaceAnErrorSaysSoAndNothingIsUnknownButAfterASync) {
  ASSERT_TRUE(run());
  int known = 0;
  int unknown = 0;
  for (int at = 1; at < 60; ++at) {
    fs::remove_all(folder_ / "copy");
    fs::copy(folder_ / "db", folder_ / "copy", fs::copy_options::recursive);
    ChildProcess child{[&] {
      SqliteStore store{folder_ / "copy/s.db"};
      fail_call({.at = at, .error = ENOSPC, .from_then_on = true});
      try {
        commit(*store.lease("r1"), "new", 1, std::string(20'000, 'x'));
      } catch (const Error& error) {
        fail_call({.at = 1'000'000});
        if (error.errc() == Errc::outcome_unknown) return 11;
        if (error.errc() != Errc::store_failed) return 1;
        if (error.info().next.find("free some space") == std::string::npos) return 2;
        return payload(store, "r1", {"new", 1}) ? 3 : 10;
      }
      return 0;
    }};
    const Ended ended = child.wait();
    known += ended.exit_code == 10 ? 1 : 0;
    unknown += ended.exit_code == 11 ? 1 : 0;
    ASSERT_TRUE(ended.exit_code >= 10 || ended == (Ended{0, 0})) << at << ' ' << ended.exit_code;
  }
  EXPECT_GT(known, 5);
  EXPECT_LE(unknown, 4);  // the syncs of the log
}

/// Mounts a small file system for this process alone. False where that is not allowed.
bool mount_small(const fs::path& place, const char* options) {
  return ::unshare(CLONE_NEWNS) == 0 &&
         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", place.c_str(), "tmpfs", 0, options) == 0;
}

/// Leaves no byte of a file system.
void fill(const fs::path& place) {
  for (const std::size_t size : {std::size_t{65536}, std::size_t{4096}, std::size_t{1}}) {
    for (int i = 0;; ++i) {
      std::ofstream file{place / ("fill-" + std::to_string(size) + '-' + std::to_string(i))};
      file << std::string(size, 'f') << std::flush;
      if (!file) break;
    }
  }
}

TEST_F(SqliteFiles, OnAFullDiskAFinishedRunIsReadAndReported) {
  const fs::path disk = folder_ / "disk";
  fs::create_directory(disk);
  file_ = disk / "s.db";
  ChildProcess child{[&] {
    if (!mount_small(disk, "size=2m")) return 77;
    if (!run()) return 1;
    fill(disk);
    ran_.clear();
    if (list_runs(SqliteStore{file_}).size() != 1) return 2;
    if (!verify_run(SqliteStore{file_}, "r1").ok()) return 3;
    const Report report = run();
    if (report.exit_code() != 0 || !ran_.empty()) return 4;
    return 0;
  }};
  const Ended ended = child.wait();
  if (ended == Ended{77, 0}) GTEST_SKIP() << "mounting is not allowed here";
  EXPECT_EQ(ended, (Ended{0, 0}));
}

TEST_F(SqliteFiles, OnAFullDiskARefusedRemovalSaysWhatToDoAndThatWorks) {
  const fs::path disk = folder_ / "disk";
  const fs::path other = folder_ / "other.db";
  fs::create_directory(disk);
  file_ = disk / "s.db";
  ChildProcess child{[&] {
    if (!mount_small(disk, "size=2m")) return 77;
    if (!run()) return 1;
    fill(disk);
    try {
      SqliteStore{file_}.remove("r1");
      return 2;
    } catch (const Error& error) {
      if (error.info().next.find("copy the runs") == std::string::npos) return 3;
    }
    {
      const SqliteStore full{file_};
      SqliteStore kept{other};
      copy_run(full, "r1", kept, "r1");
    }
    fs::remove(file_);
    write_file(disk / "something", std::string(4096, 's'));
    file_ = other;
    ran_.clear();
    const Report report = run();
    return report.exit_code() == 0 && ran_.empty() ? 0 : 4;
  }};
  const Ended ended = child.wait();
  if (ended == Ended{77, 0}) GTEST_SKIP() << "mounting is not allowed here";
  EXPECT_EQ(ended, (Ended{0, 0}));
}

TEST_F(SqliteFiles, OnAReadOnlyDiskAFinishedRunIsReadAndReported) {
  const fs::path disk = folder_ / "disk";
  fs::create_directory(disk);
  file_ = disk / "s.db";
  ChildProcess child{[&] {
    if (!mount_small(disk, "size=2m")) return 77;
    if (!run()) return 1;
    if (::mount("none", disk.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0) return 77;
    ran_.clear();
    if (list_runs(SqliteStore{file_}).size() != 1) return 2;
    const Report report = run();
    return report.exit_code() == 0 && ran_.empty() ? 0 : 3;
  }};
  const Ended ended = child.wait();
  if (ended == Ended{77, 0}) GTEST_SKIP() << "mounting is not allowed here";
  EXPECT_EQ(ended, (Ended{0, 0}));
}

}  // namespace
}  // namespace resumable::test
