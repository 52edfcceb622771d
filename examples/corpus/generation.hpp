/// @file
/// One call that writes a corpus or continues it: the pipeline and its observers.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <vector>

#include <resumable/observer.hpp>
#include <resumable/resume.hpp>
#include <resumable/store.hpp>

#include "corpus/metadata.hpp"
#include "corpus/notes.hpp"
#include "corpus/pipeline.hpp"

namespace corpus {

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
