// Two documents that speak of one quantity in words of their own.
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/corrections.hpp"
#include "memo/extractive.hpp"
#include "memo_run.hpp"

namespace memo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<Correction> between(const std::string& before, const std::string& after) {
  return corrections(Corpus{{make_source("2024-02-letter.md", "# L\n\n" + before + "\n"),
                             make_source("2024-11-notes.md", "# N\n\n" + after + "\n")}},
                     {});
}

struct Restated {
  std::string earlier;
  std::string later;
  std::string then;
  std::string now;
};

void PrintTo(const Restated& wording, std::ostream* out) {
  *out << wording.then << " became " << wording.now;
}

class IsFound : public ::testing::TestWithParam<Restated> {};

TEST_P(IsFound, WithBothFigures) {
  const auto found = between(GetParam().earlier, GetParam().later);
  ASSERT_THAT(found, SizeIs(1)) << GetParam().later;
  EXPECT_EQ(found[0].earlier, GetParam().then);
  EXPECT_EQ(found[0].later, GetParam().now);
  EXPECT_EQ(found[0].later_source, "2024-11-notes.md");
}

INSTANTIATE_TEST_SUITE_P(
    Wordings, IsFound,
    ::testing::Values(
        Restated{"A farm with forty cows saves $3,800 of water a year.",
                 "As it turned out, a farm with forty cows saves $3,100 of water a year.", "$3,800",
                 "$3,100"},
        Restated{"Sales of the bakery rose from $3 million in 2022 to $4 million in 2023.",
                 "Sales for 2023 came to $3.7 million after the audit.", "$4 million",
                 "$3.7 million"},
        Restated{
            "Sixty per cent of the jars that we fill come back to our own yard.",
            "The jars that come back to our own yard were counted: it's 45 per cent, not sixty.",
            "Sixty per cent", "45 per cent"},
        Restated{"The oven bakes a loaf in twelve minutes.",
                 "The oven bakes a loaf in 15 minutes, as a second test showed.", "twelve", "15"},
        Restated{"The waiting list of the clinic holds 340 patients today.",
                 "The waiting list of the clinic now stands at 410 patients.", "340", "410"},
        Restated{"In 2026 we mean to reach sales of $12 million.",
                 "We now expect the sales of $12 million in 2028.", "2026", "2028"},
        Restated{"The company wants to have nine bakeries by 2027.",
                 "The aim of nine bakeries by 2027 was given up.", "nine", ""},
        Restated{"Sales of the bakery came to $850,000 in 2022.",
                 "Sales of 2022 are restated to $790,000; this year will end near $2 million.",
                 "$850,000", "$790,000"},
        Restated{"The bakery in Hill Street sells a loaf after 2.8 hours.",
                 "Hill Street: the 2.8 hours in our overview came from one good month. Over the "
                 "whole year it was 3.4 hours.",
                 "2.8", "3.4"},
        Restated{"Ovens left the yard all year, so that 214 stood in bakeries at Christmas.",
                 "Some ovens had been counted twice in my letter: in the end it was 203.", "214",
                 "203"},
        Restated{"By now 214 bakeries have ordered an oven from us.",
                 "We have 187 bakeries, not 214; some with two shops were counted twice.", "214",
                 "187"},
        Restated{
            "The co-operative had 286 members at the last count.",
            "The number of members in my note is wrong, I had counted some of them twice over. "
            "It should be 418.",
            "286", "418"},
        Restated{"The fee of the bakery is 0.85% of the turnover a year.",
                 "The fee of the bakery is 0.75% of the profit now.", "0.85%", "0.75%"},
        Restated{"The oven of the bakery will hold its heat for three days without wood.",
                 "The oven now stays warm for 14 days, earlier it was three.", "three", "14"},
        Restated{"An oven that breaks is back within 15 working days.",
                 "Fifteen working days used to be our promise. Since the second shift started it "
                 "is 10 working days for an oven.",
                 "15", "10"},
        Restated{"With an oven of ours a bakery earns $410 more.",
                 "On average bakeries got $385 more. In the brochure we'd said $410, which was one "
                 "good year of one bakery.",
                 "$410", "$385"},
        Restated{"The bakery wants $320,000 in shares for a second oven.",
                 "The offer of shares brought $274,500 from 391 people, short of the $320,000 that "
                 "the bakery wants.",
                 "$320,000", "$274,500"},
        Restated{"| Of an oven | Other | Ours |\n|---|---|---|\n| Cost of a small oven | $31,000 "
                 "| $12,400 |",
                 "For a small oven it is $13,100 now, up from $12,400.", "$12,400", "$13,100"},
        Restated{"Broken loaves are down to 1.1 loaves in every hundred.",
                 "| Item | as told in May | checked in June |\n|---|---|---|\n| Broken loaves of a "
                 "hundred "
                 "| 1.1 | 1.8 |",
                 "1.1", "1.8"},
        Restated{"Two millimetres is all that a loaf shrinks.",
                 "| Item | our slide | test |\n|---|---|---|\n| Loaf | 2 mm | 3.5 mm |", "Two",
                 "3.5"},
        Restated{"An oven for a small bakery costs us $400 to build.",
                 "| Item | price 2023 | price 2024 |\n|---|---|---|\n| Oven for a small bakery | "
                 "$400 | $450 |",
                 "$400", "$450"},
        Restated{"| | 2022 | 2023 |\n|---|---|---|\n| Revenue | $0.71m | $1.86m |",
                 "FY2023 revenue is $1.64m.", "$1.86m", "$1.64m"},
        Restated{"| | FY2022 | FY2023 |\n|---|---|---|\n| Revenue | $0.71m | $1.86m |",
                 "| Line | FY2022 | FY2023 |\n|---|---|---|\n| Turnover | 710 | 1640 |", "$1.86m",
                 "1640"},
        Restated{"| | FY2022 | FY2023 |\n|---|---|---|\n| Staff | 17 | 26 |",
                 "We employ 31 people today.", "26", "31"},
        Restated{"Revenue of $3.4 million in 2023 came from bakeries.",
                 "| Item | 2022 | 2023 |\n|---|---|---|\n| Total revenue | 1500 | 3100 |",
                 "$3.4 million", "3100"},
        Restated{"Oven 2 of the bakery will be commissioned in April 2024.",
                 "Oven 2 of the bakery will be commissioned in September 2024.", "April 2024",
                 "September 2024"},
        Restated{"The school in Hill Street starts to buy our bread in June 2024.",
                 "No, June is not real any more. They signed late, so the first loaf for the "
                 "school in Hill Street will be sold in January 2025.",
                 "June 2024", "January 2025"},
        Restated{"The school in Hill Street, the largest, starts to buy our bread in June 2024.",
                 "The school in Hill Street starts in January 2025.", "June 2024", "January 2025"},
        Restated{"The ovens of the bakery save 94% of the gas.",
                 "With the new test the ovens save 88%. The 94% of gas in the deck was a mistake.",
                 "94%", "88%"}));

