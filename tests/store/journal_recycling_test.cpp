// Segments of a journal that are used again: what was in them never comes back.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include "resumable/error.hpp"
#include "store/journal/format.hpp"
#include "store/journal_story.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_folder.hpp"
#include "sys/forwarding_file_system.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
namespace journal = store::journal;
using ::testing::SizeIs;

std::string content_of(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void overwrite(const fs::path& path, const std::string& bytes) {
  std::ofstream{path, std::ios::binary | std::ios::trunc} << bytes;
}

/// A loop that keeps its last state alone.
class Loop {
 public:
  static constexpr const char* header = "{\"of\":\"the loop\"}";

  explicit Loop(Lease& lease, std::uint64_t from = 0) : lease_(lease), last_(from) {}

  void turn(std::size_t bytes = 400) {
    const RecordId old{"loop", last_};
    const bool first = last_ == 0;
    const StringPayload payload{text(++last_, bytes)};
    const Put put{{"loop", last_}, tag_of(last_), header, &payload};
    lease_.commit({.puts = {&put, 1}, .erases = {&old, first ? 0U : 1U}});
  }
  [[nodiscard]] std::uint64_t last() const { return last_; }
  [[nodiscard]] static std::string text(std::uint64_t number, std::size_t bytes) {
    std::string text = std::to_string(number) + '.';
    while (text.size() < bytes) text += text;
    text.resize(bytes);
    return text;
  }

 private:
  Lease& lease_;
  std::uint64_t last_;
};

class Recycling : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path journal() const { return folder_ / "store/run/.resumable/journal"; }
  [[nodiscard]] fs::path spare() const { return journal() / journal::spare_name; }
  [[nodiscard]] std::map<std::string, std::uint64_t> segments() const {
    std::map<std::string, std::uint64_t> found;
    for (const auto& entry : fs::directory_iterator{journal()}) {
      if (entry.path().extension() != ".log") continue;
      found[entry.path().filename()] = snapshot_inode(entry.path());
    }
    return found;
  }
  [[nodiscard]] static std::uint64_t snapshot_inode(const fs::path& path) {
    const auto files = sys::posix_file_system();
    sys::File folder;
    sys::Stat stat;
    EXPECT_FALSE(files->open_root(path.parent_path(), folder));
    EXPECT_FALSE(files->stat(folder, path.filename(), stat));
    return stat.inode;
  }
  [[nodiscard]] JournalStore open(sys::FileSystem* files = nullptr) const {
    return JournalStore{folder_ / "store", story_options(files)};
  }
  /// Turns until a spare segment was used once more; whether one was.
  [[nodiscard]] bool turn_until_used(Loop& loop, std::size_t bytes = 400) const {
    for (int turns = 0; turns < 100; ++turns) {
      const std::uint64_t waiting = fs::exists(spare()) ? snapshot_inode(spare()) : 0;
      loop.turn(bytes);
      const auto now = segments();
      if (waiting == 0) continue;
      if (std::ranges::any_of(now, [&](const auto& one) { return one.second == waiting; })) {
        return true;
      }
    }
    return false;
  }

  TempFolder folder_;
};

TEST_F(Recycling, ADroppedSegmentBecomesTheNextOne) {
  auto store = open();
  const auto lease = store.lease("run");
  Loop loop{*lease};
  EXPECT_TRUE(turn_until_used(loop));
  EXPECT_EQ(payload(store, "run", {"loop", loop.last()}), Loop::text(loop.last(), 400));
}

TEST_F(Recycling, TheStoryUsesASegmentAgain) {
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  std::uint64_t waiting = 0;
  int used = 0;
  files.on_call([&](Op op, std::uint64_t, bool done) {
    if (op != Op::rename) return;
    if (!done) {
      waiting = fs::exists(spare()) ? snapshot_inode(spare()) : 0;
    } else if (waiting != 0 && !fs::exists(spare())) {
      ++used;
    }
  });
  auto store = open(&files);
  tell_on(store, [](int) {});
  EXPECT_GE(used, 1);
}

TEST_F(Recycling, ThereIsOneSpareSegmentAtMostAndNoneOnceTheLeaseEnds) {
  auto store = open();
  {
    const auto lease = store.lease("run");
    Loop loop{*lease};
    for (int turn = 0; turn < 200; ++turn) {
      loop.turn();
      std::uintmax_t size = 0;
      for (const auto& entry : fs::directory_iterator{journal()}) size += entry.file_size();
      ASSERT_LE(size, 2 * (1024 + story_segment_bytes) + 3 * story_segment_bytes) << turn;
    }
    EXPECT_TRUE(fs::exists(spare()));
  }
  EXPECT_FALSE(fs::exists(spare()));
}

