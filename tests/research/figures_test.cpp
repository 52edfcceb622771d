// Which figures a text has, and which it takes back.
#include "research/figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "research/agreement.hpp"
#include "research/text.hpp"

namespace research {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> read(const std::string& text) {
  std::vector<std::string> found;
  for (const Figure& one : figures_in(text)) found.push_back(one.number + " " + one.unit);
  return found;
}

TEST(Figures, HaveTheirUnitAndScale) {
  EXPECT_THAT(read("1.6 million m\u00B3 at 38 m\u00B3/s"),
              ElementsAre("1600000 m\u00B3", "38 m\u00B3/s"));
  EXPECT_THAT(read("\u00A31.42m, 49 \u20AC or 1,740 metres"),
              ElementsAre("1420000 \u00A3", "49 \u20AC", "1740 metr"));
  EXPECT_THAT(read("a 12-volt lamp, 5kg, 30% and twenty-five seals"),
              ElementsAre("12 volt", "5 kg", "30 percent", "25 seal"));
}

TEST(Figures, CountTheNounBehindAnotherWord) {
  EXPECT_THAT(read("fourteen wooden nets, 12 new houses and 5 metre pipes"),
              ElementsAre("14 net", "12 hous", "5 metr"));
  EXPECT_THAT(read("20 working days"), ElementsAre("20 work"));
}

TEST(Figures, PartsOfAThingArePercent) {
  EXPECT_THAT(read("up to a third of the crown, three quarters of our wood"),
              ElementsAre("33 percent", "75 percent"));
  EXPECT_THAT(read("a quarter of an hour"), ElementsAre());
}

TEST(Figures, NameAVersionBehindAName) {
  EXPECT_THAT(read("You need Python 3.11 or newer, not Python 3.9."),
              ElementsAre("3.11 python version", "3.9 python version"));
  EXPECT_THAT(read("See Section 3.2 and a Rope 2.5 m long"), ElementsAre("3.2 ", "2.5 m"));
}

TEST(Figures, APartOfAYearIsADate) {
  EXPECT_THAT(read("until the end of 2025, in spring 2026"),
              ElementsAre("2025-12-31 date", "2026-00-00 date"));
}

TEST(Figures, AreDatesTimesAndDaysOfTheWeek) {
  for (const char* text : {"12 July", "the 12th of July", "July 12", "July 12th"}) {
    EXPECT_THAT(read(text), ElementsAre("0000-07-12 date")) << text;
  }
  EXPECT_THAT(read("in May 2025, on 2025-07-12"),
              ElementsAre("2025-05-00 date", "2025-07-12 date"));
  EXPECT_THAT(read("8:30, 3.45 pm and 10 a.m."),
              ElementsAre("8:30 clock", "15:45 clock", "10:00 clock"));
  EXPECT_THAT(read("Mondays at noon; you may march"), ElementsAre("1 weekday"));
}

TEST(Figures, OfDatesAreTheSameIfTheyAgreeInWhatBothName) {
  EXPECT_TRUE(are_same("date", "2025-07-00", "0000-07-12"));
  EXPECT_FALSE(are_same("date", "2025-07-12", "0000-07-13"));
  EXPECT_FALSE(are_same("date", "2025-07-12", "2026-07-12"));
}

TEST(Figures, OfTheWordDateAreNoDates) {
  EXPECT_THAT(read("3 dates, 2 clocks, 7 weekdays"), ElementsAre("3 ", "2 ", "7 "));
}

TEST(Figures, AreNoWordsThatTwoTextsHaveInCommon) {
  EXPECT_THAT(
      words(without_figures("On Monday 3 March at 8 pm, in June and with 30 per cent more")),
      ElementsAre("on", "at", "in", "and", "with", "per", "more"));
}

TEST(Figures, AreTakenBackInManyWords) {
  const Said held = said_of("The key is held on Monday until 31 March, for 38 hours.");
  for (const char* text :
       {"The key used to be held for 38 hours.", "The key is held for 40 hours (was 38 hours).",
        "The 38 hours of the key were wrong.", "The key has gone up from 38 hours.",
        "The key is raised from the promised 38 hours to 40.",
        "The key of Monday has moved from Monday to Thursday.",
        "The key is kept until June, in place of 31 March.",
        "The key was held for 38 hours, now for 40.",
        "The key is held for 38 hours \u2192 40 hours.", "The 38 hours of the key become 40 hours.",
        "For 38 hours read 40 hours of the key.",
        "The key is held for 40 hours (originally 38 hours).",
        "The 38 hours of the key should have been 40.", "The Monday of the key is given up."}) {
    EXPECT_TRUE(takes_back(said_of(text), held)) << text;
  }
  for (const char* text :
       {"The key is held for 38 hours.", "The key is held for not more than 38 hours.",
        "The key is held from Monday to Friday.", "The key is used to open the hall for 38 hours.",
        "A key used to tell the end of a walk says 38 hours.",
        "The key is not limited to 38 hours.", "The key is held no longer than 38 hours.",
        "The key was held for 38 hours.", "The Monday of the choir is given up.",
        "The key is not lent since a walk alone takes 38 hours."}) {
    EXPECT_FALSE(takes_back(said_of(text), held)) << text;
  }
}

}  // namespace
}  // namespace research
