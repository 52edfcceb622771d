// What a question asks to compute in everyday words: rows or amounts, two columns against each
// other, conditions on groups, and money that goes out and comes in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/bounds.hpp"
#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Computed : public InsightsTest {
 protected:
  Computed() {
    write_file(folder / "visits.csv",
               "Date,Dog,Groomer,Minutes,Outcome\n"
               "2025-03-03,Rex,Tess,30,done\n"
               "2025-03-03,Milo,Ivo,60,done\n"
               "2025-03-05,Rex,Tess,45,no-show\n"
               "2025-03-06,Luna,Tess,30,done\n"
               "2025-03-10,Rex,Ivo,90,no-show\n"
               "2025-03-12,Milo,Tess,30,no-show\n"
               "2025-04-01,Rex,Tess,60,done\n"
               "2025-04-03,Luna,Ivo,30,done\n"
               "2025-04-07,Nala,Tess,30,done\n");
    write_file(folder / "account.csv",
               "Date,Text,Heading,Amount\n"
               "2025-01-02,Rent Jan,Rent,-300\n"
               "2025-01-09,Fees,Members,500\n"
               "2025-01-20,Coffee,Kitchen,-20\n"
               "2025-02-03,Rent Feb,Rent,-300\n"
               "2025-02-11,Raffle,Events,80\n"
               "2025-02-12,Tea,Kitchen,-30\n"
               "2025-03-03,Rent Mar,Rent,-310\n"
               "2025-03-09,Fees,Members,450\n"
               "2025-03-19,Cups,Kitchen,-40\n");
    write_file(folder / "repairs.csv",
               "Date,Kind,Lead,Planned hours,Actual hours,Load kg\n"
               "2025-01-02,Roof,Ann,10,14,1200\n"
               "2025-01-09,Wall,Bob,8,7,800\n"
               "2025-01-20,Roof,Ann,6,9,500\n"
               "2025-02-03,Wall,Bob,12,13,2500\n"
               "2025-02-11,Roof,Bob,5,5,400\n");
    write_file(folder / "outings.csv",
               "Date,Tour,Seats,Tickets sold,Takings EUR\n"
               "2025-01-02,Coast,50,50,1000\n"
               "2025-01-09,Zoo,50,30,450\n"
               "2025-01-20,Coast,30,27,540\n"
               "2025-02-03,Zoo,30,12,180\n"
               "2025-02-11,Coast,50,50,1100\n");
    write_file(folder / "invoices.csv",
               "Invoice,Date,Customer,Amount (EUR)\n"
               "F-1,2025-01-02,Hill,100\n"
               "F-2,2025-01-09,Lane,250\n"
               "F-3,2025-01-20,Hill,110\n"
               "F-4,2025-02-03,Lane,200\n");
    write_file(folder / "meters.csv",
               "Date,From grid kWh,To grid kWh\n"
               "2025-01-02,4,10\n"
               "2025-01-03,6,12\n"
               "2025-01-04,8,5\n"
               "2025-01-05,3,9\n");
  }
  [[nodiscard]] std::string answer(const char* system, const std::string& prompt) const {
    const Json request{{"systemId", system}, {"contextWindowDays", 900}, {"customPrompt", prompt}};
    return without_lines(
        insights({"request", "--data", (folder / (std::string{system} + ".csv")).string()},
                 request.dump())
            .json()
            .at("insights")
            .at("rawText"));
  }
};

TEST_F(Computed, CountsGroupsThatHaveSoManyRows) {
  EXPECT_THAT(
      answer("visits", "How many dogs came more than once in March 2025?"),
      HasSubstr(
          "Findings\n- visits (2025-03-03 to 2025-03-31) by Dog, above 1 each (2 of 3): Rex 3"));
  EXPECT_THAT(answer("visits", "Which dogs had two or more no-shows?"),
              HasSubstr("- visits (no-show) by Dog, at least 2 each (1 of 2): Rex 2"));
  EXPECT_THAT(answer("visits", "Which dogs came only once?"),
              HasSubstr("- visits by Dog, exactly 1 each (1 of 4): Nala 1"));
}

TEST_F(Computed, TellsWhichGroupHasNoRowInATime) {
  EXPECT_THAT(
      answer("visits", "Which dogs did not come in April 2025?"),
      HasSubstr(
          "Findings\n- Dog without visits (2025-04-01 to 2025-04-07): 1 of 4, Milo (the last on "
          "2025-03-12"));
}

TEST_F(Computed, LeavesOutGroupsWithFewRows) {
  EXPECT_THAT(answer("visits",
                     "Which groomer has the highest minutes, leaving out those with fewer than 4 "
                     "visits?"),
              AllOf(HasSubstr("Tess"), Not(HasSubstr("below 4 each"))));
}

