// Stages, fan-outs and conditions: what is called, with what, and how often.
#include <atomic>
#include <deque>
#include <latch>
#include <thread>

#include "run/run_support.hpp"

namespace resumable::test {
namespace {

struct Deck {
  std::string company;
  int pages = 0;
  friend bool operator==(const Deck&, const Deck&) = default;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Deck, company, pages)

struct Section {
  std::string title;
  int words = 0;
  [[nodiscard]] const std::string& key() const { return title; }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Section, title, words)

struct Named {
  std::string name;
  friend const std::string& resumable_key(const Named& named) { return named.name; }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Named, name)

Strings ten() {
  Strings names;
  for (int i = 0; i < 10; ++i) names.push_back("n" + std::to_string(i));
  return names;
}

// ---- three stages -------------------------------------------------------------------------------

TEST(Stages, TakeALiteralInputAsText) {
  MemoryStore store;
  Pipeline p{"p"};
  const Stage<std::string> company = p.input("company", "Fernstone");
  const auto size = p.stage("size", inputs(company), [](const std::string& c) { return c.size(); });
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[size], 9U);
}

TEST(Stages, TypesAreDeducedAndValuesAreInTheReport) {
  Pipeline memo{"memo"};
  const auto company = memo.input("company", "Fernstone"s);
  const auto deck = memo.stage("deck", inputs(company), [](const std::string& c) {
    return Deck{c, 3};
  });
  const auto pages = memo.stage("pages", inputs(deck), &Deck::pages);
  const auto draft =
      memo.stage("draft", inputs(deck, pages), [](Context& ctx, const Deck& d, int n) {
        return Text{ctx.stage() + ": " + d.company + std::to_string(n)};
      });
  static_assert(std::is_same_v<decltype(deck), const Stage<Deck>>);
  static_assert(std::is_same_v<decltype(pages), const Stage<int>>);
  static_assert(std::is_same_v<decltype(draft), const Stage<Text>>);

  MemoryStore store;
  const Report report = resume(memo, store, {.run = "r"});
  ASSERT_EQ(report.outcome(), Outcome::done);
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_EQ(report[company], "Fernstone");
  EXPECT_EQ(report[deck], (Deck{"Fernstone", 3}));
  EXPECT_EQ(report[pages], 3);
  EXPECT_EQ(report.find(draft)->text, "draft: Fernstone3");
  EXPECT_EQ(report.stages_total(), 3U);
  EXPECT_EQ(report.stages_skipped(), 0U);
  EXPECT_FALSE(report.resumed());
  EXPECT_EQ(report.error(), nullptr);

  const Report again = resume(memo, store, {.run = "r"});
  EXPECT_EQ(outline(again), "deck skipped, pages skipped, draft skipped");
  EXPECT_EQ(again[draft].text, "draft: Fernstone3");
  EXPECT_TRUE(again.resumed());
}

TEST(Stages, AStageWithoutAValueHasNoneInTheReport) {
  Pipeline memo{"memo"};
  const auto fails = memo.stage("fails", []() -> int { throw std::runtime_error("no"); });
  const auto after_it = memo.stage("later", inputs(fails), [](int n) { return n; });
  MemoryStore store;
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_EQ(report.find(fails), nullptr);
  EXPECT_EQ(report.find(after_it), nullptr);
  EXPECT_EQ(code_of([&] { static_cast<void>(report[after_it]); }), Errc::no_value);
  EXPECT_EQ(code_of([&] { static_cast<void>(report.stage("draft")); }), Errc::unknown_stage);
}

TEST(Stages, AHandleOfAnotherPipelineIsRefusedEverywhere) {
  Pipeline one{"one"};
  Pipeline other{"other"};
  const auto here = one.stage("here", [] { return 1; });
  const auto there = other.stage("there", [] { return 2; });
  const auto yes = other.condition("yes", inputs(there), [](int) { return true; });
  EXPECT_EQ(code_of([&] { one.stage("a", inputs(there), [](int n) { return n; }); }),
            Errc::foreign_handle);
  EXPECT_EQ(code_of([&] { one.stage("b", inputs(after(there)), [] { return 1; }); }),
            Errc::foreign_handle);
  EXPECT_EQ(code_of([&] { one.stage({.name = "c", .when = yes}, [] { return 1; }); }),
            Errc::foreign_handle);
  EXPECT_EQ(code_of([&] { one.artifact(there, "x.json"); }), Errc::foreign_handle);
  MemoryStore store;
  const Report report = resume(one, store, {.run = "r"});
  EXPECT_EQ(report[here], 1);
  EXPECT_EQ(code_of([&] { static_cast<void>(report[there]); }), Errc::foreign_handle);
  EXPECT_EQ(code_of([&] { static_cast<void>(report.plan()[there]); }), Errc::foreign_handle);
}

TEST(Stages, NamesAreTakenOnceWhateverTheirCase) {
  Pipeline memo{"memo"};
  memo.stage("draft", [] { return 1; });
  EXPECT_EQ(code_of([&] { memo.stage("draft", [] { return 1; }); }), Errc::duplicate_name);
  EXPECT_EQ(code_of([&] { memo.input("Draft", 1); }), Errc::duplicate_name);
  EXPECT_EQ(code_of([&] { memo.stage(Name::checked("a b"), [] { return 1; }); }), Errc::bad_name);
  EXPECT_EQ(code_of([&] { memo.stage({.name = "x", .revision = 0}, [] { return 1; }); }),
            Errc::bad_option);
  EXPECT_EQ(code_of([&] { memo.stage({.name = "x", .retry = {.attempts = 0}}, [] { return 1; }); }),
            Errc::bad_option);
}

/// Its scratch is no part of its JSON.
struct Worked {
  int result = 0;
  int scratch = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Worked, result)

TEST(Stages, AValueIsHandedOnAsItsCheckpointGivesItUnlessTheLiveOneIsWanted) {
  Pipeline memo{"memo"};
  const auto plain = memo.stage("plain", [] { return Worked{1, 7}; });
  const auto live = memo.stage({.name = "live", .skip_round_trip = true}, [] {
    return Worked{1, 7};
  });
  const auto sees = memo.stage("sees", inputs(plain, live), [](const Worked& p, const Worked& l) {
    return std::vector<int>{p.scratch, l.scratch};
  });
  MemoryStore store;
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(report[sees], (std::vector<int>{0, 7}));
}

// ---- fan-outs -----------------------------------------------------------------------------------

/// A list of names, a page per name; the list is an input.
struct Pages {
  explicit Pages(Strings given, std::string must_fail = "") : names(std::move(given)) {
    const auto list = pipeline.input("names", names);
    pages.emplace(
        pipeline.stage("pages", inputs(each(list)), [this, must_fail](const std::string& n) {
          calls(n);
          if (!must_fail.empty() && n >= must_fail) throw std::runtime_error("no " + n);
          return Text{"page " + n};
        }));
    all.emplace(pipeline.stage("all", inputs(*pages), [this](const std::vector<Text>& texts) {
      calls("all");
      std::string text;
      for (const Text& one : texts) text += one.text + ";";
      return text;
    }));
  }
  Strings names;
  Calls calls;
  Pipeline pipeline{"memo"};
  std::optional<FanOut<Text>> pages;
  std::optional<Stage<std::string>> all;
};

TEST(FanOut, SevenOfTenAreDoneThreeBodiesRun) {
  MemoryStore store;
  Pages first{ten(), "n7"};
  const Report failed = resume(first.pipeline, store, {.run = "r"});
  EXPECT_EQ(failed.outcome(), Outcome::failed);
  EXPECT_EQ(first.calls.take(), "n0, n1, n2, n3, n4, n5, n6, n7");

  Pages second{ten()};
  const Plan plan = ResumePlanner{store}.plan(second.pipeline, {.run = "r"});
  EXPECT_EQ(plan["pages"].items, 10U);
  EXPECT_EQ(plan["pages"].skipped, 7U);
  EXPECT_EQ(plan["pages"].to_run, 3U);
  EXPECT_EQ(plan["pages"].causes.front().text(), "7 of 10 items kept");
  EXPECT_EQ(plan.item("pages", "n7")->causes.front().text(), "failed after 1 attempt: no n7");
  EXPECT_EQ(plan.item("pages", "n8")->causes.front().reason, Reason::first_run);
  EXPECT_EQ(plan.item("pages", "nobody"), std::nullopt);
  const Report done = resume(second.pipeline, store, {.run = "r"});
  EXPECT_TRUE(done);
  EXPECT_EQ(second.calls.take(), "all, n7, n8, n9");
  EXPECT_EQ(done.stage("pages").items_run, 3U);
  EXPECT_EQ(done.stage("pages").items_skipped, 7U);
  EXPECT_EQ(done.items_skipped(), 7U);
  EXPECT_EQ(done[*second.all].substr(0, 16), "page n0;page n1;");
}

/// The calls of one more run with these names.
std::string calls_with(MemoryStore& store, Strings names) {
  Pages pages{std::move(names)};
  const Report report = resume(pages.pipeline, store, {.run = "r"});
  EXPECT_TRUE(report) << (report.error() != nullptr ? report.error()->explain() : "");
  std::string expected;
  for (const std::string& name : pages.names) expected += "page " + name + ";";
  EXPECT_EQ(report[*pages.all], expected) << "in the order of the list";
  return pages.calls.take();
}

TEST(FanOut, WhatIsAddedRunsWhatMovesOrVanishesDoesNot) {
  MemoryStore store;
  EXPECT_EQ(calls_with(store, {"a", "b", "c"}), "a, all, b, c");
  EXPECT_EQ(calls_with(store, {"a", "b", "c"}), "");
  EXPECT_EQ(calls_with(store, {"a", "new", "b", "c"}), "all, new");
  EXPECT_EQ(calls_with(store, {"c", "new", "b", "a"}), "all") << "reordered: no item runs";
  EXPECT_EQ(calls_with(store, {"c", "a"}), "all") << "vanished";
  EXPECT_EQ(calls_with(store, {"c", "a", "b"}), "all") << "returned: its value was kept";
}

TEST(FanOut, AVanishedItemIsNotedAsAnOrphan) {
  MemoryStore store;
  calls_with(store, {"a", "The B"});
  calls_with(store, {"a"});
  Pages pages{{"a"}};
  const Plan plan = ResumePlanner{store}.plan(pages.pipeline, {.run = "r"});
  ASSERT_EQ(plan.notes().size(), 1U);
  EXPECT_EQ(plan.notes()[0].reason, Reason::orphan);
  EXPECT_EQ(plan.notes()[0].subject, "pages/The B") << "as people write it";
}

TEST(FanOut, AnItemWhoseContentChangedRunsAlone) {
  MemoryStore store;
  const auto run = [&](const std::vector<Section>& sections) {
    Calls calls;
    Pipeline memo{"memo"};
    const auto list = memo.input("outline", sections);
    const auto texts = memo.stage("texts", inputs(each(list, &Section::title)),
                                  [&](Context& ctx, const Section& s) {
                                    calls(s.title);
                                    EXPECT_EQ(ctx.item(), s.title);
                                    return s.words;
                                  });
    memo.stage("same", inputs(each(texts)), [&](Context& ctx, int) {
      calls("same " + ctx.item());
      return 0;
    });
    EXPECT_TRUE(resume(memo, store, {.run = "r"}));
    return calls.take();
  };
  EXPECT_EQ(run({{"intro", 1}, {"team", 2}}), "intro, same intro, same team, team");
  EXPECT_EQ(run({{"intro", 1}, {"team", 3}}), "same team, team");
  EXPECT_EQ(run({{"team", 3}, {"intro", 1}}), "");
}

TEST(FanOut, InheritsItsKeysAndJoinsByThem) {
  MemoryStore store;
  Pipeline memo{"memo"};
  const auto forward = memo.input("forward", Strings{"a", "b", "c"});
  const auto backward = memo.input("backward", Strings{"c", "b", "a"});
  const auto upper =
      memo.stage("upper", inputs(each(forward)), [](const std::string& n) { return n + n; });
  const auto twice =
      memo.stage("twice", inputs(each(upper)),
                 [](Context& ctx, const std::string& n) { return ctx.item() + ":" + n; });
  const auto other = memo.stage("other", inputs(each(backward)),
                                [](const std::string& n) { return "other " + n; });
  const auto joined =
      memo.stage("joined", inputs(each(twice), matching(other), forward),
                 [](const std::string& a, const std::string& b, const Strings& all) {
                   return a + "=" + b + "/" + std::to_string(all.size());
                 });
  const Report report = resume(memo, store, {.run = "r", .concurrency = 4});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[joined], (Strings{"a:aa=other a/3", "b:bb=other b/3", "c:cc=other c/3"}));
  EXPECT_EQ(report[twice], (Strings{"a:aa", "b:bb", "c:cc"}));
  EXPECT_TRUE(ResumePlanner{store}.plan(memo, {.run = "r"}).complete());
}

