// What a file store adds to the contract: its folders, its refusals, what each commit costs.
#include "resumable/file_store.hpp"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/time.hpp"
#include "resumable/error.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/resumable.hpp"
#include "store/records.hpp"
#include "support/faulty_file_system.hpp"
#include "support/manual_clock.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class FileStoreTest : public ::testing::Test {
 protected:
  [[nodiscard]] FileStore open(FileStoreOptions options = {}) const {
    options.files = &files_;
    return FileStore{folder_ / "store", options};
  }
  [[nodiscard]] fs::path file(std::string_view below) const { return folder_ / "store" / below; }

  TempFolder folder_;
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  mutable FaultyFileSystem files_{*posix_};
};

template <class Call>
Error error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {Errc::bad_option, {}};
}

TEST_F(FileStoreTest, ReadingAStoreThatIsNotThereMakesNothing) {
  const FileStore store = open();
  EXPECT_FALSE(store.get("run", {"draft", 1}));
  EXPECT_THAT(scan(store, "run"), IsEmpty());
  EXPECT_THAT(runs(store), IsEmpty());
  EXPECT_FALSE(store.owner("run"));
  EXPECT_FALSE(fs::exists(file("")));
}

TEST_F(FileStoreTest, HasTheFoldersOfTheDesign) {
  FileStore store = open();
  {
    const auto lease = store.lease("Fernstone-v0.0.3");
    commit(*lease, "research", 7, "text");
    commit(*lease, "draft/team", 2, "text");
    lease->manifest("{}");
    EXPECT_EQ(lease->quarantine({"research", 7}),
              file("Fernstone-v0.0.3/.resumable/quarantine/research.7.ckpt"));
  }
  const auto found = snapshot(file(""));
  EXPECT_EQ(found.at(".resumable/store.json"), "{\"layout\":1,\"store\":\"file\"}\n");
  EXPECT_TRUE(found.contains("Fernstone-v0.0.3/.resumable/owner"));
  EXPECT_TRUE(found.contains("Fernstone-v0.0.3/.resumable/run.json"));
  EXPECT_TRUE(found.contains("Fernstone-v0.0.3/.resumable/quarantine/research.7.ckpt"));
  EXPECT_TRUE(found.contains("Fernstone-v0.0.3/.resumable/checkpoints/draft/team.2.ckpt"));
  EXPECT_EQ(store.locate("Fernstone-v0.0.3", {"draft/team", 2}),
            file("Fernstone-v0.0.3/.resumable/checkpoints/draft/team.2.ckpt"));
  EXPECT_EQ(store.artifact_folder("a b"), file("a%20b"));
  EXPECT_EQ(store.capability<ArtifactFolder>(), &store);
  EXPECT_EQ(store.url(), "file:" + file("").parent_path().string());
}

TEST_F(FileStoreTest, ARecordIsReadableWithLess) {
  FileStore store = open();
  commit(*store.lease("run"), "draft/team", 2, "# Team\n");
  const std::string text = read_file(file("run/.resumable/checkpoints/draft/team.2.ckpt"));
  EXPECT_THAT(
      text,
      StartsWith(
          "resumable-1 draft/team 2 1/1 fence 1 at 0000000000000227 header 12 payload 7 tag "));
  EXPECT_THAT(text, ::testing::EndsWith("\n{\"header\":1}\n# Team\n"));
}

TEST_F(FileStoreTest, ItsOwnFilesArePrivateWhateverTheUmaskAndRunFoldersFollowIt) {
  const mode_t before = ::umask(0);
  FileStore store = open();
  commit(*store.lease("open"), "draft/a", 1, "x");
  ::umask(0277);
  commit(*store.lease("closed"), "draft/a", 1, "x");
  ::umask(before);
  EXPECT_EQ(mode_of(file("open")), 0777U);
  EXPECT_EQ(mode_of(file("closed")), 0500U);
  for (const std::string run : {"open", "closed"}) {
    EXPECT_EQ(mode_of(file(run + "/.resumable")), 0700U);
    EXPECT_EQ(mode_of(file(run + "/.resumable/checkpoints/draft")), 0700U);
    EXPECT_EQ(mode_of(file(run + "/.resumable/checkpoints/draft/a.1.ckpt")), 0600U);
    EXPECT_EQ(mode_of(file(run + "/.resumable/owner")), 0600U);
  }
  EXPECT_EQ(mode_of(file(".resumable/store.json")), 0600U);
}

