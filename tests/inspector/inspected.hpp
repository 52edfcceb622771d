/// @file
/// The inspector driven in process, and runs for it to look at.
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "resumable/cli.hpp"
#include "resumable/inspector.hpp"
#include "resumable/resumable.hpp"
#include "resumable/run_list.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// What a command printed, and its exit code.
struct Said {
  int code = -1;
  std::string out{};
  std::string err{};

  [[nodiscard]] Json json() const { return Json::parse(out); }
};

/// A store that a host links; it is owned by the test.
class Linked final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
};

/// A folder with runs of a small pipeline, and the inspector.
class Inspected : public ::testing::Test {
 protected:
  /// names -> words (items) -> count, and `note`, a text; a value of `company` changes all.
  static Pipeline greeting(const std::string& company, const std::string& people = "ann bob",
                           bool fails = false) {
    Pipeline p{"greet"};
    const auto of = p.input("company", company);
    const auto who = p.input("people", people);
    const auto names = p.stage("names", inputs(who), [](const std::string& all) {
      std::vector<std::string> list;
      std::istringstream words{all};
      for (std::string word; words >> word;) list.push_back(word);
      return list;
    });
    const auto words = p.stage("words", inputs(of, each(names)),
                               [](const std::string& c, const std::string& name) {
                                 return nlohmann::json{{"greeting", "Hello, " + name}, {"from", c}};
                               });
    const auto count =
        p.stage("count", inputs(words), [](Context& ctx, const std::vector<nlohmann::json>& all) {
          ctx.spend({.usd = 0.25});
          return all.size();
        });
    const auto note =
        p.stage("note", inputs(of, count), [fails](const std::string& c, const std::size_t& n) {
          if (fails) throw std::runtime_error("no paper");
          return Text{c + "\nwrites " + std::to_string(n) + " letters\n"};
        });
    p.artifact(words, "letters/{item}.json");
    p.artifact(note, "note.txt");
    return p;
  }

  Outcome run(const std::string& id, const Pipeline& pipeline) {
    return resume(pipeline, store(), {.run = id}).outcome();
  }

  FileStore& store() {
    if (!store_) store_ = std::make_unique<FileStore>(folder_.path());
    return *store_;
  }

  Said inspect(Words words) {
    words.insert(words.begin(), "resumable");
    words.insert(words.end(), {"--store", url});
    return inspect_as_typed(words);
  }

  Said inspect_as_typed(const Words& words) {
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream out;
    std::ostringstream err;
    cli::Console console{out, err};
    options.console = &console;
    const int code = resumable::inspect(static_cast<int>(argv.size()), argv.data(), options);
    return {code, out.str(), err.str()};
  }

  /// The file of a record, by how its name begins.
  std::filesystem::path record_file(std::string_view run, std::string_view name) {
    const std::string name_of_run = run == "my run" ? "my%20run" : std::string{run};
    const auto below = folder_ / (name_of_run + "/.resumable/checkpoints");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(below)) {
      const std::string path = std::filesystem::relative(entry.path(), below).string();
      if (entry.is_regular_file() && path.starts_with(name)) return entry.path();
    }
    throw std::runtime_error("no file of " + std::string{name});
  }

  static void flip_last_byte(const std::filesystem::path& file) {
    std::string bytes = read_file(file);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    write_file(file, bytes);
  }

  TempFolder folder_;
  std::string url = "file:" + folder_.path().string();
  InspectorOptions options;

 private:
  std::unique_ptr<FileStore> store_;
};

}  // namespace resumable::test
