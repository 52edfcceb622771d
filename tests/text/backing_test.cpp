#include "text/backing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace text {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string> source{
    "Revenue was €1,234,500.50 in 2024, after 1.234 t; 12 000 people of Ålesund saw IBM's S4, 2 "
    "300 at once."};

TEST(Numbers, StandInOtherSpellings) {
  for (const char* statement : {"1234500.5 euros", "1'234'500.50", "1,234 t", "1234 t", "12,000",
                                "12.000", "12000", "2300", "300", "02024"}) {
    EXPECT_THAT(numbers_missing(statement, source), IsEmpty()) << statement;
  }
}

TEST(Numbers, ThatStandNowhereAreNamedAsWritten) {
  EXPECT_THAT(numbers_missing("It was 1,234,501 in 2025, up 7.5 %.", source),
              ElementsAre("1,234,501", "2025", "7.5"));
  EXPECT_THAT(numbers_missing("1.2m", source), ElementsAre("1.2")) << "no scale is understood";
}

TEST(Numbers, WithoutAPassageAllAreMissing) {
  EXPECT_THAT(numbers_missing("4 of 5", {}), ElementsAre("4", "5"));
}

RC_GTEST_PROP(Numbers, OfATextStandInThatText, (std::string text)) {
  RC_ASSERT(numbers_missing(text, {text}).empty());
}

RC_GTEST_PROP(Numbers, AnotherWholeNumberNeverStands, (std::uint32_t a, std::uint32_t b)) {
  RC_PRE(a != b);
  RC_ASSERT(numbers_missing(std::to_string(a), {"x " + std::to_string(b) + " y"}).size() == 1U);
}

TEST(Names, ThatStandNowhereAreNamed) {
  EXPECT_THAT(names_missing("The town of Ålesund and ibm met Mara Lind. Then S5 came.", source),
              ElementsAre("Mara", "Lind", "S5"));
}

TEST(Names, TheFirstWordOfASentenceIsNone) {
  EXPECT_THAT(names_missing("Growth is fast. Revenue follows.", source), IsEmpty());
}

RC_GTEST_PROP(Names, OfATextStandInThatText, (std::string text)) {
  RC_ASSERT(names_missing(text, {text}).empty());
}

}  // namespace
}  // namespace text
