// That a report has no more words than it may have, counted as they are written.
#include "research/shortening.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "research/report.hpp"
#include "research/text.hpp"

namespace research {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Statement chosen(std::size_t rank, const std::string& text) {
  Finding finding;
  finding.quote = text;
  finding.url = "https://village.example/mill";
  finding.path = "/mill";
  finding.rank = rank;
  return {text, finding};
}

/// A report of two sections of one paragraph each.
Synthesis made_of(std::vector<Statement> first, std::vector<Statement> second) {
  Synthesis made;
  made.topic = "mill";
  made.made_by = "extractive";
  made.sections = {{"goal-1", "Wheels", {{std::move(first)}}},
                   {"goal-2", "Stones", {{std::move(second)}}}};
  return made;
}

std::vector<std::string> texts_of(const Synthesis& made) {
  std::vector<std::string> texts;
  for (const Statement& one : made.lead) texts.push_back(one.text);
  for (const Section& section : made.sections) {
    EXPECT_FALSE(section.paragraphs.empty());
    for (const Paragraph& paragraph : section.paragraphs) {
      EXPECT_FALSE(paragraph.statements.empty());
      for (const Statement& one : paragraph.statements) texts.push_back(one.text);
    }
  }
  return texts;
}

/// With a section for each page.
std::size_t words_of(const Synthesis& made) { return count_words(markdown(shortened(made, 0))); }

TEST(Shortening, LeavesOutWhatWasChosenLastWithWhatBelongsToIt) {
  const Synthesis made =
      made_of({chosen(2, "The wheel is of oak."), chosen(3, "It has 12 new buckets, not 9.")},
              {chosen(3, "Nine buckets hang on it."), chosen(1, "The stones are of quartz.")});
  const std::size_t all = words_of(made);
  EXPECT_THAT(texts_of(shortened(made, all)), texts_of(made));
  const Synthesis fewer = shortened(made, all - 1);
  EXPECT_THAT(texts_of(fewer), ElementsAre("The wheel is of oak.", "The stones are of quartz."));
  EXPECT_LE(words_of(fewer), all - 1);
  EXPECT_THAT(texts_of(shortened(made, 0)), texts_of(made)) << "no limit";
}

TEST(Shortening, LeavesOutFirstWhatWasNotChosenForTheReport) {
  Synthesis made = made_of({chosen(1, "The wheel is of oak.")}, {chosen(0, "Dogs stay out.")});
  made.lead = {chosen(2, "The mill grinds rye.")};
  EXPECT_THAT(texts_of(shortened(made, words_of(made) - 1)),
              ElementsAre("The mill grinds rye.", "The wheel is of oak."));
}

TEST(Shortening, TakesBackWhatStillFits) {
  const Synthesis made = made_of(
      {chosen(1, "The wheel is of oak."), chosen(2, "The race is dug again each spring by all.")},
      {chosen(3, "Rye is ground.")});
  EXPECT_THAT(texts_of(shortened(made, words_of(made) - 6)),
              ElementsAre("The wheel is of oak.", "Rye is ground."));
}

TEST(Shortening, LeavesSomething) {
  const Synthesis made = made_of({chosen(1, "The wheel is of oak.")}, {chosen(2, "Rye.")});
  EXPECT_THAT(texts_of(shortened(made, 1)), ElementsAre("The wheel is of oak."));
  EXPECT_THAT(texts_of(shortened({}, 1)), IsEmpty());
}

TEST(Shortening, ANumberThatRepeatsTheOneBeforeIsNoWord) {
  EXPECT_EQ(count_words("It turns. [12] So it does. [12] It stops. [3]"), 9U);
}

/// A statement of a page, below its heading.
Statement of_page(std::size_t rank, const std::string& title, const std::string& text) {
  Statement one = chosen(rank, text);
  one.finding.title = title;
  one.finding.url += "/" + title;
  one.finding.heading = title;
  return one;
}

TEST(Shortening, PutsTogetherWhatIsLeftOfAPlaceAndNamesTheSectionAfterIt) {
  Synthesis made = made_of({}, {chosen(1, "The stones are of quartz.")});
  made.sections[0].paragraphs = {
      {{of_page(2, "Oak", "The axle is of oak.")}},
      {{of_page(4, "Race", "The race is of stone.")}},
      {{of_page(9, "Wheels", "It has nine buckets."), of_page(3, "Oak", "The door is of oak.")}}};
  const Synthesis fewer = shortened(made, words_of(made) - 1);
  EXPECT_THAT(texts_of(fewer), ElementsAre("The axle is of oak.", "The door is of oak.",
                                           "The race is of stone.", "The stones are of quartz."));
  ASSERT_EQ(fewer.sections.size(), 3U);
  EXPECT_EQ(fewer.sections[0].paragraphs.size(), 2U);
  EXPECT_EQ(fewer.sections[0].heading, "Oak");
}

TEST(Shortening, BringsWhatIsLeftOfAPageToTheSectionThatIsNamedAfterIt) {
  Statement left = chosen(2, "It has nine buckets.");
  left.finding.url = "https://village.example/wheels";
  left.finding.title = "Wheels";
  Statement out = chosen(3, "It has 12 buckets, not nine, as somebody had thought.");
  out.finding.title = "Stones";
  Statement own = chosen(1, "The stones are of quartz.");
  own.finding.title = "Stones";
  Statement wheel = left;
  wheel.text = wheel.finding.quote = "The wheel is of oak.";
  wheel.finding.rank = 1;
  Synthesis made = made_of({wheel}, {out, left});
  made.sections[1].paragraphs.push_back({{own}});
  const Synthesis fewer = shortened(made, words_of(made) - 1);
  ASSERT_EQ(fewer.sections.size(), 2U);
  EXPECT_THAT(texts_of(fewer), ElementsAre("The wheel is of oak.", "It has nine buckets.",
                                           "The stones are of quartz."));
  EXPECT_EQ(fewer.sections[1].paragraphs.size(), 1U);
}

}  // namespace
}  // namespace research
