// What is particular to a journal store: its log, its damage, several writers and readers.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "store/journal/format.hpp"
#include "store/journal_story.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
namespace journal = store::journal;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class JournalTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path log(std::uint64_t number) const {
    return folder_ / "store/run/.resumable/journal" / journal::segment_name(number);
  }
  [[nodiscard]] fs::path end() const { return folder_ / "store/run/.resumable/journal/end"; }
  [[nodiscard]] std::string bytes_of(std::uint64_t number) const {
    std::ifstream file{log(number), std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  void write(std::uint64_t number, const std::string& bytes) const {
    std::ofstream{log(number), std::ios::binary | std::ios::trunc} << bytes;
  }
  /// Three commits by one lease, which ends in order.
  void commit_three() {
    const auto lease = open().lease("run");
    for (const char* path : {"a", "b", "c"})
      commit(*lease, path, 1, std::string{"value of "} + path);
  }
  JournalStore& open() {
    store_ = std::make_unique<JournalStore>(folder_ / "store");
    return *store_;
  }

  TempFolder folder_;
  std::unique_ptr<JournalStore> store_;
};

TEST_F(JournalTest, ACommitThatAKilledOwnerLeftHalfWrittenIsNotThereAndTheOthersAre) {
  commit_three();
  fs::remove(end());
  const std::string whole = bytes_of(1);
  const std::size_t third = whole.find("value of c");
  for (std::size_t end = third + 9; end >= third - 157; --end) {
    write(1, whole.substr(0, end));
    ASSERT_THAT(scan(open(), "run"), ElementsAre("a.1", "b.1")) << end;
  }
  commit(*open().lease("run"), "c", 1, "again");
  EXPECT_EQ(payload(open(), "run", {"c", 1}), "again");
}

TEST_F(JournalTest, ALogThatEndedWellAndIsShorterNowIsDamaged) {
  commit_three();
  const std::string whole = bytes_of(1);
  const std::size_t length = whole.find("value of c") + 10;
  const auto value_of_c = [&] {
    try {
      return payload(*store_, "run", {"c", 1}).value_or("");
    } catch (const Error&) {
      return std::string{};
    }
  };
  for (std::size_t size = 0; size < length; ++size) {
    for (const bool zeros : {false, true}) {
      std::string bytes = whole.substr(0, size);
      if (zeros) bytes.resize(whole.size(), '\0');
      write(1, bytes);
      const auto found = scan(open(), "run");
      const bool told =
          std::ranges::any_of(found, [](const auto& one) { return one.ends_with('!'); });
      // Its head is left, so it has its name.
      if (!told) {
        ASSERT_THAT(found, ElementsAre("a.1", "b.1", "c.1")) << size << zeros;
        ASSERT_NE(value_of_c(), "value of c") << size << zeros;
      }
    }
  }
}

TEST_F(JournalTest, WhatALogHasLostIsDamageUntilItIsSetAside) {
  commit_three();
  const std::string whole = bytes_of(1);
  write(1, whole.substr(0, whole.find("value of c") - 157));
  std::string lost;
  open().scan("run", {}, [&](const RecordHead& head) {
    if (head.damage != Damage::none) lost = head.id.path;
    return true;
  });
  // A lease that does not set it aside, and then another one.
  for (const char* path : {"d", "e"}) commit(*open().lease("run"), path, 1, "more");
  EXPECT_THAT(scan(open(), "run"), ElementsAre(lost + ".1!", "a.1", "b.1", "d.1", "e.1"));
  static_cast<void>(open().lease("run")->quarantine({lost, 1}));
  EXPECT_THAT(scan(open(), "run", {.quarantined = false}), ElementsAre("a.1", "b.1", "d.1", "e.1"));
  commit(*store_->lease("run"), "f", 1, "and more");
  EXPECT_THAT(scan(open(), "run", {.quarantined = false}),
              ElementsAre("a.1", "b.1", "d.1", "e.1", "f.1"));
}

TEST_F(JournalTest, ALogThatIsGoneIsDamagedAndItsNumberIsNotUsedAgain) {
  commit_three();
  fs::remove(log(1));
  EXPECT_THAT(scan(open(), "run"), ElementsAre("@batch/1-0.1!"));
  const auto lease = open().lease("run");
  static_cast<void>(lease->quarantine({"@batch/1-0", 1}));
  commit(*lease, "a", 2, "again");
  EXPECT_FALSE(fs::exists(log(1)));
  EXPECT_THAT(scan(open(), "run", {.quarantined = false}), ElementsAre("a.2"));
}

TEST_F(JournalTest, GroupsThatAreDamagedInARowAreToldByTheNamesThatAreLeft) {
  commit_three();
  commit(*open().lease("run"), "d", 1, "in the second segment");
  const std::string whole = bytes_of(1);
  std::string bytes = whole;
  for (const char* path : {"a", "b", "c"}) {
    bytes[bytes.find(std::string{"value of "} + path)] ^= 1;
  }
  write(1, bytes);
  EXPECT_THAT(scan(open(), "run"), ElementsAre("a.1", "b.1", "c.1", "d.1"));
  // The head of one of them is damaged as well.
  bytes[bytes.find("RSMG", bytes.find("alue of a") + 1) - 8 + 40 + 20] ^= 1;
  write(1, bytes);
  EXPECT_THAT(scan(open(), "run"),
              ElementsAre(AllOf(HasSubstr("@batch/1-"), HasSubstr("!")), "a.1", "c.1", "d.1"));
}

TEST_F(JournalTest, AnyByteOfACommitThatOthersFollowMayChangeAndTheOthersAreThere) {
  commit_three();
  const std::string whole = bytes_of(1);
  const std::size_t begin = whole.find("RSMG", whole.find("value of a")) - 8;
  const std::size_t end = whole.find("value of b") + 10;
  for (std::size_t at = begin; at < end; ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
    write(1, bytes);
    const auto found = scan(open(), "run");
    ASSERT_THAT(found, SizeIs(3)) << at;  // the damage is told, under whatever name
    ASSERT_EQ(payload(*store_, "run", {"a", 1}), "value of a") << at;
    ASSERT_EQ(payload(*store_, "run", {"c", 1}), "value of c") << at;
  }
}

TEST_F(JournalTest, DamageIsSetAsideWithItsBytesAndTheRunGoesOn) {
  commit_three();
  std::string bytes = bytes_of(1);
  bytes[bytes.find("value of b") - 20] ^= 1;  // in the head of its entry or its header
  bytes[bytes.find("RSMG", bytes.find("value of a")) + 32 + 16] ^= 1;
  write(1, bytes);
  const auto lease = open().lease("run");
  std::vector<std::string> damaged;
  store_->scan("run", {}, [&](const RecordHead& head) {
    if (head.damage != Damage::none) damaged.emplace_back(head.id.path);
    return true;
  });
  ASSERT_THAT(damaged, SizeIs(1));
  EXPECT_THROW(static_cast<void>(store_->get("run", {damaged[0], 1})), Error);
  const std::string where = lease->quarantine({damaged[0], 1});
  std::ifstream kept{where, std::ios::binary};
  const std::string copy{std::istreambuf_iterator<char>{kept}, {}};
  EXPECT_NE(copy.find("value of b"), copy.npos);
  EXPECT_THAT(scan(*store_, "run", {.quarantined = false}), ElementsAre("a.1", "c.1"));
  commit(*lease, "b", 2, "made again");
  EXPECT_THAT(scan(open(), "run", {.quarantined = false}), ElementsAre("a.1", "b.2", "c.1"));
}

TEST_F(JournalTest, ASegmentThatIsGoneIsToldAsDamage) {
  commit_three();
  commit(*open().lease("run"), "d", 1, "in the second segment");
  fs::remove(log(1));
  EXPECT_THAT(scan(open(), "run"), ElementsAre("@batch/1-0.1!", "d.1"));
}

TEST_F(JournalTest, ADamagedBeginningOfASegmentHidesNothing) {
  commit_three();
  commit(*open().lease("run"), "d", 1, "in the second segment");
  for (const std::uint64_t number : {1U, 2U}) {
    const std::string whole = bytes_of(number);
    std::string bytes = whole;
    bytes[20] ^= 1;
    write(number, bytes);
    EXPECT_THAT(scan(open(), "run"), ElementsAre("a.1", "b.1", "c.1", "d.1")) << number;
    write(number, whole);
  }
}

TEST_F(JournalTest, BytesOfAnotherSegmentDoNotCount) {
  commit_three();
  const RecordId a{"a", 1};
  open().lease("run")->commit({.puts = {}, .erases = {&a, 1}});
  // As if the file had been used before: groups of the first segment where those of the second end.
  const std::string first = bytes_of(1).substr(journal::segment_header_bytes);
  const std::string second = bytes_of(2);
  write(2, second.substr(0, second.size() - journal::group_header_bytes) + first);
  EXPECT_THAT(scan(open(), "run"), ElementsAre("b.1", "c.1"));
}

TEST_F(JournalTest, ANewerSegmentIsRefused) {
  commit_three();
  std::string bytes = bytes_of(1).substr(0, journal::segment_header_bytes);
  bytes[12] = 2;
  const Digest sum = digest(std::string_view{bytes}.substr(8));
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(sum.bytes[7 - i]);
  write(1, bytes);
  try {
    static_cast<void>(open().lease("run"));
    FAIL() << "a lease";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::newer);
  }
}