TEST_F(FileStoreTest, ACommitCostsTwoSyncsHoweverManyRecords) {
  FileStore store = open();
  const auto lease = store.lease("run");
  commit(*lease, "draft", 1, "x");
  files_.reset_counts();
  commit(*lease, "draft", 2, "x");
  EXPECT_EQ(files_.syncs(), 2U);

  const auto batch = [&](std::uint64_t generation) {
    Puts puts(100);
    for (int i = 0; i < 100; ++i) puts.add("item/" + std::to_string(i), generation, "x");
    lease->commit({.puts = puts.all(), .erases = {}});
  };
  batch(1);
  files_.reset_counts();
  batch(2);
  EXPECT_EQ(files_.syncs(), 2U);
  EXPECT_EQ(files_.count(Op::link), 1U);
  EXPECT_EQ(files_.count(Op::rename), 0U) << "between folders it would need a third sync";
}

TEST_F(FileStoreTest, TheNthCommitMakesAsManyCallsAsTheSecond) {
  FileStore store = open();
  const auto lease = store.lease("run");
  const auto calls = [&](std::uint64_t generation) {
    std::uint64_t count = 0;
    files_.on_call([&](Op, std::uint64_t, bool done) { count += done ? 0 : 1; });
    commit(*lease, "item/a", generation, "x");
    Puts puts(2);
    puts.add("batch/a", generation, "x");
    puts.add("batch/b", generation, "x");
    lease->commit({.puts = puts.all(), .erases = {}});
    files_.on_call({});
    return count;
  };
  calls(1);
  const std::uint64_t second = calls(2);
  for (std::uint64_t n = 3; n < 50; ++n) calls(n);
  EXPECT_EQ(calls(50), second);
}

TEST_F(FileStoreTest, AScanReadsNoBodies) {
  FileStore store = open();
  {
    const auto lease = store.lease("run");
    commit(*lease, "large", 1, std::string(std::size_t{1} << 20U, 'x'));
  }
  const FileStore again = open();
  static_cast<void>(runs(again));
  files_.reset_counts();
  EXPECT_THAT(scan(again, "run"), ElementsAre("large.1"));
  EXPECT_EQ(files_.count(Op::read), 1U);
}

TEST_F(FileStoreTest, ManyThingsHoldFewDescriptors) {
  FileStore store = open();
  const auto lease = store.lease("run");
  std::vector<StoredRecord> kept;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    commit(*lease, "draft/x", i, "x");
    kept.push_back(*store.get("run", {"draft/x", i}));
  }
  EXPECT_LE(files_.open_files(), 7) << "the store, two of the run to read, three to write, a lock";
}

TEST_F(FileStoreTest, ShortAndInterruptedCallsGoOn) {
  files_.move_at_most(3);
  FileStore store = open();
  commit(*store.lease("run"), "draft", 1, "a value of some length");
  EXPECT_EQ(payload(store, "run", {"draft", 1}), "a value of some length");
  EXPECT_THAT(scan(store, "run"), ElementsAre("draft.1"));
}

TEST_F(FileStoreTest, WithoutRenameNoReplaceItLinks) {
  class Old final : public sys::ForwardingFileSystem {
   public:
    using ForwardingFileSystem::ForwardingFileSystem;
    std::error_code rename(const sys::File& from_folder, const std::string& from,
                           const sys::File& to_folder, const std::string& to,
                           sys::Rename how) override {
      if (how != sys::Rename::replace) return std::make_error_code(std::errc::invalid_argument);
      return ForwardingFileSystem::rename(from_folder, from, to_folder, to, how);
    }
  };
  Old old(*posix_);
  FileStore store{folder_ / "store", {.files = &old}};
  const auto lease = store.lease("run");
  commit(*lease, "draft", 1, "first");
  EXPECT_EQ(error_of([&] { commit(*lease, "draft", 1, "second"); }).errc(), Errc::fenced);
  EXPECT_EQ(payload(store, "run", {"draft", 1}), "first");
  EXPECT_THAT(snapshot(file("run/.resumable/tmp")), IsEmpty());
}

