// Allocations that fail, once or from then on, at any point of a run: it ends, by an error or well,
// and never by an abort; what was acknowledged is kept, and the next call finishes.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "memory/failing_malloc.hpp"
#include "resumable/effect.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/resumable.hpp"
#include "resumable/sqlite_store.hpp"
#include "support/child_process.hpp"
#include "support/run_log.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

using Opened = std::unique_ptr<CheckpointStore> (*)(const fs::path& folder);

std::unique_ptr<CheckpointStore> files(const fs::path& folder) {
  return std::make_unique<FileStore>(folder / "store");
}
std::unique_ptr<CheckpointStore> journal(const fs::path& folder) {
  return std::make_unique<JournalStore>(folder / "store");
}
std::unique_ptr<CheckpointStore> sqlite(const fs::path& folder) {
  return std::make_unique<SqliteStore>(folder / "store.db");
}

struct Host {
  const char* name;
  Opened open;
  Durability durability = Durability::full;
  unsigned concurrency = 1;
};

void PrintTo(const Host& host, std::ostream* out) { *out << host.name; }

/// Five stages: a list, items with steps, a loop and a history, an effect, a sum; with artifacts
/// and a time limit.
Pipeline five_stages(const Journal& log) {
  Pipeline p{"five"};
  const auto words = p.input("words", std::vector<std::string>{"a", "b", "c", "d"});
  const auto list = p.stage("list", inputs(words), [=](const std::vector<std::string>& all) {
    log.note("run list");
    return all;
  });
  const auto items = p.stage({.name = "items", .timeout = std::chrono::hours{1}},
                             inputs(each(list)), [=](Context& ctx, const std::string& word) {
                               log.note("run items/" + word);
                               return Text{ctx.step("twice", [&] { return word + word + "\n"; })};
                             });
  const auto loop =
      p.stage("loop", inputs(list), [=](Context& ctx, const std::vector<std::string>&) {
        log.note("run loop");
        auto turns = ctx.history<std::string>();
        while (turns.size() < 3) {
          turns.push_back("turn");
          turns.safepoint();
        }
        return turns.size();
      });
  const auto sent = p.stage("sent", inputs(loop), [=](Context& ctx, std::size_t turns) {
    log.note("run sent");
    return ctx.effect(
        "send", with(turns), [&](const std::string&) { return turns; },
        [](const std::string&) { return Verified<std::size_t>::did_not_happen(); });
  });
  const auto sum =
      p.stage("sum", inputs(items, sent), [=](const std::vector<Text>& all, std::size_t turns) {
        log.note("run sum");
        std::string text = std::to_string(turns) + "\n";
        for (const Text& one : all) text += one.text;
        return Text{text};
      });
  p.artifact(items, "items/{item}.md");
  p.artifact(sum, "sum.md");
  return p;
}

class OutOfMemory : public ::testing::TestWithParam<std::tuple<Host, bool>> {
 protected:
  /// The exit code; commits are noted.
  static int run(const Host& host, const fs::path& folder) {
    const Journal log{folder / "log"};
    const auto store = host.open(folder);
    const Pipeline p = five_stages(log);
    EventLog events([&](const Event& event) {
      if (event.kind != EventKind::committed || !event.step.empty()) return;
      log.note("committed " + event.stage + (event.item.empty() ? "" : "/" + event.item));
    });
    return resume(p, *store,
                  {.run = "r1",
                   .concurrency = host.concurrency,
                   .durability = host.durability,
                   .artifact_folder = folder / "out",
                   .observers = {&events}})
        .exit_code();
  }

  /// Runs in this process with allocations that fail. 0: it ended, in whatever way it may.
  static int run_without_memory(const Host& host, const fs::path& folder, long nth,
                                bool from_then_on) {
    ::alarm(60);  // it hangs
    fail_allocation(nth, from_then_on);
    try {
      static_cast<void>(run(host, folder));
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): as may be
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): as may be
    }
    const long made = stop_failing();
    return made < nth ? 1 : 0;
  }
};

/// The first body that ran after its value had been committed, or "".
std::string ran_twice(const Journal& log) {
  std::set<std::string> committed;
  for (const std::string& line : log.lines()) {
    if (line.starts_with("committed ")) committed.insert(line.substr(10));
    if (line.starts_with("run ") && committed.contains(line.substr(4))) return line;
  }
  return "";
}

TEST_P(OutOfMemory, EndsARunByAnErrorAndTheNextCallFinishes) {
  const auto& [host, from_then_on] = GetParam();
  const bool soak = std::getenv("RESUMABLE_TEST_SOAK") != nullptr;
  const char* given = std::getenv("RESUMABLE_TEST_ALLOCATION");
  const unsigned seed = std::random_device{}();
  std::mt19937 random{seed};
  std::cout << "seed " << seed << '\n';
  const TempFolder undisturbed;
  ASSERT_EQ(run(host, undisturbed.path()), 0);
  const std::string expected = read_file(undisturbed / "out/sum.md");
  int tried = 0;
  int aborts = 0;
  int hangs = 0;
  const auto step = [&] {
    const char* every = std::getenv("RESUMABLE_TEST_EVERY");
    const int most = soak ? 1 : every != nullptr ? 2 * std::atoi(every) - 1 : 799;
    return std::uniform_int_distribution<long>{1, most}(random);
  };
  for (long nth = given != nullptr ? std::atol(given) : step();; nth += step()) {
    const TempFolder folder;
    ChildProcess child{[&, &host = host, &last = from_then_on] {
      return run_without_memory(host, folder.path(), nth, last);
    }};
    const Ended ended = child.wait();
    ++tried;
    aborts += ended.signal != 0 && ended.signal != SIGALRM ? 1 : 0;
    hangs += ended.signal == SIGALRM ? 1 : 0;
    EXPECT_EQ(ended.signal, 0) << "allocation " << nth;
    EXPECT_EQ(run(host, folder.path()), 0) << nth;
    EXPECT_EQ(read_file(folder / "out/sum.md"), expected) << nth;
    if (host.durability == Durability::full) {
      EXPECT_EQ(ran_twice(Journal{folder / "log"}), "") << nth;
    }
    if (ended.exit_code == 1 || given != nullptr) break;
  }
  std::cout << tried << " points, " << aborts << " aborts, " << hangs << " hangs\n";
}

INSTANTIATE_TEST_SUITE_P(
    Hosts, OutOfMemory,
    ::testing::Combine(::testing::Values(Host{"Files", files}, Host{"Journal", journal},
                                         Host{"Sqlite", sqlite},
                                         Host{"FilesQueued", files, Durability::queued},
                                         Host{"FilesInThreads", files, Durability::full, 3},
                                         Host{"JournalInThreads", journal, Durability::full, 3},
                                         Host{"SqliteInThreads", sqlite, Durability::full, 3}),
                       ::testing::Bool()),
    [](const auto& test) {
      return std::string{std::get<0>(test.param).name} +
             (std::get<1>(test.param) ? "FromThenOn" : "Once");
    });

}  // namespace
}  // namespace resumable::test
