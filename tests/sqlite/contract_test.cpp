// The conformance kit, one test per check.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "resumable/sqlite_store.hpp"
#include "resumable/testing/check_store.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

class SqliteContract : public ::testing::TestWithParam<testing::StoreCheck> {};

TEST_P(SqliteContract, IsKept) {
  const TempFolder folder;
  const auto open = [&](std::string_view place) {
    return std::make_unique<SqliteStore>(folder / (std::string{place} + ".db"));
  };
  const auto result = testing::run_store_check(GetParam().name, open);
  const bool lacks = GetParam().section == "folders" || GetParam().section == "takeover";
  EXPECT_EQ(result.verdict, lacks ? testing::Verdict::not_offered : testing::Verdict::kept)
      << result.detail;
}

INSTANTIATE_TEST_SUITE_P(Store, SqliteContract,
                         ::testing::ValuesIn(testing::store_checks().begin(),
                                             testing::store_checks().end()),
                         [](const auto& test) { return std::string{test.param.name}; });

}  // namespace
}  // namespace resumable::test
