// robots.txt: which rules are for us, and what they keep out.
#include "research/robots.hpp"

#include <gtest/gtest.h>

namespace research::testing {
namespace {

using std::chrono::milliseconds;

constexpr const char* name = "resumable-research";

TEST(Robots, WithoutRulesEverythingIsAllowed) {
  for (const char* text : {"", "User-agent: *\nDisallow:\n", "no rules\n", "\xEF\xBB\xBF",
                           "Disallow: /\n", "User-agent: other\nDisallow: /\n"}) {
    EXPECT_TRUE(Robots(text, name).allows("/x")) << text;
  }
  EXPECT_TRUE(Robots{}.allows("/x"));
}

TEST(Robots, TheGroupThatNamesUsCountsAndTheOneForAllDoesNot) {
  const Robots robots{
      "User-agent: *\nDisallow: /\n\nUser-agent: Resumable-Research/2.0\nDisallow: /x\n", name};
  EXPECT_TRUE(robots.allows("/y"));
  EXPECT_FALSE(robots.allows("/x"));
  EXPECT_FALSE(Robots("User-agent: *\nDisallow: /\n", name).allows("/y"));
}

TEST(Robots, AgentsInARowShareTheirRulesAndGroupsOfOneAgentAreOne) {
  const Robots robots{
      "User-agent: a\nUser-agent: resumable-research\nDisallow: /x\n\nUser-agent: b\n"
      "Disallow: /z\n\nUser-agent: RESUMABLE-RESEARCH\nDisallow: /y\n",
      name};
  EXPECT_FALSE(robots.allows("/x"));
  EXPECT_FALSE(robots.allows("/y"));
  EXPECT_TRUE(robots.allows("/z"));
}

TEST(Robots, TheLongestRuleDecidesAndOfEqualOnesTheOneThatAllows) {
  const Robots robots{
      "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /e\nDisallow: /e\n",
      name};
  EXPECT_FALSE(robots.allows("/a"));
  EXPECT_FALSE(robots.allows("/ab"));
  EXPECT_TRUE(robots.allows("/a/b"));
  EXPECT_FALSE(robots.allows("/a/b/c/d"));
  EXPECT_TRUE(robots.allows("/e"));
  EXPECT_TRUE(robots.allows("/"));
}

TEST(Robots, StarsStandForAnythingAndADollarForTheEnd) {
  const Robots robots{
      "User-agent: *\nDisallow: /*.pdf$\nDisallow: /p/*/q\nDisallow: *?print=\nDisallow: /end$\n",
      name};
  EXPECT_FALSE(robots.allows("/a/b.pdf"));
  EXPECT_FALSE(robots.allows("/a.pdf.pdf"));
  EXPECT_TRUE(robots.allows("/a.pdfx"));
  EXPECT_TRUE(robots.allows("/a.pdf?x"));
  EXPECT_FALSE(robots.allows("/p/1/2/q/r"));
  EXPECT_TRUE(robots.allows("/p/q"));
  EXPECT_FALSE(robots.allows("/x?a=1&?print=1"));
  EXPECT_FALSE(robots.allows("/end"));
  EXPECT_TRUE(robots.allows("/ending"));
}

TEST(Robots, TwoSpellingsOfAPathAreOne) {
  const Robots robots{
      "User-agent: *\nDisallow: /caf\xC3\xA9\nDisallow: /%7Ejo/\nDisallow: /a%2Fb\n", name};
  EXPECT_FALSE(robots.allows("/caf%c3%a9/menu"));
  EXPECT_FALSE(robots.allows("/~jo/"));
  EXPECT_FALSE(robots.allows("/a%2fb"));
  EXPECT_TRUE(robots.allows("/a/b")) << "an encoded slash is no slash";
}

TEST(Robots, CommentsLineEndsAndCaseDoNotMatter) {
  const Robots robots{"# all\r\nUSER-AGENT:*#us\rdisALLOW : /x # no\r\nCrawl-Delay: 2.5\r\n", name};
  EXPECT_FALSE(robots.allows("/x"));
  EXPECT_EQ(robots.delay(), milliseconds{2500});
}

TEST(Robots, ADelayThatIsNoneIsLeftOut) {
  EXPECT_EQ(Robots("User-agent: *\nCrawl-delay: soon\n", name).delay(), std::nullopt);
  EXPECT_EQ(Robots("User-agent: *\nCrawl-delay: -1\n", name).delay(), std::nullopt);
  EXPECT_EQ(Robots("User-agent: other\nCrawl-delay: 9\n", name).delay(), std::nullopt);
  EXPECT_EQ(Robots("User-agent: *\nCrawl-delay: 1e99\n", name).delay(), milliseconds{86'400'000});
}

TEST(Robots, TheFileItselfMayAlwaysBeAskedFor) {
  EXPECT_TRUE(Robots("User-agent: *\nDisallow: /\n", name).allows("/robots.txt"));
}

}  // namespace
}  // namespace research::testing
