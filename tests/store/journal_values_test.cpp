// Where a journal keeps large values, and what that costs in bytes and memory.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "resumable/journal_store.hpp"
#include "store/journal/value_file.hpp"
#include "store/records.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory.hpp"
#include "support/temp_folder.hpp"
#include "sys/forwarding_file_system.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

constexpr std::size_t mib = std::size_t{1} << 20U;
constexpr std::uint64_t segment_bytes = JournalStoreOptions{}.segment_bytes;
constexpr auto limit = static_cast<std::size_t>(store::journal::apart_bytes(segment_bytes));

/// Counts what is read and written, and the most memory in use while something is written.
class Traffic final : public sys::ForwardingFileSystem {
 public:
  using ForwardingFileSystem::ForwardingFileSystem;
  std::error_code read(const sys::File& file, std::uint64_t at, std::span<char> to,
                       std::size_t& count) override {
    const auto error = ForwardingFileSystem::read(file, at, to, count);
    bytes_read += count;
    return error;
  }
  std::error_code write(const sys::File& file, std::uint64_t at, std::string_view bytes,
                        std::size_t& count) override {
    const auto error = ForwardingFileSystem::write(file, at, bytes, count);
    bytes_written += count;
    memory = std::max(memory.load(), allocated_bytes());
    return error;
  }
  std::error_code reserve(const sys::File& file, std::uint64_t size) override {
    ++reserved;
    return ForwardingFileSystem::reserve(file, size);
  }
  std::atomic<std::uint64_t> bytes_read{0};
  std::atomic<std::uint64_t> bytes_written{0};
  std::atomic<std::size_t> memory{0};
  std::atomic<int> reserved{0};
};

class JournalValues : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path journal() const { return folder_ / "store/run/.resumable/journal"; }
  [[nodiscard]] std::size_t value_files() const {
    const auto is_value = [](const auto& entry) { return entry.path().extension() == ".value"; };
    return static_cast<std::size_t>(
        std::count_if(fs::directory_iterator{journal()}, fs::directory_iterator{}, is_value));
  }
  [[nodiscard]] std::uint64_t bytes_on_disk() const {
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::directory_iterator{journal()}) bytes += entry.file_size();
    return bytes;
  }
  [[nodiscard]] JournalStore open(std::uint64_t index_after_bytes = 1) {
    return JournalStore{folder_ / "store",
                        {.folder = {.files = &files_}, .index_after_bytes = index_after_bytes}};
  }
  /// A record that takes the place of the one before.
  static void replace(Lease& lease, std::uint64_t generation, std::size_t size) {
    const StringPayload bytes{of(generation, size)};
    const Put put{{"loop", generation}, tag_of(generation), R"({"header":1})", &bytes};
    const RecordId old{"loop", generation - 1};
    lease.commit({.puts = {&put, 1}, .erases = {&old, generation > 1 ? 1U : 0U}});
  }
  [[nodiscard]] static std::string of(std::uint64_t number, std::size_t size) {
    return std::string(size, static_cast<char>('a' + number % 26));
  }

  TempFolder folder_;
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  Traffic files_{*posix_};
};

TEST_F(JournalValues, BelowALimitAreInTheLogAndOthersAreFiles) {
  {
    auto store = open();
    const auto lease = store.lease("run");
    commit(*lease, "below", 1, of(1, limit - 1));
    EXPECT_EQ(value_files(), 0U);
    commit(*lease, "small", 1, "small");
    commit(*lease, "at", 1, of(2, limit));
    EXPECT_EQ(value_files(), 1U);
    EXPECT_EQ(payload(store, "run", {"below", 1}), of(1, limit - 1));
  }
  const auto expect_all = [&](const CheckpointStore& store) {
    EXPECT_THAT(scan(store, "run"), ElementsAre("at.1", "below.1", "small.1"));
    EXPECT_EQ(payload(store, "run", {"below", 1}), of(1, limit - 1));
    EXPECT_EQ(payload(store, "run", {"small", 1}), "small");
    EXPECT_EQ(payload(store, "run", {"at", 1}), of(2, limit));
  };
  expect_all(open());
  ASSERT_TRUE(fs::remove(journal() / "index"));
  expect_all(open());
}

TEST_F(JournalValues, OfASmallSegmentTheLimitIsLower) {
  EXPECT_EQ(store::journal::apart_bytes(2048), 256U << 10U);
  EXPECT_EQ(store::journal::apart_bytes(std::uint64_t{1} << 40U), 2 * mib);
}

