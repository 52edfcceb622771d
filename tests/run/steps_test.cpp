// Steps: what a stage has done inside itself is not done again.
#include <csignal>
#include <latch>
#include <limits>
#include <thread>

#include "core/key.hpp"
#include "core/record_format.hpp"
#include "run/run_support.hpp"
#include "stage/attempt.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

/// A stage of ten steps that adds up what they give.
struct Ten {
  explicit Ten(std::function<int(int)> in_step, std::string topic = "owls",
               std::uint32_t revision = 1) {
    const auto given = pipeline.input("topic", std::move(topic));
    sum.emplace(pipeline.stage({.name = "research", .revision = revision}, inputs(given),
                               [=](Context& ctx, const std::string& about) {
                                 int all = static_cast<int>(about.size());
                                 for (int i = 1; i <= 10; ++i) {
                                   all += ctx.step("page " + std::to_string(i),
                                                   [&] { return in_step(i); });
                                 }
                                 return all;
                               }));
  }
  Pipeline pipeline{"p"};
  std::optional<Stage<int>> sum;
};

TEST(Steps, OfAStageKilledInTheSeventhAreNotCalledAgain) {
  for (const bool files : {true, false}) {
    const TempFolder folder;
    const Tally tally{folder / "tally"};
    const auto count = [&](int i) {
      tally(std::to_string(i));
      return i;
    };
    if (files) {
      ChildProcess child([&] {
        FileStore store{folder / "store"};
        Ten killed{[&](int i) {
          if (i == 7) ::raise(SIGKILL);
          return count(i);
        }};
        return resume(killed.pipeline, store, {.run = "r"}).exit_code();
      });
      EXPECT_EQ(child.wait(), (Ended{-1, SIGKILL}));
    }
    FileStore store{folder / "store"};
    Ten ten{count};
    const Plan plan = ResumePlanner{store}.plan(ten.pipeline, {.run = "r"});
    const Report report = resume(ten.pipeline, store, {.run = "r"});
    ASSERT_TRUE(report);
    EXPECT_EQ(report[*ten.sum], 4 + 55);
    for (int i = 1; i <= 10; ++i) EXPECT_EQ(tally.of(std::to_string(i)), 1) << i;
    if (files) {
      EXPECT_THAT(plan.text(true), HasSubstr("6 of its steps are kept"));
    }
  }
}

TEST(Steps, AreKeptWhenTheStageFailsAndIsTriedAgain) {
  MemoryStore store;
  Calls calls;
  Pipeline p{"p"};
  const auto stage =
      p.stage({.name = "s", .retry = {.attempts = 3, .initial_delay = 0ms}}, [&](Context& ctx) {
        const auto text = ctx.step("web", [&] {
          calls("web");
          return "found"s;
        });
        calls("rest");
        if (calls.of("rest") < 3) throw Retryable{"not yet"};
        return text;
      });
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[stage], "found");
  EXPECT_EQ(calls.take(), "rest x3, web");
}

TEST(Steps, TellWhatTheyDid) {
  MemoryStore store;
  Pipeline p{"p"};
  bool fails = true;
  p.stage("s", [&](Context& ctx) {
    ctx.step("one", [&] { ctx.spend({.usd = 0.5}); });
    if (fails) throw std::runtime_error("no");
  });
  Log first;
  EXPECT_FALSE(resume(p, store, {.run = "r", .observers = {&first}}));
  EXPECT_EQ(first.lines(EventKind::step_started), Strings{"step_started s:one"});
  EXPECT_EQ(first.lines(EventKind::committed), Strings{"committed s:one"});
  EXPECT_EQ(first.first(EventKind::committed)->cost.usd, 0.5);
  EXPECT_THAT(first.first(EventKind::committed)->json(), HasSubstr(R"("step":"one")"));
  fails = false;
  Log second;
  EXPECT_TRUE(resume(p, store, {.run = "r", .observers = {&second}}));
  EXPECT_EQ(second.lines(EventKind::skipped), Strings{"skipped s:one"});
  EXPECT_EQ(second.lines(EventKind::committed), Strings{"committed s"});
}

