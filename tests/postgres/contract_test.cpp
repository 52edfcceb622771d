// The conformance kit, one test per check.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "postgres/server.hpp"
#include "resumable/postgres_store.hpp"
#include "resumable/testing/check_store.hpp"

namespace resumable::test {
namespace {

class PostgresContract : public ::testing::TestWithParam<testing::StoreCheck> {
 protected:
  static void check(const std::string& url, const std::string& schemas) {
    const auto open = [&](std::string_view place) {
      return std::make_unique<PostgresStore>(
          url, PostgresStoreOptions{.schema = schemas + std::string{place}});
    };
    const auto result = testing::run_store_check(GetParam().name, open);
    const bool lacks = GetParam().section == "folders";
    EXPECT_EQ(result.verdict, lacks ? testing::Verdict::not_offered : testing::Verdict::kept)
        << result.detail;
  }
};

TEST_P(PostgresContract, IsKept) {
  const PostgresServer* server = PostgresServer::shared();
  if (server == nullptr) GTEST_SKIP() << PostgresServer::missing;
  check(server->url(), "");
}

TEST_P(PostgresContract, IsKeptBehindAPooler) {
  const PostgresPooler* pooler = PostgresPooler::shared();
  if (pooler == nullptr) GTEST_SKIP() << PostgresPooler::missing;
  check(pooler->url(), "pooled_");
}

INSTANTIATE_TEST_SUITE_P(Store, PostgresContract,
                         ::testing::ValuesIn(testing::store_checks().begin(),
                                             testing::store_checks().end()),
                         [](const auto& test) { return std::string{test.param.name}; });

}  // namespace
}  // namespace resumable::test
