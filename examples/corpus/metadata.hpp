/// @file
/// corpus_metadata.json: how far the corpus is, for people and other programs. A view: made from
/// what is committed, never read to decide.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include <resumable/observer.hpp>

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

}  // namespace corpus
