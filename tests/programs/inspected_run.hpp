/// @file
/// The inspector driven in process, on the stores that the programs make.
#pragma once

#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <resumable/bundle.hpp>
#include <resumable/cli.hpp>
#include <resumable/inspector.hpp>
#include <resumable/sqlite_store.hpp>

#include "support/schema.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// What a command printed, and its exit code.
struct Answer {
  int code = 0;
  std::string out{};
  std::string err{};
};

template <class Call>
Answer answer_of(const Words& words, const Call& call) {
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream out;
  std::ostringstream err;
  cli::Console console{out, err};
  const int code = call(static_cast<int>(argv.size()), argv.data(), console);
  return {code, out.str(), err.str()};
}

/// What `resumable` says, with all that its own main links.
inline Answer inspect_store(const std::string& url, Words words) {
  words.insert(words.begin(), "resumable");
  words.insert(words.end(), {"--store", url});
  return answer_of(words, [](int argc, const char* const* argv, cli::Console& console) {
    InspectorOptions options;
    options.console = &console;
    options.stores["sqlite"] = open_sqlite_store;
    options.export_bundle = export_bundle;
    options.import_bundle = import_bundle;
    return resumable::inspect(argc, argv, options);
  });
}

/// A command, and the name of the schema of its JSON.
struct Asked {
  std::string schema;
  Words words;
};

/// A run in a store, for each command of the inspector. `stage` and `record` are a value of it.
struct InspectedRun {
  std::string url;
  std::string run;
  std::string stage;
  std::string record;
  std::filesystem::path beside;  ///< for what the commands write elsewhere

  [[nodiscard]] Answer inspect(const Words& words) const { return inspect_store(url, words); }

  /// What changes nothing.
  [[nodiscard]] std::vector<Asked> reading() const {
    const std::string none = (beside / "none").string();
    return {{"list", {"list"}},
            {"stats", {"list", "--stats"}},
            {"status", {"status", run}},
            {"plan", {"plan", run}},
            {"explain", {"explain", run, stage}},
            {"records", {"show", run}},
            {"show", {"show", run, record}},
            {"diff", {"diff", run}},
            {"graph", {"graph", run}},
            {"verify", {"verify"}},
            {"tags", {"tag", run}},
            {"fork", {"fork", run, "forked", "--from", stage, "--dry-run"}},
            {"fork", {"copy", run, "--to", none, "--dry-run"}},
            {"backup", {"copy", "--all", "--to", none, "--dry-run"}},
            {"fork", {"export", run, none, "--dry-run"}},
            {"migrate", {"migrate"}},
            {"gc", {"gc", "--dry-run", "--keep", "1"}},
            {"remove", {"remove", run, "--dry-run"}},
            {"report", {"report", run, "-o", (beside / "page.html").string()}}};
  }

  /// What changes the store, in an order in which each has something to do.
  [[nodiscard]] std::vector<Asked> writing() const {
    const std::string bundle = (beside / "run.tar").string();
    return {{"tag", {"tag", run, "before"}},
            {"fork", {"fork", run, "forked", "--from", stage}},
            {"merge", {"merge", run, "forked"}},
            {"fork", {"copy", run, "--to", "journal:" + (beside / "copied").string()}},
            {"fork", {"export", run, bundle}},
            {"fork", {"import", bundle, "imported"}},
            {"rollback", {"rollback", run, stage, "--tag", "before"}},
            {"migrate", {"migrate", "--backup", (beside / "backup").string()}},
            {"gc", {"gc", "--keep", "1", "--set-aside-older-than", "1ms", "--yes"}},
            {"remove", {"remove", "forked", "--yes"}},
            {"verify", {"verify", "--set-aside"}}};
  }
};

/// With the run, and a value of it, that `url` has.
inline InspectedRun inspected_run(const std::string& url, const std::filesystem::path& beside) {
  InspectedRun of{.url = url, .run = "latest", .stage = "", .record = "", .beside = beside};
  const Json all = Json::parse(of.inspect({"show", "latest", "--json"}).out);
  of.run = all.at("run").get<std::string>();
  for (const Json& one : all.at("records")) {
    const std::string key = one.at("key");
    if (one.value("kind", "") != "value" || !one.at("current").get<bool>()) continue;
    of.stage = key.substr(0, key.find('/'));
    of.record = key;
    return of;
  }
  ADD_FAILURE() << "no value";
  return of;
}

/// That one command answers in JSON as its schema says.
inline void expect_fits(const Asked& asked, const Answer& json) {
  const std::string& command = asked.words.front();
  ASSERT_TRUE(Json::accept(json.out)) << command << json.out << json.err;
  EXPECT_EQ(misfit(schema_of(asked.schema), Json::parse(json.out)), "") << command;
}

}  // namespace resumable::test
