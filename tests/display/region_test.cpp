// The rows at the bottom of a terminal: whatever else is written to it stays whole.
#include "display/region.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/screen.hpp"

namespace resumable::display {
namespace {

using test::Screen;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Lines = std::vector<std::string>;

constexpr sys::TerminalSize size{30, 8};

TEST(Region, StandsInTheLastRowsAndScrollsWhatIsAboveThem) {
  Screen screen{30, 8};
  Region region;
  screen.feed("$ program\r\n");
  screen.feed(region.show({"bar", "stage"}, size));
  for (int i = 1; i <= 9; ++i) screen.feed("line " + std::to_string(i) + "\r\n");
  EXPECT_THAT(screen.rows(),
              ElementsAre("line 5", "line 6", "line 7", "line 8", "line 9", "", "bar", "stage"));
  EXPECT_THAT(screen.unknown(), IsEmpty());
}

TEST(Region, NeedsNoRoomAtTheBottomToBegin) {
  Screen screen{30, 8};
  Region region;
  for (int i = 1; i <= 9; ++i) screen.feed("line " + std::to_string(i) + "\r\n");
  screen.feed("unfinished ");
  screen.feed(region.show({"bar", "stage"}, size));
  screen.feed("line");
  EXPECT_THAT(screen.rows(), ElementsAre("line 5", "line 6", "line 7", "line 8", "line 9",
                                         "unfinished line", "bar", "stage"));
}

TEST(Region, LeavesNothingBehind) {
  Screen screen{30, 8};
  Region region;
  screen.feed("$ program\r\n");
  screen.feed(region.show({"bar", "a", "b"}, size));
  screen.feed(region.show({"bar"}, size));
  screen.feed(region.leave());
  for (int i = 1; i <= 9; ++i) screen.feed("line " + std::to_string(i) + "\r\n");
  EXPECT_THAT(screen.rows(), ElementsAre("line 3", "line 4", "line 5", "line 6", "line 7", "line 8",
                                         "line 9", ""));
  EXPECT_EQ(screen.lines().front(), "$ program");
}

TEST(Region, InATerminalOfAnotherSizeItGivesItsRowsBackFirst) {
  Region region;
  static_cast<void>(region.show({"bar", "stage"}, size));
  EXPECT_THAT(region.show({"bar"}, size), ::testing::Not(HasSubstr(Region::give_back)));
  EXPECT_THAT(region.show({"bar"}, {40, 10}), StartsWith(std::string{Region::give_back}));
}

TEST(Region, LinesAboveItBeginInAColumnOfTheirOwn) {
  Screen screen{30, 8};
  Region region;
  screen.feed(region.show({"bar"}, size));
  screen.feed("unfinished");
  screen.feed(Region::above("warning\n", 30));
  screen.feed(Region::above("another\n", 30));
  screen.feed(region.leave());
  EXPECT_THAT(screen.lines(), ElementsAre("unfinished", "warning", "another"));
}

TEST(Region, FollowsATerminalThatIsResized) {
  for (const sys::TerminalSize other : {sys::TerminalSize{50, 12}, {20, 6}}) {
    Screen screen{30, 8};
    Region region;
    screen.feed("one\r\n" + region.show({"bar", "stage"}, size));
    screen.resize(other.columns, other.rows);
    screen.feed(region.show({"bar", "stage"}, other));
    screen.feed("two\r\n");
    EXPECT_EQ(screen.rows()[other.rows - 1], "stage");
    screen.feed(region.leave());
    EXPECT_THAT(screen.lines(), ElementsAre("one", "two"));
  }
}

/// Whole lines and pieces of lines, blocks of any height between them.
RC_GTEST_PROP(Region, NothingThatIsWrittenIsLostOrMixedWithTheBlock, ()) {
  Screen with{30, 8};
  Screen without{30, 8};
  Region region;
  const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 12), rc::gen::inRange(0, 5)));
  int number = 0;
  for (const auto& [burst, height] : steps) {
    if (height > 0) {
      Lines block;
      for (int i = 0; i < height; ++i) block.push_back("block " + std::to_string(number));
      with.feed(region.show(block, size));
    }
    for (int i = 0; i < burst; ++i) {
      // Every third is not ended; some are wider than the terminal.
      ++number;
      const std::string text = std::to_string(number) +
                               std::string(static_cast<std::size_t>(number * 7 % 40), 'x') +
                               (number % 3 == 0 ? " " : "\r\n");
      with.feed(text);
      without.feed(text);
    }
  }
  with.feed(region.leave());
  RC_ASSERT(with.lines() == without.lines());
  RC_ASSERT(with.unknown().empty());
}

}  // namespace
}  // namespace resumable::display
