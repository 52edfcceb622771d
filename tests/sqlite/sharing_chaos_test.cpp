// Workers and owners of one run are killed and suspended at random: each value is committed once,
// none is lost, and the result is what one process makes.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/sqlite_store.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// In scripts/soak.sh: more items, and more seeds.
bool is_soak() { return std::getenv("RESUMABLE_TEST_SOAK") != nullptr; }

/// A queue: each item of the first generation enqueues three, which enqueue nothing. Each item has
/// a step, and what they make is appended to a file.
struct Flood {
  Flood(std::size_t roots, milliseconds work) {
    Strings names;
    for (std::size_t i = 0; i < roots; ++i) names.push_back("r" + std::to_string(i));
    const auto list = pipeline.input("list", names);
    items.emplace(
        pipeline.queue("items", inputs(each(list)), [=](Context& ctx, const std::string& name) {
          const auto text = ctx.step("text", [&] { return "of " + name; });
          if (name.find('.') == name.npos) {
            for (int i = 0; i < 3; ++i) {
              ctx.enqueue(name + "." + std::to_string(i));
            }
          }
          std::this_thread::sleep_for(work);  // what takes time
          return text;
        }));
    pipeline.append(*items, "all.txt", [](const std::string& text) { return text + "\n"; });
    whole.emplace(pipeline.stage("whole", inputs(*items), [](const Strings& all) {
      std::string text;
      for (const std::string& one : all) text += one + ";";
      return text;
    }));
  }
  Pipeline pipeline{"flood"};
  std::optional<FanOut<std::string>> items;
  std::optional<Stage<std::string>> whole;
};

class Chaos : public ::testing::TestWithParam<unsigned> {
 protected:
  static constexpr milliseconds ttl{400};

  [[nodiscard]] ResumeOptions options(const fs::path& files, bool share) const {
    return {.run = "r", .share = share, .artifact_folder = files};
  }
  std::unique_ptr<ChildProcess> owner() const {
    return std::make_unique<ChildProcess>([this] {
      SqliteStore store{folder / "runs.db"};
      const Flood flood{roots, milliseconds{5}};
      return resume(flood.pipeline, store, options(folder / "files", true)).exit_code();
    });
  }
  std::unique_ptr<ChildProcess> worker() const {
    return std::make_unique<ChildProcess>([this] {
      const StopOnSignal signals{SIGTERM};
      SqliteStore store{folder / "runs.db"};
      const Flood flood{roots, milliseconds{5}};
      static_cast<void>(
          work(flood.pipeline, store, {.slots = 2, .stop = signals.stop(), .ttl = ttl}));
      return 0;
    });
  }

  std::size_t roots = is_soak() ? 2'000 : 60;
  TempFolder folder;
};

std::optional<RunState> state_in(const fs::path& database) {
  const SqliteStore store{database};
  return run_state(store, "r");
}

TEST_P(Chaos, OfKilledAndSuspendedProcessesLosesAndDoublesNothing) {
  std::mt19937_64 random{GetParam()};
  std::deque<std::unique_ptr<ChildProcess>> workers;
  for (int i = 0; i < 3; ++i) workers.push_back(worker());
  auto owns = owner();
  std::size_t killed = 0;
  std::size_t suspended = 0;
  std::size_t owners = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{10};
  while (std::chrono::steady_clock::now() < end) {
    const auto state = state_in(folder / "runs.db");
    if (state == RunState::done) break;
    if (state == RunState::failed) {  // an item has lost its workers three times
      owns->wait();
      owns = owner();
    }
    std::this_thread::sleep_for(milliseconds{40 + random() % 60});
    const auto blow = random() % 10;
    auto& one = workers[random() % workers.size()];
    if (blow < 6) {
      one->kill(SIGKILL);
      one->wait();
      one = worker();
      ++killed;
    } else if (blow < 9) {
      one->kill(SIGSTOP);
      std::this_thread::sleep_for(2 * ttl);
      one->kill(SIGCONT);
      ++suspended;
    } else {
      owns->kill(SIGKILL);
      owns->wait();
      owns = owner();
      ++owners;
    }
  }
  owns->wait();
  for (const auto& one : workers) {
    one->kill(SIGTERM);
    EXPECT_EQ(one->wait(), (Ended{.exit_code = 0}));
  }
  std::printf("%zu killed, %zu suspended, %zu owners killed\n", killed, suspended, owners);

  SqliteStore store{folder / "runs.db"};
  const Flood flood{roots, milliseconds{0}};
  ASSERT_EQ(run_state(store, "r"), RunState::done);
  std::size_t values = 0;
  store.scan("r", {.prefix = "items/"}, [&](const RecordHead& found) {
    EXPECT_EQ(found.id.generation, 1U) << found.id.path;
    EXPECT_EQ(found.damage, Damage::none);
    ++values;
    return true;
  });
  EXPECT_EQ(values, 4 * roots);
  MemoryStore alone;
  const Report expected = resume(flood.pipeline, alone, options(folder / "alone", false));
  const Report report = resume(flood.pipeline, store, options(folder / "files", false));
  EXPECT_EQ(report.outcome(), Outcome::done);
  EXPECT_EQ(report[*flood.whole], expected[*flood.whole]);
  EXPECT_EQ(read_file(folder / "files/all.txt"), read_file(folder / "alone/all.txt"));
  EXPECT_TRUE(store.work("r").empty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, Chaos, ::testing::Range(1U, is_soak() ? 6U : 2U));

}  // namespace
}  // namespace resumable::test
