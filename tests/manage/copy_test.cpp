// Verifying runs, and copying them to other stores.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manage/story.hpp"
#include "support/memory.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

fs::path record_of(const FileStore& store, const char* run, RecordId id) {
  return store.locate(run, id);
}

/// Changes the last byte of a file.
void flip_last_byte(const fs::path& file) {
  std::string bytes = read_file(file);
  bytes.back() ^= 1;
  write_file(file, bytes);
}

TEST(VerifyRun, AWholeRunHasNoProblems) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  ASSERT_TRUE(Story{}.run(store));
  const auto before = digests(folder.path());
  const Verification found = verify_run(store, "r");
  EXPECT_TRUE(found.ok());
  EXPECT_EQ(found.records, contents(store, "r").size());
  EXPECT_EQ(found.bytes, record_totals(store, "r").payload_bytes);
  EXPECT_EQ(digests(folder.path()), before) << "nothing is written";
}

TEST(VerifyRun, NamesTheRecordWhosePayloadHasAFlippedByteAndTheAdviceRepairsIt) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Calls calls;
  const Story story{.calls = &calls};
  ASSERT_TRUE(story.run(store));
  const fs::path file = record_of(store, "r", {"whole", 1});
  flip_last_byte(file);
  const Verification found = verify_run(store, "r");
  ASSERT_THAT(found.problems, SizeIs(1));
  const RecordProblem& one = found.problems.front();
  EXPECT_EQ(one.key, "whole");
  EXPECT_EQ(one.generation, 1U);
  EXPECT_EQ(one.damage, Damage::torn);
  EXPECT_TRUE(one.current);
  EXPECT_EQ(one.file, file.string());
  EXPECT_EQ(one.advice, std::vector{Advice{.option = Option::verify_payloads}});
  calls.take();
  const Pipeline pipeline = story.pipeline();
  ASSERT_TRUE(resume(pipeline, store, {.run = "r", .verify_payloads = true}));
  EXPECT_EQ(calls.take(), "whole");
  const Verification again = verify_run(store, "r");
  EXPECT_TRUE(again.ok());
  EXPECT_EQ(again.set_aside, 1U);
}

TEST(VerifyRun, TellsTruncatedForeignAndNewerRecordsApart) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  ASSERT_TRUE(Story{}.run(store));
  const fs::path cut = record_of(store, "r", {"notes", 1});
  write_file(cut, read_file(cut).substr(0, 40));
  const fs::path moved = record_of(store, "r", {"outline", 1});
  const fs::path whole = record_of(store, "r", {"whole", 1});
  write_file(whole, read_file(moved));
  const auto found = verify_run(store, "r").problems;
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].path, "notes");
  EXPECT_EQ(found[1].path, "whole");
}

TEST(VerifyRun, OfNoRunIsAnErrorThatSaysSo) {
  MemoryStore store;
  EXPECT_EQ(errc_of([&] { static_cast<void>(verify_run(store, "none")); }), Errc::unknown_run);
}

// ---- copy --------------------------------------------------------------------------------------

TEST(CopyRun, IsTheSameRunInAnotherStoreAndNothingRunsAgainThere) {
  const TempFolder folder;
  FileStore from{folder / "from"};
  Calls calls;
  const Story story{.calls = &calls};
  ASSERT_TRUE(story.run(from));
  MemoryStore memory;
  const CopyResult first = copy_run(from, "r", memory, "in-memory");
  EXPECT_EQ(contents(memory, "in-memory"), contents(from, "r"));
  EXPECT_EQ(first.records, contents(from, "r").size());
  FileStore to{folder / "to"};
  copy_run(memory, "in-memory", to, "r");
  EXPECT_EQ(contents(to, "r"), contents(from, "r"));
  calls.take();
  const Report report = story.run(to);
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(calls.take(), "");
  EXPECT_EQ(artifacts(folder / "to/r"), artifacts(folder / "from/r")) << "exported again";
  EXPECT_EQ(run_state(to, "r"), RunState::done);
}

TEST(CopyRun, LeavesTheSourceAsItIs) {
  const TempFolder folder;
  FileStore from{folder / "from"};
  ASSERT_TRUE(Story{}.run(from));
  const auto before = digests(folder.path());
  MemoryStore to;
  copy_run(from, "r", to, "r");
  EXPECT_EQ(digests(folder.path()), before);
}

TEST(CopyRun, ARequestAfterTheCopyIsNewerThanEveryCopiedRecord) {
  MemoryStore from;
  Calls calls;
  const Story story{.calls = &calls};
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(story.run(from));
  const Pipeline pipeline = story.pipeline();
  ASSERT_TRUE(resume(pipeline, from, {.run = "r", .redo = {"notes"}}));
  const TempFolder folder;
  FileStore to{folder / "to"};
  copy_run(from, "r", to, "r");
  calls.take();
  ASSERT_TRUE(resume(pipeline, to, {.run = "r", .redo = {"notes"}}));
  EXPECT_EQ(calls.take(), "notes");
}

