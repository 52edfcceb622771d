// A store that does not answer: the call of resume() ends, says which store it was, and nothing
// that was committed is lost.
#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/run_support.hpp"
#include "support/slow_store.hpp"

namespace resumable::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Fate = SlowStore::Fate;
using std::chrono::hours;
using std::chrono::milliseconds;

class SilentStore : public ::testing::Test {
 protected:
  /// Two stages; `in_second` is called in the second.
  Report run(ResumeOptions options, const std::function<void(Context&)>& in_second = {}) {
    Pipeline pipeline{"p"};
    const auto first = pipeline.stage("first", [&] {
      calls_("first");
      return 1;
    });
    pipeline.stage("second", inputs(first), [&](Context& ctx, int one) {
      calls_("second");
      if (in_second) in_second(ctx);
      return one + 1;
    });
    options.run = "r";
    return resume(pipeline, store_, options);
  }
  /// Calls of this name have no answer once `begun_` is set.
  void silence(std::string_view call) {
    store_.fate = [this, call](std::string_view name) {
      return begun_ && name == call ? Fate::silent : Fate::answered;
    };
  }
  /// The run continues as if nothing had been.
  void expect_continues(const std::string& calls) {
    store_.fate = [](std::string_view) { return Fate::answered; };
    calls_.take();
    EXPECT_EQ(run({}).outcome(), Outcome::done);
    EXPECT_EQ(calls_.take(), calls);
  }

  Calls calls_;
  std::atomic<bool> begun_{true};
  MemoryStore memory_;
  SlowStore store_{memory_};
};

TEST_F(SilentStore, IsWaitedForByAPlanWhateverTheBudgetOfACall) {
  silence("scan");
  Pipeline pipeline{"p"};
  pipeline.stage("first", [] { return 1; });
  const ResumeOptions options{
      .run = "r", .budget = milliseconds{15}, .store_timeout = milliseconds{60}};
  try {
    static_cast<void>(ResumePlanner{store_}.plan(pipeline, options));
    ADD_FAILURE() << "there is an answer";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::store_failed) << error.what();
  }
}

TEST_F(SilentStore, EndsACallThatPlans) {
  for (const char* call : {"scan", "stamp", "lease"}) {
    silence(call);
    const Report report = run({.store_timeout = milliseconds{20}});
    EXPECT_EQ(report.outcome(), Outcome::failed) << call;
    ASSERT_TRUE(report.error()) << call;
    EXPECT_EQ(report.error()->errc(), Errc::store_failed) << call;
    EXPECT_THAT(report.error()->explain(),
                AllOf(HasSubstr("the store memory: has not answered for"), HasSubstr("kept"),
                      HasSubstr("ResumeOptions::store_timeout")))
        << call;
    EXPECT_EQ(calls_.take(), "") << call;
  }
  expect_continues("first, second");
}

TEST_F(SilentStore, EndsACallThatCommits) {
  begun_ = false;
  silence("commit");
  const Report report = run({.store_timeout = milliseconds{20}}, [&](Context&) { begun_ = true; });
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_EQ(code_of(report), Errc::store_failed);
  EXPECT_THAT(report.error()->explain(),
              AllOf(HasSubstr("has not answered for"), HasSubstr("everything that was committed")));
  expect_continues("second");
}

TEST_F(SilentStore, EndsACallWhoseCommitsAreQueued) {
  begun_ = false;
  silence("commit");
  const Report report = run({.durability = Durability::queued, .store_timeout = milliseconds{20}},
                            [&](Context&) { begun_ = true; });
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_EQ(code_of(report), Errc::store_failed);
  expect_continues("second");
}

TEST_F(SilentStore, IsNotAskedAgainAndAgainForAnAnswer) {
  begun_ = false;
  store_.fate = [&](std::string_view) { return begun_ ? Fate::silent : Fate::answered; };
  const Report report = run({.store_timeout = milliseconds{20}}, [&](Context&) { begun_ = true; });
  EXPECT_EQ(code_of(report), Errc::store_failed);
  expect_continues("second");
}

TEST_F(SilentStore, IsLeftByAStopThatComesWhileItIsRead) {
  for (const char* call : {"scan", "stamp", "lease"}) {
    silence(call);
    std::stop_source stop;
    const std::jthread user{[&] {
      store_.await_silence();
      stop.request_stop();
    }};
    const Report report = run({.stop = stop.get_token(), .store_timeout = hours{1}});
    EXPECT_EQ(report.outcome(), Outcome::interrupted) << call;
    EXPECT_THAT(report.error()->explain(), HasSubstr("the call was asked to stop")) << call;
  }
  expect_continues("first, second");
}

TEST_F(SilentStore, IsLeftAtTheEndOfTheBudgetWhileItIsRead) {
  silence("scan");
  const Report report = run({.budget = milliseconds{20}, .store_timeout = hours{1}});
  EXPECT_EQ(report.outcome(), Outcome::suspended);
  EXPECT_EQ(code_of(report), Errc::cancelled);
  expect_continues("first, second");
}

