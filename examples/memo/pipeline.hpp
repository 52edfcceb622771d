/// @file
/// The memo as a pipeline: thirteen stages in a row, ten sections side by side.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <resumable/pipeline.hpp>
#include <resumable/resume.hpp>

#include "memo/review.hpp"
#include "memo/types.hpp"
#include "model/model.hpp"

namespace memo {

/// What a memo is made from. What is not given is as in the call that began the run.
struct Settings {
  std::optional<Request> request;
  std::optional<std::vector<std::string>>
      deck;                             ///< files of the sources; empty: the usual profile files
  std::optional<std::string> sources;   ///< a folder
  std::optional<std::string> provider;  ///< `extractive` or `openai:MODEL@URL`
  std::optional<double> min_score;      ///< the score below which a person has to approve
  std::chrono::milliseconds pace{0};    ///< how long a provider takes at least
  std::chrono::milliseconds retry_first{500};  ///< the wait after a first failure
  model::Terms terms{};                        ///< of the provider's server
};

/// The pipeline and the handles of what a caller may want to see.
class MemoPipeline {
 public:
  explicit MemoPipeline(const Settings& settings);

  [[nodiscard]] const resumable::Pipeline& pipeline() const noexcept { return pipeline_; }
  [[nodiscard]] resumable::Stage<Validation> validation() const noexcept { return *validation_; }
  [[nodiscard]] resumable::Stage<MemoState> state() const noexcept { return *state_; }

 private:
  resumable::Pipeline pipeline_{"memo"};
  std::optional<resumable::Stage<Validation>> validation_;
  std::optional<resumable::Stage<MemoState>> state_;
};

}  // namespace memo