/// A store that does not know LeaseRequest::fence_above.
class OldStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return next().lease(run, {.create = request.create});
  }
};

TEST(CopyRun, RaisesTheFenceOfAStoreThatDoesNotKnowHow) {
  MemoryStore from;
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Story{}.run(from));
  MemoryStore memory;
  OldStore to{memory};
  copy_run(from, "r", to, "r");
  EXPECT_GT(memory.lease("r")->fence(), 1U);
  EXPECT_EQ(contents(memory, "r"), contents(from, "r"));
}

TEST(CopyRun, CalledAgainLeavesTheStateOfACopyThatHasGoneOn) {
  MemoryStore from;
  MemoryStore to;
  ASSERT_TRUE(Story{}.run(from));
  copy_run(from, "r", to, "r");
  to.lease("r")->manifest(R"({"run":"r","status":"waiting"})");
  EXPECT_TRUE(copy_run(from, "r", to, "r").existed);
  EXPECT_EQ(run_state(to, "r"), RunState::waiting);
}

TEST(CopyRun, OntoAnotherRunIsRefused) {
  MemoryStore from;
  MemoryStore to;
  ASSERT_TRUE(Story{}.run(from));
  ASSERT_TRUE(Story{}.run(to));
  const auto before = contents(to, "r");
  EXPECT_EQ(errc_of([&] { copy_run(from, "r", to, "r"); }), Errc::duplicate_name);
  EXPECT_EQ(contents(to, "r"), before);
}

TEST(CopyRun, WithinOneStoreIsRefused) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  FileStore same{folder / "store"};
  ASSERT_TRUE(Story{}.run(store));
  EXPECT_EQ(errc_of([&] { copy_run(store, "r", store, "r2"); }), Errc::bad_option);
  EXPECT_EQ(errc_of([&] { copy_run(store, "r", same, "r2"); }), Errc::bad_option);
}

TEST(CopyRun, OfADamagedRunIsRefusedUnlessAskedFor) {
  const TempFolder folder;
  FileStore from{folder / "from"};
  ASSERT_TRUE(Story{}.run(from));
  flip_last_byte(record_of(from, "r", {"whole", 1}));
  MemoryStore to;
  EXPECT_EQ(errc_of([&] { copy_run(from, "r", to, "r"); }), Errc::damaged);
  EXPECT_THAT(runs(to), IsEmpty());
  const CopyResult result = copy_run(from, "r", to, "r", {.skip_damaged = true});
  EXPECT_THAT(result.left_out, SizeIs(1));
  EXPECT_TRUE(Story{}.run(to));
}

TEST(CopyRun, WaitsForNobodyUnlessAskedAndSaysWhoOwnsTheRun) {
  MemoryStore from;
  MemoryStore to;
  ASSERT_TRUE(Story{}.run(from));
  const auto owner = to.lease("r");
  EXPECT_EQ(errc_of([&] { copy_run(from, "r", to, "r"); }), Errc::busy);
}

TEST(CopyRun, HoldsNoLargeValueInMemory) {
  const TempFolder folder;
  FileStore from{folder / "from"};
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  FileStore to{folder / "to", {.files = &files}};
  Pipeline p{"large"};
  p.stage("large", [] { return Text{std::string(64'000'000, 'x')}; });
  ASSERT_TRUE(resume(p, from, {.run = "r"}));
  const std::size_t before = allocated_bytes();
  std::size_t most = 0;
  files.on_call([&](Op, std::uint64_t, bool) { most = std::max(most, allocated_bytes()); });
  copy_run(from, "r", to, "r");
  files.on_call({});
  EXPECT_GT(most, before);
  EXPECT_LT(most - before, 16'000'000U);
}

Broken copying() {
  return {.prepare =
              [](const Stores& stores) {
                ASSERT_TRUE(Story{}.run(*stores.open("from"), "r", &stores.files()));
                ASSERT_TRUE(Story{}.run(*stores.open("to"), "other", &stores.files()));
              },
          .call =
              [](const Stores& stores) {
                copy_run(*stores.open("from"), "r", *stores.open("to"), "r");
              },
          .check_after_break =
              [](const Stores& stores) {
                const auto copied = contents(*stores.open("to"), "r");
                EXPECT_TRUE(copied.empty() || copied == contents(*stores.open("from"), "r"));
                EXPECT_TRUE(verify_run(*stores.open("to"), "other").ok());
              },
          .check_when_done =
              [](const Stores& stores) {
                EXPECT_EQ(contents(*stores.open("to"), "r"), contents(*stores.open("from"), "r"));
                EXPECT_TRUE(verify_run(*stores.open("from"), "r").ok());
              }};
}

TEST(CopyRun, KilledAtEveryChangeCompletesWhenCalledAgain) { expect_survives_kills(copying(), 15); }

TEST(CopyRun, WithoutPowerAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_power_losses(copying(), 50);
}

}  // namespace
}  // namespace resumable::test
