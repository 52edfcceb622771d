// Tables of things that are measured in rounds, and logs whose cells are not all filled: what is a
// level, what changed between two rounds, and what a clause leaves to the one before.
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Rounds : public InsightsTest {
 protected:
  /// Six vines in two rows, measured on twelve Mondays from 2025-03-03: those in row R1 grow 3 cm a
  /// week, those in R2 1 cm. What was lost stands in a book of its own.
  Rounds() {
    std::filesystem::create_directories((folder / "vines").string());
    std::filesystem::create_directories((folder / "sales").string());
    std::string book = "Date,Row,Vine,Height (cm),Girth (mm)\n";
    std::string losses = "Date,Row,Vines lost,Cause\n";
    for (int week = 0; week < 12; ++week) {
      const std::string date = day(7 * week);
      for (int vine = 1; vine <= 6; ++vine) {
        const bool is_first = vine <= 3;
        book += fmt::format("{},{},V{},{},{:.1f}\n", date, is_first ? "R1" : "R2", vine,
                            50 + vine + (is_first ? 3 : 1) * week, 10 + vine + 0.1 * week);
      }
      losses += fmt::format("{},{},{},{}\n", date, week % 3 == 0 ? "R1" : "R2", 1 + week % 2,
                            week == 3       ? "frosst"
                            : week % 2 == 0 ? "frost"
                                            : "hail storm");
    }
    write_file(folder / "vines" / "book.csv", book);
    write_file(folder / "vines" / "losses.csv", losses);
    // Sales of two shows; the second half of the tickets is dearer, and some have no time of entry.
    std::string sales = "No,In,Out,Show,Qty,Each (£),Total (£),Paid by\n";
    for (int i = 0; i < 60; ++i) {
      const int quantity = 1 + i % 4;
      const int price = i < 30 ? 10 : 12;
      sales += fmt::format("{},{},{} 22:00,{},{},{},{},{}\n", 1000 + 7 * i,
                           i == 5 ? "" : day(i) + fmt::format(" {}:15", 10 + i % 7), day(i),
                           i % 3 == 0 ? "Otello" : "Carmen", quantity, price, quantity * price,
                           i > 45 && i % 3 == 2 && i < 55 ? "Crad"
                           : i % 3 != 2                   ? "Card"
                           : i < 20                       ? ""
                                                          : "App");
    }
    write_file(folder / "sales" / "sales.csv", sales);
  }
  static std::string day(int i) {
    return moment_text(parse_moment("2025-03-03")->moment + i * day_length, false);
  }
  [[nodiscard]] std::string answer(const char* of, const char* system,
                                   const std::string& prompt) const {
    const Json request{{"systemId", system}, {"contextWindowDays", 100}, {"customPrompt", prompt}};
    return without_lines(insights({"request", "--data", (folder / of).string()}, request.dump())
                             .json()
                             .at("insights")
                             .at("rawText"));
  }
  [[nodiscard]] std::string of_vines(const std::string& prompt) const {
    return answer("vines", "book", prompt);
  }
  [[nodiscard]] std::string of_sales(const std::string& prompt) const {
    return answer("sales", "sales", prompt);
  }
};

TEST_F(Rounds, WhatHardlyDiffersFromOneToTheNextIsNotAddedUp) {
  const std::string text = of_vines("What is the girth by row?");
  EXPECT_THAT(text, AllOf(HasSubstr("Girth by Row (14.05 mm on average altogether)"),
                          Not(HasSubstr("mm in all"))));
}

TEST_F(Rounds, BetweenTwoOfThemThingsGrowByTheMeanOfEach) {
  EXPECT_THAT(
      of_vines("How many centimetres did each row grow between 10 March and 31 March?"),
      HasSubstr("Height, from the first to the last by Row: Row R1 +9 cm (55 cm on 2025-03-10, "
                "64 cm on 2025-03-31; mean of 3), Row R2 +3 cm"));
}

TEST_F(Rounds, TheLastOneIsADay) {
  EXPECT_THAT(of_vines("How tall are the rows on average at the last round?"),
              HasSubstr("Height by Row, on average: R1 85 cm, R2 66 cm."));
  EXPECT_THAT(
      of_vines("Which vine is the tallest now?"),
      HasSubstr("Height (2025-05-19) by Vine (75.5 cm on average altogether): Vine V3 86 cm"));
}

TEST_F(Rounds, ATrendSaysHowFarTheEndsAreApart) {
  EXPECT_THAT(of_vines("Is there a trend in the height?"), HasSubstr("on 2025-05-19 (+22 cm)"));
}

TEST_F(Rounds, AWholeNameOfAnotherTableWinsOverAWordOfThisOne) {
  EXPECT_THAT(of_vines("Which row lost the most vines, and how many?"),
              HasSubstr("Findings\n- Vines lost by Row (18 in all): "));
}

TEST_F(Rounds, HowManyWentToAValueDoesNotAskHowItWent) {
  const std::string text = of_vines("How many vines went because of frost?");
  EXPECT_THAT(text, AllOf(HasSubstr("frost"), HasSubstr("There is more: ask")));
}

