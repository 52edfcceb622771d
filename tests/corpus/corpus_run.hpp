/// @file
/// What the tests of the corpus share: outlines, settings, a provider that keeps a list.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "corpus/generation.hpp"
#include "corpus/offline.hpp"
#include "corpus/outline.hpp"
#include "corpus/pipeline.hpp"
#include "resumable/file_store.hpp"
#include "resumable/resume.hpp"
#include "support/paths.hpp"
#include "support/run_log.hpp"
#include "support/temp_folder.hpp"

namespace corpus::testing {

namespace rs = resumable;
using resumable::test::Journal;
using resumable::test::read_file;
using resumable::test::TempFolder;
using resumable::test::write_file;

constexpr const char* run_id = "corpus";

inline std::filesystem::path eurovoc() {
  return resumable::test::source_folder() / "examples/data/corpus/eurovoc.json";
}

/// An outline of `domains` domains with `headings` sections each, whose names are equally long.
inline std::string outline_of(std::size_t domains, std::size_t headings) {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < domains; ++i) {
    nlohmann::json parts = nlohmann::json::array();
    for (std::size_t j = 0; j < headings; ++j) {
      const std::string name = "part " + std::to_string(1000 + j);
      parts.push_back({{"label", name}, {"concepts", {"weir", "mill race"}}});
    }
    const std::string name = "domain " + std::to_string(1000 + i);
    all.push_back({{"label", name}, {"microthesauri", std::move(parts)}});
  }
  return nlohmann::json{{"domains", std::move(all)}}.dump();
}

/// The offline writer, noting each question before it answers: `write Trade__Prices`.
class NotingWriter final : public model::Provider {
 public:
  explicit NotingWriter(std::filesystem::path file) : journal_(std::move(file)) {}

 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override {
    const auto input = nlohmann::json::parse(task.input);
    const std::string about = task.name == "write"
                                  ? file_name(input.at("section").get<std::string>())
                              : task.name == "expand" ? input.at("domain").get<std::string>()
                                                      : "";
    journal_.note(task.name + " " + about);
    return writer_.ask(task, stop);
  }
  std::string do_name() const override { return "offline"; }

  Journal journal_;
  OfflineWriter writer_;
};

/// Settings for EuroVoc with short sections.
inline Settings brief_settings() {
  Settings settings;
  settings.outline = eurovoc();
  settings.section_words = 20;
  settings.start_time = "2026-11-22T06:30:00Z";
  return settings;
}

/// One call of `corpus generate`, in process, in a folder that outlives it.
class Place {
 public:
  explicit Place(const TempFolder& folder)
      : root(folder.path()), store(root / "store"), asked(root / "asked") {}

  /// @param watcher  sees the events after the program's own observers
  /// @param around   stands in for the store
  rs::Report generate(Settings settings, rs::Observer* watcher = nullptr,
                      rs::ResumeOptions options = {.run = run_id},
                      rs::CheckpointStore* around = nullptr) {
    rs::CheckpointStore& through = around != nullptr ? *around : store;
    if (!settings.offline) {
      settings.offline = [file = root / "asked"] { return std::make_unique<NotingWriter>(file); };
    }
    generation =
        std::make_unique<Generation>(through, run_folder(), std::move(settings), options, said);
    options.observers = generation->observers();
    if (watcher != nullptr) options.observers.push_back(watcher);
    return rs::resume(generation->pipeline(), through, options);
  }

  std::filesystem::path run_folder() const { return root / "store" / run_id; }
  std::map<std::string, std::string> files() const {
    return resumable::test::artifacts(run_folder());
  }
  nlohmann::json metadata() const {
    return nlohmann::json::parse(read_file(run_folder() / "corpus_metadata.json"));
  }
  /// What was asked of the writer, of one task.
  std::vector<std::string> questions(const std::string& task) {
    std::vector<std::string> found;
    for (const std::string& line : asked.lines()) {
      if (line.starts_with(task + " ")) found.push_back(line.substr(task.size() + 1));
    }
    return found;
  }

  std::filesystem::path root;
  rs::FileStore store;
  Journal asked;
  std::ostringstream said;  ///< on stderr
  std::unique_ptr<Generation> generation;
};

/// The files of the entries in the store's cache.
inline std::vector<std::filesystem::path> cache_entries(const rs::CheckpointStore& store) {
  std::vector<std::filesystem::path> files;
  store.scan("@cache", {.quarantined = false}, [&](const rs::RecordHead& found) {
    files.emplace_back(store.locate("@cache", found.id));
    return true;
  });
  return files;
}

/// With one bit of its payload flipped.
inline std::string flipped(std::string record) {
  record.at(record.size() - 10) ^= 1;
  return record;
}

/// Names of those of `files` that are below `folder`.
inline std::vector<std::string> names_in(const std::map<std::string, std::string>& files,
                                         const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& [name, content] : files) {
    if (name.starts_with(folder + "/") && name.size() > folder.size() + 1)
      names.push_back(name.substr(folder.size() + 1));
  }
  return names;
}

}  // namespace corpus::testing
