// Every command of the inspector on an empty store, in the hands of somebody without rights, and on
// a run of many items.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <resumable/journal_store.hpp>
#include <resumable/resumable.hpp>
#include <resumable/run_list.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "programs/inspected_run.hpp"
#include "support/child_process.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// As many as can be looked at in all ways in seconds; scripts/soak.sh sets RESUMABLE_TEST_ITEMS.
int many_items(const std::string& kind) {
  if (const char* given = std::getenv("RESUMABLE_TEST_ITEMS")) return std::stoi(given);
#ifdef NDEBUG
  return kind == "journal:" ? 20'000 : 10'000;
#else
  return kind.empty() ? 0 : 1'000;
#endif
}

/// numbers -> squares, each an item -> sum; twice, so that there is an earlier generation.
void square(CheckpointStore& store, int items) {
  std::vector<int> numbers(static_cast<std::size_t>(items));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (const char* unit : {"m", "km"}) {
    Pipeline p{"squares"};
    const auto of = p.input("numbers", numbers);
    const auto in = p.input("unit", std::string{unit});
    const auto squares =
        p.stage("squares", inputs(each(of)), [](int number) { return 1LL * number * number; });
    p.stage("sum", inputs(squares, in),
            [](const std::vector<long long>& all, const std::string& what) {
              return std::to_string(std::accumulate(all.begin(), all.end(), 0LL)) + what;
            });
    ASSERT_TRUE(resume(p, store, {.run = "r", .durability = Durability::queued}));
  }
}

class Sweep : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::string url() const {
    return GetParam() + (folder_ / (GetParam() == "sqlite:" ? "store/s.db" : "store")).string();
  }
  [[nodiscard]] InspectedRun run() const {
    return {.url = url(), .run = "r", .stage = "sum", .record = "sum", .beside = beside_.path()};
  }
  [[nodiscard]] std::vector<Asked> all() const {
    std::vector<Asked> all = run().reading();
    for (Asked& one : run().writing()) all.push_back(std::move(one));
    all.push_back({"adopt", {"adopt"}});
    return all;
  }
  [[nodiscard]] std::unique_ptr<CheckpointStore> open() const {
    return open_store(url(), {{"sqlite", open_sqlite_store}}, CreateStore::if_absent);
  }
  /// A store whose only run was removed.
  void prepare_empty() const {
    const auto store = open();
    static_cast<void>(store->lease("gone"));
    store->remove("gone");
  }

  /// What the commands say to somebody who is not above permissions.
  [[nodiscard]] std::vector<Answer> as_somebody_else(const std::vector<Asked>& commands) const {
    ChildProcess child{[&] {
      if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 98;
      Json said = Json::array();
      for (const Asked& asked : commands) {
        const Answer one = run().inspect(asked.words);
        said.push_back({one.code, one.out, one.err});
      }
      write_file(beside_ / "said", said.dump());
      return 0;
    }};
    EXPECT_EQ(child.wait(), (Ended{0, 0}));
    std::vector<Answer> answers;
    for (const Json& one : Json::parse(read_file(beside_ / "said"))) {
      answers.push_back({one[0], one[1], one[2]});
    }
    return answers;
  }

  TempFolder folder_;
  TempFolder beside_;
};

/// Those that need no run.
bool is_of_all_runs(const Words& words) {
  static const std::set<std::string> names{"list", "verify", "gc", "migrate", "adopt"};
  return names.contains(words.front()) || (words.size() > 1 && words[1] == "--all");
}

TEST_P(Sweep, OfAnEmptyStoreEveryCommandSaysThatThereAreNoRunsAndMakesNone) {
  prepare_empty();
  const auto before = snapshot(folder_.path());
  for (const bool json : {false, true}) {
    for (Asked asked : all()) {
      const std::string& command = asked.words.front();
      if (command == "import" || (command == "adopt" && GetParam() == "sqlite:")) continue;
      if (json) asked.words.emplace_back("--json");
      const Answer said = run().inspect(asked.words);
      if (is_of_all_runs(asked.words)) {
        EXPECT_EQ(said.code, 0) << command << said.err;
        if (json) expect_fits(asked, said);
      } else {
        EXPECT_EQ(said.code, 2) << command << said.err;
        EXPECT_EQ(said.out, "") << command;
        EXPECT_THAT(said.err, HasSubstr("there are no runs in " + GetParam())) << command;
        EXPECT_THAT(said.err, HasSubstr("  next  ")) << command;
      }
    }
  }
  EXPECT_TRUE(list_runs(*open()).empty());
  // SQLite touches files of its own when it reads.
  if (GetParam() != "sqlite:") {
    EXPECT_EQ(snapshot(folder_.path()), before);
  }
}

TEST_P(Sweep, ARunIsImportedIntoAnEmptyStore) {
  prepare_empty();
  MemoryStore memory;
  square(memory, 2);
  const std::string bundle = (beside_ / "run.tar").string();
  export_bundle(memory, "r", bundle);
  const Answer said = run().inspect({"import", bundle});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(run().inspect({"status", "r"}).out, HasSubstr("2 of 2 stages done"));
}

/// Rights are taken from the whole store: whoever asks cannot tell which runs there are.
TEST_P(Sweep, WithoutRightsToReadEveryCommandSaysSoAndChangesNothing) {
  square(*open(), 3);
  fs::permissions(beside_.path(), fs::perms::all);
  const auto before = snapshot(folder_.path());
  const bool root = ::geteuid() == 0;
  fs::permissions(folder_.path(), root ? fs::perms::owner_all : fs::perms::none);
  const std::vector<Asked> commands = all();
  const std::vector<Answer> answers = as_somebody_else(commands);
  fs::permissions(folder_.path(), fs::perms::owner_all);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::string& command = commands[i].words.front();
    if (command == "import" || (command == "adopt" && GetParam() == "sqlite:")) continue;
    EXPECT_NE(answers[i].code, 0) << command << answers[i].out;
    EXPECT_NE(answers[i].code, 2) << command << answers[i].err;
    EXPECT_THAT(answers[i].out + answers[i].err, HasSubstr("Permission denied")) << command;
    EXPECT_THAT(answers[i].err, ::testing::Not(HasSubstr("there are no runs"))) << command;
  }
  EXPECT_EQ(snapshot(folder_.path()), before);
}

TEST_P(Sweep, OfALargeRunEveryCommandAnswersAsItsSchemaSays) {
  const int items = many_items(GetParam());
  square(*open(), items);
  for (Asked asked : all()) {
    const std::string command = asked.words.front();
    if (command == "adopt" && GetParam() == "sqlite:") continue;
    asked.words.emplace_back("--json");
    const Answer said = run().inspect(asked.words);
    EXPECT_EQ(said.code, 0) << command << said.err;
    expect_fits(asked, said);
    if (asked.schema == "records") {
      EXPECT_GT(Json::parse(said.out).at("records").size(), static_cast<std::size_t>(items));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, Sweep, ::testing::Values("file:", "journal:", "sqlite:"),
                         [](const auto& kind) {
                           return kind.param.substr(0, kind.param.size() - 1);
                         });

}  // namespace
}  // namespace resumable::test
