// Every call of the file system fails, once or from then on: a typed error, nothing lost, and the
// next start finishes.
#include <filesystem>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "crash/draft_run.hpp"
#include "resumable/error.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/plan.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Those that change what is on disk, or promise that it is there, and opening a file.
const std::set<Op> writing{Op::open,     Op::create, Op::make_folder, Op::write,
                           Op::truncate, Op::sync,   Op::sync_data,   Op::sync_folder,
                           Op::rename,   Op::link,   Op::unlink};

struct Kind {
  const char* name;
  std::errc error;
  bool sticky;
  bool rewrite;  ///< a finished run is made again with other words, otherwise a new one
  unsigned concurrency = 1;
  bool writing = true;  ///< only calls that change something, or any
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class RunFaultTest : public ::testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  FaultyFileSystem files_{*posix_};
};

/// What the advice must name: what is wrong, where that is known, not what might be.
std::string remedy_of(std::errc error) {
  switch (error) {
    case std::errc::no_space_on_device: return "free some space";
    case std::errc::too_many_files_open: return "ulimit -n";
    case std::errc::permission_denied: return "the permission";
    default: return "";
  }
}

void expect_explained(const Report& report, const Kind& kind, std::uint64_t at) {
  ASSERT_NE(report.error(), nullptr) << at;
  const ErrorInfo& info = report.error()->info();
  const Errc code = report.error()->errc();
  const bool failed = code == Errc::store_failed || code == Errc::outcome_unknown;
  EXPECT_TRUE(failed || code == Errc::unreadable) << at << report.error()->explain();
  EXPECT_EQ(report.exit_code(), failed ? 1 : 3) << at << report.error()->explain();
  EXPECT_FALSE(info.what.empty()) << at;
  EXPECT_FALSE(info.file.empty()) << at << report.error()->explain();
  EXPECT_FALSE(info.next.empty()) << at << report.error()->explain();
  EXPECT_FALSE(info.operation.empty()) << at << report.error()->explain();
  EXPECT_EQ(info.cause, kind.error) << at << report.error()->explain();
  if (code == Errc::outcome_unknown) return;  // the next call finds out
  EXPECT_THAT(info.next, HasSubstr(remedy_of(kind.error))) << at << report.error()->explain();
}

TEST_P(RunFaultTest, AnyCallMayFailNothingIsLostAndTheNextStartFinishes) {
  const Kind kind = GetParam();
  const DraftRun before{.words = "zero", .items = {"a"}};
  const DraftRun wanted{.words = "one", .items = {"a"}};
  const auto expected = undisturbed(wanted);
  const TempFolder finished;
  if (kind.rewrite) {
    FileStore store{finished / "store"};
    ASSERT_EQ(before.run(store, Journal{finished / "journal"}).exit_code(), 0);
  }
  int failed = 0;
  for (std::uint64_t at = 1;; ++at) {
    const TempFolder folder;
    const Journal journal{folder / "journal"};
    const fs::path path = folder / "store";
    if (kind.rewrite) fs::copy(finished / "store", path, fs::copy_options::recursive);
    const std::size_t descriptors = open_descriptors();
    files_.fail(Fault{.ops = kind.writing ? writing : std::set<Op>{},
                      .at = at,
                      .error = kind.error,
                      .sticky = kind.sticky});
    {
      FileStore store{path, {.files = &files_}};
      const Report report = wanted.run(store, journal, &files_, kind.concurrency);
      if (report.exit_code() != 0) expect_explained(report, kind, at);
      failed += report.exit_code() != 0 ? 1 : 0;
      // What could not be read counts neither as edited nor as done.
      for (const std::string& warning : report.warnings()) {
        EXPECT_THAT(warning, AllOf(Not(HasSubstr("edited")), Not(HasSubstr("by hand")))) << at;
      }
      if (report.exit_code() == 0) {
        EXPECT_EQ(artifacts(path / "r1"), expected) << at;
      }
    }
    const bool struck = files_.struck();
    files_.fail({});
    ASSERT_EQ(open_descriptors(), descriptors) << at;
    ASSERT_EQ(files_.open_files(), 0) << at;
    ASSERT_EQ(files_.second_syncs(), 0U) << at;

    FileStore store{path};
    const Report again = wanted.run(store, journal);
    ASSERT_EQ(again.exit_code(), 0) << at << (again.error() ? again.error()->explain() : "");
    ASSERT_EQ(artifacts(path / "r1"), expected) << at;
    ASSERT_EQ(ran_twice(journal), "") << at;
    if (::testing::Test::HasFailure()) return;
    if (!struck) break;
  }
  EXPECT_GT(failed, 80);
}

