// Runs on compressed stores: smaller, mixed with what was there, killed and resumed.
#include <csignal>

#include <gmock/gmock.h>

#include "resumable/manage.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"
#include "support/claims.hpp"
#include "support/slow_store.hpp"
#include "testing/records.hpp"
#include "zstd/compressed.hpp"

namespace resumable::test {
namespace {

std::uint64_t bytes_in(const std::filesystem::path& folder) {
  std::uint64_t sum = 0;
  for (const auto& [name, bytes] : snapshot(folder)) {
    if (name.find("checkpoints") != name.npos) sum += bytes.size();
  }
  return sum;
}

/// Three pages of a megabyte and more, and how long they are together.
std::size_t pages(CheckpointStore& store, const std::function<void()>& in_body,
                  std::string_view out = "") {
  Pipeline pipeline{"pages"};
  const auto list = pipeline.stage("list", [&] {
    in_body();
    return Strings{"one", "two", "three"};
  });
  const auto page = pipeline.stage("page", inputs(each(list)), [&](const std::string& one) {
    in_body();
    return Text{one + std::string(1'200'000, '.')};
  });
  const auto sum = pipeline.stage("sum", inputs(page), [&](const std::vector<Text>& all) {
    in_body();
    std::size_t size = 0;
    for (const Text& text : all) size += text.text.size();
    return size;
  });
  pipeline.artifact(page, "{item}.txt");
  const Report report =
      resume(pipeline, store, {.run = "r", .concurrency = 1, .artifact_folder = out});
  EXPECT_TRUE(report) << report.text();
  return report ? report[sum] : 0;
}

TEST(CompressedStoreTest, TakesLessRoomAndReadsBackTheSame) {
  const TempFolder folder;
  const auto small = compressed("file", folder / "small");
  EXPECT_EQ(pages(*small, [] {}), 3'600'011U);
  const auto again = compressed("file", folder / "small");
  EXPECT_EQ(pages(*again, [] { ADD_FAILURE() << "nothing runs again"; }), 3'600'011U);
  EXPECT_LT(bytes_in(folder / "small"), 20'000U);
  EXPECT_TRUE(verify_run(*again, "r").ok());
  EXPECT_EQ(record_totals(*again, "r", "page/").payload_bytes, 3'600'011U) << "sizes are real ones";
}

TEST(CompressedStoreTest, ReadsWhatWasWrittenWithoutIt) {
  const TempFolder folder;
  FileStore plain{folder / "store"};
  EXPECT_EQ(pages(plain, [] {}), 3'600'011U);
  const auto store = compressed("file", folder / "store");
  EXPECT_EQ(pages(*store, [] { ADD_FAILURE() << "nothing runs again"; }), 3'600'011U);
  EXPECT_TRUE(verify_run(*store, "r").ok());
}

TEST(CompressedStoreTest, LeavesWhatDoesNotCompressAsItIs) {
  MemoryStore memory;
  CompressedStore store{memory};
  testing::commit(*store.lease("r"), "short", 1, std::string(511, 'x'));
  testing::commit(*store.lease("r"), "long", 1, std::string(512, 'x'));
  EXPECT_EQ(testing::payload(memory, "r", {"short", 1}), std::string(511, 'x'));
  EXPECT_LT(testing::payload(memory, "r", {"long", 1})->size(), 100U);
  EXPECT_EQ(memory.get("r", {"short", 1})->header, R"({"header":1})");
  EXPECT_EQ(memory.get("r", {"long", 1})->header, R"({"header":1,"zstd":512})");
}

TEST(CompressedStoreTest, CompressesWhatWorkersCommit) {
  MemoryStore memory;
  CompressedStore store{memory};
  const auto lease = store.lease("r");
  const StringPayload payload{std::string(512, 'x')};
  const Put put{{"draft/a", 1}, testing::tag_of(1), R"({"header":1})", &payload};
  EXPECT_EQ(commit_claimed(store, claim_of_item(store, "r", *lease), put), ClaimState::held);
  EXPECT_EQ(memory.get("r", {"draft/a", 1})->header, R"({"header":1,"zstd":512})");
  EXPECT_EQ(testing::payload(store, "r", {"draft/a", 1}), std::string(512, 'x'));
}

TEST(CompressedStoreTest, ReadsManyRecordsInOneCall) {
  MemoryStore memory;
  SlowStore slow{memory};
  CompressedStore store{slow};
  EXPECT_EQ(calls_to_read_many(slow, store), 1);
}

TEST(CompressedStoreTest, ADamagedPayloadIsNamed) {
  MemoryStore memory;
  const StringPayload noise{"not compressed"};
  const Put put{{"draft", 1}, testing::tag_of(1), R"({"header":1,"zstd":99999999})", &noise};
  memory.lease("r")->commit({.puts = {&put, 1}, .erases = {}});
  const CompressedStore store{memory};
  EXPECT_EQ(code_of([&] { static_cast<void>(store.get("r", {"draft", 1})); }), Errc::damaged);
}

TEST(CompressedStoreTest, RemovesTheArtifactsOfARun) {
  const TempFolder folder;
  const auto store = compressed("file", folder / "store");
  EXPECT_EQ(pages(*store, [] {}), 3'600'011U);
  EXPECT_TRUE(std::filesystem::exists(folder / "store/r/one.txt"));
  store->remove("r", {.artifacts = RemoveArtifacts::remove});
  EXPECT_FALSE(std::filesystem::exists(folder / "store/r/one.txt"));
}

TEST(CompressedStoreTest, HasTheLevelsOfZstd) {
  MemoryStore memory;
  for (const int level : {0, 23, -5}) {
    EXPECT_EQ(code_of([&] { CompressedStore(memory, {.level = level}); }), Errc::bad_option);
  }
}

class CompressedRuns : public ::testing::TestWithParam<std::string> {};

TEST_P(CompressedRuns, KilledAnywhereGoOn) {
  const TempFolder folder;
  const std::string out = (folder / "out").string();
  for (int kill_at = 1; kill_at <= 5; ++kill_at) {
    const auto place = folder / std::to_string(kill_at);
    ChildProcess child{[&] {
      int calls = 0;
      pages(
          *compressed(GetParam(), place),
          [&] {
            if (++calls == kill_at) ::raise(SIGKILL);
          },
          out + std::to_string(kill_at));
      return 0;
    }};
    ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
    int calls = 0;
    EXPECT_EQ(pages(
                  *compressed(GetParam(), place), [&] { ++calls; }, out + std::to_string(kill_at)),
              3'600'011U);
    EXPECT_EQ(calls, 6 - kill_at) << "what was running alone is done again";
  }
}

INSTANTIATE_TEST_SUITE_P(On, CompressedRuns,
                         ::testing::Values("file", "journal", "encrypted+journal"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '+');
                           return name;
                         });

}  // namespace
}  // namespace resumable::test
