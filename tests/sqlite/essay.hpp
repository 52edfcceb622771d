/// @file
/// A small run in a database: items with a step, two stages that write one file in turn, a history.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "resumable/resumable.hpp"
#include "resumable/sqlite_store.hpp"
#include "support/run_log.hpp"

namespace resumable::test {

/// outline -> sections (items with a step) -> draft -> polish, which write one file in turn; a
/// history beside them.
struct Essay {
  Durability durability = Durability::full;
  bool exports = true;
  bool fresh = false;
  std::filesystem::path notes{};  ///< else `journal` in its folder

  [[nodiscard]] Pipeline pipeline(const Journal& journal,
                                  std::optional<Stage<Text>>* last = nullptr) const {
    Pipeline p{"essay"};
    const auto outline = p.stage("outline", [=] {
      journal.note("run outline");
      return std::vector<std::string>{"a", "b", "c"};
    });
    const auto sections =
        p.stage("sections", inputs(each(outline)), [=](Context& ctx, const std::string& title) {
          journal.note("run sections/" + title);
          return Text{ctx.step("words", [&] { return title + "!\n"; })};
        });
    p.stage("talk", [=](Context& ctx) {
      journal.note("run talk");
      auto turns =
          ctx.history<std::string>({.compaction = {.first = 1, .last = 2, .threshold = 4}});
      while (turns.size() < 8) {
        turns.push_back("turn " + std::to_string(turns.size()));
        turns.safepoint();
      }
      return turns.size();
    });
    const auto draft = p.stage("draft", inputs(sections), [=](const std::vector<Text>& all) {
      journal.note("run draft");
      std::string text;
      for (const Text& one : all) text += one.text;
      return Text{text};
    });
    const auto polish = p.stage("polish", inputs(draft), [=](const Text& text) {
      journal.note("run polish");
      return Text{text.text + "Polished.\n"};
    });
    if (last != nullptr) *last = polish;
    if (!exports) return p;
    p.artifact(sections, "sections/{item}.md");
    p.artifact(draft, "report.md");
    p.artifact(polish, "report.md");
    return p;
  }

  /// The exit code; commits are noted.
  int run(const std::filesystem::path& folder, std::string* said = nullptr) const {
    const Journal journal{notes.empty() ? folder / "journal" : notes};
    SqliteStore store{folder / "db/s.db"};
    const Pipeline p = pipeline(journal);
    EventLog log([&](const Event& event) {
      if (event.kind != EventKind::committed || !event.step.empty()) return;
      journal.note("committed " + event.stage + (event.item.empty() ? "" : "/" + event.item));
    });
    ResumeOptions options{
        .run = "r1", .fresh = fresh, .durability = durability, .observers = {&log}};
    if (exports) options.artifact_folder = folder / "out";
    const Report report = resume(p, store, options);
    if (said != nullptr) *said = report.text();
    return report.exit_code();
  }
};

/// The first body that ran after its value had been committed, or "".
inline std::string ran_twice(const std::filesystem::path& folder) {
  std::set<std::string> committed;
  for (const std::string& line : Journal{folder / "journal"}.lines()) {
    if (line.starts_with("committed ")) committed.insert(line.substr(10));
    if (line.starts_with("run ") && committed.contains(line.substr(4))) return line;
  }
  return "";
}

}  // namespace resumable::test