constexpr auto no_space = std::errc::no_space_on_device;
INSTANTIATE_TEST_SUITE_P(
    Errors, RunFaultTest,
    ::testing::Values(
        Kind{"NoSpaceOnce", no_space, false, false},
        Kind{"NoSpaceFromThenOn", no_space, true, false},
        Kind{"InputOutputOnceAtAnyCall", std::errc::io_error, false, false, 1, false},
        Kind{"InputOutputFromThenOn", std::errc::io_error, true, false},
        Kind{"InputOutputOnceAtAnyCallWhileRewriting", std::errc::io_error, false, true, 1, false},
        Kind{"TooManyFilesOnceAtAnyCall", std::errc::too_many_files_open, false, false, 1, false},
        Kind{"TooManyFilesOnceAtAnyCallWhileRewriting", std::errc::too_many_files_open, false, true,
             1, false},
        Kind{"NoSpaceOnceWhileRewriting", no_space, false, true},
        Kind{"InputOutputFromThenOnWhileRewriting", std::errc::io_error, true, true},
        Kind{"NoSpaceFromThenOnInThreeThreads", no_space, true, false, 3}),
    [](const auto& test) { return std::string(test.param.name); });

// ---- reading -----------------------------------------------------------------------------------

class ReadFaultTest : public ::testing::TestWithParam<std::errc> {};

TEST_P(ReadFaultTest, WhatCannotBeReadIsRefusedNotRunAgainAndStaysAsItIs) {
  const TempFolder folder;
  const Journal journal{folder / "journal"};
  const fs::path path = folder / "store";
  const DraftRun run;
  {
    FileStore store{path};
    ASSERT_EQ(run.run(store, journal).exit_code(), 0);
  }
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  const auto checkpoints = digests(path / "r1/.resumable/checkpoints");
  const auto exported = artifacts(path / "r1");
  journal.clear();
  int refused = 0;
  for (std::uint64_t at = 1;; ++at) {
    files.fail(Fault{.ops = {Op::open_root, Op::open, Op::read, Op::list, Op::stat, Op::volume},
                     .at = at,
                     .error = GetParam(),
                     .sticky = false});
    FileStore store{path, {.files = &files}};
    const Report report = run.run(store, journal, &files);
    const bool struck = files.struck();
    files.fail({});
    refused += report.exit_code() == 3 ? 1 : 0;
    if (report.error() != nullptr) {
      ASSERT_THAT(report.error()->info().next, HasSubstr(remedy_of(GetParam())))
          << at << report.error()->explain();
    }
    // 1: it was the lease that could not be taken, or an export that could not be looked at.
    ASSERT_TRUE(report.exit_code() == 3 || report.exit_code() == 0 ||
                (report.error() && report.error()->errc() == Errc::store_failed))
        << at << (report.error() ? report.error()->explain() : "");
    ASSERT_THAT(journal.lines(), IsEmpty()) << at;
    ASSERT_EQ(artifacts(path / "r1"), exported) << at;
    if (!struck) break;
    ASSERT_EQ(digests(path / "r1/.resumable/checkpoints"), checkpoints) << at;
  }
  EXPECT_GT(refused, 50);
}

INSTANTIATE_TEST_SUITE_P(Errors, ReadFaultTest,
                         ::testing::Values(std::errc::permission_denied, std::errc::io_error,
                                           std::errc::too_many_files_open),
                         [](const auto& test) -> std::string {
                           if (test.param == std::errc::io_error) return "InputOutput";
                           return test.param == std::errc::permission_denied ? "NoPermission"
                                                                             : "TooManyFiles";
                         });

// ---- read-only ---------------------------------------------------------------------------------

TEST(ReadOnlyRun, PlanningWorksAndResumingIsRefusedBeforeAnyStageRuns) {
  const TempFolder folder;
  const Journal journal{folder / "journal"};
  {
    FileStore store{folder / "store"};
    const DraftRun before{.words = "zero", .items = {"a"}};
    ASSERT_EQ(before.run(store, journal).exit_code(), 0);
  }
  journal.clear();
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  files.fail(Fault{.ops = {Op::make_folder, Op::write, Op::truncate, Op::sync, Op::sync_data,
                           Op::sync_folder, Op::rename, Op::link, Op::unlink},
                   .at = 1,
                   .error = std::errc::read_only_file_system,
                   .sticky = true});
  const auto before = digests(folder.path());
  FileStore store{folder / "store", {.files = &files}};
  const DraftRun wanted;
  const Pipeline pipeline = wanted.pipeline(journal);
  EXPECT_THAT(ResumePlanner{store}.plan(pipeline, {.run = "r1"}).text(), HasSubstr("draft"));
  EXPECT_FALSE(files.struck());
  const Report report = wanted.run(store, journal, &files);
  EXPECT_EQ(report.exit_code(), 1);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_EQ(report.error()->info().cause, std::errc::read_only_file_system);
  EXPECT_THAT(report.error()->explain(), HasSubstr("make the file system writable"));
  EXPECT_THAT(journal.lines(), IsEmpty());
  EXPECT_EQ(digests(folder.path()), before);
}

