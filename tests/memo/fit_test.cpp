// Passages are scored for all questions at once, and each goes where the whole gains most.
#include "memo/fit.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/assigning.hpp"
#include "memo/vocabulary.hpp"

namespace memo {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

std::vector<std::int64_t> fit_of(const std::vector<Topic>& topics, const std::string& text,
                                 const std::string& heading = {}) {
  return Fit{topics}.of(text, WordIndex{text}, WordIndex{heading});
}

TEST(Fit, ASignOfOneQuestionCountsMoreThanOneOfAll) {
  const std::vector<Topic> topics{{"a", "A", "?", "", {"price", "year"}},
                                  {"b", "B", "?", "", {"grant", "year"}},
                                  {"c", "C", "?", "", {"fire", "year"}}};
  const auto points = fit_of(topics, "The price was fixed for a year.");
  EXPECT_GT(points[0], points[1]);
  EXPECT_EQ(points[1], points[2]);
}

TEST(Fit, APassageWithoutTheKindOfAnswerCountsHalf) {
  const std::vector<Topic> topics{{"a", "A", "?", "", {"price", "@money"}},
                                  {"b", "B", "?", "", {"price"}}};
  const auto without = fit_of(topics, "The price is fair.");
  EXPECT_EQ(without[0], without[1] / 2);
  for (const char* text : {"The price is €5.", "The price is 5 euros.", "The price is CHF 5."}) {
    const auto with = fit_of(topics, text);
    EXPECT_EQ(with[0], with[1]) << text;
  }
}

TEST(Fit, AnAnswerToAQuestionThatIsKeptOutCountsNothing) {
  const std::vector<Topic> topics{{"a", "A", "?", "", {"money", "!when"}}};
  EXPECT_EQ(fit_of(topics, "When will it make money? — In May, with a second oven.")[0], 0);
  EXPECT_GT(fit_of(topics, "How does it make money? — It sells bread.")[0], 0);
  EXPECT_GT(fit_of(topics, "When it rains, the mill makes money.")[0], 0);
}

TEST(Fit, APersonHasTwoNamesOrATitle) {
  const std::vector<Topic> topics{{"a", "A", "?", "", {"director", "@person"}},
                                  {"b", "B", "?", "", {"director"}}};
  for (const char* text : {"The mill was sold to its director in July.", "DIRECTOR of ACME AG."}) {
    const auto without = fit_of(topics, text);
    EXPECT_EQ(without[0], without[1] / 2) << text;
  }
  for (const char* text : {"The director is Ada Byron.", "Dr. Byron is the director.",
                           "The director, José Álvarez, mills."}) {
    const auto with = fit_of(topics, text);
    EXPECT_EQ(with[0], with[1]) << text;
  }
}

TEST(Fit, TheHeadingTellsWhatAPassageIsAbout) {
  const std::vector<Topic> topics{{"a", "A", "?", "", {"#who buys"}},
                                  {"b", "B", "?", "", {"#who leads"}}};
  const auto points = fit_of(topics, "Farmers in the north.", "Who buys it?");
  EXPECT_GT(points[0], 0);
  EXPECT_EQ(points[1], 0);
}

TEST(Fit, ExamplesCountThoughNoSignIsShownAndLessThanWithOne) {
  const std::vector<Topic> topics{{"a", "A", "?", "the roof leaks in winter", {"leaks in"}},
                                  {"b", "B", "?", "bread is baked at night", {"oven"}}};
  const auto without = fit_of(topics, "Bread is baked in two halls.");
  EXPECT_GT(without[1], without[0]);
  const auto with = fit_of(topics, "Bread is baked in an oven.");
  EXPECT_GT(with[1], without[1]);
}

const std::string few_words =
    "word,who,price\n"
    "*,-10,-10\n"
    "@money,-5,30\n"
    "leads,40,-20\n"
    "0,0,10\n"
    "#Team,20,0\n";

std::vector<std::int64_t> points_of(const std::string& text, const std::string& heading = {},
                                    const std::set<std::string>& kinds = {}) {
  return Vocabulary{few_words}.points_of({"price", "other", "who"}, WordIndex{text},
                                         WordIndex{heading}, kinds);
}

TEST(Vocabulary, AWordGivesPointsToTheQuestionsThatItSpeaksForWhateverItsEnding) {
  EXPECT_THAT(points_of("She led it."), ElementsAre(0, 0, 0));
  EXPECT_THAT(points_of("Leading is all she does."), ElementsAre(0, 0, 300));
}

TEST(Vocabulary, PointsAreDividedByTheRootOfHowManyWordsAreKnown) {
  EXPECT_THAT(points_of("She leads 12 people."), ElementsAre(0, 0, 182)) << "40 / √2 - 10";
  EXPECT_THAT(points_of("It leads 4 to 2.", "The team"), ElementsAre(0, 0, 246)) << "60 / √3 - 10";
}

TEST(Vocabulary, AKindOfAnswerIsAWordToo) {
  EXPECT_THAT(points_of("It is €5.", {}, {"money"}), ElementsAre(182, 0, 0));
}

TEST(Vocabulary, AWordOfAHeadingIsNotTheSameInAText) {
  EXPECT_THAT(points_of("The team."), ElementsAre(0, 0, 0));
  EXPECT_THAT(points_of("All of them.", "Teams"), ElementsAre(0, 0, 100));
}

TEST(Vocabulary, KeysAreStemsAndOfBriefHeadingsAndKindsToo) {
  const std::string sentence = "In this year we have sold more of our ovens than ever before";
  EXPECT_THAT(keys_in(WordIndex{"Leading 12 teams"}, WordIndex{"Teams"}, {"number"}),
              UnorderedElementsAre("lead", "0", "team", "#team", "@number"));
  EXPECT_THAT(keys_in(WordIndex{"Teams"}, WordIndex{sentence}, {}), UnorderedElementsAre("team"));
}

TEST(Vocabulary, ATableThatIsNotWholeIsAnError) {
  EXPECT_THROW(Vocabulary{"word,who,price\nleads,4\n"}, std::invalid_argument);
  EXPECT_THROW(Vocabulary{"word,who\nleads,much\n"}, std::invalid_argument);
}

TEST(Vocabulary, TheOneOfTheProgramSpeaksForPricesWhereAPriceIs) {
  const auto points =
      Vocabulary::own().points_of({"funding.prices", "team.leadership"},
                                  WordIndex{"The price is €5 a month."}, WordIndex{""}, {"money"});
  EXPECT_GT(points[0], 0);
  EXPECT_EQ(points[1], 0);
}

TEST(Fit, TheCommonestWordsCountHalfWithoutASign) {
  const std::string text = "The price is €5 a month.";
  const Topic with{"funding.prices", "A", "?", "", {"price"}};
  const Topic without{"funding.prices", "A", "?", "", {"tariff"}};
  const Topic unknown{"prices", "A", "?", "", {"price"}};
  const auto points_for = [&](const Topic& topic) {
    return fit_of({topic, {"b", "B", "?", "", {"oven"}}}, text)[0];
  };
  const auto common =
      Vocabulary::own().points_of({"funding.prices"}, WordIndex{text}, WordIndex{""}, {"money"})[0];
  ASSERT_GT(common, 0);
  EXPECT_EQ(points_for(without), common / 2);
  EXPECT_EQ(points_for(with), points_for(unknown) + common);
}

TEST(Assigned, TheSumIsHighestThoughOneGetsItsSecondBest) {
  EXPECT_THAT(assigned({{10, 9}, {10, 1}}), ElementsAre(1, 0));
  EXPECT_THAT(assigned({{5, 0, 0}, {6, 0, 0}}), ElementsAre(3, 0)) << "there is only one to give";
  EXPECT_THAT(assigned({{0}}), ElementsAre(1)) << "what is worth nothing is not given";
  EXPECT_THAT(assigned({}), ElementsAre());
}

std::int64_t sum_of(const std::vector<std::vector<std::int64_t>>& worth,
                    const std::vector<std::size_t>& given) {
  std::int64_t sum = 0;
  for (std::size_t row = 0; row < worth.size(); ++row) {
    sum += given[row] < worth[row].size() ? worth[row][given[row]] : 0;
  }
  return sum;
}

TEST(Assigned, IsAsGoodAsTheBestOfAllOrders) {
  std::uint32_t state = 7;  // of a linear congruential generator
  for (int round = 0; round < 50; ++round) {
    std::vector<std::vector<std::int64_t>> worth(5, std::vector<std::int64_t>(5));
    for (auto& row : worth) {
      for (auto& one : row) one = (state = state * 1664525U + 1013904223U) >> 28U;
    }
    std::vector<std::size_t> order{0, 1, 2, 3, 4};
    std::int64_t best = 0;
    do {
      best = std::max(best, sum_of(worth, order));
    } while (std::ranges::next_permutation(order).found);
    EXPECT_EQ(sum_of(worth, assigned(worth)), best);
  }
}

}  // namespace
}  // namespace memo
