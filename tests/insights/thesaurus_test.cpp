// Everyday words for what the tables call otherwise.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/interest.hpp"
#include "insights/worded.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class EverydayWords : public InsightsTest {
 protected:
  /// Days at sea of three vessels from 2025-03-01, with what became of each, and who bought.
  EverydayWords() {
    std::string text =
        "Sailed,Vessel,Skipper,Buyer,Gear,Status,Weight (kg),O2 (mg/l),Landing fee (EUR)\n";
    const Moment first = parse_moment("2025-03-01")->moment;
    for (int i = 0; i < 120; ++i) {
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{}\n", moment_text(first + i * day_length, false),
                      std::vector{"Heron", "Tern", "Gannet"}[static_cast<std::size_t>(i % 3)],
                      i % 2 == 0 ? "Moira" : "Callum", i % 4 == 0 ? "Nordfish" : "Baird",
                      i % 5 == 0 ? "Creel" : "Trawl",
                      i % 10 == 3   ? "no-show"
                      : i % 10 == 7 ? "cancelled"
                                    : "done",
                      200 + i % 7, 8 + i % 2, 12 + i % 3);
    }
    write_file(folder / "trips.csv", text);
  }

  [[nodiscard]] Json table() const {
    return catalogue(load_readings(folder / "trips.csv", "trips", 400));
  }
  [[nodiscard]] std::string worded(const std::string& prompt) const {
    return in_words_of(table(), prompt).prompt;
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    return answer_to("trips", prompt);
  }
};

TEST_F(EverydayWords, AreTakenForColumnsAndValues) {
  EXPECT_EQ(worded("Which boat is best?"), "Which Vessel is best?");
  EXPECT_EQ(worded("How much oxygen was there?"), "How much O2 was there?");
  EXPECT_EQ(worded("How many trips were called off?"), "How many trips were cancelled?");
  EXPECT_EQ(worded("How many trips went ahead?"), "How many trips done?");
}

TEST_F(EverydayWords, ThatDenySomethingAreTakenWhole) {
  EXPECT_EQ(worded("How often did they not turn up?"), "How often did they no-show?");
  EXPECT_EQ(worded("How often didn't they simply show up?"),
            "How often didn't they simply show up?");
  EXPECT_EQ(worded("Who failed to show up?"), "Who no-show?");
  EXPECT_EQ(worded("Who didn't even show up?"), "Who no-show?");
}

TEST_F(EverydayWords, ThatTheTableHasStayAsTheyAre) {
  EXPECT_EQ(worded("Which vessel had the highest landing fee?"),
            "Which vessel had the highest landing fee?");
  EXPECT_TRUE(in_words_of(table(), "How many trips were done with trawl gear?").taken.empty());
}

TEST_F(EverydayWords, OfWhichAColumnIsTheDoerStayAsTheyAre) {
  std::string text = "Day,Owner,Fixer,Price (EUR)\n";
  for (int day = 1; day <= 20; ++day)
    text += fmt::format("2025-01-{:02},{},{},{}\n", day, day % 2 == 0 ? "Lund" : "Ode",
                        day % 3 == 0 ? "Ines" : "Tom", 20 + day);
  write_file(folder / "repairs.csv", text);
  const Json repairs = catalogue(load_readings(folder / "repairs.csv", "repairs", 400));
  EXPECT_EQ(in_words_of(repairs, "Who fixed it?").prompt, "Who fixed it?");
}

TEST_F(EverydayWords, ThatMayMeanSeveralThingsAreTakenForNone) {
  write_file(folder / "pair.csv",
             "Day,Guest,Client,Nights\n2025-01-01,A,B,2\n2025-01-02,B,A,3\n"
             "2025-01-03,A,B,2\n2025-01-04,B,B,3\n2025-01-05,A,A,2\n");
  const Json pair = catalogue(load_readings(folder / "pair.csv", "pair", 400));
  EXPECT_EQ(in_words_of(pair, "Which patron came most?").prompt, "Which Client came most?");
  EXPECT_EQ(in_words_of(pair, "Which visitor came most?").prompt, "Which Guest came most?");
}

TEST_F(EverydayWords, AreToldWhereTheyAreNotEvident) {
  EXPECT_THAT(answer("Which boat landed the most weight?"), HasSubstr("Read \"boat\" as Vessel."));
  EXPECT_THAT(answer("Which vessels landed the most weight?"), Not(HasSubstr("Read ")));
  EXPECT_EQ(taken_words({{"trawlers", "Trawl"}}), "");
  EXPECT_EQ(taken_words({{"boats", "Vessel"}, {"oxygen", "O2"}}),
            "Read \"boats\" as Vessel, \"oxygen\" as O2.");
}

/// A catalogue of one category.
Json category(const std::string& name, const Words& values) {
  return {{"table", "list"},
          {"columns", {{{"name", name}, {"kind", "category"}, {"values", values}}}}};
}

TEST(EverydayNouns, AreNotMeantByVerbsOfThem) {
  const Json titles = category("Title", {"Emma", "Persuasion"});
  EXPECT_EQ(in_words_of(titles, "Which book is best?").prompt, "Which Title is best?");
  EXPECT_EQ(in_words_of(titles, "Which was booked most?").prompt, "Which was booked most?");
}

TEST(EverydayVerbs, OfStatesMeanAllValuesOfOneColumnThatAreLikeThem) {
  const Json births = category("Status", {"alive", "died", "stillborn"});
  const std::string prompt = in_words_of(births, "How many did we lose?").prompt;
  EXPECT_EQ(prompt, "How many did we either died or stillborn?");
  EXPECT_EQ(interest_of(prompt, births).where.at("Status"), "any of died | stillborn");
  EXPECT_EQ(in_words_of(category("Opened", {"x"}), "Which are not solved?").prompt,
            "Which are not solved?");
}

TEST_F(EverydayWords, OfAUnitAreAboutColumnsInAnotherOfItsKind) {
  EXPECT_THAT(interest_of("How many tonnes came in?", table()).columns, ElementsAre("Weight"));
}

TEST_F(EverydayWords, OfVerbsSayWhoIsMeant) {
  EXPECT_THAT(interest_of("Who bought the most?", table()).named, ElementsAre("Buyer"));
  EXPECT_THAT(interest_of("Who caught the most?", table()).named, ElementsAre("Skipper"));
}

TEST_F(EverydayWords, OfWhatIsCountedAreNoGroupsOfWho) {
  EXPECT_THAT(interest_of("Who of the skippers had the most vessels?", table()).named,
              ElementsAre("Buyer", "Skipper"));
  EXPECT_THAT(interest_of("Who landed more, Heron or Tern?", table()).named, ElementsAre("Vessel"));
}

}  // namespace
}  // namespace insights::testing
