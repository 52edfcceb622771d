/// @file
/// The program corpus, driven in process.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "corpus/commands.hpp"
#include "corpus_run.hpp"
#include "support/fake_openai.hpp"

namespace corpus::testing {

using Words = std::vector<std::string>;

struct Said {
  int code = -1;
  std::string out;
  std::string err;
};

class CorpusCommand : public ::testing::Test {
 protected:
  void SetUp() override { write_file(folder / "outline.json", outline_of(2, 2)); }

  Said corpus(Words words) const {
    words.insert(words.begin(), "corpus");
    words.insert(words.end(), {"--out", (folder / "out").string()});
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream out;
    std::ostringstream err;
    rs::cli::Console console{out, err};
    console.interactive = terminal;
    const int code = command(static_cast<int>(argv.size()), argv.data(), console);
    return {code, out.str(), err.str()};
  }
  Said generate(const Words& more = {}) const {
    Words words{"generate", "--outline", (folder / "outline.json").string(), "--section-words",
                "20"};
    words.insert(words.end(), more.begin(), more.end());
    return corpus(std::move(words));
  }
  std::string file(const std::string& name) const { return read_file(folder / "out" / name); }

  TempFolder folder;
  bool terminal = false;
};

/// For FakeOpenAi: what the offline writer would answer.
inline std::string offline_reply(const std::string& message) {
  const auto json = nlohmann::json::parse(message);
  OfflineWriter writer;
  return writer.ask({json.at("task").get<std::string>(), "", json.at("input").dump(), ""}, {}).json;
}

/// A server that answers so often, and then only that it is unwell.
inline std::deque<resumable::test::Act> after(std::size_t answers, std::size_t refusals) {
  std::deque<resumable::test::Act> acts(answers, resumable::test::answer());
  acts.insert(acts.end(), refusals, resumable::test::status(503, "0"));
  return acts;
}

}  // namespace corpus::testing
