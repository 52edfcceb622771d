// What stores say of a run that somebody else has.
#include "store/run_site.hpp"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace resumable::store {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RunSiteBusy, TellsTwoProcessesOfOnePidAndHostApartByTheirLease) {
  const RunSite site{"postgres:///db", "r", "r"};
  const std::chrono::sys_seconds since{std::chrono::seconds{1'000'000'000}};
  const Owner owner{.host = "sim-0",
                    .pid = 1,
                    .since = since,
                    .fence = 3,
                    .until = since + std::chrono::minutes{5}};
  const std::string said = site.busy(owner).explain();
  EXPECT_THAT(said, HasSubstr("pid 1 on sim-0 since 2001-09-09T01:46:40Z, with a lease until "
                              "2001-09-09T01:51:40Z"));
  EXPECT_THAT(said, Not(HasSubstr("stop that process")));
}

TEST(RunSiteBusy, NamesTheProcessWhoseLockItIs) {
  const RunSite site{"file:out", "r", "r"};
  const std::string said = site.busy({.host = "h", .pid = 7}).explain();
  EXPECT_THAT(said, HasSubstr("pid 7 on h since"));
  EXPECT_THAT(said, HasSubstr("stop that process"));
}

}  // namespace
}  // namespace resumable::store
