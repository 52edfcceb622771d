// Runs with values that were dropped after use: in every store, and whatever is done with runs.
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manage/dropped_run.hpp"
#include "resumable/bundle.hpp"
#include "resumable/encryption.hpp"
#include "resumable/garbage.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/manage.hpp"
#include "resumable/sha256.hpp"
#include "resumable/sqlite_store.hpp"
#include "resumable/zstd.hpp"
#include "survey/records.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Kind {
  const char* name;
  std::function<std::unique_ptr<CheckpointStore>(const std::filesystem::path&)> open;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class AnyStoreWithADroppedValue : public ::testing::TestWithParam<Kind> {
 protected:
  TempFolder folder_;
  std::unique_ptr<CheckpointStore> store_ = GetParam().open(folder_ / "store");
  DroppedRun dropped_;
};

TEST_P(AnyStoreWithADroppedValue, KeepsWhatWasMadeOfItAndMakesItAgain) {
  EXPECT_EQ(dropped_.run(*store_), "next, raw");
  const auto after = verify_run(*store_, "r");
  EXPECT_THAT(after.problems, IsEmpty());
  EXPECT_LT(after.bytes, 10'000U) << "the value is gone";
  EXPECT_EQ(dropped_.run(*store_, "r", {.verify_payloads = true}), "");
  dropped_.revision = 2;
  EXPECT_EQ(dropped_.run(*store_), "next, raw");
  EXPECT_LT(verify_run(*store_, "r").bytes, 10'000U);
  EXPECT_EQ(DroppedRun::result(*store_), "sea!");
  dropped_.word = "sky";
  EXPECT_EQ(dropped_.run(*store_), "next, raw");
  EXPECT_EQ(DroppedRun::result(*store_), "sky!");
  EXPECT_THAT(verify_run(*store_, "r").problems, IsEmpty());
}

TEST_P(AnyStoreWithADroppedValue, CopiesAndForksIt) {
  dropped_.run(*store_);
  MemoryStore there;
  copy_run(*store_, "r", there, "r");
  EXPECT_EQ(dropped_.run(there), "");
  const auto back = GetParam().open(folder_ / "back");
  copy_run(there, "r", *back, "r");
  EXPECT_EQ(dropped_.run(*back), "");
  export_bundle(*store_, "r", folder_ / "bundle");
  import_bundle(folder_ / "bundle", there, "imported");
  EXPECT_EQ(dropped_.run(there, "imported"), "");
  fork_run(*store_, "r", "fork");
  EXPECT_EQ(dropped_.run(*store_, "fork"), "");
  fork_run(*store_, "r", "from", {.from_stage = "next"});
  EXPECT_EQ(dropped_.run(*store_, "from"), "next, raw");
}

std::vector<Kind> kinds() {
  namespace fs = std::filesystem;
  return {{"memory", [](const fs::path&) { return std::make_unique<MemoryStore>(); }},
          {"files", [](const fs::path& at) { return std::make_unique<FileStore>(at); }},
          {"journal", [](const fs::path& at) { return std::make_unique<JournalStore>(at); }},
          {"sqlite", [](const fs::path& at) { return std::make_unique<SqliteStore>(at); }},
          {"zstd",
           [](const fs::path&) {
             return std::make_unique<CompressedStore>(std::make_unique<MemoryStore>());
           }},
          {"sha256",
           [](const fs::path&) {
             return std::make_unique<Sha256Store>(std::make_unique<MemoryStore>());
           }},
          {"encryption", [](const fs::path&) {
             const EncryptionKey key{std::string(EncryptionKey::size, 'k')};
             return std::make_unique<EncryptedStore>(
                 std::make_unique<MemoryStore>(),
                 EncryptionKeys{"k", [=](std::string_view) { return std::optional{key}; }});
           }}};
}

INSTANTIATE_TEST_SUITE_P(Stores, AnyStoreWithADroppedValue, ::testing::ValuesIn(kinds()),
                         [](const auto& test) { return std::string{test.param.name}; });

class DroppedRunTest : public ::testing::Test {
 protected:
  DroppedRunTest() { dropped_.run(store_); }
  MemoryStore store_;
  DroppedRun dropped_;
};

TEST_F(DroppedRunTest, IsMergedAsItIs) {
  MemoryStore there;
  Pipeline p{"p"};
  p.input("word", "sea");
  ASSERT_TRUE(resume(p, there, {.run = "r"}));
  EXPECT_EQ(merge_runs(store_, "r", there, "r").merged, 2U);
  EXPECT_EQ(dropped_.run(there), "");
  EXPECT_EQ(merge_runs(store_, "r", there, "r").same, 3U) << "with the input";
}

TEST_F(DroppedRunTest, IsRolledBackToWhatHasItsValueOnly) {
  tag_run(store_, "r", "dropped");
  dropped_.word = "sky";
  dropped_.run(store_);
  EXPECT_EQ(code_of([&] { roll_back(store_, "r", "raw", {.tag = "dropped"}); }), Errc::bad_option);
  EXPECT_THAT(what_of([&] { roll_back(store_, "r", "raw", {.tag = "dropped"}); }),
              HasSubstr("was dropped after use"));
  roll_back(store_, "r", "next", {.tag = "dropped"});
  EXPECT_EQ(dropped_.run(store_), "");
  EXPECT_EQ(DroppedRun::result(store_), "sea!");
}

TEST_F(DroppedRunTest, ATagKeepsTheValueThatItNames) {
  MemoryStore store;
  DroppedRun run;
  Pipeline p{"p"};
  const auto said = p.input("word", "sea");
  p.stage("raw", inputs(said),
          [](const std::string& w) { return Text{std::string(100'000, '.') + w}; });
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
  tag_run(store, "r", "whole");
  EXPECT_EQ(run.run(store), "next");
  EXPECT_EQ(run.run(store, "r", {.redo = {"raw"}}), "raw");
  EXPECT_LT(verify_run(store, "r").bytes, 110'000U) << "the tagged one is still there";
  roll_back(store, "r", "raw", {.tag = "whole"});
  run.revision = 2;
  EXPECT_EQ(run.run(store), "next") << "the value is back";
}

TEST_F(DroppedRunTest, GarbageCollectionKeepsWhatIsLeftOfIt) {
  collect_garbage(store_, {.keep_generations = 1});
  EXPECT_EQ(dropped_.run(store_), "");
  EXPECT_THAT(verify_run(store_, "r").problems, IsEmpty());
}

TEST_F(DroppedRunTest, GoesWithAStageThatHasLeft) {
  using namespace std::chrono_literals;
  const auto records = [&] { return survey::records(store_, "r", survey::Depth::heads, "raw"); };
  const auto without = [&](ResumeOptions options) {
    Pipeline p{"p"};
    p.input("word", "sea");
    options.run = "r";
    ASSERT_TRUE(resume(p, store_, options));
  };
  without({});
  EXPECT_EQ(collect_garbage(store_, {.left_older_than = -1s, .dry_run = true}).removed.size(), 2U);
  without({.left_older_than = -1s});
  EXPECT_THAT(records(), IsEmpty());
}

TEST_F(DroppedRunTest, IsPlannedWithoutItsProgram) {
  const auto p = recorded_pipeline(store_, "r");
  ASSERT_TRUE(p);
  EXPECT_EQ(outline(ResumePlanner{store_}.plan(*p, {.run = "r"})),
            "raw skip dropped, next skip done");
  EXPECT_EQ(outline(ResumePlanner{store_}.plan(*p, {.run = "r", .redo = {"next"}})),
            "raw run dropped, next run requested upstream");
}

TEST_F(DroppedRunTest, LosesNoneOfTheReasonsToRun) {
  EXPECT_EQ(dropped_.run(store_, "r", {.redo = {"raw"}}), "raw");
  EXPECT_EQ(dropped_.run(store_), "") << "done";
  EXPECT_EQ(dropped_.run(store_, "r", {.fresh = true}), "next, raw");
  dropped_.word = "sky";
  EXPECT_EQ(dropped_.run(store_), "next, raw");
}

}  // namespace
}  // namespace resumable::test