TEST_F(JournalValues, AValueFileGoesWithItsRecord) {
  auto store = open();
  const auto lease = store.lease("run");
  commit(*lease, "draft", 1, of(1, limit));
  EXPECT_EQ(value_files(), 1U);
  const auto kept = store.get("run", {"draft", 1});
  const RecordId old{"draft", 1};
  lease->commit({.puts = {}, .erases = {&old, 1}});
  EXPECT_EQ(value_files(), 0U);
  EXPECT_EQ(read_all(*kept->payload), of(1, limit));
}

TEST_F(JournalValues, AMissingValueFileIsDamageOfItsRecord) {
  commit(*open().lease("run"), "draft", 1, of(1, limit));
  fs::remove(journal() / "1-1.value");
  try {
    static_cast<void>(open().get("run", {"draft", 1}));
    FAIL() << "a record";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::damaged);
  }
}

TEST_F(JournalValues, ReadFromTheLogOutliveItsCleaning) {
  auto store = open();
  const auto lease = store.lease("run");
  replace(*lease, 1, mib);
  const auto kept = store.get("run", {"loop", 1});
  for (std::uint64_t n = 2; n <= 64; ++n) replace(*lease, n, mib);
  EXPECT_EQ(read_all(*kept->payload), of(1, mib));
  EXPECT_FALSE(fs::exists(journal() / "0000000001.log")) << "the log was cleaned";
}

TEST_F(JournalValues, ALoopOfThemUsesSegmentsAgain) {
  auto store = open();
  const auto lease = store.lease("run");
  for (std::uint64_t n = 1; n <= 200; ++n) replace(*lease, n, mib);
  EXPECT_LT(files_.reserved, 8) << "of 13 segments or more";
}

TEST_F(JournalValues, ALoopOfThemMovesLittleAndKeepsTheLogShort) {
  constexpr std::uint64_t turns = 128;
  std::uint64_t most_on_disk = 0;
  {
    auto store = open();
    const auto lease = store.lease("run");
    for (std::uint64_t n = 1; n <= 4; ++n)
      commit(*lease, "kept/" + std::to_string(n), 1, of(n, mib));
    files_.bytes_written = 0;
    for (std::uint64_t n = 1; n <= turns; ++n) {
      replace(*lease, n, mib);
      most_on_disk = std::max(most_on_disk, bytes_on_disk());
    }
    EXPECT_EQ(payload(store, "run", {"loop", turns}), of(turns, mib));
  }
  EXPECT_LT(files_.bytes_written, turns * mib * 5 / 4);
  EXPECT_LT(most_on_disk, 2 * 5 * mib + 4 * segment_bytes);
  for (std::uint64_t n = 1; n <= 4; ++n) {
    EXPECT_EQ(payload(open(), "run", {"kept/" + std::to_string(n), 1}), of(n, mib));
  }
}

/// As many bytes that stay as one can have, then a loop that fills the log: all of them are moved.
TEST_F(JournalValues, ManyThatStayAreMovedALittleAtATimeAndOnce) {
  constexpr std::uint64_t kept = 64;
  auto store = open();
  const auto lease = store.lease("run");
  for (std::uint64_t n = 1; n <= kept; ++n) {
    commit(*lease, "kept/" + std::to_string(n), 1, of(n, mib));
  }
  files_.memory = 0;
  const std::size_t before = allocated_bytes();
  std::uint64_t most_in_one_commit = 0;
  const std::uint64_t begun = files_.bytes_written;
  constexpr std::uint64_t turns = 240;
  for (std::uint64_t n = 1; n <= turns; ++n) {
    const std::uint64_t written = files_.bytes_written;
    replace(*lease, n, mib);
    most_in_one_commit = std::max(most_in_one_commit, files_.bytes_written - written);
  }
  EXPECT_FALSE(fs::exists(journal() / "0000000001.log")) << "the log was cleaned";
  EXPECT_LT(most_in_one_commit, 2 * segment_bytes);
  EXPECT_LT(files_.bytes_written - begun, 2 * turns * mib);
  EXPECT_LT(files_.memory - before, 2 * segment_bytes);
  for (std::uint64_t n = 1; n <= kept; ++n) {
    ASSERT_EQ(payload(store, "run", {"kept/" + std::to_string(n), 1}), of(n, mib));
  }
}

