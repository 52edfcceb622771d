// The block: what it says of a run, in any width, with and without colours.
#include "display/frame.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/width.hpp"
#include "display/frames.hpp"
#include "display/lines.hpp"

namespace resumable::display {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Frames, SayWhatRunsSinceWhenWhatWaitsAndWhatIsToCome) {
  in_the_middle();
  EXPECT_THAT(
      shown({.columns = 110, .ctrl_c = true}),
      ElementsAre("memo Cloudgov-v0.0.3  ━━━━━━━━━━━━━━━━━━━╸────────────  3/6   4m 26 s, about 2m "
                  "left   $0.67",
                  "  ● links         28/40   2 running, risk for 1m 06 s, 1 waits 8 s (HTTP 429, "
                  "try 2 of 4)    "
                  "saved 2 s ago",
                  "  ○ 2 to go  cite, finalize", "Ctrl-C once: save and leave · twice: stop now"));
}

TEST_F(Frames, CountTheWaitForTheNextTryDown) {
  in_the_middle();
  pass(3s);
  EXPECT_THAT(shown({.columns = 110})[1], HasSubstr("1 waits 5 s"));
  tell({.kind = EventKind::item_started, .stage = "links", .item = "market", .attempt = 3});
  EXPECT_THAT(shown({.columns = 110})[1], HasSubstr("3 running, market for 1m 09 s "));
}

TEST_F(Frames, ARetryAfterASecondAllowanceCountsBoth) {
  in_the_middle();
  for (const auto& [attempt, says] : {std::pair{4U, "try 4 of 4)"}, std::pair{5U, "try 5 of 8)"}}) {
    tell({.kind = EventKind::retried,
          .stage = "links",
          .item = "team",
          .attempt = attempt,
          .attempts_allowed = 4,
          .duration = 1s,
          .message = "late"});
    EXPECT_THAT(shown({.columns = 110})[1], HasSubstr(says));
  }
}

TEST_F(Frames, ALongStageCountsUpBesideTheTimeThatItTookLast) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::planned, .counts = Counts{1}, .stages = {{"draft", {}, Seconds{280}}}});
  tell({.kind = EventKind::stage_started, .stage = "draft", .attempt = 1});
  pass(120s);
  const auto first = shown();
  EXPECT_THAT(first[1], HasSubstr("running for 2m 00 s (last time 4m 40 s)"));
  EXPECT_THAT(first[0], HasSubstr("2m 00 s, about 3m left"));
  pass(1s);
  EXPECT_THAT(shown()[1], HasSubstr("running for 2m 01 s"));
  tell({.kind = EventKind::step_started, .stage = "draft", .step = "outline"});
  EXPECT_THAT(shown()[1], HasSubstr("in outline"));
}

TEST_F(Frames, AnEstimateThatLeavesStagesOutSaysMoreThan) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::planned,
        .counts = Counts{2},
        .stages = {{"a", {}, Seconds{60}}, {"b", Action::run}}});
  EXPECT_THAT(shown()[0], HasSubstr("more than 1m left"));
}

TEST_F(Frames, NoLineIsWiderThanTheTerminalAndNoneIsLostToo) {
  in_the_middle();
  for (std::size_t columns = 24; columns <= 160; ++columns) {
    for (std::size_t rows = 1; rows <= 9; ++rows) {
      for (const bool color : {false, true}) {
        const auto lines = shown({{color, false}, columns, rows, true});
        EXPECT_LE(lines.size(), rows);
        for (const std::string& line : lines) EXPECT_LE(core::width(line), columns) << line;
        EXPECT_THAT(lines[0], HasSubstr("3/6")) << columns;
      }
    }
  }
}

TEST_F(Frames, SixtyColumnsKeepTheNumbers) {
  in_the_middle();
  const auto lines = shown({.columns = 60, .ctrl_c = true});
  EXPECT_EQ(lines[0], "memo Cloudgov-v0.0.3  3/6   4m 26 s, about 2m left   $0.67");
  EXPECT_EQ(lines[1], "  ● links         28/40   2 running, risk fo…  saved 2 s ago");
}

TEST_F(Frames, AsciiHasNothingElse) {
  in_the_middle();
  for (const std::string& line : shown({{false, true}, 110, 8, true})) {
    EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) << line;
  }
  EXPECT_THAT(shown({{false, true}, 110})[0], HasSubstr("[##################------------]"));
}

TEST_F(Frames, ColoursOnlyWhereTheyAreAskedFor) {
  in_the_middle();
  for (const std::string& line : shown()) EXPECT_THAT(line, Not(HasSubstr("\x1b")));
  EXPECT_THAT(shown({{true, false}})[0], HasSubstr("\x1b[1mmemo"));
}

