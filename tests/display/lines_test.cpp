// The lines of a log, and those for people: what they count and name.
#include "display/lines.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "display/frames.hpp"

namespace resumable::display {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Frames, AFailedItemIsNotWaitedForInTheEstimate) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::planned, .counts = Counts{1}, .stages = {{"links", Action::run}}});
  tell({.kind = EventKind::items_listed, .stage = "links", .counts = Counts{.total = 10}});
  tell({.kind = EventKind::stage_started, .stage = "links"});
  pass(10s);
  item("a", {.total = 10, .done = 2, .failed = 3});
  EXPECT_NEAR(view_.left(now_).time.count(), 25, 0.01) << "5 are left, two took 10 s";
}

TEST_F(Frames, ABeatNamesFourStagesAndCountsTheOthers) {
  tell({.kind = EventKind::run_started});
  for (int i = 0; i < 4; ++i) {
    tell({.kind = EventKind::stage_started, .stage = "s" + std::to_string(i), .attempt = 1});
  }
  const auto beat = [&] { return LogLines::beat(view_, {}, now_); };
  EXPECT_THAT(beat(), HasSubstr("stage=s3"));
  EXPECT_THAT(beat(), Not(HasSubstr("more=")));
  tell({.kind = EventKind::stage_started, .stage = "s4", .attempt = 1});
  EXPECT_THAT(beat(), HasSubstr("more=1"));
}

TEST_F(Frames, ABeatForPeopleNamesFourStages) {
  tell({.kind = EventKind::run_started});
  for (int i = 0; i < 6; ++i) {
    tell({.kind = EventKind::stage_started, .stage = "s" + std::to_string(i), .attempt = 1});
  }
  const PeopleLines lines{{}, 80, true};
  EXPECT_THAT(lines.beat(view_, now_), HasSubstr("s3"));
  EXPECT_THAT(lines.beat(view_, now_), Not(HasSubstr("s4")));
}

TEST(PeopleLinesOf, KeptStagesNameUpToFourAndOfMoreTheFirstAndTheLast) {
  for (const int kept : {1, 4, 5}) {
    PeopleLines lines{{}, 80, true};
    for (int i = 0; i < kept; ++i) {
      EXPECT_EQ(lines.of({.kind = EventKind::skipped, .stage = "s" + std::to_string(i)}), "");
    }
    const std::string line = lines.of({.kind = EventKind::stage_started, .stage = "next"});
    EXPECT_THAT(line, HasSubstr(kept == 1 ? "s0" : kept == 4 ? "s0, s1, s2, s3" : "s0 to s4"));
  }
}

TEST(PeopleLinesOf, ANewPlanSaysWhyWhereNoFileIsToBlame) {
  PeopleLines lines{{}, 80, true};
  EXPECT_EQ(lines.of({.kind = EventKind::plan_revised, .file = "a.ckpt", .message = "damaged"}),
            "  the plan was revised: a.ckpt\n");
  EXPECT_EQ(lines.of({.kind = EventKind::plan_revised, .message = "replanned"}),
            "  the plan was revised: replanned\n");
}

/// What a fan-out of this many items looks like, one event after another.
std::vector<Event> fan_out_of(std::size_t total) {
  std::vector<Event> all;
  all.push_back({.kind = EventKind::items_listed, .stage = "s", .counts = Counts{.total = total}});
  for (std::size_t i = 1; i <= total; ++i) {
    const std::string key = "k" + std::to_string(i);
    all.push_back({.kind = EventKind::item_started, .stage = "s", .item = key});
    all.push_back({.kind = EventKind::committed, .stage = "s", .item = key, .step = "get"});
    all.push_back({.kind = EventKind::committed,
                   .stage = "s",
                   .item = key,
                   .counts = Counts{.total = total, .done = i}});
  }
  all.push_back({.kind = EventKind::failed, .stage = "s", .item = "bad", .message = "no"});
  all.push_back({.kind = EventKind::stage_finished,
                 .stage = "s",
                 .counts = Counts{.total = total, .done = total}});
  return all;
}

template <class Lines>
std::string written(Lines lines, std::size_t total) {
  std::string text;
  for (const Event& event : fan_out_of(total)) text += lines.of(event);
  return text;
}

// The default in cron, CI and batch jobs: 20,000 items must not be 20,000 lines.
TEST(LinesOfItems, AreWrittenOnlyInSmallFanOuts) {
  EXPECT_THAT(written(LogLines{}, 100), HasSubstr("item=k100"));
  const std::string log = written(LogLines{}, 20'000);
  EXPECT_EQ(std::ranges::count(log, '\n'), 2) << log.substr(0, 1000);
  EXPECT_THAT(log, HasSubstr("failed   stage=s item=bad"));
  EXPECT_THAT(log, HasSubstr("done     stage=s items=20000/20000"));
  EXPECT_THAT(written(PeopleLines{{}, 80, true}, 100), HasSubstr("s/k100"));
  const std::string people = written(PeopleLines{{}, 80, true}, 20'000);
  EXPECT_EQ(std::ranges::count(people, '\n'), 2) << people.substr(0, 1000);
  EXPECT_THAT(people, HasSubstr("(20000 items)"));
  EXPECT_THAT(written(LogLines{30'000}, 20'000), HasSubstr("item=k20000"));
}

TEST(LogLinesOf, ARetryAfterASecondAllowanceCountsBoth) {
  for (const auto& [attempt, shown] : {std::pair{3U, " try=3/3 "}, std::pair{4U, " try=4/6 "}}) {
    const Event retry{.kind = EventKind::retried,
                      .stage = "draft",
                      .attempt = attempt,
                      .attempts_allowed = 3,
                      .duration = 1s};
    EXPECT_THAT(LogLines{}.of(retry), HasSubstr(shown));
  }
}

TEST(PeopleLinesOf, AnItemThatBeginsIsCountedAfterThoseThatAreKept) {
  PeopleLines lines{{}, 80, true};
  static_cast<void>(lines.of({.kind = EventKind::items_listed,
                              .stage = "links",
                              .counts = Counts{.total = 20, .kept = 2}}));
  EXPECT_THAT(lines.of({.kind = EventKind::item_started, .stage = "links", .item = "a"}),
              HasSubstr("started (3 of 20)"));
}

}  // namespace
}  // namespace resumable::display