/// Ten with its first call interrupted by a failure in step seven.
void fail_in_the_seventh(CheckpointStore& store) {
  Ten ten{[](int i) { return i == 7 ? throw std::runtime_error("no") : i; }};
  ASSERT_FALSE(resume(ten.pipeline, store, {.run = "r"}));
}

TEST(Steps, AreSetAsideWhenTheInputsOrTheCodeChanged) {
  for (const bool code : {false, true}) {
    MemoryStore store;
    fail_in_the_seventh(store);
    Calls calls;
    Ten ten{[&](int i) {
              calls("page");
              return i;
            },
            code ? "owls" : "bears", code ? 2U : 1U};
    const Plan plan = ResumePlanner{store}.plan(ten.pipeline, {.run = "r"});
    EXPECT_THAT(plan.text(true), HasSubstr("0 of its steps are kept, 6 set aside"));
    EXPECT_TRUE(resume(ten.pipeline, store, {.run = "r"}));
    EXPECT_EQ(calls.take(), "page x10");
  }
}

TEST(Steps, ThatAreSetAsideTellWhatTheyHadCost) {
  MemoryStore store;
  ManualTime time;
  const auto make = [&](Pipeline& p, std::uint32_t revision) {
    p.stage({.name = "s", .revision = revision}, [&](Context& ctx) {
      for (const char* name : {"web", "news"}) {
        ctx.step(name, [&] {
          time.clock.advance(std::chrono::seconds{6});
          ctx.spend({.usd = 1.5});
        });
      }
      throw std::runtime_error("no");
    });
  };
  Pipeline first{"p"};
  make(first, 1);
  ASSERT_FALSE(resume(first, store, {.run = "r"}));
  Pipeline second{"p"};
  make(second, 2);
  EXPECT_THAT(ResumePlanner{store}.plan(second, {.run = "r"}).text(true),
              HasSubstr("0 of its steps are kept, 2 set aside: 12.0 s of work and $3.00"));
}

TEST(Steps, WithDeclaredInputsDependOnTheseAlone) {
  MemoryStore store;
  Calls calls;
  const auto run = [&](const std::string& topic, std::uint32_t revision, std::uint32_t own,
                       const std::string& query) {
    Pipeline p{"p"};
    const auto given = p.input("topic", topic);
    p.stage({.name = "s", .revision = revision}, inputs(given),
            [&](Context& ctx, const std::string&) {
              ctx.step("declared", with(query, 3), [&] { calls("declared"); });
              ctx.step({.name = "versioned", .revision = own}, [&] { calls("versioned"); });
            });
    EXPECT_TRUE(resume(p, store, {.run = "r"}));
    return calls.take();
  };
  EXPECT_EQ(run("owls", 1, 1, "q"), "declared, versioned");
  EXPECT_EQ(run("owls", 2, 1, "q"), "") << "of the stage's code neither depends";
  EXPECT_EQ(run("bears", 2, 1, "q"), "versioned");
  EXPECT_EQ(run("bears", 3, 2, "q"), "versioned");
  EXPECT_EQ(run("bears", 4, 2, "other"), "declared");
}

TEST(Steps, WithDeclaredInputsAndARevisionOfTheirOwnArePlannedAsTheyAreKept) {
  MemoryStore store;
  Calls calls;
  bool fails = true;
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    ctx.step({.name = "page", .revision = 3}, with(1), [&] { calls("page"); });
    if (fails) throw std::runtime_error("no");
  });
  ASSERT_FALSE(resume(p, store, {.run = "r"}));
  fails = false;
  EXPECT_THAT(ResumePlanner{store}.plan(p, {.run = "r"}).text(true),
              HasSubstr("1 of its steps is kept"));
  EXPECT_TRUE(resume(p, store, {.run = "r"}));
  EXPECT_EQ(calls.take(), "page");
}

TEST(Steps, OfItemsAreTheirOwn) {
  MemoryStore store;
  Calls calls;
  std::string broken = "b";
  Pipeline p{"p"};
  const auto list = p.input("list", Strings{"a", "b"});
  const auto items = p.stage("s", inputs(each(list)), [&](Context& ctx, const std::string& item) {
    const auto text = ctx.step("x/y", [&] {
      calls(item);
      return item + "!";
    });
    if (item == broken) throw std::runtime_error("no");
    return text;
  });
  EXPECT_FALSE(resume(p, store, {.run = "r"}));
  broken.clear();
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_TRUE(report) << report.error()->explain();
  EXPECT_EQ(report[items], (Strings{"a!", "b!"}));
  EXPECT_EQ(calls.take(), "a, b");
}

