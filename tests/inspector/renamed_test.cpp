// A run whose stages and inputs were renamed, seen by the inspector.
#include "inspector/inspected.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Renamed : public Inspected {
 protected:
  static Pipeline declared(bool renamed) {
    Pipeline p{"p"};
    const auto of =
        renamed ? p.input({.name = "firm", .was = "company"}, "Acme") : p.input("company", "Acme");
    const auto list = p.input("list", Words{"a", "b"});
    const auto text = [](const std::string& firm) { return Text{firm + "\n"}; };
    const auto word = [](const std::string& one) { return one; };
    const auto deck = renamed ? p.stage({.name = "pitch", .was = "deck"}, inputs(of), text)
                              : p.stage("deck", inputs(of), text);
    if (renamed) {
      p.stage({.name = "pages", .was = "parts"}, inputs(each(list)), word);
    } else {
      p.stage("parts", inputs(each(list)), word);
    }
    p.stage("end", inputs(deck), [](const Text& all) { return all; });
    return p;
  }
  Renamed() {
    EXPECT_EQ(run("r", declared(false)), Outcome::done);
    EXPECT_EQ(run("r", declared(true)), Outcome::done);
  }
};

TEST_F(Renamed, StatusPlanAndGraphShowThePresentNames) {
  const Said plan = inspect({"plan", "r"});
  EXPECT_THAT(plan.out, HasSubstr("keep      pitch"));
  EXPECT_THAT(plan.out, HasSubstr("'pitch' was 'deck'"));
  EXPECT_THAT(plan.out, Not(HasSubstr("no longer")));
  EXPECT_THAT(inspect({"status", "r"}).out, HasSubstr("pitch"));
  const Said graph = inspect({"graph", "r"});
  EXPECT_THAT(graph.out, HasSubstr("firm"));
  EXPECT_THAT(graph.out, Not(HasSubstr("deck")));
}

TEST_F(Renamed, CommandsTakeThePresentNameAndTheRecordedOne) {
  for (const char* name : {"pitch", "deck"}) {
    SCOPED_TRACE(name);
    EXPECT_THAT(inspect({"show", "r", name}).out, HasSubstr("Acme"));
    EXPECT_THAT(inspect({"explain", "r", name}).out, HasSubstr("generation 1"));
    const Said forked = inspect({"fork", "r", std::string{"from-"} + name, "--from", name});
    EXPECT_EQ(forked.code, 0) << forked.err;
  }
  EXPECT_THAT(inspect({"show", "r", "pages/a"}).out, HasSubstr("parts/a"));
  EXPECT_THAT(inspect({"show", "r", "@input/firm"}).out, HasSubstr("Acme"));
  const Said diff = inspect({"diff", "r", "from-deck", "--stage", "pitch"});
  EXPECT_THAT(diff.out, HasSubstr("removed")) << diff.err;
  const Said report = inspect({"report", "r", "--output", (folder_ / "page.html").string()});
  EXPECT_EQ(report.code, 0) << report.err;
}

}  // namespace
}  // namespace resumable::test