TEST(FanOut, MatchingAnItemThatIsNotThereFailsAndSaysSo) {
  MemoryStore store;
  const auto run = [&](Strings others) {
    Pipeline memo{"memo"};
    const auto names = memo.input("names", Strings{"a", "b"});
    const auto more = memo.input("more", std::move(others));
    const auto pages =
        memo.stage("pages", inputs(each(names)), [](const std::string& n) { return n; });
    const auto notes =
        memo.stage("notes", inputs(each(more)), [](const std::string& n) { return n; });
    const auto both = memo.stage("both", inputs(each(pages), matching(notes)),
                                 [](const std::string& a, const std::string& b) { return a + b; });
    memo.stage("end", inputs(both), [](const Strings&) { return 1; });
    return resume(memo, store, {.run = "r", .keep_going = true});
  };
  EXPECT_TRUE(run({"a", "b"}));
  const Report report = run({"a"});
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_EQ(code_of(report), Errc::no_value);
  EXPECT_THAT(report.error()->what(), ::testing::HasSubstr("'notes' has no item 'b'"));
  EXPECT_EQ(report.stage("end").outcome, StageOutcome::not_started);
}

TEST(FanOut, OneKeyWithEqualContentIsComputedOnce) {
  MemoryStore store;
  Calls calls;
  Pipeline memo{"memo"};
  const auto names = memo.input("names", Strings{"a", "b", "a", "a"});
  const auto pages = memo.stage("pages", inputs(each(names)), [&](const std::string& n) {
    calls(n);
    return "page " + n;
  });
  const Plan plan = ResumePlanner{store}.plan(memo, {.run = "r"});
  EXPECT_TRUE(plan["pages"].listed) << "a list of the host's is known beforehand";
  EXPECT_EQ(plan["pages"].to_run, 2U) << "an item that stands at three places runs once";
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(calls.take(), "a, b");
  EXPECT_EQ(report[pages], (Strings{"page a", "page b", "page a", "page a"}));
  const Report redone = resume(memo, store, {.run = "r", .redo = {"pages"}});
  EXPECT_EQ(redone.plan()["pages"].to_run, 2U);
  EXPECT_EQ(calls.take(), "a, b");
  EXPECT_EQ(redone[pages], report[pages]);
}

