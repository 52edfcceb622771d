/// @file
/// The corpus as a pipeline: one queue that grows from the concept of a city to all its sections.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <resumable/pipeline.hpp>

#include "corpus/types.hpp"
#include "model/provider.hpp"
#include "model/terms.hpp"

namespace corpus {

/// What a corpus is made from, and how.
struct Settings {
  std::string city;                              ///< empty: the provider invents a name
  std::size_t target_words = 0;                  ///< planned words that are enough; 0: no limit
  std::size_t section_words = 2000;              ///< of each section, about
  std::string provider = "offline";              ///< or `openai:MODEL@URL`
  std::optional<std::filesystem::path> outline;  ///< not given: the recorded one
  std::string start_time;                        ///< of the run, for corpus_metadata.json
  bool as_recorded = false;  ///< the recorded values, in place of all that is above

  std::chrono::milliseconds pace{0};            ///< how long a provider takes at least
  std::chrono::milliseconds retry_first{4000};  ///< the wait after a first failure
  model::Terms terms{};                         ///< of the provider's server
  /// Told what the concept and each section gave, right before it is committed.
  std::function<void(const std::string& key, const Page& page)> written = [](const std::string&,
                                                                             const Page&) {};
  /// Who writes unless `provider` names a server.
  std::function<std::unique_ptr<model::Provider>()> offline;
};

/// What an expansion asks its provider, as events name it.
inline constexpr std::string_view expand_step = "expand";

/// The pipeline and the handles of what a caller may want to see.
class CorpusPipeline {
 public:
  explicit CorpusPipeline(Settings settings);
  CorpusPipeline(const CorpusPipeline&) = delete;  // its stages look at its settings
  CorpusPipeline& operator=(const CorpusPipeline&) = delete;

  [[nodiscard]] const resumable::Pipeline& pipeline() const noexcept { return pipeline_; }
  [[nodiscard]] resumable::FanOut<Page> pieces() const noexcept { return *pieces_; }
  [[nodiscard]] resumable::Stage<Totals> totals() const noexcept { return *totals_; }

 private:
  void declare();

  Settings settings_;
  resumable::Pipeline pipeline_{"corpus"};
  std::optional<resumable::FanOut<Page>> pieces_;
  std::optional<resumable::Stage<Totals>> totals_;
};

}  // namespace corpus
