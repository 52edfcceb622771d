// Pages whose title is the topic: what they say comes first, and at their beginning what it is.
#include "research/topic.hpp"

#include <fmt/format.h>

#include "research/arranging.hpp"
#include "research/evidence.hpp"
#include "research/facts.hpp"
#include "research/research_run.hpp"

namespace research::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Page page_of(const std::string& path, const std::string& title,
             const std::vector<Passage>& passages) {
  return {path, path, title, "", {}, passages};
}

std::size_t place_of(const Evidence& evidence, const std::string& text) {
  const auto found = std::ranges::find(evidence.units(), text, &Unit::text);
  return static_cast<std::size_t>(found - evidence.units().begin());
}

TEST(Topic, ATitleNamesItTheMoreCloselyTheFewerOtherWordsItHas) {
  EXPECT_EQ(closeness("Water mills", "water mill"), 1000U);
  EXPECT_EQ(closeness("3.2. The water mill", "water mill"), 1000U);
  EXPECT_EQ(closeness("Routine milling", "mill"), 500U);
  EXPECT_EQ(closeness("The water", "water mill"), 0U);
}

TEST(Topic, ItsInitialsNameItWhereAPageSaysWhatTheyStandFor) {
  const auto weight_of = [](const char* first) {
    Scrape scrape;
    scrape.pages = {page_of("/a", "Old mills", {{"", first}}),
                    page_of("/b", "Diary", {{"", "The UWM turns at night."}}),
                    page_of("/c", "Fair", {{"", "The carousel turns at night."}})};
    const Evidence evidence{scrape, "undershot water mill"};
    return evidence.weight(place_of(evidence, "The UWM turns at night."));
  };
  EXPECT_GT(weight_of("The undershot water mill (UWM) is the oldest of all."),
            2 * weight_of("The undershot water mill is the oldest of all."));
}

TEST(Topic, ThatTheWholeSiteIsNamedAfterLeavesNothingOut) {
  Scrape scrape;
  for (const char* name : {"a", "b", "c", "d"}) {
    scrape.pages.push_back(page_of(name, name, {{"", "Welcome to Uldmill."}}));
  }
  const std::string other = "The oven takes 40 loaves at a time.";
  scrape.pages[2].passages.push_back({"Bread", other});
  const auto finds = [&](const char* title) {
    scrape.title = title;
    const Evidence evidence{scrape, "Uldmill"};
    const auto relevant = evidence.relevant();
    return std::ranges::find(relevant, place_of(evidence, other)) != relevant.end();
  };
  EXPECT_TRUE(finds("Uldmill: bread and beer"));
  EXPECT_FALSE(finds("A village and its baker"));
}

TEST(Topic, ThatTheSiteIsNamedAfterLeavesOutOnlyPagesThatDoNotNameIt) {
  Scrape scrape;
  scrape.title = "Uldmill water mill - The county's mills";
  for (const char* name : {"a", "b", "c", "d"}) {
    scrape.pages.push_back(page_of(name, name, {{"", "Our mill is open."}}));
  }
  const std::string other = "The oven takes 40 loaves at a time.";
  const std::string silent = "The fair has 12 carousels.";
  scrape.pages[2].passages.push_back({"Bread", other});
  scrape.pages.push_back(page_of("e", "e", {{"Fair", silent}}));
  const auto finds = [&](const std::string& text) {
    const Evidence evidence{scrape, "the Uldmill mill"};
    const auto relevant = evidence.relevant();
    return std::ranges::find(relevant, place_of(evidence, text)) != relevant.end();
  };
  EXPECT_TRUE(finds(other));
  EXPECT_FALSE(finds(silent));
  scrape.title = "The county's mills, bakers, fairs and Uldmill";
  EXPECT_FALSE(finds(other)) << "the site is about more";
}

TEST(Topic, ThatTheStartPageIsNamedAfterLeavesNothingOut) {
  Scrape scrape;
  scrape.title = "Uldmill Works";
  const std::string other = "The oven takes 40 loaves at a time.";
  for (const char* path : {"/um3/", "/um3/a", "/um3/b", "/um3/c", "/firm"}) {
    scrape.pages.push_back(page_of(path, path, {{"", "Clean the mill."}}));
  }
  scrape.pages[3].passages.push_back({"Bread", other});
  const auto finds = [&](const char* title) {
    scrape.pages[0].title = title;
    const Evidence evidence{scrape, "water mill"};
    const auto relevant = evidence.relevant();
    return std::ranges::find(relevant, place_of(evidence, other)) != relevant.end();
  };
  EXPECT_TRUE(finds("UM-3 water mill: manual for users"));
  EXPECT_FALSE(finds("UM-3 manual"));
}

