// The index file of a journal: it spares reading the log, and nothing depends on it.
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "resumable/error.hpp"
#include "store/journal/index_file.hpp"
#include "store/journal/numbers.hpp"
#include "store/journal_story.hpp"
#include "support/temp_folder.hpp"
#include "sys/forwarding_file_system.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
namespace journal = store::journal;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto always = JournalStoreOptions{.folder = {}, .index_after_bytes = 1};

std::string read(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream{path, std::ios::binary | std::ios::trunc} << bytes;
}

class JournalIndex : public ::testing::Test {
 protected:
  [[nodiscard]] JournalStore open(const JournalStoreOptions& options = always) const {
    return JournalStore{folder_ / "store", options};
  }
  [[nodiscard]] fs::path in_journal(const std::string& name) const {
    return folder_ / "store/run/.resumable/journal" / name;
  }
  [[nodiscard]] fs::path index() const { return in_journal("index"); }
  [[nodiscard]] fs::path log(std::uint64_t number) const {
    return in_journal(journal::segment_name(number));
  }
  void commit_three() const {
    auto store = open();
    const auto lease = store.lease("run");
    for (const char* path : {"a", "b", "c"})
      commit(*lease, path, 1, std::string{"value of "} + path);
  }
  /// Changes a byte of the log; what has this text is not whole any more.
  void change_log(const std::string& text, std::ptrdiff_t from_text) const {
    std::string bytes = read(log(1));
    bytes[bytes.find(text) + static_cast<std::size_t>(from_text)] ^= 1;
    write(log(1), bytes);
  }

  TempFolder folder_;
};

TEST_F(JournalIndex, IsWrittenByALeaseThatEndsOnceEnoughIsNotInTheLastOne) {
  auto store = open({.folder = {}, .index_after_bytes = 4000});
  commit(*store.lease("run"), "a", 1, std::string(1000, 'x'));
  EXPECT_FALSE(fs::exists(index()));
  commit(*store.lease("run"), "b", 1, std::string(3000, 'x'));
  ASSERT_TRUE(fs::exists(index()));
  const std::string first = read(index());
  commit(*store.lease("run"), "c", 1, std::string(1000, 'x'));
  EXPECT_EQ(read(index()), first);
  commit(*store.lease("run"), "d", 1, std::string(3000, 'x'));
  EXPECT_NE(read(index()), first);
}

TEST_F(JournalIndex, IsReadInPlaceOfTheLog) {
  commit_three();
  change_log("value of b", -3);
  auto store = open();
  EXPECT_THAT(scan(store, "run"), ElementsAre("a.1", "b.1", "c.1")) << "whose heads it has";
}

TEST_F(JournalIndex, HasWhatWasErasedAndAddedSinceBesideIt) {
  commit_three();
  auto store = open({.folder = {}});  // writes none
  const RecordId b{"b", 1};
  const auto lease = store.lease("run");
  lease->commit({.puts = {}, .erases = {&b, 1}});
  commit(*lease, "bb", 1, "between");
  commit(*lease, "d", 1, "at the end");
  commit(*lease, "0", 1, "at the beginning");
  commit(*lease, "b", 2, "in its place");
  auto reader = open();
  EXPECT_THAT(scan(reader, "run"), ElementsAre("0.1", "a.1", "b.2", "bb.1", "c.1", "d.1"));
  EXPECT_THAT(scan(reader, "run", {.prefix = "b"}), ElementsAre("b.2", "bb.1"));
  EXPECT_EQ(payload(reader, "run", {"b", 1}), std::nullopt);
  EXPECT_EQ(payload(reader, "run", {"b", 2}), "in its place");
}

TEST_F(JournalIndex, AnyByteOfItMayChangeOrBeMissing) {
  commit_three();
  const std::string whole = read(index());
  ASSERT_FALSE(whole.empty());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] ^= 0x10;
    write(index(), bytes);
    ASSERT_THAT(scan(open(), "run"), ElementsAre("a.1", "b.1", "c.1")) << at;
    write(index(), whole.substr(0, at));
    ASSERT_THAT(scan(open(), "run"), ElementsAre("a.1", "b.1", "c.1")) << at;
  }
}

TEST_F(JournalIndex, AnEarlierOneIsAsGood) {
  commit_three();
  const std::string early = read(index());
  {
    auto store = open();
    const auto lease = store.lease("run");
    const RecordId a{"a", 1};
    lease->commit({.puts = {}, .erases = {&a, 1}});
    commit(*lease, "d", 1, std::string(2000, 'l'));
  }
  ASSERT_NE(read(index()), early);
  write(index(), early);
  EXPECT_THAT(scan(open(), "run"), ElementsAre("b.1", "c.1", "d.1"));
}

