// Exporting when something else goes wrong: damaged records, failing syncs, lack of memory, file
// systems that lack a call.
#include <atomic>
#include <csignal>
#include <filesystem>
#include <future>
#include <new>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/environment.hpp"
#include "resumable/resumable.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

/// Flips one bit of a file.
void flip(const fs::path& file, std::size_t at) {
  std::string bytes = read_file(file);
  bytes.at(at) = static_cast<char>(bytes.at(at) ^ 1);
  write_file(file, bytes);
}

/// The one file below `folder` whose path contains `part`.
fs::path find_file(const fs::path& folder, const std::string& part) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().string().find(part) != std::string::npos) {
      found.push_back(entry.path());
    }
  }
  EXPECT_EQ(found.size(), 1U) << part;
  return found.empty() ? fs::path{} : found.front();
}

// ---- the order of an appended file -------------------------------------------------------------

/// Two roots that enqueue one element, `shared`; what else `slow` enqueues can be turned.
struct SharedChild {
  explicit SharedChild(bool slow_shares, std::function<void()> before_slow = {}) {
    const auto roots = pipeline.input("roots", std::vector<std::string>{"slow", "fast"});
    pages.emplace(
        pipeline.queue("pages", inputs(each(roots)), [=](Context& ctx, const std::string& page) {
          if (page == "slow" && before_slow) before_slow();
          if (page == "slow" && slow_shares) ctx.enqueue("shared"s);
          if (page == "slow") ctx.enqueue("slow/1"s);
          if (page == "fast") ctx.enqueue("fast/1"s);
          if (page == "fast") ctx.enqueue("shared"s);
          return page + "\n";
        }));
    pipeline.append(*pages, "all.txt", [](const std::string& text) { return text; });
  }
  [[nodiscard]] std::string reported(const Report& report) const {
    std::string all;
    for (const std::string& text : report[*pages]) all += text;
    return all;
  }
  Pipeline pipeline{"p"};
  std::optional<FanOut<std::string>> pages;
};

constexpr const char* in_graph_order = "slow\nfast\nshared\nslow/1\nfast/1\n";

TEST(AppendedOrder, DependsOnTheGraphOfParentsWhicheverParentFinishesFirst) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  std::promise<void> fast_is_done;
  auto done = fast_is_done.get_future();
  const SharedChild queue{true, [&] { done.wait(); }};
  Log log;
  log.on = [&](const Event& event) {
    if (event.kind == EventKind::committed && event.item == "fast") fast_is_done.set_value();
  };
  const Report report =
      resume(queue.pipeline, store, {.run = "r", .concurrency = 2, .observers = {&log}});
  ASSERT_TRUE(report);
  EXPECT_EQ(queue.reported(report), in_graph_order);
  EXPECT_EQ(read_file(folder / "store/r/all.txt"), in_graph_order);
}

TEST(AppendedOrder, FollowsAParentThatEnqueuesMoreWhenItIsRedone) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  ASSERT_TRUE(resume(SharedChild{false}.pipeline, store, {.run = "r"}));
  EXPECT_EQ(read_file(folder / "store/r/all.txt"), "slow\nfast\nslow/1\nfast/1\nshared\n");
  const SharedChild queue{true};
  const Report report = resume(queue.pipeline, store, {.run = "r", .redo = {"pages/slow"}});
  ASSERT_TRUE(report);
  EXPECT_EQ(queue.reported(report), in_graph_order);
  EXPECT_EQ(read_file(folder / "store/r/all.txt"), in_graph_order);
}

// ---- a sync that fails -------------------------------------------------------------------------

Pipeline book_of(const std::vector<std::string>& titles) {
  Pipeline pipeline{"p"};
  const auto list = pipeline.input("titles", titles);
  const auto chapters = pipeline.stage("chapters", inputs(each(list)),
                                       [](const std::string& title) { return title + "\n"; });
  pipeline.append(chapters, "book.txt", [](const std::string& text) { return text; });
  return pipeline;
}

