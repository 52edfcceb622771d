#include "store/names.hpp"

#include <string>

#include <gtest/gtest.h>

namespace resumable::test {
namespace {

using namespace store;

TEST(Names, ARecordsFileTellsItsPathAndGeneration) {
  const Place place = place_of({"@attempt/draft/te.am", 18446744073709551615U});
  EXPECT_EQ(place.folder, "@attempt/draft");
  EXPECT_EQ(place.name, "te.am.18446744073709551615.ckpt");
  const auto name = parse_record_name(place.name);
  ASSERT_TRUE(name);
  EXPECT_EQ(name->leaf, "te.am");
  EXPECT_EQ(name->generation, 18446744073709551615U);
  EXPECT_EQ(place_of({"draft", 1}).path(), "draft.1.ckpt");
}

TEST(Names, OtherNamesAreNoRecords) {
  for (const char* name :
       {"", ".ckpt", "draft.ckpt", "draft.0.ckpt", "draft.01.ckpt", ".1.ckpt", "draft.1.ckpt~",
        "draft.1.CKPT", "draft.-1.ckpt", "draft. 1.ckpt", "draft.18446744073709551616.ckpt",
        "dr aft.1.ckpt", "...1.ckpt", "3-1.ckpt", "draft.1.tmp"}) {
    EXPECT_FALSE(parse_record_name(name)) << name;
  }
}

TEST(Names, ALongestComponentStillMakesAFileName) {
  const std::string longest(220, 'x');
  EXPECT_TRUE(is_record_path(longest));
  EXPECT_FALSE(is_record_path(longest + "x"));
  EXPECT_LE(place_of({longest, UINT64_MAX}).name.size(), 255U);
}

TEST(Names, ABatchIsNoRecordAndARecordNoBatch) {
  EXPECT_EQ(batch_name(12, 3), "12-3.ckpt");
  EXPECT_TRUE(is_batch_name("12-3.ckpt"));
  for (const char* name : {"12.ckpt", "12-.ckpt", "-3.ckpt", "12-3", "012-3.ckpt", "a-3.ckpt"}) {
    EXPECT_FALSE(is_batch_name(name)) << name;
  }
  EXPECT_EQ(batch_of_nameless(nameless_path("12-3.ckpt")), "12-3.ckpt");
  EXPECT_FALSE(batch_of_nameless("@batch/x"));
  EXPECT_FALSE(batch_of_nameless("@batch"));
  EXPECT_FALSE(batch_of_nameless("draft/12-3"));
}

TEST(Names, TemporaryFilesAreKnownByTheirForm) {
  EXPECT_TRUE(is_temporary_name(temporary_name("0123456789abcdef")));
  for (const char* name : {"notes.tmp", "0123456789abcdef", "0123456789ABCDEF.tmp", ".tmp"}) {
    EXPECT_FALSE(is_temporary_name(name)) << name;
  }
}

}  // namespace
}  // namespace resumable::test
