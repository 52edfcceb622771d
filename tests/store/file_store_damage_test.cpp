// Bytes that are not those that were written: reported, never taken, never called absent.
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "store/records.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DamageTest : public ::testing::Test {
 protected:
  DamageTest() {
    const auto lease = store_.lease("run");
    commit(*lease, "draft", 1, "the first");
    commit(*lease, "draft", 2, "the second");
    Puts batch(3);
    for (const char* path : {"a", "b", "c"}) batch.add(path, 1, std::string("value ") + path);
    lease->commit({.puts = batch.all(), .erases = {}});
  }

  /// What get() answers: the payload, or "code N", or "absent".
  std::string answer(RecordId id) const {
    try {
      const auto found = payload(store_, "run", id);
      return found ? *found : "absent";
    } catch (const Error& error) {
      EXPECT_THAT(error.info().file, HasSubstr(".ckpt"));
      return "code " + std::to_string(static_cast<int>(error.errc()));
    }
  }

  TempFolder folder_;
  FileStore store_{folder_ / "store"};
  const fs::path checkpoints_ = folder_ / "store/run/.resumable/checkpoints";
  const fs::path single_ = checkpoints_ / "draft.2.ckpt";
  const fs::path batch_ = checkpoints_ / "@batch/1-1.ckpt";
  const std::string damaged_ = "code " + std::to_string(static_cast<int>(Errc::damaged));
};

TEST_F(DamageTest, EveryFlippedByteOfAFrameIsFound) {
  const std::string bytes = read_file(single_);
  const std::size_t frame = bytes.find('\n') + 1;
  for (std::size_t at = 0; at < frame; ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    write_file(single_, flipped);
    ASSERT_THAT(scan(store_, "run"), ElementsAre("a.1", "b.1", "c.1", "draft.1", "draft.2!")) << at;
    ASSERT_EQ(answer({"draft", 2}), damaged_) << at;
  }
}

TEST_F(DamageTest, EveryOtherLengthIsFound) {
  const std::string bytes = read_file(single_);
  for (std::size_t size = 0; size < bytes.size() + 20; ++size) {
    if (size == bytes.size()) continue;
    std::string changed = bytes;
    changed.resize(size, '\0');
    write_file(single_, changed);
    ASSERT_THAT(scan(store_, "run"), ElementsAre("a.1", "b.1", "c.1", "draft.1", "draft.2!"));
    ASSERT_EQ(answer({"draft", 2}), damaged_) << size;
  }
  write_file(single_, bytes + bytes);
  EXPECT_EQ(answer({"draft", 2}), damaged_);
  write_file(single_, std::string(bytes.size(), '\0'));
  EXPECT_EQ(answer({"draft", 2}), damaged_);
}

TEST_F(DamageTest, EveryFlippedByteOfABatchCostsAtMostItsNeighbours) {
  const std::string bytes = read_file(batch_);
  const std::size_t fronts = bytes.find("\n{\"header\"") + 1;
  const std::map<std::string, std::string> values{
      {"a", "value a"}, {"b", "value b"}, {"c", "value c"}};
  for (std::size_t at = 0; at < fronts; ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    write_file(batch_, flipped);
    const FileStore fresh{folder_ / "store"};
    std::size_t damaged = 0;
    fresh.scan("run", {}, [&](const RecordHead& head) {
      if (head.damage != Damage::none) {
        ++damaged;
        EXPECT_THAT(fresh.locate("run", head.id), HasSubstr("@batch/1-1.ckpt"));
      } else if (head.id.path != "draft") {
        EXPECT_EQ(payload(fresh, "run", head.id), values.at(std::string(head.id.path)));
      }
      return true;
    });
    ASSERT_GE(damaged, 1U) << at;
  }
}

TEST_F(DamageTest, EveryOtherLengthOfABatchIsFound) {
  const std::string bytes = read_file(batch_);
  for (std::size_t size = 0; size < bytes.size() + 3; ++size) {
    if (size == bytes.size()) continue;
    std::string changed = bytes;
    changed.resize(size, '\n');
    write_file(batch_, changed);
    const FileStore fresh{folder_ / "store"};
    std::size_t damaged = 0;
    fresh.scan("run", {}, [&](const RecordHead& head) {
      damaged += head.damage != Damage::none ? 1U : 0U;
      return true;
    });
    ASSERT_GE(damaged, 1U) << size;
  }
}

TEST_F(DamageTest, AnotherRecordsFileInItsPlaceIsFound) {
  fs::copy_file(checkpoints_ / "draft.1.ckpt", single_, fs::copy_options::overwrite_existing);
  EXPECT_THAT(scan(store_, "run"), ElementsAre("a.1", "b.1", "c.1", "draft.1", "draft.2!"));
  EXPECT_EQ(answer({"draft", 2}), damaged_);
}

