/// @file
/// A research session as a pipeline: the phases of the seed, phase 3 with its steps side by side.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "model/terms.hpp"
#include "research/types.hpp"
#include "resumable/pipeline.hpp"

namespace research {

inline constexpr std::array<std::string_view, 6> phases{"phase0", "phase0_5", "phase1",
                                                        "phase2", "phase3",   "phase4"};

/// What a session is made from. What is not given is as in the call that created it.
struct Settings {
  std::optional<std::string> batch{};
  std::optional<std::string> created{};   ///< UTC
  std::optional<std::string> topic{};     ///< empty: the site's own title
  std::optional<std::string> site{};      ///< an origin, or a folder to serve and scrape
  std::optional<std::string> provider{};  ///< `extractive` or `openai:MODEL@URL`
  std::optional<Limits> limits{};         ///< how much of the site is read
  std::chrono::milliseconds pace{0};  ///< how long an answer, of site or provider, takes at least
  std::chrono::milliseconds retry_first{500};  ///< the wait after a provider's first failure
  model::Terms terms{};                        ///< of the provider's server
  /// Between two requests; robots.txt may ask for more. Not given: a second, but none on this
  /// machine.
  std::optional<std::chrono::milliseconds> delay{};
  std::string ca{};  ///< a file of certificates to trust, for https
};

/// The phases. report.md in the session's folder is what they come to.
class ResearchPipeline {
 public:
  explicit ResearchPipeline(const Settings& settings);
  ResearchPipeline(const ResearchPipeline&) = delete;  // its stages look at it
  ResearchPipeline& operator=(const ResearchPipeline&) = delete;

  [[nodiscard]] const resumable::Pipeline& pipeline() const noexcept { return pipeline_; }
  /// Whether a run of it has failed because the pages say too little about the topic.
  [[nodiscard]] bool is_off_topic() const noexcept { return off_topic_; }

 private:
  void declare(const Settings& settings);

  resumable::Pipeline pipeline_{"research"};
  std::atomic<bool> off_topic_ = false;
};

}  // namespace research