/// A page of many sentences on the mill, with one that has a figure.
Scrape long_page(const std::string& title) {
  Scrape scrape;
  scrape.pages = {page_of("/mill", title, {{"", "The mill grinds grain between stones."}}),
                  page_of("/fair", "The fair", {{"", "The fair is held on the green."}})};
  for (int i = 0; i < 32; ++i) {
    const char c = static_cast<char>('a' + i % 26);
    scrape.pages[0].passages.push_back(
        {"Parts", fmt::format("The mill has a wheel that {}{}{} made.", c, c, i < 26 ? c : 'x')});
  }
  scrape.pages[0].passages.push_back({"Parts", "The mill has stones that 7 men made."});
  return scrape;
}

TEST(Topic, OnALongPageOfProseAFigureIsNoReasonToPreferASentence) {
  Scrape scrape = long_page("The mill");
  const std::string with = "The mill has stones that 7 men made.";
  const std::string without = "The mill has a wheel that aaa made.";
  const auto more = [&] {
    const Evidence evidence{scrape, "mill"};
    return 100 * evidence.value(place_of(evidence, with)) /
           evidence.value(place_of(evidence, without));
  };
  EXPECT_LT(more(), 130U);
  scrape.pages[0].passages.erase(scrape.pages[0].passages.begin() + 3,
                                 scrape.pages[0].passages.end() - 1);
  EXPECT_GT(more(), 140U);
}

TEST(Topic, TheBeginningOfALongPageThatHasItAsItsTitleIsWorthMore) {
  const auto value_of = [](const char* title) {
    const Evidence evidence{long_page(title), "mill"};
    return evidence.value(place_of(evidence, "The mill grinds grain between stones.")) * 100 /
           evidence.value(place_of(evidence, "The mill has a wheel that zzz made."));
  };
  EXPECT_GT(value_of("The mill"), value_of("Country life") * 5 / 4);
}

TEST(Topic, TheNumberOfAnOrderIsNoFigure) {
  const auto value_of = [](const char* text) {
    Scrape scrape = long_page("Country life");
    scrape.pages[0].passages.push_back({"Parts", text});
    const Evidence evidence{scrape, "mill"};
    return evidence.value(place_of(evidence, text));
  };
  EXPECT_LT(value_of("The mill has a lamp, order no. 7742."),
            value_of("The mill has a lamp, weighing kilos 7742."));
}

TEST(Topic, ADefinitionOfSomethingElseIsWorthLess) {
  const auto weight_of = [](const char* term) {
    Scrape scrape = long_page("The mill");
    scrape.pages[0].passages.push_back({"Words", "What turns in the river.", term});
    const Evidence evidence{scrape, "mill"};
    return evidence.weight(place_of(evidence, "What turns in the river."));
  };
  EXPECT_GT(weight_of("mill wheel"), 2 * weight_of("float"));
}

TEST(Topic, AReportOpensWithTheFirstSentencesOfThePageThatHasItAsItsTitle) {
  Scrape scrape = long_page("The mill");
  scrape.pages[0].passages.insert(
      scrape.pages[0].passages.begin(),
      {{"", "If the mill stands still, call the miller at once."},
       {"", "As described in the section on wheels, the mill turns slowly."}});
  scrape.pages[0].passages.insert(scrape.pages[0].passages.begin() + 3,
                                  {"", "In a mill grain falls from above through 2 floors."});
  const Synthesis made = report_on(scrape, "mill");
  ASSERT_GE(made.lead.size(), 2U);
  EXPECT_EQ(made.lead[0].text, "The mill grinds grain between stones.");
  EXPECT_EQ(made.lead[1].text, "In a mill grain falls from above through 2 floors.");
}

nlohmann::json finding(std::size_t id, const char* page, const char* text) {
  return nlohmann::json{{"id", id},
                        {"seek", "reports"},
                        {"text", text},
                        {"columns", ""},
                        {"page", page},
                        {"path", page},
                        {"date", ""},
                        {"heading", ""},
                        {"place", id},
                        {"passage", id},
                        {"newer", nlohmann::json::array()},
                        {"weight", 9 - id}};
}

TEST(Topic, AReportOpensWithSentencesThatNameMostOfItAndNoPlansOrLabels) {
  nlohmann::json findings{finding(0, "a", "Singers meet on Mondays in the hall."),
                          finding(1, "b", "The water mill will get another wheel."),
                          finding(2, "c", "The mill grinds rye at night."),
                          finding(3, "d", "Pay for the water mill at the bank."),
                          finding(4, "e", "The old water mill has 2 wheels.")};
  findings[3]["seek"] = "advice";
  for (std::size_t id = 5; id < 9; ++id) {
    findings.push_back(finding(id, "f", "Fairs are held on the green."));
  }
  findings.push_back(finding(9, "g", "Topics for a water mill: wheels; owls that nest there."));
  const auto lead = [&](const char* topic) {
    const nlohmann::json goal{{"id", 0}, {"phrases", {"mill"}}, {"findings", findings}};
    std::vector<std::size_t> found;
    const auto made = research::report_on(
        nlohmann::json{{"topic", topic}, {"goals", nlohmann::json::array({goal})}});
    for (const auto& one : made.at("lead")) found.push_back(one.at("finding"));
    return found;
  };
  EXPECT_THAT(lead("water mill"), ElementsAre(4, 2));
  EXPECT_THAT(lead("carousels"), IsEmpty());
}

