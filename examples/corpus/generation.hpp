/// @file
/// One call that writes a corpus or continues it, and its observers. They keep
/// corpus_metadata.json, which says how far the corpus is, for people and other programs: a view,
/// made from what is committed and never read to decide.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

#include <resumable/observer.hpp>
#include <resumable/resume.hpp>
#include <resumable/store.hpp>

#include "corpus/pipeline.hpp"
#include "corpus/standing.hpp"
#include "corpus/types.hpp"

namespace corpus {

/// Writes the file when a call begins, after the concept, after every section and at the end.
/// Each costs the same, however long the corpus is.
class Metadata final : public resumable::Observer {
 public:
  /// @param before  what was there when the call began
  Metadata(std::filesystem::path file, const resumable::CheckpointStore& store, std::string run,
           const Settings& settings, const Standing& before);

  /// For Settings::written.
  void written(const std::string& key, const Page& page);
  void on_event(const resumable::Event& event) override;

  /// What the file says.
  [[nodiscard]] std::size_t word_count() const noexcept { return word_count_; }
  [[nodiscard]] std::size_t completed() const noexcept { return completed_; }

 private:
  void count(const std::string& key);
  void finish();
  void write() const;

  std::filesystem::path file_;
  const resumable::CheckpointStore& store_;
  std::string run_;
  std::size_t target_words_;
  std::string start_time_;
  std::string phase_;
  std::string city_name_;
  std::map<std::string, std::size_t> words_;  ///< of what is committed
  std::size_t word_count_;
  std::size_t completed_;
  std::mutex guard_;                                ///< of what follows
  std::map<std::string, std::size_t> uncommitted_;  ///< what is written and not committed yet
  std::string invented_;                            ///< the city's name, likewise
};

/// Tells which expansions were not asked for, because the cache has them. What it has and cannot be
/// taken is told by the library.
class Notes final : public resumable::Observer {
 public:
  explicit Notes(std::ostream& err) : err_(err) {}

  void on_event(const resumable::Event& event) override {
    if (event.kind != resumable::EventKind::skipped || event.step != expand_step) return;
    err_ << "note: the expansion of " << event.item << " is in the cache\n";
  }

 private:
  std::ostream& err_;
};

/// One call that writes a corpus or continues it: the pipeline and its observers.
class Generation {
 public:
  /// Looks at what `store` has of the run; writes nothing. `folder` is where the run's files are,
  /// `options` are those that it will be resumed with.
  /// @throws resumable::Error as ResumePlanner::plan
  Generation(resumable::CheckpointStore& store, const std::filesystem::path& folder,
             Settings settings, const resumable::ResumeOptions& options, std::ostream& err);

  [[nodiscard]] const CorpusPipeline& corpus() const noexcept { return corpus_; }
  [[nodiscard]] const resumable::Pipeline& pipeline() const noexcept { return corpus_.pipeline(); }
  [[nodiscard]] const Metadata& metadata() const noexcept { return metadata_; }
  /// For ResumeOptions::observers.
  [[nodiscard]] std::vector<resumable::Observer*> observers() { return {&notes_, &metadata_}; }

 private:
  Settings watched(Settings settings);

  Notes notes_;
  CorpusPipeline corpus_;
  Metadata metadata_;
};

}  // namespace corpus