class IsNotFound : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(IsNotFound, ForTwoQuantities) {
  EXPECT_THAT(between(GetParam().first, GetParam().second), IsEmpty()) << GetParam().second;
}

INSTANTIATE_TEST_SUITE_P(
    Wordings, IsNotFound,
    ::testing::Values(
        std::pair{"In 2021 the bakery had 12 ovens in one hall.",
                  "The bakery now has 20 ovens in one hall."},
        std::pair{"A loaf costs from $3 for a small one to $9 for a large one.",
                  "A loaf of the new kind now costs $7 for a large one."},
        std::pair{"Bakeries with at least 20 workers can buy the oven.",
                  "Bakeries with 45 workers can buy the oven twice."},
        std::pair{"The ovens of the bakery burn $21,000 of gas a month.",
                  "The ovens cost $70,000 more than planned, again for the gas."},
        std::pair{"The bakery in Hill Street sells 400 loaves of rye a day.",
                  "Our overview is a year old. The hall holds 390 people."},
        std::pair{"The bakery sold the Oven 12 to schools in the north.",
                  "The bakery sold 40 ovens to schools in the north."},
        std::pair{"One in 28 ovens leaves the bakery with a crack in it.",
                  "In the bakery 31 ovens had a crack now, one of them a wide one."},
        std::pair{"For bread and cake the bakery plans 8 to 10 ovens.",
                  "The bakery now plans to sell bread and cake from eleven ovens."},
        std::pair{"Our count in nine mills found that 31% of the flour by weight is "
                  "lost or sold as feed.",
                  "We count more feed now, which mills sell each day; cakes were "
                  "26% of our income in the year."},
        std::pair{"Ovens baked more. After 5.1 the year before.",
                  "Of our ovens 9 percent no longer bake, not 6 as we used to say."},
        std::pair{"A new hall with ovens costs the bakery two days of work.",
                  "The bakery asks that flour be brought five days ahead, not two."},
        std::pair{"In the hall: new stones $46,000; doors and beams $52,000.",
                  "Stones are in the hall. The beams are worse than thought: the "
                  "estimate is now $67,000."},
        std::pair{"An oven for a small bakery costs us $400 to build.",
                  "| Item | steel | brick |\n|---|---|---|\n| Oven for a small "
                  "bakery | $400 | $450 |"},
        std::pair{"The alarm of an oven comes after six days.",
                  "In 2021 the alarm of an oven broke, and we went from six days to twelve for "
                  "more than two years."},
        std::pair{"| | 2022 | 2023 |\n|---|---|---|\n| Revenue | $0.71m | $1.86m |",
                  "Licence revenue was $1.64m in 2023, and revenue from cakes $1.2m."},
        std::pair{"There are 46 bakers in the field.",
                  "| Item | 2022 | 2023 |\n|---|---|---|\n| Bakers in the field | -360 | -690 |"},
        std::pair{"- Training: within 24 days", "The stones were replaced within nine days."},
        std::pair{"The bakery in Hill Street opened in January 2024.",
                  "The bakery in Hill Street opens a shop in May 2025."},
        std::pair{"The bakery in Hill Street will be open in June 2024.",
                  "The hall of the millers was paid for in May 2024."},
        std::pair{"The roof of the hall cost $4 million when it was built.",
                  "The roof of the hall now costs $4 thousand a year to clean."}));

