// What groups were in two times, and which of them has moved most.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class Moves : public InsightsTest {
 protected:
  /// Three docks in the months of 2022 and 2023: a month brings East 100 boats, then 90; West 50,
  /// then 80; North 10 in both years. A boat pays 2 £. Noise differs by dock.
  Moves() {
    std::string text = "Month,Dock,Boats,Fees (£),Noise level (dB)\n";
    for (int month = 0; month < 24; ++month) {
      const bool late = month >= 12;
      const auto add = [&](const char* dock, int boats, int noise) {
        text += fmt::format("{}-{:02},{},{},{},{}\n", 2022 + month / 12, month % 12 + 1, dock,
                            boats, 2 * boats, noise + month % 3);
      };
      add("East", late ? 90 : 100, 60);
      add("West", late ? 80 : 50, late ? 50 : 55);
      add("North", 10, 40);
    }
    write_file(folder / "harbour.csv", text);
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "harbour"}, {"contextWindowDays", 1000}, {"customPrompt", prompt}};
    const auto file = folder / "harbour.csv";
    return without_lines(insights({"request", "--data", file.string()}, request.dump())
                             .json()
                             .at("insights")
                             .at("rawText"));
  }
  static constexpr const char* head =
      "Findings\n- Boats by Dock, 2022 against 2023 (altogether 1920 and 2160, it rose by 240 (13 "
      "%)): ";
};

TEST_F(Moves, OfGroupsAreToldInTheDirectionThatIsAsked) {
  const std::string east = "East 1200 and 1080, it fell by 120 (−10 %)";
  const std::string west = "West 600 and 960, it rose by 360 (60 %)";
  const std::string north = "North 120 and 120";
  EXPECT_THAT(answer("Which dock lost the most boats from 2022 to 2023?"),
              HasSubstr(head + east + "; " + north + "; " + west + "."));
  for (const char* prompt :
       {"Which dock gained the most boats from 2022 to 2023?",
        "Which dock had more boats in 2023 than in 2022?", "At which dock have boats increased?",
        "Which dock lost the least boats between 2022 and 2023?",
        "Which dock had fewer boats in 2022 than in 2023?"})
    EXPECT_THAT(answer(prompt), HasSubstr(head + west + "; " + north + "; " + east + "."))
        << prompt;
  EXPECT_THAT(answer("Compare the boats at each dock in 2022 and 2023"),
              HasSubstr(head + west + "; " + east + "; " + north + "."));
}

TEST_F(Moves, WithoutAnOrderTheyHaveTheirPartOfAll) {
  EXPECT_THAT(answer("How many boats came to each dock in 2022 and in 2023?"),
              HasSubstr("West 600 (31.2 %) and 960 (44.4 %), it rose by 360 (60 %)"));
}

TEST_F(Moves, OfALevelAreThoseOfItsMeans) {
  EXPECT_THAT(answer("How did the noise level change from 2022 to 2023 at each dock?"),
              HasSubstr("Noise level by Dock, 2022 against 2023 (altogether 52.67 dB and 51 dB, it "
                        "fell by 1.667 dB): West 56 dB and 51 dB, it fell by 5 dB; East"));
}

TEST_F(Moves, OfOneValueAreThoseOfItsTwoTimes) {
  EXPECT_THAT(answer("Did East lose boats from 2022 to 2023?"),
              HasSubstr("Findings\n- Boats (East): 2022 1200 (12 months, 100 a month), 2023 1080"));
  EXPECT_THAT(answer("Did East bring in more fees in 2023 than in the year before?"),
              HasSubstr("Findings\n- Fees (East): 2022 2400 £ (12 months, 200 £ a month), 2023"));
}

TEST_F(Moves, AreNotMeantByARangeOfYears) {
  EXPECT_THAT(answer("How many boats were there at each dock from 2022 to 2023?"),
              HasSubstr("Findings\n- Boats by Dock (4080 in all): East 2280 (55.9 %)"));
  EXPECT_THAT(
      answer("Which dock had the most boats since July 2023?"),
      HasSubstr("Findings\n- Boats (July to December 2023) by Dock (1080 in all): East 540"));
}

}  // namespace
}  // namespace insights::testing