TEST_F(FileStoreTest, SharedFileSystemsAreRefusedUnlessTheHostSaysSo) {
  files_.pretend({.shared = true, .type = "nfs"});
  FileStore store = open();
  const Error error = error_of([&] { static_cast<void>(store.lease("run")); });
  EXPECT_EQ(error.errc(), Errc::store_failed);
  EXPECT_THAT(error.explain(), HasSubstr("nfs"));
  EXPECT_THAT(scan(store, "run"), IsEmpty());
  FileStore allowed = open({.shared = SharedFileSystem::allow});
  EXPECT_NE(allowed.lease("run"), nullptr);
}

TEST_F(FileStoreTest, LocksOfOneHostAreRefusedEvenIfTheHostSaysThatTheyWork) {
  files_.pretend(
      {.shared = true, .type = "nfs", .local_locks = "nfs4 mounted with local_lock=all"});
  FileStore store = open({.shared = SharedFileSystem::allow});
  const Error error = error_of([&] { static_cast<void>(store.lease("run")); });
  EXPECT_EQ(error.errc(), Errc::store_failed);
  EXPECT_THAT(error.explain(), HasSubstr("nfs4 mounted with local_lock=all"));
  EXPECT_THAT(scan(store, "run"), IsEmpty());
}

TEST_F(FileStoreTest, AStoreThatMustBeThereIsNotMade) {
  FileStore store = open({.create = CreateStore::never});
  EXPECT_EQ(error_of([&] { static_cast<void>(store.lease("run")); }).errc(), Errc::store_failed);
  EXPECT_FALSE(fs::exists(file("")));
  EXPECT_EQ(error_of([&] { FileStore{""}; }).errc(), Errc::bad_option);
}

TEST_F(FileStoreTest, WhatIsNoFolderIsNoStore) {
  write_file(folder_ / "store", "a file");
  FileStore store = open();
  EXPECT_EQ(error_of([&] { static_cast<void>(runs(store)); }).errc(), Errc::unreadable);
  EXPECT_EQ(error_of([&] { static_cast<void>(store.lease("run")); }).errc(), Errc::unreadable);
  fs::remove(folder_ / "store");
  fs::create_symlink(folder_ / "gone", folder_ / "store");
  EXPECT_EQ(error_of([&] { static_cast<void>(runs(store)); }).errc(), Errc::unreadable);
  const Error error = error_of([&] { static_cast<void>(store.lease("run")); });
  EXPECT_EQ(error.errc(), Errc::unreadable);
  EXPECT_THAT(error.explain(), HasSubstr(file("").parent_path().string()));
  EXPECT_FALSE(fs::exists(folder_ / "gone"));
}

TEST_F(FileStoreTest, ARunsFolderThatIsALinkIsNotFollowed) {
  { const auto lease = open().lease("real"); }
  fs::create_symlink(file("real"), file("link"));
  FileStore store = open();
  EXPECT_EQ(error_of([&] { static_cast<void>(scan(store, "link")); }).errc(), Errc::unreadable);
  EXPECT_EQ(error_of([&] { static_cast<void>(store.lease("link")); }).errc(), Errc::store_failed);
  EXPECT_THAT(runs(store), ElementsAre("real"));
}

TEST_F(FileStoreTest, APersonsFoldersAndFilesAreIgnoredAndKept) {
  fs::create_directories(file("lost+found"));
  fs::create_directories(file("notes"));
  FileStore store = open();
  {
    const auto lease = store.lease("run");
    commit(*lease, "draft", 1, "x");
    write_file(file("run/.resumable/checkpoints/draft.1.ckpt~"), "backup");
    write_file(file("run/.resumable/checkpoints/draft.01.ckpt"), "not ours");
    write_file(file("run/.resumable/tmp/notes.txt"), "not ours");
    fs::create_directories(file("run/.resumable/checkpoints/a/b/c/d/e"));
  }
  const auto before = snapshot(file("")).size();
  EXPECT_THAT(scan(store, "run"), ElementsAre("draft.1"));
  EXPECT_THAT(runs(store), ElementsAre("run"));
  { const auto lease = store.lease("run"); }
  EXPECT_EQ(snapshot(file("")).size(), before);
}

