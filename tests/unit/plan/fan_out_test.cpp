// Items: which run, what is said of the stage as a whole, lists that change, queues that grow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "unit/plan/planned.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

/// The draft was made before these items were listed.
void list_anew(Memo& memo) {
  memo.facts.newest_at(core::own_key("items", "sections").path).fence(2);
}

std::string item_of(const Memo& memo, std::string_view key) {
  return outline({memo.plan().item("sections", key).value()});
}

TEST(FanOut, MissingItemsMakeItPartial) {
  Memo memo;
  list_anew(memo);
  memo.facts.erase("sections", "market");
  EXPECT_EQ(memo.decides("sections"), "run partial+first_run");
  const Decision whole = memo.plan()["sections"];
  EXPECT_EQ(whole.causes.front().before, "1");
  EXPECT_EQ(whole.causes.front().after, "2");
  EXPECT_EQ(whole.items, 2U);
  EXPECT_EQ(whole.skipped, 1U);
  EXPECT_EQ(whole.to_run, 1U);
  EXPECT_EQ(item_of(memo, "team"), "sections skip done");
  EXPECT_EQ(item_of(memo, "market"), "sections run first_run");
  EXPECT_EQ(memo.decides("draft"), "decide upstream");
}

TEST(FanOut, WithoutAnyItemItRunsForTheFirstTime) {
  Memo memo;
  list_anew(memo);
  memo.facts.erase("sections", "team");
  memo.facts.erase("sections", "market");
  EXPECT_EQ(memo.decides("sections"), "run first_run");
}

TEST(FanOut, TheWorstItemSpeaksForTheStage) {
  Memo memo;
  list_anew(memo);
  memo.facts.erase("sections", "team");
  memo.facts.newest("sections", "market").damaged(Damage::foreign);
  EXPECT_EQ(memo.decides("sections"), "refuse foreign");
  EXPECT_EQ(item_of(memo, "team"), "sections run first_run");
  EXPECT_TRUE(memo.plan().refused());
}

/// Changes the newest record of an item in one of the ways that a plan tells apart.
void change(const Written& item, int how) {
  switch (how) {
    case 1: item.revision(2); break;
    case 2: item.schema(2); break;
    case 3: item.codec(CodecId::bytes); break;
    case 4: item.torn(); break;
    case 5: item.set_aside(); break;
    case 6: item.damaged(Damage::foreign); break;
    case 7: item.damaged(Damage::newer); break;
    case 8: item.shaped("{}", 7); break;
    case 9: item.row.head.flags |= core::disputed; break;
    case 10: item.row.head.flags |= core::edited; break;
    case 11: item.row.head.fingerprint = digest("other inputs"); break;
    case 12: item.without_header(); break;
    default: break;
  }
}

std::string told_of(const Plan& plan) {
  std::string all = outline({plan["sections"], plan["draft"]});
  for (const char* key : {"team", "market"}) {
    const auto item = plan.item("sections", key);
    if (!item) continue;
    all.append("; ").append(key).append(" ").append(to_string(item->action));
    for (const Cause& cause : item->causes) all += " " + cause.text();
  }
  return all;
}

RC_GTEST_PROP(AnyFanOut, IsDecidedFromHeadsAloneAsItIsInFull, ()) {
  const auto one_of = [](int count) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count));
  };
  Memo memo;
  for (const char* key : {"team", "market"}) {
    change(memo.facts.newest("sections", key), one_of(14));
    if (one_of(3) == 0) {
      change(memo.facts.item("sections", key, "7", {{"topics[]", key}}), one_of(14));
    }
  }
  std::vector<plan::Request> requests;
  if (one_of(3) == 0) requests.push_back(memo.redo("sections", "team"));
  if (one_of(4) == 0) requests.push_back(memo.from("topics"));
  for (plan::Request& request : requests) request.fence = static_cast<std::uint64_t>(one_of(3));
  auto in_full = requests;  // a choice about another stage: then no item is decided from its head
  in_full.push_back({plan::Request::What::ignore, memo.node("study"), {}, 1, "company"});
  RC_ASSERT(told_of(memo.plan(requests)) == told_of(memo.plan(in_full)));
}

TEST(FanOut, AFallBackOfAnItemShowsOnTheStage) {
  Memo memo;
  memo.facts.item("sections", "team", "4", {{"topics[]", "team"}}).torn();
  EXPECT_EQ(memo.decides("sections"), "skip fell_back");
  EXPECT_EQ(memo.decides("draft"), "skip done");
}

TEST(FanOut, AnItemThatChangedRunsAlone) {
  Memo memo;
  memo.facts.erase("sections", "team");
  memo.facts.item("sections", "team", "4", {{"topics[]", "an older team"}});
  EXPECT_EQ(memo.decides("sections"), "run partial+input_changed");
  EXPECT_EQ(item_of(memo, "market"), "sections skip done");
}

