// The command `work`, and what `status` says of workers.
#include <condition_variable>
#include <mutex>
#include <sstream>
#include <thread>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "resumable/cli.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/resumable.hpp"

namespace resumable::cli {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

/// A run of four items, whose owner computes one until it is let go.
class WorkCommand : public ::testing::Test {
 protected:
  WorkCommand() {
    const auto names = pipeline.input("names", std::vector<std::string>{"ann", "bob", "cy", "dee"});
    pipeline.stage("words", inputs(each(names)), [this](const std::string& name) {
      std::unique_lock lock{guard};
      begun = true;
      changed.notify_all();
      changed.wait(lock, [&] { return over; });
      return name;
    });
    owner = std::thread{[&] {
      code = resumable::resume(pipeline, store, {.run = "r", .share = true}).exit_code();
    }};
    std::unique_lock lock{guard};
    changed.wait(lock, [&] { return begun; });
  }
  ~WorkCommand() override { end(); }
  void end() {
    {
      const std::scoped_lock lock{guard};
      over = true;
      changed.notify_all();
    }
    if (owner.joinable()) owner.join();
  }
  std::string said(const Words& words) {
    std::ostringstream out;
    std::ostringstream err;
    Console console{out, err};
    std::vector<const char*> argv{"greet"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    CLI::App app{"Greets.", "greet"};
    WorkOptions options;
    OutputOptions output;
    auto* work = app.add_subcommand("work", "compute items");
    add_work_flags(*work, options, output);
    auto* status = app.add_subcommand("status", "print where it is");
    add_status_flags(*status, output);
    const int result = run(app, static_cast<int>(argv.size()), argv.data(), console, [&] {
      if (*status) return cli::status(console, pipeline, store, "r", output);
      return cli::work(console, pipeline, store, options, output);
    });
    EXPECT_EQ(result, 0) << err.str();
    return out.str() + err.str();
  }

  Pipeline pipeline{"greet"};
  MemoryStore store;
  std::mutex guard;
  std::condition_variable changed;
  bool begun = false;
  bool over = false;
  std::thread owner;
  int code = -1;
};

TEST_F(WorkCommand, SaysWhatItHasDone) {
  {
    const std::scoped_lock lock{guard};
    over = true;  // whoever begins now goes on
  }
  const std::string text = said({"work", "--run", "r", "--idle", "300ms", "--slots", "2"});
  EXPECT_THAT(text, HasSubstr(" committed\n"));
  EXPECT_THAT(said({"work", "--idle", "10ms", "--json"}),
              HasSubstr(R"({"schema":1,"committed":0,"failed":0,"lost":0,"given_back":0})"));
  end();
  EXPECT_EQ(code, 0);
}

TEST_F(WorkCommand, IsSeenInTheStatus) {
  const std::string text = said({"status"});
  EXPECT_THAT(text, HasSubstr("worker pid " + std::to_string(::getpid()) + " on "));
  EXPECT_THAT(text, HasSubstr(", 1 slot: words/ann since "));
  EXPECT_THAT(text, HasSubstr("1 item waits for a worker"));
  const std::string json = said({"status", "--json"});
  EXPECT_THAT(json, HasSubstr(R"("workers":[{"id":1,"pid":)"));
  EXPECT_THAT(json, HasSubstr(R"({"stage":"words","item":"ann","losses":0,"worker":1,"since":")"));
  end();
  EXPECT_EQ(code, 0);
  EXPECT_THAT(said({"status"}), ::testing::Not(HasSubstr("worker")));
}

}  // namespace
}  // namespace resumable::cli
