// What an answer says first where it is about something else than the question; and what was taken
// where a table has only prices.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/takings.hpp"
#include "insights/unread.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class Caveats : public InsightsTest {
 protected:
  /// Stays in two cabins: the Lake cabin is taken for two nights by three persons at 20 a night
  /// each, the Hill cabin for three by one at 30. One in ten is cancelled.
  Caveats() {
    const Moment first = parse_moment("2025-03-01")->moment;
    for (const bool has_persons : {true, false}) {
      std::string text = "Booked on,Guest,Cabin,Arrival,Departure,€ per person+night,Status";
      text += has_persons ? ",Persons\n" : "\n";
      for (int i = 0; i < 60; ++i) {
        const bool is_lake = i % 2 == 0;
        const Moment booked = first + (i + i * i % 3) * day_length;
        const Moment arrival = booked + 20 * day_length;
        text += fmt::format("{},Guest {},{},{},{},{},{}", moment_text(booked, false), i,
                            is_lake ? "Lake" : "Hill", moment_text(arrival, false),
                            moment_text(arrival + (is_lake ? 2 : 3) * day_length, false),
                            is_lake ? 20 : 30, i % 10 == 0 ? "cancelled" : "used");
        text += has_persons ? fmt::format(",{}\n", is_lake ? 3 : 1) : "\n";
      }
      write_file(folder / (has_persons ? "cabins.csv" : "bare.csv"), text);
    }
  }
  /// What happens now and then, at times several in an hour.
  void write_log() const {
    std::string text = "Time,Country,Report\n";
    for (int i = 0; i < 90; ++i) {
      text += fmt::format("2025-{:02}-{:02} {:02}:00,{},{}\n", i / 30 + 1, i * i % 9 + 1,
                          i % 3 * 4 + 9, i % 4 == 0 ? "Japan" : "Spain", i % 5);
    }
    write_file(folder / "log.csv", text);
  }
};

TEST_F(Caveats, ASeasonThatIsNotReadAsATimeIsTold) {
  const auto write = [&](const char* name, int days, const char* event) {
    const Moment first = parse_moment("2025-01-01")->moment;
    std::string text = "day,guests,Event of the year\n";
    for (int i = 0; i < days; ++i) {
      text += fmt::format("{},{},{}\n", moment_text(first + i * day_length, false), 20 + i % 7,
                          i % 2 == 0 ? event : "none");
    }
    write_file(folder / name, text);
  };
  write("inn.csv", 300, "fair");
  write("fairs.csv", 300, "Summer fair");
  write("few.csv", 90, "fair");
  const char* const asked = "How many guests came this summer?";
  EXPECT_THAT(
      answer_to("inn", asked),
      HasSubstr("\n\n\"this summer\" is not read as a time: name its months or its year, as "
                "in \"from June to August\" or \"in 2024\".\n"));
  EXPECT_THAT(answer_to("inn", "How many guests came last year?"),
              HasSubstr("\"last year\" is not"));
  EXPECT_THAT(answer_to("inn", "Did more guests come than last year?"),
              Not(HasSubstr("is not read")));
  for (const char* table : {"fairs", "few"}) {
    EXPECT_THAT(answer_to(table, asked), Not(HasSubstr("is not read"))) << table;
  }
  EXPECT_THAT(answer_to("inn", "How many guests came in July?"), Not(HasSubstr("is not read")));
}

TEST_F(Caveats, WhatWasEarnedIsTheQuantitiesTimesThePrice) {
  // 30 stays of 2 nights and 3 persons at 20, and of 3 nights and 1 person at 30.
  EXPECT_THAT(answer_to("cabins", "Which cabin earned the most money?"),
              HasSubstr("Findings\n- Persons × time from Arrival to Departure × € per "
                        "person+night by Cabin (6300 € in all): Lake 3600 € (57.1 %), Hill 2700 € "
                        "(42.9 %)."));
}

TEST_F(Caveats, RowsOfWhichNothingCameAreToldWhereTakingsAreAsked) {
  const char* const note = "\n\nAll rows are counted, also those with Status cancelled.\n";
  EXPECT_THAT(answer_to("cabins", "Which cabin earned the most money?"), HasSubstr(note));
  EXPECT_THAT(answer_to("cabins", "Which cabin is booked most?"), Not(HasSubstr(note)));
}

TEST_F(Caveats, WhatWasEarnedIsNotComputedWithoutAQuantity) {
  const std::string text = answer_to("bare", "Which cabin earned the most money?");
  EXPECT_THAT(text, HasSubstr("\n\nNot computed: what was taken in all. The nearest is € per "
                              "person+night (€/person+night), which is a price.\n"));
  EXPECT_THAT(answer_to("bare", "Which cabin is the most expensive?"),
              Not(HasSubstr("Not computed")));
  EXPECT_FALSE(asks_for_takings({"when", "did", "he", "take", "over"}));
}

