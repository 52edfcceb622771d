// Allocations that fail, once or from then on, at any point of a run: it ends, by an error or well,
// and never by an abort; what was acknowledged is kept, and the next call finishes.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "memory/failing_malloc.hpp"
#include "memory/hosts.hpp"
#include "resumable/resumable.hpp"
#include "support/child_process.hpp"
#include "support/run_log.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

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
  const char* given = std::getenv("RESUMABLE_TEST_ALLOCATION");
  Allocations allocations{400};
  const TempFolder undisturbed;
  ASSERT_EQ(run(host, undisturbed.path()), 0);
  const std::string expected = read_file(undisturbed / "out/sum.md");
  int tried = 0;
  int aborts = 0;
  int hangs = 0;
  for (long nth = given != nullptr ? std::atol(given) : allocations.step();;
       nth += allocations.step()) {
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
  RecordProperty("points", tried);
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