TEST(FailedSync, OfAnAppendedFileIsNeverTriedAgainAndRecordsNothingAsWhole) {
  const Pipeline book = book_of({"a", "b"});
  bool appended_failed = false;
  for (std::uint64_t at = 1;; ++at) {
    const TempFolder folder;
    FileStore store{folder / "store"};
    const auto posix = sys::posix_file_system();
    FaultyFileSystem files(*posix);
    const record::TestEnvironment environment{{.file_system = &files}};
    files.fail(Fault{.ops = {Op::sync}, .at = at});
    const Report report = resume(book, store, {.run = "r"});
    if (!files.struck()) break;
    EXPECT_EQ(report.exit_code(), 1) << at;
    EXPECT_EQ(files.second_syncs(), 0U) << at;
    const fs::path file = folder / "store/r/book.txt";
    // Power is lost: what no sync covered is gone.
    if (report.error()->info().file == file.string()) {
      appended_failed = true;
      EXPECT_EQ(report.error()->info().operation, "fsync");
      write_file(file, "");
    }
    const Report again = resume(book, store, {.run = "r"});
    EXPECT_EQ(again.exit_code(), 0) << (again.error() ? again.error()->explain() : "");
    EXPECT_EQ(read_file(file), "a\nb\n");
  }
  EXPECT_TRUE(appended_failed);
}

/// Notes which bytes were written to a file since the last look.
class WrittenBytes final : public sys::ForwardingFileSystem {
 public:
  using ForwardingFileSystem::ForwardingFileSystem;
  std::error_code write(const sys::File& file, std::uint64_t at, std::string_view bytes,
                        std::size_t& count) override {
    all += bytes;
    return ForwardingFileSystem::write(file, at, bytes, count);
  }
  std::string all;
};

TEST(FailedSync, TheNextCallWritesAgainWhatThatSyncMayHaveLost) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  ChildProcess child([&] {
    const auto posix = sys::posix_file_system();
    FaultyFileSystem files(*posix);
    files.fail(Fault{.ops = {Op::sync}, .at = 1, .sticky = true});
    const record::TestEnvironment environment{{.file_system = &files}};
    FileStore own{folder / "store"};
    return resume(book_of({"first chapter", "second chapter"}), own, {.run = "r"}).exit_code();
  });
  ASSERT_EQ(child.wait(), (Ended{1, 0}));
  ASSERT_EQ(read_file(folder / "store/r/book.txt"), "first chapter\nsecond chapter\n");
  const auto posix = sys::posix_file_system();
  WrittenBytes files(*posix);
  const record::TestEnvironment environment{{.file_system = &files}};
  ASSERT_TRUE(resume(book_of({"first chapter", "second chapter"}), store, {.run = "r"}));
  EXPECT_THAT(files.all, HasSubstr("second chapter\n"))
      << "the pages count as clean, and may not be on the disk";
  EXPECT_EQ(read_file(folder / "store/r/book.txt"), "first chapter\nsecond chapter\n");
}

// ---- damaged records ---------------------------------------------------------------------------

TEST(DamagedExports, TheRecordOfAnAppendedFileIsNamedAndTheFileIsKept) {
  for (const bool strict : {true, false}) {
    const TempFolder folder;
    FileStore store{folder / "store"};
    const Pipeline book = book_of({"a", "b"});
    ASSERT_TRUE(resume(book, store, {.run = "r"}));
    const fs::path record = find_file(folder / "store/r/.resumable/checkpoints", "appended");
    flip(record, fs::file_size(record) - 3);
    Log log;
    const Report report = resume(book, store,
                                 {.run = "r",
                                  .on_damage = strict ? OnDamage::refuse : OnDamage::work_around,
                                  .observers = {&log}});
    EXPECT_EQ(read_file(folder / "store/r/book.txt"), "a\nb\n");
    if (strict) {
      EXPECT_EQ(report.exit_code(), 3);
      EXPECT_EQ(report.error()->info().file, record.string());
      continue;
    }
    EXPECT_EQ(report.exit_code(), 0) << (report.error() ? report.error()->explain() : "");
    EXPECT_EQ(log.first(EventKind::quarantined)->file, record.string());
    EXPECT_THAT(report.warnings(), IsEmpty()) << "every byte of the file is known to be ours";
    write_file(folder / "store/r/book.txt", "a\nB\n");
    EXPECT_EQ(resume(book, store, {.run = "r"}).exit_code(), 3) << "an edit is an edit again";
  }
}

TEST(DamagedExports, BytesThatNoItemAppendedAreKeptWhenTheRecordIsDamaged) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const Pipeline book = book_of({"a", "b"});
  ASSERT_TRUE(resume(book, store, {.run = "r"}));
  const fs::path record = find_file(folder / "store/r/.resumable/checkpoints", "appended");
  flip(record, fs::file_size(record) - 3);
  write_file(folder / "store/r/book.txt", "a\na person's line\nb\n");
  const Report report = resume(book, store, {.run = "r"});
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_EQ(read_file(folder / "store/r/book.txt"), "a\nb\n");
  EXPECT_THAT(snapshot(folder / "store/r/.resumable/removed"),
              Contains(Pair(::testing::_, "a person's line\nb\n")));
  EXPECT_EQ(report.warnings().size(), 1U);
}

