#include "sys/process.hpp"

#include <array>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include "sys/random.hpp"

namespace resumable::test {
namespace {

TEST(Process, KnowsItself) {
  const sys::SystemProcess process;
  EXPECT_EQ(process.pid(), ::getpid());
  EXPECT_FALSE(process.host().empty());
  EXPECT_EQ(process.boot_id().size(), 36U);
  EXPECT_GT(process.start_time(process.pid()), 0U);
  EXPECT_EQ(process.start_time(-1), 0U);
}

TEST(Random, FillsAllAndNeverTheSame) {
  sys::SystemRandom random;
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) {
    std::string name;
    ASSERT_FALSE(sys::random_name(random, name));
    EXPECT_EQ(name.size(), 16U);
    names.insert(name);
  }
  EXPECT_EQ(names.size(), 1000U);
  std::array<std::byte, 1000> bytes{};
  ASSERT_FALSE(random.fill(bytes));
  EXPECT_GT((std::set<std::byte>(bytes.begin(), bytes.end()).size()), 100U);
}

}  // namespace
}  // namespace resumable::test
