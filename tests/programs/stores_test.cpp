// The programs on each kind of store: the same files, also when they were killed and resumed.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <resumable/cli.hpp>
#include <signal.h>

#include "corpus/commands.hpp"
#include "insights/commands.hpp"
#include "memo/commands.hpp"
#include "program/store.hpp"
#include "research/commands.hpp"
#include "review/commands.hpp"
#include "support/child_process.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using Words = std::vector<std::string>;
using Files = std::map<std::string, std::string>;

struct Program {
  std::string name;
  std::function<int(int argc, const char* const* argv, cli::Console& console)> command;
  Words begin;
  Words go_on;
};

std::string data(const std::string& folder) {
  return (source_folder() / "examples/data" / folder).string();
}

std::vector<Program> programs() {
  return {{"memo",
           memo::command,
           {"run", "Aldermere", "--sources", data("memo-aldermere")},
           {"resume", "Aldermere"}},
          {"corpus",
           corpus::command,
           {"generate", "--target-words", "400", "--section-words", "40", "--start-time",
            "2026-11-22T06:30:00Z"},
           {"generate"}},
          {"review",
           review::command,
           {"run", "hall", "--sources", data("review-hall")},
           {"resume", "hall"}},
          {"research",
           research::command,
           {"continue", "20260101_120000", "--pages", data("research-ferry")},
           {"continue", "20260101_120000", "--pages", data("research-ferry")}}};
}

/// Kills the process when the nth line is written.
class KillingBuffer final : public std::streambuf {
 public:
  explicit KillingBuffer(int line) : left_(line) {}

 private:
  int_type overflow(int_type c) override {
    if (c == '\n' && --left_ == 0) ::raise(SIGKILL);
    return c;
  }
  int left_;
};

class ProgramOn : public ::testing::TestWithParam<std::string> {
 protected:
  static int call(const Program& program, Words words, std::ostream& err) {
    words.insert(words.begin(), program.name);
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream out;
    cli::Console console{out, err};
    return program.command(static_cast<int>(argv.size()), argv.data(), console);
  }

  /// In a child, which keeps SQLite out of this process; killed at `line` of what it prints.
  static Ended run(const Program& program, const Words& words, int line = 0) {
    ChildProcess child{[&] {
      KillingBuffer buffer{line};
      std::ostream err{&buffer};
      return call(program, words, err);
    }};
    return child.wait();
  }

  /// `what` with the places below `folder`.
  static Words in(const TempFolder& folder, Words what, const std::string& kind) {
    what.insert(what.end(), {"--out", (folder / "out").string()});
    if (!kind.empty()) what.insert(what.end(), {"--store", kind + (folder / "store").string()});
    return what;
  }

  /// What a person finds in the folder; not which folders a file store has made for itself, nor
  /// what says when the program ran.
  static Files files_in(const TempFolder& folder) {
    if (!std::filesystem::exists(folder / "out")) return {};
    Files found = artifacts(folder / "out");
    std::erase_if(found, [](const auto& file) {
      const bool says_when =
          file.first.ends_with("resumed_from.jsonl") || file.first.starts_with("sessions/");
      return file.first.ends_with('/') || says_when;
    });
    return found;
  }

  static Files uninterrupted(const Program& program) {
    const TempFolder folder;
    const Ended ended = run(program, in(folder, program.begin, ""));
    EXPECT_THAT(ended.exit_code, ::testing::AnyOf(0, 75)) << program.name;
    return files_in(folder);
  }
};

TEST_P(ProgramOn, EachProgramTellsTheInspectorWhereItsFilesAre) {
  for (const Program& program : programs()) {
    const TempFolder folder;
    run(program, in(folder, program.begin, GetParam()));
    const std::string command = (program_folder() / "resumable").string() + " verify --store '" +
                                GetParam() + (folder / "store").string() + "' > '" +
                                (folder / "said").string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << program.name;
    EXPECT_THAT(resumable::test::read_file(folder / "said"),
                ::testing::ContainsRegex("and [1-9][0-9]* artifacts? read, 0 damaged"))
        << program.name;
  }
}