/// One stage with an artifact, and one after it that can be told to die.
Pipeline draft_of(const std::string& company, bool die) {
  Pipeline pipeline{"p"};
  const auto name = pipeline.input("company", company);
  const auto draft = pipeline.stage("draft", inputs(name),
                                    [](const std::string& title) { return "of " + title + "\n"; });
  pipeline.artifact(draft, "draft.txt", [](const std::string& text) { return text; });
  pipeline.stage("end", inputs(draft), [die](const std::string& text) {
    if (die) ::raise(SIGKILL);
    return text;
  });
  return pipeline;
}

class DamagedExporterTest : public ::testing::Test {
 protected:
  void die_with(const std::string& company) {
    ChildProcess child([&] {
      FileStore store{folder_ / "store"};
      return resume(draft_of(company, true), store, {.run = "r"}).exit_code();
    });
    ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  }
  void damage(const std::string& record) {
    const fs::path file = run_ / ".resumable/checkpoints" / record;
    flip(file, 100);
  }
  /// The damaged record is named, nothing is refused, and what was there is kept.
  void expect_recovered(const std::string& company, const std::string& record,
                        const std::string& there) {
    const Pipeline pipeline = draft_of(company, false);
    FileStore store{folder_ / "store"};
    const Plan plan = ResumePlanner{store}.plan(pipeline, {.run = "r"});
    EXPECT_FALSE(plan.refused()) << plan.text();
    EXPECT_THAT(plan.text(true), HasSubstr(record));
    const Report report = resume(pipeline, store, {.run = "r"});
    ASSERT_EQ(report.exit_code(), 0) << (report.error() ? report.error()->explain() : "");
    EXPECT_EQ(read_file(run_ / "draft.txt"), "of " + company + "\n");
    EXPECT_THAT(snapshot(run_ / ".resumable/removed"), Contains(Pair(::testing::_, there)));
    EXPECT_THAT(report.warnings(), Contains(HasSubstr("draft.txt")));
    write_file(run_ / "draft.txt", "edited");
    const Report next = resume(pipeline, store, {.run = "r"});
    EXPECT_EQ(next.exit_code(), 0);
    EXPECT_EQ(next.plan()["draft"].causes.front().reason, Reason::edited)
        << "an edit is an edit again";
    EXPECT_EQ(read_file(run_ / "draft.txt"), "edited");
  }

  TempFolder folder_;
  fs::path run_ = folder_ / "store/r";
};

TEST_F(DamagedExporterTest, TheOnlyRecordOfAnArtifactIsNamedAndNotTheArtifact) {
  die_with("Fernstone");
  ASSERT_EQ(read_file(run_ / "draft.txt"), "of Fernstone\n");
  damage("draft.1.ckpt");
  expect_recovered("Fernstone", "draft.1.ckpt", "of Fernstone\n");
}

TEST_F(DamagedExporterTest, TheNewestRecordOfAnArtifactIsNamedAndNotTheArtifact) {
  FileStore store{folder_ / "store"};
  ASSERT_TRUE(resume(draft_of("Fernstone", false), store, {.run = "r"}));
  die_with("Cloudgov");
  ASSERT_EQ(read_file(run_ / "draft.txt"), "of Cloudgov\n");
  damage("draft.2.ckpt");
  expect_recovered("Cloudgov", "draft.2.ckpt", "of Cloudgov\n");
}

TEST_F(DamagedExporterTest, AnOlderValueThatFitsIsExportedAgain) {
  FileStore store{folder_ / "store"};
  ASSERT_TRUE(resume(draft_of("Fernstone", false), store, {.run = "r"}));
  die_with("Cloudgov");
  damage("draft.2.ckpt");
  expect_recovered("Fernstone", "draft.2.ckpt", "of Cloudgov\n");
}

// ---- lack of memory ----------------------------------------------------------------------------

/// Has no memory for the file that is made after arm().
class ForgetfulFileSystem final : public sys::ForwardingFileSystem {
 public:
  using ForwardingFileSystem::ForwardingFileSystem;
  void arm() { armed_ = true; }
  std::error_code open(const sys::File& folder, const std::string& name, sys::Open how,
                       sys::File& out) override {
    if (how == sys::Open::new_public && armed_.exchange(false)) throw std::bad_alloc{};
    return ForwardingFileSystem::open(folder, name, how, out);
  }

 private:
  std::atomic<bool> armed_ = false;
};

