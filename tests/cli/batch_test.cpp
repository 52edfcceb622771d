// Programs in batch jobs: how much of the job is left, exit codes of stopped calls, liveness.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "resumable/cli.hpp"
#include "resumable/resumable.hpp"
#include "run/job.hpp"

namespace resumable::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

constexpr const char* own_end = "RESUMABLE_JOB_END";
constexpr const char* slurm_end = "SLURM_JOB_END_TIME";

/// A program whose first stage is whatever a test makes of it; a second one follows.
class Batch : public ::testing::Test {
 protected:
  Batch() {
    ::unsetenv(own_end);
    ::unsetenv(slurm_end);
  }
  ~Batch() override {
    ::unsetenv(own_end);
    ::unsetenv(slurm_end);
  }

  /// In so many seconds.
  static void job_ends(const char* name, std::int64_t in) {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    ::setenv(name, std::to_string((now.time_since_epoch().count()) + in).c_str(), 1);
  }

  int call(Words words) {
    Pipeline pipeline{"batch"};
    const auto first = pipeline.stage("first", [this](Context& context) { return body(context); });
    pipeline.stage("second", inputs(first), [](const int& one) { return one; });
    out.str("");
    err.str("");
    Console console{out, err};
    ResumeOptions options{.run = "r", .stop = stop.get_token(), .reserve = reserve};
    OutputOptions output;
    words.insert(words.begin(), "batch");
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    CLI::App app{"", "batch"};
    add_program_flags(app, console);
    auto* resume = app.add_subcommand("resume");
    add_resume_flags(*resume, options, output);
    add_status_flags(*app.add_subcommand("status"), output);
    return run(app, static_cast<int>(argv.size()), argv.data(), console, [&] {
      return *resume ? cli::resume(console, pipeline, store, options, output)
                     : cli::status(console, pipeline, store, "r", output);
    });
  }

  static int until_stopped(Context& context) {
    std::mutex guard;
    std::unique_lock lock{guard};
    std::condition_variable_any{}.wait(lock, context.stop_token(), [] { return false; });
    return 1;
  }

  MemoryStore store;
  std::function<int(Context&)> body = [](Context&) { return 1; };
  std::stop_source stop;
  std::chrono::milliseconds reserve{0};
  std::ostringstream out;
  std::ostringstream err;
};

TEST_F(Batch, TheTimeLeftIsThatUntilTheEndThatTheEnvironmentNames) {
  EXPECT_EQ(job_time_left(), std::nullopt);
  job_ends(slurm_end, 3600);
  EXPECT_LE(job_time_left(), 1h);
  EXPECT_GT(job_time_left(), 50min);
  job_ends(own_end, 7200);
  EXPECT_GT(job_time_left(), 1h) << "what the script says counts first";
  job_ends(own_end, -5);
  EXPECT_EQ(job_time_left(), 0ms);
}

TEST_F(Batch, WhatIsNoTimeIsNoEnd) {
  const sys::WallTime now{std::chrono::seconds{1'000'000}};
  for (const char* end : {"", " ", "soon", "1000100 ", "+1000100", "-1", "1e9", "1000100.5"}) {
    EXPECT_EQ(run::time_until(end, now), std::nullopt) << end;
  }
  EXPECT_EQ(run::time_until("1000100", now), 100s);
  EXPECT_EQ(run::time_until("1000000", now + 1ns), 0ms) << "never more than there is";
  EXPECT_GT(run::time_until("99999999999999999999999999", now), 24h * 365);
  ::setenv(own_end, "soon", 1);
  job_ends(slurm_end, 3600);
  EXPECT_EQ(job_time_left(), std::nullopt) << "the script meant something";
}

RC_GTEST_PROP(BatchEnds, AreReadAsTheyAreOrNotAtAll, (const std::string& text)) {
  const auto left = run::time_until(text, sys::WallTime{});
  RC_ASSERT(!left || *left >= 0ms);
  const auto number = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000);
  RC_ASSERT(run::time_until(std::to_string(number), sys::WallTime{}) ==
            std::chrono::seconds{number});
}