TEST_F(Caveats, WhoIsPaidMostGetsTheQuantityAtThePriceInPence) {
  std::string text = "Date,Farm,Milk (kg),Price (p/kg)\n";
  for (int i = 0; i < 60; ++i) {
    const bool is_moor = i % 2 == 0;
    text += fmt::format("2025-03-{:02},{},{},{}\n", i / 2 + 1, is_moor ? "Moor" : "Dale",
                        (is_moor ? 50 : 30) * (i % 4 < 2 ? 1 : 3), is_moor ? 20 : 50);
  }
  write_file(folder / "milk.csv", text);
  EXPECT_THAT(answer_to("milk", "Which farm should be paid the most?"),
              HasSubstr("Milk × Price by Farm (1500 £ in all): Dale 900 £ (60.0 %), Moor 600 £"));
  EXPECT_THAT(answer_to("milk", "Which farm brought the most?"), HasSubstr("- Milk by Farm ("));
}

TEST_F(Caveats, WhatAListSaysThatOneCostsIsTimesHowMany) {
  std::string text = "Date,Code,Qty\n";
  for (int i = 0; i < 60; ++i) {
    text +=
        fmt::format("2025-{:02}-{:02},{},{}\n", i / 28 + 1, i % 28 + 1,
                    std::vector{"HK-A", "HK-B", "PL"}[static_cast<std::size_t>(i % 3)], i % 2 + 1);
  }
  const auto data = folder / "sold";
  std::filesystem::create_directory(data);
  write_file(data / "sold.csv", text);
  write_file(data / "list.csv",
             "Code,Item,Price (EUR)\nHK-A,Small picture hook,2\nHK-B,Large picture hook,3\n"
             "PL,Plain wooden shelf,10\n");
  const auto ask = [&](const char* prompt) {
    const Json request{{"systemId", "sold"}, {"contextWindowDays", 400}, {"customPrompt", prompt}};
    return insights({"request", "--data", data.string()}, request.dump())
        .json()
        .at("insights")
        .at("rawText")
        .get<std::string>();
  };
  // 20 rows of each code, half of them with two pieces.
  EXPECT_THAT(ask("How much money did we make?"), HasSubstr("- Qty × Price: 450 EUR in all"));
  EXPECT_THAT(
      ask("How much money did we make from hooks?"),
      HasSubstr("\n\nNot used: \"hooks\" (a word of Code). What follows does not answer the "
                "question as it was asked.\n"));
  EXPECT_THAT(ask("Which month had the most hooks?"), HasSubstr("Not used: \"hooks\" (a word of"));
}

TEST_F(Caveats, WhatIsCalledAPriceBesideAQuantityIsThatOfOne) {
  std::string text = "Date,Part,Qty,Part price (EUR)\n";
  for (int i = 0; i < 60; ++i) {
    text += fmt::format("2025-03-{:02},{},{},{}\n", (i + i * i % 3) / 3 + 1,
                        i % 2 == 0 ? "chain" : "tube", i % 3 + 1, i % 2 == 0 ? 14 : 4);
  }
  write_file(folder / "parts.csv", text);
  // 10 each of one, two and three pieces of both.
  EXPECT_THAT(answer_to("parts", "How much did we make with the parts?"),
              HasSubstr("- Qty × Part price: 1080 EUR in all"));
}

TEST_F(Caveats, WhatNoColumnMeasuresIsToldSo) {
  EXPECT_THAT(answer_to("cabins", "Which cabin is the heaviest?"),
              HasSubstr("Not found in the data: no column and no value is called \"heaviest\"."));
  EXPECT_THAT(answer_to("cabins", "Who books the most?"),
              HasSubstr("\n\nThe data does not say who: no column holds people.\n"));
  EXPECT_THAT(answer_to("cabins", "Which cabin is the most expensive?"),
              Not(HasSubstr("Not found")));
}

TEST_F(Caveats, WhatIsRestrictedToNothingInTheTableIsToldSo) {
  EXPECT_THAT(answer_to("cabins", "How many bookings did we have from Norwegians?"),
              HasSubstr("no column and no value is called \"norwegians\""));
  EXPECT_THAT(answer_to("cabins", "How many bookings are there by guest?"),
              Not(HasSubstr("Not found")))
      << "there is a column, of which each cell is another";
}

TEST_F(Caveats, RowsThatAreTooOldForTheWindowAreTold) {
  write_log();
  const auto first_line = [&](int days) {
    const Json request{{"systemId", "log"}, {"contextWindowDays", days}};
    const std::string file = (folder / "log.csv").string();
    const std::string text =
        insights({"request", "--data", file}, request.dump()).json().at("insights").at("rawText");
    return text.substr(0, text.find('\n'));
  };
  EXPECT_THAT(first_line(10),
              HasSubstr(", 30 rows of log.csv (60 earlier rows are outside the window)."));
  EXPECT_THAT(first_line(400), HasSubstr(", 90 rows of log.csv."));
}

