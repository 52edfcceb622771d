/// @file
/// A job as a pipeline: what was asked and the readings as inputs; the loop; and the pictures, one
/// item and file each, when they are asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include <resumable/pipeline.hpp>

#include "insights/picture.hpp"
#include "insights/table.hpp"
#include "insights/types.hpp"
#include "model/model.hpp"

namespace insights {

/// What a new job is made from. Both are recorded with it: to go on, a job needs its id alone, and
/// it sees the readings as they were when it began.
struct Given {
  Request request;
  Readings readings;
};

inline constexpr resumable::Name pipeline_name{"insights"};
/// The history of what was spent whenever a turn was cut off.
inline constexpr const char* spent_name = "spent";

class InsightsPipeline {
 public:
  /// @param given    nullopt: what was recorded
  /// @param calling  how the provider is asked
  /// @param began    told when the loop begins, with the number of recorded turns
  /// @param now      the clock that measures the turns
  InsightsPipeline(
      std::optional<Given> given, model::Calling calling, std::function<void(std::int64_t)> began,
      std::function<std::chrono::system_clock::time_point()> now = std::chrono::system_clock::now);

  [[nodiscard]] const resumable::Pipeline& pipeline() const noexcept { return pipeline_; }
  [[nodiscard]] resumable::Stage<Insights> insights() const noexcept { return *insights_; }
  [[nodiscard]] resumable::Stage<std::vector<Picture>> drawings() const noexcept {
    return *drawings_;
  }

 private:
  resumable::Pipeline pipeline_{pipeline_name};
  std::optional<resumable::Stage<Insights>> insights_;
  std::optional<resumable::Stage<std::vector<Picture>>> drawings_;
};

}  // namespace insights
