// What the inspector says of a value that was dropped after use.
#include "inspector/inspected.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class InspectedDrop : public Inspected {
 protected:
  InspectedDrop() {
    for (const std::string word : {"sea", "sky"}) {
      Pipeline p{"p"};
      const auto said = p.input("word", word);
      const auto raw = p.stage({.name = "raw", .keep = Keep::until_used}, inputs(said),
                               [](const std::string& w) {
                                 return Words{w, w};
                               });
      p.stage("next", inputs(raw), [](const Words& w) { return w.size(); });
      EXPECT_EQ(run(word, p), Outcome::done);
    }
  }
};

TEST_F(InspectedDrop, IsShownWithoutAValueAndWithWhenThatWas) {
  const Said shown = inspect({"show", "sea", "raw"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, ::testing::ContainsRegex("  dropped +.* after use\n"));
  EXPECT_THAT(shown.out, Not(HasSubstr("cannot show")));
  const Json json = inspect({"show", "sea", "raw", "--json"}).json();
  EXPECT_FALSE(json["record"]["dropped"].get<std::string>().empty());
  EXPECT_FALSE(json.contains("value") || json.contains("text"));
  const Said raw = inspect({"show", "sea", "raw", "--raw"});
  EXPECT_EQ(raw.code, 3);
  EXPECT_THAT(raw.err, HasSubstr("the value of 'raw' was dropped after use"));
}

TEST_F(InspectedDrop, IsComparedByItsIdentity) {
  const Said other = inspect({"diff", "sea", "sky"});
  EXPECT_THAT(other.out, HasSubstr("raw  changed  dropped after use"));
  EXPECT_EQ(inspect({"fork", "sea", "fork"}).code, 0);
  EXPECT_THAT(inspect({"diff", "sea", "fork"}).out, Not(HasSubstr("raw")));
}

TEST_F(InspectedDrop, IsWholeAndUpToDate) {
  const Said verified = inspect({"verify", "sea"});
  EXPECT_EQ(verified.code, 0);
  EXPECT_THAT(verified.out, HasSubstr(" 0 damaged"));
  EXPECT_THAT(inspect({"plan", "sea"}).out, HasSubstr("its value was dropped after use"));
  const Said status = inspect({"status", "sea"});
  EXPECT_THAT(status.out, HasSubstr("2 of 2 stages done"));
  EXPECT_THAT(status.out, HasSubstr("its value was dropped after use"));
  EXPECT_EQ(inspect({"report", "sea", "-o", (folder_ / "page.html").string()}).code, 0);
}

}  // namespace
}  // namespace resumable::test