TEST_F(JournalTest, CommitsOfManyThreadsAreAllThere) {
  constexpr int threads = 16;
  constexpr int each = 25;
  {
    JournalStore store{folder_ / "store", story_options()};
    const auto lease = store.lease("run");
    std::vector<std::jthread> workers;
    for (int thread = 0; thread < threads; ++thread) {
      workers.emplace_back([&, thread] {
        const std::string path = "t" + std::to_string(thread);
        for (std::uint64_t n = 1; n <= each; ++n) commit(*lease, path, n, path + std::to_string(n));
      });
    }
  }
  open();
  EXPECT_THAT(scan(*store_, "run"), SizeIs(threads * each));
  EXPECT_EQ(payload(*store_, "run", {"t7", 25}), "t725");
}

TEST_F(JournalTest, OfTwoThreadsThatCommitOneRecordOneIsFenced) {
  const auto lease = open().lease("run");
  std::atomic<int> fenced{0};
  {
    std::vector<std::jthread> workers;
    for (int thread = 0; thread < 8; ++thread) {
      workers.emplace_back([&] {
        try {
          commit(*lease, "draft", 1, "x");
        } catch (const Error& error) {
          if (error.errc() == Errc::fenced) ++fenced;
        }
      });
    }
  }
  EXPECT_EQ(fenced, 7);
}

