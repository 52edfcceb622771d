// A figure is backed if number, unit, scale and period agree, in whatever form it is written.
#include "memo/backing.hpp"

#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/extractive.hpp"
#include "memo/markdown.hpp"
#include "memo_run.hpp"

namespace memo {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

struct Pair {
  const char* source;
  const char* statement;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.statement; }

std::vector<std::string> missing(const Pair& pair) {
  return unbacked_figures(pair.statement, pair.source, pair.source);
}

class Backed : public ::testing::TestWithParam<Pair> {};
class Unbacked : public ::testing::TestWithParam<Pair> {};

TEST_P(Backed, WhateverTheForm) { EXPECT_THAT(missing(GetParam()), IsEmpty()); }
TEST_P(Unbacked, BecauseSomethingDiffers) { EXPECT_THAT(missing(GetParam()), Not(IsEmpty())); }

INSTANTIATE_TEST_SUITE_P(
    Figures, Backed,
    ::testing::Values(
        Pair{"The market is €1.9bn a year.", "The market is EUR 1,900 million a year."},
        Pair{"The market is €1.9 billion a year.", "A market of 1.9 billion euros per year."},
        Pair{"Sales were €1 900 000.", "Sales were €1.9 million."},
        Pair{"The margin is 47 %.", "The margin is 47 percent."},
        Pair{"The margin is 47%.", "The margin is forty-seven per cent."},
        Pair{"The ratio is 0.47.", "The ratio is 0.47."},
        Pair{"It has 1,234 users.", "It has 1234 users."},
        Pair{"It has 1.234 users.", "It has 1,234 users."},
        Pair{"The robot weeds 1,5 hectares a day.", "The robot weeds 1.5 ha per day."},
        Pair{"Price € 25.000", "It costs €25,000."},
        Pair{"It has 23 employees.", "Twenty-three people work there."},
        Pair{"It has 999 customers.", "Nine hundred and ninety-nine paying customers."},
        Pair{"Twelve hundred farms use it.", "It is used on 1,200 farms."},
        Pair{"Burn eur per month: 180000.", "It burns €180,000 a month."},
        Pair{"Runway months: 17.", "The cash lasts 17 months."},
        Pair{"Monthly burn is €180,000.", "It burns €180,000 per month."},
        Pair{"The round is €5–7 million.", "It raises between €5 million and €7 million."},
        Pair{"ARR: Q1 2025 €610,000; Q2 2025 €840,000.", "ARR was €840,000 in Q2 2025."},
        Pair{"ARR: Q1 2025 €610,000; Q2 2025 €840,000.",
             "ARR was €840,000 in the second quarter of 2025."},
        Pair{"Founded on 2021-03-14.", "Founded in March 2021."},
        Pair{"Founded on 14 March 2021.", "Founded on March 14, 2021."},
        Pair{"It is one of the largest.", "It is one of the oldest."},
        Pair{"Sales fell from €5m in 2023 to €4m in 2024.", "In 2024 sales were €4 million."},
        Pair{"Sales of 2023 rose, by 35% on 2022.", "Sales rose 35% in 2023."},
        Pair{"It pays 0.8 % per transaction.", "It pays 0.8% of a transaction."},
        Pair{"EBITDA was 1,2 Mio. EUR.", "EBITDA was €1.2m."},
        Pair{"50 % of them renew.", "Half of them renew."},
        Pair{"Robots break every 90 hours.", "A 90-hour interval between failures."}));

INSTANTIATE_TEST_SUITE_P(
    Figures, Unbacked,
    ::testing::Values(
        Pair{"The market is €1.9 billion a year.", "The market is €1.9 million a year."},
        Pair{"The market is €1.9 billion a year.", "The market is $1.9 billion a year."},
        Pair{"The market is €1.9 billion a year.", "The market is €1.9 billion a month."},
        Pair{"The market is €1.9 billion a year.", "The market is 1.9 billion robots."},
        Pair{"The market is €1.9 billion.", "The market is €1.9 billion a month."},
        Pair{"The margin is 47 %.", "The margin is 47 million."},
        Pair{"The margin is 47 %.", "The margin is 47 percentage points."},
        Pair{"The margin is 47 %.", "The margin is 0.47."},
        Pair{"Hectares per day 1,5.", "Hectares per day 15."},
        Pair{"Robots break every 90 hours.", "Robots break every 90 days."},
        Pair{"It costs €2,400 per hectare a season.", "It costs €2,400 per square metre a season."},
        Pair{"Runway months: 17.", "Runway years: 17."},
        Pair{"It has 23 employees.", "Nine hundred and ninety-nine paying customers."},
        Pair{"It has two plants.", "It has three plants."},
        Pair{"ARR: Q1 2025 €610,000; Q2 2025 €840,000.",
             "ARR: Q1 2025 €840,000; Q2 2025 €610,000."},
        Pair{"ARR: Q1 2025 €610,000; Q2 2025 €840,000.",
             "ARR: Q1 2025 €610,000; Q3 2025 €840,000."},
        Pair{"Sales were €5m in 2023 and €6m in 2024.", "Sales were €6m in 2023 and €5m in 2024."},
        Pair{"Half of the customers renew.", "A third of the customers renew."},
        Pair{"It costs €40 per site.", "It costs €40 per user."},
        Pair{"Founded in 2021.", "Founded in 2011."},
        Pair{"Founded on 2021-03-14.", "Founded in May 2021."}));

TEST(Backing, AYearMayStandAroundThePassage) {
  const std::string text = "Sales were €5 million.";
  EXPECT_THAT(unbacked_figures("Sales in 2024 were €5 million.", text, "Results of 2024\n" + text),
              IsEmpty());
  EXPECT_THAT(unbacked_figures("Sales in 2024 were €5 million.", text, text), Not(IsEmpty()));
}

TEST(Backing, NamesWithDigitsAndOrdinalsAreNoFigures) {
  EXPECT_THAT(figures_written("On its 15th birthday the FD20 got 4G."), IsEmpty());
}

/// Writes one figure differently, and stands by it.
class Lying final : public model::Provider {
 public:
  Lying(std::string from, std::string to) : from_{std::move(from)}, to_{std::move(to)} {}

 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override {
    model::Answer answer = extractive_.ask(task, stop);
    auto json = nlohmann::json::parse(answer.json);
    if (task.name == "write") {
      for (auto& paragraph : json["paragraphs"]) {
        for (auto& statement : paragraph["statements"]) {
          statement["text"] = replace_all(statement["text"].get<std::string>(), from_, to_);
        }
      }
    }
    if (task.name == "judge") {
      for (auto& verdict : json["verdicts"]) verdict["supported"] = true;
    }
    return {json.dump(), {}};
  }
  std::string do_name() const override { return "lying"; }

