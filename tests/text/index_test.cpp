#include "text/index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace text {
namespace {

using ::testing::ElementsAre;

std::vector<Passage> passages(const std::vector<std::string>& bodies) {
  std::vector<Passage> list;
  for (const auto& body : bodies)
    list.push_back({"", body, "a.md", static_cast<int>(list.size()) + 1});
  return list;
}

const auto ferries =
    passages({"The ferry sails at noon.", "Tickets cost four euros.",
              "Nothing of interest stands here.", "Ferries sail in winter too.",
              "The crew of three is paid weekly.", "Rope and paint are stored below."});

std::vector<std::size_t> found(const PassageIndex& index, const std::vector<std::string>& words,
                               std::size_t most = 5, double least = 0) {
  std::vector<std::size_t> list;
  for (const Hit& hit : index.best(words, most, least)) list.push_back(hit.passage);
  return list;
}

TEST(Index, FindsStemsAndRanksWhatHoldsMoreOfTheWords) {
  const PassageIndex index{ferries};
  EXPECT_THAT(found(index, {"ferry", "sailing", "winter"}), ElementsAre(3, 0));
}

TEST(Index, OfEqualScoresTheEarlierPassageComesFirst) {
  const PassageIndex index{passages({"x", "same words", "y", "same words", "z"})};
  EXPECT_THAT(found(index, {"words"}), ElementsAre(1, 3));
}

TEST(Index, NothingBelowTheLimitAndNoMoreThanAskedFor) {
  const PassageIndex index{ferries};
  EXPECT_TRUE(found(index, {"ferry"}, 5, 100.0).empty());
  EXPECT_EQ(found(index, {"ferry"}, 1).size(), 1U);
  EXPECT_TRUE(found(index, {}).empty());
  EXPECT_TRUE(found(index, {"zeppelin"}).empty());
}

TEST(Index, OperatorsAndQuotationMarksAreWords) {
  const PassageIndex index{ferries};
  EXPECT_NO_THROW(found(index, {"\"", "NOT", "a* OR b", "ferry)", "title:x", "NEAR(", "-"}));
  EXPECT_THAT(found(index, {"ferry\" OR \"crew"}).size(), 0U) << "it is a phrase";
}

TEST(Index, ATitleCountsMoreThanTheBody) {
  const PassageIndex index{{{"", "tariff and more words here", "a", 1},
                            {"Tariff", "four euros and more words", "a", 2},
                            {"", "nothing", "a", 3},
                            {"", "nothing else", "a", 4},
                            {"", "nothing more", "a", 5},
                            {"", "nothing at all", "a", 6}}};
  EXPECT_THAT(found(index, {"tariff"}), ElementsAre(1, 0));
}

TEST(Index, TheWordsOfAHeaderCountLessThanThoseOfARowOrASentence) {
  auto passages = cut("t.csv", "tariff,note\n4,dogs\n5,bicycles\n6,a tariff of old\n").passages;
  passages.push_back({"", "The tariff is the same for all.", "a.md", 1});
  for (int i = 0; i < 20; ++i) passages.push_back({"", "nothing of the kind", "a.md", 2});
  EXPECT_THAT(found(PassageIndex{passages}, {"tariff"}), ElementsAre(2, 3, 0, 1));
  EXPECT_EQ(passages[0].body, "tariff: 4; note: dogs");
}

TEST(SearchWords, AreTheLongOnesThoseWithDigitsAndAbbreviations) {
  EXPECT_THAT(search_words("What is the AI of C4 at Quay Ltd, and when?", "Quay Ltd."),
              ElementsAre("What", "AI", "C4", "when"));
}

}  // namespace
}  // namespace text
