/// @file
/// The program memo, driven in process, for tests.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/commands.hpp"
#include "memo/memo_run.hpp"
#include "resumable/file_store.hpp"
#include "support/temp_folder.hpp"

namespace memo::testing {

namespace rs = resumable;

/// What the program said.
struct Said {
  int code = -1;
  std::string out;
  std::string err;
};

class MemoTest : public ::testing::Test {
 protected:
  Said memo(std::vector<std::string> words) const {
    words.insert(words.begin(), "memo");
    words.insert(words.end(), {"--out", (folder / "out").string()});
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream out;
    std::ostringstream err;
    rs::cli::Console console{out, err};
    const int code = command(static_cast<int>(argv.size()), argv.data(), console);
    return {code, out.str(), err.str()};
  }
  Said run(std::vector<std::string> more = {"--min-score", "0"}) const {
    std::vector<std::string> words{"run", "Aldermere", "--sources", made_folder().string()};
    words.insert(words.end(), more.begin(), more.end());
    return memo(words);
  }
  /// From so little that a person has to approve it.
  Said run_poor() const {
    const auto poor = folder / "poor";
    std::filesystem::create_directories(poor);
    resumable::test::write_file(poor / "note.md", "Aldermere rents barges to builders.\n");
    return memo({"run", "Aldermere", "--sources", poor.string()});
  }
  resumable::test::TempFolder folder;
};

}  // namespace memo::testing