TEST(FanOut, ItsItemsAreUnknownWhileTheListIs) {
  Memo memo;
  memo.facts.erase("topics");
  EXPECT_EQ(memo.decides("sections"), "decide upstream");
  EXPECT_FALSE(memo.plan()["sections"].listed);
  EXPECT_FALSE(memo.plan().item("sections", "team").has_value());
}

TEST(FanOut, AListThatWasNeverTakenApartIsTakenApart) {
  Memo memo;
  memo.facts.newest_at(core::own_key("items", "sections").path).torn();
  EXPECT_EQ(memo.decides("sections"), "run first_run");
  EXPECT_FALSE(memo.plan()["sections"].listed);
  EXPECT_EQ(reasons(memo.plan().notes()), "damaged") << "the damaged list is noted";
}

TEST(FanOut, AnotherListIsTakenApartAgainAndKeepsItems) {
  Memo memo;
  memo.facts.value("topics", "team, exit", {{"deck", "a deck"}});
  memo.facts.remember("topics", "team, exit");
  EXPECT_EQ(memo.decides("sections"), "run input_changed");
  const Cause cause = memo.causes("sections").front();
  EXPECT_EQ(cause.subject, "topics");
  EXPECT_EQ(cause.before, digest("team, market").brief());
  EXPECT_EQ(cause.after, "team, exit");
  EXPECT_THAT(cause.detail, HasSubstr("as before are kept"));
  memo.facts.list("sections", "team, exit", {"team", "exit"}).fence(2);
  EXPECT_EQ(memo.decides("sections"), "run partial+first_run");
  EXPECT_EQ(item_of(memo, "team"), "sections skip done");
}

TEST(FanOut, AnotherRevisionTakesTheListApartAgain) {
  const Memo memo{{.section_revision = 2}};
  EXPECT_EQ(memo.decides("sections"), "run code_changed");
  EXPECT_FALSE(memo.plan()["sections"].listed);
}

TEST(FanOut, TheOrderOfItemsMattersToDependentsAlone) {
  Memo memo;
  memo.facts.list("sections", "team, market", {"market", "team"});
  EXPECT_EQ(memo.decides("sections"), "skip done");
  EXPECT_EQ(memo.decides("draft"), "run input_changed");
}

TEST(FanOut, AKeyThatStandsTwiceRunsOnce) {
  Memo memo;
  memo.facts.list("sections", "team, market", {"team", "market", "team"});
  EXPECT_EQ(memo.decides("sections"), "skip done");
  EXPECT_EQ(memo.plan()["sections"].items, 3U);
  memo.facts.erase("draft");
  memo.facts.value("draft", "a draft", {{"sections", "{team=4, market=6, team=4}"}});
  EXPECT_EQ(memo.decides("draft"), "skip done");
  memo.facts.erase("sections", "team");
  EXPECT_EQ(memo.plan()["sections"].to_run, 1U);
}

TEST(FanOut, ItemsThatTheListHasNoMoreAreOrphans) {
  Memo memo;
  memo.facts.list("sections", "team, market", {"team"});
  const Plan plan = memo.plan();
  EXPECT_EQ(reasons(plan.notes()), "orphan");
  EXPECT_EQ(plan.notes().front().subject, "sections/market");
  EXPECT_FALSE(plan.refused());
}

TEST(FanOut, StagesThatThePipelineHasNoMoreAreOrphans) {
  Memo memo;
  memo.facts.add(core::stage_key("summary"), core::Kind::value, nullptr, "", {});
  EXPECT_EQ(reasons(memo.plan().notes()), "orphan");
  EXPECT_EQ(memo.plan().notes().front().subject, "summary");
  EXPECT_TRUE(memo.plan().complete());
}

TEST(FanOut, AFanOutOverAFanOutFollowsItItemByItem) {
  Pipeline pipeline{"p"};
  const auto names = pipeline.input("names", Strings{});
  const auto first =
      pipeline.stage("first", inputs(each(names)), [](const std::string& name) { return name; });
  pipeline.stage("second", inputs(each(first)), [](const std::string& name) { return name; });
  FakeFacts facts{detail::graph_of(pipeline)};
  facts.input("names", "a, b");
  facts.list("first", "a, b", {"a", "b"});
  facts.item("first", "a", "A", {{"names[]", "a"}});
  facts.item("first", "b", "B", {{"names[]", "b"}}).revision(2);
  facts.item("second", "a", "1", {{"first[]", "A"}});
  facts.item("second", "b", "2", {{"first[]", "B"}});
  plan::Decider decider{detail::graph_of(pipeline), facts, {}, false};
  const Plan plan{plan::make_plan(detail::graph_of(pipeline), facts, facts, decider, "r")};
  EXPECT_EQ(outline(plan.stages()), "first run partial+code_changed, second decide upstream");
  EXPECT_EQ(plan.item("second", "a")->action, Action::skip);
  EXPECT_EQ(plan.item("second", "b")->action, Action::decide);
}

