// ProgressDisplay as an observer: how often it writes, and what it does when it cannot.
#include <atomic>
#include <future>
#include <sstream>
#include <streambuf>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/environment.hpp"
#include "resumable/resumable.hpp"
#include "support/manual_clock.hpp"
#include "support/screen.hpp"

namespace resumable {
namespace {

using namespace std::chrono_literals;
using test::ManualClock;
using test::Screen;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// Counts writes and keeps what was written, or fails at each.
class Sink final : public std::streambuf {
 public:
  explicit Sink(bool fails = false) : fails_(fails) {}
  std::atomic<int> writes{0};
  [[nodiscard]] std::string text() const {
    const std::scoped_lock lock{guard_};
    return text_;
  }
  void await(std::string_view what) const {
    while (text().find(what) == std::string::npos) std::this_thread::yield();
  }

 private:
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    ++writes;
    if (fails_) return 0;
    const std::scoped_lock lock{guard_};
    text_.append(bytes, static_cast<std::size_t>(size));
    return size;
  }
  int_type overflow(int_type c) override { return fails_ ? traits_type::eof() : c; }

  bool fails_;
  mutable std::mutex guard_;
  std::string text_;
};

struct Display {
  explicit Display(ProgressStyle style, bool fails = false)
      : sink(fails),
        display({.style = style,
                 .stream = &out,
                 .color = false,
                 .columns = 80,
                 .rows = 24,
                 .clock = &clock}) {}
  Report run(const Pipeline& pipeline) {
    record::TestEnvironment environment{{.clock = &clock}};
    return resume(pipeline, store, {.run = "r1", .observers = {&display}});
  }
  /// Lets time pass until the block says `what`: its first picture may have come before the stage.
  void draw_until(std::string_view what) {
    while (sink.text().find(what) == std::string::npos) {
      clock.await_waiter();
      clock.advance(100ms);
    }
  }
  ManualClock clock;
  MemoryStore store;
  Sink sink;
  std::ostream out{&sink};
  ProgressDisplay display;
};

TEST(ProgressDisplay, AFanOutOfTenThousandItemsIsDrawnAtMostTenTimesASecond) {
  Display shown{ProgressStyle::block};
  Pipeline pipeline{"many"};
  std::vector<int> numbers(10'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto list = pipeline.input("numbers", numbers);
  pipeline.stage("squares", inputs(each(list)), [&](int number) {
    shown.clock.advance(1ms);
    return number * number;
  });
  ASSERT_TRUE(shown.run(pipeline));
  // Ten seconds have passed on the clock: 100 blocks at most, the first and the last line.
  EXPECT_LE(shown.sink.writes, 102);
  EXPECT_THAT(shown.sink.text(), HasSubstr("many r1: done   1/1"));
}

TEST(ProgressDisplay, ABlockIsNotWrittenWhileNothingChangesInIt) {
  Display shown{ProgressStyle::block};
  Pipeline pipeline{"p"};
  pipeline.stage("slow", [&] {
    shown.draw_until("running for 0 s");
    const int before = shown.sink.writes;
    for (int i = 0; i < 4; ++i) {  // within the same second
      shown.clock.await_waiter();
      shown.clock.advance(100ms);
    }
    shown.clock.await_waiter();
    EXPECT_EQ(shown.sink.writes, before);
    return 1;
  });
  ASSERT_TRUE(shown.run(pipeline));
}

TEST(ProgressDisplay, ALongStageCountsUpWithoutAnEvent) {
  for (const auto style : {ProgressStyle::block, ProgressStyle::lines, ProgressStyle::log}) {
    Display shown{style};
    Pipeline pipeline{"p"};
    pipeline.stage("slow", [&] {
      if (style == ProgressStyle::block) shown.draw_until("running for 0 s");
      for (int i = 0; i < 4; ++i) {
        shown.clock.await_waiter();
        shown.clock.advance(30s);
      }
      shown.sink.await(style == ProgressStyle::log ? "for=120s" : "running for 2m 00 s");
      return 1;
    });
    ASSERT_TRUE(shown.run(pipeline));
  }
}

TEST(ProgressDisplay, ALogHasALinePerEventAndABeat) {
  Display shown{ProgressStyle::log};
  Pipeline pipeline{"p"};
  const auto list = pipeline.input("list", std::vector<std::string>{"a", "b"});
  pipeline.stage("pages", inputs(each(list)), [&](const std::string& name) {
    if (name == "b") {
      shown.clock.await_waiter();
      shown.clock.advance(30s);
      shown.sink.await(" beat ");
    }
    return name;
  });
  ASSERT_TRUE(shown.run(pipeline));
  const std::string text = shown.sink.text();
  EXPECT_THAT(text, HasSubstr("2026-11-21T20:31:07Z start    run=r1 pipeline=p message=new\n"));
  EXPECT_THAT(text, ContainsRegex(
                        "20:31:07Z done     stage=pages item=a items=1/2 dur=0.000s bytes=[0-9]+"));
  EXPECT_THAT(
      text,
      HasSubstr("20:31:37Z beat     stages=0/1 dur=30s stage=pages items=1/2 running=1 for=30s\n"));
  EXPECT_THAT(text, ContainsRegex("20:31:37Z end     .* ?code=done\n"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(ProgressDisplay, AStreamThatFailsIsNotWrittenToAgain) {
  for (const auto style : {ProgressStyle::block, ProgressStyle::lines, ProgressStyle::log}) {
    Display shown{style, true};
    Pipeline pipeline{"p"};
    const auto list = pipeline.input("list", std::vector<int>{1, 2, 3});
    pipeline.stage("pages", inputs(each(list)), [&](int number) {
      shown.clock.advance(30s);
      return number;
    });
    const Report report = shown.run(pipeline);
    EXPECT_TRUE(report);
    EXPECT_TRUE(report.warnings().empty()) << "it stays attached";
    EXPECT_EQ(shown.sink.writes, 1);
  }
}

TEST(ProgressDisplay, AStreamThatThrowsIsNotWrittenToAgain) {
  Display shown{ProgressStyle::log, true};
  shown.out.exceptions(std::ios::badbit);
  Pipeline pipeline{"p"};
  pipeline.stage("s", [] { return 1; });
  const Report report = shown.run(pipeline);
  EXPECT_TRUE(report.warnings().empty());
  EXPECT_EQ(shown.sink.writes, 1);
}

TEST(ProgressDisplay, LeavesWhatIsOverAboveAndOneLineAtTheEnd) {
  Display shown{ProgressStyle::block};
  Pipeline pipeline{"p"};
  const auto list = pipeline.stage("list", [&] {
    shown.draw_until("running for");
    return std::vector<int>{1, 2};
  });
  pipeline.stage("pages", inputs(each(list)), [&](int number) {
    if (number == 2) shown.display.print("a line of the host");
    return number;
  });
  ASSERT_TRUE(shown.run(pipeline));
  Screen screen{80, 24};
  for (const char c : shown.sink.text()) screen.feed(c == '\n' ? "\r\n" : std::string(1, c));
  const std::string text = screen.text();
  EXPECT_THAT(text, ContainsRegex("p · r1\n(.*\n)*  ✓ list +[0-9]+ ms\n"));
  EXPECT_THAT(text, HasSubstr("a line of the host\n"));
  EXPECT_THAT(text, ContainsRegex("  ✓ pages +0 ms  .2 items.\n✓ p r1: done   2/2   [0-9]+ ms\n$"));
}

TEST(ProgressDisplay, WatchesOneRunAfterTheOther) {
  Display shown{ProgressStyle::block};
  Pipeline pipeline{"p"};
  pipeline.stage("s", [] { return 1; });
  ASSERT_TRUE(shown.run(pipeline));
  ASSERT_TRUE(shown.run(pipeline));
  EXPECT_THAT(shown.sink.text(), ContainsRegex("1/1   0 ms(.|\r|\n)*s +kept(.|\r|\n)*1/1   0 ms"));
}

}  // namespace
}  // namespace resumable
