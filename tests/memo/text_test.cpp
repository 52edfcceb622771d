// A memo read back: what is a statement in it, what it cites, and how its score comes about.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/memo_text.hpp"
#include "memo/sources.hpp"
#include "memo/stages.hpp"
#include "memo_run.hpp"

namespace memo::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// `text|citation,citation` of each statement.
std::vector<std::string> read(const std::string& markdown, const std::set<std::string>& own = {}) {
  std::vector<std::string> lines;
  for (const auto& statement : statements(markdown, own)) {
    std::string line = statement.text + "|";
    for (const auto& citation : statement.citations) line += citation + ",";
    lines.push_back(line);
  }
  return lines;
}

TEST(MemoText, AMarkBelongsToTheStatementBeforeItAndToNoneFurther) {
  EXPECT_THAT(read("## Team\n\nMine. “One. Two.” [^a.md:1] [^b.md:2] Later 7.\n"),
              ElementsAre("Mine.|", "One. Two.|a.md:1,b.md:2,", "Later 7.|"));
}

TEST(MemoText, RowsItemsAndQuotedLinesAreStatementsHeadsAndRulesAreNone) {
  EXPECT_THAT(
      read("> “Said.” [^a:1]\n\n- [Jo](https://x.example/7) [^b:2]\n\n<!-- viz:table -->\n\n"
           "| Year | Sum |\n| --- | --- |\n| 2024 | 10 [^c:3] |\n"),
      ElementsAre("Said.|a:1,", "Jo|b:2,", "2024 ; 10 ;|c:3,"));
}

TEST(MemoText, TheProgramsOwnLinesAreNoStatementsAndLikeOnesAre) {
  EXPECT_THAT(read("Own line.\n\nOwn line. 7 barges.\n", {"Own line."}),
              ElementsAre("Own line.|", "7 barges.|"));
}

TEST(MemoText, WhatIsEscapedIsReadBackAsItWas) {
  for (const std::string text : {"# 1 *of* [2] <b> `c` a|b", "- x", "back\\slash", "> y"}) {
    EXPECT_EQ(plain(escaped(text)), text);
  }
}

TEST(MemoText, ACitationOfAFileWithBlanksAndBracketsIsReadBack) {
  const Quote quote{"x", "", "my deck [2].md", 12};
  EXPECT_EQ(read("“x” " + citation_mark(quote)).at(0), "x|my deck [2].md:12,");
}

/// A memo of one section, checked against one source.
Validation checked(const std::string& body, const std::vector<Part>& parts = {}) {
  const Sources sources{text::cut("a.md",
                                  "# Boats\n\nAldermere has 12 barges.\n\nTom Bexley leads "
                                  "it.\n\nIt sold 3,400 trips.\n")};
  const std::vector<Brief> briefs{{"boats", "Boats", parts, {}}};
  const std::vector<Section> sections{{"boats", "Boats", "## Boats\n\n" + body + "\n"}};
  const Request request{"Aldermere"};
  const Text draft = cite({"# Aldermere\n"}, sections, briefs);
  model::QuotingProvider provider;
  const auto citations = validate_citations(request, draft, briefs, sources);
  const auto facts = fact_check({provider, {}, {}}, citations, request, draft, briefs, sources);
  return validate(facts, sections, briefs);
}

const std::string good =
    "“Aldermere has 12 barges.” [^a.md:3]\n\n“Tom Bexley leads it.” [^a.md:5]\n\nTrips: 3400. "
    "[^a.md:7]";

TEST(Score, OfWhatTheSourcesSayIsTen) {
  const Validation validation = checked(good);
  EXPECT_EQ(validation.overall_score, 10.0);
  EXPECT_THAT(validation.caps, IsEmpty());
}

TEST(Score, FallsWithEachQuestionThatIsLeftOpen) {
  const Part age{"boats.age", "Age", "How old are they?", {}};
  const Part count{"boats.count", "Count", "How many are there?", {}};
  const std::string open = "\n\n" + silence_item(age) + "\n";
  EXPECT_EQ(checked(good, {age, count}).overall_score, 10.0);
  EXPECT_EQ(checked(good + open, {age, count}).overall_score, 9.5);
  EXPECT_EQ(checked(good + open, {age}).overall_score, 9.0);
}

TEST(Score, IsBelowEightForEachThingThatDoesNotHold) {
  const std::vector<std::pair<std::string, std::string>> additions{
      {"It has 13 barges. [^a.md:3]", "13 stands in nothing that is cited"},
      {"It has 12 barges.", "12 stands in nothing that is cited"},
      {"It floats. [^b.md:1]", "b.md:1, cited for “It floats.”: no source has such a place"},
      {"It floats. [^a.md:99]", "no source has such a place"},
      {"“It floats.” [^a.md:3]", "the quoted words do not stand there"}};
  for (const auto& [addition, why] : additions) {
    const Validation validation = checked(good + "\n\n" + addition);
    EXPECT_LE(validation.overall_score, 7.9) << addition;
    ASSERT_FALSE(validation.caps.empty()) << addition;
    EXPECT_THAT(validation.caps[0], HasSubstr(why));
  }
  EXPECT_LE(checked("“Aldermere has 12 barges.” [^a.md:3]").overall_score, 7.9) << "one statement";
}

TEST(Score, NamesLowerItButDoNotCapIt) {
  const Validation validation = checked(good + "\n\nIt is led by Ines Harrow. [^a.md:5]");
  EXPECT_THAT(validation.caps, IsEmpty());
  EXPECT_LT(validation.overall_score, 10.0);
  EXPECT_EQ(validation.fact_check_results->doubted.back(), "It is led by Ines Harrow.");
}

}  // namespace
}  // namespace memo::testing
