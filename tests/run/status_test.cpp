// Status for people and as JSON: what is under way, and what of it is kept.
#include <csignal>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/time.hpp"
#include "resumable/cli.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

std::string status_of(const Pipeline& pipeline, CheckpointStore& store, bool json = false,
                      int code = 0) {
  std::ostringstream out;
  cli::Console console{.out = out, .err = out};
  EXPECT_EQ(cli::status(console, pipeline, store, "r", {.json = json}), code);
  return out.str();
}

Json stage_of(const Pipeline& pipeline, CheckpointStore& store) {
  return Json::parse(status_of(pipeline, store, true)).at("stages").at(0);
}

/// Runs until `stop` is asked for, or to the end.
void stop_on(CheckpointStore& store, const std::function<void(Context&, std::stop_source&)>& body,
             const std::function<void(const Pipeline&)>& look) {
  std::stop_source stop;
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) { body(ctx, stop); });
  EXPECT_EQ(resume(p, store, {.run = "r", .stop = stop.get_token()}).outcome(),
            Outcome::interrupted);
  look(p);
}

TEST(Status, OfAStageWithoutAnythingKeptIsNotStarted) {
  MemoryStore store;
  stop_on(
      store,
      [](Context&, std::stop_source& stop) {
        stop.request_stop();
        throw std::runtime_error("left");
      },
      [&](const Pipeline& p) {
        EXPECT_THAT(status_of(p, store), HasSubstr("0 of 1 stages done · store"));
        EXPECT_THAT(status_of(p, store), HasSubstr("  ○ 1 not started     s\n"));
        EXPECT_FALSE(stage_of(p, store).contains("kept"));
      });
}

TEST(Status, OfAStageWithStepsIsPartDone) {
  MemoryStore store;
  stop_on(
      store,
      [](Context& ctx, std::stop_source& stop) {
        for (int i = 1; i <= 9; ++i) {
          ctx.step("page " + std::to_string(i), [&] {
            if (i == 6) stop.request_stop();
          });
        }
      },
      [&](const Pipeline& p) {
        EXPECT_THAT(status_of(p, store), HasSubstr("0 of 1 stages done, 1 part done · store"));
        EXPECT_THAT(status_of(p, store), HasSubstr("  ◐ s                 6 steps kept\n"));
        EXPECT_THAT(status_of(p, store), Not(HasSubstr("not started")));
        EXPECT_EQ(stage_of(p, store).at("kept"), (Json{{"steps", 6}, {"turns", 0}, {"states", 0}}));
        EXPECT_EQ(stage_of(p, store).at("reasons").at(0), "first_run");
        const Plan plan = ResumePlanner{store}.plan(p, {.run = "r"});
        EXPECT_EQ(plan["s"].kept, (Kept{.steps = 6}));
        EXPECT_EQ(Json::parse(plan.json()).at("stages").at(0).at("kept").at("steps"), 6);
      });
}

TEST(Status, OfLoopsCountsTurnsThatAreLeftOutToo) {
  MemoryStore store;
  stop_on(
      store,
      [](Context& ctx, std::stop_source& stop) {
        auto other = ctx.history<int>({.name = "a"});
        other.push_back(1);
        auto turns = ctx.history<int>({.compaction = {.first = 1, .last = 2, .threshold = 4}});
        for (int i = 0; i < 11; ++i) turns.push_back(i);
        EXPECT_TRUE(turns.lossy());
        ctx.progress(1).save();
        stop.request_stop();
        turns.safepoint();
      },
      [&](const Pipeline& p) {
        EXPECT_THAT(status_of(p, store),
                    HasSubstr("  ◐ s                 12 saved turns, 1 saved state of 20"));
        Json kept = stage_of(p, store).at("kept");
        kept.erase("saved");
        EXPECT_EQ(kept, (Json{{"steps", 0}, {"turns", 12}, {"states", 1}, {"bytes", 1}}));
      });
}

