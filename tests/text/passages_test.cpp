#include "text/passages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/html.hpp"
#include "text/tables.hpp"

namespace text {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// `line|title|body` of each passage.
std::vector<std::string> shown(const std::vector<Passage>& passages) {
  std::vector<std::string> lines;
  for (const auto& p : passages)
    lines.push_back(std::to_string(p.line) + "|" + p.title + "|" + p.body);
  return lines;
}

std::vector<std::string> cut_lines(const std::string& file, const std::string& bytes) {
  return shown(cut(file, bytes).passages);
}

TEST(Markdown, ParagraphsItemsAndRowsKnowTheirHeadingsAndLines) {
  EXPECT_THAT(
      cut_lines("a.md",
                "# Ferries\n\nTwo boats\nrun daily.\n\n## Prices\n\n- a ticket is 4 €\n"
                "- children *free*\n\n| Route | Price |\n| --- | --- |\n| North | 4 |\n"
                "| South | |\n\n```\ncode 7\n```\n\n# Crew\n\nMara Lind.\n"),
      ElementsAre("3|Ferries|Two boats run daily.", "8|Ferries / Prices|a ticket is 4 €",
                  "9|Ferries / Prices|children free", "13|Ferries / Prices|Route: North; Price: 4",
                  "14|Ferries / Prices|Route: South", "22|Crew|Mara Lind."));
}

TEST(Markdown, FrontMatterGivesTheTitleAndNoPassage) {
  const auto document =
      cut("a.md", "---\ntitle: \"The quay\"\ndate: 2024-01-02\n---\nIt is old.\n");
  EXPECT_EQ(document.title, "The quay");
  EXPECT_THAT(shown(document.passages), ElementsAre("5|The quay|It is old."));
}

TEST(Markdown, LinksHaveTheirTextTheirLineAndBareOnesNone) {
  const auto document =
      cut("a.md", "See [the *quay*](https://quay.example/x).\n\nOr\nhttps://two.example.\n");
  ASSERT_EQ(document.links.size(), 2U);
  EXPECT_EQ(document.links[0], (Link{"the quay", "https://quay.example/x", 1}));
  EXPECT_EQ(document.links[1].url, "https://two.example");
  EXPECT_EQ(document.links[1].line, 4);
}

TEST(PlainText, AShortLineAloneIsATitleAndItemsStandAlone) {
  EXPECT_THAT(
      cut_lines("a.txt",
                "The quay\n========\n\nIt is old,\nand long.\n\nPrices\n\n- one 4\n- two 7\n"
                "Thank you.\n"),
      ElementsAre("4|The quay|It is old, and long.", "9|Prices|one 4",
                  "10|Prices|two 7 Thank you."));
}

TEST(PlainText, ALongParagraphIsCutAtEndsOfSentencesWithTheRightLines) {
  std::string text;
  for (int i = 1; i <= 30; ++i) {
    text += "Sentence number " + std::to_string(i) + " of this paragraph says little.\n";
  }
  const auto passages = cut("a.txt", text).passages;
  ASSERT_GT(passages.size(), 2U);
  std::string all;
  for (const auto& passage : passages) {
    EXPECT_TRUE(passage.body.ends_with("little."));
    EXPECT_LE(std::ranges::count(passage.body, ' '), 60);
    EXPECT_THAT(passage.body, HasSubstr("number " + std::to_string(passage.line) + " of"));
    all += passage.body + " ";
  }
  EXPECT_EQ(collapsed(all), collapsed(text));
}

TEST(PlainText, ASentenceDoesNotEndBehindATitleOrTheFirstLetterOfAName) {
  EXPECT_THAT(sentences("The Rev. Anna Hale and J. P. Moss came. Dr. Lee (St. Ives) left in June. "
                        "It was 5 p.m. Nobody spoke of the EU. The end."),
              ::testing::ElementsAre("The Rev. Anna Hale and J. P. Moss came.",
                                     "Dr. Lee (St. Ives) left in June.", "It was 5 p.m.",
                                     "Nobody spoke of the EU.", "The end."));
}

TEST(Tables, RowsHaveTheirHeaderLineAndTheSeparatorIsFound) {
  EXPECT_THAT(cut_lines("price-list.csv", "# all in euros\nkind;price\nadult;4,50\n\"a;b\";7\n"),
              ElementsAre("1|price list|all in euros", "3|price list|kind: adult; price: 4,50",
                          "4|price list|kind: a;b; price: 7"));
}

TEST(Tables, ACellOverSeveralLinesIsOneCell) {
  const Table table = read_csv("a,b\n\"x\ny\",1\nz,2\n");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].cells[0], "x y");
  EXPECT_EQ(table.rows[1].line, 4);
}

