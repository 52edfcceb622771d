/// @file
/// What users have changed, and what a run was resumed from.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <resumable/plan.hpp>
#include <resumable/status.hpp>

namespace review {

/// One change in a file.
struct Modification {
  std::string action;  ///< added, deleted or changed
  std::string file;    ///< without its folder
  std::string path;    ///< a JSON pointer
  std::string before;  ///< JSON; empty: it was added
  std::string after;   ///< JSON; empty: it was deleted
};

struct ResumedFrom {
  std::string run;
  std::string state;  ///< of the run: waiting, killed, …
  std::optional<resumable::Timestamp> at{};
  std::vector<Modification> modifications{};
  std::size_t count = 0;  ///< of all; a plan names the first 50 of each stage
};

/// What the next call takes over, according to its plan.
[[nodiscard]] ResumedFrom resumed_from(const resumable::Plan& plan,
                                       const resumable::RunStatus& status);

/// Appends a line of JSON to `resumed_from.jsonl` in the run's folder.
void log(const ResumedFrom& resumed, const std::filesystem::path& folder);

/// Full days since then.
[[nodiscard]] long days_since(resumable::Timestamp at, std::chrono::system_clock::time_point now);

/// `<field>_edited.yaml`, laid beside `<field>_review.yaml`, takes its place. It must be good, else
/// nothing changes. When the file in its place was edited as well, that becomes
/// `<field>_replaced.yaml`. Returns what was done, one sentence for each.
/// @throws resumable::Error{Errc::edited}  it cannot become the field's value
std::vector<std::string> take_edited_files(const resumable::Plan& plan,
                                           const std::filesystem::path& folder);

/// The same files, of which nothing has been taken yet: one sentence for each.
std::vector<std::string> edited_files(const std::filesystem::path& folder);

/// What is damaged, and what is used instead.
std::vector<std::string> damage_of(const resumable::Plan& plan);

}  // namespace review
