// Sources that are tables, and how words are compared.
#include "memo/records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/gathering.hpp"
#include "memo/ranking.hpp"
#include "memo/source.hpp"
#include "memo/stemming.hpp"
#include "memo/table.hpp"

namespace memo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Cells = std::vector<std::string>;

TEST(Csv, QuotedCellsMayHoldSeparatorsQuotesAndLines) {
  const Rows read = csv_rows("Item,Note\n\"a, b\",\"said \"\"no\"\"\nand left\"\n");
  EXPECT_EQ(read.columns, (Cells{"Item", "Note"}));
  EXPECT_THAT(read.rows, ElementsAre(Cells{"a, b", "said \"no\"\nand left"}));
}

TEST(Csv, SemicolonsAndTabsSeparateToo) {
  EXPECT_EQ(csv_rows("a;b\n1,5;2\n").rows[0], (Cells{"1,5", "2"}));
  EXPECT_EQ(csv_rows("a\tb\n1\t2\n").rows[0], (Cells{"1", "2"}));
}

TEST(Csv, RowsAreAsWideAsTheHeaderAndAMarkOfByteOrderIsNoName) {
  const Rows read = csv_rows(
      "\xEF\xBB\xBF"
      "a,b\r\n1\r\n1,2,3\r\n");
  EXPECT_EQ(read.columns[0], "a");
  EXPECT_THAT(read.rows, ElementsAre(Cells{"1", ""}, Cells{"1", "2"}));
}

TEST(Csv, QuotationMarkInsideACellIsACharacter) {
  EXPECT_EQ(csv_rows("Article,Price\nCup \"Blue\",8.20\n").rows[0],
            (Cells{"Cup \"Blue\"", "8.20"}));
}

TEST(Csv, OpenQuotationIsAnErrorThatNamesFileAndLine) {
  for (const std::string rest : {"", "3,4\n", "\"3\",4\n"}) {
    try {
      make_source("cap.csv", "a,b\n1,\"two\nlines\"\n\"open,2\n" + rest);
      ADD_FAILURE() << "no error";
    } catch (const SourceError& error) {
      EXPECT_THAT(error.what(), HasSubstr("source cap.csv cannot be read: line 4: a cell begins"));
    }
  }
}

TEST(Csv, ALineAboveTheNamesOfTheColumnsIsATitle) {
  for (const std::string title : {"# Mills, EUR thousand\n", "Mills in the north\n\n",
                                  "# Mills; flour, bread, cakes and more\n",
                                  "Mills; EUR thousand\n", "Mills; 2024; EUR\n\n"}) {
    const Rows read = csv_rows(title + "item,2023,2024\nFlour,5,6\nBread,7,8\n# end\n");
    EXPECT_EQ(read.columns, (Cells{"item", "2023", "2024"})) << title;
    EXPECT_THAT(read.rows, ElementsAre(Cells{"Flour", "5", "6"}, Cells{"Bread", "7", "8"}));
  }
  EXPECT_EQ(records_table(make_source("m.csv", "# Mills, EUR\na,b\n1,2\n")).caption, "Mills, EUR");
  EXPECT_EQ(date_of(make_source("m.csv", "Mills, 2024-05-31\nat\na;b;c\n1;2;3\n")), "");
  EXPECT_EQ(date_of(make_source("m.csv", "Mills on 2024-05-31\na,b\n1,2\n")), "2024-05-31");
}

TEST(Csv, ANumberSignInACellIsNoComment) {
  const Rows read = csv_rows("#;Item;ARR\n1;Flour;5\n2;Bread;7\n");
  EXPECT_EQ(read.columns, (Cells{"#", "Item", "ARR"}));
  EXPECT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(csv_rows("item,2024\n# of mills,31\n# staff,9\n").rows.size(), 2U);
}

TEST(Csv, WhatDividesMostLinesAlikeIsTheSeparator) {
  const Rows read = csv_rows("Mills, bread, EUR\nitem;2023;2024\nFlour;5,1;6\nBread;7,5;8,2\n");
  EXPECT_EQ(read.columns, (Cells{"item", "2023", "2024"}));
  EXPECT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(csv_rows("item,note\na,\"x; y; z\"\nb,\"u; v; w\"\n").columns.size(), 2U);
}

TEST(Csv, EmptyTextHasNoRows) { EXPECT_TRUE(csv_rows("").columns.empty()); }

TEST(Yaml, MapsInAListAreRowsAndListsInThemCells) {
  const Rows read = yaml_rows("- name: Ann\n  tags: [a, b]\n- role: >\n    Head\n    of it\n");
  EXPECT_EQ(read.columns, (Cells{"name", "tags", "role"}));
  EXPECT_THAT(read.rows, ElementsAre(Cells{"Ann", "a, b", ""}, Cells{"", "", "Head of it\n"}));
}

TEST(Yaml, AMapIsATableOfItsKeys) {
  EXPECT_THAT(yaml_rows("price: 5 €\nunit: kg\n").rows,
              ElementsAre(Cells{"price", "5 €"}, Cells{"unit", "kg"}));
}

TEST(Yaml, MapsInAMapAreRowsUnderBothKeys) {
  EXPECT_THAT(yaml_rows("company:\n  legal_name: Acme AB\nmanagement:\n  - name: Ada Byron\n"
                        "    role: president\n")
                  .rows,
              ElementsAre(Cells{"company legal name", "Acme AB"},
                          Cells{"management", "Ada Byron, president"}));
}

TEST(Yaml, AListOfPhrasesIsARowForEach) {
  EXPECT_THAT(yaml_rows("days: [Mon, Fri]\nrules:\n  - open to all who bake\n  - no dogs\n").rows,
              ElementsAre(Cells{"days", "Mon, Fri"}, Cells{"rules", "open to all who bake"},
                          Cells{"rules", "no dogs"}));
}

