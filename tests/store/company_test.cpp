// For how many commits the next group of a journal waits.
#include "store/journal/company.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using store::journal::Company;

/// Groups that take 100 µs each.
class CompanyTest : public ::testing::Test {
 protected:
  void end_group(std::size_t answered, std::size_t waiting) {
    const auto begun = now_;
    now_ += 100us;
    company_.end_group(answered, waiting, begun, now_);
  }
  [[nodiscard]] bool is_awaited(std::size_t waiting, std::chrono::microseconds later = 0us) const {
    return company_.is_awaited(waiting, now_ + later);
  }
  /// Groups that were written, each without those who had been answered, until one waits again.
  [[nodiscard]] int groups_until_one_waits(std::size_t waiting) {
    for (int groups = 1; groups < 1000; ++groups) {
      company_.begin_group(waiting);
      end_group(1, waiting);
      if (is_awaited(waiting)) return groups;
    }
    return 0;
  }

  Company company_;
  Company::Time now_{};
};

TEST_F(CompanyTest, WhoCommitsAloneNeverWaits) {
  EXPECT_FALSE(is_awaited(1));
  end_group(1, 0);
  EXPECT_FALSE(is_awaited(1));
}

TEST_F(CompanyTest, AGroupWaitsForAsManyAsThereWere) {
  end_group(3, 2);
  EXPECT_TRUE(is_awaited(2));
  EXPECT_TRUE(is_awaited(4));
  EXPECT_FALSE(is_awaited(5));
}

TEST_F(CompanyTest, ItWaitsForHalfOfWhatTheLastOneTook) {
  end_group(3, 2);
  EXPECT_TRUE(is_awaited(2, 49us));
  EXPECT_FALSE(is_awaited(2, 50us));
  EXPECT_EQ(company_.until(), now_ + 50us);
}

TEST_F(CompanyTest, ItNeverWaitsForLong) {
  company_.end_group(3, 2, now_, now_ + 10s);
  EXPECT_EQ(company_.until(), now_ + 10s + 2ms);
}

TEST_F(CompanyTest, WhereWaitingIsInVainItIsTriedEverMoreRarely) {
  end_group(1, 1);
  ASSERT_TRUE(is_awaited(1));
  EXPECT_EQ(groups_until_one_waits(1), 2);
  EXPECT_EQ(groups_until_one_waits(1), 4);
  EXPECT_EQ(groups_until_one_waits(1), 8);
  for (int more = 0; more < 10; ++more) static_cast<void>(groups_until_one_waits(1));
  EXPECT_EQ(groups_until_one_waits(1), 64);
}

TEST_F(CompanyTest, OnceSomebodyCameEachGroupWaitsAgain) {
  end_group(1, 1);
  ASSERT_EQ(groups_until_one_waits(1), 2);
  company_.begin_group(2);
  end_group(2, 0);
  EXPECT_TRUE(is_awaited(1));
}

}  // namespace
}  // namespace resumable::test
