// The outline: what is read from EuroVoc, what is refused, and how much of it a target takes.
#include "corpus/outline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus_run.hpp"
#include "resumable/error.hpp"

namespace corpus::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Domain> eurovoc_outline() { return read_outline(read_file(eurovoc()), "eurovoc.json"); }

std::string refusal(const std::string& json) {
  try {
    static_cast<void>(read_outline(json, "my.json"));
  } catch (const rs::Error& error) {
    EXPECT_EQ(error.errc(), rs::Errc::source_failed);
    EXPECT_EQ(error.info().file, "my.json");
    return error.info().what;
  }
  return "nothing was refused";
}

std::string two_sections(const std::string& first, const std::string& second) {
  return R"({"domains":[{"label":"trade","microthesauri":[{"label":")" + first +
         R"(","concepts":[]},{"label":")" + second + R"(","concepts":[]}]}]})";
}

TEST(Outlines, OfEuroVocHave21DomainsAnd127Sections) {
  const auto domains = eurovoc_outline();
  EXPECT_EQ(domains.size(), 21U);
  std::size_t sections = 0;
  std::size_t terms = 0;
  for (const Domain& domain : domains) {
    sections += domain.headings.size();
    for (const Heading& heading : domain.headings) terms += heading.terms.size();
  }
  EXPECT_EQ(sections, 127U);
  EXPECT_EQ(terms, 7145U);
  EXPECT_EQ(domains[0].label, "Politics");
  EXPECT_EQ(domains[0].headings[0].title, "Political Framework");
}

TEST(Outlines, AreReadInTitleCaseWithoutStraySpaces) {
  const auto domains =
      read_outline(R"({"domains":[{"label":"AGRICULTURE, FORESTRY AND FISHERIES","microthesauri":[)"
                   R"({"label":"the EU of the\nseas","concepts":["a\u00a0 b\n"," "]}]}]})",
                   "");
  EXPECT_EQ(domains[0].label, "Agriculture, Forestry and Fisheries");
  EXPECT_EQ(domains[0].headings[0].title, "The EU of the Seas");
  EXPECT_THAT(domains[0].headings[0].terms, ElementsAre("a b"));
}

TEST(Outlines, GiveNamesThatAreNamesOfFiles) {
  EXPECT_EQ(file_name("Politics: Political Framework"), "Politics__Political_Framework");
  EXPECT_EQ(file_name("Trade, Prices: Women's / ../x"), "Trade_Prices__Womens__x");
  EXPECT_EQ(file_name("_CONCEPT: x"), "CONCEPT__x") << "such keys are the program's own";
  EXPECT_EQ(file_name("Économie: Prix"), "Économie__Prix");
}

TEST(Outlines, GiveDomainsKeysThatNoSectionHas) {
  EXPECT_EQ(expansion_key("Social Questions"), "Social_Questions");
  EXPECT_EQ(expansion_key("Arts & Crafts: Now"), "Arts_Crafts_Now");
  EXPECT_FALSE(is_section(expansion_key("Arts & Crafts: Now")));
  EXPECT_FALSE(is_section(concept_key));
  EXPECT_TRUE(is_section(file_name(section_name("Law", "Justice"))));
}

TEST(Outlines, AreRefusedWithTheReason) {
  EXPECT_THAT(refusal("{"), HasSubstr("not whole JSON"));
  EXPECT_THAT(refusal("{}"), HasSubstr("domains"));
  EXPECT_THAT(refusal(R"({"domains":[]})"), HasSubstr("asks for no section"));
  EXPECT_THAT(refusal(R"({"domains":[{"label":"a"}]})"), HasSubstr("microthesauri"));
  EXPECT_THAT(refusal(two_sections("prices", "price's")),
              HasSubstr("'Trade: Prices' and 'Trade: Price's' would both be kept as"));
  EXPECT_THAT(refusal(two_sections("a", "?")), HasSubstr("nothing was refused"))
      << "the domain's name is enough of a name";
}

TEST(Targets, TakeSectionsFromTheFirstOnUntilEnoughWordsArePlanned) {
  const auto all = first_piece(eurovoc_outline(), "", 0, 2000);
  EXPECT_EQ(all.domains.size(), 21U);
  const auto some = first_piece(eurovoc_outline(), "", 17'000, 2000);
  ASSERT_EQ(some.domains.size(), 2U) << "nine sections: seven of Politics, two of the next";
  EXPECT_EQ(some.domains[0].wanted, 7U);
  EXPECT_EQ(some.domains[1].wanted, 2U);
  EXPECT_EQ(some.domains[1].headings.size(), 4U) << "its expansion is asked for all of them";
  EXPECT_EQ(first_piece(eurovoc_outline(), "", 18'000, 2000), some);
  EXPECT_EQ(first_piece(eurovoc_outline(), "", 1, 2000).domains.at(0).wanted, 1U);
}

}  // namespace
}  // namespace corpus::testing