TEST_F(JournalIndex, OneFromBeforeTheLogWasCleanedBringsNothingBack) {
  JournalStore store{folder_ / "store", story_options()};
  {
    const auto lease = store.lease("run");
    for (int step = 1; step <= 5; ++step) tell_step(*lease, step);
  }
  const std::string early = read(index());
  ASSERT_FALSE(early.empty());
  tell_on(store, [](int) {});
  ASSERT_FALSE(fs::exists(log(1)));
  write(index(), early);
  EXPECT_EQ(told_steps(JournalStore{folder_ / "store", story_options()}), story_steps);
}

TEST_F(JournalIndex, OneOfAnotherRunIsNotTaken) {
  commit_three();
  const std::string other = read(index());
  fs::remove_all(folder_ / "store");
  {
    auto store = open();
    commit(*store.lease("run"), "z", 1, "another run");
  }
  write(index(), other);
  EXPECT_THAT(scan(open(), "run"), ElementsAre("z.1"));
}

TEST_F(JournalIndex, DamageOfARecordThatItHasIsToldByWhoeverReadsIt) {
  commit_three();
  const std::string whole = read(log(1));
  const auto entry = static_cast<std::ptrdiff_t>(whole.find("value of b")) -
                     static_cast<std::ptrdiff_t>(whole.find("value of a"));
  for (std::ptrdiff_t back = 20; back < entry - 10; ++back) {
    write(log(1), whole);
    change_log("value of b", -back);
    auto store = open();
    std::optional<StoredRecord> found;
    try {
      found = store.get("run", {"b", 1});
      ASSERT_TRUE(found) << back << ": a byte of the group alone, or of the header";
    } catch (const Error& error) {
      ASSERT_EQ(error.errc(), Errc::damaged) << back << ": " << error.explain();
    }
    ASSERT_EQ(payload(store, "run", {"a", 1}), "value of a") << back;
    ASSERT_EQ(payload(store, "run", {"c", 1}), "value of c") << back;
  }
}

TEST_F(JournalIndex, SuchARecordIsSetAsideAndTheRunGoesOn) {
  commit_three();
  const std::string bytes = read(log(1));
  // The first byte of the entry's generation.
  change_log("RSMG", static_cast<std::ptrdiff_t>(bytes.find("RSMG", bytes.find("value of a")) -
                                                 bytes.find("RSMG")) +
                         32 + 16);
  auto store = open();
  {
    const auto lease = store.lease("run");
    EXPECT_THROW(static_cast<void>(store.get("run", {"b", 1})), Error);
    const std::string where = lease->quarantine({"b", 1});
    EXPECT_NE(read(where).find("value of b"), std::string::npos);
    commit(*lease, "b", 2, "made again");
  }
  EXPECT_THAT(scan(open(), "run", {.quarantined = false}), ElementsAre("a.1", "b.2", "c.1"));
}

TEST_F(JournalIndex, IsNotWrittenOfWhatAPowerLossMayTake) {
  auto store = open();
  {
    const auto lease = store.lease("run");
    Puts puts{2};
    puts.add("a", 1, "weak");
    lease->commit({.puts = puts.all(), .erases = {}}, {.durability = Durability::data, .wait = {}});
  }
  EXPECT_FALSE(fs::exists(index()));
}

TEST_F(JournalIndex, IsNotWrittenWhereTheLogHasDamage) {
  {
    auto store = open({.folder = {}});
    const auto lease = store.lease("run");
    for (const char* path : {"a", "b", "c"}) commit(*lease, path, 1, "value");
  }
  const std::string bytes = read(log(1));
  change_log("RSMG", static_cast<std::ptrdiff_t>(bytes.find("RSMG", bytes.find("RSMG") + 1) -
                                                 bytes.find("RSMG")) +
                         32 + 16);
  {
    auto store = open();
    commit(*store.lease("run"), "d", 1, "more");
  }
  EXPECT_FALSE(fs::exists(index()));
}

// ---- many blocks -------------------------------------------------------------------------------

std::string path_of(int number) {
  std::string digits = std::to_string(number);
  return "many/" + std::string(5 - digits.size(), '0') + digits;
}

class IndexOfManyBlocks : public JournalIndex {
 protected:
  static constexpr int records = 2000;

