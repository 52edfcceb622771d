// When a page was written.
#include "research/dates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace research {
namespace {

using ::testing::Eq;
using ::testing::Optional;

TEST(Dates, AreReadAsPeopleWriteThem) {
  for (const char* text :
       {"2025-03-01", "2025-03-01T09:30:00Z", "1 March 2025", "1. March 2025", "March 1, 2025",
        "on the 1st of March 2025", "Sat, Mar 1st, 2025", "01.03.2025", "2025/03/01"}) {
    EXPECT_THAT(date_in(text), Optional(Eq("2025-03-01"))) << text;
  }
  EXPECT_THAT(date_in("13/3/2025"), Optional(Eq("2025-03-13")));
  EXPECT_THAT(date_in("3/13/2025"), Optional(Eq("2025-03-13")));
  EXPECT_THAT(date_in("in March 2025"), Optional(Eq("2025-03")));
  EXPECT_THAT(date_in("3/4/2025"), Optional(Eq("2025"))) << "March or April";
  for (const char* text :
       {"in 2025", "1,900 of 2,000", "may be 3 to 4", "10:30", "40/50/2025", ""}) {
    EXPECT_EQ(date_in(text), std::nullopt) << text;
  }
}

std::string date_of_html(const std::string& html, const std::string& path = "/page") {
  return date_of(path, read_html(html));
}

TEST(Dates, OfAPageAreThoseOfItsMarkup) {
  EXPECT_EQ(date_of_html("<meta name=date content=2024-05-06><p>Text.</p>"), "2024-05-06");
  EXPECT_EQ(date_of_html("<meta property='article:published_time' content='2024-05-06T10:00Z'>"
                         "<meta property='article:modified_time' content='2025-01-02T10:00Z'>"),
            "2025-01-02");
  EXPECT_EQ(date_of_html("<meta name=date content=2024-05-06><p><time datetime=2021-03-04></p>"),
            "2024-05-06");
  EXPECT_EQ(date_of_html("<p>By <time datetime=2024-05-06>6 May</time></p>"), "2024-05-06");
  EXPECT_EQ(date_of_html("<script>{\"datePublished\": \"2024-05-06\"}</script><p>Text.</p>"),
            "2024-05-06");
}

TEST(Dates, OfAPageAreThoseThatItsTextTells) {
  EXPECT_EQ(date_of_html("<p>6 May 2024, by Ada</p><p>Rebuilt on 3 June 2021.</p>"), "2024-05-06");
  EXPECT_EQ(
      date_of_html("<p>14 July 1936, a Sunday</p><footer>Last updated on 6 May 2024</footer>"),
      "2024-05-06");
  EXPECT_EQ(date_of_html("<p>Long ago.</p><p>Last edited 2024-05-06. A mistake? Tell us.</p>"
                         "<p>Next meeting: 3 June 2025</p>"),
            "2024-05-06");
  EXPECT_EQ(date_of_html("<h1>Minutes, November 14, 2024</h1><p>All were there.</p>"),
            "2024-11-14");
  EXPECT_EQ(date_of_html("<p>Text.</p>", "/minutes/2024-11.html"), "2024-11");
  EXPECT_EQ(date_of_html("<p>Text.</p>", "/2024/05/06/mill"), "2024-05-06");
  EXPECT_EQ(date_of_html("<p>Valid to 28 September 2025. Published 23 June 2025.</p>"),
            "2025-06-23");
  EXPECT_EQ(date_of_html("<p>The mill burned down on 6 May 2024.</p>"), "") << "a sentence";
  EXPECT_EQ(date_of_html("<p>Costs: new prices from 6 May 2024</p>"), "") << "not written then";
  EXPECT_EQ(date_of_html("<p>6 May 2024. The mill is open.</p>"), "2024-05-06");
  EXPECT_EQ(date_of_html("<p>6 May 2024: The mill is open.</p><p>7 May 2024: It is not.</p>"), "")
      << "a list of news";
}

TEST(Dates, OfAPageAreNotThoseOfADefinitionOfSomethingElse) {
  const auto date = [](const std::string& term) {
    return date_of_html("<table><tr><th>" + term +
                        "</th><td>6 May 2024</td></tr></table><p>A.</p>");
  };
  EXPECT_EQ(date("Closed since"), "");
  EXPECT_EQ(date("Last updated"), "2024-05-06");
}

TEST(Dates, OfASectionOrAPassageComeBeforeThoseOfThePage) {
  const auto within = [](const char* heading, const char* text) {
    return date_within({heading, text}, "2025-08-01");
  };
  EXPECT_EQ(within("4.1 (6 May 2024)", "The cache has 16 MB."), "2024-05-06");
  EXPECT_EQ(within("2023", "A paper."), "2023");
  EXPECT_EQ(within("News", "6 May 2024: the boiler is new."), "2024-05-06");
  EXPECT_EQ(within("Prices from 6 May 2024", "A swim is 3 euros."), "2025-08-01");
  EXPECT_EQ(within("Correction to the manual (6 May 2024)", "The cache has 16 MB."), "2024-05-06");
  EXPECT_EQ(within("Fair of 6 May 2026", "It has 40 stalls."), "2025-08-01") << "yet to come";
}

TEST(Dates, WhatWasAddedLaterIsAsOldAsItSays) {
  const auto within = [](const char* text) { return date_within({"Prices", text}, "2024-05-06"); };
  EXPECT_EQ(within("Update 3 March 2025: a swim is 4 euros."), "2025-03-03");
  EXPECT_EQ(within("Correction (3 March 2025): a swim is 4 euros."), "2025-03-03");
  EXPECT_EQ(within("Added 2 March 2024: a swim is 4 euros."), "2024-05-06");
  EXPECT_EQ(within("Update,"), "2024-05-06");
  EXPECT_EQ(within("Opening 3 March 2025: a swim is 4 euros."), "2024-05-06");
}

TEST(Dates, APageMaySayThatItHoldsNoLonger) {
  const auto holds_no_more = [](const char* text) {
    return holds_no_longer({"/", "/", "T", "", {}, {{"T", "A swim is 3 euros."}, {"T", text}}});
  };
  EXPECT_TRUE(holds_no_more("This page has been replaced by the new price list."));
  EXPECT_TRUE(holds_no_more("Note: these rules are out of date."));
  EXPECT_FALSE(holds_no_more("This page says which of our maps are old."));
  EXPECT_FALSE(holds_no_more("The boiler was withdrawn in May."));
}

TEST(Dates, ALineThatOnlyDatesItsPageSaysNothing) {
  for (const char* text : {"Last updated 3 April 2025", "Page last reviewed: 2 June 2025",
                           "Sunday, 14 July 2025.", "12 September 2025, by Jan Thaler and Eva Noe",
                           "Posted on 2025-04-03 by Ada Marek", "3 April 2025, Ada"}) {
    EXPECT_TRUE(is_dateline(text)) << text;
  }
  for (const char* text : {"Opened on 14 July 2025", "14 July 2025, by boat to the island",
                           "14 July 2025, Boats to the island and back",
                           "Valid until 28 September 2025", "Ada Marek", ""}) {
    EXPECT_FALSE(is_dateline(text)) << text;
  }
}

}  // namespace
}  // namespace research