TEST(Tables, AQuotationMarkThatIsNeverClosedIsNamedWithFileAndLine) {
  try {
    cut("sales.csv", "a,b\n1,2\n\"x,3\n");
    ADD_FAILURE() << "no error";
  } catch (const Unreadable& error) {
    EXPECT_THAT(error.what(), HasSubstr("sales.csv cannot be read: line 3"));
  }
}

TEST(Tables, AreThereWholeToo) {
  const auto document =
      cut("a.md", "# Prices\n\n| Route | Price |\n| --- | --- |\n| North | 4 |\n");
  ASSERT_EQ(document.tables.size(), 1U);
  EXPECT_EQ(document.tables[0].title, "Prices");
  EXPECT_THAT(document.tables[0].header, ElementsAre("Route", "Price"));
  EXPECT_EQ(document.tables[0].rows[0].line, 5);
  EXPECT_EQ(document.lines, 6);
}

TEST(Yaml, MapsAreOnePassageUnderTheKeysAboveThem) {
  EXPECT_THAT(cut_lines("p.yml",
                        "plans:\n  - name: Basic\n    price: 4\n    extras:\n      - bell\n"
                        "  - name: Large\n    price: 9\n"),
              ElementsAre("2|plans|name: Basic; price: 4", "5|plans / extras|bell",
                          "6|plans|name: Large; price: 9"));
}

TEST(Yaml, MarkupInAValueIsReadAsItsText) {
  EXPECT_THAT(cut_lines("p.yml", "price: <h3><sup>$</sup>15&#47; month</h3>\n"),
              ElementsAre("1||price: $15/ month"));
}

TEST(Yaml, WhatIsNoYamlIsNamedWithItsLine) {
  EXPECT_THROW(cut("p.yml", "a: [1, 2\nb: }\n"), Unreadable);
  EXPECT_THROW(cut("p.yml", "a: &x [*x]\n"), Unreadable) << "it stands inside itself";
}

TEST(Html, TextOfTheArticleIsCutAndThatOfTheFrameIsNot) {
  const auto page = read_html(
      "p.html",
      "<html><head><title>Site</title><link rel=canonical href='/quay'>\n"
      "<meta name=date content=2024-05-01></head><body><nav><a href='/'>Home</a></nav>\n"
      "<h1>The quay</h1>\n<p>It is\n<b>old</b>.</p><ul><li>one<li>two <ul><li>inner</ul></ul>\n"
      "<table><tr><th>Year<th>Boats<tr><td>2023<td>4</table><script>var x = 9;</script>\n"
      "<dl><dt>Depth<dd>8 m</dl><footer>(c) 2024</footer></body>");
  EXPECT_EQ(page.document.title, "The quay");
  EXPECT_EQ(page.date, "2024-05-01");
  EXPECT_EQ(page.canonical, "/quay");
  EXPECT_THAT(
      shown(page.document.passages),
      ElementsAre("4|The quay|It is old.", "5|The quay|one", "5|The quay|two", "5|The quay|inner",
                  "6|The quay|Year: 2023; Boats: 4", "7|The quay|Depth: 8 m"));
  ASSERT_EQ(page.document.links.size(), 1U);
  EXPECT_EQ(page.document.links[0].url, "/");
}

TEST(Html, WhatABrowserDoesNotShowIsLeftOut) {
  const auto page = read_html("p.html",
                              "<p>Open on Fridays.<p hidden>Open daily.<div hidden><h2>Old</h2>\n"
                              "<p>Closed.</div><p>Bring <span hidden>no </span>warm clothes.");
  EXPECT_THAT(shown(page.document.passages),
              ElementsAre("1||Open on Fridays.", "2||Bring warm clothes."));
}

TEST(Html, WhatIsNoHtmlGivesItsTextOrNothing) {
  EXPECT_TRUE(read_html("p.html", "").document.passages.empty());
  EXPECT_EQ(shown(read_html("p.html", "just words").document.passages),
            std::vector<std::string>{"1||just words"});
}

TEST(Passages, ATextInAnotherEncodingIsRead) {
  EXPECT_EQ(cut("a.txt", "Caf\xE9 Noir is open.").passages.at(0).body, "Café Noir is open.");
}

TEST(Passages, BytesThatAreNoTextAreRefused) {
  EXPECT_THROW(cut("a.txt", std::string("a\0b", 3)), Unreadable);
  EXPECT_THROW(cut("a.pdf", "no pdf"), Unreadable);
}

TEST(Passages, NamesSayWhatIsReadable) {
  for (const char* name : {"a.MD", "b/c.txt", "d.yaml", "e.pdf", "f.htm"}) {
    EXPECT_TRUE(is_readable(name)) << name;
  }
  for (const char* name : {"a", "b.docx", "c.md.bak"}) EXPECT_FALSE(is_readable(name)) << name;
}

}  // namespace
}  // namespace text