TEST_F(FileStoreTest, AFolderOfArtifactsBecomesARunButIsNoNewOne) {
  fs::create_directories(file("run"));
  write_file(file("run/0-deck.json"), "{}");
  FileStore store = open();
  EXPECT_EQ(
      error_of([&] { static_cast<void>(store.lease("run", {.create = Create::must})); }).errc(),
      Errc::duplicate_name);
  EXPECT_EQ(
      error_of([&] { static_cast<void>(store.lease("run", {.create = Create::never})); }).errc(),
      Errc::unknown_run);
  EXPECT_NE(store.lease("run"), nullptr);
  EXPECT_EQ(read_file(file("run/0-deck.json")), "{}");
}

TEST_F(FileStoreTest, AnEmptyFolderThatADeadProcessLeftIsTakenOver) {
  fs::create_directories(file("run"));
  FileStore store = open();
  EXPECT_NE(store.lease("run", {.create = Create::must}), nullptr);
}

TEST_F(FileStoreTest, LeftoversOfTheDeadGoWithTheNextLease) {
  FileStore store = open();
  { const auto lease = store.lease("run"); }
  write_file(file("run/.resumable/tmp/0123456789abcdef.tmp"), "half a rec");
  EXPECT_THAT(scan(store, "run"), IsEmpty());
  EXPECT_TRUE(fs::exists(file("run/.resumable/tmp/0123456789abcdef.tmp")));
  { const auto lease = store.lease("run"); }
  EXPECT_FALSE(fs::exists(file("run/.resumable/tmp/0123456789abcdef.tmp")));
}

TEST_F(FileStoreTest, ANewerStoreIsLeftAlone) {
  FileStore store = open();
  commit(*store.lease("run"), "draft", 1, "x");
  write_file(file(".resumable/store.json"), R"({"layout":2,"more":[]})");
  const auto before = snapshot(file(""));
  FileStore again = open();
  for (const auto& call :
       std::vector<std::function<void()>>{[&] { static_cast<void>(again.lease("run")); },
                                          [&] { static_cast<void>(scan(again, "run")); },
                                          [&] {
                                            static_cast<void>(again.get("run", {"draft", 1}));
                                          },
                                          [&] { static_cast<void>(runs(again)); },
                                          [&] { static_cast<void>(again.owner("run")); }}) {
    const Error error = error_of(call);
    EXPECT_EQ(error.errc(), Errc::newer);
    EXPECT_THAT(error.explain(), HasSubstr("store.json"));
  }
  EXPECT_EQ(snapshot(file("")), before);
}

TEST_F(FileStoreTest, ALostOrDamagedLayoutFileIsWrittenAgainAndTheOldOneKept) {
  for (const char* content : {"", "{\"layout\":", "[[[[[[", "{\"layout\":\"1\"}"}) {
    { const auto lease = open().lease("run"); }
    write_file(file(".resumable/store.json"), content);
    FileStore store = open();
    EXPECT_THAT(runs(store), ElementsAre("run"));
    { const auto lease = store.lease("run"); }
    EXPECT_EQ(read_file(file(".resumable/store.json")), "{\"layout\":1,\"store\":\"file\"}\n");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(file(".resumable")), fs::directory_iterator()), 5);
  fs::remove(file(".resumable/store.json"));
  { const auto lease = open().lease("run"); }
  EXPECT_TRUE(fs::exists(file(".resumable/store.json")));
}

TEST_F(FileStoreTest, ARemovedStoreIsMadeAgainByTheSameObject) {
  FileStore store = open();
  commit(*store.lease("run"), "draft", 1, "x");
  fs::remove_all(file(""));
  EXPECT_THAT(runs(store), IsEmpty());
  commit(*store.lease("run"), "draft", 1, "y");
  EXPECT_EQ(payload(store, "run", {"draft", 1}), "y");
}

TEST_F(FileStoreTest, ARemovedRunIsBegunAgainByTheSameObject) {
  FileStore store = open();
  for (const std::string value : {"old", "new"}) {
    Puts batch(2);
    batch.add("a", 1, value);
    batch.add("b", 1, value);
    store.lease("run")->commit({.puts = batch.all(), .erases = {}});
    EXPECT_EQ(payload(store, "run", {"b", 1}), value);
    fs::remove_all(file("run"));
    EXPECT_FALSE(store.get("run", {"b", 1}));
  }
}