TEST_F(JournalValues, OfManyThreadsTakeLittleMemory) {
  auto store = open();
  const auto lease = store.lease("run");
  constexpr int threads = 32;
  const std::size_t before = allocated_bytes();
  {
    std::vector<std::jthread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&, t] {
        const std::string path = "s/" + std::to_string(t);
        const StringPayload bytes{of(static_cast<std::uint64_t>(t), mib)};
        const Put put{{path, 1}, tag_of(1), R"({"header":1})", &bytes};
        lease->commit({.puts = {&put, 1}, .erases = {}});
      });
    }
  }
  EXPECT_LT(files_.memory - before, (threads + 6) * mib) << "the values, and little beside them";
  for (int t = 0; t < threads; ++t) {
    ASSERT_EQ(payload(store, "run", {"s/" + std::to_string(t), 1}),
              of(static_cast<std::uint64_t>(t), mib));
  }
}

TEST_F(JournalValues, AreNotReadByAScanWithHeaders) {
  auto store = open();
  {
    const auto lease = store.lease("run");
    for (std::uint64_t n = 1; n <= 40; ++n) {
      commit(*lease, "v/" + std::to_string(n), 1, of(n, mib));
    }
  }
  static_cast<void>(scan(store, "run"));
  files_.bytes_read = 0;
  int headers = 0;
  store.scan("run", {.headers = true}, [&](const RecordHead& head) {
    headers += head.header == R"({"header":1})" ? 1 : 0;
    return true;
  });
  EXPECT_EQ(headers, 40);
  EXPECT_LT(files_.bytes_read, mib);
}

TEST_F(JournalValues, AreNotReadByWhoeverOpensTheRunButForTheLastSegment) {
  {
    auto store = open(UINT64_MAX);
    const auto lease = store.lease("run");
    for (std::uint64_t n = 1; n <= 40; ++n) {
      commit(*lease, "v/" + std::to_string(n), 1, of(n, mib));
      commit(*lease, "w/" + std::to_string(n), 1, "small");
    }
  }
  ASSERT_FALSE(fs::exists(journal() / "index"));
  const auto store = open();
  files_.bytes_read = 0;
  EXPECT_EQ(scan(store, "run").size(), 80U);
  EXPECT_LT(files_.bytes_read, segment_bytes + 2 * mib);
  EXPECT_EQ(payload(store, "run", {"v/3", 1}), of(3, mib));
}

TEST_F(JournalValues, DamagedOnesInTheLogAreToldByWhoeverReadsThemAndHideNothing) {
  {
    auto store = open(UINT64_MAX);
    const auto lease = store.lease("run");
    for (std::uint64_t n = 1; n <= 20; ++n) commit(*lease, "v/" + std::to_string(n), 1, of(n, mib));
  }
  // The head of the first large entry of a segment that is full.
  std::fstream log{journal() / "0000000002.log", std::ios::in | std::ios::out | std::ios::binary};
  log.seekp(64 + 40 + 50);
  log.put('!');
  log.close();
  const auto found = scan(open(), "run");
  EXPECT_EQ(std::count_if(found.begin(), found.end(),
                          [](const std::string& one) { return one.ends_with('!'); }),
            1);
  EXPECT_EQ(found.size(), 20U);
}

// ---- room on the disk --------------------------------------------------------------------------

class JournalRoom : public ::testing::TestWithParam<std::errc> {};

TEST_P(JournalRoom, WhereItCannotBeReservedSegmentsAreWrittenFullOfZeros) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  files.fail(Fault{.ops = {Op::reserve}, .error = GetParam(), .sticky = true});
  JournalStore store{folder / "store", {.folder = {.files = &files}}};
  const auto lease = store.lease("run");
  commit(*lease, "small", 1, "small");
  EXPECT_TRUE(files.struck());
  EXPECT_EQ(fs::file_size(folder / "store/run/.resumable/journal/0000000001.log"), mib);
  for (std::uint64_t n = 1; n <= 8; ++n) commit(*lease, "v", n, std::string(mib, 'v'));
  EXPECT_EQ(payload(store, "run", {"small", 1}), "small");
  EXPECT_EQ(payload(store, "run", {"v", 8}), std::string(mib, 'v'));
}

INSTANTIATE_TEST_SUITE_P(Unsupported, JournalRoom,
                         ::testing::Values(std::errc::not_supported, std::errc::interrupted));

TEST(JournalRoomOnAFullDisk, ACommitThatHasNoneChangesNothingAndTheNextMaySucceed) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  JournalStore store{folder / "store", {.folder = {.files = &files}}};
  const auto lease = store.lease("run");
  files.fail(Fault{.ops = {Op::reserve}, .error = std::errc::no_space_on_device, .sticky = true});
  try {
    commit(*lease, "v", 1, "value");
    FAIL() << "a commit";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::store_failed);
  }
  files.fail({});
  commit(*lease, "v", 1, "value");
  EXPECT_THAT(scan(store, "run"), ElementsAre("v.1"));
}

}  // namespace
}  // namespace resumable::test
