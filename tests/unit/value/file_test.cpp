#include "resumable/file.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/values.hpp"

namespace resumable::testing_support {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("resumable_file_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  [[nodiscard]] static std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

/// The file as a later stage gets it.
File through_store(const File& file) {
  const auto& type = detail::value_type<File>();
  auto stored = std::make_shared<const StringPayload>(read_all(*type.encode(&file)));
  return *std::static_pointer_cast<const File>(type.decode(stored, 1));
}

TEST_F(FileTest, ItsBytesAreThePayload) {
  const std::string bytes("\xff\0{}\n", 5);
  const File file = File::of(write("a.bin", bytes));
  EXPECT_EQ(detail::value_type<File>().codec, CodecId::file);
  EXPECT_EQ(detail::value_type<File>().shape().fields, "");
  EXPECT_EQ(saved(file), bytes);
  EXPECT_EQ(file.size(), 5U);
  EXPECT_EQ(file.digest(), digest(bytes));
}

TEST_F(FileTest, OutlivesTheFileOnceStored) {
  const fs::path path = write("a.txt", "hello");
  const File file = through_store(File::of(path));
  fs::remove(path);
  EXPECT_EQ(file.read(), "hello");
  EXPECT_EQ(file.size(), 5U);
  EXPECT_EQ(file.digest(), digest("hello"));
}

TEST_F(FileTest, IsReadInPieces) {
  const File file = File::of(write("a.txt", "hello"));
  std::string piece(3, '-');
  EXPECT_EQ(file.read(1, piece), 3U);
  EXPECT_EQ(piece, "ell");
  EXPECT_EQ(file.read(4, piece), 1U);
  EXPECT_EQ(file.read(5, piece), 0U);
  EXPECT_EQ(file.read(UINT64_MAX, piece), 0U);
}

TEST_F(FileTest, EmptyAndLargeFilesAreStored) {
  EXPECT_EQ(through_store(File::of(write("empty", ""))).read(), "");
  std::string large(3 * 1024 * 1024 + 7, 'x');
  large.back() = 'y';
  const File file = File::of(write("large", large));
  EXPECT_EQ(file.digest(), digest(large));
  file.copy_to(folder_ / "copy");
  EXPECT_EQ(content(folder_ / "copy"), large);
}

TEST_F(FileTest, CopyReplacesWholeFilesAndLeavesNothingElse) {
  const fs::path target = write("b.txt", "a longer text than the new one");
  File::of(write("a.txt", "new")).copy_to(target);
  EXPECT_EQ(content(target), "new");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(FileTest, CopyThatFailsLeavesTheTargetAndNothingElse) {
  const fs::path source = write("a.txt", "first");
  const fs::path target = write("b.txt", "kept");
  const File file = File::of(source);
  static_cast<void>(write("a.txt", "another size"));
  EXPECT_EQ(refusal([&] { file.copy_to(target); }).code, Errc::unreadable);
  EXPECT_EQ(content(target), "kept");
  EXPECT_EQ(entries(), 2U);
  EXPECT_EQ(refusal([&] { File::of(target).copy_to(folder_ / "no" / "such"); }).code,
            Errc::store_failed);
}

TEST_F(FileTest, ChangeBeforeTheCommitIsRefused) {
  const fs::path path = write("a.txt", "12345");
  const File file = File::of(path);
  const auto time = fs::last_write_time(path);
  static_cast<void>(write("a.txt", "54321"));
  fs::last_write_time(path, time + std::chrono::seconds(2));
  const Refusal found = refused_to_save(file);
  EXPECT_EQ(found.code, Errc::unreadable);
  EXPECT_THAT(found.what, HasSubstr("changed since"));
  fs::remove(path);
  EXPECT_EQ(refused_to_save(file).code, Errc::unreadable);
}

TEST_F(FileTest, WhatIsNoRegularFileIsRefused) {
  const auto refused = [](const fs::path& path) {
    return refusal([&] { static_cast<void>(File::of(path)); }).code;
  };
  EXPECT_EQ(refused(folder_ / "none"), Errc::unreadable);
  EXPECT_EQ(refused(folder_), Errc::unreadable);
  EXPECT_EQ(refused(""), Errc::unreadable);
  EXPECT_EQ(refused("/dev/zero"), Errc::unreadable);
  fs::create_symlink(write("a.txt", "x"), folder_ / "link");
  EXPECT_EQ(refused(folder_ / "link"), Errc::unreadable);
}

TEST_F(FileTest, ThousandFilesHoldNoDescriptors) {
  const fs::path path = write("a.txt", "x");
  std::vector<File> files;
  for (int i = 0; i < 1000; ++i) files.push_back(File::of(path));
  const auto open = std::distance(fs::directory_iterator("/proc/self/fd"), {});
  EXPECT_LT(open, 100);
  EXPECT_EQ(files.back().read(), "x");
}

TEST_F(FileTest, IsReadFromSeveralThreads) {
  const File file = File::of(write("a.txt", std::string(100000, 'x')));
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(file.read(), std::string(100000, 'x')); });
  }
}

TEST_F(FileTest, InPlaceFileIsItsPathSizeAndDigest) {
  const fs::path path = write("a.txt", "hello");
  const InPlaceFile file = InPlaceFile::of(path);
  EXPECT_EQ(detail::value_type<InPlaceFile>().codec, CodecId::in_place);
  EXPECT_EQ(saved(file), R"({"digest":")" + digest("hello").hex() + R"(","path":")" +
                             path.string() + R"(","size":5})");
  EXPECT_EQ(through(file), file);
  EXPECT_EQ(through(std::vector{file}).front(), file);
  EXPECT_TRUE(file.verify());
}

TEST_F(FileTest, InPlaceFileSeesChangeAndAbsence) {
  const fs::path path = write("a.txt", "hello");
  const InPlaceFile file = InPlaceFile::of(path);
  static_cast<void>(write("a.txt", "hallo"));
  EXPECT_FALSE(file.verify());
  static_cast<void>(write("a.txt", "hello"));
  EXPECT_TRUE(file.verify());
  fs::remove(path);
  EXPECT_FALSE(file.verify());
  fs::create_directory(path);
  EXPECT_EQ(refusal([&] { static_cast<void>(file.verify()); }).code, Errc::unreadable);
}

TEST(InPlaceFile, WhatIsNotExactlyOneIsRefused) {
  const std::string good = digest("").hex();
  EXPECT_EQ(loaded<InPlaceFile>(R"({"digest":")" + good + R"(","path":"a","size":0})").path, "a");
  for (const std::string& text : {std::string(R"({"digest":"xyz","path":"a","size":0})"),
                                  R"({"digest":")" + good + R"(","path":"a"})",
                                  R"({"digest":")" + good + R"(","path":"a","size":-1})",
                                  R"({"digest":")" + good + R"(","path":"a","size":0,"x":1})"}) {
    EXPECT_EQ(refused_to_load<InPlaceFile>(text).code, Errc::not_decodable) << text;
  }
}

}  // namespace
}  // namespace resumable::testing_support
