#include "memo/titles.hpp"

#include <gtest/gtest.h>

#include "memo/markdown.hpp"
#include "memo/ranking.hpp"

namespace memo {
namespace {

/// The heading above the last block of `text`.
std::string heading_above(std::string_view text) {
  const auto all = blocks(text);
  return all.empty() ? std::string{} : all.back().heading;
}

TEST(Titles, AShortLineAboveAParagraphIsItsHeading) {
  EXPECT_EQ(heading_above("What happened\nOn 3 May a pump failed."), "What happened");
  EXPECT_EQ(heading_above("2. Outage\nThe pump stood still for an hour."), "Outage");
}

TEST(Titles, TheNumberOfAHeadingIsNoPartOfIt) {
  EXPECT_EQ(heading_above("## 4 · Rivals\n\nThere are two."), "Rivals");
  EXPECT_EQ(heading_above("## 10. Staff\n\nEleven people work here."), "Staff");
  EXPECT_EQ(heading_above("**3.1 Who leads it?** Ada Byron does."), "Who leads it?");
  EXPECT_EQ(blocks("**3.1 Who leads it?** Ada Byron.")[0].label, "Who leads it? —");
  EXPECT_EQ(heading_above("## 40 boats\n\nThey lie in Bergen."), "40 boats");
  EXPECT_EQ(heading_above("## 2.5 million boats\n\nThey are small."), "2.5 million boats");
}

TEST(Titles, AQuestionIsTheHeadingOfItsAnswer) {
  const auto all = blocks("Q. What does it cost?\nA. Nine euros a month.");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].heading, "What does it cost?");
  EXPECT_EQ(all[1].text, "Nine euros a month.");
}

TEST(Titles, ListsSalutationsAndWrappedProseAreNone) {
  EXPECT_EQ(heading_above("1. Buy the boat\n2. Sell the boat"), "");
  EXPECT_EQ(heading_above("Dear members,\nThe year was good."), "");
  EXPECT_EQ(heading_above("The boat that we bought last year from the yard in\nBergen sails well."),
            "");
}

TEST(Titles, ABoldLabelWithAFullStopIsNoPartOfItsSentence) {
  const auto all = blocks("3) **Machine 7.** Its scale was off for a week.");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, Block::Kind::item);
  EXPECT_EQ(all[0].text, "Its scale was off for a week.");
  EXPECT_EQ(all[0].heading, "Machine 7");
}

TEST(Titles, AWordOrTwoInFrontOfAParagraphAreItsLabel) {
  const auto all = blocks("Prices. A year with the boat costs nine euros.");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].heading, "Prices");
  EXPECT_EQ(all[0].label, "Prices:");
  EXPECT_EQ(all[0].text, "A year with the boat costs nine euros.");
  EXPECT_EQ(blocks("Boat no. 7 sails on.")[0].label, "");
  EXPECT_EQ(blocks("The long and windy year was good. We sold a boat.")[0].label, "");
}

TEST(Titles, ASentenceThatLeansOnItsLabelIsStatedWithIt) {
  const Corpus corpus{{{"a.md", "A", "The round: It is closed at two million euros since May."}}};
  ASSERT_EQ(corpus.passages().size(), 1U);
  EXPECT_EQ(corpus.passages()[0].text, "The round: It is closed at two million euros since May.");
  EXPECT_TRUE(corpus.holds("a.md", corpus.passages()[0].text));
}

TEST(Titles, LinesInTwoColumnsAreNamesAndValues) {
  const auto all = blocks("Power          600 kW of wood chips\nNoise          71 decibels");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].kind, Block::Kind::item);
  EXPECT_EQ(all[0].text, "Power: 600 kW of wood chips");
  EXPECT_EQ(all[1].text, "Noise: 71 decibels");
  EXPECT_NE(blocks("Jan   12   14")[0].kind, Block::Kind::item) << "a row of three columns";
}

}  // namespace
}  // namespace memo
