// What is compressed comes back, and nothing else does.
#include "zstd/pieces.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "resumable/error.hpp"
#include "zstd/mark.hpp"

namespace resumable::test {
namespace {

std::shared_ptr<const Payload> payload_of(std::string bytes) {
  return std::make_shared<const StringPayload>(std::move(bytes));
}

/// Bytes that compress, and differ everywhere.
std::string text_of(std::size_t size) {
  std::string text;
  while (text.size() < size) text += std::to_string(text.size()) + " and so on; ";
  text.resize(size);
  return text;
}

std::string noise_of(std::size_t size) {
  std::uint64_t state = 1;
  std::string noise(size, '\0');
  for (char& c : noise) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    c = static_cast<char>(state >> 56U);
  }
  return noise;
}

std::optional<Errc> decompressing(const std::string& bytes, std::uint64_t size) {
  try {
    static_cast<void>(read_all(*zstd::decompress(payload_of(bytes), size)));
  } catch (const Error& error) {
    return error.errc();
  }
  return std::nullopt;
}

TEST(Pieces, OfAnySizeComeBack) {
  constexpr std::size_t piece = zstd::piece_bytes;
  for (const std::size_t size : {std::size_t{600}, piece - 1, piece, piece + 1, 4 * piece,
                                 4 * piece + 1, 6 * piece + 12'345}) {
    const std::string text = text_of(size);
    const auto plain = payload_of(text);
    const auto smaller = zstd::compress(*plain, 3);
    ASSERT_TRUE(smaller) << size;
    ASSERT_LT(smaller->size(), size / 2);
    const auto copy = payload_of(read_all(*smaller));
    const auto again = zstd::decompress(copy, size);
    ASSERT_EQ(again->size(), size);
    ASSERT_TRUE(read_all(*again) == text) << size;
    std::string part(5000, '\0');
    for (std::size_t at = 0; at < size; at += 777'777) {
      const std::size_t count = again->read(at, part);
      ASSERT_EQ(part.substr(0, count), text.substr(at, count)) << at;
      const std::size_t packed = smaller->read(at % smaller->size(), part);
      ASSERT_EQ(part.substr(0, packed), copy->view()->substr(at % smaller->size(), packed));
    }
  }
}

TEST(Pieces, WhatDoesNotCompressIsLeftAsItIs) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{600},
                                 std::size_t{3} << 20U, std::size_t{9} << 20U}) {
    EXPECT_FALSE(zstd::compress(*payload_of(noise_of(size)), 3)) << size;
  }
}

TEST(Pieces, EachFlippedBitIsRefused) {
  const std::string text = text_of(2000);
  const std::string bytes = read_all(*zstd::compress(*payload_of(text), 3));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    std::string read = text;
    try {
      read = read_all(*zstd::decompress(payload_of(changed), text.size()));
    } catch (const Error& error) {
      ASSERT_EQ(error.errc(), Errc::damaged);
    }
    ASSERT_EQ(read, text) << "bit " << bit;
  }
}

TEST(Pieces, ABombIsRefusedBeforeItGoesOff) {
  const std::string zeros(zstd::piece_bytes, '\0');
  const std::string small = read_all(*zstd::compress(*payload_of(zeros), 3));
  EXPECT_EQ(decompressing(small, zeros.size()), std::nullopt);
  EXPECT_EQ(decompressing(small, 10), Errc::damaged) << "more than the header says";
  EXPECT_EQ(decompressing(small, zeros.size() - 1), Errc::damaged);
  EXPECT_EQ(decompressing(small, std::uint64_t{1} << 62U), Errc::damaged) << "nor less";
  EXPECT_EQ(decompressing(small, UINT64_MAX), Errc::damaged);
  const std::string few = read_all(*zstd::compress(*payload_of(std::string(1000, '\0')), 3));
  EXPECT_EQ(decompressing(few, 1001), Errc::damaged);
  EXPECT_EQ(decompressing("", 0), Errc::damaged);
}

RC_GTEST_PROP(PiecesProperty, AnyBytesAreReadOrRefused, (const std::string& bytes)) {
  const auto size = *rc::gen::element<std::uint64_t>(0, 1, 100, zstd::piece_bytes * 3);
  const auto found = decompressing(bytes, size);
  RC_ASSERT(found == std::nullopt || found == Errc::damaged);
}

TEST(Marks, AreFoundAndLeaveTheHeaderAsItWas) {
  for (const std::string header :
       {R"({})", R"({"key":"a"})", R"({"key":"a","zstd":7})", R"({"zstd":7})",
        R"({"key":"a","zstd":"none"})", R"({"key":{"zstd":7}})"}) {
    ASSERT_TRUE(zstd::can_mark(header));
    const auto marked = zstd::unmark(zstd::mark(header, 12'345));
    EXPECT_EQ(marked.header, header);
    EXPECT_EQ(marked.size, 12'345U);
    const auto plain = zstd::unmark(zstd::mark_plain(header));
    EXPECT_EQ(plain.header, header);
    EXPECT_EQ(plain.size, std::nullopt);
  }
  EXPECT_EQ(zstd::mark(R"({"key":"a"})", 5), R"({"key":"a","zstd":5})");
  EXPECT_EQ(zstd::mark_plain(R"({"key":"a"})"), R"({"key":"a"})") << "as without this store";
  EXPECT_FALSE(zstd::can_mark("no object"));
  EXPECT_FALSE(zstd::can_mark("{" + std::string(65'530, ' ') + "}")) << "too long to be marked";
}

}  // namespace
}  // namespace resumable::test