TEST(Status, OfAKeptLoopSaysWhenItWasSavedAndHowFarItIsOverAllCalls) {
  MemoryStore store;
  for (int call = 1; call <= 2; ++call) {
    stop_on(
        store,
        [](Context& ctx, std::stop_source& stop) {
          auto state = ctx.progress(std::string(12'345, 'x'));
          for (int i = 0; i < 1400; ++i) state.safepoint();
          stop.request_stop();
          state.safepoint();
        },
        [&](const Pipeline& p) {
          const Plan plan = ResumePlanner{store}.plan(p, {.run = "r"});
          EXPECT_EQ(plan["s"].kept.passes, static_cast<std::uint64_t>(1401 * call));
          EXPECT_TRUE(plan["s"].kept.saved);
          const std::string far = ", 12.3 kB, " + std::to_string(1401 * call) + " passes";
          EXPECT_THAT(plan.text(), HasSubstr("> continue  s             1 saved state of 20"));
          EXPECT_THAT(plan.text(), HasSubstr(far));
          EXPECT_THAT(plan.text(true), Not(HasSubstr("steps")));
          EXPECT_THAT(status_of(p, store), HasSubstr(far));
          EXPECT_EQ(stage_of(p, store).at("kept").at("passes"), 1401 * call);
        });
  }
}

TEST(Status, OfAStageThatFailedSaysWhatIsKept) {
  MemoryStore store;
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    ctx.step("one", [] {});
    ctx.step(
        {.name = "two", .retry = {.attempts = 2, .initial_delay = std::chrono::milliseconds{0}}},
        [] { throw Retryable{"busy"}; });
  });
  EXPECT_FALSE(resume(p, store, {.run = "r"}));
  EXPECT_THAT(status_of(p, store), HasSubstr("0 of 1 stages done, 1 part done · store"));
  EXPECT_THAT(status_of(p, store),
              HasSubstr("failed after 1 attempt: step 'two' failed 2 times: busy; 1 step kept\n"))
      << "failed tries are none";
}

TEST(Status, TellsWhatWasPaidAlsoByACallThatFailed) {
  MemoryStore store;
  bool fails = true;
  Pipeline p{"p"};
  p.stage("s", [&](Context& ctx) {
    ctx.step(
        {.name = "ask", .retry = {.attempts = 4, .initial_delay = std::chrono::milliseconds{0}}},
        [&] {
          ctx.spend({.usd = 0.0018, .tokens = 450});
          if (fails) throw Retryable{"prose"};
        });
  });
  p.stage("items",
          inputs(each(p.input<std::vector<std::string>>("list", {"a", "b"}),
                      [](const std::string& key) { return key; })),
          [&](Context& ctx, const std::string&) {
            ctx.spend({.usd = 1, .tokens = 0});
            if (fails) throw std::runtime_error{"no"};
            return 1;
          });
  const Report failed = resume(p, store, {.run = "r", .keep_going = true});
  EXPECT_THAT(failed.text(), HasSubstr("cost of this call: $2.01, 1800 tokens\n"));
  EXPECT_THAT(status_of(p, store), HasSubstr(" · $2.01 spent\n"));
  const Json json = Json::parse(status_of(p, store, true));
  EXPECT_DOUBLE_EQ(json.at("cost").at("usd").get<double>(), 2.0072);
  EXPECT_EQ(json.at("cost").at("tokens"), 1800);
  EXPECT_DOUBLE_EQ(json.at("stages").at(0).at("cost").at("usd").get<double>(), 0.0072);
  EXPECT_DOUBLE_EQ(json.at("stages").at(1).at("cost").at("usd").get<double>(), 2);
  fails = false;
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
  const Json done = Json::parse(status_of(p, store, true));
  EXPECT_DOUBLE_EQ(done.at("cost").at("usd").get<double>(), 4.009);
  EXPECT_DOUBLE_EQ(done.at("stages").at(0).at("cost").at("usd").get<double>(), 0.009);
  EXPECT_DOUBLE_EQ(done.at("stages").at(1).at("cost").at("usd").get<double>(), 4) << "each once";
}

/// Asks four times for a dollar each, two of them within an item; `calls` counts the answers.
void declare_asking(Pipeline& p, int& calls, int killed_after) {
  const auto ask = [&calls, killed_after](Context& ctx, const std::string& name) {
    ctx.step(name, [&] {
      if (calls++ == killed_after) std::raise(SIGKILL);
      ctx.spend({.usd = 1, .tokens = 10});
    });
  };
  p.stage("s", [ask](Context& ctx) {
    ask(ctx, "one");
    ask(ctx, "two");
    return 1;
  });
  p.stage("items",
          inputs(each(p.input<std::vector<std::string>>("list", {"a"}),
                      [](const std::string& key) { return key; })),
          [ask](Context& ctx, const std::string&) {
            ask(ctx, "three");
            ask(ctx, "four");
            return 1;
          });
}