TEST(Steps, MayContainStepsAndBeCalledFromTenThreadsAtOnce) {
  MemoryStore store;
  Calls calls;
  bool fails = true;
  Pipeline p{"p"};
  const auto stage = p.stage("s", [&](Context& ctx) {
    std::vector<int> got(10);
    std::latch all_there{10};
    std::vector<std::thread> threads;
    for (int i = 0; i < 10; ++i) {
      threads.emplace_back([&, i] {
        all_there.arrive_and_wait();
        const std::string name = std::to_string(i);
        got[static_cast<std::size_t>(i)] = ctx.step("outer " + name, [&] {
          calls("outer");
          return ctx.step("inner " + name, [&] {
            calls("inner");
            return i;
          });
        });
      });
    }
    for (std::thread& thread : threads) thread.join();
    if (fails) throw std::runtime_error("no");
    return got;
  });
  EXPECT_FALSE(resume(p, store, {.run = "r"}));
  EXPECT_EQ(calls.take(), "inner x10, outer x10");
  fails = false;
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[stage], (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(calls.take(), "");
}

TEST(Steps, OfOneNameAreAnErrorInOneAttempt) {
  MemoryStore store;
  Pipeline p{"p"};
  std::optional<Errc> nested;
  std::string in_a_loop;
  p.stage("s", [&](Context& ctx) {
    ctx.step("same", [&] { nested = code_of([&] { ctx.step("same", [] {}); }); });
    int sum = 0;
    in_a_loop = explained([&] {
      for (int i = 0; i < 3; ++i) sum += ctx.step("x", [&] { return i + 1; });
    });
    EXPECT_EQ(sum, 1) << "the first is no repetition";
    EXPECT_EQ(code_of([&] { ctx.step("", [] {}); }), Errc::bad_name);
    EXPECT_EQ(what_of([&] {
                static_cast<void>(ctx.effect("", with(1), [](const std::string&) { return 1; }));
              }),
              "the name of effect '' of stage 's' is empty, too long or not text");
    EXPECT_EQ(code_of([&] { ctx.step("\xff", [] {}); }), Errc::bad_name);
  });
  EXPECT_TRUE(resume(p, store, {.run = "r"}));
  EXPECT_EQ(nested, Errc::duplicate_name);
  EXPECT_THAT(in_a_loop, HasSubstr("step 'x' of stage 's' is used twice in one attempt"));
  EXPECT_THAT(in_a_loop, HasSubstr("in a loop, put the index or the key into the name"));
}

TEST(Steps, OfOneNameWithOtherInputsAreOtherSteps) {
  MemoryStore store;
  Calls calls;
  bool fails = true;
  Pipeline p{"p"};
  const auto stage = p.stage("s", [&](Context& ctx) {
    int sum = 0;
    for (const int i : {1, 2, 3}) {
      sum += ctx.step("x", with(i), [&] {
        calls("x");
        return i;
      });
    }
    EXPECT_EQ(code_of([&] { ctx.step("x", with(2), [] { return 0; }); }), Errc::duplicate_name);
    if (fails) throw std::runtime_error("no");
    return sum;
  });
  EXPECT_FALSE(resume(p, store, {.run = "r"}));
  fails = false;
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[stage], 6);
  EXPECT_EQ(calls.take(), "x x3") << "each is kept on its own";
}

TEST(Steps, ThatThrewMayBeCalledAgain) {
  MemoryStore store;
  Pipeline p{"p"};
  const auto stage = p.stage("s", [&](Context& ctx) {
    EXPECT_THROW(ctx.step("x", [] { throw std::runtime_error("no"); }), std::runtime_error);
    return ctx.step("x", [] { return 1; });
  });
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[stage], 1);
}