TEST(ReadOnlyRun, AFinishedRunIsReportedFromReadOnlyMedia) {
  const TempFolder folder;
  const Journal journal{folder / "journal"};
  const DraftRun done{.words = "zero", .items = {"a"}};
  {
    FileStore store{folder / "store"};
    ASSERT_EQ(done.run(store, journal).exit_code(), 0);
  }
  journal.clear();
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  files.fail(Fault{.ops = {Op::make_folder, Op::write, Op::truncate, Op::sync, Op::sync_data,
                           Op::sync_folder, Op::rename, Op::link, Op::unlink},
                   .at = 1,
                   .error = std::errc::read_only_file_system,
                   .sticky = true});
  const auto before = digests(folder.path());
  FileStore store{folder / "store", {.files = &files}};
  EventLog log;
  const record::TestEnvironment environment{{.file_system = &files}};
  const Pipeline pipeline = done.pipeline(journal);
  const Report report = resume(pipeline, store, {.run = "r1", .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 0) << report.text();
  EXPECT_EQ(report.stages_skipped(), report.stages_total());
  EXPECT_GT(report.items_skipped(), 0U);
  EXPECT_EQ(log.of(EventKind::run_finished).size(), 1U);
  EXPECT_THAT(journal.lines(), IsEmpty());
  EXPECT_EQ(digests(folder.path()), before);
}

TEST(ReadOnlyRun, AFolderWithoutThePermissionToWriteIsPlannedAndNotRun) {
  const TempFolder folder;
  const fs::path path = folder / "store";
  const fs::path log = folder / "log";
  fs::create_directory(log);
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(log, fs::perms(0777));
  // As somebody who is not above permissions.
  const auto as_nobody = [&](const std::function<int()>& body) {
    return ChildProcess([&] {
             if (::geteuid() == 0 && ::setuid(65534) != 0) return 98;
             return body();
           })
        .wait();
  };
  fs::create_directory(path);
  fs::permissions(path, fs::perms(0777));
  const auto run = [&](const DraftRun& which) {
    FileStore store{path};
    return which.run(store, Journal{log / "journal"}).exit_code();
  };
  ASSERT_EQ(as_nobody([&] { return run({.words = "zero", .items = {"a"}}); }), (Ended{0, 0}));
  Journal{log / "journal"}.clear();
  const auto before = digests(path);
  EXPECT_EQ(as_nobody([&] {
              for (const auto& entry : fs::recursive_directory_iterator(path)) {
                fs::permissions(entry.path(), fs::perms(entry.is_directory() ? 0555 : 0444));
              }
              FileStore store{path};
              const Pipeline pipeline = DraftRun{}.pipeline(Journal{log / "journal"});
              const Plan plan = ResumePlanner{store}.plan(pipeline, {.run = "r1"});
              if (plan.complete() || !plan.refused()) return 10;
              return run({});
            }),
            (Ended{3, 0}));
  EXPECT_THAT(Journal{log / "journal"}.lines(), IsEmpty());
  EXPECT_EQ(digests(path), before);
}

// ---- what a record costs -----------------------------------------------------------------------

TEST(RecordCost, InSteadyStateARecordTakesAtMostTwoSyncs) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  FileStore store{folder / "store", {.files = &files}};
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back("item-" + std::to_string(i));
  Pipeline pipeline{"p"};
  const auto list = pipeline.input("list", keys);
  const auto items =
      pipeline.stage("items", inputs(each(list)), [](const std::string& key) { return Text{key}; });
  const auto sum =
      pipeline.stage("sum", inputs(items), [](const std::vector<Text>& all) { return all.size(); });
  std::uint64_t last = 0;
  std::uint64_t records = 0;
  EventLog log([&](const Event& event) {
    if (event.kind != EventKind::committed) return;
    const std::uint64_t now = files.syncs();
    // The first record of a folder also makes it.
    if (event.stage == "items" && ++records > 1) {
      EXPECT_LE(now - last, 2U) << event.item;
    }
    last = now;
  });
  const record::TestEnvironment environment{
      {.clock = nullptr, .random = nullptr, .file_system = &files}};
  ASSERT_TRUE(resume(pipeline, store, {.run = "r1", .observers = {&log}}));
  EXPECT_EQ(records, 100U);
  EXPECT_LE(files.syncs(), 2U * (records + 1) + 30);
  static_cast<void>(sum);
}