TEST_F(DamageTest, WhatIsNoFileIsForeignAndNeverHangs) {
  const std::string foreign = "code " + std::to_string(static_cast<int>(Errc::foreign));
  const auto expect_foreign = [&](const char* what) {
    EXPECT_THAT(scan(store_, "run"), ElementsAre("a.1", "b.1", "c.1", "draft.1", "draft.2!"))
        << what;
    EXPECT_EQ(answer({"draft", 2}), foreign) << what;
    store_.scan("run", {.prefix = "draft"}, [&](const RecordHead& head) {
      EXPECT_EQ(head.damage, head.id.generation == 2 ? Damage::foreign : Damage::none) << what;
      return true;
    });
  };
  fs::remove(single_);
  fs::create_directory(single_);
  expect_foreign("folder");
  fs::remove(single_);
  ASSERT_EQ(::mkfifo(single_.c_str(), 0600), 0);
  expect_foreign("FIFO");
  fs::remove(single_);
  fs::create_symlink("/dev/zero", single_);
  expect_foreign("link");
  fs::remove(single_);
  fs::create_symlink(checkpoints_ / "draft.1.ckpt", single_);
  expect_foreign("link to a record");
}

TEST_F(DamageTest, AFolderInItsPlaceIsSetAside) {
  fs::remove(single_);
  fs::create_directory(single_);
  write_file(single_ / "note", "a person's");
  const std::string where = store_.lease("run")->quarantine({"draft", 2});
  EXPECT_EQ(read_file(fs::path(where) / "note"), "a person's");
  EXPECT_THAT(scan(store_, "run"), ElementsAre("a.1", "b.1", "c.1", "draft.1", "draft.2!?"));
}

TEST_F(DamageTest, ADamagedBatchIsSetAsideAndItsWholeRecordsGoOn) {
  std::string bytes = read_file(batch_);
  bytes.pop_back();
  write_file(batch_, bytes);
  FileStore fresh{folder_ / "store"};
  EXPECT_THAT(scan(fresh, "run"), ElementsAre("a.1", "b.1", "c.1!", "draft.1", "draft.2"));
  fresh.lease("run")->quarantine({"c", 1});
  EXPECT_THAT(scan(fresh, "run"), ElementsAre("a.1", "b.1", "c.1!?", "draft.1", "draft.2"));
  EXPECT_EQ(payload(fresh, "run", {"b", 1}), "value b");
}

TEST_F(DamageTest, ANamelessRecordOfABatchCanBeSetAside) {
  std::string bytes = read_file(batch_);
  bytes[bytes.find(" b 1 ") + 1] = 'x';
  write_file(batch_, bytes);
  FileStore fresh{folder_ / "store"};
  EXPECT_THAT(scan(fresh, "run"), ElementsAre("@batch/1-1.2!", "a.1", "c.1", "draft.1", "draft.2"));
  fresh.lease("run")->quarantine({"@batch/1-1", 2});
  EXPECT_THAT(scan(fresh, "run"), ElementsAre("a.1", "c.1", "draft.1", "draft.2"));
  EXPECT_EQ(payload(fresh, "run", {"a", 1}), "value a");
  EXPECT_EQ(payload(fresh, "run", {"c", 1}), "value c");
  EXPECT_TRUE(fs::exists(folder_ / "store/run/.resumable/quarantine/@batch/1-1.ckpt"));
}

TEST_F(DamageTest, NoFailingCallMakesARecordAbsent) {
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  for (const std::errc code : {std::errc::permission_denied, std::errc::io_error,
                               std::errc::too_many_files_open, std::errc::not_enough_memory}) {
    for (std::uint64_t at = 1;; ++at) {
      const FileStore store{folder_ / "store", {.files = &files}};
      files.fail(Fault{.ops = {}, .at = at, .error = code});
      std::size_t found = 0;
      std::size_t whole = 0;
      bool thrown = false;
      try {
        store.scan("run", {}, [&](const RecordHead& head) {
          ++found;
          whole += head.damage == Damage::none ? 1U : 0U;
          if (head.damage != Damage::none) {
            EXPECT_EQ(head.damage, Damage::unreadable);
            EXPECT_EQ(head.cause, code);
          }
          return true;
        });
        for (const char* path : {"a", "draft"}) {
          whole += store.get("run", {path, 1}) ? 1U : 0U;
        }
      } catch (const Error& error) {
        thrown = true;
        EXPECT_EQ(error.errc(), Errc::unreadable) << error.explain();
        EXPECT_EQ(error.info().cause, code);
        EXPECT_FALSE(error.info().file.empty());
      }
      if (!files.struck()) {
        EXPECT_EQ(whole, 7U);
        break;
      }
      // A failing close is nobody's loss; any other is told.
      EXPECT_TRUE(thrown || whole == 7 || found >= 3) << at;
      if (!thrown && whole < 7) {
        EXPECT_LT(whole, found + 2) << at;
      }
    }
  }
  files.fail({});
  EXPECT_EQ(files.open_files(), 0);
}

}  // namespace
}  // namespace resumable::test
