// The table of a run's rows: order, later rows, and what a row costs.
#include "record/record_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/memory.hpp"

namespace resumable::test {
namespace {

using plan::Row;
using record::RecordRows;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// `a 1 2, b 1` of the paths that begin with `prefix`.
std::string text_of(const RecordRows& rows, std::string_view prefix = "") {
  std::string text;
  rows.each(prefix, [&](std::string_view path, std::span<const Row> list) {
    text += (text.empty() ? "" : ", ") + std::string{path};
    for (const Row& row : list) text += " " + std::to_string(row.generation);
  });
  return text;
}

RecordRows scanned(const std::vector<std::pair<std::string, std::uint64_t>>& records) {
  RecordRows rows;
  for (const auto& [path, generation] : records) {
    EXPECT_EQ(rows.add(path, {.generation = generation, .head = {}}), path);
  }
  rows.sort();
  return rows;
}

std::vector<std::uint64_t> generations(const RecordRows& rows, std::string_view path) {
  std::vector<std::uint64_t> list;
  for (const Row& row : rows.at(path)) list.push_back(row.generation);
  return list;
}

TEST(RowsOfRecords, AreFoundByTheirPath) {
  EXPECT_TRUE(RecordRows{}.empty());
  EXPECT_THAT(generations(RecordRows{}, "a"), IsEmpty());
  const RecordRows rows = scanned({{"a", 1}, {"a", 2}, {"b/x", 1}, {"b/y", 7}});
  EXPECT_FALSE(rows.empty());
  EXPECT_THAT(generations(rows, "a"), ElementsAre(1, 2));
  EXPECT_THAT(generations(rows, "b/y"), ElementsAre(7));
  for (const char* path : {"", "0", "aa", "b", "b/", "b/z", "c"}) {
    EXPECT_THAT(generations(rows, path), IsEmpty()) << path;
  }
  EXPECT_EQ(text_of(rows, "b/"), "b/x 1, b/y 7");
  EXPECT_EQ(text_of(rows, "b/y"), "b/y 7");
  EXPECT_EQ(text_of(rows, "bb"), "");
}

TEST(RowsOfRecords, AreInOrderWhateverOrderAStoreScansIn) {
  const RecordRows rows = scanned({{"c", 2}, {"a", 3}, {"a", 1}, {"c", 1}, {"b", 1}, {"a", 2}});
  EXPECT_EQ(text_of(rows), "a 1 2 3, b 1, c 1 2");
}

TEST(RowsOfRecords, OfOnePathStayTogetherHoweverManyThereAre) {
  std::vector<std::pair<std::string, std::uint64_t>> records;
  for (std::uint64_t i = 1; i <= 1000; ++i) records.emplace_back("a", i);
  for (std::uint64_t i = 1; i <= 5000; ++i) records.emplace_back("b", i);
  records.emplace_back("c", 1);
  for (int turn = 0; turn < 2; ++turn) {
    const RecordRows rows = scanned(records);
    for (const auto& [path, count] : {std::pair{"a", 1000U}, {"b", 5000U}, {"c", 1U}}) {
      const auto list = rows.at(path);
      ASSERT_EQ(list.size(), count);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(list[i].generation, i + 1);
    }
    std::ranges::reverse(records);  // another order than a store's
  }
}

TEST(RowsOfRecords, ThatComeLaterStandInTheirPlaces) {
  RecordRows rows = scanned({{"b", 1}, {"d", 1}, {"d", 2}});
  rows.note("d", {.generation = 3, .head = {}});
  rows.note("a", {.generation = 1, .head = {}});
  rows.note("c", {.generation = 1, .head = {}});
  rows.note("e", {.generation = 1, .head = {}});
  rows.note("e", {.generation = 2, .head = {}});
  EXPECT_EQ(text_of(rows), "a 1, b 1, c 1, d 1 2 3, e 1 2");
  EXPECT_EQ(text_of(rows, "d"), "d 1 2 3");
  EXPECT_THAT(generations(rows, "d"), ElementsAre(1, 2, 3));
  EXPECT_THAT(generations(rows, "e"), ElementsAre(1, 2));
}

TEST(RowsOfRecords, ThatComeLaterReplaceOneOfTheirGeneration) {
  RecordRows rows = scanned({{"a", 1}});
  rows.note("a", {.generation = 2, .head = {}});
  rows.note("a", {.generation = 2, .head = {}, .quarantined = true});
  ASSERT_THAT(generations(rows, "a"), ElementsAre(1, 2));
  EXPECT_TRUE(rows.at("a").back().quarantined);
}

TEST(RowsOfRecords, StayWhereTheyAreWhenOthersCome) {
  RecordRows rows = scanned({{"a", 1}, {"b", 1}});
  const Row* const a = &rows.at("a").front();
  for (int i = 0; i < 1000; ++i) rows.note("c" + std::to_string(i), {.generation = 1, .head = {}});
  rows.note("b", {.generation = 2, .head = {}});
  EXPECT_EQ(&rows.at("a").front(), a);
}

TEST(RowsOfRecords, CanBeChangedInTheirPlaces) {
  RecordRows rows = scanned({{"a", 1}, {"b", 1}});
  rows.note("b", {.generation = 2, .head = {}});
  rows.at("a").front().damage = Damage::torn;
  rows.at("b").back().damage = Damage::torn;
  EXPECT_FALSE(std::as_const(rows).at("a").front().is_whole());
  EXPECT_TRUE(std::as_const(rows).at("b").front().is_whole());
  EXPECT_FALSE(std::as_const(rows).at("b").back().is_whole());
}

/// A node of a map and a string of its own for each path would cost as much as the row once more.
TEST(RowsOfRecords, CostLittleMoreThanThemselvesAndTheirPaths) {
  constexpr std::size_t count = std::size_t{1} << 14U;  // full vectors, however they grow
  const std::size_t before = allocated_bytes();
  RecordRows rows;
  std::string path = "squares/item 00000";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(10000 + i);
    rows.add(path.replace(path.size() - 5, 5, number), {.generation = 1, .head = {}});
  }
  rows.sort();
  const std::size_t each = (allocated_bytes() - before) / count;
  EXPECT_LE(each, sizeof(Row) + path.size() + 40);
}

}  // namespace
}  // namespace resumable::test