TEST(Status, TellsWhatStepsOfAKilledCallHaveCost) {
  for (int answered = 0; answered < 4; ++answered) {
    SCOPED_TRACE(answered);
    const TempFolder folder;
    ChildProcess child{[&] {
      int calls = 0;
      Pipeline p{"p"};
      declare_asking(p, calls, answered);
      FileStore store{folder / "store"};
      static_cast<void>(resume(p, store, {.run = "r"}));
      return 0;
    }};
    EXPECT_EQ(child.wait().signal, SIGKILL);
    int calls = 0;
    Pipeline p{"p"};
    declare_asking(p, calls, -1);
    FileStore store{folder / "store"};
    const auto paid = [&] { return Json::parse(status_of(p, store, true)).at("cost").at("usd"); };
    EXPECT_EQ(paid(), answered);
    const Report report = resume(p, store, {.run = "r"});
    ASSERT_TRUE(report);
    EXPECT_EQ(report.cost().usd, 4 - answered);
    EXPECT_EQ(report.savings().cost.usd, answered);
    EXPECT_EQ(paid(), 4) << "the killed call's dollars are still told";
    EXPECT_EQ(resume(p, store, {.run = "r"}).savings().cost.usd, 4);
  }
}

TEST(Status, SmallAmountsAreNotRoundedToNothing) {
  const auto paid = [](double usd) {
    MemoryStore store;
    Pipeline p{"p"};
    p.stage("s", [&](Context& ctx) { ctx.spend({.usd = usd}); });
    return resume(p, store, {.run = "r"}).text();
  };
  EXPECT_EQ(paid(0.0072), "cost of this call: $0.0072\n");
  EXPECT_EQ(paid(0.05), "cost of this call: $0.05\n");
  EXPECT_EQ(paid(0.00001), "cost of this call: <$0.0001\n");
  EXPECT_EQ(paid(12.345), "cost of this call: $12.35\n");
  EXPECT_EQ(paid(0), "");
}

TEST(Status, OfASideEffectWithoutAnOutcomeIsNotNotStarted) {
  MemoryStore store;
  stop_on(
      store,
      [](Context& ctx, std::stop_source& stop) {
        ctx.effect("send", with(1), [&](const std::string&) -> int {
          stop.request_stop();
          throw std::runtime_error("cut off");
        });
      },
      [&](const Pipeline& p) {
        EXPECT_THAT(status_of(p, store), HasSubstr("  ◐ s                 side effect 'send' was "
                                                   "begun and has no outcome"));
      });
}

TEST(Status, OfAFanOutUnderWaySaysOnceHowManyItemsAreKept) {
  MemoryStore store;
  std::stop_source stop;
  Pipeline p{"p"};
  const auto list = p.input("list", Strings{"a", "b", "c", "c"});
  p.stage("pages", inputs(each(list)), [&](Context& ctx, const std::string& page) {
    if (page == "c") ctx.step("half", [&] { stop.request_stop(); });
    return ctx.step("rest", [] { return 1; });
  });
  EXPECT_EQ(resume(p, store, {.run = "r", .stop = stop.get_token()}).outcome(),
            Outcome::interrupted);
  EXPECT_THAT(status_of(p, store), HasSubstr("0 of 1 stages done, 1 part done · store"));
  EXPECT_THAT(status_of(p, store),
              HasSubstr("  ◐ pages             2 of 4 items kept; 1 step kept\n"));
  EXPECT_EQ(stage_of(p, store).at("items"), (Json{{"total", 4}, {"kept", 2}}));
  EXPECT_EQ(stage_of(p, store).at("kept").at("steps"), 1);
}

TEST(Status, OfAFanOutWhoseItemsHaveStepsAloneIsPartDone) {
  MemoryStore store;
  Pipeline p{"p"};
  const auto list = p.input("list", Strings{"a", "b"});
  std::stop_source stop;
  p.stage("pages", inputs(each(list)), [&](Context& ctx, const std::string&) {
    ctx.step("half", [&] { stop.request_stop(); });
    return ctx.step("rest", [] { return 1; });
  });
  EXPECT_EQ(resume(p, store, {.run = "r", .stop = stop.get_token()}).outcome(),
            Outcome::interrupted);
  EXPECT_THAT(status_of(p, store), HasSubstr("  ◐ pages             1 step kept\n"));
}

