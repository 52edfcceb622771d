// Slides and reports as a person reads them.
#include "memo/pages.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/ranking.hpp"
#include "memo/source.hpp"
#include "memo_run.hpp"

namespace memo::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

bool has_pdftotext() { return std::system("command -v pdftotext >/dev/null") == 0; }

/// Words of a slide, in points from its lower left corner.
struct Words {
  int x = 0;
  int y = 0;
  std::string text;
};

std::string object(std::size_t number, const std::string& body) {
  return std::to_string(number) + " 0 obj" + body + "endobj\n";
}

/// A PDF with a page for each list of words.
std::string pdf_of(const std::vector<std::vector<Words>>& pages) {
  std::string kids;
  std::string objects;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto number = 4 + 2 * i;
    std::string drawn = "BT /F1 16 Tf ";
    for (const auto& [x, y, text] : pages[i]) {
      drawn += "1 0 0 1 " + std::to_string(x) + ' ' + std::to_string(y) + " Tm (" + text + ") Tj ";
    }
    drawn += "ET";
    kids += std::to_string(number) + " 0 R ";
    objects +=
        object(number, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 720 405]/Contents " +
                           std::to_string(number + 1) + " 0 R/Resources<</Font<</F1 3 0 R>>>>>>");
    objects += object(number + 1, "<</Length " + std::to_string(drawn.size()) + ">>stream\n" +
                                      drawn + "\nendstream ");
  }
  return "%PDF-1.4\n" + object(1, "<</Type/Catalog/Pages 2 0 R>>") +
         object(2,
                "<</Type/Pages/Kids[" + kids + "]/Count " + std::to_string(pages.size()) + ">>") +
         object(3, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>") +
         objects + "trailer<</Root 1 0 R/Size " + std::to_string(4 + 2 * pages.size()) +
         ">>\n%%EOF\n";
}

std::vector<std::string> statements_of(const Source& source) {
  std::vector<std::string> texts;
  const Corpus corpus{{source}};
  for (const auto& passage : corpus.passages()) {
    texts.push_back((passage.heading.empty() ? "" : passage.heading + " / ") + passage.text);
  }
  return texts;
}

std::vector<std::string> statements_of(const std::string& text) {
  return statements_of(make_source("deck.txt", text));
}

/// Five slides without a full stop.
std::string deck() {
  return pdf_of(
      {{{40, 320, "Ostrel"}, {40, 290, "Rental bikes for farm workers"}},
       {{40, 320, "Market"}, {40, 290, "\x95 Farms in Spain spend 90 million euros on buses"}},
       {{40, 320, "Traction"},
        {40, 290, "Year"},
        {200, 290, "2024"},
        {300, 290, "2025"},
        {40, 260, "Farms"},
        {200, 260, "12"},
        {300, 260, "58"},
        {40, 230, "Churn"},
        {200, 230, "6%"},
        {300, 230, "4%"}},
       {{40, 320, "Team"},
        {40, 290, "\x95 Lena Hart, CEO: ran a bus line for eleven years and sold"},
        {54, 270, "it to the region"},
        {40, 240, "Moat"},
        {40, 210, "\x95 We own the only licence for bikes on field tracks"}},
       {{40, 320, "The ask"},
        {40, 290, "Raising 2.5 million euros at 9 million euros pre-money"},
        {40, 260, "18 months of runway"}}});
}

TEST(Pdf, SlidesHaveHeadingsItemsAndTables) {
  if (!has_pdftotext()) GTEST_SKIP() << "pdftotext is not installed";
  const Source source = make_source("slides.pdf", deck());
  EXPECT_EQ(source.title, "Ostrel");
  EXPECT_THAT(
      statements_of(source),
      ElementsAre("Ostrel / Rental bikes for farm workers.",
                  "Market / Farms in Spain spend 90 million euros on buses.",
                  "Team / Lena Hart, CEO: ran a bus line for eleven years and sold it to the "
                  "region.",
                  "Moat / We own the only licence for bikes on field tracks.",
                  "The ask / Raising 2.5 million euros at 9 million euros pre-money.",
                  "The ask / 18 months of runway.", "Traction / Farms: 2024 12; 2025 58.",
                  "Traction / Churn: 2024 6%; 2025 4%."));
}

TEST(Pdf, ADeckAloneAnswersWhatItsSlidesSay) {
  if (!has_pdftotext()) GTEST_SKIP() << "pdftotext is not installed";
  ExtractiveProvider provider;
  const auto run = run_memo({provider, {}, {}}, {"Ostrel"}, {make_source("deck.pdf", deck())});
  for (const std::string topic :
       {"market.size", "traction.users", "funding.rounds", "funding.terms", "thesis.edge"}) {
    EXPECT_EQ(std::ranges::count(run.found.silent, topic), 0) << topic;
  }
  EXPECT_THAT(run.state.final_memo, HasSubstr("Lena Hart, CEO: ran a bus line"));
  EXPECT_EQ(run.validation.citation_validation->invalid.size(), 0U);
}

TEST(Pdf, WhatIsNoPdfIsAnErrorThatNamesTheFile) {
  try {
    make_source("deck.pdf", "no PDF");
    ADD_FAILURE() << "no error";
  } catch (const SourceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("source deck.pdf cannot be read: pdftotext "));
  }
}

