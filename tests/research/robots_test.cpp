// robots.txt: which rules are for us, and what they keep out.
#include "research/robots.hpp"

#include <gtest/gtest.h>

namespace research::testing {
namespace {

using std::chrono::milliseconds;

constexpr const char* name = "resumable-research";

struct Rule {
  const char* text;
  const char* path;
  bool allowed;
};

void check(std::initializer_list<Rule> rules) {
  for (const auto& [text, path, allowed] : rules) {
    EXPECT_EQ(Robots(text, name).allows(path), allowed) << path << " by\n" << text;
  }
}

TEST(Robots, WithoutRulesEverythingIsAllowed) {
  for (const char* text : {"", "User-agent: *\nDisallow:\n", "no rules\n", "\xEF\xBB\xBF",
                           "Disallow: /\n", "User-agent: other\nDisallow: /\n"}) {
    EXPECT_TRUE(Robots(text, name).allows("/x")) << text;
  }
}

TEST(Robots, TheGroupsThatNameUsCountAndElseTheOneForAll) {
  const char* ours =
      "User-agent: *\nDisallow: /\n\nUser-agent: a\nUser-agent: Resumable-Research/2.0\n"
      "Disallow: /x\n\nUser-agent: b\nDisallow: /z\n\nUser-agent: RESUMABLE-RESEARCH\nDisallow: "
      "/y\n";
  const char* all = "User-agent: *\nDisallow: /\n";
  check({{ours, "/x", false}, {ours, "/y", false}, {ours, "/z", true}});
  check({{all, "/y", false}, {all, "/robots.txt", true}});
}

TEST(Robots, TheLongestRuleDecidesAndOfEqualOnesTheOneThatAllows) {
  const char* text =
      "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /e\nDisallow: /e\n";
  check({{text, "/a", false}, {text, "/ab", false}, {text, "/a/b", true}});
  check({{text, "/a/b/c/d", false}, {text, "/e", true}, {text, "/", true}});
}

TEST(Robots, StarsStandForAnythingAndADollarForTheEnd) {
  const char* text =
      "User-agent: *\nDisallow: /*.pdf$\nDisallow: /p/*/q\nDisallow: *?print=\nDisallow: /end$\n";
  check({{text, "/a/b.pdf", false}, {text, "/a.pdf.pdf", false}, {text, "/a.pdfx", true}});
  check({{text, "/a.pdf?x", true}, {text, "/p/1/2/q/r", false}, {text, "/p/q", true}});
  check({{text, "/x?a=1&?print=1", false}, {text, "/end", false}, {text, "/ending", true}});
}

TEST(Robots, TwoSpellingsOfAPathAreOneButAnEncodedSlashIsNone) {
  const char* text = "User-agent: *\nDisallow: /caf\xC3\xA9\nDisallow: /%7Ejo/\nDisallow: /a%2Fb\n";
  check({{text, "/caf%c3%a9/menu", false}, {text, "/~jo/", false}, {text, "/%zz%", true}});
  check({{text, "/a%2fb", false}, {text, "/a/b", true}});
}

TEST(Robots, CommentsLineEndsAndCaseDoNotMatterAndADelayIsRead) {
  const Robots robots{"# all\r\nUSER-AGENT:*#us\rdisALLOW : /x # no\r\nCrawl-Delay: 2.5\r\n", name};
  EXPECT_FALSE(robots.allows("/x"));
  EXPECT_EQ(robots.delay(), milliseconds{2500});
  EXPECT_EQ(Robots("User-agent: *\nCrawl-delay: soon\n", name).delay(), std::nullopt);
  EXPECT_EQ(Robots("User-agent: *\nCrawl-delay: -1\n", name).delay(), std::nullopt);
  EXPECT_EQ(Robots("User-agent: *\nCrawl-delay: 1e99\n", name).delay(), milliseconds{86'400'000});
}

}  // namespace
}  // namespace research::testing
