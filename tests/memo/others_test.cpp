// Whose a sentence is: a competitor's, a customer's, or of a proposal that came to nothing.
#include "memo/others.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/corrections.hpp"
#include "memo/gathering.hpp"
#include "memo/outline.hpp"
#include "memo/prose.hpp"
#include "memo_run.hpp"

namespace memo::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

using ::testing::Not;

const Request acme_direct{"Acme", "direct"};

Sources papers_of(const std::string& deck, const std::string& later) {
  return {make_source("2024-02-deck.md", "# Acme\n\n" + deck + "\n"),
          make_source("2024-09-note.md", "# Bread\n\n" + later + "\n")};
}

std::vector<std::string> texts_of(const Sources& sources) {
  std::vector<std::string> texts;
  const Corpus corpus{sources, "Acme"};
  for (const auto& passage : corpus.passages()) texts.push_back(passage.text);
  return texts;
}

std::size_t pairs_in(const Sources& sources) {
  return corrections(Corpus{sources, "Acme"}, measures(acme_direct), all_topics(acme_direct))
      .size();
}

TEST(Others, AFigureOfACompetitorCorrectsNone) {
  const std::string deck = "The gross margin is 34%.";
  for (const std::string text :
       {"Brotfix, of Kiel, is the largest with 800 ovens. It reports a gross margin of 41%.",
        "Brotfix reports a gross margin of 41%."}) {
    EXPECT_EQ(pairs_in(papers_of(deck, "## Who sells\n\n- " + text)), 0U) << text;
    const auto apart = "## Who sells\n\nBrotfix has four shops in the north.\n\n## More\n\n";
    EXPECT_EQ(pairs_in(papers_of(deck, apart + text)), 0U) << text;
  }
  EXPECT_EQ(pairs_in(papers_of(deck, "## Who sells\n\n- Acme has a gross margin of 27%.")), 1U);
  EXPECT_EQ(pairs_in(papers_of(deck, "## Who sells\n\n- The gross margin is 27%.")), 1U);
}

TEST(Others, WhatSomebodyElseHasCorrectsNoFigureOfAnother) {
  const std::string order = "The twelve ovens for the north are postponed, not cancelled.";
  EXPECT_EQ(
      pairs_in(papers_of("Hotel Adler has cancelled its second order of twenty ovens.", order)),
      0U);
  EXPECT_EQ(pairs_in(papers_of("Rents at Nordhalle rise by 12 to 18% in the north.",
                               "Flour 14%, rents 17% in the north.")),
            0U)
      << "a range";
}

TEST(Others, WhatIsSaidOfACompetitorAnswersOnlyWhatAsksAboutThem) {
  const auto sources =
      papers_of("Acme bakes bread for hotels and hospitals.",
                "## Competition\n\nBrotfix also sells bread to hotels, and has 300 employees.");
  const Corpus corpus{sources, "Acme"};
  const auto topics = all_topics(acme_direct);
  const Ranking ranking{corpus, topics};
  const auto score = [&](const char* id) {
    const auto topic = std::ranges::find(topics, id, &Topic::id);
    for (const auto& one : ranking.best(*topic, 9)) {
      if (one.text.starts_with("Brotfix")) return one.score;
    }
    return std::int64_t{0};
  };
  EXPECT_LT(score("team.organisation"), least_fit);
  EXPECT_GE(score("market.alternatives"), least_fit);
}

TEST(Others, WhoIsMetAtACustomersLeadsNothing) {
  ExtractiveProvider provider;
  const auto run = run_memo({provider, {}, {}}, acme_direct,
                            {make_source("2024-02-deck.md", "# Acme\n\nAcme bakes bread.\n"),
                             make_source("call.txt",
                                         "Call with Hotel Adler, 3 May 2024\n\nWe spoke "
                                         "with Jo Berg, who is in charge of the hotel "
                                         "kitchen there.\n")});
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("### Leadership")));
}

TEST(Others, AProposalIsQuotedWithItsRefusal) {
  const std::string whole =
      "Ms Berg suggested a bakery at the airport. The rent would be 34% of sales. Not pursued.";
  const auto texts = texts_of(papers_of("Rent is 12% of sales.", whole));
  EXPECT_THAT(texts, Contains(whole));
  EXPECT_THAT(texts, Not(Contains("The rent would be 34% of sales.")));
  EXPECT_EQ(pairs_in(papers_of("Rent is 12% of sales.", whole)), 0U) << "it is no fact";
  EXPECT_THAT(texts_of(papers_of("A", "Ms Berg suggested a bakery at the airport. Rent is low.")),
              Contains("Ms Berg suggested a bakery at the airport."));
}

TEST(Others, FormalitiesOfMailsAndMinutesAreNoStatements) {
  for (const std::string text :
       {"As promised here is what our board has signed off.", "The next meeting is on 20 May.",
        "On the phone: Jo Berg, who is in charge of the ovens.", "Asked what is wrong with it.",
        "Opened since the last meeting: none.", "Spoke to Jo Berg of the hotel on 6 November."}) {
    EXPECT_FALSE(stands_alone(text)) << text;
  }
  EXPECT_TRUE(stands_alone("It was decided to raise the price to €415 from January."));
  EXPECT_TRUE(stands_alone("Asked for a price, Acme gave the hotel one within a day."));
}

TEST(Others, StaffIsCountedInOtherWords) {
  for (const std::string text : {"Headcount is 47.", "Staff 47, of whom 30 are bakers."}) {
    EXPECT_EQ(pairs_in(papers_of("Our people are now 41.", text)), 1U) << text;
  }
}

TEST(Outline, AsksWhatEveryInvestorAsks) {
  const std::string text =
      "# Acme\n\nAcme bakes bread for hotels and hospitals.\n\nCash stood at €2.4 million at the "
      "end of May, which is enough until April 2026.\n\nThe average shop earns €58,000 a year, and "
      "the payback is 21 months.\n\nOf the customers of last year 63% have ordered again.\n\nJo "
      "Berg has given notice and will leave in December.\n\nThe money is for eight hires and a "
      "second bakery.\n";
  ExtractiveProvider provider;
  const auto run =
      run_memo({provider, {}, {}}, acme_direct, {make_source("2024-02-deck.md", text)});
  const std::map<std::string, std::string> expected{{"traction.cash", "Cash stood"},
                                                    {"business.units", "The average shop"},
                                                    {"traction.repeat", "Of the customers"},
                                                    {"team.changes", "Jo Berg has given"},
                                                    {"funding.use", "The money is for"}};
  for (const auto& [id, head] : expected) {
    const auto finding = std::ranges::find(run.found.findings, id, &Finding::topic);
    ASSERT_NE(finding, run.found.findings.end()) << id;
    EXPECT_THAT(finding->quote, ::testing::StartsWith(head)) << id;
  }
}

TEST(Fit, AnItemOfANameAndItsFigureIsAnAnswer) {
  for (const std::string item : {"Gross margin 34%", "Gross margin of 34%", "Gross margin 34%."}) {
    ExtractiveProvider provider;
    const auto run =
        run_memo({provider, {}, {}}, acme_direct,
                 {make_source("2024-02-deck.md",
                              "# Acme\n\nAcme bakes bread for hotels and hospitals.\n\n"
                              "## Traction\n\n- 40 hotels buy it\n- " +
                                  item + "\n")});
    EXPECT_THAT(run.draft.markdown, HasSubstr(item)) << item;
  }
}

}  // namespace
}  // namespace memo::testing