TEST(Steps, AreTriedAgainOnTheirOwn) {
  MemoryStore store;
  Calls calls;
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    calls("stage");
    ctx.step({.name = "web", .retry = {.attempts = 3, .initial_delay = 0ms}}, [&] {
      calls("web");
      if (calls.of("web") < 3) throw Retryable{"busy"};
    });
    EXPECT_THROW(ctx.step({.name = "never", .retry = {.attempts = 2, .initial_delay = 0ms}},
                          [&] {
                            calls("never");
                            throw std::runtime_error("for good");
                          }),
                 std::runtime_error);
  });
  Log log;
  EXPECT_TRUE(resume(p, store, {.run = "r", .observers = {&log}}));
  EXPECT_EQ(calls.take(), "never, stage, web x3");
  EXPECT_EQ(log.lines(EventKind::retried), (Strings{"retried s:web", "retried s:web"}));
}

/// A step of a stage `s` that is tried three times at most: `in_step` fails or does not.
struct ThreeTries {
  explicit ThreeTries(std::function<void()> in_step, std::string topic = "owls") {
    const auto given = pipeline.input("topic", std::move(topic));
    pipeline.stage("s", inputs(given), [=](Context& ctx, const std::string&) {
      ctx.step({.name = "web", .retry = {.attempts = 3, .initial_delay = 0ms}}, in_step);
    });
  }
  Pipeline pipeline{"p"};
};

/// Two failed attempts are recorded, and the process is gone.
void kill_after_two_tries(const TempFolder& folder, const Tally& tally) {
  ChildProcess child([&] {
    FileStore store{folder / "store"};
    ThreeTries killed{[&] {
      tally("web");
      throw Retryable{"busy"};
    }};
    Log log;
    log.on = [](const Event& event) {
      if (event.kind == EventKind::retried && event.attempt == 2) ::raise(SIGKILL);
    };
    return resume(killed.pipeline, store, {.run = "r", .observers = {&log}}).exit_code();
  });
  ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  ASSERT_EQ(tally.of("web"), 2);
}

Strings paths_below(const CheckpointStore& store, std::string_view prefix) {
  Strings paths;
  store.scan("r", {}, [&](const RecordHead& found) {
    if (found.id.path.starts_with(prefix)) paths.emplace_back(found.id.path);
    return true;
  });
  return paths;
}

TEST(Steps, WithARetryThatIsOutOfRangeAreRefusedBeforeTheyAreCalled) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const Retry& retry :
       {Retry{.attempts = 0}, Retry{.initial_delay = -1ms}, Retry{.initial_delay = 2min},
        Retry{.factor = 0.5}, Retry{.factor = nan}, Retry{.factor = infinite},
        Retry{.jitter = -0.1}, Retry{.jitter = 1e300}, Retry{.jitter = nan}}) {
    MemoryStore store;
    Pipeline p{"p"};
    bool called = false;
    std::optional<Errc> refused;
    p.stage("s", [&](Context& ctx) {
      refused = code_of([&] { ctx.step({.name = "web", .retry = retry}, [&] { called = true; }); });
      return 1;
    });
    EXPECT_TRUE(resume(p, store, {.run = "r"}));
    EXPECT_EQ(refused, Errc::bad_option)
        << retry.attempts << " " << retry.factor << " " << retry.jitter;
    EXPECT_FALSE(called);
  }
}

TEST(Steps, WaitAsTheirRetryAllowsWhateverTheNumbers) {
  const Retry none{.attempts = 9, .initial_delay = 0ms, .factor = 1e308};
  const Retry longest{
      .attempts = 9, .max_delay = std::chrono::milliseconds::max(), .factor = 1e308};
  EXPECT_EQ(stage::backoff(none, 9, 0ms, "seed"), 0ms);
  EXPECT_EQ(stage::backoff(longest, 9, 0ms, "seed"), std::chrono::milliseconds::max());
}