TEST_F(Rounds, ALetterTwiceOrAnAbbreviationIsASlip) {
  EXPECT_THAT(of_vines("What was the cause of the vines lost?"), HasSubstr("'frosst' (1)"));
  EXPECT_THAT(of_sales("How many tickets were paid by card?"), HasSubstr("'Crad' (3)"));
}

TEST_F(Rounds, ARowWithoutItsTimeHasThatOfAnotherCell) {
  const std::string text = of_sales("Is anything wrong?");
  EXPECT_THAT(text, HasSubstr("sales, 2025-03-03 to 2025-05-01, 60 readings"));
  EXPECT_THAT(text, HasSubstr("sales.csv:7: '' in In is not a time; Out is taken for it"));
}

TEST_F(Rounds, PricesAreNotAddedUp) {
  EXPECT_THAT(of_sales("What were the prices, by show?"),
              AllOf(HasSubstr("Each by Show"), Not(HasSubstr("660 £"))));
}

TEST_F(Rounds, PricesOfEventsAreNotAddedUp) {
  std::string sales = "Time,Band,Qty,Each (£),Total (£)\n";
  for (int i = 0; i < 60; ++i) {
    const int quantity = 1 + i % 4;
    const int price = i % 3 == 0 ? 8 : 12;
    sales += fmt::format("{} {:02}:{:02},{},{},{},{}\n", day(i * i % 40), 8 + i % 11, 7 * i % 60,
                         i % 3 == 0 ? "Child" : "Adult", quantity, price, quantity * price);
  }
  write_file(folder / "sales" / "till.csv", sales);
  EXPECT_THAT(answer("sales/till.csv", "till", "What were the prices, by band?"),
              AllOf(HasSubstr("average altogether): Adult 12 £ each ("), Not(HasSubstr("480 £"))));
  EXPECT_THAT(answer("sales/till.csv", "till", "What did we take, by band?"),
              HasSubstr("Total by Band"));
}

TEST_F(Rounds, APriceHeldUntilItsStepIsTold) {
  EXPECT_THAT(of_sales("When did the price go up, and from what to what?"),
              HasSubstr("Findings\n- Each: 10 £ each at first, 12 £ each from 2025-04-02.\n"));
}

TEST_F(Rounds, MoneyThatNoColumnHoldsIsNamedAsNotFound) {
  std::string power = "Day,Used (kWh)\n";
  for (int i = 0; i < 20; ++i) power += fmt::format("{},{}\n", day(i), 100 + i % 7);
  std::filesystem::create_directories(folder / "power");
  write_file(folder / "power" / "power.csv", power);
  EXPECT_THAT(answer("power/power.csv", "power", "What did the power used cost us?"),
              HasSubstr("Not found in the data: no column and no value is called \"cost\"."));
  EXPECT_THAT(of_sales("What do the tickets cost?"), Not(HasSubstr("Not found in the data")));
}

TEST_F(Rounds, TheFullestHasTheMostTicketsNotTheMostSales) {
  std::string sales = "Time,Night,Qty\n";
  for (int i = 0; i < 60; ++i) {
    sales += fmt::format("{} {:02}:{:02},{},{}\n", day(i * i % 40), 8 + i % 11, 7 * i % 60,
                         i % 3 == 0 ? "Gala" : "Matinee", i % 3 == 0 ? 5 : 1);
  }
  write_file(folder / "sales" / "till.csv", sales);
  EXPECT_THAT(answer("sales/till.csv", "till", "Which night was the fullest?"),
              HasSubstr("Findings\n- Qty by Night (140 in all): Gala 100 (71.4 %)"));
}

TEST_F(Rounds, AFigureOfAPartOfTheTimeNamesIt) {
  EXPECT_THAT(of_sales("How much qty was sold in April?"),
              HasSubstr("Findings\n- Qty (April 2025): 75 in all, "));
}

TEST_F(Rounds, LessOfAColumnTakesNothingOff) {
  std::string energy = "Day,Power (kWh),Heat (kWh)\n";
  for (int i = 0; i < 20; ++i) energy += fmt::format("{},{},{}\n", day(i), 100 + i % 7, 40 + i % 3);
  std::filesystem::create_directories(folder / "power");
  write_file(folder / "power" / "power.csv", energy);
  EXPECT_THAT(answer("power/power.csv", "power", "Did we use less heat at weekends?"),
              AllOf(HasSubstr("Heat by weekend"), Not(HasSubstr("less Heat"))));
}

TEST_F(Rounds, OfTwoThatAreComparedTheLargerIsFirst) {
  const std::string text = of_sales("How much more was paid by card than by app?");
  EXPECT_LT(text.find("Total: Card "), text.find(" in all, App ")) << text;
}

TEST_F(Rounds, AVerbBehindWhichIsTheColumnThatIsCalledSo) {
  EXPECT_THAT(of_sales("Which show brought in the most?"),
              HasSubstr("Total by Show (1654 £ in all): Carmen 1104 £"));
}

TEST_F(Rounds, TheFirstOfAValueHasItsDay) {
  EXPECT_THAT(of_sales("When was the first sale paid with the app?"),
              AllOf(HasSubstr("- App, the first of 11 rows: "), HasSubstr("In 2025-03-23")));
}

}  // namespace
}  // namespace insights::testing
