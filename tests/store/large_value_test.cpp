// A large value is read once while it is written, and never held.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "resumable/digest.hpp"
#include "resumable/file_store.hpp"
#include "store/records.hpp"
#include "support/memory.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

/// Bytes that follow from their place, which nobody holds.
class MadePayload final : public Payload {
 public:
  explicit MadePayload(std::uint64_t size) : size_(size) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), size_ - at));
    std::fill_n(to.begin(), count, static_cast<char>(at >> 20U));
    bytes_read_ += count;
    most_bytes_ = std::max(most_bytes_, allocated_bytes());
    return count;
  }
  mutable std::uint64_t bytes_read_ = 0;
  mutable std::size_t most_bytes_ = 0;

 private:
  std::uint64_t size_;
};

TEST(LargeValue, IsReadOnceAndNeverHeld) {
  constexpr std::uint64_t size = (std::uint64_t{256} << 20U) + 12345;
  const TempFolder folder;
  FileStore store{folder / "store"};
  const MadePayload large{size};
  Digest sealed;
  int seals = 0;
  const auto make = [&](const Digest& digest) {
    ++seals;
    sealed = digest;
    return Seal{tag_of(digest.bytes[0]), "{\"digest\":\"" + digest.hex() + "\"}"};
  };
  const auto lease = store.lease("run");
  const std::size_t before = allocated_bytes();
  const Put put{{"large", 1}, {}, {}, &large, make};
  lease->commit({.puts = {&put, 1}, .erases = {}});
  EXPECT_EQ(large.bytes_read_, size);
  EXPECT_EQ(seals, 2) << "once to know the header's length, once with the digest";
  EXPECT_LT(large.most_bytes_ - before, std::size_t{8} << 20U);
  const auto stored = store.get("run", {"large", 1});
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->tag, tag_of(sealed.bytes[0]));
  EXPECT_NE(stored->header.find(sealed.hex()), std::string::npos);
  Digester digester;
  std::string piece(std::size_t{1} << 20U, '\0');
  for (std::uint64_t at = 0; at < size;) {
    const std::size_t count = stored->payload->read(at, piece);
    digester.add_raw(std::string_view{piece}.substr(0, count));
    at += count;
  }
  EXPECT_EQ(digester.finish(), sealed) << "the digest is that of what is stored";
  ASSERT_TRUE(stored->payload->file()) << "a payload that is a file says so";
  EXPECT_GT(stored->payload->file()->offset, 0U);
}

}  // namespace
}  // namespace resumable::test
