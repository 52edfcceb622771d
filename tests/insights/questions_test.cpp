// What a question is about: the times, values, columns and limits that its words name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/bounds.hpp"
#include "insights/insights_run.hpp"
#include "insights/interest.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Questions : public InsightsTest {
 protected:
  /// Trips of ferries, four a day from 2025-01-06, a Monday, to 2025-03-06.
  Questions() {
    std::string text = "Day,Ferry,Berth,Delay (min),Passengers,Trips,Full\n";
    const Moment first = parse_moment("2025-01-06")->moment;
    for (int day = 0; day < 60; ++day) {
      for (int ferry = 0; ferry < 4; ++ferry) {
        text += moment_text(first + day * day_length, false) + ",";
        text += std::vector<std::string>{"Blue Heron", "Blue Gull", "Tern",
                                         "9"}[static_cast<std::size_t>(ferry)];
        text += ferry < 2 ? ",North," : ",South,";
        text += std::to_string(4 * ferry + day % 3) + "," + std::to_string(20 + 10 * ferry) + ",4,";
        text += day % 5 == 0 && ferry == 2 ? "yes\n" : "no\n";
      }
    }
    write_file(folder / "ferries.csv", text);
  }

  [[nodiscard]] Interest about(const std::string& prompt) const {
    return interest_of(prompt, catalogue(load_readings(folder / "ferries.csv", "ferries", 100)));
  }
  [[nodiscard]] std::pair<std::string, std::string> time(const std::string& prompt) const {
    const Interest interest = about(prompt);
    return {interest.from, interest.to};
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "ferries"}, {"contextWindowDays", 100}, {"customPrompt", prompt}};
    const Said said =
        insights({"request", "--data", (folder / "ferries.csv").string()}, request.dump());
    return without_lines(said.json().at("insights").at("rawText"));
  }
};

using Time = std::pair<std::string, std::string>;

TEST_F(Questions, NameADayAWeekAMonthAQuarterOrARange) {
  EXPECT_EQ(time("How late was it on 3 February?"), (Time{"2025-02-03", "2025-02-03"}));
  EXPECT_EQ(time("How late was it on February 3rd, 2025?"), (Time{"2025-02-03", "2025-02-03"}));
  EXPECT_EQ(time("How late was it in week 6?"), (Time{"2025-02-03", "2025-02-09"}));
  EXPECT_EQ(time("How late was it in February?"), (Time{"2025-02", "2025-02"}));
  EXPECT_EQ(time("How late was it from 3 to 9 February?"), (Time{"2025-02-03", "2025-02-09"}));
  EXPECT_EQ(time("Between 20 January and 9 February?"), (Time{"2025-01-20", "2025-02-09"}));
  EXPECT_EQ(time("How late was it in the last 14 days?"), (Time{"2025-02-21", "2025-03-06"}));
  EXPECT_EQ(time("How late was it until 9 February?"), (Time{"2025-01-06", "2025-02-09"}));
  EXPECT_EQ(time("How late was it in Q1?"), (Time{"", ""})) << "that is all there is";
  EXPECT_EQ(time("How late may it be?"), (Time{"", ""}));
}

TEST_F(Questions, CompareWhatTheyNameWithBeforeSinceOrAfter) {
  const auto periods = [&](const std::string& prompt) {
    const Interest interest = about(prompt);
    return interest.periods ? interest.periods->first + " " + interest.periods->second : "";
  };
  const std::string turn = "2025-01-06/2025-02-02 2025-02-03/2025-03-06";
  EXPECT_EQ(periods("Is it later since the new timetable of 3 February?"), turn);
  EXPECT_EQ(periods("Was it better before 3 February?"), turn);
  EXPECT_EQ(periods("Is it worse after week 5?"), turn);
  EXPECT_EQ(periods("Compare week 4 with week 3"), "2025-01-13/2025-01-19 2025-01-20/2025-01-26");
  EXPECT_EQ(periods("How do February and January compare?"), "2025-01 2025-02");
}

