// Reading pages: what is text, what is a link, and where a link leads.
#include "research/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "research/crawl.hpp"

namespace research::testing {
namespace {

using ::testing::ElementsAre;

TEST(Html, ARowOfLinksIsNoPassageAndALinkInASentenceIs) {
  const Document document = read_html(
      "<div><a href=/a>Boats</a> <a href=/b>Prices</a></div>"
      "<p><a href=/a>Boats</a> leave at noon, see <a href=/b>prices</a></p>");
  ASSERT_EQ(document.passages.size(), 1U);
  EXPECT_EQ(document.passages[0].text, "Boats leave at noon, see prices");
  EXPECT_EQ(document.links.size(), 4U);
}

TEST(Html, APathOfLinksIsNoPassageAndANameWithALinkIs) {
  for (const char* text : {"<a href=/>Town</a> / News", "<a href=/>Home</a> &rsaquo; Lido prices",
                           "<a href=/c>Contact</a> \u00B7 <a href=/>Home</a>"}) {
    EXPECT_TRUE(read_html("<header>" + std::string{text} + "</header>").passages.empty()) << text;
  }
  EXPECT_EQ(read_html("<li><a href=/a>Ada</a>, chair</li>").passages.size(), 1U);
  EXPECT_EQ(read_html("<p><a href=/a>Lido</a> / 14 July</p>").passages.size(), 1U);
}

TEST(Html, WhatIsStruckOutIsNoText) {
  for (const char* tag : {"del", "s", "strike"}) {
    const std::string name{tag};
    const Document page =
        read_html("<p>A swim is <" + name + ">3</" + name + "> <ins>4</ins> euros.</p>");
    EXPECT_EQ(page.passages[0].text, "A swim is 4 euros.") << tag;
  }
}

TEST(Html, GivesParagraphsWithTheirHeadings) {
  const Document page = read_html(
      "<!doctype html><title>A &amp; B</title><meta name=\"date\" content=\"2018-07-19\">"
      "<meta name='keywords' content='agile, open source'><h2>Why <em>not</em>?</h2>"
      "<p>One\n  two &quot;three&quot; &#x27;four&#39;.</p><ul><li><p>A point.</p></li></ul>");
  EXPECT_EQ(page.title, "A & B");
  EXPECT_EQ(page.date, "2018-07-19");
  EXPECT_THAT(page.tags, ElementsAre("agile", "open source"));
  EXPECT_THAT(page.passages, ElementsAre(Passage{"Why not?", "One two \"three\" 'four'."},
                                         Passage{"Why not?", "A point."}));
}

TEST(Html, TextOfNavigationCodeAndScriptsIsLeftOutButNotItsLinks) {
  const Document page = read_html(
      "<nav><a href=/a>A</a></nav><pre>code &lt;<b>x</b></pre><script>if (a<b) {}</script>"
      "<!-- <p>no</p> --><p>Text.</p>");
  EXPECT_THAT(page.links, ElementsAre("/a"));
  EXPECT_THAT(page.passages, ElementsAre(Passage{"", "Text."}));
}

TEST(Html, ARowHasItsCellsAndTheNamesOfItsColumns) {
  const Document page = read_html(
      "<h2>Fares</h2><table><tr><th>Who<th>Fare</tr><tr><td><p>Adult</p><td>&pound;4</tr>"
      "<tr><td>Child</td><td></td></tr></table><p>Free on Sundays.</p>");
  EXPECT_THAT(page.passages, ElementsAre(Passage{"Fares", "Adult | £4", "Who | Fare", true},
                                         Passage{"Fares", "Child | ", "Who | Fare", true},
                                         Passage{"Fares", "Free on Sundays."}));
}

TEST(Html, ATermStandsBesideWhatIsSaidOfIt) {
  const Document page = read_html(
      "<h2>Hall</h2><dl><dt>Seats</dt><dd><p>350</p></dd><dt>Keys<dd>At the "
      "office.</dl><p>End.</p>");
  EXPECT_THAT(page.passages,
              ElementsAre(Passage{"Hall", "350", "Seats"},
                          Passage{"Hall", "At the office.", "Keys"}, Passage{"Hall", "End."}));
}

TEST(Html, TermsOfOneDefinitionStandTogetherAndWhatLeadsToAnExampleIsNoPartOfIt) {
  const Document page = read_html(
      "<dl><dt>-f</dt><dt>--force:</dt><dd><p>Grinds on.</p><h3>Note</h3><p>as in</p><pre>mill "
      "-f</pre></dd></dl>");
  EXPECT_THAT(page.passages, ElementsAre(Passage{"", "Grinds on.", "-f, --force"}));
}

TEST(Html, ATableOfLinksIsNoPassageUnlessItHasColumns) {
  const std::string cells =
      "<tr><td><a href=/a>Prev</a></td><td><a href=/b>Up</a></td><td>The wheel</td></tr>";
  EXPECT_TRUE(read_html("<table>" + cells + "</table>").passages.empty());
  EXPECT_EQ(read_html("<table><tr><th>A<th>B<th>C</tr>" + cells + "</table>").passages.size(), 1U);
}

TEST(Html, ALinkAloneIsTheNameOfAPage) {
  const Document page =
      read_html("<ul><li><a href=/a>Old wheels</a></li><li><a onclick=f()>Show all</a></li></ul>");
  EXPECT_THAT(page.passages, ElementsAre(Passage{"", "Old wheels", "", false, true},
                                         Passage{"", "Show all", "", false, true}));
}

TEST(Html, APageOfEntriesWithLinksSaysNothing) {
  std::string index;
  for (int i = 0; i < 20; ++i) index += "<li>wheel, of oak, <a href=/a>The mill</a></li>";
  EXPECT_TRUE(read_html(index).passages.empty());
  std::string text;
  for (int i = 0; i < 20; ++i) text += "<p>The wheel turns.</p>";
  EXPECT_EQ(read_html(index + text).passages.size(), 40U);
}

TEST(Html, TheLabelOfAnAsideIsNoHeading) {
  const Document page = read_html("<h2>Wheel</h2><h3>Note:</h3><p>It turns.</p>");
  EXPECT_THAT(page.passages, ElementsAre(Passage{"Wheel", "It turns."}));
  EXPECT_THAT(read_html("<table><tr><td>Tip</td><td>Oil it.</td></tr></table>").passages,
              ElementsAre(Passage{"", "Oil it."}));
}

TEST(Html, WhatLeadsToAnExampleIsLeftOutUnlessItIsASentence) {
  const Document page = read_html("<p>It turns.</p><pre>x</pre><p>or with</p><pre>y</pre>");
  EXPECT_THAT(page.passages, ElementsAre(Passage{"", "It turns."}));
}

TEST(Html, TheWordsThatLeadToAListStandBesideItsItems) {
  const Document page = read_html(
      "<p>Wheels are old. Advantages include:</p><ul><li>They turn.<li>less noise</ul><p>End.</p>");
  EXPECT_THAT(page.passages,
              ElementsAre(Passage{"", "Wheels are old. Advantages include:"},
                          Passage{"", "They turn.", "Advantages include:"},
                          Passage{"", "less noise", "Advantages include:"}, Passage{"", "End."}));
}

TEST(Html, ATableWithHeadingsIsForTheLayout) {
  const Document page = read_html(
      "<table><tr><td>Mill</td><td><h2>Wheel</h2><p>It turns.</p></td></tr></table><p>End.</p>");
  EXPECT_THAT(page.passages, ElementsAre(Passage{"", "Mill"}, Passage{"Wheel", "It turns."},
                                         Passage{"Wheel", "End."}));
}

TEST(Html, ATableForTheLayoutGivesParagraphsAndOneWithinACellIsItsText) {
  EXPECT_THAT(read_html("<table><tr><td>One text.</td></tr></table>").passages,
              ElementsAre(Passage{"", "One text."}));
  const Document nested = read_html(
      "<table><tr><td>A</td><td><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>");
  EXPECT_THAT(nested.passages, ElementsAre(Passage{"", "1 2", "A"}));
}

TEST(Html, NamedCharactersAndSpacesThatDoNotBreakAreRead) {
  EXPECT_THAT(read_html("<p>caf&eacute;&nbsp;&ndash;\u00A0&euro;5 &hellip; &bogus;</p>").passages,
              ElementsAre(Passage{"", "café – €5 … &bogus;"}));
}

TEST(Html, WhatIsNoHtmlGivesADocumentAndNoCrash) {
  for (const char* text :
       {"", "<", "<a href=\"", "<p", "&", "&#;", "&#xFFFFFFFFF;", "<!--", "</"}) {
    static_cast<void>(read_html(text));
  }
  EXPECT_THAT(read_html("plain & simple").passages, ElementsAre(Passage{"", "plain & simple"}));
}

TEST(Crawl, LinksLeadToPathsOfTheSiteOrNowhere) {
  const auto leads = [](const char* link) { return on_site("http://h:1", "/a/b/c", link); };
  EXPECT_EQ(leads("/x/"), "/x/");
  EXPECT_EQ(leads("d?q=../1#part"), "/a/b/d?q=../1");
  EXPECT_EQ(leads("../d"), "/a/d");
  EXPECT_EQ(leads("http://h:1"), "/");
  EXPECT_EQ(leads("http://h:1/x#part"), "/x");
  for (const char* away : {"#part", "", "http://h:12/x", "https://h:1/x", "//other/x",
                           "mailto:a@b.c", "javascript:void(0)"}) {
    EXPECT_EQ(leads(away), "") << away;
  }
}

TEST(Crawl, EveryPathIsFetchedOnceAndDeadLinksAreMissing) {
  std::vector<std::string> asked;
  const Scrape scrape = crawl("http://h", [&](const std::string& path) {
    asked.push_back(path);
    if (path == "/robots.txt") return Response{404, "", ""};
    if (path == "/b") return Response{404, "text/html", "<p>Not here.</p>"};
    if (path == "/c") return Response{200, "image/png", ""};
    return Response{200, "text/html",
                    "<title>T</title><p>Text.</p><a href=/b><a href=/c><a href=/a>"};
  });
  EXPECT_THAT(asked, ElementsAre("/robots.txt", "/", "/b", "/c", "/a"));
  EXPECT_THAT(scrape.missing, ElementsAre("/b", "/c"));
  EXPECT_EQ(scrape.pages.size(), 2U);
}

TEST(Crawl, OfASiteWithoutEndTheBeginningIsReadAndTheCutIsTold) {
  std::size_t asked = 0;
  const auto endless = [&](const std::string& path) {
    if (path == "/robots.txt") return Response{404, "", ""};
    ++asked;
    return Response{200, "text/html", "<p>T.</p><a href='" + path + "x'>"};
  };
  const Scrape scrape = crawl("http://h", endless, {.paths = 5});
  EXPECT_EQ(asked, 5U);
  EXPECT_EQ(scrape.pages.size(), 5U);
  EXPECT_THAT(scrape.notes, ElementsAre("The site has more than 5 paths: the rest was not read."));
}

TEST(Crawl, AMissingStartPageIsAnError) {
  const auto gone = [](const std::string&) { return Response{404, "text/html", ""}; };
  EXPECT_THROW(static_cast<void>(crawl("http://h", gone)), std::runtime_error);
}

}  // namespace
}  // namespace research::testing
