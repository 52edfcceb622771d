// The programs on each kind of store: the same files, also when they were killed and resumed.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
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
#include <resumable/run_list.hpp>
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

#ifdef RESUMABLE_WITH_POSTGRES
#include "postgres/server.hpp"
#endif
#ifdef RESUMABLE_WITH_S3
#include "s3/server.hpp"
#endif

namespace resumable::test {
namespace {

using Words = std::vector<std::string>;
using Files = std::map<std::string, std::string>;

struct Program {
  std::string name;
  std::function<int(int argc, const char* const* argv, cli::Console& console)> command;
  Words begin, go_on;
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

int call(const Program& program, Words words, std::ostream& out, std::ostream& err) {
  words.insert(words.begin(), program.name);
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  cli::Console console{out, err};
  return program.command(static_cast<int>(argv.size()), argv.data(), console);
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

/// A kind of store.
struct Kind {
  std::string name;
  std::string scheme;
  bool payloads = false;  ///< large values are objects in S3
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::vector<Kind> kinds() {
  std::vector<Kind> kinds{{"file", "file:"},
                          {"journal", "journal:"},
                          {"sqlite", "sqlite:"},
                          {"zstd_journal", "zstd+journal:"}};
#ifdef RESUMABLE_WITH_POSTGRES
  kinds.push_back({"postgres", "postgres:"});
#endif
#ifdef RESUMABLE_WITH_S3
  kinds.push_back({"file_s3", "file:", true});
#ifdef RESUMABLE_WITH_POSTGRES
  kinds.push_back({"postgres_s3", "postgres:", true});
#endif
#endif
  return kinds;
}

/// Names the schema, and the prefix in the bucket, of the store in a folder.
[[maybe_unused]] std::string name_of(const TempFolder& folder) {
  std::string name = folder.path().filename().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

#ifdef RESUMABLE_WITH_S3
S3Server& s3_server() {
  static S3Server server;
  return server;
}
#endif

/// How many values of the store in a folder are objects.
std::size_t objects_of([[maybe_unused]] const TempFolder& folder) {
#ifdef RESUMABLE_WITH_S3
  return static_cast<std::size_t>(std::ranges::count_if(s3_server().values(), [&](const auto& one) {
    return one.first.starts_with(name_of(folder) + '/');
  }));
#else
  return 0;
#endif
}

/// Of a store that has the name of a folder, in it or on a server.
std::string url_in(const TempFolder& folder, const Kind& kind) {
  std::string url = kind.scheme + (folder / "store").string();
#ifdef RESUMABLE_WITH_POSTGRES
  if (kind.scheme == "postgres:") {
    url = PostgresServer::shared()->url() + "&schema=" + name_of(folder);
  }
#endif
#ifdef RESUMABLE_WITH_S3
  if (kind.payloads) {
    url += (url.find('?') == std::string::npos ? '?' : '&') + std::string{"payloads=s3://bucket/"} +
           name_of(folder) + "&payloads_above=100&s3_endpoint=" + s3_server().endpoint();
  }
#endif
  return url;
}

struct Said {
  int code = 0;
  std::string text{};
};

/// What the program `resumable` prints.
Said ask_inspector(const std::string& words) {
  const TempFolder folder;
  const std::string file = (folder / "said").string();
  const std::string program = (program_folder() / "resumable").string();
  const int code = std::system((program + ' ' + words + " >'" + file + "' 2>&1").c_str());
  return {code, read_file(file)};
}

/// The same, of a command that succeeds.
std::string inspect(const std::string& words) {
  const Said said = ask_inspector(words);
  EXPECT_EQ(said.code, 0) << words << '\n' << said.text;
  return said.text;
}

class ProgramOn : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
#ifdef RESUMABLE_WITH_POSTGRES
    if (GetParam().scheme == "postgres:" && !PostgresServer::is_installed()) {
      GTEST_SKIP() << PostgresServer::missing;
    }
#endif
  }

  /// In a child, which keeps SQLite out of this process; killed at `line` of what it prints.
  static Ended run(const Program& program, const Words& words, int line = 0) {
    ChildProcess child{[&] {
      KillingBuffer buffer{line};
      std::ostringstream out;
      std::ostream err{&buffer};
      return call(program, words, out, err);
    }};
    return child.wait();
  }

  /// `what` with the files below `folder`, and the checkpoints as well, or in a store.
  static Words in(const TempFolder& folder, Words what, const std::string& url = "") {
    what.insert(what.end(), {"--out", (folder / "out").string()});
    if (!url.empty()) what.insert(what.end(), {"--store", url});
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

  static const Files& uninterrupted(const Program& program) {
    static std::map<std::string, Files> known;
    const auto [found, is_new] = known.try_emplace(program.name);
    if (is_new) {
      const TempFolder folder;
      const Ended ended = run(program, in(folder, program.begin));
      EXPECT_THAT(ended.exit_code, ::testing::AnyOf(0, 75)) << program.name;
      found->second = files_in(folder);
    }
    return found->second;
  }
};

TEST_P(ProgramOn, EachProgramWritesTheSameFiles) {
  for (const Program& program : programs()) {
    const Files& expected = uninterrupted(program);
    ASSERT_FALSE(expected.empty()) << program.name;
    const TempFolder folder;
    run(program, in(folder, program.begin, url_in(folder, GetParam())));
    EXPECT_EQ(files_in(folder), expected) << program.name;
    EXPECT_FALSE(std::filesystem::exists(folder / "out/.resumable")) << program.name;
    EXPECT_EQ(objects_of(folder) > 0, GetParam().payloads) << program.name;
  }
}

TEST_P(ProgramOn, EachProgramThatWasKilledWritesTheSameFiles) {
  for (const Program& program : programs()) {
    const Files& expected = uninterrupted(program);
    for (const int line : {4, 6, 9}) {
      const TempFolder folder;
      const std::string url = url_in(folder, GetParam());
      const Ended ended = run(program, in(folder, program.begin, url), line);
      if (ended.signal != SIGKILL) {  // it was done before
        EXPECT_GT(line, 4) << program.name;
        break;
      }
      run(program, in(folder, program.go_on, url));
      EXPECT_EQ(files_in(folder), expected) << program.name << " at line " << line;
    }
  }
}

/// All values of a store, by run, path and generation.
Files values_in(const std::string& url) {
  const program::Store store{{.store = url}};
  Files values;
  for (const RunInfo& run : list_runs(store)) {
    store.scan(run.run, {}, [&](const RecordHead& head) {
      const RecordId id{head.id.path, head.id.generation};
      values[run.run + ' ' + std::string{id.path} + ' ' + std::to_string(id.generation)] =
          read_all(*store.get(run.run, id)->payload);
      return true;
    });
  }
  return values;
}

/// Copies all runs to files and from there to a third store, which all have the same values then.
void copy_there_and_back(const std::string& here, const std::string& files,
                         const std::string& again) {
  inspect("gc --store '" + here + "'");  // objects of states that were replaced
  inspect("copy --all --store '" + here + "' --to '" + files + "'");
  inspect("copy --all --store '" + files + "' --to '" + again + "'");
  for (const std::string& url : {here, files, again}) {
    EXPECT_THAT(inspect("verify --store '" + url + "'"), ::testing::HasSubstr(" read, 0 damaged"));
    ChildProcess compares{[&] {
      const Files values = values_in(url);
      return !values.empty() && values == values_in(here) ? 0 : 1;
    }};
    EXPECT_EQ(compares.wait(), (Ended{0, 0})) << url;
  }
}

TEST_P(ProgramOn, TheInspectorReadsEachRunAndCopiesItToFilesAndBack) {
  for (const Program& program : programs()) {
    const TempFolder folder;
    const TempFolder back;
    const std::string here = url_in(folder, GetParam());
    const std::string files = "file:" + (folder / "copy").string();
    const std::string again = url_in(back, GetParam());
    run(program, in(folder, program.begin, here));
    const Files expected = files_in(folder);
    copy_there_and_back(here, files, again);
    for (const std::string& url : {here, files, again}) {
      EXPECT_THAT(inspect("list --store '" + url + "'"), ::testing::HasSubstr(program.name));
      EXPECT_THAT(inspect("verify --store '" + url + "'"),
                  ::testing::ContainsRegex("and [1-9][0-9]* artifacts? read, 0 damaged"));
      EXPECT_THAT(inspect("show latest --all --store '" + url + "'"), ::testing::HasSubstr(url))
          << "which its advice does not shorten";
    }
    EXPECT_EQ(objects_of(back), objects_of(folder)) << program.name;
    EXPECT_EQ(objects_of(back) > 0, GetParam().payloads) << program.name;
    run(program, in(folder, program.go_on, again));
    EXPECT_EQ(files_in(folder), expected) << program.name;
  }
}

/// insights, which asks for the time at each turn; killed when it does so the nth time.
Program insights(std::string request, int nth = 0) {
  const auto command = [=](int argc, const char* const* argv, cli::Console& console) {
    std::istringstream in{request};
    return insights::command(argc, argv, console, in, [left = nth]() mutable {
      if (--left == 0) ::raise(SIGKILL);
      return std::chrono::system_clock::now();
    });
  };
  return {"insights", command, {"request", "--data", data("insights"), "--job", "j"}, {"request"}};
}

/// In a child, which writes the answer into `folder`.
Ended ask(const TempFolder& folder, const Program& program, const Words& words) {
  ChildProcess child{[&] {
    std::ostringstream out;
    const int code = call(program, words, out, out);
    write_file(folder / "answer", out.str());
    return code;
  }};
  return child.wait();
}

/// Its text; what else is in an answer says when it was made.
std::string answer_in(const TempFolder& folder) {
  const std::string said = read_file(folder / "answer");
  const auto json = nlohmann::json::parse(said.substr(std::min(said.find('{'), said.size())));
  return json.at("insights").at("rawText").get<std::string>();
}

TEST_P(ProgramOn, InsightsGivesTheSameAnswerAlsoWhenItWasKilled) {
  const std::string request = read_file(source_folder() / "examples/insights/request.json");
  const TempFolder usual;
  const Words begin = insights(request).begin;
  ASSERT_EQ(ask(usual, insights(request), in(usual, begin)), (Ended{0, 0}));
  for (const int nth : {0, 4, 9}) {
    const TempFolder folder;
    const std::string url = url_in(folder, GetParam());
    Ended ended = ask(folder, insights(request, nth), in(folder, begin, url));
    if (nth > 0) {
      ASSERT_EQ(ended, (Ended{-1, SIGKILL}));
      const Program again = insights(R"({"resumeJobId":"j"})");
      ended = ask(folder, again, in(folder, again.go_on, url));
    }
    EXPECT_EQ(ended, (Ended{0, 0}));
    EXPECT_EQ(answer_in(folder), answer_in(usual)) << nth;
    EXPECT_EQ(objects_of(folder) > 0, GetParam().payloads);
    if (nth > 0) continue;
    const TempFolder back;
    copy_there_and_back(url, "file:" + (folder / "copy").string(), url_in(back, GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, ProgramOn, ::testing::ValuesIn(kinds()),
                         [](const auto& kind) { return kind.param.name; });

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

TEST(ProgramStore, TheInspectorsHelpNamesTheKindsThatItOpens) {
  const std::string help = inspect("--help");
  EXPECT_THAT(help, ::testing::HasSubstr("file:DIR, journal:DIR"));
  EXPECT_THAT(help, ::testing::HasSubstr("sqlite:…"));
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

#ifdef RESUMABLE_WITH_POSTGRES
TEST(ProgramStore, APasswordInItsUrlIsNeitherShownNorKept) {
  if (PostgresServer::shared() == nullptr) GTEST_SKIP() << PostgresServer::missing;
  const PostgresServer& server = *PostgresServer::shared();
  const std::string password = "correcthorse";
  server.sql("CREATE ROLE secret LOGIN PASSWORD '" + password + "'");
  server.sql("GRANT CREATE ON DATABASE postgres TO secret");
  std::vector<Program> all = programs();
  all.push_back(insights(R"({"systemId":"Seattle"})"));
  for (const Program& program : all) {
    const TempFolder folder;
    const std::string url = server.url_of("secret", password) + "&schema=" + name_of(folder);
    std::ostringstream said;
    for (Words words : {Words{"status", "nothing"},
                        {"continue", "nothing"},
                        {"resume", "nothing"},
                        {"list"},
                        program.begin,
                        {"list"},
                        {"status"}}) {
      words.insert(words.end(), {"--out", (folder / "out").string(), "--store", url});
      call(program, words, said, said);
    }
    EXPECT_THAT(said.str(), ::testing::HasSubstr("postgres://secret@")) << program.name;
    for (const std::string words :
         {"list", "status latest", "status nothing", "show latest nothing", "explain latest",
          "verify", "gc", "migrate"}) {
      said << ask_inspector(words + " --store '" + url + "'").text;
    }
    inspect("copy --all --store '" + url + "' --to '" + (folder / "copy").string() + "'");
    EXPECT_THAT(said.str(), ::testing::Not(::testing::HasSubstr(password))) << program.name;
    for (const auto& [file, bytes] : snapshot(folder.path())) {
      EXPECT_EQ(bytes.find(password), std::string::npos) << file;
    }
  }
}
#endif

}  // namespace
}  // namespace resumable::test
