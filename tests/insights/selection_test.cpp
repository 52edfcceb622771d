// Which findings an answer tells, and in what order.
#include <fmt/format.h>

#include "insights/insights_run.hpp"
#include "insights/moments.hpp"

namespace insights::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Selections : public InsightsTest {
 protected:
  [[nodiscard]] std::string answer(const std::filesystem::path& data, const std::string& system,
                                   const char* prompt) const {
    const Json request{{"systemId", system}, {"contextWindowDays", 400}, {"customPrompt", prompt}};
    return insights({"request", "--data", data.string()}, request.dump())
        .json()
        .at("insights")
        .at("rawText");
  }
  [[nodiscard]] std::string coop(const char* prompt) const {
    return answer(resumable::test::source_folder() / "examples/data/insights-coop", "sales",
                  prompt);
  }
  /// Events of an hour each, numbered by tickets; by day some take 5 minutes, at night 20.
  [[nodiscard]] std::string calls(const char* prompt) const {
    std::string text = "Ticket,Time,Kind,Minutes,Note\n";
    for (int i = 0; i < 240; ++i) {
      const int hour = i * 3 % 24;
      text += fmt::format("{},2025-03-{:02} {:02}:00,{},{},{}\n", 700 + i, i / 8 + 1, hour,
                          i % 3 == 0 ? "door" : "drive", (hour < 6 || hour >= 22 ? 20 : 5) + i % 5,
                          i % 5 == 0 ? "late" : "");
    }
    resumable::test::write_file(folder / "calls.csv", text);
    return answer(folder / "calls.csv", "calls", prompt);
  }
  static std::ptrdiff_t lines(const std::string& text) {
    std::istringstream in{text};
    std::ptrdiff_t count = 0;
    for (std::string line; std::getline(in, line);) count += line.starts_with("- ") ? 1 : 0;
    return count;
  }
};

TEST_F(Selections, KeepASpecificAnswerToWhatIsAsked) {
  const std::string text = coop("Which shop has the highest takings?");
  EXPECT_THAT(text, HasSubstr("\nFindings\n- takings by shop ("));
  for (const char* other : {"by payment", "- units", "Around the", "is there twice", "missing"}) {
    EXPECT_THAT(text, Not(HasSubstr(other)));
  }
  EXPECT_LE(std::ranges::count(text, ' '), 200) << text;
  EXPECT_THAT(text, HasSubstr("There is more: ask \"Is anything wrong?\""));
}

TEST_F(Selections, TellFiguresThatNobodyAskedForBelowTheFindings) {
  const std::string text = coop("Which shop has the highest takings?");
  const std::size_t figures = text.find("\nFigures\n");
  ASSERT_NE(figures, text.npos) << text;
  EXPECT_LT(text.find("- takings by shop ("), text.find("- takings (Old Town) fell on 2025-06-16"));
  EXPECT_LT(text.find("- takings (Old Town) fell on 2025-06-16"), figures) << "it has happened";
  EXPECT_GT(text.find("- takings: 40,760"), figures);
  EXPECT_GT(text.find("- the readings by shop ("), figures);
}

TEST_F(Selections, AnswerWhatABroadQuestionAsksBesidesFirst) {
  EXPECT_THAT(coop("Which shop has the highest takings, and has anything changed there?"),
              HasSubstr("\nFindings\n- takings by shop ("));
}

TEST_F(Selections, SayThatNothingOfAQuestionIsKnown) {
  const std::string text = coop("Which dragons sleep here?");
  EXPECT_THAT(text, HasSubstr("\nThe question names no column, value or time of the data; "));
  EXPECT_LT(text.find("is there twice"), text.find("\nFigures\n"));
  EXPECT_THAT(coop("What happened?"), Not(HasSubstr("The question names no")));
  EXPECT_THAT(coop("Are we doing more dragons?"),
              HasSubstr("no column and no value is called \"dragons\""));
}

TEST_F(Selections, BeginABroadAnswerWithFaultsAndEndItWithFigures) {
  const std::string text = coop("What happened?");
  EXPECT_LT(text.find("is there twice"), text.find("fell on 2025-06-16"));
  EXPECT_LT(text.find("fell on 2025-06-16"),
            text.find("\nFigures\n- takings: 40,760.20 EUR in all"));
  EXPECT_LE(lines(text), 15) << text;
}

TEST_F(Selections, TellAnEventOfSeveralColumnsOnce) {
  EXPECT_THAT(
      coop("What happened?"),
      HasSubstr("takings (Wine) rose on 2025-06-09 (sales.csv:269…273): the median rose "
                "from 119.05 EUR a day before to 170.30 EUR from then on, +43 %; units (Wine) rose "
                "from 14 a day before to 20, +43 %."));
}

TEST_F(Selections, TellFewFiguresToWhoAsksOnlyWhatIsWrong) {
  const std::string text = coop("Is anything wrong?");
  EXPECT_LE(lines(text.substr(text.find("\nFigures\n"))), 2) << text;
  EXPECT_LT(text.find("is there twice"), text.find("\nFigures\n"));
}

TEST_F(Selections, TellWhatIsOddHoweverItIsAskedFor) {
  std::string text = "day,guests,fare\n";
  for (int i = 0; i < 90; ++i) {
    const auto moment = parse_moment("2025-05-01")->moment + i * day_length;
    text +=
        fmt::format("{},{},{}\n", moment_text(moment, false), 2 + i % 3, i == 40 ? 60 : 20 + i % 7);
  }
  resumable::test::write_file(folder / "trips.csv", text);
  for (const char* prompt :
       {"Any strange day?", "Did anything odd happen?", "Something unusual?", "Is anything wrong?",
        "Was there a weird week?", "Which days look suspicious?"}) {
    const std::string said = answer(folder / "trips.csv", "trips", prompt);
    EXPECT_LT(said.find("60 on 2025-06-10 is unusually high"), said.find("\nFigures\n")) << said;
    EXPECT_LE(lines(said.substr(std::min(said.find("\nFigures\n"), said.size()))), 2) << said;
  }
}

TEST_F(Selections, TakeAColumnThatNumbersTheRowsForNoFigure) {
  const std::string text = calls("What happened?");
  EXPECT_THAT(text, Not(HasSubstr("Ticket")));
}

TEST_F(Selections, TakeNotesThatFewEventsHaveForNoFault) {
  EXPECT_THAT(calls("Is anything wrong?"), Not(HasSubstr("missing values of 240: ")));
}

TEST_F(Selections, SetTheNightAgainstTheDay) {
  EXPECT_THAT(calls("At which hours does a call take the most minutes?"),
              HasSubstr("; at night (22:00 to 06:00) 2"));
}

TEST_F(Selections, TellTheMostDaysInARow) {
  EXPECT_THAT(answer(resumable::test::source_folder() / "examples/data/insights-firstresponders",
                     "callouts", "How many callouts were there, in a row?"),
              HasSubstr("The most days in a row with any: 16, from 2024-11-27 to 2024-12-12."));
}

}  // namespace
}  // namespace insights::testing