TEST_F(FileStoreTest, AStoreObjectKeepsToItsFolderWhenALinkComesInItsPlace) {
  FileStore store = open();
  commit(*store.lease("run"), "draft", 1, "mine");
  fs::create_directories(folder_ / "other");
  fs::rename(file(""), folder_ / "moved");
  fs::create_symlink(folder_ / "other", folder_ / "store");
  EXPECT_EQ(payload(store, "run", {"draft", 1}), "mine");
}

TEST_F(FileStoreTest, AMovedOrCopiedStoreIsReadAsItWas) {
  {
    FileStore store = open();
    const auto lease = store.lease("run");
    commit(*lease, "draft", 1, "x");
    Puts batch(2);
    batch.add("a", 1, "1");
    batch.add("b", 1, "2");
    lease->commit({.puts = batch.all(), .erases = {}});
  }
  fs::copy(file(""), folder_ / "copy", fs::copy_options::recursive);
  FileStore copy{folder_ / "copy"};
  EXPECT_THAT(scan(copy, "run"), ElementsAre("a.1", "b.1", "draft.1"));
  EXPECT_EQ(payload(copy, "run", {"b", 1}), "2");
  EXPECT_EQ(copy.lease("run")->fence(), 2U);
}

TEST_F(FileStoreTest, ABatchIsErasedWhenAllOfItIs) {
  FileStore store = open();
  const auto lease = store.lease("run");
  Puts batch(2);
  batch.add("a", 1, "1");
  batch.add("b", 1, "2");
  lease->commit({.puts = batch.all(), .erases = {}});
  const RecordId a{"a", 1};
  const RecordId b{"b", 1};
  lease->commit({.puts = {}, .erases = {&a, 1}});
  EXPECT_EQ(payload(store, "run", b), "2");
  lease->commit({.puts = {}, .erases = {&b, 1}});
  EXPECT_THAT(scan(store, "run"), IsEmpty());
  EXPECT_THAT(snapshot(file("run/.resumable/checkpoints/@batch")), IsEmpty());
  EXPECT_FALSE(store.get("run", b));
}

TEST_F(FileStoreTest, AReaderSeesBatchesThatAnotherStoreObjectWroteAndErased) {
  FileStore reader = open();
  FileStore store = open();
  const auto lease = store.lease("run");
  for (std::uint64_t generation = 1; generation < 4; ++generation) {
    Puts batch(2);
    batch.add("a", generation, "a" + std::to_string(generation));
    batch.add("b", generation, "b" + std::to_string(generation));
    const std::array<RecordId, 2> old{{{"a", generation - 1}, {"b", generation - 1}}};
    lease->commit({.puts = batch.all(), .erases = std::span(old).first(generation > 1 ? 2 : 0)});
    EXPECT_EQ(payload(reader, "run", {"b", generation}), "b" + std::to_string(generation));
    EXPECT_FALSE(reader.get("run", {"b", generation - 1 > 0 ? generation - 1 : 9}));
  }
}

TEST_F(FileStoreTest, AScanBesideAnOwnerThatErasesSeesTheNewerRecord) {
  FileStore store = open();
  const auto lease = store.lease("run");
  commit(*lease, "draft", 1, "x");
  bool done = false;
  // Just after the folder was listed: generation 2 comes and 1 goes.
  files_.on_call([&](Op op, std::uint64_t, bool after) {
    if (op != Op::list || !after || std::exchange(done, true)) return;
    commit(*lease, "draft", 2, "x");
    const RecordId old{"draft", 1};
    lease->commit({.puts = {}, .erases = {&old, 1}});
  });
  EXPECT_THAT(scan(store, "run"), ElementsAre("draft.2"));
  EXPECT_TRUE(done);
}

TEST_F(FileStoreTest, ALostOwnerTextDoesNotLowerTheFence) {
  FileStore store = open();
  for (int i = 1; i < 4; ++i) {
    const auto lease = store.lease("run");
    commit(*lease, "draft", lease->fence(), "x");
  }
  write_file(file("run/.resumable/owner"), "{\"pid\":1,\"fen");
  EXPECT_EQ(store.lease("run")->fence(), 4U);
  fs::remove(file("run/.resumable/owner"));
  EXPECT_EQ(store.lease("run")->fence(), 4U);
}

