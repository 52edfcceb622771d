/// @file
/// A research session as a pipeline: six phases, phase 3 with its steps side by side.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include <resumable/pipeline.hpp>

#include "model/model.hpp"
#include "research/crawl.hpp"
#include "research/types.hpp"

namespace research {

inline constexpr std::array<std::string_view, 6> phases{"phase0", "phase0_5", "phase1",
                                                        "phase2", "phase3",   "phase4"};

/// What a session is made from. What is not given is as in the call that created it.
struct Settings {
  std::optional<std::string> batch{};
  std::optional<std::string> created{};   ///< UTC
  std::optional<std::string> topic{};     ///< empty: the site's own title
  std::optional<std::string> site{};      ///< an origin, or a folder to serve and scrape
  std::optional<std::string> provider{};  ///< `quote`, `openai:MODEL@URL` or `recorded:FILE`
  std::optional<Limits> limits{};         ///< how much of the site is read, and quoted
  model::Calling calling{};               ///< how a model is asked
  Visiting visiting{};                    ///< how the site is
};

/// The phases. report.md in the session's folder is what they come to.
class ResearchPipeline {
 public:
  explicit ResearchPipeline(const Settings& settings);
  ResearchPipeline(const ResearchPipeline&) = delete;  // its stages look at it
  ResearchPipeline& operator=(const ResearchPipeline&) = delete;

  [[nodiscard]] const resumable::Pipeline& pipeline() const noexcept { return pipeline_; }
  /// Whether a run of it has failed because no page has a word of the topic.
  [[nodiscard]] bool is_off_topic() const noexcept { return off_topic_; }

 private:
  void declare(const Settings& settings);

  resumable::Pipeline pipeline_{"research"};
  std::atomic<bool> off_topic_ = false;
};

}  // namespace research