TEST_F(Caveats, AWordThatLeadsToNothingIsTold) {
  write_log();
  EXPECT_THAT(
      answer_to("log", "How many log entries in February fell through?"),
      HasSubstr("\n\nNot used: \"fell\". What follows does not answer the question as it was "
                "asked.\n"));
  EXPECT_THAT(answer_to("cabins", "Which cabin is booked most from across the Atlantic?"),
              HasSubstr("Not used: \"atlantic\"."));
  EXPECT_THAT(answer_to("cabins", "Is camping cheaper per night than glamping?"),
              HasSubstr("Not used: \"camping\", \"glamping\"."));
  EXPECT_THAT(answer_to("cabins", "How much has it mellowed since 2020?"),
              HasSubstr("Not used: \"2020\", \"mellowed\". Nothing else in the question names a "
                        "column or a value; "
                        "this is what stands out."));
}

TEST_F(Caveats, AWordBesideWhatIsUnderstoodIsTold) {
  EXPECT_THAT(answer_to("cabins", "How many persons drowned in the Lake cabin?"),
              HasSubstr("\n\nNot used: \"drowned\".\n\nFindings\n- Persons (Lake): "));
  EXPECT_THAT(answer_to("cabins", "Are the nights in the Lake cabin wetter than the others?"),
              HasSubstr("Not used: \"wetter\"."))
      << "a word that is known, for a column that there is not";
  EXPECT_THAT(answer_to("cabins", "Which cabin do travellers fancy most?"),
              HasSubstr("\n\nNot used: \"travellers\", \"fancy\".\n\n"));
  EXPECT_THAT(answer_to("cabins", "How many persons ordered minibus-shuttles in the Lake cabin?"),
              HasSubstr("\n\nNot used: \"ordered\", \"minibus\".\n\n"));
}

TEST_F(Caveats, AWordThatTheAnswerNeedsNotIsNotTold) {
  for (const char* const asked :
       {"Which cabin has the most of the two?", "How many bookings were there in the valley?",
        "How many persons were in the Lake cabin?", "Who is cancelled more than the rest?",
        "Which cabin has lost the most persons in April against March?"}) {
    const std::string text = answer_to("cabins", asked);
    EXPECT_THAT(text, Not(HasSubstr("Not used"))) << asked;
    EXPECT_THAT(text, Not(HasSubstr("\"rest\""))) << asked;
  }
}

TEST_F(Caveats, WhatIsCountedAndIsOnlyTheRowsIsToldSo) {
  write_log();
  EXPECT_THAT(answer_to("log", "On which day did I make the most contacts?"),
              HasSubstr("no column and no value is called \"contacts\". The rows of log are "
                        "counted.\n"));
}

TEST_F(Caveats, OfSeveralDatesItIsToldWhoseMonthsTheyAre) {
  const char* const note =
      "\n\nDays and months are those of Booked on, not of Arrival and Departure.\n";
  EXPECT_THAT(answer_to("cabins", "How many stays were there by month?"), HasSubstr(note));
  EXPECT_THAT(answer_to("cabins", "How many stays were there in April?"), HasSubstr(note));
  EXPECT_THAT(answer_to("cabins", "Which cabin is booked most?"), Not(HasSubstr(note)));
}

TEST_F(Caveats, APartOfTheQuestionThatNothingAnswersIsTold) {
  EXPECT_THAT(answer_to("cabins",
                        "Which cabin is booked most, and what is the "
                        "breakfast like?"),
              HasSubstr("\n\nNot answered: \"what is the breakfast like?\".\n"));
  EXPECT_THAT(answer_to("cabins", "Which cabin is booked most, and how many persons came in all?"),
              Not(HasSubstr("Not answered")));
}

TEST_F(Caveats, TheMostBookingsAreNoMoney) {
  EXPECT_THAT(answer_to("cabins", "Which cabin brings the most bookings?"),
              Not(HasSubstr("€ in all")));
}

TEST_F(Caveats, PeopleWhoDoSomethingAreNotCounted) {
  EXPECT_THAT(answer_to("cabins", "How far ahead do people book?"),
              Not(HasSubstr("Findings\n- Persons: 120 in all")));
}

TEST_F(Caveats, WhoStaysDoesSoFromArrivalToDeparture) {
  EXPECT_THAT(answer_to("cabins", "How long do people stay?"),
              HasSubstr("\nFindings\n- time from Arrival to Departure: 2.5 days on average"));
}

TEST_F(Caveats, WhatOverlapsOrIsToComeIsNotAnsweredByOtherFigures) {
  EXPECT_THAT(answer_to("cabins", "Was any cabin overbooked?"),
              HasSubstr("\n\nNot answered: what is \"overbooked\". Nothing here tells which rows "
                        "overlap in time"));
  EXPECT_THAT(answer_to("cabins", "What is the forecast of bookings?"),
              HasSubstr("\n\nNot answered: \"forecast\". Nothing here tells what is to come"));
}

}  // namespace
}  // namespace insights::testing