// ---- queues
// --------------------------------------------------------------------------------------

/// pages is a queue that begins with one seed, 'a'; titles is a fan-out over its items.
struct Crawl {
  Crawl() : pipeline(declare()), facts(detail::graph_of(pipeline)) {
    facts.input("seeds", "a");
    facts.list("pages", "a", {"a"});
    page("a", {{"b", "b"}, {"c", "c"}});
    page("b", {{"c", "c"}});
    page("c", {});
  }
  static Pipeline declare() {
    Pipeline crawl{"crawl"};
    const auto seeds = crawl.input("seeds", Strings{"a"});
    const auto pages = crawl.queue("pages", inputs(each(seeds)),
                                   [](Context&, const std::string& page) { return page; });
    crawl.stage("titles", inputs(each(pages)), [](const std::string& page) { return page; });
    return crawl;
  }
  void page(const std::string& name, const Given& found) {
    facts.item("pages", name, name, {{"seeds[]", name}});
    facts.enqueued("pages", name, {{"seeds[]", name}}, found);
    facts.item("titles", name, name, {{"pages[]", name}});
  }
  [[nodiscard]] Plan plan(bool strict = false) const {
    plan::Decider decider{detail::graph_of(pipeline), facts, {}, strict};
    return Plan{plan::make_plan(detail::graph_of(pipeline), facts, facts, decider, "r")};
  }
  [[nodiscard]] std::string keys() const {
    std::string all;
    plan().items("pages", [&](std::string_view key, Action, Reason) {
      all += key;
      return true;
    });
    return all;
  }
  Pipeline pipeline;
  FakeFacts facts;
};

TEST(Queue, ItsListGrowsByWhatItsItemsHaveEnqueued) {
  const Crawl crawl;
  EXPECT_EQ(outline(crawl.plan().stages()), "pages skip done, titles skip done");
  EXPECT_EQ(crawl.keys(), "abc");
  EXPECT_EQ(crawl.plan()["pages"].items, 3U);
}

TEST(Queue, PlanningLeavesTheRecordedListAsItIs) {
  const Crawl crawl;
  const auto recorded = crawl.facts.items("pages", 1);
  EXPECT_EQ(crawl.plan().digest(), crawl.plan().digest());
  ASSERT_EQ(recorded->keys.size(), 1U);
  EXPECT_EQ(recorded->keys[0], "a");
  EXPECT_EQ(recorded->find("b", 0), 1U) << "its table of keys has grown";
}

TEST(Queue, AnItemThatRunsAgainHidesWhatItEnqueued) {
  Crawl crawl;
  crawl.facts.newest("pages", "a").revision(2);
  EXPECT_EQ(crawl.keys(), "a");
  EXPECT_EQ(outline(crawl.plan().stages()), "pages run code_changed, titles decide upstream");
  EXPECT_FALSE(crawl.plan()["titles"].listed) << "its list may grow";
}

TEST(Queue, AnItemWhoseEnqueuedElementsAreLostRunsAgain) {
  Crawl crawl;
  crawl.facts.forget_enqueued("pages", "b");
  EXPECT_EQ(outline(crawl.plan().stages()).substr(0, 25), "pages run partial+damaged");
  EXPECT_EQ(crawl.plan().item("pages", "b")->action, Action::run);
  EXPECT_EQ(crawl.plan(true)["pages"].action, Action::refuse);
}

TEST(Queue, OneKeyWithDifferentContentIsRefused) {
  Crawl crawl;
  crawl.facts.enqueued("pages", "b", {{"seeds[]", "b"}}, {{"c", "another c"}});
  EXPECT_EQ(code_of([&] { static_cast<void>(crawl.plan()); }), Errc::duplicate_name);
}

TEST(Queue, ItemsThatNobodyEnqueuesAnyMoreAreOrphans) {
  Crawl crawl;
  crawl.facts.enqueued("pages", "a", {{"seeds[]", "a"}}, {{"b", "b"}});
  crawl.facts.enqueued("pages", "b", {{"seeds[]", "b"}}, {});
  const Plan plan = crawl.plan();
  ASSERT_EQ(reasons(plan.notes()), "orphan+orphan");
  EXPECT_EQ(plan.notes()[0].subject, "pages/c");
  EXPECT_EQ(plan.notes()[1].subject, "titles/c");
}

}  // namespace
}  // namespace resumable::test