TEST_F(Recycling, ASpareSegmentThatAKilledOwnerLeftGoesWithTheRun) {
  auto store = open();
  commit(*store.lease("run"), "draft", 1, "x");
  overwrite(spare(), std::string(story_segment_bytes, 'x'));
  store.remove("run");
  EXPECT_FALSE(fs::exists(folder_ / "store/run"));
}

TEST_F(Recycling, ASegmentThatSomebodyHasLinkedKeepsItsBytes) {
  auto store = open();
  const auto lease = store.lease("run");
  Loop loop{*lease};
  std::map<std::string, std::string> copies;
  for (int turn = 0; turn < 60; ++turn) {
    loop.turn();
    for (const auto& [name, _] : segments()) {
      const fs::path copy = folder_ / ("copy-" + name);
      if (fs::exists(copy)) continue;
      fs::create_hard_link(journal() / name, copy);
    }
    // What is not of the log any more does not change any more.
    for (const auto& [name, bytes] : copies) ASSERT_EQ(content_of(folder_ / name), bytes) << name;
    for (const auto& entry : fs::directory_iterator{folder_.path()}) {
      const std::string name = entry.path().filename();
      const bool gone = name.starts_with("copy-") && !segments().contains(name.substr(5));
      if (gone) copies.try_emplace(name, content_of(entry.path()));
    }
  }
  EXPECT_GT(copies.size(), 5U);
}

TEST_F(Recycling, ASegmentUsedAgainWhoseHeaderIsDamagedShowsNothingOfItsEarlierUse) {
  auto store = open();
  auto lease = store.lease("run");
  Loop loop{*lease};
  ASSERT_TRUE(turn_until_used(loop));
  const auto last = segments().rbegin()->first;
  // As if the owner had been killed before the first group: only the header is new.
  std::string bytes = content_of(journal() / last);
  ASSERT_NE(bytes.find("loop", 1000), bytes.npos) << "nothing of an earlier use";
  lease.reset();
  for (std::size_t i = 0; i < journal::group_header_bytes; ++i) bytes[64 + i] = '\0';
  bytes[10] ^= 1;
  overwrite(journal() / last, bytes);
  std::vector<std::uint64_t> seen;
  const auto reader = open();
  reader.scan("run", {}, [&](const RecordHead& head) {
    if (head.id.path == "loop") seen.push_back(head.id.generation);
    return true;
  });
  for (const std::uint64_t generation : seen) EXPECT_GE(generation, loop.last() - 2);
}

TEST_F(Recycling, TheFirstGroupOfTheEarlierUseIsGoneOnceTheHeaderIsNew) {
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  auto store = open(&files);
  const auto lease = store.lease("run");
  int looked = 0;
  files.on_call([&](Op op, std::uint64_t, bool done) {
    if (op != Op::rename || done || !fs::exists(spare())) return;
    ++looked;
    const std::string head = content_of(spare()).substr(journal::segment_header_bytes, 40);
    EXPECT_EQ(head, std::string(journal::group_header_bytes, '\0'));
  });
  Loop loop{*lease};
  for (int turn = 0; turn < 40; ++turn) loop.turn();
  files.on_call({});
  EXPECT_GT(looked, 2);
}

// ---- readers -----------------------------------------------------------------------------------

/// Looks at the run once, while a writer uses segments again at the nth call of the look.
class Interrupted : public Recycling {
 protected:
  /// `look` gets a store, which has read the run before if it `knows` it, and the number of the
  /// last turn. False once there were not so many calls.
  bool at_call(std::uint64_t nth, bool knows,
               const std::function<void(const JournalStore&, std::uint64_t)>& look) {
    fs::remove_all(folder_ / "store");
    auto writer = open();
    const auto lease = writer.lease("run");
    commit(*lease, "input", 1, "of the first segment");
    Loop loop{*lease};
    for (int turn = 0; turn < 9; ++turn) loop.turn();
    const auto posix = sys::posix_file_system();
    FaultyFileSystem files{*posix};
    const auto reader = open(&files);
    if (knows) static_cast<void>(scan(reader, "run"));
    files.move_at_most(200);  // so that a record takes several reads
    std::uint64_t calls = 0;
    bool struck = false;
    files.on_call([&](Op, std::uint64_t, bool done) {
      if (!done || struck || ++calls < nth) return;
      struck = true;
      for (int turn = 0; turn < 30; ++turn) loop.turn();
    });
    look(reader, loop.last());
    files.on_call({});
    return struck;
  }
};

