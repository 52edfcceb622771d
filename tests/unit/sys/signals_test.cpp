// Each test runs in a child: signals are a process's own.
#include "sys/signals.hpp"

#include <array>
#include <atomic>

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "support/child_process.hpp"
#include "support/sanitizer.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using sys::SignalWatch;

constexpr std::array both{SIGINT, SIGTERM};

/// The signal that a watch has heard last.
class Heard {
 public:
  void operator()(int signal) {
    last_ = signal;
    last_.notify_all();
  }
  void await(int signal) const {
    for (int now = last_; now != signal; now = last_) last_.wait(now);
  }
  [[nodiscard]] bool nothing() const { return last_ == 0; }

 private:
  std::atomic<int> last_{0};
};

TEST(Signals, TheFirstIsHeardAndTheSecondHasItsFormerEffect) {
  ChildProcess child([] {
    Heard heard;
    SignalWatch watch;
    if (watch.start(both, [&](int signal) { heard(signal); })) return 1;
    ::raise(SIGINT);
    heard.await(SIGINT);
    ::raise(SIGTERM);
    return 2;
  });
  EXPECT_EQ(child.wait(), (Ended{-1, SIGTERM}));
}

TEST(Signals, ManyAtOnceAreNotLost) {
  ChildProcess child([] {
    SignalWatch watch;
    if (watch.start(both, [](int) {})) return 1;
    for (int i = 0; i < 1000; ++i) ::raise(SIGINT);
    for (;;) ::pause();
    return 2;
  });
  EXPECT_EQ(child.wait(), (Ended{-1, SIGINT}));
}

std::atomic<int> former_calls{0};

TEST(Signals, WhatWasThereBeforeIsThereAfterwards) {
  ChildProcess child([] {
    ::signal(SIGINT, [](int) { ++former_calls; });
    {
      SignalWatch watch;
      if (watch.start(both, [](int) {})) return 1;
    }
    ::raise(SIGINT);
    return former_calls == 1 ? 0 : 2;
  });
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
}

TEST(Signals, ANewerHandlerOfTheHostStays) {
  ChildProcess child([] {
    {
      SignalWatch watch;
      if (watch.start(both, [](int) {})) return 1;
      ::signal(SIGINT, [](int) { ++former_calls; });
    }
    ::raise(SIGINT);
    return former_calls == 1 ? 0 : 2;
  });
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
}

TEST(Signals, AnIgnoredSignalStaysIgnored) {
  ChildProcess child([] {
    ::signal(SIGINT, SIG_IGN);
    Heard heard;
    SignalWatch watch;
    if (watch.start(both, [&](int signal) { heard(signal); })) return 1;
    ::raise(SIGINT);
    ::raise(SIGTERM);
    heard.await(SIGTERM);
    return 0;
  });
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
}

TEST(Signals, TwoWatchesOfOneSignalAreRefusedAndOneAfterTheOtherIsFine) {
  ChildProcess child([] {
    const std::size_t before = open_descriptors();
    for (int i = 0; i < 10; ++i) {
      Heard heard;
      SignalWatch watch;
      if (watch.start(both, [&](int signal) { heard(signal); })) return 1;
      SignalWatch second;
      if (second.start(both, [](int) {}) != std::errc::device_or_resource_busy) return 2;
      SignalWatch other;
      if (other.start(std::array{SIGUSR1}, [](int) {})) return 3;
      ::raise(SIGTERM);
      heard.await(SIGTERM);
    }
    return open_descriptors() == before ? 0 : 4;
  });
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
}

TEST(Signals, AForkedChildIsNotWatched) {
  if (under_thread_sanitizer) {
    GTEST_SKIP() << "ThreadSanitizer keeps signals back after a process with threads has forked";
  }
  ChildProcess child([] {
    Heard heard;
    SignalWatch watch;
    if (watch.start(both, [&](int signal) { heard(signal); })) return 1;
    ChildProcess grandchild([] {
      ::raise(SIGINT);
      for (;;) ::pause();
      return 0;
    });
    if (grandchild.wait() != Ended{-1, SIGINT}) return 2;
    return heard.nothing() ? 0 : 3;
  });
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
}

}  // namespace
}  // namespace resumable::test
