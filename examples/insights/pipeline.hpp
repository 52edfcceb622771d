/// @file
/// A job as a pipeline. Open this first: what was asked and the tables are inputs; the loop is one
/// stage whose turns are a history; the charts are a fan-out, a file each.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <resumable/context.hpp>
#include <resumable/pipeline.hpp>

#include "insights/tools.hpp"
#include "insights/types.hpp"
#include "model/model.hpp"

namespace insights {

/// What a new job is made from. Both are recorded with it: to go on, a job needs its id alone, and
/// it sees the tables as they were when it began.
struct Given {
  Request request;
  Readings readings;
};

/// What a caller is told while a job runs.
struct Told {
  std::function<void(std::int64_t turns)> began;  ///< how many turns were there already
  std::function<void()> cache_hit;                ///< the store's cache had the result of a tool
};

inline constexpr resumable::Name pipeline_name{"insights"};
/// The history of the milliseconds that a job had taken when a call of it ended before a turn did.
inline constexpr const char* spent_name = "spent_ms";

class InsightsPipeline {
 public:
  /// @param given    nullopt: what was recorded
  /// @param calling  how the provider is asked
  /// @param now      the clock that measures the turns
  InsightsPipeline(
      std::optional<Given> given, model::Calling calling, Told told,
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

/// A reply is pushed to a history, which commits it, before any tool is called: whatever ends the
/// process, no reply is asked for twice. What tools give is not recorded, as it can be had again:
/// so a job stays small. Above fifty turns the first five and the last twenty remain; if the
/// request asks for summaries, all remain, since a summary stands for the older ones.
/// @param retry_first  the wait after the first error of a model that may pass
[[nodiscard]] Insights run_loop(resumable::Context& ctx, const Request& request,
                                const Readings& readings, const model::Call& call,
                                std::chrono::milliseconds retry_first, const Told& told,
                                const std::function<std::chrono::system_clock::time_point()>& now);

/// The charts of an answer.
[[nodiscard]] std::vector<Picture> pictures_of(const Readings& readings, const Insights& found);

}  // namespace insights
