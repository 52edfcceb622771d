// Workers and owners of one run are killed and suspended at random: each value is committed once,
// none is lost, and the result is what one process makes.
#include <memory>

#include <gtest/gtest.h>

#include "resumable/sqlite_store.hpp"
#include "support/chaos.hpp"

namespace resumable::test {
namespace {

class SqliteChaos : public ::testing::TestWithParam<unsigned> {};

TEST_P(SqliteChaos, OfKilledAndSuspendedProcessesLosesAndDoublesNothing) {
  const TempFolder folder;
  Chaos chaos{[&] { return std::make_unique<SqliteStore>(folder / "runs.db"); },
              is_soak() ? 2'000U : 60U, 3, GetParam()};
  chaos.run({});
  chaos.expect_whole();
}

INSTANTIATE_TEST_SUITE_P(Seeds, SqliteChaos, ::testing::Range(1U, is_soak() ? 6U : 2U));

}  // namespace
}  // namespace resumable::test