TEST(Status, OfARunThatResumeRefusesSaysWhyInTheWordsOfResume) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Pipeline p{"p"};
  p.artifact(p.stage("list", [] { return Strings{"a"}; }), "list.json");
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
  EXPECT_FALSE(Json::parse(status_of(p, store, true)).contains("why"));
  write_file(folder / "store/r/list.json", "{");
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_EQ(report.outcome(), Outcome::refused);
  const std::string why = report.error()->info().what;
  EXPECT_THAT(why, HasSubstr("stage 'list': "));
  EXPECT_EQ(status(p, store, "r").why, why);
  EXPECT_EQ(Json::parse(status_of(p, store, true, 3)).at("why"), why);
  const std::string text = status_of(p, store, false, 3);
  EXPECT_THAT(text, HasSubstr("resuming is refused"));
  EXPECT_THAT(text, HasSubstr("  ✗ list "));
  EXPECT_THAT(text, HasSubstr(why.substr(why.find(": ") + 2)));
  EXPECT_THAT(text, HasSubstr("r/list.json"));
}

/// What a call meets while it runs need not show in the next plan.
TEST(Status, OfARunWhoseLastCallWasRefusedWhileItRanSaysWhy) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Pipeline p{"p"};
  const auto list = p.stage("list", [] { return Strings{"a"}; });
  p.stage("text", inputs(list), [](const Strings& all) { return all.at(0); });
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
  const auto record = folder / "store/r/.resumable/checkpoints/list.1.ckpt";
  std::string bytes = read_file(record);
  bytes.back() = '?';
  std::filesystem::permissions(record, std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add);
  write_file(record, bytes);
  const Report report =
      resume(p, store, {.run = "r", .redo = {"text"}, .on_damage = OnDamage::refuse});
  ASSERT_EQ(report.outcome(), Outcome::refused);
  const RunStatus after = status(p, store, "r");
  EXPECT_EQ(after.state, RunState::refused);
  EXPECT_FALSE(after.plan.refused());
  EXPECT_EQ(after.why, "the checkpoint 'list' is damaged");
  EXPECT_THAT(status_of(p, store),
              HasSubstr("  ✗ the last call was refused: the checkpoint 'list' is damaged\n"));
  EXPECT_EQ(Json::parse(status_of(p, store, true)).at("why"), after.why);
  ASSERT_TRUE(resume(p, store, {.run = "r"}));
  EXPECT_EQ(status(p, store, "r").why, "") << "it was the call before the last";
}

TEST(Status, OfARunThatFailedHasTheErrorOfItsLastCall) {
  MemoryStore store;
  Pipeline p{"p"};
  p.stage("s", []() -> int { throw std::runtime_error("no paper"); });
  const Report report = resume(p, store, {.run = "r"});
  ASSERT_EQ(report.outcome(), Outcome::failed);
  EXPECT_EQ(status(p, store, "r").why, "stage 's' failed: no paper");
  EXPECT_EQ(Json::parse(status_of(p, store, true)).at("why"), "stage 's' failed: no paper");
}

TEST(Status, AndPlanBesideAnOwnerNameIt) {
  const TempFolder folder;
  const Signpost begun;
  const Signpost over;
  Pipeline p{"p"};
  p.stage("s", [&] {
    begun.say();
    over.await();
    return 1;
  });
  ChildProcess child{[&] {
    FileStore store{folder / "store"};
    return resume(p, store, {.run = "r"}).exit_code();
  }};
  begun.await();
  FileStore store{folder / "store"};
  const auto owner = store.owner("r");
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->pid, child.pid());
  EXPECT_NE(owner->host, "");
  const std::string who = "pid " + std::to_string(child.pid()) + " on " + owner->host + " since " +
                          core::format_utc_seconds(owner->since);
  EXPECT_THAT(status_of(p, store), ::testing::StartsWith("p · r · running, " + who + "\n"));
  const Json json = Json::parse(status_of(p, store, true));
  EXPECT_EQ(json.at("state"), "running");
  EXPECT_EQ(json.at("owner").at("pid"), child.pid());
  EXPECT_EQ(json.at("owner").at("host"), owner->host);
  EXPECT_EQ(json.at("owner").at("since"), core::format_utc_seconds(owner->since));
  std::ostringstream out;
  std::ostringstream err;
  cli::Console console{.out = out, .err = err};
  EXPECT_EQ(cli::plan(console, p, store, {.run = "r"}, {}), 0);
  EXPECT_EQ(err.str(), "note: run r is in use by " + who + "\n");
  EXPECT_THAT(out.str(), HasSubstr("s "));
  over.say();
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
  EXPECT_THAT(status_of(p, store), Not(HasSubstr("running")));
  err.str("");
  EXPECT_EQ(cli::plan(console, p, store, {.run = "r"}, {}), 0);
  EXPECT_EQ(err.str(), "");
}

}  // namespace
}  // namespace resumable::test