TEST_F(Interrupted, GetGivesTheOldRecordOrSaysThatItIsGone) {
  int gone = 0;
  int old = 0;
  for (std::uint64_t nth = 1;; ++nth) {
    const bool struck = at_call(nth, true, [&](const JournalStore& reader, std::uint64_t last) {
      const auto found = payload(reader, "run", {"loop", last});
      ++(found ? old : gone);
      if (found) {
        ASSERT_EQ(*found, Loop::text(last, 400)) << nth;
      }
      ASSERT_EQ(payload(reader, "run", {"input", 1}), "of the first segment") << nth;
    });
    if (HasFatalFailure() || !struck) break;
  }
  EXPECT_GT(gone, 2);
  EXPECT_GT(old, 0);
}

TEST_F(Interrupted, AScanShowsRecordsAndTheirOwnHeaders) {
  for (std::uint64_t nth = 1;; ++nth) {
    const bool struck = at_call(nth, true, [&](const JournalStore& reader, std::uint64_t last) {
      std::set<std::string> paths;
      reader.scan("run", {.headers = true}, [&](const RecordHead& head) {
        EXPECT_TRUE(paths.emplace(head.id.path).second) << nth;
        EXPECT_EQ(head.damage, Damage::none) << nth;
        const bool loop = head.id.path == "loop";
        if (loop) {
          EXPECT_EQ(head.tag, tag_of(head.id.generation)) << nth;
        }
        if (loop) {
          EXPECT_GE(head.id.generation, last) << nth;
        }
        EXPECT_EQ(head.header.value_or("none"), loop ? Loop::header : "{\"header\":1}") << nth;
        return true;
      });
      ASSERT_TRUE(paths.contains("input")) << nth;  // the other may have been erased meanwhile
    });
    if (HasFatalFailure() || !struck) break;
  }
}

TEST_F(Interrupted, AReaderThatOpensTheRunSeesAllOfIt) {
  for (std::uint64_t nth = 1;; ++nth) {
    const bool struck = at_call(nth, false, [&](const JournalStore& reader, std::uint64_t) {
      ASSERT_EQ(payload(reader, "run", {"input", 1}), "of the first segment") << nth;
      ASSERT_THAT(scan(reader, "run"), SizeIs(2)) << nth;
    });
    if (HasFatalFailure() || !struck) break;
  }
}

// ---- any history -------------------------------------------------------------------------------

/// Garbles the newest group of the last segment, from somewhere in its head on.
void tear_last_group(const fs::path& journal, std::size_t keep) {
  fs::path last;
  for (const auto& entry : fs::directory_iterator{journal}) {
    if (entry.path().extension() == ".log") last = std::max(last, entry.path());
  }
  std::string bytes = content_of(last);
  const std::string epoch = bytes.substr(24, 8);
  std::size_t newest = 0;
  for (auto at = bytes.find("RSMG"); at != bytes.npos; at = bytes.find("RSMG", at + 1)) {
    if (bytes.compare(at + 8, 8, epoch) == 0) newest = at;
  }
  ASSERT_GT(newest, 0U);
  for (std::size_t at = newest + keep; at < newest + 80; ++at) bytes[at] ^= 0x55;
  overwrite(last, bytes);
}

