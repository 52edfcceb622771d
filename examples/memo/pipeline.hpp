/// @file
/// The memo as a pipeline: thirteen stages in a row, ten sections side by side.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <resumable/pipeline.hpp>

#include "memo/types.hpp"
#include "model/model.hpp"

namespace memo {

/// What a memo is made from. What is not given is as in the call that began the run.
struct Settings {
  std::optional<Request> request{};
  std::optional<std::vector<std::string>> deck{};  ///< files; empty: the usual ones
  std::optional<std::string> sources{};            ///< a folder
  std::optional<std::string> provider{};           ///< `quote`, `openai:MODEL@URL`, `recorded:FILE`
  std::optional<double> min_score{};  ///< the score below which a person has to approve
  model::Calling calling{};
};

/// The pipeline and the handle of what its callers may want to see.
class MemoPipeline {
 public:
  explicit MemoPipeline(const Settings& settings);

  [[nodiscard]] const resumable::Pipeline& pipeline() const noexcept { return pipeline_; }
  [[nodiscard]] resumable::Stage<MemoState> state() const noexcept { return *state_; }

 private:
  resumable::Pipeline pipeline_{"memo"};
  std::optional<resumable::Stage<MemoState>> state_;
};

}  // namespace memo