TEST_F(JournalTest, AnotherStoreSeesEachCommitOverFullSegmentsAndNewOwners) {
  JournalStore writer{folder_ / "store", story_options()};
  const JournalStore reader{folder_ / "store"};
  for (std::uint64_t owner = 0; owner < 3; ++owner) {
    const auto lease = writer.lease("run");
    for (std::uint64_t n = 1; n <= 10; ++n) {
      const std::uint64_t generation = owner * 10 + n;
      commit(*lease, "draft", generation, std::string(500, 'x'));
      ASSERT_TRUE(reader.get("run", {"draft", generation})) << generation;
      ASSERT_THAT(scan(reader, "run"), SizeIs(generation));
    }
  }
}

TEST_F(JournalTest, ALoopKeepsTheLogShortAndEverythingElseInIt) {
  const JournalStore reader{folder_ / "store"};
  const fs::path journal = folder_ / "store/run/.resumable/journal";
  const auto segments = [&] {
    return std::distance(fs::directory_iterator{journal}, fs::directory_iterator{});
  };
  {
    JournalStore writer{folder_ / "store", story_options()};
    const auto lease = writer.lease("run");
    commit(*lease, "input", 1, "of the first segment");
    commit(*lease, "large", 1, std::string(300'000, 'v'));
    for (std::uint64_t n = 1; n <= 200; ++n) {
      const StringPayload bytes{std::string(400, 'x') + std::to_string(n)};
      const Put put{{"loop", n}, tag_of(n), "{}", &bytes};
      const RecordId old{"loop", n - 1};
      lease->commit({.puts = {&put, 1}, .erases = {&old, n > 1 ? 1U : 0U}});
      ASSERT_LE(segments(), 8) << n;
      ASSERT_EQ(payload(reader, "run", {"input", 1}), "of the first segment") << n;
      ASSERT_THAT(scan(reader, "run"), SizeIs(3)) << n;
    }
  }
  EXPECT_FALSE(fs::exists(log(1)));
  EXPECT_THAT(scan(open(), "run"), ElementsAre("input.1", "large.1", "loop.200"));
  EXPECT_EQ(payload(*store_, "run", {"large", 1}), std::string(300'000, 'v'));
  EXPECT_EQ(payload(*store_, "run", {"loop", 200}), std::string(400, 'x') + "200");
}

TEST_F(JournalTest, TheStoryCleansItsLog) {
  JournalStore store{folder_ / "store", story_options()};
  tell_on(store, [](int) {});
  EXPECT_FALSE(fs::exists(log(1)));
}

TEST_F(JournalTest, ARunThatWasRemovedAndBegunAgainIsAnotherForEveryReader) {
  JournalStore writer{folder_ / "store"};
  const JournalStore reader{folder_ / "store"};
  for (int round = 0; round < 5; ++round) {
    const std::string bytes = "round " + std::to_string(round);
    commit(*writer.lease("run"), "draft", 1, bytes);
    ASSERT_EQ(payload(reader, "run", {"draft", 1}), bytes);
    writer.remove("run");
    ASSERT_FALSE(reader.get("run", {"draft", 1}));
    ASSERT_THAT(scan(reader, "run"), IsEmpty());
  }
}

TEST_F(JournalTest, AFileStoreRefusesItsRunsAndItRefusesThoseOfAFileStore) {
  commit_three();
  FileStore files{folder_ / "store"};
  commit(*files.lease("other"), "draft", 1, "x");
  const auto code_of = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.errc();
    }
    return Errc{};
  };
  EXPECT_EQ(code_of([&] { static_cast<void>(scan(files, "run")); }), Errc::foreign);
  EXPECT_EQ(code_of([&] { static_cast<void>(files.lease("run")); }), Errc::foreign);
  EXPECT_EQ(code_of([&] { static_cast<void>(scan(open(), "other")); }), Errc::foreign);
  EXPECT_EQ(code_of([&] { static_cast<void>(open().lease("other")); }), Errc::foreign);
}

TEST_F(JournalTest, AScanWithHeadersReadsThemWithoutLookingForAFileForEachRecord) {
  const auto calls_for = [&](int records) {
    const std::string run = "run-" + std::to_string(records);
    {
      const auto lease = open().lease(run);
      for (int i = 0; i < records; ++i) commit(*lease, "item/" + std::to_string(i), 1, "x");
    }
    const auto posix = sys::posix_file_system();
    FaultyFileSystem files{*posix};
    const JournalStore store{folder_ / "store", {.folder = {.files = &files}}};
    int looks = 0;
    files.on_call([&](Op op, std::uint64_t, bool done) {
      looks += done && (op == Op::stat || op == Op::open || op == Op::open_root) ? 1 : 0;
    });
    int headers = 0;
    store.scan(run, {.headers = true}, [&](const RecordHead& head) {
      const auto stored = store.get(run, head.id);
      headers += head.header && stored && stored->header == *head.header ? 1 : 0;
      return false;
    });
    looks = 0;
    store.scan(run, {.headers = true}, [&](const RecordHead& head) {
      headers += head.header ? 1 : 0;
      return true;
    });
    files.on_call({});
    EXPECT_EQ(headers, records + 1);
    return looks;
  };
  EXPECT_EQ(calls_for(10), calls_for(200));
}

}  // namespace
}  // namespace resumable::test
