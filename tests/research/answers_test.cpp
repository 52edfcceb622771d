// What gets into a report and where it stands: an opening that answers, a heading for each page,
// and no lines of writers, teasers and rows of other things.
#include <algorithm>

#include "research/evidence.hpp"
#include "research/facts.hpp"
#include "research/leaning.hpp"
#include "research/opening.hpp"
#include "research/report.hpp"
#include "research/research_run.hpp"
#include "research/shortening.hpp"
#include "research/topic.hpp"

namespace research::testing {
namespace {

using resumable::test::write_file;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

Page page_at(const std::string& path, const std::string& title, const std::string& date,
             const std::vector<Passage>& passages) {
  return {path, path, title, date, {}, passages};
}

/// A village with a mill, a ferry and a school.
Scrape village_site() {
  Scrape scrape;
  scrape.title = "Ostby";
  scrape.pages = {
      page_at("/roof", "The mill roof", "2025-03-01",
              {{"The mill roof", "The mill roof is thatched with reed from the fjord."},
               {"The mill roof", "In the storm of 2023 the roof lost half of its reed."},
               {"The mill roof", "The repair came to 41,300 crowns."},
               {"The mill roof", "Six thatchers worked on it for nine weeks."}}),
      page_at("/ferry", "The ferry", "",
              {{"The ferry", "The ferry takes 12 cars and 60 people."},
               {"When it does not sail", "The ferry stays in port at 20 metres of wind a second."},
               {"How to join the crew", "If you would like to join the ferry crew, ring the pier."},
               {"The ferry", "Its engine was built in 1987 in Bergen."}}),
      page_at("/school", "The school", "",
              {{"The school", "The school has 41 pupils and two teachers."},
               {"The school", "Lessons begin at 8:15 each morning."},
               {"The school", "A school meal is 45 crowns."}})};
  return scrape;
}

std::vector<std::string> opening_of(const Scrape& scrape, const std::string& topic) {
  std::vector<std::string> lead;
  for (const Statement& one : report_on(scrape, topic).lead) lead.push_back(one.text);
  return lead;
}

/// The first sentence of the opening; "" if there is none.
std::string first_of_opening(const std::string& topic) {
  const auto lead = opening_of(village_site(), topic);
  return lead.empty() ? "" : lead.front();
}

std::vector<std::string> units_in(const std::vector<Passage>& passages) {
  Scrape scrape = village_site();
  scrape.pages.push_back(page_at("/news", "News of Ostby", "2025-01-01", passages));
  std::vector<std::string> texts;
  for (const Unit& unit : units_of(scrape)) {
    if (unit.page + 1 == scrape.pages.size() && !unit.leads_on) texts.push_back(unit.text);
  }
  return texts;
}

TEST(Answers, AReportOnACostOpensWithTheAmount) {
  for (const char* topic : {"costs of the mill roof repair", "price of the mill roof repair"}) {
    EXPECT_THAT(first_of_opening(topic), HasSubstr("41,300 crowns")) << topic;
  }
}

TEST(Answers, AReportOnAWhenOpensWithTheConditionAndOneOnAHowToWithTheStep) {
  EXPECT_THAT(first_of_opening("when is the ferry in port"), HasSubstr("20 metres"));
  EXPECT_THAT(first_of_opening("how to join the ferry crew"), HasSubstr("ring the pier"));
}

TEST(Answers, AWordThatSaysOnlyWhatIsAskedOpensNoReport) {
  Scrape scrape = village_site();
  scrape.pages.push_back(
      page_at("/prices", "Prices", "",
              {{"Prices", "All prices are the same for guests and neighbours."},
               {"Prices", "We take no dogs on the ferry, whatever they cost."}}));
  for (const std::string& one : opening_of(scrape, "ferry prices")) {
    EXPECT_THAT(one, Not(HasSubstr("All prices")));
    EXPECT_THAT(one, Not(HasSubstr("no dogs")));
  }
}

TEST(Answers, AReportOnAPriceOrATimeOpensWithNothingElse) {
  for (const char* topic : {"prices of crossing with the ferry", "timetable of the ferry"}) {
    EXPECT_THAT(opening_of(village_site(), topic), Not(Contains(HasSubstr("12 cars")))) << topic;
  }
}

TEST(Answers, AFigureThatReplacesAnotherOpensTheReport) {
  Scrape scrape = village_site();
  scrape.pages.push_back(page_at(
      "/changes", "The ferry", "2025-02-01",
      {{"The ferry", "The ferry now stays in port at 17 metres of wind a second, not 20."},
       {"The pier", "The lamps of the pier are new, and the cafe beside it opens on Sundays, too."},
       {"The pier",
        "Whoever wants to sit there in the evening should bring a coat and a torch."}}));
  const Synthesis made = report_on(scrape, "when is the ferry in port");
  ASSERT_FALSE(made.lead.empty());
  EXPECT_THAT(made.lead.front().text, HasSubstr("17 metres"));
}

TEST(Answers, WhatATopicWantsToKnowIsNotWhatItIsAbout) {
  EXPECT_EQ(subject_terms("costs of the mill roof"), topic_terms("mill roof"));
  EXPECT_EQ(subject_terms("prices"), topic_terms("prices"));
  EXPECT_EQ(subject_head("price and dates of the snow courses"), "cours");
  EXPECT_EQ(subject_head("the printing press in the cellar"), "press");
  EXPECT_EQ(asked_by("when is the ferry in port"), Asks::time);
  EXPECT_EQ(asked_by("how the village paid for the mill"), Asks::money);
  EXPECT_EQ(asked_by("the mill"), Asks::anything);
  EXPECT_THAT(topic_terms("In the course of 50 years"), Not(Contains("cours")));
  EXPECT_THAT(topic_terms("The course of the ferry"), Contains("cours"));
}

TEST(Answers, BelowAndAboveThatLeadOnReferToNoOtherPlace) {
  EXPECT_FALSE(refers_elsewhere("The path runs below an old mill."));
  EXPECT_FALSE(refers_elsewhere("The ferry stays in port above 20 metres a second."));
  EXPECT_TRUE(refers_elsewhere("The figures are given below."));
  EXPECT_TRUE(denies("The path for skiers is another matter."));
  EXPECT_FALSE(denies("The mill grinds rye and has not one wheel but two."));
}

TEST(Bylines, AreNotQuotedInAnyOfTheirForms) {
  for (const char* text :
       {"21 October 2024, text: Ada Lund", "21 October 2024 | Ada Lund",
        "Ada Lund, 21 October 2024", "By Ada Lund on 21 October 2024", "Ostby, 21 October 2024",
        "Published 21.10.2024 in News", "9 Dec 2024 (Ada)", "Words and pictures: Ada Lund",
        "Prices valid from 5 November 2024"}) {
    EXPECT_THAT(units_in({{"News", text}, {"News", "The ferry has a new engine of 300 hp."}}),
                ElementsAre(HasSubstr("300 hp")))
        << text;
  }
  EXPECT_THAT(units_in({{"News", "9 Dec 2024 (Ada). The ferry has a new engine of 300 hp."}}),
              ElementsAre(StartsWith("The ferry")));
  for (const char* text : {"Feast of the mill on the green, 14 June 2025, with 3 bands",
                           "The ferry sails again from 21 October 2024 on"}) {
    EXPECT_THAT(units_in({{"News", text}}), ElementsAre(text));
  }
}

TEST(Bylines, ATeaserOfAnotherPageIsNotQuoted) {
  EXPECT_THAT(
      units_in({{"News", "1 March 2025: The mill roof"}, {"News", "1 March 2025: The ferry"}}),
      IsEmpty());
}

TEST(Sentences, AnAbbreviationAndALabelLoseNoFigure) {
  EXPECT_THAT(units_in({{"Bill", "The repair came to 41,300 crowns incl. VAT of the state."}}),
              ElementsAre("The repair came to 41,300 crowns incl. VAT of the state."));
  EXPECT_THAT(units_in({{"Bill", "The repair came to 41,300 crowns (excl. VAT)."}}),
              ElementsAre("The repair came to 41,300 crowns (excl. VAT)."));
  EXPECT_THAT(units_in({{"Bill", "Total: 41,300 crowns."}}), ElementsAre("Total: 41,300 crowns."));
}

TEST(Sentences, WhatFollowsAQuestionOrAShortSentenceKeepsIt) {
  EXPECT_THAT(units_in({{"Ferry",
                         "The new ferry sails for Ostby. And the old one? It stays in the "
                         "harbour. It has been sold for 1 crown to the school."}}),
              Contains(HasSubstr("And the old one? It stays in the harbour. It has been sold")));
}

TEST(Sentences, AQuestionIsPartOfWhatItsAnswerIsAbout) {
  Scrape scrape = village_site();
  scrape.pages.push_back(
      page_at("/people", "People", "",
              {{"People",
                "Would you like to become a member of the lifeboat crew? We look for people who "
                "know the currents of the fjord."},
               {"People", "The bakers of the town know 9 kinds of bread."}}));
  const Evidence evidence{scrape, "how to become a member of the lifeboat crew"};
  std::vector<std::string> texts;
  for (const std::size_t unit : evidence.relevant()) texts.push_back(evidence.units()[unit].text);
  EXPECT_THAT(texts, Contains(HasSubstr("know the currents")));
}

TEST(Choosing, OfATableOfDatesOnAnotherPageOnlyTheRowsOnTheTopicAreQuoted) {
  Scrape scrape = village_site();
  Page start = page_at("/dates", "Welcome", "", {});
  for (const char* row : {"14 June 2025 | Feast on the green", "6 July 2025 | Duck race",
                          "5 September 2025 | First day of the ferry"}) {
    start.passages.push_back({"Next dates", row, "Date | What", true});
  }
  scrape.pages.push_back(start);
  const std::string text = markdown(report_on(scrape, "the ferry"));
  EXPECT_THAT(text, HasSubstr("First day of the ferry"));
  EXPECT_THAT(text, Not(HasSubstr("Duck race")));
}

TEST(Layout, EachPageHasAHeadingOfItsOwnAndThoseWithLittleComeLast) {
  const auto statement = [](std::size_t place, const std::string& page, const std::string& text) {
    Finding finding;
    finding.quote = text;
    finding.url = finding.path = "/" + page;
    finding.title = page;
    finding.place = place;
    finding.rank = 1;
    return Statement{text, finding};
  };
  Synthesis made;
  made.made_by = "extractive";
  made.sections = {{"goal-1",
                    "Mill",
                    {{{statement(9, "News", "The ferry sails.")}},
                     {{statement(2, "Mill", "It has two wheels.")}},
                     {{statement(1, "Mill", "The mill grinds rye.")}},
                     {{statement(3, "Mill", "It stands by the fjord.")}}}}};
  const Synthesis laid = shortened(made, 0);
  ASSERT_EQ(laid.sections.size(), 2U);
  EXPECT_EQ(laid.sections[0].heading, "Mill");
  EXPECT_EQ(laid.sections[0].paragraphs[0].statements[0].text, "The mill grinds rye.");
  EXPECT_EQ(laid.sections[1].heading, "News");
  made.sections[0].paragraphs[0].statements[0].text = "A ferry sails.";
  EXPECT_EQ(shortened(made, 0).sections.size(), 1U) << "who words a report divides it";
}

TEST_F(ResearchTest, FilesThatNoLinkLeadsToAreNamed) {
  const auto site = folder / "mill";
  std::filesystem::create_directories(site);
  write_file(site / "index.html",
             "<title>The mill</title><p>The mill grinds 300 kg of oats a day.</p>"
             "<p>The mill has two pairs of stones.</p><a href=\"wheel.html\">wheel</a>");
  write_file(site / "wheel.html", "<p>The wheel of the mill has 24 buckets.</p>");
  write_file(site / "lost.html", "<p>The mill has 9 owls.</p>");
  const Said said = go_on({"--pages", site.string()});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(read_file(report()),
              HasSubstr("No link leads to 1 file of the folder, not read: lost.html."));
}

}  // namespace
}  // namespace research::testing