TEST(Yaml, WhatIsNoYamlIsAnErrorThatNamesFileAndLine) {
  try {
    make_source("team.yml", "- a: [1\n- b");
    ADD_FAILURE() << "no error";
  } catch (const SourceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("source team.yml cannot be read: yaml-cpp: error at line"));
  }
}

TEST(Table, ARowSaysWhatItsCellsSay) {
  const auto tables = raw_tables_in(make_source("m.csv", "Figure,2024,2025\nFees,€30,€40\n"));
  EXPECT_THAT(row_statements(tables[0]), ElementsAre("Fees: 2024 €30; 2025 €40."));
  const auto pairs = raw_tables_in(make_source("m.csv", "Name,Value\nFees,€30\nBank,North\n"));
  EXPECT_THAT(row_statements(pairs[0]), ElementsAre("Fees: €30.", ""));
}

TEST(Table, AValueIsSaidWithItsUnitAndARemarkWithoutItsName) {
  const auto sheet = raw_tables_in(
      make_source("m.csv", "item,value,unit,as_of,remark\nMills,31,mills,2026-02,two are new\n"));
  EXPECT_THAT(row_statements(sheet[0]),
              ElementsAre("Mills: 31 mills; As of 2026-02; two are new."));
}

TEST(Table, KeepsTheYearsOfALongOneAndLeavesOutLongWords) {
  const auto table = tables_in(make_source(
      "m.csv",
      "item,2022,2023,2024,2025 forecast,2026,2027,remark\nFlour,5,6,7,8.25,9,10,of the "
      "two mills in the north\n"))[0];
  EXPECT_EQ(table.columns,
            (Cells{"Item", "2022", "2023", "2024", "2025 forecast", "2026", "2027"}));
  std::string years = "item";
  std::string values = "Flour";
  for (int year = 2010; year < 2022; ++year) {
    years += ',' + std::to_string(year);
    values += ',' + std::to_string(2 * year);
  }
  const auto longer = tables_in(make_source("m.csv", years + '\n' + values + '\n'))[0];
  EXPECT_EQ(longer.columns.size(), 10U);
  EXPECT_EQ(longer.columns[1], "2013");
  EXPECT_EQ(longer.columns.back(), "2021");
}

TEST(Corpus, FindsRowsOfTablesAndItemsWithFigures) {
  const Corpus corpus{{make_source("m.csv", "Figure,2025\nAnnual churn,3%\n"),
                       make_source("d.md", "# D\n\n## Market\n\n- Total market: €2 billion\n")}};
  const Topic churn{"a", "A", "?", "", {"churn"}};
  const Topic market{"b", "B", "?", "", {"total market"}};
  const Ranking ranking{corpus, {churn, market}};
  EXPECT_EQ(ranking.best(churn, 3).at(0).text, "Annual churn: 3%.");
  EXPECT_EQ(ranking.best(market, 3).at(0).text, "Total market: €2 billion.");
  EXPECT_TRUE(corpus.holds("m.csv", "Annual churn: 3%."));
}

TEST(Stems, AWordEndsAtAQuotationMarkOrDash) {
  EXPECT_THAT(lower_words("“Five hours” – we don’t…"), ElementsAre("five", "hours", "we", "don’t"));
}

TEST(Stems, OneWordInItsFormsIsOneTerm) {
  EXPECT_EQ(stem_of("mitigation"), stem_of("mitigated"));
  EXPECT_EQ(stem_of("utilities"), stem_of("utility"));
  EXPECT_EQ(stem_of("founded"), stem_of("founding"));
  EXPECT_NE(stem_of("founded"), stem_of("found"));
}

TEST(Signs, AreFoundByStemsLettersHeadAndHeading) {
  EXPECT_TRUE(Signs{{"is billed"}}.in_text(WordIndex{"Each seat is billing monthly."}));
  EXPECT_FALSE(Signs{{"billed"}}.in_text(WordIndex{"The billboard is new."}));
  EXPECT_TRUE(Signs{{"bill*"}}.in_text(WordIndex{"The billboard is new."}));
  EXPECT_TRUE(Signs{{"costs $"}}.in_text(WordIndex{"It costs $5."}));
  EXPECT_FALSE(Signs{{"costs $"}}.in_text(WordIndex{"It costs little."}));
  EXPECT_TRUE(Signs{{"^acme.org"}}.in_text(WordIndex{"Acme.org makes soap."}));
  EXPECT_FALSE(Signs{{"^acme.org"}}.in_text(WordIndex{"Soap by acme.org."}));
  EXPECT_FALSE(Signs{{"#market"}}.in_text(WordIndex{"A market."}));
  EXPECT_TRUE(Signs{{"#market"}}.in_heading(WordIndex{"Our market"}));
  EXPECT_FALSE(Signs{{"#market"}}.in_heading(
      WordIndex{"What we saw at the fair, on the market and on the way home"}));
}

TEST(Signs, MayAskForAFigureOrForMoney) {
  EXPECT_TRUE(Signs{{"signed & 0"}}.in_text(WordIndex{"We signed 3 resellers."}));
  EXPECT_FALSE(Signs{{"signed & 0"}}.in_text(WordIndex{"Each is signed on the back."}));
  EXPECT_TRUE(Signs{{"a month & $"}}.in_text(WordIndex{"It is €5 a month."}));
  EXPECT_FALSE(Signs{{"a month & $"}}.in_text(WordIndex{"88,000 parcels a month."}));
}

}  // namespace
}  // namespace memo