TEST_F(Frames, ARequestToStopReplacesTheHint) {
  in_the_middle();
  EXPECT_THAT(shown({.ctrl_c = true, .stopping = true}).back(), HasSubstr("stopping: "));
}

TEST_F(Frames, ManyStagesAtATimeAreCounted) {
  tell({.kind = EventKind::run_started});
  for (int i = 0; i < 30; ++i) {
    tell({.kind = EventKind::stage_started, .stage = "s" + std::to_string(i), .attempt = 1});
  }
  const auto lines = shown({.rows = 5});
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[4], "  ● 27 more running");
}

TEST_F(Frames, ConditionsAreNotCounted) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::planned, .counts = Counts{1}, .stages = {{"a", Action::run}}});
  tell({.kind = EventKind::stage_started, .stage = "is_long", .attempt = 1});
  tell({.kind = EventKind::committed, .stage = "is_long"});
  tell({.kind = EventKind::stage_finished, .stage = "is_long"});
  EXPECT_THAT(shown()[0], HasSubstr("0/1"));
}

TEST_F(Frames, AFanOutWithAFailureShowsItWhileTheOthersRun) {
  in_the_middle();
  tell({.kind = EventKind::failed,
        .stage = "links",
        .item = "risk",
        .counts = Counts{40, 12, 28, 28, 1},
        .message = "no"});
  EXPECT_THAT(shown({.columns = 110})[1], HasSubstr("28/40, 1 failed"));
}

TEST_F(Frames, SavedProgressIsASaveToo) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::stage_started, .stage = "draft", .attempt = 1});
  pass(10s);
  EXPECT_THAT(shown({.columns = 110})[1], Not(HasSubstr("saved")));
  tell({.kind = EventKind::progress_saved, .stage = "draft"});
  pass(3s);
  EXPECT_THAT(shown({.columns = 110})[1], HasSubstr("saved 3 s ago"));
}

TEST_F(Frames, TheEstimateOfAFanOutCountsWhatThisCallHasDone) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::planned, .counts = Counts{1}, .stages = {{"links", Action::run}}});
  tell({.kind = EventKind::items_listed, .stage = "links", .counts = Counts{40, 12, 28, 12}});
  tell({.kind = EventKind::stage_started, .stage = "links"});
  pass(10s);
  item("a", {40, 12, 28, 13});
  EXPECT_NEAR(view_.left(now_).time.count(), 270, 0.01) << "27 are left, one took 10 s";
}

TEST_F(Frames, OfItemsThatRunTheOldestIsNamed) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::items_listed, .stage = "links", .counts = Counts{3}});
  tell({.kind = EventKind::item_started, .stage = "links", .item = "b", .attempt = 1});
  pass(10s);
  for (const char* key : {"a", "c"}) {
    tell({.kind = EventKind::item_started, .stage = "links", .item = key, .attempt = 1});
  }
  pass(5s);
  EXPECT_THAT(shown({.columns = 110})[1], HasSubstr("3 running, b for 15 s"));
  EXPECT_THAT(shown({.columns = 150, .ctrl_c = true}).back(), HasSubstr("3 calls are done again"));
}

TEST_F(Frames, AKeptItemIsNoKeptStage) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::planned, .counts = Counts{1}, .stages = {{"links", Action::run}}});
  tell({.kind = EventKind::skipped, .stage = "links", .item = "a"});
  EXPECT_THAT(shown()[0], HasSubstr("0/1"));
  tell({.kind = EventKind::skipped, .stage = "links"});
  EXPECT_THAT(shown()[0], HasSubstr("1/1"));
}

TEST_F(Frames, ARefusedRunEndsWithTheMarkOfAFailure) {
  tell({.kind = EventKind::run_started});
  for (const char* outcome : {"failed", "refused"}) {
    EXPECT_THAT(last_line(view_, outcome, now_, {.color = false, .ascii = true}),
                ::testing::StartsWith(std::string{symbol({.ascii = true}, Mark::failed)}));
  }
}

TEST(Lines, SayOfAnItemThatItIsKeptAndOfAStepNothing) {
  PeopleLines lines{{}, 80, true};
  EXPECT_EQ(lines.of({.kind = EventKind::skipped, .stage = "draft", .step = "web"}), "");
  EXPECT_THAT(lines.of({.kind = EventKind::skipped, .stage = "links", .item = "a"}),
              HasSubstr("links/a"));
}

TEST_F(Frames, ControlCharactersInNamesAreShown) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::items_listed, .stage = "links", .counts = Counts{1}});
  tell({.kind = EventKind::item_started, .stage = "links", .item = "a\x1b[31m\nb", .attempt = 1});
  for (const std::string& line : shown()) {
    EXPECT_THAT(line, Not(HasSubstr("\x1b")));
    EXPECT_THAT(line, Not(HasSubstr("\n")));
  }
}

}  // namespace
}  // namespace resumable::display
