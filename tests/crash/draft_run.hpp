/// @file
/// Five stages with fan-outs and files that three of them write in turn: small enough to be broken
/// at every call. Bodies and commits are noted in a file that outlives a killed process.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "resumable/file_store.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "resumable/text.hpp"
#include "support/run_log.hpp"

namespace resumable::test {

struct DraftRun {
  std::string words = "one";
  std::vector<std::string> items{"a", "b"};
  bool links_repeat = true;  ///< whether the value of links depends on draft's words
  Durability durability = Durability::full;
  std::filesystem::path folder{};  ///< for artifacts, where the store has none

  [[nodiscard]] Pipeline pipeline(const Journal& journal) const {
    Pipeline p{"draft"};
    const auto said = p.input("words", words);
    const auto given = p.input("items", items);
    const auto list = p.stage("list", inputs(given), [=](const std::vector<std::string>& all) {
      journal.note("run list");
      return all;
    });
    const auto draft = p.stage("draft", inputs(each(list), said),
                               [=](const std::string& item, const std::string& with) {
                                 journal.note("run draft/" + item);
                                 return Text{item + " " + with + "\n"};
                               });
    const auto links = p.stage("links", inputs(each(draft)), [=, this](Context& c, const Text& of) {
      journal.note("run links/" + c.item());
      return Text{(links_repeat ? of.text : c.item() + "\n") + "links\n"};
    });
    const auto charts = p.stage("charts", inputs(each(links)), [=](Context& c, const Text& of) {
      journal.note("run charts/" + c.item());
      return Text{of.text + "charts\n"};
    });
    const auto whole = p.stage("whole", inputs(charts), [=](const std::vector<Text>& all) {
      journal.note("run whole");
      std::string text;
      for (const Text& one : all) text += one.text;
      return Text{text};
    });
    p.artifact(list, "list.json");
    p.artifact(draft, "parts/{position:02}-{item}.md");
    p.artifact(links, "parts/{position:02}-{item}.md");
    p.artifact(charts, "parts/{position:02}-{item}.md");
    p.artifact(whole, "whole.md");
    return p;
  }

  /// Runs it; commits are noted as `committed stage/item`.
  Report run(CheckpointStore& store, const Journal& journal, sys::FileSystem* files = nullptr,
             unsigned concurrency = 1) const {
    const Pipeline p = pipeline(journal);
    EventLog log([&](const Event& event) {
      if (event.kind != EventKind::committed) return;
      journal.note("committed " + event.stage + (event.item.empty() ? "" : "/" + event.item));
    });
    const record::TestEnvironment environment{
        {.clock = nullptr, .random = nullptr, .file_system = files}};
    return resume(p, store,
                  {.run = "r1",
                   .concurrency = concurrency,
                   .durability = durability,
                   .artifact_folder = folder,
                   .observers = {&log}});
  }
};

/// The first body that ran after its value had been committed, or "".
[[nodiscard]] inline std::string ran_twice(const Journal& journal) {
  const auto lines = journal.lines();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with("committed ")) continue;
    const std::string body = "run " + lines[i].substr(10);
    if (std::find(lines.begin() + static_cast<std::ptrdiff_t>(i), lines.end(), body) !=
        lines.end()) {
      return body;
    }
  }
  return "";
}

/// What an undisturbed run leaves for people.
[[nodiscard]] inline std::map<std::string, std::string> undisturbed(const DraftRun& run) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  static_cast<void>(run.run(store, Journal{folder / "journal"}));
  return artifacts(folder / "store/r1");
}

}  // namespace resumable::test
