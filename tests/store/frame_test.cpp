#include "store/file/frame.hpp"

#include <string>

#include <gtest/gtest.h>

#include "resumable/digest.hpp"
#include "store/records.hpp"

namespace resumable::test {
namespace {

using store::decode_frame;
using store::encode_frame;
using store::Frame;

Frame example() {
  return {.path = "@attempt/draft/team",
          .generation = 12,
          .number = 2,
          .count = 3,
          .fence = 7,
          .at = 1234,
          .header_bytes = 310,
          .payload_bytes = 4096,
          .tag = tag_of(9)};
}

std::string line_of(const Frame& frame) {
  std::string line = encode_frame(frame);
  line.pop_back();
  return line;
}

/// The line with the check that belongs to it.
std::string checked(std::string text) { return text + digest(text).hex().substr(0, 16); }

TEST(Frame, ComesBackAsItWas) {
  const Frame frame = example();
  const auto reading = decode_frame(line_of(frame));
  ASSERT_EQ(reading.damage, Damage::none);
  EXPECT_EQ(encode_frame(reading.frame), encode_frame(frame));
  EXPECT_EQ(reading.frame.end(), 1234U + 310U + 1U + 4096U);
}

TEST(Frame, ItsLengthDoesNotDependOnItsPlace) {
  Frame frame = example();
  const std::size_t size = encode_frame(frame).size();
  for (const std::uint64_t at : {0ULL, 9ULL, 1'000'000'000'000'000ULL}) {
    frame.at = at;
    EXPECT_EQ(encode_frame(frame).size(), size);
  }
}

TEST(Frame, IsNeitherLongerNorShorterThanReadersExpect) {
  const Frame longest{
      .path = std::string(220, 'a') + "/" + std::string(220, 'b') + "/" + std::string(220, 'c'),
      .generation = UINT64_MAX,
      .number = UINT64_MAX,
      .count = UINT64_MAX,
      .fence = UINT64_MAX,
      .at = UINT64_MAX,
      .header_bytes = UINT64_MAX,
      .payload_bytes = UINT64_MAX,
      .tag = {}};
  EXPECT_LE(encode_frame(longest).size(), store::max_frame_bytes);
  Frame shortest;
  shortest.path = "a";
  EXPECT_GE(encode_frame(shortest).size(), store::min_frame_bytes);
}

TEST(Frame, EveryFlippedBitIsDamage) {
  const std::string line = line_of(example());
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string flipped = line;
      flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ (1U << bit));
      ASSERT_EQ(decode_frame(flipped).damage, Damage::torn) << at << "." << bit;
    }
  }
}

TEST(Frame, EveryOtherLengthIsDamage) {
  const std::string line = line_of(example());
  for (std::size_t size = 0; size < line.size(); ++size) {
    ASSERT_EQ(decode_frame(line.substr(0, size)).damage, Damage::torn);
  }
  EXPECT_EQ(decode_frame(line + " ").damage, Damage::torn);
}

TEST(Frame, ANewerLayoutIsToldFromDamageByItsCheck) {
  EXPECT_EQ(decode_frame(checked("resumable-2 whatever comes then ")).damage, Damage::newer);
  EXPECT_EQ(decode_frame(checked("resumable-99 ")).damage, Damage::newer);
  EXPECT_EQ(decode_frame("resumable-2 whatever comes then 0123456789abcdef").damage, Damage::torn);
}

TEST(Frame, WhatMakesNoSenseIsDamageThoughItsCheckIsRight) {
  const std::string good = line_of(example());
  const std::string text = good.substr(0, good.size() - 16);
  ASSERT_EQ(decode_frame(checked(text)).damage, Damage::none);
  const auto with = [&](std::string_view what, std::string_view by) {
    std::string changed = text;
    changed.replace(changed.find(what), what.size(), by);
    return decode_frame(checked(changed)).damage;
  };
  EXPECT_EQ(with("@attempt/draft/team", "../draft"), Damage::torn);
  EXPECT_EQ(with(" 12 ", " 0 "), Damage::torn);
  EXPECT_EQ(with("2/3", "4/3"), Damage::torn);
  EXPECT_EQ(with("2/3", "0/3"), Damage::torn);
  EXPECT_EQ(with("payload 4096", "payload 18446744073709551615"), Damage::torn);
  EXPECT_EQ(with("payload 4096", "payload 99999999999999999999"), Damage::torn);
  EXPECT_EQ(with("payload 4096", "payload -1"), Damage::torn);
  EXPECT_EQ(with("fence", "fences"), Damage::torn);
  EXPECT_EQ(with("resumable-1", "resumable-0"), Damage::torn);
}

}  // namespace
}  // namespace resumable::test