TEST(LackOfMemory, AfterTheCommitIsAFailureAndTheNextCallExports) {
  for (const unsigned concurrency : {1U, 2U}) {
    const TempFolder folder;
    FileStore store{folder / "store"};
    const auto posix = sys::posix_file_system();
    ForgetfulFileSystem files(*posix);
    const record::TestEnvironment environment{{.file_system = &files}};
    Log log;
    log.on = [&](const Event& event) {
      if (event.kind == EventKind::committed && event.stage == "draft") files.arm();
    };
    const Pipeline pipeline = draft_of("Fernstone", false);
    const Report report =
        resume(pipeline, store, {.run = "r", .concurrency = concurrency, .observers = {&log}});
    ASSERT_FALSE(fs::exists(folder / "store/r/draft.txt"));
    EXPECT_EQ(report.exit_code(), 1);
    EXPECT_EQ(report.stage("draft").outcome, StageOutcome::failed);
    const Report again = resume(pipeline, store, {.run = "r"});
    EXPECT_EQ(again.exit_code(), 0);
    EXPECT_EQ(again.stage("draft").outcome, StageOutcome::skipped) << "its value was saved";
    EXPECT_EQ(read_file(folder / "store/r/draft.txt"), "of Fernstone\n");
  }
}

// ---- what a file system lacks, and what it does not promise ------------------------------------

/// Refuses to exchange two files; `before` is called before every other rename.
class NoExchange final : public sys::ForwardingFileSystem {
 public:
  using ForwardingFileSystem::ForwardingFileSystem;
  std::function<void(const std::string& from)> before;
  std::error_code rename(const sys::File& from_folder, const std::string& from,
                         const sys::File& to_folder, const std::string& to,
                         sys::Rename how) override {
    if (how == sys::Rename::exchange) return std::make_error_code(std::errc::invalid_argument);
    if (before) before(from);
    return ForwardingFileSystem::rename(from_folder, from, to_folder, to, how);
  }
};

TEST(WithoutExchange, AnArtifactIsRewritten) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto posix = sys::posix_file_system();
  NoExchange files(*posix);
  const record::TestEnvironment environment{{.file_system = &files}};
  const ResumeOptions options{.run = "r"};
  ASSERT_TRUE(resume(draft_of("Fernstone", false), store, options));
  const Report report = resume(draft_of("Cloudgov", false), store, options);
  ASSERT_EQ(report.exit_code(), 0) << report.error()->explain();
  EXPECT_THAT(artifacts(folder / "store/r"), ElementsAre(Pair("draft.txt", "of Cloudgov\n")));
  EXPECT_THAT(snapshot(folder / "store/r/.resumable/publish"), IsEmpty());
}

TEST(KilledExport, LeavesNothingBehindWhereverItWasKilled) {
  for (const bool exchanges : {true, false}) {
    std::uint64_t at = 1;
    for (bool killed = true; killed; ++at) {
      SCOPED_TRACE(::testing::Message() << "change " << at << ", exchanges " << exchanges);
      const TempFolder folder;
      FileStore store{folder / "store"};
      ASSERT_TRUE(resume(draft_of("Fernstone", false), store, {.run = "r"}));
      ChildProcess child([&] {
        const auto posix = sys::posix_file_system();
        NoExchange without(*posix);
        FaultyFileSystem files(exchanges ? *posix : without);
        files.move_at_most(5);  // so that a kill can leave half a file
        std::uint64_t made = 0;
        files.on_call([&](Op op, std::uint64_t, bool done) {
          if (!done && writing_ops().contains(op) && ++made == at) ::raise(SIGKILL);
        });
        const record::TestEnvironment environment{{.file_system = &files}};
        FileStore own{folder / "store"};
        return resume(draft_of("Cloudgov", false), own, {.run = "r"}).exit_code();
      });
      killed = child.wait() == Ended{-1, SIGKILL};
      ASSERT_TRUE(resume(draft_of("Cloudgov", false), store, {.run = "r"}));
      const fs::path run = folder / "store/r";
      EXPECT_THAT(artifacts(run), ElementsAre(Pair("draft.txt", "of Cloudgov\n")));
      EXPECT_THAT(snapshot(run / ".resumable/publish"), IsEmpty());
      const fs::path removed = run / ".resumable/removed";
      EXPECT_TRUE(!fs::exists(removed) || fs::is_empty(removed)) << "nobody has edited anything";
    }
    EXPECT_GT(at, 8U);
  }
}