  IndexOfManyBlocks() {
    auto store = open();
    const auto lease = store.lease("run");
    for (int n = 0; n < records; n += 100) {
      Puts puts{100};
      for (int i = n; i < n + 100; ++i) puts.add(path_of(i), 1, "value " + std::to_string(i));
      lease->commit({.puts = puts.all(), .erases = {}});
    }
  }
  void expect_all(const JournalStore& store) const {
    const auto found = scan(store, "run");
    ASSERT_EQ(found.size(), static_cast<std::size_t>(records));
    for (int n = 0; n < records; ++n) {
      ASSERT_EQ(found[static_cast<std::size_t>(n)], path_of(n) + ".1");
    }
  }
};

TEST_F(IndexOfManyBlocks, HasEachRecordAndNoOthers) {
  expect_all(open());
  const auto store = open();
  for (const int n : {0, 1, 255, 256, 257, 511, 512, 1023, 1024, 1999}) {
    EXPECT_EQ(payload(store, "run", {path_of(n), 1}), "value " + std::to_string(n));
    EXPECT_EQ(payload(store, "run", {path_of(n), 2}), std::nullopt);
  }
  for (const char* path : {"a", "many", "many/00255x", "many/00511x", "many/01999x", "z"}) {
    EXPECT_EQ(payload(open(), "run", {path, 1}), std::nullopt) << path;
  }
  EXPECT_EQ(scan(open(), "run", {.prefix = "many/002"}).size(), 100U);
  EXPECT_EQ(scan(open(), "run", {.prefix = "many/01"}).size(), 1000U);
  EXPECT_EQ(scan(open(), "run", {.prefix = "many/00256"}), std::vector{path_of(256) + ".1"});
  EXPECT_THAT(scan(open(), "run", {.prefix = "a"}), IsEmpty());
  EXPECT_THAT(scan(open(), "run", {.prefix = "z"}), IsEmpty());
  EXPECT_EQ(open().sums("run", "many/019").records, 100U);
}

TEST_F(IndexOfManyBlocks, OfWhichAnyByteMayChangeIsUsedForNothingWrong) {
  const std::string whole = read(index());
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 61) {
    std::string bytes = whole;
    bytes[at] ^= 0x10;
    write(index(), bytes);
    expect_all(open());
    const auto store = open();
    for (int n = 0; n < records; n += 250) {
      ASSERT_EQ(payload(store, "run", {path_of(n), 1}), "value " + std::to_string(n)) << at;
    }
    ASSERT_EQ(scan(open(), "run", {.prefix = "many/01"}).size(), 1000U) << at;
    ASSERT_EQ(open().sums("run", "many/01").records, 1000U) << at;
    write(index(), whole.substr(0, at));
    expect_all(open());
  }
}

TEST_F(IndexOfManyBlocks, ThatIsDamagedIsMadeAgainByTheNextLease) {
  std::string bytes = read(index());
  bytes[bytes.size() - 5000] ^= 1;
  write(index(), bytes);
  {
    auto store = open();
    commit(*store.lease("run"), "another", 1, std::string(3'000'000, 'a'));
  }
  EXPECT_NE(read(index()), bytes);
  const auto store = open();
  EXPECT_EQ(scan(store, "run").size(), records + 1U);
  EXPECT_EQ(payload(store, "run", {path_of(1990), 1}), "value 1990");
}

TEST_F(IndexOfManyBlocks, IsReadForOneRecordInPartAlone) {
  /// Counts the bytes that are read.
  class Counted final : public sys::ForwardingFileSystem {
   public:
    using ForwardingFileSystem::ForwardingFileSystem;
    std::error_code read(const sys::File& file, std::uint64_t at, std::span<char> to,
                         std::size_t& count) override {
      const auto error = ForwardingFileSystem::read(file, at, to, count);
      bytes += count;
      return error;
    }
    std::uint64_t bytes = 0;
  };
  const auto posix = sys::posix_file_system();
  Counted files{*posix};
  const auto store = open({.folder = {.files = &files}});
  EXPECT_EQ(payload(store, "run", {path_of(1000), 1}), "value 1000");
  EXPECT_LT(files.bytes, fs::file_size(index()) / 4);
}

