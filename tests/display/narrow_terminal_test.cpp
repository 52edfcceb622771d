// What a frame shows when there is little space, or little left to do.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/width.hpp"
#include "display/frames.hpp"

namespace resumable::display {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Frames, AFanOutWithoutItemsIsNoPartOfTheBar) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::planned, .counts = Counts{2}, .stages = {{"links", Action::run}}});
  tell({.kind = EventKind::items_listed, .stage = "links", .counts = Counts{}});
  tell({.kind = EventKind::stage_started, .stage = "links"});
  EXPECT_THAT(shown({.style = {.ascii = true}, .columns = 80})[0], HasSubstr("[------"));
}

TEST_F(Frames, TheLastSecondsAreEstimatedToo) {
  tell({.kind = EventKind::run_started});
  tell({.kind = EventKind::planned, .counts = Counts{1}, .stages = {{"a", {}, Seconds{3}}}});
  EXPECT_THAT(shown()[0], HasSubstr("about 3 s left"));
  tell({.kind = EventKind::stage_started, .stage = "a", .attempt = 1});
  pass(2500ms);
  EXPECT_THAT(shown()[0], Not(HasSubstr("left")));
}

TEST_F(Frames, ABarOfLessThanTenColumnsIsLeftOut) {
  in_the_middle();
  std::size_t shortest = 1000;
  for (std::size_t columns = 30; columns <= 120; ++columns) {
    const std::string line = shown({.style = {.ascii = true}, .columns = columns})[0];
    const std::size_t begin = line.find('[');
    if (begin == line.npos) continue;
    shortest = std::min(shortest, line.find(']') + 1 - begin);
  }
  EXPECT_EQ(shortest, 8U) << "two more are the space before it";
}

TEST_F(Frames, WhatRunsIsMoreImportantThanWhenItWasSaved) {
  in_the_middle();
  for (const std::size_t columns : {std::size_t{35}, std::size_t{60}}) {
    const std::string line = shown({.columns = columns})[1];
    EXPECT_EQ(line.find("saved") != line.npos, columns == 60) << line;
    EXPECT_THAT(line, HasSubstr("28/40"));
  }
}

TEST_F(Frames, WhatIsToComeFillsItsLine) {
  tell({.kind = EventKind::run_started});
  Event planned{.kind = EventKind::planned, .counts = Counts{20}};
  for (int i = 0; i < 20; ++i) planned.stages.push_back({"stage-" + std::to_string(i), {}});
  tell(planned);
  const std::string line = shown({.columns = 80})[1];
  EXPECT_EQ(core::width(line), 80U) << line;
  EXPECT_THAT(line, HasSubstr("20 to go  stage-0, stage-1"));
  EXPECT_THAT(line, EndsWith("…"));
}

TEST_F(Frames, OfItemsThatWaitTheFirstToGoOnIsNamedInWholeSeconds) {
  in_the_middle();
  for (const auto& [key, wait, why] :
       {std::tuple{"risk", 20s, "late"}, std::tuple{"team", 3s, "soon"}}) {
    tell({.kind = EventKind::retried,
          .stage = "links",
          .item = key,
          .attempt = 1,
          .attempts_allowed = 4,
          .duration = wait,
          .message = why});
  }
  EXPECT_THAT(shown({.columns = 110})[1], HasSubstr("3 wait 3 s (soon, try 1 of 4)"));
  pass(500ms);
  EXPECT_THAT(shown({.columns = 110})[1], HasSubstr("3 wait 3 s (soon"));
}

TEST_F(Frames, OfTwoRowsTheSecondSaysWhatRuns) {
  in_the_middle();
  const auto lines = shown({.columns = 110, .rows = 2, .ctrl_c = true});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[1], HasSubstr("links"));
}

}  // namespace
}  // namespace resumable::display
