// Tables whose rows belong to rows of the table that is asked about.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Children : public InsightsTest {
 protected:
  /// Forty hives that came in March, of two breeders, with a serial number, and what each was
  /// harvested in July and August: those of Rowe 10 kg, those of Lind 12 kg.
  Children() {
    std::string hives = "Came,Hive No,Breeder,Price\n";
    std::string harvests = "Harvested,Hive No,Honey (kg)\n";
    for (int i = 0; i < 40; ++i)
      hives += fmt::format("2025-03-{:02},{},{},{}\n", 1 + i % 20, 300 + i, i % 2 ? "Rowe" : "Lind",
                           80 + i % 7);
    for (const char* month : {"07", "08"}) {
      for (int i = 0; i < 40; ++i)
        harvests +=
            fmt::format("2025-{}-{:02},{},{}\n", month, 1 + i % 5, 300 + i, i % 2 ? 10 : 12);
    }
    write_file(folder / "hives.csv", hives);
    write_file(folder / "harvests.csv", harvests);
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "hives"}, {"contextWindowDays", 10'000}, {"customPrompt", prompt}};
    return without_lines(insights({"request", "--data", folder.path().string()}, request.dump())
                             .json()
                             .at("insights")
                             .at("rawText"));
  }
};

TEST_F(Children, StandBesideTheirParentsHoweverLate) {
  const Readings readings = load_readings(folder.path(), "hives", 10'000);
  ASSERT_EQ(readings.beside.size(), 1);
  EXPECT_EQ(readings.beside[0].rows(), 80);
  EXPECT_THAT(readings.left_out, IsEmpty());
}

TEST_F(Children, HaveTheKindsOfTheirParents) {
  const Readings readings = load_readings(folder.path(), "hives", 10'000);
  const Column* breeder = readings.beside[0].find("Breeder");
  ASSERT_NE(breeder, nullptr);
  EXPECT_EQ(breeder->words[0], "Lind");
  EXPECT_EQ(readings.beside[0].find("Price"), nullptr) << "it would be counted several times";
  EXPECT_EQ(readings.beside[0].find("Hive No")->kind, Column::Kind::category);
}

TEST_F(Children, AnswerWhatTheirColumnsAreAskedAbout) {
  const std::string text = answer("Which breeder's hives gave the most honey in July?");
  EXPECT_THAT(text, HasSubstr("Honey (July 2025) by Breeder (440 kg in all): Lind 240 kg"));
  EXPECT_THAT(text, Not(HasSubstr("Not looked at")));
}

TEST_F(Children, AreNoneWhereBothCountTheirOwnRows) {
  std::string text = "No,Day,Calls\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("{},2025-03-{:02},{}\n", i, 1 + i % 28, i % 5);
  write_file(folder / "calls.csv", text);
  std::string visits = "No,Day,Kind\n";
  for (int i = 0; i < 30; ++i)
    visits += fmt::format("{},2025-06-{:02},{}\n", i, 1 + i % 28, i % 3 ? "short" : "long");
  write_file(folder / "visits.csv", visits);
  const Readings readings = load_readings(folder.path(), "calls", 10'000);
  EXPECT_THAT(readings.left_out, Contains(HasSubstr("visits.csv")));
}

}  // namespace
}  // namespace insights::testing
