// Titles of pages without the name of their site.
#include "research/titles.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace research::testing {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> shortened(const std::vector<std::string>& titles) {
  std::vector<Page> pages;
  for (const std::string& title : titles) pages.emplace_back().title = title;
  leave_out_site_name(pages);
  std::vector<std::string> left;
  for (const Page& page : pages) left.push_back(page.title);
  return left;
}

TEST(Titles, LoseTheNameOfTheSiteBehindABarOrBeforeIt) {
  EXPECT_THAT(shortened({"Town Library", "Hours \u2013 Town Library", "Loans | Town Library",
                         "Fees - 2025 - Town Library"}),
              ElementsAre("Town Library", "Hours", "Loans", "Fees - 2025"));
  EXPECT_THAT(shortened({"Town Library: Hours", "Town Library - Loans", "Town Library - Fees",
                         "Town Library - Staff - 2025"}),
              ElementsAre("Town Library: Hours", "Loans", "Fees", "Staff - 2025"));
  EXPECT_THAT(shortened({"Town Library", "Hours | Library | Town", "Loans | Library | Town",
                         "Fees | Library | Town"}),
              ElementsAre("Town Library", "Hours", "Loans", "Fees"));
}

TEST(Titles, KeepWhatOnlySomePagesHaveBehindABar) {
  const std::vector<std::string> two{"Rules - Boats", "Prices - Boats", "News", "About us"};
  EXPECT_EQ(shortened(two), two);
  const std::vector<std::string> few{"a - X", "b - X", "c - X", "d", "e", "f", "g"};
  EXPECT_EQ(shortened(few), few) << "less than half";
}

TEST(Titles, HavePartsBetweenBarsAndDashes) {
  EXPECT_THAT(parts_of_title("Hours \u2013 Town Library | Harnsley"),
              ElementsAre("Hours", "Town Library", "Harnsley"));
  EXPECT_THAT(parts_of_title("Library: hours - Harnsley"),
              ElementsAre("Library", "hours", "Harnsley"));
  EXPECT_THAT(parts_of_title("Well-kept books"), ElementsAre("Well-kept books"));
}

}  // namespace
}  // namespace research::testing