TEST_F(SilentStore, IsLeftByAStopWhileAStageReadsItsSteps) {
  const auto steps = [&](Context& ctx, bool fails) {
    const int one = ctx.step("one", [&] {
      calls_("step");
      return 1;
    });
    if (fails) throw std::runtime_error("later");
    return one;
  };
  EXPECT_EQ(run({}, [&](Context& ctx) { steps(ctx, true); }).outcome(), Outcome::failed);
  begun_ = false;
  silence("get");
  std::stop_source stop;
  const std::jthread user{[&] {
    store_.await_silence();
    stop.request_stop();
  }};
  const Report report =
      run({.stop = stop.get_token(), .store_timeout = hours{1}}, [&](Context& ctx) {
        begun_ = true;
        steps(ctx, false);
      });
  EXPECT_EQ(report.outcome(), Outcome::interrupted);
  EXPECT_EQ(report.stage("second").outcome, StageOutcome::interrupted);
  EXPECT_EQ(calls_.of("step"), 1);
  expect_continues("second");
}

TEST_F(SilentStore, MayTakeItsTimeForAValueThatIsReadyWhenAStopComes) {
  begun_ = false;
  silence("commit");
  std::stop_source stop;
  const std::jthread user{[&] {
    store_.await_silence();
    stop.request_stop();
    store_.answer();
  }};
  const Report report =
      run({.stop = stop.get_token(), .store_timeout = hours{1}}, [&](Context&) { begun_ = true; });
  EXPECT_EQ(report.stage("second").outcome, StageOutcome::ran);
  EXPECT_EQ(report.error(), nullptr);
  expect_continues("");
}

TEST_F(SilentStore, HasAsLongAsItNeedsWithoutATimeout) {
  silence("scan");
  const std::jthread user{[&] {
    store_.await_silence();
    store_.answer();
  }};
  EXPECT_EQ(run({.store_timeout = milliseconds{0}}).outcome(), Outcome::done);
}

TEST_F(SilentStore, ATimeoutIsNotNegative) {
  EXPECT_EQ(code_of([&] { static_cast<void>(run({.store_timeout = milliseconds{-1}})); }),
            Errc::bad_option);
}

TEST_F(SilentStore, ALostLeaseStopsWhatRuns) {
  const Report report = run({}, [&](Context& ctx) {
    store_.lost.request_stop();
    while (!ctx.stop_token().stop_requested()) std::this_thread::yield();
    throw Suspended{"asked to stop"};
  });
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_EQ(code_of(report), Errc::fenced);
  EXPECT_EQ(report.stage("second").outcome, StageOutcome::interrupted);
  store_.lost = {};
  expect_continues("second");
}

class UnknownOutcome : public ::testing::Test {
 protected:
  /// The commit of this number has this fate.
  Report run_with(int number, Fate fate, ResumeOptions options) {
    store_.fate = [&, number, fate, count = 0](std::string_view call) mutable {
      const bool is_it = call == "commit" && count++ == number;
      reached_ = reached_ || is_it;
      return is_it ? fate : Fate::answered;
    };
    reached_ = false;
    Pipeline pipeline{"p"};
    const auto list = pipeline.stage("list", [&] {
      calls_("list");
      return Strings{"a", "b"};
    });
    const auto item = pipeline.stage("item", inputs(each(list)), [&](const std::string& one) {
      calls_("item " + one);
      return one + one;
    });
    pipeline.stage("all", inputs(item), [&](const Strings& all) {
      calls_("all");
      return all.size();
    });
    options.run = "r" + std::to_string(runs_);
    options.observers = {&log_};
    return resume(pipeline, store_, options);
  }

  Calls calls_;
  Log log_;
  bool reached_ = false;
  int runs_ = 0;
  MemoryStore memory_;
  SlowStore store_{memory_};
};

TEST_F(UnknownOutcome, OfAnyCommitIsFoundOutInTheSameCall) {
  for (const ResumeOptions& options :
       {ResumeOptions{.create = Create::must}, ResumeOptions{.redo = {"list", "item"}}}) {
    for (const Fate fate : {Fate::lost, Fate::not_begun}) {
      reached_ = true;
      for (int number = 0; reached_; ++number) {
        ++runs_;
        if (!options.redo.empty()) {
          ASSERT_EQ(run_with(-1, fate, {}).outcome(), Outcome::done);
          reached_ = true;
        }
        calls_.take();
        log_.events.clear();
        const Report report = run_with(number, fate, options);
        ASSERT_EQ(report.outcome(), Outcome::done)
            << number << ' ' << (report.error() ? report.error()->explain() : "");
        int again = 0;
        for (const char* name : {"list", "item a", "item b", "all"}) {
          again += std::max(0, calls_.of(name) - 1);
        }
        // What was not committed has to be made again, and nothing else.
        EXPECT_LE(again, fate == Fate::lost ? 0 : 1) << number;
        EXPECT_EQ(log_.lines(EventKind::run_started).size(), 1U) << number;
        EXPECT_EQ(log_.lines(EventKind::run_finished).size(), 1U) << number;
        EXPECT_EQ(report.stage("list").outcome, StageOutcome::ran) << number;
        EXPECT_EQ(report.stage("item").items_run, 2U) << number;
      }
    }
  }
}

TEST_F(UnknownOutcome, IsReportedWhenItHappensAgain) {
  MemoryStore memory;
  SlowStore store{memory};
  store.fate = [](std::string_view call) {
    return call == "commit" ? Fate::not_begun : Fate::answered;
  };
  Pipeline pipeline{"p"};
  pipeline.stage("one", [] { return 1; });
  const Report report = resume(pipeline, store, {.run = "r"});
  EXPECT_EQ(report.outcome(), Outcome::failed);
  EXPECT_EQ(code_of(report), Errc::outcome_unknown);
}

}  // namespace
}  // namespace resumable::test
