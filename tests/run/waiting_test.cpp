// A stage that waits for a person to approve.
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;

struct Approval {
  explicit Approval(int value, bool swallow = false) {
    const auto score = pipeline.input("score", value);
    const auto review =
        pipeline.stage("review", inputs(score), [this, swallow](Context& ctx, int s) {
          calls("review");
          try {
            ctx.require_approval("score " + std::to_string(s) + ": type `approve`");
          } catch (...) {
            if (!swallow) throw;
          }
          return s;
        });
    pipeline.stage("publish", inputs(review), [this](int s) {
      calls("publish");
      return s;
    });
  }
  Report run(CheckpointStore& store) { return resume(pipeline, store, {.run = "r"}); }
  Calls calls;
  Pipeline pipeline{"memo"};
};

TEST(Waiting, EndsTheRunUntilAPersonApproves) {
  MemoryStore store;
  Approval memo{5};
  Log log;
  const Report report = resume(memo.pipeline, store, {.run = "r", .observers = {&log}});
  EXPECT_EQ(report.exit_code(), 75);
  EXPECT_EQ(outline(report), "review waiting, publish not_started");
  EXPECT_EQ(report.stage("review").message, "score 5: type `approve`");
  EXPECT_EQ(report.error(), nullptr);
  EXPECT_EQ(log.first(EventKind::waiting)->message, "score 5: type `approve`");
  memo.calls.take();

  const Plan plan = ResumePlanner{store}.plan(memo.pipeline, {.run = "r"});
  EXPECT_EQ(plan["review"].action, Action::wait);
  EXPECT_THAT(plan.text(), HasSubstr("score 5: type `approve`"));
  const Report still = memo.run(store);
  EXPECT_EQ(still.exit_code(), 75);
  EXPECT_EQ(still.stage("review").message, "score 5: type `approve`");
  EXPECT_EQ(memo.calls.take(), "") << "asked once with these inputs is asked";

  EXPECT_EQ(approve(memo.pipeline, store, "r", "review", "anna"), "score 5: type `approve`");
  EXPECT_TRUE(memo.run(store));
  EXPECT_EQ(memo.calls.take(), "publish, review");
  EXPECT_TRUE(memo.run(store));
  EXPECT_EQ(memo.calls.take(), "");
}

TEST(Waiting, AnApprovalIsBoundToTheInputs) {
  MemoryStore store;
  Approval first{5};
  EXPECT_EQ(first.run(store).exit_code(), 75);
  approve(first.pipeline, store, "r", "review", "anna");
  Approval other{6};
  const Report report = other.run(store);
  EXPECT_EQ(report.exit_code(), 75);
  EXPECT_EQ(report.stage("review").message, "score 6: type `approve`");
  EXPECT_EQ(other.calls.take(), "review");
}

TEST(Waiting, WhatAFunctionGivesAfterItSwallowedTheRequestDoesNotCount) {
  MemoryStore store;
  Approval memo{5, true};
  const Report report = memo.run(store);
  EXPECT_EQ(report.exit_code(), 75);
  EXPECT_EQ(outline(report), "review waiting, publish not_started");
}

TEST(Waiting, OnlyWhatWaitsCanBeApproved) {
  MemoryStore store;
  Approval memo{5};
  const auto refused = [&](std::string_view run, std::string_view stage) {
    return code_of([&] { approve(memo.pipeline, store, run, stage, "anna"); });
  };
  EXPECT_EQ(refused("r", "review"), Errc::unknown_run);
  EXPECT_EQ(memo.run(store).exit_code(), 75);
  EXPECT_EQ(refused("other", "review"), Errc::unknown_run);
  EXPECT_EQ(refused("r", "publish"), Errc::unknown_stage);
  EXPECT_EQ(refused("r", "reviev"), Errc::unknown_stage);
  EXPECT_EQ(refused("r", "review"), std::nullopt);
  EXPECT_EQ(refused("r", "review"), Errc::unknown_stage) << "it is approved";
}

TEST(Waiting, OfItemsHoldsUpNoOtherItem) {
  for (const unsigned concurrency : {1U, 4U}) {
    MemoryStore store;
    Calls calls;
    Pipeline memo{"memo"};
    const auto names = memo.input("names", Strings{"a", "b", "c"});
    const auto pages =
        memo.stage("pages", inputs(each(names)), [&](Context& ctx, const std::string& n) {
          calls(n);
          if (n != "b") ctx.require_approval("look at " + n);
          return n;
        });
    memo.stage("end", inputs(pages), [&](const Strings&) {
      calls("end");
      return 1;
    });
    const ResumeOptions how{.run = "r", .concurrency = concurrency};
    const Report report = resume(memo, store, how);
    EXPECT_EQ(report.exit_code(), 75);
    EXPECT_EQ(outline(report), "pages waiting, end not_started");
    EXPECT_EQ(calls.take(), "a, b, c");
    EXPECT_EQ(report.stage("pages").items_run, 1U);
    approve(memo, store, "r", "pages/a", "anna");
    const Report second = resume(memo, store, how);
    EXPECT_EQ(second.exit_code(), 75) << outline(second);
    EXPECT_EQ(second.stage("pages").message, "look at c");
    EXPECT_EQ(calls.take(), "a");
    EXPECT_EQ(resume(memo, store, how).exit_code(), 75);
    EXPECT_EQ(calls.take(), "");
    approve(memo, store, "r", "pages/c", "anna");
    EXPECT_TRUE(resume(memo, store, how));
    EXPECT_EQ(calls.take(), "c, end");
  }
}

}  // namespace
}  // namespace resumable::test
