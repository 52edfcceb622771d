#include "sys/file_system.hpp"

#include <array>
#include <cstring>
#include <filesystem>
#include <set>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using sys::File;
using sys::Open;
using sys::Rename;

class FileSystemTest : public ::testing::Test {
 protected:
  FileSystemTest() { EXPECT_FALSE(files_->open_root(folder_.path().string(), root_)); }

  File make(const std::string& name, std::string_view content = "") {
    File file;
    EXPECT_FALSE(files_->open(root_, name, Open::new_private, file));
    EXPECT_FALSE(sys::write_fully(*files_, file, 0, content));
    return file;
  }
  std::error_code open(const std::string& name, Open how = Open::read) {
    File file;
    return files_->open(root_, name, how, file);
  }

  TempFolder folder_;
  std::unique_ptr<sys::FileSystem> files_ = sys::posix_file_system();
  File root_;
};

TEST_F(FileSystemTest, OnlyENOENTMeansThatSomethingIsNotThere) {
  EXPECT_EQ(open("nothing"), std::errc::no_such_file_or_directory);
  EXPECT_EQ(open("nothing", Open::folder), std::errc::no_such_file_or_directory);
  File out;
  EXPECT_EQ(files_->open_root(folder_ / "nothing", out), std::errc::no_such_file_or_directory);
  fs::create_symlink("nowhere", folder_ / "dangling");
  EXPECT_EQ(files_->open_root(folder_ / "dangling", out), std::errc::not_a_directory);
  make("file");
  EXPECT_EQ(files_->open_root(folder_ / "file", out), std::errc::not_a_directory);
}