/// Of many blocks a scan keeps none: it proves all before it begins, and reads each again.
TEST_F(IndexOfManyBlocks, WhichChangesDuringAScanEndsIt) {
  /// Changes the last block when it is read for the second time.
  class Changing final : public sys::ForwardingFileSystem {
   public:
    Changing(sys::FileSystem& next, std::uint64_t size) : ForwardingFileSystem(next), size_(size) {}
    std::error_code read(const sys::File& file, std::uint64_t at, std::span<char> to,
                         std::size_t& count) override {
      const auto error = ForwardingFileSystem::read(file, at, to, count);
      if (at > size_ / 2 && at + count == size_ && ++reads_ == 2) to[count / 2] ^= 1;
      return error;
    }

   private:
    std::uint64_t size_;
    int reads_ = 0;
  };
  const auto posix = sys::posix_file_system();
  Changing files{*posix, fs::file_size(index())};
  const auto store = open({.folder = {.files = &files}});
  std::size_t visited = 0;
  try {
    store.scan("run", {}, [&](const RecordHead& /*head*/) { return ++visited > 0; });
    ADD_FAILURE() << "its end was not read";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::unreadable);
    EXPECT_THAT(error.explain(), HasSubstr("journal/index"));
  }
  EXPECT_GT(visited, records / 2U);
  EXPECT_LT(visited, std::size_t{records});
  expect_all(store);
}

TEST_F(JournalIndex, OfAnotherLayoutIsNotTaken) {
  commit_three();
  for (const char layout : {'\1', '\3'}) {
    std::string bytes = read(index());
    bytes[12] = layout;
    const std::size_t top = journal::get_number<std::uint64_t>(bytes, 16);
    journal::seal(bytes.data(), top);
    write(index(), bytes);
    EXPECT_THAT(scan(open(), "run"), ElementsAre("a.1", "b.1", "c.1"));
  }
}

using Totals = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

Totals totals_of(const JournalStore& store) {
  const RecordTotals sums = store.sums("run", "");
  return {sums.records, sums.header_bytes, sums.payload_bytes};
}

Totals scanned_totals(const JournalStore& store) {
  Totals sums{};
  store.scan("run", {.quarantined = false}, [&](const RecordHead& head) {
    ++std::get<0>(sums);
    std::get<1>(sums) += head.header_bytes;
    std::get<2>(sums) += head.payload_bytes;
    return true;
  });
  return sums;
}

TEST_F(JournalIndex, TotalsAreThoseOfAScanAlsoWithDamage) {
  {
    auto store = open({.folder = {}});
    const auto lease = store.lease("run");
    for (const char* path : {"a", "b", "c"}) commit(*lease, path, 1, "value");
  }
  std::string bytes = read(log(1));
  bytes[bytes.find("RSMG", bytes.find("RSMG") + 1) + 48] ^= 1;
  write(log(1), bytes);
  const auto store = open();
  ASSERT_THAT(scan(store, "run"), Contains(HasSubstr("@batch")));
  EXPECT_EQ(totals_of(store), scanned_totals(store));
}

RC_GTEST_PROP(JournalIndexProperty, WithAnyHistoryAllIsAsWithoutIt, ()) {
  struct Change {
    std::string path;
    bool erase;
    bool new_lease;
  };
  const TempFolder folder;
  JournalStore with{folder / "with", {.folder = {}, .segment_bytes = 2048, .index_after_bytes = 1}};
  JournalStore without{folder / "without", {.folder = {}, .segment_bytes = 2048}};
  auto one = with.lease("run");
  auto other = without.lease("run");
  std::map<std::string, std::uint64_t> last;
  std::map<std::string, std::uint64_t> erased;
  const int changes = *rc::gen::inRange(1, 40);
  for (int i = 0; i < changes; ++i) {
    const std::string path = "p" + std::to_string(*rc::gen::inRange(0, 8));
    const bool there = last[path] > erased[path];
    if (there && *rc::gen::arbitrary<bool>()) {
      const RecordId id{path, erased[path] = last[path]};
      one->commit({.puts = {}, .erases = {&id, 1}});
      other->commit({.puts = {}, .erases = {&id, 1}});
    } else if (!there) {
      const std::string bytes(static_cast<std::size_t>(*rc::gen::inRange(0, 700)), 'v');
      ++last[path];
      commit(*one, path, last[path], bytes);
      commit(*other, path, last[path], bytes);
    }
    if (*rc::gen::inRange(0, 4) != 0) continue;
    one.reset();
    one = with.lease("run");
  }
  one.reset();
  RC_ASSERT(scan(with, "run") == scan(without, "run"));
  const JournalStore reader{folder / "with"};
  RC_ASSERT(state_of(reader) == state_of(without));
  RC_ASSERT(totals_of(reader) == scanned_totals(without));
  RC_ASSERT(totals_of(with) == scanned_totals(without));
  const std::string prefix = "p" + std::to_string(*rc::gen::inRange(0, 8));
  RC_ASSERT(scan(reader, "run", {.prefix = prefix}) == scan(without, "run", {.prefix = prefix}));
}

}  // namespace
}  // namespace resumable::test
