// The cache of a file store: what an entry costs, and that it needs no lease.
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "store/records.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

class ContentCacheTest : public ::testing::Test {
 protected:
  Put entry(std::string_view path, const StringPayload& payload) {
    return {{path, 1}, tag_of(1), R"({"header":1})", &payload};
  }
  std::uint64_t calls() const {
    std::uint64_t sum = 0;
    for (std::size_t op = 0; op < op_count; ++op) sum += files_.count(static_cast<Op>(op));
    return sum;
  }

  TempFolder folder_;
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  FaultyFileSystem files_{*posix_};
  FileStore store_{folder_ / "store", {.files = &files_}};
};

TEST_F(ContentCacheTest, TheFirstOfTwoStays) {
  const StringPayload first{"first"};
  const StringPayload second{"second"};
  EXPECT_FALSE(store_.find("@cache/x/1"));
  EXPECT_TRUE(store_.put_if_absent(entry("@cache/x/1", first)));
  EXPECT_FALSE(store_.put_if_absent(entry("@cache/x/1", second)));
  EXPECT_EQ(read_all(*store_.find("@cache/x/1")->payload), "first");
  EXPECT_FALSE(store_.find("@cache/x/2"));
  store_.replace(entry("@cache/x/1", second));
  EXPECT_EQ(read_all(*store_.find("@cache/x/1")->payload), "second");
  EXPECT_TRUE(runs(store_).empty()) << "it is not a run of anybody's";
  const FileStore other{folder_ / "store"};
  EXPECT_EQ(read_all(*other.find("@cache/x/1")->payload), "second");
  EXPECT_THAT(scan(other, "@cache"), ::testing::ElementsAre("@cache/x/1.1"));
}

TEST_F(ContentCacheTest, AMissAndItsEntryCostTwoSyncsAndAsManyCallsAsEver) {
  const StringPayload payload{"value"};
  std::uint64_t at_first = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string path = fmt::format("@cache/x/{}", i);
    files_.reset_counts();
    EXPECT_FALSE(store_.find(path));
    EXPECT_TRUE(store_.put_if_absent(entry(path, payload)));
    EXPECT_TRUE(store_.find(path));
    if (i == 0) continue;  // which makes the folders
    EXPECT_LE(files_.syncs(), 2U);
    if (i == 1) at_first = calls();
    ASSERT_EQ(calls(), at_first) << i;
  }
  EXPECT_LE(at_first, 45U);
  EXPECT_EQ(files_.count(Op::list), 0U);
}

TEST_F(ContentCacheTest, WhatIsDamagedIsReportedAndReplaced) {
  const StringPayload payload{"value"};
  store_.put_if_absent(entry("@cache/x/1", payload));
  const fs::path file = store_.locate("@cache", {"@cache/x/1", 1});
  ASSERT_TRUE(fs::exists(file));
  write_file(file, "torn");
  try {
    static_cast<void>(store_.find("@cache/x/1"));
    FAIL() << "found";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::damaged);
  }
  EXPECT_FALSE(store_.put_if_absent(entry("@cache/x/1", payload)));
  store_.replace(entry("@cache/x/1", payload));
  EXPECT_EQ(read_all(*store_.find("@cache/x/1")->payload), "value");
}

TEST_F(ContentCacheTest, AFailedCallLeavesTheOldEntryAndNoFile) {
  const StringPayload first{"first"};
  const StringPayload second{"second"};
  store_.put_if_absent(entry("@cache/x/1", first));
  const auto before = snapshot(folder_.path());
  for (const Op op : {Op::create, Op::write, Op::sync, Op::rename}) {
    files_.fail(
        Fault{.ops = {op}, .at = 1, .error = std::errc::no_space_on_device, .sticky = true});
    EXPECT_THROW(store_.replace(entry("@cache/x/1", second)), Error) << to_string(op);
    files_.fail({});
    EXPECT_EQ(snapshot(folder_.path()), before) << to_string(op);
  }
}

}  // namespace
}  // namespace resumable::test
