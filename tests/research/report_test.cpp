// How a report is set: marks of quotation, dates, tables and paragraphs.
#include "research/report.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace research {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A statement of one of two pages, word for word.
Statement quote(const std::string& text, const std::string& page = "mill") {
  Finding finding;
  finding.quote = text;
  finding.url = "https://village.example/" + page;
  finding.path = "/" + page;
  finding.title = page;
  finding.date = page == "mill" ? "2024-01-01" : "2025-03-01";
  finding.written = finding.date;
  return {text, finding};
}

std::string report_of(std::vector<Statement> statements, const std::string& topic = "mill") {
  Synthesis made;
  made.topic = topic;
  made.made_by = "extractive";
  made.sections = {{"goal-1", "Wheels", {{std::move(statements)}}}};
  return markdown(made);
}

TEST(ReportText, APageThatSaysWeIsQuotedAsAWhole) {
  EXPECT_THAT(report_of({quote("The wheel is of oak."), quote("We turn it by hand.")}),
              HasSubstr("\u201CThe wheel is of oak. We turn it by hand.\u201D [1]"));
  EXPECT_THAT(report_of({quote("The wheel is of oak."), quote("It is turned by hand.")}),
              Not(HasSubstr("\u201C")));
}

TEST(ReportText, WhatAModelWordedIsNoQuotation) {
  Statement worded = quote("We turn it by hand.");
  worded.text = "We turn the wheel by hand.";
  EXPECT_THAT(report_of({worded}), Not(HasSubstr("\u201C")));
}

TEST(ReportText, WhatStandsWithAPageOfAnotherDayHasItsDate) {
  EXPECT_THAT(report_of({quote("It grinds 40 sacks."), quote("It grinds 70 sacks.", "news")}),
              HasSubstr("It grinds 40 sacks. [1]\nLater (2025-03-01): It grinds 70 sacks. [2]\n"));
  EXPECT_THAT(report_of({quote("It grinds 70 sacks.", "news"), quote("It grinds 40 sacks.")}),
              HasSubstr("[1]\nEarlier (2024-01-01): It grinds 40 sacks. [2]\n"));
}

TEST(ReportText, AnEntryOfAnotherDayOnOnePageHasItsDate) {
  Statement later = quote("It grinds 70 sacks.");
  later.finding.written = "2025-05-01";
  EXPECT_THAT(report_of({quote("It grinds 40 sacks."), later}),
              HasSubstr("It grinds 40 sacks. [1]\nLater (2025-05-01): It grinds 70 sacks. [1]\n"));
}

TEST(ReportText, WhatStandsWithAPageWithoutADateIsLaterOnlyIfItSaysSo) {
  Statement undated = quote("It grinds 40 sacks.");
  undated.finding.written.clear();
  undated.finding.place = 3;
  Statement dated = quote("It grinds 70 sacks.", "news");
  dated.finding.place = 7;
  EXPECT_THAT(report_of({undated, dated}), HasSubstr("[1]\nOn 2025-03-01: It grinds 70 sacks."));
  EXPECT_THAT(report_of({dated, undated}),
              HasSubstr("[1]\nWithout a date: It grinds 40 sacks. [2]"));
  undated.finding.newer = {7};
  EXPECT_THAT(report_of({undated, dated}),
              HasSubstr("[1]\nLater (2025-03-01): It grinds 70 sacks."));
}

TEST(ReportText, AnEllipsisStandsWhereThePageSaysSomethingInBetween) {
  std::vector<Statement> all{quote("It is of oak."), quote("It turns."), quote("It is old.")};
  all[0].finding.place = 4;
  all[1].finding.place = 5;
  all[2].finding.place = 7;
  EXPECT_THAT(report_of(all), HasSubstr("It is of oak. It turns. \u2026 It is old. [1]"));
}

TEST(ReportText, ALongRunOfOnePageIsDividedWhereThePageIs) {
  std::string tale = "The wheel turns";
  for (int i = 0; i < 90; ++i) tale += " on";
  Statement next = quote("The stones are new.");
  next.finding.passage = 1;
  EXPECT_THAT(report_of({quote(tale + "."), next}),
              HasSubstr(" on. [1]\n\nThe stones are new. [1]\n"));
  EXPECT_THAT(report_of({quote("The wheel turns."), next}),
              HasSubstr("The wheel turns. The stones are new. [1]"));
}