TEST(Steps, KilledAfterTheSecondOfThreeTriesHaveOneLeft) {
  const TempFolder folder;
  const Tally tally{folder / "tally"};
  kill_after_two_tries(folder, tally);
  FileStore store{folder / "store"};
  ThreeTries fails{[&] {
    tally("web");
    throw Retryable{"busy"};
  }};
  const Plan plan = ResumePlanner{store}.plan(fails.pipeline, {.run = "r"});
  EXPECT_EQ(outline(plan), "s run first_run") << "a failed try is no step that is kept";
  Log log;
  const Report report = resume(fails.pipeline, store, {.run = "r", .observers = {&log}});
  EXPECT_EQ(outline(report), "s failed");
  EXPECT_EQ(report.stage("s").message, "busy");
  EXPECT_EQ(tally.of("web"), 3);
  EXPECT_EQ(log.first(EventKind::step_started)->attempt, 3U);
  EXPECT_EQ(outline(resume(fails.pipeline, store, {.run = "r"})), "s failed");
  EXPECT_EQ(tally.of("web"), 6) << "as a stage's: after a failed call there is a new allowance";
}

TEST(Steps, ThatSucceedLeaveNothingOfTheirFailedTries) {
  const TempFolder folder;
  const Tally tally{folder / "tally"};
  kill_after_two_tries(folder, tally);
  FileStore store{folder / "store"};
  EXPECT_EQ(paths_below(store, "@tries/"), Strings{"@tries/s/web"});
  ThreeTries works{[&] { tally("web"); }};
  EXPECT_TRUE(resume(works.pipeline, store, {.run = "r"}));
  EXPECT_EQ(tally.of("web"), 3);
  EXPECT_EQ(paths_below(store, "@tries/"), Strings{});
  const auto path = core::inside_key("step", "s", "", "web").path;
  EXPECT_EQ(core::decode_header(store.get("r", {path, 1})->header, store.get("r", {path, 1})->tag)
                ->attempts,
            3U);
}

TEST(Steps, KilledInATryDoNotCountIt) {
  const TempFolder folder;
  const Tally tally{folder / "tally"};
  kill_after_two_tries(folder, tally);
  ChildProcess child([&] {
    FileStore store{folder / "store"};
    ThreeTries killed{[] { ::raise(SIGKILL); }};
    return resume(killed.pipeline, store, {.run = "r"}).exit_code();
  });
  EXPECT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  FileStore store{folder / "store"};
  ThreeTries works{[&] { tally("web"); }};
  EXPECT_TRUE(resume(works.pipeline, store, {.run = "r"}));
  EXPECT_EQ(tally.of("web"), 3);
}

TEST(Steps, WithOtherInputsOrAskedForHaveAllTheirTries) {
  for (const bool asked : {false, true}) {
    const TempFolder folder;
    const Tally tally{folder / "tally"};
    kill_after_two_tries(folder, tally);
    FileStore store{folder / "store"};
    ThreeTries fails{[&] {
                       tally("web");
                       throw Retryable{"busy"};
                     },
                     asked ? "owls" : "bears"};
    ResumeOptions options{.run = "r"};
    if (asked) options.redo = {"s"};
    EXPECT_FALSE(resume(fails.pipeline, store, options));
    EXPECT_EQ(tally.of("web"), 2 + 3);
  }
}

TEST(Steps, WhoseCountIsDamagedBeginItAgain) {
  const TempFolder folder;
  const Tally tally{folder / "tally"};
  kill_after_two_tries(folder, tally);
  FileStore store{folder / "store"};
  const fs::path file = store.locate("r", {"@tries/s/web", 2});
  std::string bytes = read_file(file);
  bytes.back() ^= 1;
  write_file(file, bytes);
  ThreeTries fails{[&] {
    tally("web");
    throw Retryable{"busy"};
  }};
  Log log;
  EXPECT_FALSE(resume(fails.pipeline, store, {.run = "r", .observers = {&log}}));
  EXPECT_EQ(log.lines(EventKind::quarantined).size(), 1U);
  EXPECT_EQ(tally.of("web"), 2 + 3);
}