TEST_F(Questions, NameAValueByItsNameOrByTheHeaderBesideIt) {
  EXPECT_EQ(about("How late is the Gull on average?").where.at("Ferry"), "Blue Gull");
  EXPECT_EQ(about("How late is ferry 9?").where.at("Ferry"), "9");
  EXPECT_THAT(about("How late were they on 9 February?").where, IsEmpty());
  const Interest two = about("How much later is the Tern than the Heron?");
  EXPECT_THAT(two.where, IsEmpty());
  EXPECT_EQ(two.compared.at("Ferry"), (std::pair<std::string, std::string>{"Blue Heron", "Tern"}));
}

TEST_F(Questions, ThatCountMeanTheYesOfAColumnTheyName) {
  EXPECT_EQ(about("How many trips were full?").where.at("Full"), "yes");
  EXPECT_EQ(about("How many trips were not full?").where.at("Full"), "no");
  EXPECT_FALSE(about("Is there a full moon?").where.contains("Full"));
  EXPECT_THAT(answer("How often was each ferry full?"),
              HasSubstr("Tern 100 % (12; 20.0 % of its 60)"));
}

TEST_F(Questions, NameAValueByAWordThatNoOtherValueHas) {
  std::string text = "Day,Fate\n";
  for (int day = 10; day < 30; ++day) {
    text += "2025-01-" + std::to_string(day) +
            (day % 2 == 0 ? ",handed to neighbour\n" : ",handed to customer\n");
  }
  write_file(folder / "parcels.csv", text);
  const auto where = [&](const std::string& prompt) {
    return interest_of(prompt, catalogue(load_readings(folder / "parcels.csv", "parcels", 100)))
        .where;
  };
  EXPECT_EQ(where("How many went to neighbours?").at("Fate"), "handed to neighbour");
  EXPECT_THAT(where("How many were handed over?"), IsEmpty()) << "both were";
}

TEST_F(Questions, WithPerSetOneColumnAgainstAnother) {
  EXPECT_THAT(about("How many passengers per trip?").per, ElementsAre("Passengers", "Trips"));
  EXPECT_THAT(
      answer("How many passengers per trip?"),
      HasSubstr("Passengers 8400 against Trips 960; 7440 more; 8.75 of Passengers per Trips"));
}

TEST_F(Questions, AboutWhatNothingIsCalledAreToldSo) {
  EXPECT_THAT(about("How many refunds were there?").unread, ElementsAre("refunds"));
  EXPECT_THAT(answer("How many refunds were there?"),
              HasSubstr("no column and no value is called \"refunds\""));
  EXPECT_THAT(answer("How many passengers were there?"), Not(HasSubstr("Not found in the data")));
  EXPECT_THAT(about("Which ferry is the latest, and which month was the worst?").unread, IsEmpty());
}

TEST_F(Questions, LimitATimeInItsOwnUnit) {
  EXPECT_EQ(bound_in("more than an hour"), (Bound{"above", 1, false, "h"}));
  EXPECT_EQ(bound_in("less than half an hour"), (Bound{"below", 0.5, false, "h"}));
  EXPECT_EQ(bound_in("at least two passengers"), (Bound{"at_least", 2, false}));
  EXPECT_THAT(answer("How often was the delay more than 0.2 hours?"),
              HasSubstr("Delay: above 12 min in 40 of 240 readings"));
}

TEST_F(Questions, OfMonthsDoNotNameAColumnThatIsMonthly) {
  const std::string text = "Shop,Monthly rent,Takings\nA,10,5\nB,20,7\nC,30,9\n";
  write_file(folder / "rents.csv", text);
  const Json table = catalogue(load_readings(folder / "rents.csv", "rents", 100));
  EXPECT_FALSE(interest_of("Which month was the best?", table).names_columns);
  EXPECT_TRUE(interest_of("What is the rent?", table).names_columns);
}

}  // namespace
}  // namespace insights::testing
