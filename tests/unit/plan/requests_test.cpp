// redo, from and fresh: what they run again, until when, and which of two equal ones counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plan/planned.hpp"

namespace resumable::test {
namespace {

using plan::Request;
using ::testing::HasSubstr;

Request under(std::uint64_t fence, Request request) {
  request.fence = fence;
  return request;
}

TEST(Requests, RedoRunsOneStageAgainAndLeavesTheRestToItsValue) {
  const Memo memo;
  EXPECT_EQ(outline(memo.plan({memo.redo("topics")}).stages()),
            "deck skip done, topics run requested, sections decide upstream, draft decide "
            "upstream, study skip done");
}

TEST(Requests, RedoOfAnItemRunsThatItem) {
  const Memo memo;
  const Plan plan = memo.plan({memo.redo("sections", "team")});
  EXPECT_EQ(outline({plan["sections"]}), "sections run partial+requested");
  EXPECT_EQ(plan.item("sections", "team")->action, Action::run);
  EXPECT_EQ(plan.item("sections", "market")->action, Action::skip);
}

TEST(Requests, FromRunsAStageAndAllThatDependOnIt) {
  const Memo memo;
  EXPECT_EQ(outline(memo.plan({memo.from("topics")}).stages()),
            "deck skip done, topics run requested, sections decide upstream, draft run "
            "requested+upstream, study skip done");
}

TEST(Requests, FreshRunsEverything) {
  const Memo memo;
  EXPECT_EQ(outline(memo.plan({Memo::fresh()}).stages()),
            "deck run requested, topics run requested+upstream, sections decide upstream, draft "
            "run requested+upstream, study decide upstream+requested");
}

TEST(Requests, AreMetByRecordsThatAreNotOlder) {
  Memo memo;
  EXPECT_EQ(memo.decides("deck", {under(1, memo.redo("deck"))}), "skip done");
  EXPECT_EQ(memo.decides("deck", {under(2, memo.redo("deck"))}), "run requested");
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).fence(2);
  EXPECT_EQ(memo.decides("deck", {under(2, memo.redo("deck"))}), "skip done");
}

TEST(Requests, FromNeedsAValueOfEveryStageBefore) {
  Memo memo;
  memo.facts.erase("deck");
  EXPECT_EQ(code_of([&] { static_cast<void>(memo.plan({memo.from("draft")})); }), Errc::no_value);
  EXPECT_EQ(code_of([&] { static_cast<void>(memo.plan({memo.from("deck")})); }), std::nullopt);
  EXPECT_EQ(code_of([&] { static_cast<void>(memo.plan({under(2, memo.from("draft"))})); }),
            std::nullopt)
      << "a recorded one was checked when it was made";
  memo.facts.value("deck", "an old deck", {{"company", "Best"}});
  EXPECT_EQ(code_of([&] { static_cast<void>(memo.plan({memo.from("draft")})); }), std::nullopt)
      << "a stale value is one";
}

TEST(Requests, FromNeedsAllItemsBefore) {
  Memo memo;
  memo.facts.erase("sections", "team");
  EXPECT_EQ(code_of([&] { static_cast<void>(memo.plan({memo.from("draft")})); }), Errc::no_value);
}

TEST(Requests, AnItemThatDoesNotExistIsAnErrorWithAGuess) {
  const Memo memo;
  try {
    static_cast<void>(memo.plan({memo.redo("sections", "taem")}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::unknown_stage);
    EXPECT_THAT(error.what(), HasSubstr("Did you mean 'team'?"));
  }
  EXPECT_EQ(memo.decides("sections", {under(2, memo.redo("sections", "gone"))}), "skip done")
      << "recorded, and the item has gone since";
}

TEST(Requests, TheLastOneThatCoversAnItemIsItsEpoch) {
  const Memo memo;
  const plan::Decider decider{detail::graph_of(memo.pipeline),
                              memo.facts,
                              {under(3, memo.redo("sections", "team")), under(5, memo.from("deck")),
                               under(9, memo.redo("study"))},
                              false};
  EXPECT_EQ(decider.epoch(memo.node("sections"), "team"), 5U);
  EXPECT_EQ(decider.epoch(memo.node("deck"), ""), 5U);
  EXPECT_EQ(decider.epoch(memo.node("study"), ""), 9U);
}

// ---- which ones count
// ----------------------------------------------------------------------------

struct Merging : Memo {
  [[nodiscard]] std::vector<std::uint64_t> fences(const std::vector<Request>& recorded,
                                                  const std::vector<Request>& asked) const {
    std::vector<std::uint64_t> all;
    for (const Request& one :
         plan::merge_requests(detail::graph_of(pipeline), facts, recorded, asked, false)) {
      all.push_back(one.fence);
    }
    return all;
  }
  static constexpr std::uint64_t now = UINT64_MAX;
};

using ::testing::ElementsAre;

TEST(MergedRequests, NewOnesJoinTheRecordedOnes) {
  const Merging memo;
  EXPECT_THAT(memo.fences({}, {}), ElementsAre());
  EXPECT_THAT(memo.fences({under(2, memo.redo("deck"))}, {memo.redo("topics")}),
              ElementsAre(2, memo.now));
  EXPECT_THAT(memo.fences({under(2, memo.redo("sections"))}, {memo.redo("sections", "team")}),
              ElementsAre(2, memo.now))
      << "a stage and its item are not the same";
}

TEST(MergedRequests, OneThatIsPendingIsTheRecordedOne) {
  const Merging memo;
  EXPECT_THAT(memo.fences({under(2, memo.redo("deck"))}, {memo.redo("deck")}), ElementsAre(2));
  EXPECT_THAT(memo.fences({under(2, memo.from("topics"))}, {memo.from("topics")}), ElementsAre(2));
  EXPECT_THAT(memo.fences({under(2, Memo::fresh())}, {Memo::fresh()}), ElementsAre(2));
}

TEST(MergedRequests, OneThatIsMetMeansOnceMore) {
  const Merging memo;
  EXPECT_THAT(memo.fences({under(1, memo.redo("deck"))}, {memo.redo("deck")}),
              ElementsAre(memo.now));
}

TEST(MergedRequests, ThoseOfOneCallArePendingTogether) {
  Merging memo;
  memo.facts.value("deck", "a deck", {{"company", "Acme"}}).fence(2);
  const std::vector<Request> recorded{under(2, memo.redo("deck")), under(2, memo.redo("draft"))};
  EXPECT_THAT(memo.fences(recorded, {memo.redo("deck")}), ElementsAre(2, 2))
      << "deck is made again already, draft is not: the call is repeated, nothing runs twice";
  memo.facts.value("draft", "a draft", {{"sections", "{team=4, market=6}"}}).fence(2);
  EXPECT_THAT(memo.fences(recorded, {memo.redo("deck")}), ElementsAre(memo.now, 2));
}

TEST(MergedRequests, AnItemThatIsNotMadeAgainYetIsPending) {
  Merging memo;
  const std::vector<Request> recorded{under(2, memo.redo("sections"))};
  memo.facts.item("sections", "team", "4", {{"topics[]", "team"}}).fence(2);
  EXPECT_THAT(memo.fences(recorded, {memo.redo("sections")}), ElementsAre(2));
  memo.facts.item("sections", "market", "6", {{"topics[]", "market"}}).fence(2);
  EXPECT_THAT(memo.fences(recorded, {memo.redo("sections")}), ElementsAre(memo.now));
}

TEST(MergedRequests, OneForAnItemIsMetByThatItem) {
  Merging memo;
  memo.facts.item("sections", "team", "4", {{"topics[]", "team"}}).fence(2);
  EXPECT_THAT(
      memo.fences({under(2, memo.redo("sections", "team"))}, {memo.redo("sections", "team")}),
      ElementsAre(memo.now));
  EXPECT_THAT(
      memo.fences({under(2, memo.redo("sections", "market"))}, {memo.redo("sections", "market")}),
      ElementsAre(2));
}

TEST(MergedRequests, WhileTheListIsUnknownItsFormerItemsStandIn) {
  Merging memo;
  memo.facts.erase("topics");  // made again under the request, and killed before the items
  const std::vector<Request> recorded{under(2, memo.redo("sections"))};
  EXPECT_THAT(memo.fences(recorded, {memo.redo("sections")}), ElementsAre(2));
  memo.facts.item("sections", "team", "4", {{"topics[]", "team"}}).fence(2);
  EXPECT_THAT(memo.fences(recorded, {memo.redo("sections")}), ElementsAre(2));
  memo.facts.item("sections", "market", "6", {{"topics[]", "market"}}).fence(2);
  EXPECT_THAT(memo.fences(recorded, {memo.redo("sections")}), ElementsAre(memo.now));
}

TEST(MergedRequests, WhatIsNotTakenIsNotPending) {
  Merging memo;
  EXPECT_THAT(memo.fences({under(2, memo.redo("study"))}, {memo.redo("study")}), ElementsAre(2));
  memo.facts.outcome("deep", false, {{"deck", "a deck"}});
  EXPECT_THAT(memo.fences({under(2, memo.redo("study"))}, {memo.redo("study")}),
              ElementsAre(memo.now));
}

}  // namespace
}  // namespace resumable::test
