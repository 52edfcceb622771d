// A program on a pseudo-terminal: what a person sees, while it runs and after it.
#include "support/terminal.hpp"

#include <csignal>
#include <cstdio>
#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "resumable/resumable.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"

namespace resumable {
namespace {

using namespace std::chrono_literals;
using test::Screen;
using test::Signpost;
using test::Terminal;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// Waits for a key from the test.
void await_key() {
  char key = 0;
  static_cast<void>(!::read(STDIN_FILENO, &key, 1));
}

/// Attached in one line, as the header says.
int show(const Pipeline& pipeline, ProgressDisplayOptions options = {}) {
  MemoryStore store;
  ProgressDisplay display{options};
  return resume(pipeline, store, {.run = "r1", .stop = options.stop, .observers = {&display}})
      .exit_code();
}

Pipeline one_stage(std::function<int()> body) {
  Pipeline pipeline{"p"};
  pipeline.stage("work", [body = std::move(body)] { return body(); });
  return pipeline;
}

bool has_block(const Screen& screen) {
  const auto rows = screen.rows();
  return rows[rows.size() - 1].find("running for") != std::string::npos;
}

class OnATerminal : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::Terminal::is_available()) GTEST_SKIP() << "there are no pseudo-terminals here";
  }
};

TEST_F(OnATerminal, WhatTheHostPrintsByAnyMeansStaysWhole) {
  Terminal terminal{80, 12, [] {
                      return show(one_stage([] {
                        await_key();
                        for (int i = 0; i < 20; ++i) {
                          std::cout << "out " << i << std::endl;
                          std::fprintf(stderr, "err %d\n", i);
                          if (std::system(("echo child " + std::to_string(i)).c_str()) != 0)
                            return 1;
                        }
                        std::printf("an unfinished ");
                        std::fflush(stdout);
                        await_key();
                        std::printf("line\n");
                        std::fflush(stdout);
                        return 1;
                      }));
                    }};
  ASSERT_TRUE(terminal.read_until(has_block)) << terminal.screen().text();
  terminal.type("\n");
  ASSERT_TRUE(terminal.read_until([](const Screen& screen) {
    return screen.text().find("unfinished") != std::string::npos && has_block(screen);
  }));
  terminal.type("\n");
  EXPECT_EQ(terminal.wait(), (test::Ended{0, 0}));
  std::string text = terminal.screen().text();
  std::string expected;
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    expected += "out " + n + "\nerr " + n + "\nchild " + n + "\n";
  }
  EXPECT_THAT(text, HasSubstr(expected));
  EXPECT_THAT(text, ContainsRegex("an unfinished *\n?line\n"));
  EXPECT_THAT(text, ContainsRegex("✓ p r1: done   1/1   [^\n]*\n$"))
      << "the last line, and nothing below";
  EXPECT_THAT(text, Not(HasSubstr("running for")));
  EXPECT_TRUE(terminal.screen().unknown().empty());
}

TEST_F(OnATerminal, TheClockRunsWhileAStageSaysNothing) {
  Terminal terminal{80, 12, [] {
                      return show(one_stage([] {
                        await_key();
                        return 1;
                      }));
                    }};
  ASSERT_TRUE(terminal.read_until("running for 0 s"));
  ASSERT_TRUE(terminal.read_until("running for 1 s"));
  terminal.type("\n");
  EXPECT_EQ(terminal.wait().exit_code, 0);
}

TEST_F(OnATerminal, ASignalThatEndsTheProcessGivesTheRowsBack) {
  Terminal terminal{80, 12, [] {
                      return show(one_stage([] {
                        await_key();
                        return 1;
                      }));
                    }};
  ASSERT_TRUE(terminal.read_until(has_block));
  terminal.type("\x03");
  EXPECT_EQ(terminal.wait().signal, SIGINT) << "as without a display";
  Screen screen = terminal.screen();
  EXPECT_THAT(screen.text(), Not(HasSubstr("running for")));
  for (int i = 0; i < 30; ++i) screen.feed("shell\r\n");
  EXPECT_EQ(screen.rows()[10], "shell") << "the whole terminal scrolls again";
}

TEST_F(OnATerminal, ExitFromAStageGivesTheRowsBack) {
  Terminal terminal{80, 12, [] {
                      return show(one_stage([]() -> int {
                        await_key();
                        std::exit(7);
                      }));
                    }};
  ASSERT_TRUE(terminal.read_until(has_block));
  terminal.type("\n");
  EXPECT_EQ(terminal.wait().exit_code, 7);
  EXPECT_THAT(terminal.screen().text(), Not(HasSubstr("running for")));
}

TEST_F(OnATerminal, TheFirstCtrlCIsSeenAndTheSecondGivesTheRowsBack) {
  const Signpost running;
  Terminal terminal{80, 12, [&] {
                      const StopOnSignal signals{SIGINT};
                      return show(one_stage([&] {
                                    running.say();
                                    while (true) await_key();
                                    return 1;
                                  }),
                                  {.stop = signals.stop()});
                    }};
  ASSERT_TRUE(terminal.read_until("Ctrl-C once"));
  running.await();  // before it begins, the first Ctrl-C ends the run
  terminal.type("\x03");
  ASSERT_TRUE(terminal.read_until("stopping: saves"));
  terminal.type("\x03");
  EXPECT_EQ(terminal.wait().signal, SIGINT);
  EXPECT_THAT(terminal.screen().text(), Not(HasSubstr("stopping")));
}

TEST_F(OnATerminal, ResizingMovesTheBlock) {
  Terminal terminal{80, 12, [] {
                      return show(one_stage([] {
                        await_key();
                        return 1;
                      }));
                    }};
  ASSERT_TRUE(terminal.read_until(has_block));
  terminal.resize(60, 20);
  ASSERT_TRUE(terminal.read_until(has_block)) << "in the new last row";
  terminal.type("\n");
  EXPECT_EQ(terminal.wait().exit_code, 0);
  EXPECT_THAT(terminal.screen().text(), Not(HasSubstr("running for")));
}

TEST_F(OnATerminal, CiAndDumbTerminalsGetALog) {
  for (const char* variable : {"CI=true", "TERM=dumb"}) {
    Terminal terminal{80, 12, [&] {
                        ::putenv(const_cast<char*>(variable));
                        return show(one_stage([] { return 1; }));
                      }};
    EXPECT_EQ(terminal.wait().exit_code, 0);
    EXPECT_THAT(terminal.screen().text(),
                AllOf(HasSubstr("Z start    run=r1"), HasSubstr("Z end ")));
  }
}

TEST_F(OnATerminal, AClosedStderrHoldsNothingUp) {
  Terminal terminal{80, 12, [] {
                      ::close(STDERR_FILENO);
                      return show(one_stage([] { return 1; }), {.style = ProgressStyle::block});
                    }};
  EXPECT_EQ(terminal.wait().exit_code, 0);
}

}  // namespace
}  // namespace resumable
