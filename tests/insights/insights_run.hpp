/// @file
/// What the tests of insights share: the data, a model on the loopback device, and the program,
/// called in process or as one of its own.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "insights/clerk.hpp"
#include "insights/commands.hpp"
#include "insights/readings.hpp"
#include "insights/tools.hpp"
#include "resumable/file_store.hpp"
#include "support/child_process.hpp"
#include "support/fake_openai.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace insights::testing {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

inline std::filesystem::path data_folder() {
  return resumable::test::source_folder() / "examples/data/insights";
}

/// December 2015 in Seattle.
inline const Readings& december() {
  static const Readings readings = load_readings(data_folder(), "Seattle", 31);
  return readings;
}

/// For FakeOpenAi: replies as the clerk would.
inline std::string clerk_reply(const std::string& message) {
  const Json json = Json::parse(message);
  Clerk clerk;
  return clerk.ask({json.at("task").get<std::string>(), "", json.at("input").dump(), ""}, {}).json;
}

/// For FakeOpenAi: calls a tool in every turn and never answers.
inline std::string endless_reply(const std::string&) {
  return R"({"thought":"on","calls":[{"name":"query","arguments":{"sql":"SELECT 1"}}]})";
}

/// A script for FakeOpenAi: some answers, then what `last` says.
inline std::deque<resumable::test::Act> answers_then(int count, resumable::test::Act last) {
  std::deque<resumable::test::Act> acts(static_cast<std::size_t>(count), resumable::test::answer());
  acts.push_back(std::move(last));
  return acts;
}

/// The input of the task in a request that a FakeOpenAi received.
inline Json input_of(const std::string& body) {
  const Json message = Json::parse(body).at("messages").back().at("content");
  return Json::parse(message.get<std::string>()).at("input");
}

inline std::string provider(const resumable::test::FakeOpenAi& server) {
  return "openai:fake@" + server.base_url();
}

struct Said {
  int code = -1;
  std::string out;
  std::string err;

  [[nodiscard]] Json json() const { return Json::parse(out); }
};

class InsightsTest : public ::testing::Test {
 protected:
  /// What the clerk does about December in Seattle: nine parts of two tables, and the answer.
  static constexpr int turns = 10;
  static constexpr int tool_calls = 9;

  [[nodiscard]] Said insights(Words words, const std::string& in = "") const {
    words.insert(words.begin(), "insights");
    words.insert(words.end(), {"--out", (folder / "out").string()});
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream out;
    std::ostringstream err;
    std::istringstream from{in};
    resumable::cli::Console console{out, err};
    const int code = command(static_cast<int>(argv.size()), argv.data(), console, from,
                             [this] { return std::chrono::system_clock::now() + later; });
    return {code, out.str(), err.str()};
  }

  static Json december_request() { return {{"systemId", "Seattle"}, {"contextWindowDays", 31}}; }

  [[nodiscard]] Said ask(const std::string& job, Words more = {},
                         const Json& request = december_request()) const {
    Words words{"request", "--data", data_folder().string(), "--job", job};
    words.insert(words.end(), more.begin(), more.end());
    return insights(std::move(words), request.dump());
  }
  [[nodiscard]] Said go_on(const std::string& job, Words more = {}) const {
    more.insert(more.begin(), "request");
    return insights(std::move(more), Json{{"resumeJobId", job}}.dump());
  }

  /// The program in a process of its own; its answer goes to the file `answer`.
  [[nodiscard]] std::unique_ptr<resumable::test::ChildProcess> start(
      const std::string& job, Words more, const Json& request = december_request()) const {
    resumable::test::write_file(folder / "request", request.dump());
    Words words{(resumable::test::program_folder() / "insights").string(),
                "request",
                (folder / "request").string(),
                "--data",
                data_folder().string(),
                "--job",
                job,
                "--out",
                (folder / "out").string()};
    words.insert(words.end(), more.begin(), more.end());
    const std::string answer = (folder / "answer").string();
    return std::make_unique<resumable::test::ChildProcess>([=] {
      std::vector<char*> argv;
      for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
      argv.push_back(nullptr);
      ::dup2(::open(answer.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), STDOUT_FILENO);
      ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
      ::execv(argv.front(), argv.data());
      return 98;
    });
  }

  /// What one call without a limit gives.
  [[nodiscard]] Json uninterrupted() const {
    const Said said = ask("uninterrupted", {"--budget", "0"});
    EXPECT_EQ(said.code, 0) << said.out;
    return said.json().at("insights");
  }

  /// A job whose model fails in turn 8: seven turns are saved.
  void leave_unfinished(const std::string& job, resumable::test::FakeOpenAi& server) const {
    server.script(answers_then(7, resumable::test::status(400)));
    ASSERT_EQ(ask(job, {"--provider", provider(server)}).code, 1);
  }
  /// What a job's checkpoints take, without the tables that it began with.
  [[nodiscard]] std::uintmax_t bytes_beside_readings(const std::string& job) const {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{checkpoints(job)}) {
      const bool counts =
          entry.is_regular_file() && !entry.path().filename().string().starts_with("readings.");
      if (counts) bytes += entry.file_size();
    }
    return bytes;
  }
  [[nodiscard]] std::filesystem::path checkpoints(const std::string& job) const {
    return folder / ("out/" + job + "/.resumable/checkpoints");
  }
  /// Where the first turn of a job is.
  [[nodiscard]] std::filesystem::path first_turn(const std::string& job) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator{checkpoints(job)}) {
      if (!entry.is_regular_file()) continue;
      if (resumable::test::read_file(entry.path()).find(R"("turn":1})") != std::string::npos) {
        return entry.path();
      }
    }
    return {};
  }
  /// Changes a byte of a record that only its digest tells.
  static void damage(const std::filesystem::path& file, const std::string& from,
                     const std::string& to) {
    std::string bytes = resumable::test::read_file(file);
    const auto at = bytes.find(from);
    ASSERT_NE(at, bytes.npos) << file;
    ASSERT_EQ(from.size(), to.size());
    resumable::test::write_file(file, bytes.replace(at, from.size(), to));
  }

  resumable::test::TempFolder folder;
  std::chrono::hours later{0};  ///< by which the program's clock is ahead
};

}  // namespace insights::testing