RC_GTEST_PROP(RecyclingProperty, OldBytesNeverReviveEvenBehindATornWrite, ()) {
  const TempFolder folder;
  const fs::path copy = folder / "copy";
  std::vector<std::set<std::string>> states;
  {
    JournalStore store{folder / "store", story_options()};
    const auto lease = store.lease("run");
    Loop loop{*lease};
    const int turns = *rc::gen::inRange(10, 80);
    const auto bytes = static_cast<std::size_t>(*rc::gen::inRange(1, 900));
    for (int turn = 0; turn < turns; ++turn) {
      loop.turn(bytes);
      states.push_back({"loop." + std::to_string(loop.last())});
    }
    const int more = *rc::gen::inRange(0, 4);
    for (int i = 1; i <= more; ++i) {
      commit(*lease, "small", static_cast<std::uint64_t>(i), "s");
      states.push_back(states.back());
      states.back().insert("small." + std::to_string(i));
    }
    // As a kill leaves it: nothing is closed, and the last segment is not cut behind its groups.
    fs::copy(folder / "store", copy, fs::copy_options::recursive);
  }
  const auto names = [&] {
    const auto found = scan(JournalStore{copy, story_options()}, "run");
    return std::set<std::string>{found.begin(), found.end()};
  };
  RC_ASSERT(names() == states.back());
  const auto keep = static_cast<std::size_t>(*rc::gen::inRange(0, 60));
  tear_last_group(copy / "run/.resumable/journal", keep);
  states.pop_back();
  RC_ASSERT(names() == states.back());
  JournalStore again{copy, story_options()};
  commit(*again.lease("run"), "built", 1, "on it");
  states.back().insert("built.1");
  RC_ASSERT(names() == states.back());
}

// ---- space that is given back -------------------------------------------------------------------

class Compacting : public Recycling {
 protected:
  [[nodiscard]] std::uint64_t bytes_of_log() const {
    std::uint64_t sum = 0;
    for (const auto& entry : fs::directory_iterator{journal()}) {
      struct stat found {};
      if (::stat(entry.path().c_str(), &found) == 0)
        sum += 512 * static_cast<std::uint64_t>(found.st_blocks);
    }
    return sum;
  }
  static constexpr std::size_t value_bytes = 100'000;
};

TEST_F(Compacting, ARunThatIsResumedOftenKeepsALogOfItsSize) {
  JournalStore store{folder_ / "store"};
  commit(*store.lease("run"), "other", 1, "stays");
  std::uint64_t most = 0;
  for (std::uint64_t call = 0; call < 60; ++call) {
    const auto lease = store.lease("run");
    Loop loop{*lease, call};
    loop.turn(value_bytes);
    most = std::max(most, bytes_of_log());
  }
  EXPECT_LT(most, 20 * value_bytes + (std::uint64_t{1} << 20U));
  JournalStore again{folder_ / "store"};
  EXPECT_EQ(payload(again, "run", {"loop", 60}), Loop::text(60, value_bytes));
  EXPECT_EQ(payload(again, "run", {"other", 1}), "stays");
  EXPECT_THAT(scan(again, "run"), SizeIs(2));
}

TEST_F(Compacting, ALoopThatHasEndedLeavesNoLogOfItsStates) {
  JournalStore store{folder_ / "store"};
  {
    const auto lease = store.lease("run");
    Loop loop{*lease};
    for (int turn = 0; turn < 100; ++turn) loop.turn(value_bytes);
    const RecordId last{"loop", loop.last()};
    lease->commit({.puts = {}, .erases = {&last, 1}});
  }
  EXPECT_LT(bytes_of_log(), 2 * value_bytes);
  JournalStore again{folder_ / "store"};
  EXPECT_THAT(scan(again, "run"), SizeIs(0));
}

/// A disk on which no file can get more room than this.
class SmallDisk final : public sys::ForwardingFileSystem {
 public:
  SmallDisk(sys::FileSystem& next, std::uint64_t room) : ForwardingFileSystem(next), room_(room) {}
  std::error_code reserve(const sys::File& file, std::uint64_t size) override {
    if (size > room_) return std::make_error_code(std::errc::no_space_on_device);
    return ForwardingFileSystem::reserve(file, size);
  }

 private:
  std::uint64_t room_;
};

TEST_F(Compacting, WhereThereIsLittleRoomASegmentIsSmaller) {
  const auto posix = sys::posix_file_system();
  SmallDisk disk{*posix, 2 * value_bytes};
  JournalStore store{folder_ / "store", {.folder = {.files = &disk}}};
  const auto lease = store.lease("run");
  for (std::uint64_t i = 1; i <= 20; ++i) {
    commit(*lease, "item", i, Loop::text(i, value_bytes));
  }
  EXPECT_EQ(payload(store, "run", {"item", 20}), Loop::text(20, value_bytes));
  try {
    commit(*lease, "large", 1, Loop::text(1, 3 * value_bytes));
    ADD_FAILURE() << "there is no room for it";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::store_failed);
    EXPECT_THAT(error.info().operation, ::testing::MatchesRegex("fallocate of 30.... bytes"));
  }
  commit(*lease, "item", 21, "small");
}

}  // namespace
}  // namespace resumable::test
