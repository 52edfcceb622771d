// Reading fails for lack of memory: that says nothing about the bytes that are read.
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "core/header_reader.hpp"
#include "core/record_format.hpp"

namespace {

/// How many allocations of this thread succeed before one fails; below zero: none fails.
thread_local int allocations_left = -1;

void* allocate(std::size_t size) {
  if (allocations_left >= 0 && allocations_left-- == 0) throw std::bad_alloc();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return allocate(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace resumable::core {
namespace {

TEST(Memory, ThatIsMissingWhileAHeaderIsReadIsNotDamage) {
  const Place place{"0123456789abcdef", "draft", 1};
  Header header;
  header.run_uid = "0123456789abcdef";
  header.key = "draft";
  header.generation = 1;
  header.inputs = {{"topic", digest("cats")}};
  const Tag tag = encode_tag(Head{}, place);
  const std::string line = encode_header(header, tag);
  // Each allocation fails once, until there is one more than the reader makes.
  bool lacked = true;
  int allowed = 0;
  for (; lacked; ++allowed) {
    bool decoded = false;
    allocations_left = allowed;
    try {
      decoded = decode_header(line, tag).has_value();
      lacked = false;
    } catch (const std::bad_alloc&) {
    }
    allocations_left = -1;
    EXPECT_EQ(decoded, !lacked) << allowed;
  }
  EXPECT_GT(allowed, 2);
}

/// An escape by number is left to the parser.
TEST(Memory, ThatIsMissingWhileTheParserReadsAHeaderIsNotDamage) {
  const Place place{"0123456789abcdef", "draft", 1};
  Header header;
  header.run_uid = "0123456789abcdef";
  header.key = "draft\x01";
  header.generation = 1;
  const Tag tag = encode_tag(Head{}, place);
  const std::string line = encode_header(header, tag);
  Header plain;
  ASSERT_FALSE(read_plain_header(line, plain));
  // Not so many that the document's destructor, which may not fail, is left without.
  for (int allowed = 0; allowed < 10; ++allowed) {
    allocations_left = allowed;
    bool is_told = false;
    try {
      static_cast<void>(decode_header(line, tag));
    } catch (const std::bad_alloc&) {
      is_told = true;
    }
    allocations_left = -1;
    EXPECT_TRUE(is_told) << allowed;
  }
  EXPECT_TRUE(decode_header(line, tag));
}

}  // namespace
}  // namespace resumable::core