TEST(FanOut, OneKeyWithDifferentContentIsAnErrorThatNamesBoth) {
  MemoryStore store;
  Calls calls;
  Pipeline memo{"memo"};
  const auto list =
      memo.input("list", std::vector<Section>{{"intro", 1}, {"team", 2}, {"intro", 3}});
  const auto texts = memo.stage(
      "texts", inputs(each(list, [](const Section& s) { return s.title; })), [&](const Section& s) {
        calls(s.title);
        return s.words;
      });
  static_cast<void>(texts);
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_EQ(code_of(report), Errc::duplicate_name);
  EXPECT_EQ(report.error()->info().stage, "texts");
  EXPECT_EQ(report.error()->info().item, "intro");
  EXPECT_THAT(report.error()->what(), ::testing::HasSubstr("at places 1 and 3"));
  EXPECT_EQ(calls.take(), "") << "no item ran";
}

TEST(FanOut, AnEmptyListIsAListToo) {
  MemoryStore store;
  EXPECT_EQ(calls_with(store, {}), "all");
  EXPECT_EQ(calls_with(store, {}), "");
  Pages pages{{}};
  const Plan plan = ResumePlanner{store}.plan(pages.pipeline, {.run = "r"});
  EXPECT_TRUE(plan.complete());
  EXPECT_EQ(plan["pages"].items, 0U);
  EXPECT_TRUE(plan["pages"].listed);
}

