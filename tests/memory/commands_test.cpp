// Allocations that fail, once or from then on, at any point of a plan or a command: it ends, by an
// error or well, and never by an abort; what it says is all or an error; and the next call answers.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "memory/failing_malloc.hpp"
#include "memory/hosts.hpp"
#include "resumable/cli.hpp"
#include "resumable/inspector.hpp"
#include "resumable/manage.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

struct Command {
  const char* name;
  std::vector<std::string> words{};  ///< none: the host's own plan
};

void PrintTo(const Command& command, std::ostream* out) { *out << command.name; }

struct Place {
  const char* name;
  Opened open;
  const char* url;  ///< before the folder
  const char* file;
};

void PrintTo(const Place& place, std::ostream* out) { *out << place.name; }

class CommandOutOfMemory : public ::testing::TestWithParam<std::tuple<Place, Command, bool>> {
 protected:
  CommandOutOfMemory() {
    const fs::path made = folder_ / "made";
    fs::create_directory(made);
    const auto store = place_.open(made);
    const Pipeline p = five_stages(Journal{made / "log"});
    const Report report = resume(p, *store, {.run = "r1", .artifact_folder = made / "out"});
    EXPECT_TRUE(report) << report.text();
  }
  [[nodiscard]] fs::path copy(const std::string& name) const {
    fs::remove_all(folder_ / name);
    fs::copy(folder_ / "made", folder_ / name, fs::copy_options::recursive);
    return folder_ / name;
  }

  /// The exit code; what was said is in the file `said`. From `nth` on, if given, allocations fail.
  [[nodiscard]] int call(const fs::path& folder, long nth = 0) const {
    std::ofstream out{folder / "said"};
    if (command_.words.empty()) {
      const auto store = place_.open(folder);
      const Pipeline p = five_stages(Journal{folder / "log"});
      if (nth > 0) fail_allocation(nth, std::get<2>(GetParam()));
      const Plan plan =
          ResumePlanner{*store}.plan(p, {.run = "r1", .artifact_folder = folder / "out"});
      out << plan.text();
      return out.flush() ? 0 : 1;
    }
    std::ofstream err{folder / "errors"};
    cli::Console console{out, err};
    InspectorOptions options;
    options.stores["sqlite"] = open_sqlite_store;
    options.console = &console;
    const std::string url = place_.url + (folder / place_.file).string();
    std::vector<const char*> argv{"resumable", "--store", url.c_str()};
    for (const std::string& word : command_.words) argv.push_back(word.c_str());
    if (nth > 0) fail_allocation(nth, std::get<2>(GetParam()));
    return inspect(static_cast<int>(argv.size()), argv.data(), options);
  }
  /// In this process, with allocations that fail. 99: that one was not reached; 98: inspect() has
  /// thrown.
  [[nodiscard]] int call_without_memory(const fs::path& folder, long nth) const {
    ::alarm(60);  // it hangs
    int code = 98;
    try {
      code = call(folder, nth);
    } catch (const std::bad_alloc&) {
      if (command_.words.empty()) code = 1;
    } catch (const Error&) {
      if (command_.words.empty()) code = 1;
    }
    return stop_failing() < nth ? 99 : code;
  }
  static std::ptrdiff_t lines_of(const fs::path& said) {
    return std::ranges::count(read_file(said), '\n');
  }

  Place place_ = std::get<0>(GetParam());
  Command command_ = std::get<1>(GetParam());
  TempFolder folder_;
};

TEST_P(CommandOutOfMemory, SaysAllOrFailsAndTheNextCallAnswers) {
  const fs::path undisturbed = copy("undisturbed");
  ASSERT_EQ(call(undisturbed), 0) << read_file(undisturbed / "errors");
  const auto lines = lines_of(undisturbed / "said");
  Allocations allocations{600};
  int tried = 0;
  int reached = 0;
  for (long nth = allocations.step(); reached != 99; nth += allocations.step(), ++tried) {
    const fs::path folder = copy("broken");
    ChildProcess child{[&] { return call_without_memory(folder, nth); }};
    const Ended ended = child.wait();
    ASSERT_EQ(ended.signal, 0) << "allocation " << nth;
    ASSERT_NE(ended.exit_code, 98) << "allocation " << nth;
    reached = ended.exit_code;
    if (reached == 0) {
      // A run that gc could not read has a line of its own.
      ASSERT_GE(lines_of(folder / "said"), lines) << nth << read_file(folder / "said");
    }
    ASSERT_EQ(call(folder), 0) << nth << read_file(folder / "errors");
    ASSERT_EQ(lines_of(folder / "said"), lines) << nth;
    ASSERT_TRUE(verify_run(*place_.open(folder), "r1").ok()) << nth;
  }
  std::cout << tried << " points\n";
  RecordProperty("points", tried);
}

INSTANTIATE_TEST_SUITE_P(
    Commands, CommandOutOfMemory,
    ::testing::Combine(::testing::Values(Place{"Files", files, "file:", "store"},
                                         Place{"Journal", journal, "journal:", "store"},
                                         Place{"Sqlite", sqlite, "sqlite:", "store.db"}),
                       ::testing::Values(Command{"OwnPlan"}, Command{"Plan", {"plan", "r1"}},
                                         Command{"Status", {"status", "r1"}},
                                         Command{"Explain", {"explain", "r1", "sum"}},
                                         Command{"Show", {"show", "r1", "sum"}},
                                         Command{"List", {"list"}},
                                         Command{"Verify", {"verify", "r1"}},
                                         Command{"Tag", {"tag", "r1", "new"}},
                                         Command{"Collect", {"gc", "--keep", "1", "--yes"}}),
                       ::testing::Bool()),
    [](const auto& test) {
      return std::string{std::get<0>(test.param).name} + std::get<1>(test.param).name +
             (std::get<2>(test.param) ? "FromThenOn" : "Once");
    });

}  // namespace
}  // namespace resumable::test