// ---- many --------------------------------------------------------------------------------------

TEST(Capacity, TenThousandItemsRunAndAreResumed) {
  const TempFolder folder;
  std::vector<std::string> keys;
  for (int i = 0; i < 10'000; ++i) keys.push_back("item-" + std::to_string(i));
  std::atomic<int> calls = 0;
  const auto declare = [&](Pipeline& p, bool fails) {
    const auto list = p.input("list", keys);
    const auto items = p.stage({.name = "items", .concurrency = 2}, inputs(each(list)),
                               [&, fails](const std::string& key) {
                                 if (fails && key == "item-9000")
                                   throw std::runtime_error("no more");
                                 ++calls;
                                 return key.size();
                               });
    return p.stage("sum", inputs(items), [](const std::vector<std::size_t>& all) {
      std::size_t sum = 0;
      for (const std::size_t bytes : all) sum += bytes;
      return sum;
    });
  };
  FileStore store{folder / "store"};
  {
    Pipeline p{"p"};
    declare(p, true);
    EXPECT_EQ(resume(p, store, {.run = "r1", .concurrency = 2}).exit_code(), 1);
  }
  EXPECT_GE(calls, 9000);
  Pipeline p{"p"};
  const auto sum = declare(p, false);
  const Report report = resume(p, store, {.run = "r1", .concurrency = 2});
  ASSERT_EQ(report.exit_code(), 0);
  EXPECT_EQ(calls, 10'000);
  EXPECT_EQ(report[sum], 10U * 6 + 90 * 7 + 900 * 8 + 9000 * 9);
  const Report again = resume(p, store, {.run = "r1"});
  EXPECT_EQ(again.exit_code(), 0);
  EXPECT_EQ(calls, 10'000);
  EXPECT_EQ(again[sum], report[sum]);
}

/// Looks at the heap while heads are visited.
class WeighingStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  mutable std::size_t visits = 0;
  mutable std::size_t most_bytes = 0;

 private:
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    next().scan(run, what, [&](const RecordHead& found) {
      const bool go_on = visit(found);
      if (++visits % 5'000 == 0) most_bytes = std::max(most_bytes, allocated_bytes());
      return go_on;
    });
  }
};

TEST(Capacity, AHundredThousandItemsArePlannedInMemoryForTheirHeadsAlone) {
  constexpr std::size_t count = 100'000;
  constexpr std::size_t payload = 4'000;
  MemoryStore memory;
  WeighingStore store{memory};
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  Pipeline p{"p"};
  const auto list = p.input("list", numbers);
  p.stage("pages", inputs(each(list)), [&](int) { return Text{std::string(payload, 'x')}; });
  ASSERT_TRUE(resume(p, memory, {.run = "r"}));
  const std::size_t before = allocated_bytes();
  const Plan plan = ResumePlanner{store}.plan(p, {.run = "r"});
  EXPECT_EQ(plan["pages"].skipped, count);
  EXPECT_LE(store.visits, count + 20) << "each head once";
  EXPECT_LT((store.most_bytes - before) / count, 850U)
      << "bytes of a head, and of the copy that the store scans";
  EXPECT_LT((allocated_bytes() - before) / count, 80U) << "bytes of an item in the plan";
}

TEST(Capacity, AJournalIsPlannedWithoutItsIndexInMemory) {
  constexpr std::size_t count = 20'000;
  const TempFolder folder;
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  Pipeline p{"p"};
  const auto list = p.input("list", numbers);
  p.stage("squares", inputs(each(list)), [](int n) { return n; });
  {
    JournalStore store{folder.path(), {.folder = {}, .index_after_bytes = 1}};
    ASSERT_TRUE(resume(p, store, {.run = "r", .durability = Durability::queued}));
  }
  const fs::path index = folder / "r/.resumable/journal/index";
  ASSERT_GT(fs::file_size(index), 100 * count);
  const std::size_t before = allocated_bytes();
  JournalStore journal{folder.path()};
  WeighingStore store{journal};
  ASSERT_TRUE(ResumePlanner{store}.plan(p, {.run = "r"}).complete());
  EXPECT_GE(store.visits, count);
  EXPECT_LT((store.most_bytes - before) / count, 150U) << "bytes of a head while planning";
}

}  // namespace
}  // namespace resumable::test