TEST_F(FileStoreTest, WhoseOwnerFileIsTakenAwayMayNotWrite) {
  FileStore store = open();
  const auto lease = store.lease("run");
  commit(*lease, "draft", 1, "x");
  fs::remove(file("run/.resumable/owner"));
  EXPECT_EQ(error_of([&] { commit(*lease, "draft", 2, "x"); }).errc(), Errc::fenced);
  const auto second = store.lease("run");
  EXPECT_GT(second->fence(), 1U);
  EXPECT_EQ(error_of([&] { lease->manifest("{}"); }).errc(), Errc::fenced);
  EXPECT_EQ(error_of([&] { lease->quarantine({"draft", 1}); }).errc(), Errc::fenced);
  commit(*second, "draft", 2, "y");
  EXPECT_EQ(payload(store, "run", {"draft", 2}), "y");
}

TEST_F(FileStoreTest, ALeaseOutlivesItsStoreObject) {
  std::unique_ptr<Lease> lease;
  std::shared_ptr<const Payload> large;
  {
    FileStore store = open();
    lease = store.lease("run");
    commit(*lease, "large", 1, std::string(std::size_t{1} << 20U, 'x'));
    large = store.get("run", {"large", 1})->payload;
  }
  commit(*lease, "draft", 1, "x");
  EXPECT_EQ(read_all(*large).size(), std::size_t{1} << 20U);
}

TEST_F(FileStoreTest, WaitingEndsAtItsLimit) {
  ManualClock clock;
  FileStore store{folder_ / "store", {.files = &files_, .clock = &clock}};
  const auto lease = store.lease("run");
  EXPECT_EQ(core::format_utc_seconds(store.owner("run")->since), "2026-11-21T20:31:07Z");
  std::thread mover([&] {
    for (int i = 0; i < 60; ++i) {
      clock.await_waiter();
      clock.advance(std::chrono::seconds(1));
    }
  });
  const Error error =
      error_of([&] { static_cast<void>(store.lease("run", {.wait = std::chrono::minutes(1)})); });
  mover.join();
  EXPECT_EQ(error.errc(), Errc::busy);
  EXPECT_THAT(error.explain(), HasSubstr("since 2026-11-21T20:31:07Z\n"));
  EXPECT_THAT(error.explain(),
              HasSubstr("next  wait for it, or stop that process, which releases the lock "
                        "(ResumeOptions::lock_wait)"));
}

TEST_F(FileStoreTest, ArtifactsOfARunInAnotherStoreAreNoRun) {
  MemoryStore other;
  Pipeline p{"p"};
  p.artifact(p.stage("draft", [] { return Text{"words"}; }), "draft.md");
  ASSERT_TRUE(resume(p, other, {.run = "run", .artifact_folder = file("run")}));
  ASSERT_TRUE(fs::exists(file("run/.resumable")));
  FileStore store = open();
  EXPECT_THAT(runs(store), IsEmpty());
  commit(*store.lease("run"), "draft", 1, "x");
  EXPECT_THAT(runs(store), ElementsAre("run"));
}

TEST_F(FileStoreTest, PlanningWritesNothing) {
  FileStore store = open();
  const auto lease = store.lease("run");
  commit(*lease, "draft", 1, "x");
  lease->manifest("{}");
  const FileStore reader = open();
  files_.reset_counts();
  EXPECT_THAT(scan(reader, "run"), ElementsAre("draft.1"));
  EXPECT_TRUE(reader.get("run", {"draft", 1}));
  EXPECT_TRUE(reader.owner("run"));
  EXPECT_TRUE(reader.manifest("run"));
  EXPECT_THAT(runs(reader), ElementsAre("run"));
  for (const Op op : {Op::make_folder, Op::write, Op::truncate, Op::rename, Op::link, Op::unlink,
                      Op::lock, Op::sync, Op::sync_data, Op::sync_folder}) {
    EXPECT_EQ(files_.count(op), 0U) << to_string(op);
  }
}

}  // namespace
}  // namespace resumable::test