TEST_F(Computed, SumsTheOnlyAmountThatIsMeant) {
  EXPECT_THAT(answer("invoices", "How much did I invoice altogether?"),
              HasSubstr("Findings\n- Amount: 660 EUR in all"));
}

TEST_F(Computed, CountsDifferentDays) {
  EXPECT_THAT(
      answer("visits", "On how many different days did Tess work?"),
      AllOf(HasSubstr("Findings\n- different days (Tess): 6"), Not(HasSubstr("Not counted"))));
}

TEST_F(Computed, CountsRowsByWhatTheyAreCalled) {
  EXPECT_THAT(answer("visits", "How many visits did each groomer have?"),
              HasSubstr("Findings\n- visits by Groomer (9 in all): Tess 6 (66.7 %), Ivo 3"));
  EXPECT_THAT(answer("visits", "Which month was the busiest?"),
              HasSubstr("Findings\n- visits by month (9 in all): March 2025 6"));
}

TEST_F(Computed, TellsWhatGoesOutAsPositiveAmounts) {
  EXPECT_THAT(answer("account", "How much did we spend altogether?"),
              HasSubstr("Findings\n- Amount going out: 1000 in all"));
  EXPECT_THAT(answer("account", "What was the biggest bill we paid?"),
              HasSubstr("- Amount going out: the highest is 310 on 2025-03-03"));
  EXPECT_THAT(answer("account", "What share of everything going out is Rent?"),
              HasSubstr("- Amount going out, share with Heading Rent: 91 % (910 of 1000)"));
  EXPECT_THAT(answer("account", "Which month had more going out than coming in?"),
              HasSubstr("- Amount by month, below 0 each (1 of 3): February 2025 −250"));
}

TEST_F(Computed, SetsWhatWasPlannedAgainstWhatItCameTo) {
  EXPECT_THAT(answer("repairs", "Who goes over the planned hours the most?"),
              HasSubstr("Findings\n- Actual hours less Planned hours: 7 h in all"));
  EXPECT_THAT(answer("repairs", "How many repairs went over their estimate?"),
              HasSubstr("60 % (3 of 5)"));
  EXPECT_THAT(answer("repairs", "How many hours did Ann work?"),
              AllOf(HasSubstr("Actual hours (Ann): 23 h in all"), Not(HasSubstr("+ Actual"))));
}

TEST_F(Computed, DoesNotAddWhatComesInToWhatGoesOut) {
  EXPECT_THAT(answer("meters", "How much was it with the grid altogether?"),
              AllOf(HasSubstr("From grid kWh: 21 kWh"), HasSubstr("To grid kWh: 36 kWh"),
                    Not(HasSubstr("From grid + To grid"))));
}

TEST_F(Computed, SetsWhatIsTakenAgainstTheRoom) {
  EXPECT_THAT(answer("outings", "How many empty seats were there on the Zoo tour?"),
              HasSubstr("Findings\n- Seats less Tickets sold (Zoo): 38 in all"));
  EXPECT_THAT(answer("outings", "What share of our seats did we sell?"),
              HasSubstr("- Tickets sold as a share of Seats: 80.48 % (169, 210"));
  EXPECT_THAT(answer("outings", "How often was it sold out?"), HasSubstr("40 % (2 of 5)"));
  EXPECT_THAT(answer("outings", "How often were more than 85 percent of the seats sold?"),
              HasSubstr("60 % (3 of 5)"));
  EXPECT_THAT(answer("outings", "What do people pay per ticket?"),
              HasSubstr("- Takings EUR per Tickets sold: 19.35 EUR (3270 EUR, 169)"));
}

TEST_F(Computed, TellsAmountsInTheUnitAskedFor) {
  EXPECT_THAT(answer("repairs", "How many tonnes did Bob move?"),
              HasSubstr("Findings\n- Load kg (Bob): 3.7 t in all"));
  EXPECT_THAT(answer("repairs", "How often was it more than half a tonne?"),
              HasSubstr("Load kg: above 500 kg in 3 of 5"));
}

TEST(Bounds, ReadNumbersInWords) {
  const auto bound = [](const char* text) { return bound_in(text).value_or(Bound{}); };
  EXPECT_EQ(bound("jobs worth more than ten thousand").value, 10'000);
  EXPECT_EQ(bound("more than half a tonne"), (Bound{"above", 0.5, false, "t"}));
  EXPECT_EQ(bound("two or more of them"), (Bound{"at_least", 2, false, ""}));
  EXPECT_EQ(bound("over a hundred"), (Bound{"above", 100, false, ""}));
  EXPECT_FALSE(bound_in("they came at least a second time"));
}

}  // namespace
}  // namespace insights::testing