TEST(Report, AClaimIsAParagraphWithWhatCorrectsItAndAListIsOne) {
  nlohmann::json findings{finding(0, "Mill", "If it turns, it grinds 40 sacks of rye."),
                          finding(1, "Mill", "If it stands still, call the owner."),
                          finding(2, "Mill", "rye"), finding(3, "Mill", "oats"),
                          finding(4, "News", "When it turns, it grinds 70 sacks of rye.")};
  for (const std::size_t item : {2U, 3U}) findings[item]["columns"] = "It grinds:";
  findings[0]["newer"] = {4};
  const nlohmann::json goal{{"id", 0}, {"phrases", {"mill"}}, {"findings", findings}};
  const auto made = research::report_on(
      nlohmann::json{{"topic", "mill"}, {"goals", nlohmann::json::array({goal})}});
  std::vector<std::vector<std::size_t>> paragraphs;
  for (const auto& one : made.at("sections")[0].at("paragraphs")) {
    auto& ids = paragraphs.emplace_back();
    for (const auto& statement : one) ids.push_back(statement.at("finding"));
  }
  EXPECT_THAT(paragraphs, ElementsAre(ElementsAre(1), ElementsAre(2, 3), ElementsAre(4, 0)));
}

TEST(Report, AnAnswerDrawsWhatCorrectsItAndTheDefinitionOfATermDoesNot) {
  const auto together = [](const char* term) {
    nlohmann::json findings{finding(0, "Questions", "It grinds 40 sacks of rye."),
                            finding(1, "News", "It grinds 70 sacks of rye.")};
    findings[0]["columns"] = term;
    findings[1]["text"] = "It grinds 70 sacks of rye, not 40.";
    const nlohmann::json goal{{"id", 0}, {"phrases", {"mill"}}, {"findings", findings}};
    const auto made = research::report_on(
        nlohmann::json{{"topic", "mill"}, {"goals", nlohmann::json::array({goal})}});
    return made.at("sections")[0].at("paragraphs").size() == 1;
  };
  EXPECT_TRUE(together("How much does it grind?"));
  EXPECT_FALSE(together("rye"));
}

TEST(Topic, ThePageThatHasItAsItsTitleComesFirst) {
  const nlohmann::json goal{{"id", 0},
                            {"phrases", {"mill"}},
                            {"findings",
                             {finding(0, "Fees for the mill", "Fees are high at night."),
                              finding(1, "Fees for the mill", "Fees are low by day."),
                              finding(2, "Mill", "If the wheel turns, it grinds."),
                              finding(3, "Fees for the mill", "Fees are never waived.")}}};
  const auto made = research::report_on(
      nlohmann::json{{"topic", "mill"}, {"goals", nlohmann::json::array({goal})}});
  EXPECT_EQ(made.at("sections")[0].at("paragraphs")[0][0].at("finding"), 2);
}

TEST(Units, AnItemInSentencesIsOneUnitAndANameIsNone) {
  Scrape scrape;
  scrape.pages = {page_of("/", "T",
                          {{"T", "It turns only slowly. Fish can pass.", "Advantages include:"},
                           {"T", "--turn"},
                           {"T", "turn-back"},
                           {"T", "a slow wheel"}})};
  EXPECT_THAT(units_of(scrape),
              ElementsAre(Field(&Unit::text, "It turns only slowly. Fish can pass."),
                          Field(&Unit::text, "a slow wheel")));
}

TEST(Report, ADefinitionDrawsNoSentencesOfOtherPages) {
  const std::string text = [] {
    Scrape scrape;
    scrape.pages = {{"/words", "/words", "Mill words", "2020-01-01", {}, {}},
                    {"/news", "/news", "Mill news", "2024-01-01", {}, {}}};
    scrape.pages[0].passages = {{"Words", "Grinding of the mill stones takes 40 minutes.", "turn"},
                                {"Words", "The mill wheel is made of oak from the river bank."}};
    scrape.pages[1].passages = {{"News", "Grinding of the mill stones takes 50 minutes."}};
    return markdown(report_on(scrape, "mill"));
  }();
  EXPECT_THAT(text, HasSubstr("- **turn**: Grinding"));
  EXPECT_THAT(text, Not(HasSubstr("Later (2024-01-01)")));
}

TEST(Topic, IsWhatTheLastWordBeforeAPrepositionSays) {
  EXPECT_EQ(head_of("the printing press in the cellar"), "press");
  EXPECT_EQ(head_of("mills"), "mill");
  EXPECT_EQ(head_of("on"), "");
}

}  // namespace
}  // namespace research::testing
