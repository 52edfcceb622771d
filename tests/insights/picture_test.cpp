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

LinePlot line(std::vector<double> values) {
  LinePlot plot;
  for (std::size_t i = 0; i < values.size(); ++i) plot.at.push_back(static_cast<double>(i));
  plot.values = std::move(values);
  return plot;
}

TEST(Pictures, OfALineMarkValuesAndLevels) {
  LinePlot plot = line({0, 10, 5});
  plot.title = "a < b & c";
  plot.unit = "\"";
  plot.ticks = {{0, "first"}, {2, "last"}};
  plot.marks = {{1, "ten"}};
  plot.level_at = 1;
  plot.level_after = 5;
  const std::string svg = svg_of(plot);
  // The middle of 70 to 620, and the top of 50 to 220.
  EXPECT_THAT(svg, HasSubstr(R"(<polyline points="70.0,220.0 345.0,50.0 620.0,135.0 ")"));
  EXPECT_THAT(svg, HasSubstr(R"(<circle cx="345.0" cy="50.0")"));
  EXPECT_THAT(svg, HasSubstr(R"(text-anchor="start">ten</text>)"));
  EXPECT_THAT(svg, HasSubstr(">last</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>a &lt; b &amp; c</title>"));
  EXPECT_THAT(svg, HasSubstr(">&quot;</text>"));
  EXPECT_EQ(count(svg, "stroke-dasharray"), 3U) << "two levels, and when it changed";
  EXPECT_THAT(svg_of(line({3, 3})), Not(HasSubstr("nan"))) << "a flat line";
  EXPECT_THAT(svg_of(line({3})), Not(HasSubstr("nan"))) << "one value";
}

TEST(Pictures, OfALineHaveRoundFiguresAndBeginAtZeroIfThatIsNear) {
  const std::string near = svg_of(line({40, 187}));
  for (const char* figure :
       {">0</text>", ">50</text>", ">100</text>", ">150</text>", ">200</text>"})
    EXPECT_THAT(near, HasSubstr(figure));
  EXPECT_THAT(svg_of(line({41.03, 41.74})), HasSubstr(">41.2</text>"));
}

TEST(Pictures, OfALineHaveAGapWhereValuesAreMissing) {
  LinePlot plot = line({1, 2, 3, 4, 5});
  plot.at = {0, 1, 2, 10, 11};
  EXPECT_EQ(count(svg_of(plot), "<polyline"), 2U);
  plot.at = {0, 1, 2, 5, 6};
  EXPECT_EQ(count(svg_of(plot), "<polyline"), 1U) << "a long weekend";
}

TEST(Pictures, OfALineShowAMarkFarAwayAtTheEdgeSoThatTheOthersCanBeSeen) {
  LinePlot plot = line({10, 12, -99.9, 11, 13});
  plot.marks = {{2, "-99.9"}};
  const std::string svg = svg_of(plot);
  EXPECT_EQ(count(svg, "<path"), 1U);
  EXPECT_THAT(svg, Not(HasSubstr(">-100</text>")));
  EXPECT_THAT(svg, HasSubstr("<title>-99.9</title>"));
}

TEST(Pictures, OfALineDoNotPrintOneTextOverAnother) {
  LinePlot plot = line(std::vector<double>(100, 1));
  for (std::size_t i = 50; i < 60; ++i) plot.marks.push_back({i, "2025-01-01: 1"});
  const std::string svg = svg_of(plot);
  EXPECT_EQ(count(svg, "<title>2025-01-01: 1</title>"), 10U);
  EXPECT_LE(count(svg, ">2025-01-01: 1</text>"), 4U);
  EXPECT_GE(count(svg, ">2025-01-01: 1</text>"), 1U);
}

TEST(Pictures, OfBarsBeginAtZeroAndEachHasItsNameAndFigure) {
  BarPlot plot{"t", "kg", {{"up", 3}, {"down", -1}}};
  const std::string svg = svg_of(plot);
  EXPECT_THAT(svg, HasSubstr(">up</text>"));
  EXPECT_THAT(svg, HasSubstr(">3 kg</text>"));
  // 507.6 for 4 beside the names: a quarter of it left of zero.
  EXPECT_THAT(svg, HasSubstr(R"(width="380.7")"));
  EXPECT_THAT(svg, HasSubstr(R"(width="126.9")"));
  plot.bars.assign(60, {"a name that is much too long to stand beside a bar", 1});
  const std::string many = svg_of(plot);
  EXPECT_EQ(count(many, ">a name that is much too long to s…</text>"), 40U);
  EXPECT_THAT(many, HasSubstr(">and 20 more</text>"));
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
  EXPECT_THAT(change, HasSubstr("takings (Wine): median 119.05 EUR before 2025-06-09, 170.30 EUR"));
}

TEST_F(InsightsPictures, AreOfAllThatTheAnswerTellsAndItSaysWhatHasNone) {
  const auto data = resumable::test::source_folder() / "examples/data/insights-coop";
  const Json request{{"systemId", "sales"},
                     {"contextWindowDays", 61},
                     {"customPrompt", "What happened in the Old Town shop?"},
                     {"pictures", true}};
  const Said said = insights({"request", "--data", data.string(), "--job", "all"}, request.dump());
  ASSERT_EQ(said.code, 0) << said.out;
  const Json answer = said.json().at("insights");
  EXPECT_GT(answer.at("pictures").size(), 12U);
  EXPECT_THAT(answer.at("rawText").get<std::string>(),
              HasSubstr("\nWithout a picture: Findings 1, 2; Figures 1, 3, 6, 7."));
  for (const char* name :
       {"find-change-units-product-group-old-town-vegetables",
        "find-change-takings-product-group-old-town-bread",
        "find-unusual-takings-row-old-town-wine", "pattern-units-month-old-town"})
    EXPECT_TRUE(std::filesystem::exists(folder / "out/all/pictures" / (std::string{name} + ".svg")))
        << name;
}

TEST_F(InsightsPictures, AreNotOfWhatTheAnswerDoesNotTell) {
  const auto data = resumable::test::source_folder() / "examples/data/insights-coop";
  const Json request{{"systemId", "sales"},
                     {"contextWindowDays", 61},
                     {"customPrompt", "Which shop has the highest takings?"},
                     {"pictures", true}};
  const Said said = insights({"request", "--data", data.string(), "--job", "few"}, request.dump());
  ASSERT_EQ(said.code, 0) << said.out;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/few/pictures/compute-takings-shop.svg"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/few/pictures/shares-takings-payment.svg"));
}

TEST_F(InsightsPictures, OfEventsByHourShowHowManyThereWere) {
  const auto data = resumable::test::source_folder() / "examples/data/insights-liftcalls";
  const Json request{{"systemId", "callouts_2025"},
                     {"contextWindowDays", 185},
                     {"customPrompt", "At which hours do call-outs come in?"},
                     {"pictures", true}};
  const Said said =
      insights({"request", "--data", data.string(), "--job", "hours"}, request.dump());
  ASSERT_EQ(said.code, 0) << said.out;
  const std::string hours = read_file(folder / "out/hours/pictures/pattern-callouts-hour.svg");
  EXPECT_THAT(hours, HasSubstr("callouts by hour</text>"));
  EXPECT_THAT(hours, HasSubstr(">55</text>")) << "one of 56 rows is there twice";
}

}  // namespace
}  // namespace insights::testing
