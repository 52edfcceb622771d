// Workers and owners of one run are killed and suspended at random, their connections are cut, and
// the server crashes: each value is committed once, none is lost, and the result is what one
// process makes.
#include "support/chaos.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "postgres/server.hpp"
#include "resumable/postgres_store.hpp"

namespace resumable::test {
namespace {

class PostgresChaos : public ::testing::TestWithParam<unsigned> {};

TEST_P(PostgresChaos, OfProcessesConnectionsAndTheServerLosesAndDoublesNothing) {
  if (!PostgresServer::is_installed()) GTEST_SKIP() << PostgresServer::missing;
  const PostgresServer server{"fsync = off\nmax_connections = 200"};
  Chaos chaos{[&] { return std::make_unique<PostgresStore>(server.url()); },
              is_soak() ? 2'000U : 20U, is_soak() ? 8U : 3U, GetParam()};
  const auto cut = [&] {
    server.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ="
        " 'resumable'");
  };
  std::size_t crashes = 0;
  const auto crash = [&] {
    if (++crashes > 2 && !is_soak()) return;  // each takes a second or two
    server.stop("immediate");
    server.start();
  };
  // The processes that are there are as if on other hosts: nobody sees that they end.
  const auto estrange = [&] {
    if (server.sql("SELECT to_regclass('resumable.workers') IS NOT NULL") == "t") {
      server.sql("UPDATE resumable.workers SET boot = ''");
    }
  };
  chaos.run({{.name = "times all connections cut", .weight = 3, .deal = cut},
             {.name = "blows to the server", .weight = 1, .deal = crash},
             {.name = "times moved to other hosts", .weight = 3, .deal = estrange}});
  chaos.expect_whole();
}

INSTANTIATE_TEST_SUITE_P(Seeds, PostgresChaos, ::testing::Range(1U, is_soak() ? 6U : 3U));

}  // namespace
}  // namespace resumable::test