TEST_P(ProgramOn, EachProgramWritesTheSameFiles) {
  for (const Program& program : programs()) {
    const Files expected = uninterrupted(program);
    ASSERT_FALSE(expected.empty()) << program.name;
    const TempFolder folder;
    run(program, in(folder, program.begin, GetParam()));
    EXPECT_EQ(files_in(folder), expected) << program.name;
    EXPECT_FALSE(std::filesystem::exists(folder / "out/.resumable")) << program.name;
  }
}

TEST_P(ProgramOn, EachProgramThatWasKilledWritesTheSameFiles) {
  for (const Program& program : programs()) {
    const Files expected = uninterrupted(program);
    for (const int line : {4, 6, 9}) {
      const TempFolder folder;
      const Ended ended = run(program, in(folder, program.begin, GetParam()), line);
      if (ended.signal != SIGKILL) break;  // it was done before
      run(program, in(folder, program.go_on, GetParam()));
      EXPECT_EQ(files_in(folder), expected) << program.name << " at line " << line;
    }
  }
}

/// The text of insights' answer; what else it prints names its job.
std::string answer_on(const Words& place) {
  Words words{"insights", "request", (source_folder() / "examples/insights/request.json").string(),
              "--data", data("insights")};
  words.insert(words.end(), place.begin(), place.end());
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream out;
  std::ostringstream err;
  std::istringstream in;
  cli::Console console{out, err};
  EXPECT_EQ(insights::command(static_cast<int>(argv.size()), argv.data(), console, in), 0)
      << err.str();
  return nlohmann::json::parse(out.str()).at("insights").at("rawText").get<std::string>();
}

TEST_P(ProgramOn, InsightsGivesTheSameAnswer) {
  const TempFolder folder;
  EXPECT_EQ(answer_on(in(folder, {}, GetParam())), answer_on(in(folder, {}, "")));
}

INSTANTIATE_TEST_SUITE_P(Stores, ProgramOn,
                         ::testing::Values("file:", "journal:", "sqlite:", "zstd+journal:"),
                         [](const auto& kind) {
                           std::string name = kind.param.substr(0, kind.param.size() - 1);
                           std::ranges::replace(name, '+', '_');
                           return name;
                         });

TEST(ProgramStore, AnUnknownKindIsRefusedByName) {
  const Program memo = programs().front();
  std::ostringstream err;
  std::ostringstream out;
  cli::Console console{out, err};
  const char* words[] = {"memo", "list", "--store", "redis:somewhere"};
  EXPECT_EQ(memo.command(4, words, console), 2);
  EXPECT_THAT(err.str(), ::testing::HasSubstr("no stores of the kind 'redis:'"));
  for (const char* kind : {"file:DIR, journal:DIR, a path, ", " postgres:", " sqlite:"}) {
    EXPECT_THAT(err.str(), ::testing::HasSubstr(kind));
  }
}

TEST(ProgramStore, ARunThatIsRemovedLeavesNoEmptyFolder) {
  const TempFolder folder;
  program::Store store{
      {.out = (folder / "out").string(), .store = "journal:" + (folder / "store").string()}};
  for (const bool empty : {true, false}) {
    static_cast<void>(store.lease("run"));
    if (!empty) write_file(folder / "out/run/mine.txt", "kept");
    store.remove("run", {.artifacts = RemoveArtifacts::remove});
    EXPECT_EQ(std::filesystem::exists(folder / "out/run"), !empty);
  }
}

TEST(ProgramStore, AdviceNamesTheStore) {
  const TempFolder folder;
  const Program memo = programs().front();
  const std::string store = "journal:" + (folder / "store").string();
  std::ostringstream err;
  std::ostringstream out;
  cli::Console console{out, err};
  const char* words[] = {"memo", "status", "Aldermere", "--store", store.c_str()};
  EXPECT_EQ(memo.command(5, words, console), 2);
  EXPECT_THAT(err.str(), ::testing::HasSubstr("memo run Aldermere --sources DIR --store journal:"));
}

}  // namespace
}  // namespace resumable::test