TEST(FanOut, GoesOverListsOfManyTypes) {
  MemoryStore store;
  Pipeline memo{"memo"};
  const auto key = [](Context& ctx, const auto&) { return ctx.item(); };
  const auto ints =
      memo.stage("ints", inputs(each(memo.input("i", std::vector<int>{3, -1, 2}))), key);
  const auto strings =
      memo.stage("strings", inputs(each(memo.input("s", std::deque<std::string>{"x", "y"}))), key);
  const auto named = memo.stage(
      "named", inputs(each(memo.input("n", std::array<Named, 2>{Named{"p"}, Named{"q"}}))), key);
  const auto bools =
      memo.stage("bools", inputs(each(memo.input("b", std::vector<bool>{true, false, true}))),
                 [](bool b) { return b ? 1 : 0; });
  const auto plain = memo.stage(
      "plain", inputs(each(memo.input("p", std::vector<Deck>{{"a", 1}, {"b", 2}}))), key);
  const auto member = memo.stage(
      "member", inputs(each(memo.input("m", std::vector<Section>{{"t", 1}}), &Section::key)), key);
  const Report report = resume(memo, store, {.run = "r", .concurrency = 3});
  ASSERT_TRUE(report) << report.error()->explain();
  EXPECT_EQ(report[ints], (Strings{"3", "-1", "2"}));
  EXPECT_EQ(report[strings], (Strings{"x", "y"}));
  EXPECT_EQ(report[named], (Strings{"p", "q"}));
  EXPECT_EQ(report[bools], (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(report[plain].size(), 2U);
  EXPECT_EQ(report[plain][0].size(), 32U) << "the digest of its content";
  EXPECT_EQ(report[member], Strings{"t"});
}

TEST(FanOut, BooleanResultsComeBackInOrder) {
  MemoryStore store;
  Pipeline memo{"memo"};
  const auto numbers = memo.input("numbers", std::vector<int>{1, 2, 3, 4, 5});
  const auto odd = memo.stage("odd", inputs(each(numbers)), [](int n) { return n % 2 == 1; });
  const auto count = memo.stage("count", inputs(odd), [](const std::vector<bool>& flags) {
    return std::count(flags.begin(), flags.end(), true);
  });
  const Report report = resume(memo, store, {.run = "r", .concurrency = 8});
  EXPECT_EQ(report[odd], (std::vector<bool>{true, false, true, false, true}));
  EXPECT_EQ(report[count], 3);
}

TEST(FanOut, ResultsAreInListOrderWhateverFinishesFirst) {
  MemoryStore store;
  Pipeline memo{"memo"};
  const auto names = memo.input("names", Strings{"0", "1", "2", "3", "4", "5", "6", "7"});
  std::latch all_run{8};
  std::mutex guard;
  std::condition_variable turn;
  int next = 7;  // the last of the list finishes first
  const auto pages = memo.stage("pages", inputs(each(names)), [&](const std::string& n) {
    all_run.arrive_and_wait();
    std::unique_lock lock(guard);
    turn.wait(lock, [&] { return std::to_string(next) == n; });
    --next;
    turn.notify_all();
    return "page " + n;
  });
  const Report report = resume(memo, store, {.run = "r", .concurrency = 8});
  EXPECT_EQ(report[pages], (Strings{"page 0", "page 1", "page 2", "page 3", "page 4", "page 5",
                                    "page 6", "page 7"}));
}

/// How many items ran at a time at most, and whether `together` of them ever met.
unsigned most_at_a_time(unsigned run_wide, unsigned of_stage, std::ptrdiff_t together) {
  MemoryStore store;
  Pipeline memo{"memo"};
  std::vector<int> numbers(24);
  for (int i = 0; i < 24; ++i) numbers[static_cast<std::size_t>(i)] = i;
  std::atomic<unsigned> running{0};
  std::atomic<unsigned> most{0};
  std::latch meet{together};
  memo.stage({.name = "pages", .concurrency = of_stage}, inputs(each(memo.input("list", numbers))),
             [&](int n) {
               const unsigned now = ++running;
               unsigned before = most.load();
               while (before < now && !most.compare_exchange_weak(before, now)) {
               }
               if (n < together) meet.arrive_and_wait();
               --running;
               return n;
             });
  EXPECT_TRUE(resume(memo, store, {.run = "r", .concurrency = run_wide}));
  return most;
}

TEST(FanOut, ConcurrencyIsTheSmallerOfTheStagesAndTheRuns) {
  EXPECT_EQ(most_at_a_time(1, 0, 1), 1U);
  EXPECT_EQ(most_at_a_time(1, 8, 1), 1U);
  EXPECT_EQ(most_at_a_time(8, 3, 3), 3U);
  EXPECT_EQ(most_at_a_time(4, 0, 4), 4U);
  EXPECT_EQ(most_at_a_time(4, 9, 4), 4U);
}

TEST(Stages, IndependentOnesRunAtATime) {
  MemoryStore store;
  Pipeline memo{"memo"};
  std::latch meet{3};
  const auto wait = [&] {
    meet.arrive_and_wait();
    return 1;
  };
  memo.stage("a", wait);
  memo.stage("b", wait);
  memo.stage("c", wait);
  EXPECT_TRUE(resume(memo, store, {.run = "r", .concurrency = 3}));
}

TEST(FanOut, AKeyThatIsNoTextOfTheAllowedLengthFailsBeforeAnyItemRuns) {
  for (const std::string& key : {""s, std::string(1025, 'x'), "a\0b"s, "\xff\xfe"s}) {
    MemoryStore store;
    Calls calls;
    Pipeline memo{"memo"};
    const auto list = memo.input("list", std::vector<int>{1, 2});
    memo.stage("pages", inputs(each(list, [&](int n) { return n == 1 ? "fine"s : key; })),
               [&](int n) {
                 calls("page");
                 return n;
               });
    const Report report = resume(memo, store, {.run = "r"});
    EXPECT_EQ(report.outcome(), Outcome::failed);
    EXPECT_EQ(code_of(report), Errc::bad_name);
    EXPECT_EQ(calls.take(), "");
  }
}

TEST(FanOut, OddKeysAreKeptApart) {
  MemoryStore store;
  Pipeline memo{"memo"};
  const Strings keys{"a/b",
                     "A",
                     "a",
                     "..",
                     ".",
                     "con",
                     "%41",
                     "a b",
                     "line\nbreak",
                     "back\\slash",
                     "\xC3\xA9",
                     "e\xCC\x81",
                     std::string(1024, 'k'),
                     std::string(1023, 'k')};
  const auto list = memo.input("list", keys);
  const auto pages =
      memo.stage("pages", inputs(each(list)), [](const std::string& n) { return n; });
  const Report first = resume(memo, store, {.run = "r"});
  ASSERT_TRUE(first) << first.error()->explain();
  EXPECT_EQ(first[pages], keys);
  const Report again = resume(memo, store, {.run = "r"});
  EXPECT_EQ(again.stage("pages").items_run, 0U);
  EXPECT_EQ(again[pages], keys);
}

// ---- conditions ---------------------------------------------------------------------------------

/// score -> low? -> review (when low), publish (when not low) -> end after both, notes after review
struct Review {
  explicit Review(double given, bool fail_in_end = false) {
    const auto score = pipeline.input("score", given);
    const auto low = pipeline.condition("low", inputs(score), [this](double s) {
      calls("low");
      return s < 8;
    });
    const auto review = pipeline.stage({.name = "review", .when = low}, [this] {
      calls("review");
      return "reviewed"s;
    });
    const auto publish = pipeline.stage({.name = "publish", .when = !low}, [this] {
      calls("publish");
      return "published"s;
    });
    notes.emplace(pipeline.stage("notes", inputs(review), [this](const std::string& r) {
      calls("notes");
      return r + " notes";
    }));
    items.emplace(pipeline.stage("items", inputs(each(list(pipeline)), review),
                                 [](const std::string& n, const std::string& r) { return n + r; }));
    end.emplace(pipeline.stage("end", inputs(after(review), after(publish)), [this, fail_in_end] {
      calls("end");
      if (fail_in_end) throw std::runtime_error("no");
      return 1;
    }));
  }
  static Stage<Strings> list(Pipeline& pipeline) { return pipeline.input("list", Strings{"x"}); }
  Calls calls;
  Pipeline pipeline{"memo"};
  std::optional<Stage<std::string>> notes;
  std::optional<FanOut<std::string>> items;
  std::optional<Stage<int>> end;
};

TEST(Conditions, DecideWhatIsTakenAndDependentsFollow) {
  MemoryStore store;
  Review high{9.0};
  const Plan open = ResumePlanner{store}.plan(high.pipeline, {.run = "r"});
  EXPECT_EQ(open["review"].action, Action::decide);
  EXPECT_EQ(open["publish"].action, Action::decide);
  EXPECT_EQ(open["items"].action, Action::decide);
  const Report report = resume(high.pipeline, store, {.run = "r"});
  EXPECT_TRUE(report);
  EXPECT_EQ(outline(report),
            "review not_taken, publish ran, notes not_taken, items not_taken, end ran");
  EXPECT_EQ(high.calls.take(), "end, low, publish");
  EXPECT_EQ(report.find(*high.notes), nullptr);
  EXPECT_EQ(report.find(*high.items), nullptr);
  EXPECT_EQ(report[*high.end], 1);
  EXPECT_EQ(code_of([&] { static_cast<void>(report[*high.notes]); }), Errc::no_value);

  Review again{9.0};
  const Plan plan = ResumePlanner{store}.plan(again.pipeline, {.run = "r"});
  EXPECT_EQ(outline(plan),
            "review skip not_taken, publish skip done, notes skip not_taken, "
            "items skip not_taken, end skip done");
  EXPECT_TRUE(plan.complete());
  EXPECT_TRUE(resume(again.pipeline, store, {.run = "r"}));
  EXPECT_EQ(again.calls.take(), "") << "the outcome was recorded";
}

TEST(Conditions, FlipWithTheValueAndBack) {
  MemoryStore store;
  Review high{9.0};
  EXPECT_TRUE(resume(high.pipeline, store, {.run = "r"}));
  Review low{5.0};
  const Plan plan = ResumePlanner{store}.plan(low.pipeline, {.run = "r"});
  EXPECT_EQ(plan["review"].action, Action::decide) << plan.text(true);
  EXPECT_EQ(plan["publish"].action, Action::decide) << plan.text(true);
  const Report flipped = resume(low.pipeline, store, {.run = "r"});
  EXPECT_EQ(outline(flipped), "review ran, publish not_taken, notes ran, items ran, end skipped");
  EXPECT_EQ(low.calls.take(), "low, notes, review");
  EXPECT_EQ(flipped[*low.notes], "reviewed notes");
  Review back{8.5};
  const Report report = resume(back.pipeline, store, {.run = "r"});
  EXPECT_EQ(outline(report),
            "review not_taken, publish skipped, notes not_taken, items not_taken, end skipped");
  EXPECT_EQ(back.calls.take(), "low") << "what was published is kept";
  Review same_outcome{8.7};
  EXPECT_TRUE(resume(same_outcome.pipeline, store, {.run = "r"}));
  EXPECT_EQ(same_outcome.calls.take(), "low") << "the same outcome: nothing follows from it";
}

TEST(Conditions, AskedOfWhatIsNotTakenAreNotMetEitherWay) {
  MemoryStore store;
  Calls calls;
  Pipeline memo{"memo"};
  const auto zero = memo.input("zero", 0);
  const auto never = memo.condition("never", inputs(zero), [](int n) { return n > 0; });
  const auto draft = memo.stage({.name = "draft", .when = never}, [] { return 1; });
  const auto good = memo.condition("good", inputs(draft), [&](int) {
    calls("good");
    return true;
  });
  memo.stage({.name = "publish", .when = good}, [&] {
    calls("publish");
    return 1;
  });
  memo.stage({.name = "fix", .when = !good}, [&] {
    calls("fix");
    return 1;
  });
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_TRUE(report);
  EXPECT_EQ(outline(report), "draft not_taken, publish not_taken, fix not_taken");
  EXPECT_EQ(calls.take(), "");
}

TEST(Conditions, APredicateThatThrowsFailsTheRunByName) {
  MemoryStore store;
  Pipeline memo{"memo"};
  const auto broken = memo.condition("broken", inputs(memo.input("zero", 0)),
                                     [](int) -> bool { throw std::runtime_error("cannot tell"); });
  memo.stage({.name = "draft", .when = broken}, [] { return 1; });
  const Report report = resume(memo, store, {.run = "r"});
  EXPECT_EQ(report.exit_code(), 1);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_EQ(report.error()->errc(), Errc::stage_failed);
  EXPECT_THAT(report.error()->what(), ::testing::HasSubstr("'broken' failed: cannot tell"));
}

}  // namespace
}  // namespace resumable::test