TEST(Pages, AShortFirstLineIsAHeadingAndSoIsOneBeforeAList) {
  EXPECT_THAT(statements_of("The field\nOur bikes stand in 40 villages\n\nThe money\n"
                            "• Rents cover the cost of all repairs\n"),
              ElementsAre("The field / Our bikes stand in 40 villages.",
                          "The money / Rents cover the cost of all repairs."));
  EXPECT_THAT(statements_of("What we learned in our first year is this\nfrom 40 villages\f"
                            "Numbers of 2025\n- 58 farms\n"),
              ElementsAre("What we learned in our first year is this from 40 villages.",
                          "Numbers of 2025 / Numbers of 2025.", "Numbers of 2025 / 58 farms."));
}

TEST(Pages, EveryBulletBeginsAnItem) {
  for (const std::string bullet : {"•", "-", "–", "*", "▪", "o ", "\uf0b7", "3.", "(1)"}) {
    EXPECT_THAT(
        statements_of("Risks\n" + bullet + " Bikes are stolen at night\n  " + bullet +
                      "  Rain keeps the workers away\n"),
        ElementsAre("Risks / Bikes are stolen at night.", "Risks / Rain keeps the workers away."))
        << bullet;
  }
}

TEST(Pages, ALineThatGoesOnJoinsTheOneBefore) {
  EXPECT_THAT(statements_of("Plan\n• Bikes for Portugal, where\n  Ada Byron leads the team\n"
                            "We open in the harbour of\nPorto with 30 bikes\n"
                            "A depot follows in 2027\n"),
              ElementsAre("Plan / Bikes for Portugal, where Ada Byron leads the team.",
                          "Plan / We open in the harbour of Porto with 30 bikes.",
                          "Plan / A depot follows in 2027."));
}

TEST(Pages, ProseIsReadOverLinesAndPages) {
  EXPECT_THAT(statements_of("1.1 Offer\n\nOstrel rents bikes to the workers of large farms in\n"
                            "Spain, who ride them from their village to the fields and back\n"
                            "again. The farms pay a fixed sum for each worker and month, which\f"
                            "covers all repairs.\n"),
              ElementsAre("Offer / Ostrel rents bikes to the workers of large farms in Spain, who "
                          "ride them from their village to the fields and back again.",
                          "Offer / The farms pay a fixed sum for each worker and month, which "
                          "covers all repairs."));
}

TEST(Pages, WhatStandsOnMostPagesIsReadOnce) {
  const auto text = markdown_of_pages(
      "Ostrel\nBikes for farm workers\nConfidential   1\fOstrel\nMarket\n40,000 farms\n"
      "Confidential   2\fOstrel\nTeam\nLena Hart leads it\nConfidential   3\n");
  EXPECT_THAT(text, HasSubstr("# Ostrel"));
  EXPECT_THAT(text, Not(HasSubstr("## Ostrel")));
  EXPECT_THAT(text, Not(HasSubstr("Confidential")));
}

TEST(Pages, ColumnsOfShortCellsAreATable) {
  EXPECT_THAT(statements_of("Rivals\n                 Ostrel    Bus line\n"
                            "Price a month    90 €      120 €\n\n"
                            "Runs at night    yes       no, only\n"
                            "                           on Fridays\n"
                            "Bikes for each   2         none\n"
                            "worker\n"),
              ElementsAre("Rivals / Price a month: Ostrel 90 €; Bus line 120 €.",
                          "Rivals / Runs at night: Ostrel yes; Bus line no, only on Fridays.",
                          "Rivals / Bikes for each worker: Ostrel 2; Bus line none."));
}

TEST(Pages, RowsWithoutAHeaderAreItems) {
  EXPECT_THAT(
      statements_of("Facts\nFounded      2021\nEmployees    23\nVillages     40\n"),
      ElementsAre("Facts / Founded: 2021.", "Facts / Employees: 23.", "Facts / Villages: 40."));
  EXPECT_THAT(statements_of("Growth\nFarms     12     58\nChurn     6%     4%\n"),
              ElementsAre("Growth / Farms: 12, 58.", "Growth / Churn: 6%, 4%."));
}

TEST(Pages, FiguresStandAboveOrBelowTheirNames) {
  EXPECT_THAT(statements_of("Today\n    €236k     58        4%\n    ARR       farms     churn\n"),
              ElementsAre("Today / ARR: €236k.", "Today / farms: 58.", "Today / churn: 4%."));
}

TEST(Pages, TextsSideBySideAreReadOneAfterTheOther) {
  EXPECT_THAT(statements_of("Model\n\nMarket                         Prices\n"
                            "• 40,000 farms in Spain        • 90 € for each worker\n"
                            "• Farms pay 90 million € a     • 71% of it is margin\n"
                            "  year for buses\n"),
              ElementsAre("Market / 40,000 farms in Spain.",
                          "Market / Farms pay 90 million € a year for buses.",
                          "Prices / 90 € for each worker.", "Prices / 71% of it is margin."));
  EXPECT_THAT(statements_of("Team\nLena Hart               Tom Vale\nCEO                     CTO\n"
                            "Ran a bus line for      Built brakes for\n"
                            "eleven years            two bike makers\n"),
              ElementsAre("Team / Lena Hart: CEO, Ran a bus line for eleven years.",
                          "Team / Tom Vale: CTO, Built brakes for two bike makers."));
}

TEST(Pages, AShortItemMayEndWithAFullStop) {
  EXPECT_THAT(statements_of("Risks\n• Bikes may be stolen.\n• Rain.\n"),
              ElementsAre("Risks / Bikes may be stolen."));
}

TEST(Pages, OtherPlainTextsKeepTheirLines) {
  EXPECT_EQ(make_source("mail.txt", "Dear Ann,\nit  works.\n").text, "Dear Ann,\nit  works.\n");
}

}  // namespace
}  // namespace memo::testing
