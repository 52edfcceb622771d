// The owner file is believed only when it is whole, and its fence only as far as records agree.
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "resumable/digest.hpp"
#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "store/records.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class OwnerFileTest : public ::testing::Test {
 protected:
  OwnerFileTest() {
    for (std::uint64_t i = 1; i < 7; ++i) commit(*store_.lease("run"), "draft", i, "x");
  }
  /// The fence of the next lease of a process that was not there before.
  std::uint64_t next_fence() const { return FileStore{folder_ / "store"}.lease("run")->fence(); }
  /// The owner's text with other bytes, and a check that fits when `checked`.
  void edit(const std::string& from, const std::string& to, bool checked) const {
    std::string text = read_file(file_);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, from.size(), to);
    const std::size_t check = text.find(",\"check\":\"");
    if (checked) {
      ASSERT_NE(check, std::string::npos) << text;
      text.replace(check + 10, 16, digest(text.substr(0, check)).hex().substr(0, 16));
    }
    write_file(file_, text);
  }

  TempFolder folder_;
  FileStore store_{folder_ / "store"};
  const fs::path file_ = folder_ / "store/run/.resumable/owner";
};

TEST_F(OwnerFileTest, AChangedDigitOfTheFenceDoesNotLowerIt) {
  edit("\"fence\":6", "\"fence\":2", false);
  EXPECT_EQ(next_fence(), 7U);
}

TEST_F(OwnerFileTest, AChangedDigitOfTheFenceDoesNotRaiseIt) {
  edit("\"fence\":6", "\"fence\":9", false);
  EXPECT_EQ(next_fence(), 7U);
}

TEST_F(OwnerFileTest, AnOlderCopyOfTheFileDoesNotLowerTheFence) {
  edit("\"fence\":6", "\"fence\":2", true);
  EXPECT_EQ(next_fence(), 7U);
}

TEST_F(OwnerFileTest, AFenceThatCannotBeRaisedIsNotBelieved) {
  edit("\"fence\":6", fmt::format("\"fence\":{}", UINT64_MAX), true);
  EXPECT_EQ(next_fence(), 7U);
}

TEST_F(OwnerFileTest, EveryFlippedByteOfTheTextIsFound) {
  const std::string text = read_file(file_);
  const std::size_t end = text.find('}');
  for (std::size_t at = 0; at < end; ++at) {
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    write_file(file_, flipped);
    ASSERT_GE(next_fence(), 7U) << at;
    write_file(file_, text);
  }
}

TEST_F(OwnerFileTest, AFileWithASecondNameIsRefusedAndNotWritten) {
  const fs::path precious = folder_ / "precious";
  write_file(precious, "a person's text");
  fs::remove(file_);
  fs::create_hard_link(precious, file_);
  try {
    static_cast<void>(store_.lease("run"));
    FAIL() << "a lease";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::foreign);
    EXPECT_THAT(error.explain(), HasSubstr(file_.string()));
  }
  EXPECT_EQ(read_file(precious), "a person's text");
  fs::remove(file_);
  EXPECT_EQ(next_fence(), 7U) << "as the error says: without the name it works";
}

// ---- who else may write ------------------------------------------------------------------------

TEST(ExposedStore, IsReportedOrRefused) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  EXPECT_TRUE(store.warnings().empty()) << "no store, no warning";
  commit(*store.lease("run"), "draft", 1, "x");
  EXPECT_TRUE(store.warnings().empty());
  fs::permissions(folder / "store", fs::perms::all);
  ASSERT_EQ(store.warnings().size(), 1U);
  EXPECT_THAT(store.warnings().front(), HasSubstr("every user"));
  EXPECT_NE(store.lease("run"), nullptr);
  FileStore strict{folder / "store", {.exposed = ExposedFolder::refuse}};
  EXPECT_EQ(payload(strict, "run", {"draft", 1}), "x") << "reading is allowed";
  try {
    static_cast<void>(strict.lease("run"));
    FAIL() << "a lease";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::store_failed);
    EXPECT_THAT(error.explain(), HasSubstr("chmod o-w"));
  }
  fs::permissions(folder / "store", fs::perms::owner_all);
  EXPECT_NE(strict.lease("run"), nullptr) << "what the message says works";
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown((folder / "store").c_str(), 12345, 12345), 0);
  EXPECT_THAT(store.warnings().front(), HasSubstr("belongs to user 12345"));
}

}  // namespace
}  // namespace resumable::test