TEST(WithoutExchange, AChangeInTheVeryMomentOfReplacingIsPutBack) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto posix = sys::posix_file_system();
  NoExchange files(*posix);
  const record::TestEnvironment environment{{.file_system = &files}};
  const ResumeOptions options{.run = "r"};
  ASSERT_TRUE(resume(draft_of("Fernstone", false), store, options));
  files.before = [&](const std::string& from) {
    if (from == "draft.txt") write_file(folder / "store/r/draft.txt", "mine");
  };
  const Report report = resume(draft_of("Cloudgov", false), store, options);
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(report.warnings(), ElementsAre(HasSubstr("draft.txt")));
  EXPECT_THAT(artifacts(folder / "store/r"), ElementsAre(Pair("draft.txt", "mine")));
  EXPECT_THAT(snapshot(folder / "store/r/.resumable/publish"), IsEmpty());
}

TEST(WithoutExchange, AFileThatTakesThePathWhileItIsFreeStays) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto posix = sys::posix_file_system();
  NoExchange files(*posix);
  const record::TestEnvironment environment{{.file_system = &files}};
  const ResumeOptions options{.run = "r"};
  ASSERT_TRUE(resume(draft_of("Fernstone", false), store, options));
  bool moved = false;
  files.before = [&](const std::string& from) {
    if (moved) write_file(folder / "store/r/draft.txt", "mine");
    moved = from == "draft.txt";
  };
  const Report report = resume(draft_of("Cloudgov", false), store, options);
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(report.warnings(), ElementsAre(HasSubstr("draft.txt")));
  EXPECT_THAT(artifacts(folder / "store/r"), ElementsAre(Pair("draft.txt", "mine")));
}

// ---- space -------------------------------------------------------------------------------------

TEST(Space, ForFilesThatAreExportedAgainIsComparedInThePlan) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  const record::TestEnvironment environment{{.file_system = &files}};
  Pipeline p{"p"};
  const auto names = p.input("names", std::vector<std::string>{"a", "b"});
  const auto texts = p.stage("texts", inputs(each(names)), [](const std::string& name) {
    return Text{name + std::string(999, '.')};
  });
  const auto file = p.stage("file", [&] {
    write_file(folder / "made", std::string(2000, 'f'));
    return File::of(folder / "made");
  });
  const auto number = p.stage("number", [] { return 7; });
  p.artifact(texts, "texts/{item}.txt");
  p.artifact(file, "file.bin");
  p.artifact(number, "number.txt", [](int) { return std::string(5000, '7'); });
  const fs::path run = folder / "store/r";
  const auto plan = [&](std::uint64_t free) {
    files.pretend({.type = "memory", .free_bytes = free});
    return ResumePlanner{store}.plan(p, {.run = "r"});
  };
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
  EXPECT_TRUE(plan(0).complete()) << "nothing is written";
  for (const char* name : {"texts/a.txt", "texts/b.txt", "file.bin", "number.txt"}) {
    fs::remove(run / name);
  }
  EXPECT_THAT(plan(3999).text(true),
              HasSubstr("'file.bin' is exported again: the files that are exported again take 4000 "
                        "bytes, and 3999 bytes are free"));
  EXPECT_THAT(plan(4000).text(true), ::testing::Not(HasSubstr("are free")))
      << "how much a rendered file takes is not known";
  EXPECT_EQ(plan(3999).digest(), plan(4000).digest());
  EXPECT_FALSE(plan(0).refused()) << "a file system that compresses may have room";
  EXPECT_TRUE(resume(p, store, {.run = "r"}));
  EXPECT_EQ(fs::file_size(run / "file.bin"), 2000U);
}

/// Counts renames of one file from one folder to another.
class FolderCrossings final : public sys::ForwardingFileSystem {
 public:
  using ForwardingFileSystem::ForwardingFileSystem;
  int count = 0;
  std::error_code rename(const sys::File& from_folder, const std::string& from,
                         const sys::File& to_folder, const std::string& to,
                         sys::Rename how) override {
    sys::Stat one;
    sys::Stat other;
    const bool known = !stat(from_folder, one) && !stat(to_folder, other);
    if (from.find("export-") != std::string::npos && known && !one.same_file(other)) ++count;
    return ForwardingFileSystem::rename(from_folder, from, to_folder, to, how);
  }
};

TEST(Durability, OfAnArtifactNeedsNoMoreThanTheSyncOfItsOwnFolder) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto posix = sys::posix_file_system();
  FolderCrossings files(*posix);
  const record::TestEnvironment environment{{.file_system = &files}};
  const ResumeOptions options{.run = "r"};
  ASSERT_TRUE(resume(draft_of("Fernstone", false), store, options));
  ASSERT_TRUE(resume(draft_of("Cloudgov", false), store, options));
  EXPECT_EQ(read_file(folder / "store/r/draft.txt"), "of Cloudgov\n");
  EXPECT_EQ(files.count, 0) << "a rename between two folders is durable when both are synced";
}

}  // namespace
}  // namespace resumable::test