TEST(Restated, ALaterSentenceThatLeansOnTheOneBeforeCounts) {
  const auto found = between("A bakery that bakes with it saves $190 an oven.",
                             "We also left out the cost of the gas. With that included, the saving "
                             "comes to $165 an oven.");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].later, "$165");
}

TEST(Restated, OfTwoNeighboursTheFigureThatDiffersLessReplaces) {
  const auto found =
      between("The ovens of the bakery save 94% of the gas.",
              "Each year 5% of the ovens are sent back. The 94% of gas in the deck "
              "was a mistake for the ovens. With the new test it is 88% of the gas.");
  ASSERT_THAT(found, Not(IsEmpty()));
  for (const auto& one : found) EXPECT_EQ(one.later, "88%");
}

TEST(Restated, WhatACountCountsIsNamed) {
  const auto found = between("By now 214 bakeries have ordered an oven from us.",
                             "We have 187 bakeries, not 214; some were counted twice.");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].measure, "number of bakeries");
}

TEST(Restated, TheLaterFigureAnswersWhatTheEarlierOneDid) {
  ExtractiveProvider provider;
  const Sources sources{
      make_source("deck.md",
                  "# Acme\n\nAcme makes ovens for bakeries. A bakery that uses our "
                  "ovens saves $38,000 a year in gas.\n"),
      make_source("2025-05-01-letter.md",
                  "# Letter\n\nThe accountants found a mistake: a bakery that uses our ovens saves "
                  "$33,500 a year in gas.\n")};
  const auto run = run_memo({provider, {}, {}}, {"Acme"}, sources);
  EXPECT_THAT(run.draft.markdown, HasSubstr("saves $33,500 a year"));
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("saves $38,000 a year in gas.")));
  EXPECT_THAT(run.draft.markdown,
              HasSubstr("saves $38,000 a year in gas” in `deck.md` (undated); "));
}

TEST(Restated, ATableDoesNotStateTheEarlierFigureEither) {
  ExtractiveProvider provider;
  const Sources sources{
      make_source("profile.md",
                  "# Market size\n\n| Measure | Value |\n|---|---|\n"
                  "| Bakeries supplied in the market | 240 |\n"
                  "| Growth of the market | 4 % |\n"),
      make_source("2025-05-01-letter.md",
                  "# Letter\n\nIn the market we now have 315 bakeries supplied each morning.\n")};
  const auto run = run_memo({provider, {}, {}}, {"Acme"}, sources);
  EXPECT_THAT(run.draft.markdown, HasSubstr("| Growth of the market | 4 %"));
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("| 240")));
}

}  // namespace
}  // namespace memo::testing
