// The inspector on the stores of the programs: each command answers, its JSON is as its schema
// says, and of damage it says so.
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <resumable/cli.hpp>
#include <resumable/inspector.hpp>

#include "corpus/commands.hpp"
#include "memo/commands.hpp"
#include "research/commands.hpp"
#include "review/commands.hpp"
#include "support/paths.hpp"
#include "support/schema.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

struct Inspected {
  std::string name;
  std::function<int(int argc, const char* const* argv, cli::Console& console)> command;
  Words words;
};

struct Answer {
  int code = 0;
  std::string out{};
  std::string err{};
};

std::string data_of(const std::string& folder) {
  return (source_folder() / "examples/data" / folder).string();
}

std::vector<Inspected> inspected_programs() {
  return {{"memo", memo::command, {"run", "Kelpworks", "--sources", data_of("memo-kelpworks")}},
          {"corpus",
           corpus::command,
           {"generate", "--target-words", "400", "--section-words", "40", "--start-time", "2026"}},
          {"review", review::command, {"run", "water", "--sources", data_of("memo-tidewell")}},
          {"research",
           research::command,
           {"continue", "20260101_120000", "--pages", data_of("research-ferry")}}};
}

class InspectorOn : public ::testing::TestWithParam<std::string> {
 protected:
  template <class Call>
  static Answer answer(Words words, const Call& call) {
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream out;
    std::ostringstream err;
    cli::Console console{out, err};
    const int code = call(static_cast<int>(argv.size()), argv.data(), console);
    return {code, out.str(), err.str()};
  }

  void run(const Inspected& program) {
    url_ = GetParam() + (folder_ / program.name).string();
    Words words{program.name};
    words.insert(words.end(), program.words.begin(), program.words.end());
    words.insert(words.end(), {"--out", (folder_ / program.name / "out").string()});
    words.insert(words.end(), {"--store", url_});
    const Answer made = answer(words, program.command);
    EXPECT_THAT(made.code, ::testing::AnyOf(0, 75)) << made.err;
  }

  [[nodiscard]] Answer inspect(Words words) const {
    words.insert(words.begin(), "resumable");
    words.insert(words.end(), {"--store", url_});
    return answer(words, [](int argc, const char* const* argv, cli::Console& console) {
      InspectorOptions options;
      options.console = &console;
      return resumable::inspect(argc, argv, options);
    });
  }

  /// The schema's name, and the command. `stage` and `record` are of this run.
  [[nodiscard]] std::vector<std::pair<std::string, Words>> reading(
      const std::string& stage, const std::string& record) const {
    return {{"list", {"list"}},
            {"stats", {"list", "--stats"}},
            {"status", {"status", "latest"}},
            {"plan", {"plan", "latest"}},
            {"explain", {"explain", "latest", stage}},
            {"records", {"show", "latest"}},
            {"show", {"show", "latest", record}},
            {"diff", {"diff", "latest"}},
            {"graph", {"graph", "latest"}},
            {"verify", {"verify"}},
            {"tags", {"tag", "latest"}},
            {"fork", {"fork", "latest", "forked", "--from", stage, "--dry-run"}},
            {"fork", {"copy", "latest", "--to", (folder_ / "none").string(), "--dry-run"}},
            {"backup", {"copy", "--all", "--to", (folder_ / "none").string(), "--dry-run"}},
            {"migrate", {"migrate"}},
            {"gc", {"gc", "--dry-run", "--keep", "1"}},
            {"remove", {"remove", "latest", "--dry-run"}},
            {"report", {"report", "latest", "-o", (folder_ / "page.html").string()}}};
  }

  /// A stage that has a value, and its record.
  [[nodiscard]] std::pair<std::string, std::string> some_value() const {
    const Json all = Json::parse(inspect({"show", "latest", "--json"}).out);
    for (const Json& one : all.at("records")) {
      const std::string key = one.at("key");
      if (one.value("kind", "") == "value" && one.at("current").get<bool>()) {
        return {key.substr(0, key.find('/')), key};
      }
    }
    ADD_FAILURE() << "no value";
    return {};
  }

  void expect_json(const std::string& schema, Words words) const {
    const std::string command = words.front();
    const Answer text = inspect(words);
    EXPECT_EQ(text.code, 0) << command << text.err;
    words.emplace_back("--json");
    const Answer json = inspect(words);
    EXPECT_EQ(json.code, 0) << command << json.err;
    ASSERT_TRUE(Json::accept(json.out)) << command << json.out;
    EXPECT_EQ(misfit(schema_of(schema), Json::parse(json.out)), "") << command;
  }

  TempFolder folder_;
  std::string url_;
};

TEST_P(InspectorOn, EachProgramsRunEveryCommandAnswersAsItsSchemaSays) {
  for (const Inspected& program : inspected_programs()) {
    SCOPED_TRACE(program.name);
    run(program);
    const auto [stage, record] = some_value();
    for (const auto& [schema, words] : reading(stage, record)) expect_json(schema, words);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
  }
}

TEST_P(InspectorOn, EachProgramsRunWithAFlippedByteSaysSoAndAnswersTheRest) {
  for (const Inspected& program : inspected_programs()) {
    SCOPED_TRACE(program.name);
    run(program);
    const auto [stage, record] = some_value();
    const std::string where = inspect({"show", "latest", record}).out;
    const std::size_t at = where.find("  file      ") + 12;
    std::string file = where.substr(at, where.find('\n', at) - at);
    file = file.substr(0, file.find(" at byte"));
    ASSERT_TRUE(std::filesystem::exists(file)) << file;
    std::string bytes = read_file(file);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_file(file, bytes);
    const Answer verified = inspect({"verify"});
    EXPECT_EQ(verified.code, 3) << verified.out;
    EXPECT_THAT(verified.out, ::testing::HasSubstr("next  "));
    for (auto [schema, words] : reading(stage, record)) {
      words.emplace_back("--json");
      const Answer said = inspect(words);
      EXPECT_THAT(said.code, ::testing::AnyOf(0, 3, 2)) << words.front() << said.err;
      if (said.code == 2) {  // the record is gone for who asks
        EXPECT_THAT(words.front(), ::testing::AnyOf("explain", "show", "fork")) << said.err;
      }
      if (said.out.empty()) continue;
      ASSERT_TRUE(Json::accept(said.out)) << words.front() << said.out;
      EXPECT_EQ(misfit(schema_of(schema), Json::parse(said.out)), "") << words.front();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, InspectorOn, ::testing::Values("file:", "journal:"),
                         [](const auto& kind) {
                           return kind.param.substr(0, kind.param.size() - 1);
                         });

}  // namespace
}  // namespace resumable::test
