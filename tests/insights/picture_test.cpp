// Pictures of findings: what they show, and when there are files of them.
#include "insights/picture.hpp"

#include <algorithm>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::read_file;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t times = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++times;
  return times;
}

using InsightsPictures = InsightsTest;

TEST(Pictures, OfALineMarkValuesAndLevels) {
  LinePlot plot{.title = "a < b & c",
                .unit = "\"",
                .from = "first",
                .to = "last",
                .values = {0, 10, 5},
                .marks = {{1, "ten"}},
                .level_at = 1,
                .level_before = 0,
                .level_after = 5};
  const std::string svg = svg_of(plot);
  // The middle of 70 to 620, and the top of 40 to 220.
  EXPECT_THAT(svg, HasSubstr(R"(<polyline points="70.0,220.0 345.0,40.0 620.0,130.0 ")"));
  EXPECT_THAT(svg, HasSubstr(R"(<circle cx="345.0" cy="40.0")"));
  EXPECT_THAT(svg, HasSubstr("<title>a &lt; b &amp; c</title>"));
  EXPECT_THAT(svg, HasSubstr(">&quot;</text>"));
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2U);
  plot.values = {3, 3};
  plot.marks.clear();
  plot.level_at = 0;
  EXPECT_THAT(svg_of(plot), Not(HasSubstr("nan"))) << "a flat line";
}

TEST(Pictures, OfBarsBeginAtZero) {
  const std::string svg = svg_of(BarPlot{"t", "", {{"up", 3}, {"down", -1}}});
  // 180 for 4: 135 above zero, 45 below.
  EXPECT_THAT(svg, HasSubstr(R"(y="40.0" width="192.5" height="135.0")"));
  EXPECT_THAT(svg, HasSubstr(R"(y="175.0" width="192.5" height="45.0")"));
}

TEST_F(InsightsPictures, AreFilesBesideTheAnswerWhenTheyAreAskedFor) {
  Json request = december_request();
  EXPECT_FALSE(ask("without").json().at("insights").contains("pictures"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/without/pictures"));
  request["pictures"] = true;
  const Json answer = ask("with", {}, request).json();
  const Json& files = answer.at("insights").at("pictures");
  ASSERT_GE(files.size(), 2U);
  for (const Json& file : files) {
    const std::string svg = read_file(file.get<std::string>());
    EXPECT_THAT(svg, ::testing::StartsWith("<svg "));
    EXPECT_THAT(svg, ::testing::EndsWith("</svg>\n"));
  }
  const std::string unusual =
      read_file(folder / "out/with/pictures/find-unusual-precipitation.svg");
  EXPECT_THAT(unusual, HasSubstr("2015-12-08: 54.1"));
  EXPECT_EQ(count(unusual, "<circle"), 5U);
  std::filesystem::remove(folder / "out/with/pictures/find-unusual-precipitation.svg");
  const Json again = go_on("with").json();
  EXPECT_TRUE(again.at("metadata").at("cached"));
  EXPECT_EQ(again.at("insights"), answer.at("insights"));
  EXPECT_EQ(read_file(folder / "out/with/pictures/find-unusual-precipitation.svg"), unusual)
      << "a file that is gone is written again";
}

TEST_F(InsightsPictures, OfOneValueAreNamedAfterIt) {
  const auto data = resumable::test::source_folder() / "examples/data/insights-coop";
  const Json request{{"systemId", "sales"},
                     {"contextWindowDays", 61},
                     {"customPrompt", "How is Wine doing?"},
                     {"pictures", true}};
  const Said said = insights({"request", "--data", data.string(), "--job", "wine"}, request.dump());
  ASSERT_EQ(said.code, 0) << said.out;
  const std::string change = read_file(folder / "out/wine/pictures/find-change-takings-wine.svg");
  EXPECT_THAT(change, HasSubstr("takings (Wine): median 119.05 EUR before 2025-06-09, 170.3 EUR"));
}

}  // namespace
}  // namespace insights::testing
