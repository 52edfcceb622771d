// The answers of answerable.json are found by their words, and only by them.
#include "phrases.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "answers.hpp"

namespace memo::testing {
namespace {

TEST(Phrases, AreFoundWithoutMarkupAndPunctuation) {
  EXPECT_TRUE(holds("Ada Byron, director.", "**Ada Byron** – director"));
  EXPECT_TRUE(holds("Minimum ticket: MXN 5 million.", "minimum_ticket: MXN 5 million"));
  EXPECT_TRUE(holds("“We don’t sell in [Kent](https://kent.example).”", "we don't sell in Kent"));
  EXPECT_TRUE(holds("It is 1420 firms at 3.5 %.", "1,420 firms at 3.5%"));
}

TEST(Phrases, AreWholeWords) {
  EXPECT_FALSE(holds("We have 1,740 customers.", "740"));
  EXPECT_FALSE(holds("A loss of 13.1%.", "3.1%"));
  EXPECT_FALSE(holds("A loss of 3.1%.", "3%"));
  EXPECT_FALSE(holds("Two lakes freeze.", "two lake"));
  EXPECT_FALSE(holds("We have 187 firms, not 214; firms with two sites count once.", "214 firms"));
  EXPECT_TRUE(holds("In the U.S. we pay Dr. Lee.", "in the U.S. we pay Dr. Lee."));
}

TEST(Phrases, KeepTheirFiguresAndUnits) {
  EXPECT_FALSE(holds("It costs 5 a day.", "costs $5 a day"));
  EXPECT_FALSE(holds("It costs €5 a day.", "costs $5 a day"));
  EXPECT_FALSE(holds("It grew by 15 a year.", "by 1.5 a year"));
  EXPECT_FALSE(holds("It fell by 5%.", "fell by -5%"));
  EXPECT_FALSE(holds("Of 2 in 30.", "of 2.30"));
}

TEST(Phrases, ThatAreRowsAreFoundInTablesAndInWhatRowsSay) {
  const std::string row = "chilled storage,crate 25 kg per day,225,240";
  EXPECT_TRUE(
      holds("Chilled storage: unit crate 25 kg per day; price 2023 225; price 2024 240.", row));
  EXPECT_TRUE(holds("Chilled storage | crate 25 kg per day | 225 | 240 | from May", row));
  EXPECT_TRUE(holds("Box: unit piece; price 1,415.", "box;piece;;1,415"));
  EXPECT_TRUE(holds("Sites running: end of 2024 6; now 9.", "| Sites running | 6 | 9 |"));
}

TEST(Phrases, ThatAreRowsNeedAllCellsInTheirOrder) {
  const std::string row = "chilled storage,crate,225,240";
  EXPECT_FALSE(holds("Chilled storage: unit crate; price 240; later 225.", row));
  EXPECT_FALSE(holds("Chilled storage | crate | 225", row));
  EXPECT_FALSE(holds("Chilled storage | crate | 1225 | 240", row));
  EXPECT_FALSE(holds("Chilled storage | crate 225 | 225 | 240", row));
  EXPECT_FALSE(holds("Chilled storage: unit crate; price 225; deposit 9; price 240.", row));
  EXPECT_FALSE(holds("Chilled storage by the crate costs 225 or 240.", row));
  EXPECT_FALSE(holds("It is 1, 234 or 567 people.", "1,234,567"));
}

std::vector<std::string> listed_in(const std::filesystem::path& folder) {
  std::vector<std::string> all;
  const auto add = [&](const std::vector<std::string>& phrases) {
    all.insert(all.end(), phrases.begin(), phrases.end());
  };
  const auto answers = nlohmann::json::parse(text_of(folder / "answerable.json"));
  for (const auto& entry : answers.items()) {
    add(phrases_in(entry.value()));
  }
  for (const auto& [earlier, later] : superseded_in(folder)) {
    add({earlier});
    add(later);
  }
  return all;
}

TEST(Phrases, OfTheCompaniesStandInTheirSources) {
  for (const auto& entry :
       std::filesystem::directory_iterator{RESUMABLE_SOURCE_DIR "/examples/data"}) {
    if (!entry.path().filename().string().starts_with("memo-")) continue;
    const Sources sources = load_sources(entry.path());
    for (const auto& phrase : listed_in(entry.path())) {
      EXPECT_TRUE(std::ranges::any_of(sources,
                                      [&](const Source& source) {
                                        return holds(body_of(source), phrase) ||
                                               holds(source.text, phrase);
                                      }))
          << phrase << " of " << entry.path();
    }
  }
}

}  // namespace
}  // namespace memo::testing
