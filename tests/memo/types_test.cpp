#include "memo/types.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "memo/extractive.hpp"
#include "memo/review.hpp"
#include "memo_run.hpp"

namespace memo {
namespace {

using Json = nlohmann::json;

template <class T>
T round_trip(const T& value) {
  return Json::parse(Json(value).dump()).template get<T>();
}

TEST(MemoTypes, EveryStageValueSurvivesJson) {
  ExtractiveProvider provider;
  const auto run = testing::run_memo({provider, {}, {}}, {"cloud.gov"}, testing::pack());
  EXPECT_EQ(round_trip(run.deck), run.deck);
  EXPECT_EQ(round_trip(run.found), run.found);
  EXPECT_EQ(round_trip(run.plan), run.plan);
  EXPECT_EQ(round_trip(run.sections), run.sections);
  EXPECT_EQ(round_trip(run.draft), run.draft);
  EXPECT_EQ(round_trip(run.validation), run.validation);
  EXPECT_EQ(round_trip(run.state), run.state);
  EXPECT_EQ(round_trip(outline({"cloud.gov"})), outline({"cloud.gov"}));
}

TEST(MemoTypes, ScoreOfZeroIsPresent) {
  Validation validation;
  validation.overall_score = 0.0;
  EXPECT_TRUE(Json(validation).contains("overall_score"));
  EXPECT_EQ(round_trip(validation), validation);
}

TEST(MemoTypes, ScoreNotYetGivenIsAbsent) {
  EXPECT_FALSE(Json(Validation{}).contains("overall_score"));
  EXPECT_FALSE(round_trip(Validation{}).overall_score.has_value());
}

TEST(MemoTypes, AMarkIsAFieldOnlyWhereThereIsOne) {
  const Finding unmarked{"a.b", "It is 91.", "b.md"};
  EXPECT_FALSE(Json(unmarked).contains("mark")) << "as records of before have none";
  EXPECT_EQ(round_trip(unmarked), unmarked);
  const Finding marked{"a.b", "It is 91.", "b.md", "Later (2025-03)"};
  EXPECT_EQ(round_trip(marked), marked);
}

TEST(MemoTypes, MissingFieldIsAnError) {
  Json json(Deck{});
  json.erase("silent");
  EXPECT_THROW(json.get<Deck>(), Json::out_of_range);
}

}  // namespace
}  // namespace memo