TEST(Steps, StoppedWhileTheyWaitForATryWaitAsLongWhenResumed) {
  MemoryStore store;
  Calls calls;
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    ctx.step({.name = "web", .retry = {.attempts = 3, .initial_delay = 8ms}}, [&] {
      calls("web");
      if (calls.of("web") < 2) throw Retryable{"busy"};
    });
  });
  std::vector<double> waits;
  for (const bool goes_on : {false, false, true}) {
    std::stop_source stop;
    Log log;
    log.on = [&](const Event& event) {
      if (event.kind != EventKind::retried) return;
      waits.push_back(event.duration.value().count());
      EXPECT_EQ(event.message, "busy");
      if (!goes_on) stop.request_stop();
    };
    const Report report =
        resume(p, store, {.run = "r", .stop = stop.get_token(), .observers = {&log}});
    EXPECT_EQ(report.outcome(), goes_on ? Outcome::done : Outcome::interrupted);
    EXPECT_EQ(calls.of("web"), goes_on ? 2 : 1);
  }
  ASSERT_EQ(waits.size(), 3U);
  EXPECT_GT(waits[0], 0.004);
  EXPECT_EQ(waits[1], waits[0]);
  EXPECT_EQ(waits[2], waits[0]);
}

TEST(Steps, ThatAreGivenUpLeaveNothingWhenTheirStageDoesWithoutThem) {
  MemoryStore store;
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    const auto fails = [] { throw Retryable{"busy"}; };
    EXPECT_THROW(ctx.step({.name = "web", .retry = {.attempts = 2, .initial_delay = 0ms}}, fails),
                 Retryable);
    EXPECT_EQ(paths_below(store, "@tries/"), Strings{"@tries/s/web"});
    EXPECT_THROW(ctx.step("once", fails), Retryable);
    EXPECT_EQ(paths_below(store, "@tries/"), Strings{"@tries/s/web"}) << "no retry, no record";
  });
  EXPECT_TRUE(resume(p, store, {.run = "r"}));
  EXPECT_EQ(paths_below(store, "@tries/"), Strings{});
}

TEST(Steps, OptionsOwnTheirNames) {
  MemoryStore store;
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    const auto long_text = [](char c) { return std::string(60, c); };
    const StepOptions step{.name = long_text('a')};
    const ProgressOptions cadence{.name = long_text('b')};
    const HistoryOptions<int> entries{.name = long_text('c')};
    ctx.step(step, [] {});
    ctx.progress(1, cadence).save();
    ctx.history(entries).push_back(1);
    for (const char* room : {"@step/s/aaaaa", "@progress/s/bbbbb", "@history/s/ccccc"}) {
      EXPECT_EQ(paths_below(store, room).size(), 1U) << room;
    }
  });
  EXPECT_TRUE(resume(p, store, {.run = "r"}));
}

TEST(Steps, AreWhereAStopRequestEndsAStage) {
  MemoryStore store;
  std::stop_source stop;
  Calls calls;
  Ten first{[&](int i) {
    calls("page");
    if (i == 4) stop.request_stop();
    return i;
  }};
  const Report report = resume(first.pipeline, store, {.run = "r", .stop = stop.get_token()});
  EXPECT_EQ(report.outcome(), Outcome::interrupted);
  EXPECT_EQ(calls.take(), "page x4");
  Ten second{[&](int i) {
    calls("page");
    return i;
  }};
  EXPECT_TRUE(resume(second.pipeline, store, {.run = "r"}));
  EXPECT_EQ(calls.take(), "page x6");
}

TEST(Steps, RunAgainWhenTheirStageIsAskedFor) {
  MemoryStore store;
  Calls calls;
  Ten ten{[&](int i) {
    calls("page");
    if (calls.of("page") == 13) throw std::runtime_error("no");
    return i;
  }};
  EXPECT_TRUE(resume(ten.pipeline, store, {.run = "r"}));
  EXPECT_FALSE(resume(ten.pipeline, store, {.run = "r", .redo = {"research"}}));
  EXPECT_EQ(calls.of("page"), 13);
  EXPECT_TRUE(resume(ten.pipeline, store, {.run = "r"}));
  EXPECT_EQ(calls.take(), "page x21") << "the two that the redo had made are kept";
}

