// A closed terminal stops a command like SIGTERM does: everything is saved.
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <stop_token>

#include <gtest/gtest.h>

#include "resumable/cli.hpp"
#include "resumable/resumable.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

class Hangup : public ::testing::Test {
 protected:
  /// A command whose second stage gets the signal, and leaves when it is asked to stop.
  Ended resume(int signal, void (*former)(int)) {
    ChildProcess child([&] {
      ::signal(signal, former);
      Pipeline pipeline{"p"};
      const auto first = pipeline.stage("first", [] { return 1; });
      pipeline.stage("second", inputs(first), [&](Context& ctx, int one) {
        ::raise(signal);
        if (former == SIG_IGN) return one;
        std::mutex guard;
        std::condition_variable_any wake;
        std::unique_lock lock{guard};
        wake.wait(lock, ctx.stop_token(), [] { return false; });
        throw std::runtime_error("asked to stop");
      });
      std::ostringstream out;
      cli::Console console{.out = out, .err = out};
      FileStore store{folder / "store"};
      return cli::resume(console, pipeline, store, {.run = "r"});
    });
    return child.wait();
  }

  TempFolder folder;
};

TEST_F(Hangup, IsAStopThatSavesEverything) {
  EXPECT_EQ(resume(SIGHUP, SIG_DFL), (Ended{129, 0}));
  FileStore store{folder / "store"};
  EXPECT_EQ(Records(store, "r").stage<int>("first")->value, 1);
  EXPECT_EQ(run_state(store, "r"), RunState::interrupted);
}

TEST_F(Hangup, ThatIsIgnoredStaysIgnored) {
  EXPECT_EQ(resume(SIGHUP, SIG_IGN), (Ended{0, 0})) << "as under nohup";
}

TEST_F(Hangup, IsOneOfThreeSignals) {
  EXPECT_EQ(resume(SIGINT, SIG_DFL), (Ended{130, 0}));
  EXPECT_EQ(resume(SIGTERM, SIG_DFL), (Ended{143, 0}));
}

}  // namespace
}  // namespace resumable::test
