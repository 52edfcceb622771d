// The inspector on the stores of the programs: each command answers, its JSON is as its schema
// says, and of damage it says so.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <resumable/cli.hpp>

#include "corpus/commands.hpp"
#include "insights/commands.hpp"
#include "inspector/commands.hpp"
#include "memo/commands.hpp"
#include "programs/inspected_run.hpp"
#include "research/commands.hpp"
#include "review/commands.hpp"
#include "sqlite/database.hpp"
#include "support/paths.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

std::string data_of(const std::string& folder) {
  return (source_folder() / "examples/data" / folder).string();
}

struct InspectedProgram {
  const char* name;
  std::function<int(int argc, const char* const* argv, cli::Console& console)> command;
  Words words;
};

int ask_insights(int argc, const char* const* argv, cli::Console& console) {
  std::istringstream nothing;
  return insights::command(argc, argv, console, nothing);
}

std::vector<InspectedProgram> all_programs() {
  const std::string request = (source_folder() / "examples/insights/request.json").string();
  return {{"memo", memo::command, {"run", "Aldermere", "--sources", data_of("memo-aldermere")}},
          {"corpus",
           corpus::command,
           {"generate", "--target-words", "400", "--section-words", "40", "--start-time",
            "2026-11-22T06:30:00Z"}},
          {"review", review::command, {"run", "hall", "--sources", data_of("review-hall")}},
          {"research",
           research::command,
           {"continue", "20260101_120000", "--pages", data_of("research-ferry")}},
          {"insights", ask_insights, {"request", request, "--data", data_of("insights")}}};
}

/// Changes a byte of a value, in the file that the inspector names.
void damage(const InspectedRun& run) {
  const std::string shown = run.inspect({"show", run.run, run.record}).out;
  const std::size_t at = shown.find("  file      ") + 12;
  std::string file = shown.substr(at, shown.find('\n', at) - at);
  if (run.url.starts_with("sqlite:")) {
    sqlite::Connection database{file.substr(0, file.find(": records of")), sqlite::Mode::write};
    database
        .prepare(
            "UPDATE records SET payload = CAST('?' || substr(payload, 2) AS BLOB)"
            " WHERE path = ?")
        .bind(1, run.record)
        .run();
    EXPECT_EQ(database.changes(), 1) << run.record;
    return;
  }
  file = file.substr(0, file.find(" at byte"));
  ASSERT_TRUE(fs::exists(file)) << file;
  std::string bytes = read_file(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_file(file, bytes);
}

/// The parameters: the program, the kind of store.
class InspectorOn : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void SetUp() override {
    const std::string name = std::get<0>(GetParam());
    const auto all = all_programs();
    const auto program =
        std::ranges::find_if(all, [&](const InspectedProgram& one) { return one.name == name; });
    Words words{name};
    words.insert(words.end(), program->words.begin(), program->words.end());
    words.insert(words.end(), {"--out", (folder_ / "out").string()});
    words.insert(words.end(), {"--store", url("made")});
    const Answer made = answer_of(words, program->command);
    ASSERT_THAT(made.code, ::testing::AnyOf(0, 75)) << made.err;
  }

  /// Of the store in the folder of this name.
  [[nodiscard]] std::string url(const std::string& name) const {
    const std::string& kind = std::get<1>(GetParam());
    fs::create_directories(folder_ / name);
    return kind + (folder_ / (name + (kind == "sqlite:" ? "/store.db" : ""))).string();
  }

  /// Also for people.
  static void expect_answered(const InspectedRun& run, Asked asked) {
    const std::string command = asked.words.front();
    if (!writes(asked.words)) {
      const Answer text = run.inspect(asked.words);
      EXPECT_EQ(text.code, 0) << command << text.err;
    }
    asked.words.emplace_back("--json");
    const Answer json = run.inspect(asked.words);
    EXPECT_EQ(json.code, 0) << command << json.err;
    expect_fits(asked, json);
  }
  static bool writes(const Words& words) {
    static const std::set<std::string> reading{"list", "status", "plan",  "explain",
                                               "show", "diff",   "graph", "report"};
    return !reading.contains(words.front()) && !std::ranges::count(words, "--dry-run");
  }

  /// `adopt` needs a store in whose folder there are files for people.
  static void expect_adopt_answers(const InspectedRun& run) {
    const Asked adopt{"adopt", {"adopt", "--json"}};
    const Answer said = run.inspect(adopt.words);
    const bool files = !run.url.starts_with("sqlite:");
    EXPECT_EQ(said.code, files ? 0 : 2) << said.err;
    if (files) {
      expect_fits(adopt, said);
    } else {
      EXPECT_THAT(said.err, ::testing::HasSubstr("keeps no files for people"));
    }
  }

  static void expect_damage_is_told(const InspectedRun& run) {
    const Answer verified = run.inspect({"verify"});
    EXPECT_EQ(verified.code, 3) << verified.out;
    EXPECT_THAT(verified.out, ::testing::HasSubstr("next  "));
    for (Asked asked : run.reading()) {
      asked.words.emplace_back("--json");
      const std::string& command = asked.words.front();
      const Answer said = run.inspect(asked.words);
      EXPECT_THAT(said.code, ::testing::AnyOf(0, 3, 2)) << command << said.err;
      if (said.code == 2) {  // the record is gone for who asks
        EXPECT_THAT(command, ::testing::AnyOf("explain", "show", "fork")) << said.err;
        EXPECT_THAT(said.err, ::testing::HasSubstr("  next  ")) << command;
      }
      if (!said.out.empty()) expect_fits(asked, said);
    }
  }

  TempFolder folder_;
};

TEST_P(InspectorOn, EveryCommandAnswersAsItsSchemaSaysAndTellsOfAFlippedByte) {
  if (HasFatalFailure()) return;
  fs::copy(folder_ / "made", folder_ / "damaged", fs::copy_options::recursive);
  const InspectedRun run = inspected_run(url("made"), folder_.path());
  for (const Asked& asked : run.reading()) expect_answered(run, asked);
  EXPECT_FALSE(fs::exists(folder_ / "none"));
  for (const Asked& asked : run.writing()) expect_answered(run, asked);
  expect_adopt_answers(run);
  EXPECT_EQ(run.inspect({"verify"}).code, 0);

  const InspectedRun damaged = inspected_run(url("damaged"), folder_.path());
  damage(damaged);
  expect_damage_is_told(damaged);
}

INSTANTIATE_TEST_SUITE_P(Programs, InspectorOn,
                         ::testing::Combine(::testing::Values("memo", "corpus", "review",
                                                              "research", "insights"),
                                            ::testing::Values("file:", "journal:", "sqlite:")),
                         [](const auto& of) {
                           const std::string& kind = std::get<1>(of.param);
                           return std::get<0>(of.param) + "_" + kind.substr(0, kind.size() - 1);
                         });

TEST(InspectorSweep, HasEveryCommand) {
  std::set<std::string> asked{"adopt"};
  const InspectedRun run{};
  for (const Asked& one : run.reading()) asked.insert(one.words.front());
  for (const Asked& one : run.writing()) asked.insert(one.words.front());
  for (const inspector::Command& command : inspector::commands()) {
    EXPECT_TRUE(asked.contains(command.name)) << command.name;
  }
}

}  // namespace
}  // namespace resumable::test