TEST(Steps, ThatAreUsedNoMoreAreErased) {
  MemoryStore store;
  const auto run = [&](const std::string& topic) {
    Pipeline p{"p"};
    p.stage("s", inputs(p.input("topic", topic)), [](Context& ctx, const std::string& about) {
      ctx.step("about " + about, with(about), [] { return 1; });
      ctx.step("always", with(1), [] { return 2; });
    });
    EXPECT_TRUE(resume(p, store, {.run = "r"}));
    return paths_below(store, "@step/");
  };
  const auto path = [](const std::string& name, const StepInputs& inputs) {
    return core::inside_key("step", "s", "", name).path + "~" +
           inputs.digest()->hex().substr(0, 16);
  };
  const std::string always = path("always", with(1));
  EXPECT_EQ(run("owls"), (Strings{path("about owls", with("owls"s)), always}));
  EXPECT_EQ(run("bears"), (Strings{path("about bears", with("bears"s)), always}));
}

/// Can only be moved.
class Token {
 public:
  Token() = default;
  explicit Token(int number) : number_(number) {}
  Token(Token&&) = default;
  Token& operator=(Token&&) = default;
  Token(const Token&) = delete;
  Token& operator=(const Token&) = delete;
  [[nodiscard]] int number() const { return number_; }
  void increase() { ++number_; }

  friend void to_json(Json& json, const Token& ticket) { json = ticket.number_; }
  friend void from_json(const Json& json, Token& ticket) { json.get_to(ticket.number_); }

 private:
  int number_ = 0;
};

TEST(Steps, AndAllElseThatAStageSavesMayHoldValuesThatCanOnlyBeMoved) {
  MemoryStore store;
  bool fails = true;
  Pipeline p{"p"};
  const auto stage = p.stage("s", [&](Context& ctx) {
    const auto first = ctx.step("step", [] { return Token{1}; });
    const auto second = ctx.cached("cached", with(1), [] { return Token{2}; });
    const auto third = ctx.effect(
        "effect", with(1), [](const std::string&) { return Token{3}; },
        [](const std::string&) { return Verified<Token>::happened(Token{0}); });
    auto state = ctx.progress(Token{4});
    auto turns = ctx.history<Token>();
    if (turns.empty()) turns.push_back(Token{5});
    if (fails) state->increase();
    state.save();
    if (fails) throw std::runtime_error("no");
    return std::vector{first.number(), second.number(), third.number(), state->number(),
                       turns.back().number()};
  });
  EXPECT_FALSE(resume(p, store, {.run = "r"}));
  fails = false;
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_TRUE(report);
  EXPECT_EQ(report[stage], (std::vector{1, 2, 3, 5, 5}));
}

struct Once {
  int number = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Once, number)

TEST(Steps, WhoseTypeChangedAreRefusedAndKept) {
  MemoryStore store;
  const auto run = [&](auto body) {
    Pipeline p{"p"};
    p.stage("s", [&](Context& ctx) {
      ctx.step("one", body);
      throw std::runtime_error("not finished");
    });
    const Report report = resume(p, store, {.run = "r"});
    return report.stage("s").message;
  };
  EXPECT_EQ(run([] { return Once{1}; }), "not finished");
  EXPECT_THAT(run([] { return Text{"two"}; }), HasSubstr("was saved with another codec"));
  EXPECT_THAT(run([] { return 2; }), HasSubstr("was saved with other fields"));
  EXPECT_EQ(run([] { return Once{3}; }), "not finished");
}

TEST(Steps, ThatAreDamagedRunAgainAndNoOther) {
  for (const bool payload : {true, false}) {
    SCOPED_TRACE(payload);
    const TempFolder folder;
    FileStore store{folder / "store"};
    fail_in_the_seventh(store);
    const fs::path file = store.locate("r", {"@step/research/page%203", 1});
    ASSERT_TRUE(fs::exists(file)) << file;
    std::string bytes = read_file(file);
    bytes[payload ? bytes.size() - 1 : 3] ^= 1;
    write_file(file, bytes);
    Calls calls;
    Log log;
    Ten ten{[&](int i) {
      calls(std::to_string(i));
      return i;
    }};
    const Report report = resume(ten.pipeline, store, {.run = "r", .observers = {&log}});
    ASSERT_TRUE(report);
    EXPECT_EQ(report[*ten.sum], 4 + 55);
    EXPECT_EQ(log.lines(EventKind::quarantined).size(), 1U);
    EXPECT_EQ(calls.take(), "10, 3, 7, 8, 9");
  }
}

}  // namespace
}  // namespace resumable::test
