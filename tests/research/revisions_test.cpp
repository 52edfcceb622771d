#include "research/revisions.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace research {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A site of some pages: many sentences about other things, so that words are rare or not.
class Revising : public ::testing::Test {
 protected:
  Revising() {
    for (const char* text :
         {"The tower was lit on 3 November 1871.", "Boats leave the quay at 10:00 and 14:00.",
          "A ticket costs £12 for grown-ups and £6 for children.",
          "There are 163 steps and no lift.", "Terns bring up about 200 chicks in good years.",
          "The cottage sleeps five guests.", "The oil store holds 400 litres.",
          "Lenses are cleaned with vinegar and a linen cloth.",
          "Members pay £25 a year and get a letter each spring."}) {
      add("2023-01-01", text);
    }
  }

  std::size_t add(const std::string& date, const std::string& text) {
    said_.push_back(said_of(text));
    origins_.push_back({date, 0.7});
    return said_.size() - 1;
  }

  [[nodiscard]] std::vector<std::size_t> newer_than(std::size_t text) const {
    return Revisions{said_, origins_}.of(text);
  }

  std::vector<Said> said_;
  std::vector<Origin> origins_;
};

TEST_F(Revising, ALaterFigureForTheSameThingIsFoundAlthoughItDoesNotSayThatItIsNewer) {
  const auto earlier = add("2023-05-01", "The light can be seen for 21 nautical miles.");
  const auto later = add("2025-05-01", "With the new lamp its range is 18 nautical miles.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(later));
  EXPECT_THAT(newer_than(later), IsEmpty());
}

TEST_F(Revising, UnitsOfOneKindAreComparedInOneUnit) {
  const auto earlier = add("2023-05-01", "From buffer to buffer the line is 1.9 km long.");
  const auto later = add("2025-05-01", "From buffer to buffer it is 1,740 metres.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(later));
}

TEST_F(Revising, BytesAndTonnesAreComparedInOneUnit) {
  const auto card = add("2023-05-01", "The lamp logger takes cards up to 512 GB.");
  const auto cards = add("2025-05-01", "The lamp logger takes cards up to 1 TB now.");
  EXPECT_THAT(newer_than(card), ElementsAre(cards));
  EXPECT_LT(Revisions(said_, origins_).signs(card, cards)->ratio, 1);
  const auto coal = add("2023-05-01", "The engine burns 12 t of coal.");
  const auto less = add("2025-05-01", "The engine burns 8,700 kg of coal.");
  EXPECT_THAT(newer_than(coal), ElementsAre(less));
}

TEST_F(Revising, APriceOfSomethingElseIsNoNewerFigure) {
  const auto earlier = add("2023-05-01", "A sleeper of oak costs £38.");
  add("2025-05-01", "The quilt in the raffle made £640 this autumn.");
  EXPECT_THAT(newer_than(earlier), IsEmpty());
}

TEST_F(Revising, TheSameFigureIsNotNewer) {
  const auto earlier = add("2023-05-01", "The trough holds 290 kg of mercury.");
  add("2025-05-01", "We weighed the mercury in the trough.");
  EXPECT_THAT(newer_than(earlier), IsEmpty());
}

TEST_F(Revising, APageWithoutADateIsOlderThanWhatSaysThatSomethingIsNowOtherwise) {
  const auto undated = add("", "The trough holds 290 kg of mercury.");
  const auto plain = add("2025-05-01", "The trough holds 214 kg of mercury.");
  EXPECT_THAT(newer_than(undated), IsEmpty());
  EXPECT_THAT(newer_than(plain), ElementsAre(undated)) << "it is kept up to date";
  const auto changed = add("2025-06-01", "The trough now holds 210 kg of mercury.");
  EXPECT_THAT(newer_than(undated), ElementsAre(changed));
}

TEST_F(Revising, WhatAPlanCameToIsNewerWithoutAWordInCommon) {
  const auto plan = add("2022-05-01", "The repair of the wall is estimated at \u00A396,000.");
  const auto cost = add("2025-05-01", "All told it cost us \u00A3131,400.");
  EXPECT_TRUE((Revisions{said_, origins_}.signs(plan, cost)->planned));
  const auto done = add("2022-05-01", "The repair of the wall has cost \u00A396,000.");
  EXPECT_FALSE((Revisions{said_, origins_}.signs(done, cost)->planned));
  const auto next = add("2025-05-01", "We expect to pay \u00A3131,400.");
  EXPECT_FALSE((Revisions{said_, origins_}.signs(plan, next)->planned));
  EXPECT_TRUE(said_of("\u00A396,000", "Estimate").is_of_plan);
}

TEST_F(Revising, ALastDayMayBePutOffByYears) {
  const auto earlier = add("2022-05-01", "The permit for the lantern runs until the end of 2025.");
  const auto later = add("2025-05-01", "The permit for the lantern is good until 31 March 2031.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(later));
  said_[later] = said_of("The permit for the lantern was issued on 31 March 2031.");
  EXPECT_THAT(newer_than(earlier), IsEmpty());
}

TEST_F(Revising, WhatNamesTheOldFigureBesideANewOneIsTheBest) {
  const auto earlier = add("2023-05-01", "The journal is folded back when it has 1,000 pages.");
  add("2024-05-01", "A book about the journal has 240 pages.");
  const auto later = add("2025-05-01", "The journal is now folded back at 250 pages, not 1,000.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(later));
}

TEST_F(Revising, EachOfItsFiguresMayHaveANewerOneOnAnotherPage) {
  const auto earlier =
      add("2023-05-01", "The lamp burns 90 litres of paraffin and is seen for 21 nautical miles.");
  const auto oil = add("2024-05-01", "The lamp now burns 70 litres of paraffin.");
  const auto range = add("2025-05-01", "The lamp is now seen for 18 nautical miles.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(oil, range));
}

TEST_F(Revising, ADateMayBeMovedAndIsTheSameIfItOnlySaysLess) {
  const auto earlier = add("2023-05-01", "Work on the lantern gallery is to end by June 2025.");
  add("2024-05-01", "Work on the lantern gallery ends on 12 June 2025.");
  const auto later = add("2025-08-01", "Work on the lantern gallery ended on August 16.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(later));
}

TEST_F(Revising, WhoTakesAFigureBackMeansNoOther) {
  const auto other = add("2023-05-01", "The lamp oil of the lantern is held for 30 hours.");
  const auto meant = add("2023-05-01", "The lamp oil of the lantern is held for 15 hours.");
  const auto later = add("2025-08-01", "The lamp oil is held for 20 hours, not 15 hours.");
  Revisions revisions{said_, origins_};
  EXPECT_TRUE(revisions.signs(other, later)->other);
  EXPECT_TRUE(revisions.signs(meant, later)->back);
  EXPECT_FALSE(revisions.signs(meant, later)->other);
}

TEST_F(Revising, TimesOfADayAreNearIfTheHourIs) {
  const auto earlier = add("2023-05-01", "The last bus leaves at 00:10.");
  const auto later = add("2025-08-01", "The last bus leaves at 00:40.");
  EXPECT_LT(Revisions(said_, origins_).signs(earlier, later)->ratio, 0.1);
}

TEST_F(Revising, ADateMovedByDaysIsNotLikeAnyTwoDates) {
  const auto earlier = add("2023-05-01", "The gallery is closed until 15 August 2026.");
  const auto later = add("2025-08-01", "The gallery is closed until 29 August 2026.");
  const auto far = add("2025-08-01", "The gallery is closed until 29 October 2026.");
  Revisions revisions{said_, origins_};
  EXPECT_FALSE(revisions.signs(earlier, later)->when);
  EXPECT_TRUE(revisions.signs(earlier, far)->when);
}

TEST_F(Revising, YearsAreAUnit) {
  const auto earlier = add("2023-05-01", "The mantle of the lamp is replaced after ten years.");
  const auto later = add("2025-05-01", "From now on the mantle is replaced after seven years.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(later));
}

TEST_F(Revising, OfManyLaterFiguresForAUnitOneIsLikeItByChance) {
  const auto earlier = add("2023-05-01", "A walk around the tower takes 20 minutes.");
  const auto later = add("2025-05-01", "The walk to the quay takes 26 minutes.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(later));
  for (int i = 0; i < 60; ++i) {
    add("2025-05-01", "Film " + std::to_string(i) + " of a walk lasts " + std::to_string(80 + i) +
                          " minutes, as a lady of the audience measured.");
  }
  EXPECT_THAT(newer_than(earlier), IsEmpty());
}

TEST_F(Revising, ACountOfTheSameThingsIsNewerWithoutAWordInCommonIfItIsNear) {
  const auto earlier = add("2023-05-01", "By now the club has put up eleven nets.");
  const auto later = add("2025-05-01", "You will find fourteen nets on the ridge.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(later));
  origins_[later].date = "2022-05-01";
  add("2025-05-01", "Two nets lay in the road.");
  EXPECT_THAT(newer_than(earlier), IsEmpty());
  const auto length = add("2023-05-01", "By now the club has put up eleven metres.");
  add("2025-05-01", "You will find fourteen metres on the ridge.");
  EXPECT_THAT(newer_than(length), IsEmpty());
}

TEST_F(Revising, AUnitOrTheTopicAloneDoesNotTellThatTwoTextsSpeakOfOneThing) {
  const auto earlier = add("2022-01-01", "A lantern needs 40 volts.");
  origins_[earlier].bearing = 1;
  for (const char* date : {"2023-03-01", "2023-04-01", "2024-05-01", "2024-06-01", "2024-07-01"}) {
    add(date, "Terns came early.");
  }
  const auto later = add("2025-08-01", "Since spring it hums at 79 volts now.");
  EXPECT_GT(points(*Revisions(said_, origins_).signs(earlier, later)), 0);
  EXPECT_THAT(newer_than(earlier), IsEmpty());
  const auto named = add("2025-08-01", "Since spring a lantern hums at 78 volts now.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(named));
  EXPECT_THAT((Revisions{said_, origins_, {"lantern"}}.of(earlier)), IsEmpty());
}

TEST_F(Revising, AWordOfPayingOrOfTimeDoesNotTellThatTwoTextsSpeakOfOneThing) {
  const auto roof = add("2023-05-01", "The repair of the roof costs \u00A37,300 this winter.");
  const auto door = add("2025-05-01", "The repair of the door cost \u00A37,600 last winter.");
  EXPECT_THAT(newer_than(roof), IsEmpty());
  said_[door] = said_of("The repair of the roof cost \u00A37,600 last winter.");
  EXPECT_THAT(newer_than(roof), ElementsAre(door));
}

TEST_F(Revising, WhatWouldCostSomethingIsNoOutcomeAndThanPlannedIsNoPlan) {
  EXPECT_FALSE(said_of("A new door would cost \u00A36,750.").tells_outcome);
  EXPECT_TRUE(said_of("It took longer than planned and cost \u00A36,750.").tells_outcome);
}

TEST_F(Revising, ASmallNumberThatBothHaveDoesNotTellThatTheySpeakOfOneThing) {
  const auto earlier = add("2023-05-01", "A course for those under 18 costs \u00A320.");
  const auto later = add("2025-05-01", "The letter costs \u00A318 and is read in 18 towns.");
  EXPECT_THAT(newer_than(earlier), IsEmpty());
  said_[earlier] = said_of("A course for 118 of us costs \u00A320.");
  said_[later] = said_of("The letter costs \u00A318 and is read in 118 towns.");
  EXPECT_THAT(newer_than(earlier), ElementsAre(later));
}

TEST_F(Revising, ALaterFigureIsOfTheTextThatItIsMostLike) {
  const auto road = add("2023-05-01", "With 80 cm of snow the road to the quay is closed.");
  const auto path = add("2023-05-01", "With 30 cm of snow the path of the pupils is closed.");
  const auto later = add("2025-05-01", "The path of the pupils is closed with 25 cm of snow now.");
  EXPECT_THAT(newer_than(path), ElementsAre(later));
  EXPECT_THAT(newer_than(road), IsEmpty());
  origins_[path].date = "2026-01-01";
  EXPECT_THAT(newer_than(road), ElementsAre(later));
}

TEST_F(Revising, APageWithoutADateIsOlderThanWhatTellsOfAChange) {
  const auto undated = add("", "The bus to the tower leaves at 7:25.");
  for (const char* text : {"The bus to the tower goes earlier: it leaves at 7:10.",
                           "The bus to the tower has been moved, it leaves at 7:10.",
                           "From 3 May the bus to the tower leaves at 7:10."}) {
    const auto later = add("2025-06-01", text);
    EXPECT_THAT(newer_than(undated), ElementsAre(later)) << text;
    EXPECT_THAT(newer_than(later), IsEmpty()) << text;
    said_.pop_back();
    origins_.pop_back();
  }
  const auto news = add("2025-06-01", "The bus to the tower leaves at 7:10.");
  EXPECT_THAT(newer_than(undated), IsEmpty());
  said_[news] = said_of("The bus to the tower leaves at 7:10.", "", "New times");
  EXPECT_THAT(newer_than(undated), ElementsAre(news));
}

TEST_F(Revising, ANumberThatManyTextsHaveNamesNoFigureOfOneOfThem) {
  const auto earlier = add("2023-05-01", "The hall has 32 chairs.");
  const auto later = add("2025-05-01", "The shed has 32 oars and 14 chairs.");
  EXPECT_TRUE((Revisions{said_, origins_}.signs(earlier, later)->names));
  for (const char* of : {"hens", "pens", "men", "owls", "eggs", "pots", "keys"}) {
    add("2024-05-01", std::string{"There are 32 "} + of + ".");
  }
  EXPECT_FALSE((Revisions{said_, origins_}.signs(earlier, later)->names));
}

TEST(Points, EachSignButDistanceAndTimesSpeaksForANewerFigure) {
  const double none = points({});
  EXPECT_GT(points({.unit = 1}), none);
  EXPECT_GT(points({.names = true}), none);
  EXPECT_GT(points({.shared = 1}), none);
  EXPECT_GT(points({.above = 1}), none);
  EXPECT_GT(points({.count = true}), none);
  EXPECT_GT(points({.planned = true}), none);
  EXPECT_GT(points({.ratio = 2, .until = true}), points({.ratio = 2}));
  EXPECT_GT(points({.sure = true}), none);
  EXPECT_GT(points({.back = true}), none);
  EXPECT_LT(points({.other = true}), none);
  EXPECT_GT(points({.apart = 1}), none);
  EXPECT_GT(points({.bearing = 1}), none);
  EXPECT_LT(points({.ratio = 1}), none);
  EXPECT_LT(points({.when = true}), none);
}

}  // namespace
}  // namespace research
