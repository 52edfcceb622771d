// What `resumable verify` reads, seen from the file system.
#include <numeric>

#include "inspector/inspected.hpp"
#include "resumable/journal_store.hpp"
#include "sys/forwarding_file_system.hpp"

namespace resumable::test {
namespace {

/// Counts the bytes that are read.
class CountingReads final : public sys::ForwardingFileSystem {
 public:
  using ForwardingFileSystem::ForwardingFileSystem;

  std::error_code read(const sys::File& file, std::uint64_t at, std::span<char> to,
                       std::size_t& count) override {
    const auto error = ForwardingFileSystem::read(file, at, to, count);
    if (!error) bytes += count;
    return error;
  }

  std::uint64_t bytes = 0;
};

class VerifyCost : public Inspected {
 protected:
  void SetUp() override {
    std::vector<int> all(300);
    std::iota(all.begin(), all.end(), 0);
    Pipeline p{"numbers"};
    const auto numbers = p.input("numbers", all);
    p.stage("same", inputs(each(numbers)), [](int n) { return n; });
    JournalStore journal{folder_ / "journal"};
    FileStore files{folder_ / "files"};
    const ResumeOptions how{.run = "r", .durability = Durability::queued};
    ASSERT_TRUE(resume(p, journal, how));
    ASSERT_TRUE(resume(p, files, how));
    journal.scan("r", {}, [&](const RecordHead& head) {
      EXPECT_EQ(head.damage, Damage::none);
      headers_ += head.header_bytes;
      return true;
    });
    options.stores["counted-journal"] = [this](std::string_view, CreateStore) {
      return std::make_unique<JournalStore>(folder_ / "journal",
                                            JournalStoreOptions{.folder = {.files = &counting_}});
    };
    options.stores["counted-files"] = [this](std::string_view, CreateStore) {
      return std::make_unique<FileStore>(folder_ / "files", FileStoreOptions{.files = &counting_});
    };
  }

  /// Bytes that a command has read of the store.
  std::uint64_t read_by(const Words& words, const std::string& store) {
    url = store;
    counting_.bytes = 0;
    const Said said = inspect(words);
    EXPECT_EQ(said.code, 0) << said.err;
    return counting_.bytes;
  }

  std::uint64_t headers_ = 0;
  std::unique_ptr<sys::FileSystem> posix_ = sys::posix_file_system();
  CountingReads counting_{*posix_};
};

// Opening reads the log: there is no index yet.
TEST_F(VerifyCost, OfAJournalIsEachRecordReadOnceMoreThanToOpenIt) {
  const std::uint64_t opened = read_by({"list"}, "counted-journal:x");
  const std::uint64_t verified = read_by({"verify"}, "counted-journal:x");
  EXPECT_GE(verified, opened + headers_);
  EXPECT_LT(verified, opened + headers_ + headers_ / 2);
}

// Batches are read by their frames first.
TEST_F(VerifyCost, OfAFileStoreIsEachHeaderReadOnce) {
  const std::uint64_t opened = read_by({"list"}, "counted-files:x");
  const std::uint64_t verified = read_by({"verify"}, "counted-files:x");
  EXPECT_GE(verified, opened + headers_);
  EXPECT_LT(verified, opened + 2 * headers_);
}

}  // namespace
}  // namespace resumable::test