  std::string from_;
  std::string to_;
  ExtractiveProvider extractive_;
};

Validation validation_of(const std::string& from, const std::string& to) {
  Lying provider{from, to};
  const auto folder = resumable::test::source_folder() / "examples/data/memo-kelpworks";
  return testing::run_memo({provider, {}, {}}, {"Kelpworks"}, load_sources(folder)).validation;
}

TEST(FactCheck, AFigureOfAnotherUnitKeepsTheScoreBelowTheMark) {
  const auto honest = validation_of("€", "€");
  EXPECT_GE(*honest.overall_score, 8.0);
  EXPECT_EQ(honest.fact_check_results->supported, honest.fact_check_results->checked);
  EXPECT_LT(*validation_of("€", "$").overall_score, 8.0);
  EXPECT_LT(*validation_of("million", "billion").overall_score, 8.0);
  EXPECT_LT(*validation_of("%", " million").overall_score, 8.0);
}

TEST(FactCheck, NumbersInWordsAreFigures) {
  const auto lied = validation_of(".", " for nine hundred and ninety-nine paying customers.");
  EXPECT_LT(*lied.overall_score, 8.0);
  for (const auto& fact : lied.fact_check_results->facts) {
    const bool told = fact.statement.find("nine hundred") != std::string::npos;
    EXPECT_FALSE(told && fact.supported) << fact.statement;
  }
}

}  // namespace
}  // namespace memo