TEST(ReportText, WhatStandsBelowOneHeadingOfAPageIsAListOfClaimsEachWithItsNumber) {
  std::vector<Statement> all{quote("It grinds 40 sacks."), quote("It is of oak."),
                             quote("Rye | 12 crowns"), quote("It grinds 70 sacks.", "news")};
  for (Statement& one : all) one.finding.heading = "The wheel";
  all[2].finding.columns = "Flour | Price";
  Synthesis made;
  made.topic = "mill";
  made.made_by = "extractive";
  made.sections = {{"goal-1", "Wheels", {{{all[0], all[3]}}, {{all[1]}}, {{all[2]}}}}};
  EXPECT_THAT(markdown(made),
              HasSubstr("\n**The wheel.**\n\n- It grinds 40 sacks. [1]\n"
                        "  Later (2025-03-01): It grinds 70 sacks. [2]\n- It is of oak. [1]\n"
                        "\n| Flour | Price |\n| --- | --- |\n| Rye | 12 crowns |\n"));
  made.sections[0].paragraphs.pop_back();
  made.sections[0].paragraphs.pop_back();
  EXPECT_THAT(markdown(made), HasSubstr("\n**The wheel.** It grinds 40 sacks. [1]\nLater ("));
}

TEST(ReportText, AShortHeadingOfAnotherPageComesAfterTheTitleOfThatPage) {
  std::vector<Statement> all{quote("It is of oak."), quote("It grinds 70 sacks.", "news"),
                             quote("It costs 12 crowns.", "news")};
  all[0].finding.heading = "The wheel";
  all[1].finding.heading = "Last year";
  all[2].finding.heading = "Prices";
  Synthesis made;
  made.topic = "mill";
  made.made_by = "extractive";
  made.sections = {{"goal-1", "mill", {{{all[0]}}, {{all[1]}}, {{all[2]}}}}};
  EXPECT_THAT(markdown(made), HasSubstr("**The wheel.** It is of oak. [1]\n\n"
                                        "**news: Last year.** It grinds 70 sacks. [2]\n\n"
                                        "**Prices.** It costs 12 crowns. [2]\n"));
}

TEST(ReportText, ATableHasItsNumberOnce) {
  Statement row = quote("Rye | 12 crowns");
  row.finding.columns = "Flour | Price";
  EXPECT_THAT(report_of({row}), HasSubstr("[1]\n\n| Flour | Price |\n| --- | --- |\n| Rye |"));
  EXPECT_THAT(report_of({quote("Flour is sold."), row}),
              HasSubstr("Flour is sold. [1]\n\n| Flour | Price |"));
}

TEST(ReportText, DefinitionsAreALineEachBehindTheirTerms) {
  std::vector<Statement> all{quote("A wheel below water."), quote("12 crowns.")};
  all[0].finding.columns = "undershot";
  all[1].finding.columns = "toll | fee";
  all[0].finding.heading = all[1].finding.heading = "Words";
  EXPECT_THAT(report_of(all), HasSubstr("\n**Words.**\n\n- **undershot**: A wheel below water.\n"
                                        "- **toll | fee**: 12 crowns. [1]\n"));
}

TEST(ReportText, WhatAModelSaysOfARowIsASentenceWithTheRowUnderIt) {
  Statement worded = quote("Rye | 12 crowns");
  worded.text = "Rye costs 12 crowns.";
  worded.finding.columns = "Flour | Price";
  EXPECT_THAT(report_of({worded}), HasSubstr("** Rye costs 12 crowns. [1]\n  > Rye | 12 crowns\n"));
}

TEST(ReportText, TheTitleBeginsWithACapital) {
  EXPECT_THAT(report_of({quote("It turns.")}, "mill wheels"), HasSubstr("# Mill wheels\n"));
}

}  // namespace
}  // namespace research