TEST_F(Batch, TheBudgetIsWhatIsLeftOfTheJob) {
  job_ends(slurm_end, 3600);
  std::chrono::milliseconds left{};
  body = [&](Context& context) {
    left = context.remaining();
    return 1;
  };
  EXPECT_EQ(call({"resume", "--budget", "job"}), 0) << err.str();
  EXPECT_LE(left, 1h - 10s) << "the default reserve";
  EXPECT_GT(left, 50min);
  EXPECT_EQ(call({"resume", "--budget", "job", "--fresh", "--reserve", "30m"}), 0) << err.str();
  EXPECT_LE(left, 30min);
  reserve = 40min;
  EXPECT_EQ(call({"resume", "--fresh", "--budget", "job"}), 0) << err.str();
  EXPECT_LE(left, 20min) << "the program's reserve";
  EXPECT_EQ(call({"resume", "--fresh", "--budget", "job", "--budget", "2h"}), 2) << "given twice";
}

TEST_F(Batch, AJobThatIsNearlyOverIsSuspendedNotRefused) {
  body = until_stopped;
  for (const int seconds : {-100, 0, 5}) {
    job_ends(slurm_end, seconds);
    EXPECT_EQ(call({"resume", "--fresh", "--budget", "job"}), 75) << err.str();
    EXPECT_EQ(call({"resume", "--fresh", "--budget", "job", "--reserve", "1h"}), 75) << err.str();
  }
}

TEST_F(Batch, ABudgetOfNoJobIsRefusedWithTheWayOn) {
  EXPECT_EQ(call({"resume", "--budget", "job"}), 2);
  EXPECT_THAT(err.str(), HasSubstr(own_end));
  EXPECT_EQ(call({"resume", "--budget", "jobs"}), 2);
  EXPECT_EQ(call({"resume", "--wait", "job"}), 2);
}

TEST_F(Batch, EveryStoppedCallEndsWithTheCodeThatWasAskedFor) {
  const Words resume{"resume", "--exit-when-stopped", "85"};
  body = [&](Context&) {
    stop.request_stop();
    return 1;
  };
  EXPECT_EQ(call(resume), 85) << "by the program";
  stop = {};
  job_ends(own_end, 0);
  body = until_stopped;
  const Words in_job{"resume", "--fresh", "--budget", "job", "--exit-when-stopped", "85"};
  EXPECT_EQ(call(in_job), 85) << "by a budget";
  EXPECT_EQ(call({"resume", "--fresh", "--budget", "job"}), 75);
  body = [](Context&) { return 1; };
  EXPECT_EQ(call(resume), 0) << "not stopped";
}

TEST_F(Batch, WhatTheNextCallWouldNotContinueKeepsItsCode) {
  const Words resume{"resume", "--fresh", "--exit-when-stopped", "85"};
  body = [](Context&) -> int { throw std::runtime_error("broken"); };
  EXPECT_EQ(call(resume), 1);
  body = [](Context& context) {
    context.require_approval("look at it");
    return 1;
  };
  EXPECT_EQ(call(resume), 75) << "it waits for a person";
  const auto lease = store.lease("r");
  EXPECT_EQ(call(resume), 4);
}

TEST_F(Batch, ARunOfWhichTheTimeIsUsedUpIsNotQueuedForEver) {
  body = until_stopped;
  EXPECT_EQ(call({"resume", "--run-budget", "50ms", "--exit-when-stopped", "85"}), 75) << err.str();
}

TEST_F(Batch, OnlyACodeWithoutAMeaningCanBeAskedFor) {
  for (const char* code : {"0", "4", "256", "-1", "soon"}) {
    EXPECT_EQ(call({"resume", "--exit-when-stopped", code}), 2) << code;
  }
}

TEST_F(Batch, AliveIsARunThatAProcessOwns) {
  EXPECT_EQ(call({"status", "--alive"}), 1) << "there is no run";
  int during = -1;
  body = [&](Context&) {
    Console console{out, err};
    during = cli::status(console, Pipeline{"batch"}, store, "r", {.alive = true});
    return 1;
  };
  EXPECT_EQ(call({"resume"}), 0);
  EXPECT_EQ(during, 0);
  EXPECT_EQ(call({"status", "--alive"}), 1) << "done";
  EXPECT_THAT(out.str() + err.str(), IsEmpty());
}

}  // namespace
}  // namespace resumable::cli
