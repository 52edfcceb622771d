/// @file
/// What the command line said, and what it means for a run that may have begun before.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <resumable/cli.hpp>
#include <resumable/store.hpp>

#include "corpus/pipeline.hpp"
#include "program/store.hpp"

namespace corpus {

struct Arguments {
  std::string city;
  program::Place place{};
  std::optional<std::size_t> target_words;
  std::optional<std::size_t> section_words;
  std::optional<std::string> provider;
  std::optional<std::string> outline;
  std::optional<std::string> start_time;
  bool no_resume = false;
  bool yes = false;  ///< no question before paid work is written again
  std::string tag;   ///< of restore: `former-1`
  unsigned pace = 0;
  model::Terms terms{};
  std::chrono::milliseconds retry_first{4000};
  resumable::ResumeOptions options{};  ///< the flags of generate and plan
  resumable::cli::OutputOptions output{};

  /// The run's id: the city's name, or `corpus`.
  /// @throws resumable::Error{Errc::bad_name}  the name has no letter or digit
  [[nodiscard]] std::string run_id() const;
  /// What to type for this run: `corpus status --city Yorkbori`.
  [[nodiscard]] std::string command(std::string_view words) const;
};

/// Whether it is a time of UTC as corpus_metadata.json has it: `2026-11-22T06:30:00Z`.
[[nodiscard]] bool is_time(const std::string& text);

/// Flags count first, then what the run has recorded, unless it starts again, then the defaults.
/// @throws resumable::Error  the outline cannot be used, or what was recorded cannot be read
[[nodiscard]] Settings settings_of(const Arguments& arguments,
                                   const resumable::CheckpointStore& store);

}  // namespace corpus