TEST_F(FileSystemTest, LinksAreNotFollowedAndOddFilesNeverHang) {
  make("file", "text");
  fs::create_symlink(folder_ / "file", folder_ / "link");
  fs::create_symlink(folder_.path(), folder_ / "folder_link");
  fs::create_directory(folder_ / "folder");
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  for (const Open how : {Open::read, Open::read_write}) {
    EXPECT_EQ(open("link", how), std::errc::too_many_symbolic_link_levels);
    EXPECT_EQ(open("folder", how), std::errc::is_a_directory);
    EXPECT_EQ(open("fifo", how), std::errc::not_supported);
  }
  EXPECT_TRUE(open("folder_link", Open::folder));
  EXPECT_EQ(open("file", Open::folder), std::errc::not_a_directory);

  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = folder_ / "socket";
  ASSERT_LT(name.size(), sizeof(address.sun_path));
  std::memcpy(address.sun_path, name.data(), name.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(open("socket"), std::errc::not_supported);
  ::close(socket);
}

TEST_F(FileSystemTest, NewFilesAreNewAndPrivateOnesAreWhateverTheUmask) {
  const mode_t before = ::umask(0777);
  make("private");
  EXPECT_FALSE(files_->make_folder(root_, "own", sys::Access::owner_only));
  ::umask(0022);
  File file;
  EXPECT_FALSE(files_->open(root_, "public", Open::new_public, file));
  EXPECT_FALSE(files_->make_folder(root_, "theirs", sys::Access::by_umask));
  ::umask(before);
  EXPECT_EQ(mode_of(folder_ / "private"), 0600U);
  EXPECT_EQ(mode_of(folder_ / "own"), 0700U);
  EXPECT_EQ(mode_of(folder_ / "public"), 0644U);
  EXPECT_EQ(mode_of(folder_ / "theirs"), 0755U);
  EXPECT_EQ(open("private", Open::new_private), std::errc::file_exists);
  EXPECT_EQ(open("public", Open::new_public), std::errc::file_exists);
}

TEST_F(FileSystemTest, DescriptorsAreClosedByExec) {
  const File file = make("file");
  EXPECT_NE(::fcntl(file.descriptor(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(::fcntl(root_.descriptor(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(FileSystemTest, AFileIsClosedOnce) {
  const std::size_t before = open_descriptors();
  File file = make("file");
  File moved = std::move(file);
  EXPECT_FALSE(file);
  File other = make("other");
  other = std::move(moved);
  EXPECT_EQ(open_descriptors(), before + 1);
  EXPECT_FALSE(other.close());
  EXPECT_FALSE(other.close());
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(FileSystemTest, ReadsAndWritesGoOnAfterShortAndInterruptedCalls) {
  FaultyFileSystem slow(*files_);
  slow.move_at_most(2);
  const File file = make("file");
  ASSERT_FALSE(sys::write_fully(slow, file, 3, "hello"));
  std::array<char, 16> text{};
  std::size_t count = 0;
  ASSERT_FALSE(sys::read_fully(slow, file, 0, text, count));
  EXPECT_EQ(std::string_view(text.data(), count), std::string_view("\0\0\0hello", 8));
}

TEST_F(FileSystemTest, RenamesReplaceRefuseOrExchange) {
  make("a", "A");
  make("b", "B");
  EXPECT_EQ(files_->rename(root_, "a", root_, "b", Rename::if_free), std::errc::file_exists);
  EXPECT_FALSE(files_->rename(root_, "a", root_, "b", Rename::exchange));
  EXPECT_EQ(read_file(folder_ / "a"), "B");
  EXPECT_FALSE(files_->rename(root_, "a", root_, "c", Rename::if_free));
  EXPECT_FALSE(files_->rename(root_, "c", root_, "b", Rename::replace));
  EXPECT_EQ(read_file(folder_ / "b"), "B");
  EXPECT_FALSE(fs::exists(folder_ / "a"));
}

TEST_F(FileSystemTest, WhereRenameCannotRefuseALinkDoes) {
  FaultyFileSystem old(*files_);
  make("a", "A");
  make("b", "B");
  old.fail(
      Fault{.ops = {Op::rename}, .at = 1, .error = std::errc::invalid_argument, .sticky = true});
  EXPECT_EQ(sys::rename_to_free(old, root_, "a", root_, "b"), std::errc::file_exists);
  EXPECT_FALSE(sys::rename_to_free(old, root_, "a", root_, "c"));
  EXPECT_EQ(read_file(folder_ / "b"), "B");
  EXPECT_EQ(read_file(folder_ / "c"), "A");
  EXPECT_FALSE(fs::exists(folder_ / "a"));
}

TEST_F(FileSystemTest, FilesShrinkAndGrow) {
  const File file = make("file", "a text");
  EXPECT_FALSE(files_->truncate(file, 1));
  EXPECT_EQ(read_file(folder_ / "file"), "a");
  EXPECT_FALSE(files_->truncate(file, 4096));
  sys::Stat stat;
  EXPECT_FALSE(files_->stat(file, stat));
  EXPECT_EQ(stat.size, 4096U);
  EXPECT_FALSE(files_->sync_data(file));
}

TEST_F(FileSystemTest, AFolderIsListedWithKinds) {
  make("file");
  fs::create_directory(folder_ / "folder");
  fs::create_symlink("file", folder_ / "link");
  std::vector<sys::Entry> entries;
  EXPECT_FALSE(files_->list(root_, entries));
  EXPECT_FALSE(files_->list(root_, entries));
  std::multiset<std::pair<std::string, sys::Kind>> found;
  for (const auto& entry : entries) found.emplace(entry.name, entry.kind);
  EXPECT_EQ(found.size(), 6U);
  EXPECT_EQ(found.count({"file", sys::Kind::file}), 2U);
  EXPECT_EQ(found.count({"folder", sys::Kind::folder}), 2U);
  EXPECT_EQ(found.count({"link", sys::Kind::link}), 2U);
}

TEST_F(FileSystemTest, LocksBelongToDescriptors) {
  const File first = make("file");
  File second;
  File reader;
  ASSERT_FALSE(files_->open(root_, "file", Open::read_write, second));
  ASSERT_FALSE(files_->open(root_, "file", Open::read, reader));
  bool locked = true;
  EXPECT_FALSE(files_->is_locked(reader, locked));
  EXPECT_FALSE(locked);
  EXPECT_FALSE(files_->lock(first));
  EXPECT_EQ(files_->lock(second), std::errc::resource_unavailable_try_again);
  EXPECT_FALSE(files_->is_locked(reader, locked));
  EXPECT_TRUE(locked);
  reader = {};
  EXPECT_EQ(files_->lock(second), std::errc::resource_unavailable_try_again)
      << "closing another descriptor of the file must not drop it";
  EXPECT_FALSE(files_->unlock(first));
  EXPECT_FALSE(files_->lock(second));
}

TEST_F(FileSystemTest, AForkedChildHasADescriptorButNoLock) {
  File file = make("file");
  ASSERT_FALSE(files_->lock(file));
  const Signpost forked;
  const Signpost over;
  ChildProcess child([&] {
    forked.say();
    over.await();
    // The number still stands for something, so closing it closes nothing of somebody else.
    return ::fcntl(file.descriptor(), F_GETFD) >= 0 ? 0 : 1;
  });
  forked.await();
  ASSERT_FALSE(file.close());
  File again;
  ASSERT_FALSE(files_->open(root_, "file", Open::read_write, again));
  EXPECT_FALSE(files_->lock(again));
  over.say();
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
}

TEST_F(FileSystemTest, RootsAreMadeWithTheirParentsEachSyncedIntoItsOwn) {
  FaultyFileSystem files(*files_);
  File made;
  ASSERT_FALSE(sys::open_or_make_root(files, folder_ / "a/b/./c/", made));
  EXPECT_TRUE(fs::is_directory(folder_ / "a/b/c"));
  EXPECT_EQ(files.count(Op::make_folder), 3U);
  EXPECT_EQ(files.count(Op::sync_folder), 3U);
  ASSERT_FALSE(sys::open_or_make_root(files, folder_ / "a/b/c", made));
  EXPECT_EQ(files.count(Op::make_folder), 3U);
}

TEST_F(FileSystemTest, ALocalVolumeIsNotShared) {
  sys::Volume volume;
  EXPECT_FALSE(files_->volume(root_, volume));
  EXPECT_FALSE(volume.shared) << volume.type;
  EXPECT_FALSE(volume.type.empty());
}

}  // namespace
}  // namespace resumable::test
