/// @file
/// A run's manifest: the summary that is written when a call begins and when it ends, for people
/// and for lists. docs/format.md specifies it. It never decides anything.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/resume.hpp"
#include "resumable/run_list.hpp"
#include "resumable/status.hpp"
#include "resumable/store.hpp"
#include "resumable/time.hpp"

namespace resumable::run {

struct Manifest {
  std::string run{};
  std::string uid{};
  std::string pipeline{};
  std::string status{};  ///< an Outcome's name, or `running`
  std::optional<Timestamp> at{};
  std::optional<Timestamp> created{};
  int signal = 0;
  std::string why{};  ///< the last call failed or was refused: its error's first sentence
  std::vector<StageReport> stages{};
  std::vector<RunCall> calls{};   ///< the newest last, 64 at most
  std::string artifact_folder{};  ///< as the last call gave it, absolute; else ""
  std::map<std::string, std::string> labels{};
  std::chrono::seconds time_to_live{0};  ///< 0: not limited
  Cost cost{};                           ///< of all calls before the one in progress
  Overhead overhead{};                   ///< the same

  /// What was written last; an empty one where there is none, or it cannot be understood.
  /// @throws Error{Errc::unreadable}; Error{Errc::foreign}  it is encrypted
  [[nodiscard]] static Manifest read(const CheckpointStore& store, std::string_view run);
  [[nodiscard]] static std::optional<Timestamp> time_of(std::string_view utc);

  void begin_call(const RunCall& call);
  /// Once `status` and `stages` are those of the end.
  void end_call(const detail::ReportData& report);
  [[nodiscard]] std::string text() const;
  /// A killed process also leaves `running`, but then no process owns the run.
  [[nodiscard]] RunState state(const std::optional<Owner>& owner) const;
  /// The same, and `not_begun` where neither a manifest nor a result is there.
  [[nodiscard]] RunState state_in(const CheckpointStore& store, std::string_view id,
                                  const std::optional<Owner>& owner) const;
};

}  // namespace resumable::run
