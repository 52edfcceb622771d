/// @file
/// The versions of a memo, and whether one of them waits for a person.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <resumable/cli.hpp>
#include <resumable/plan.hpp>
#include <resumable/store.hpp>

namespace memo {

/// What a store has of one subject, the oldest first.
struct Versions {
  std::vector<resumable::cli::Version> begun{};
  /// Stopped before everything that they are made from was recorded: nothing can continue them.
  std::vector<resumable::cli::Version> empty{};
};

Versions versions_of(resumable::CheckpointStore& store, std::string_view subject);

/// Whether a person may want to continue it.
bool is_unfinished(const resumable::cli::Version& version);

enum class Approval {
  not_asked,
  asked,  ///< going on would only ask again
  given,  ///< and nobody has gone on since
};

/// What `plan` says of a version whose last call ended in `state`.
Approval approval_of(const resumable::Plan& plan, std::optional<resumable::RunState> state);

/// Of a version as it was recorded.
Approval approval_of(resumable::CheckpointStore& store, const resumable::cli::Version& version);

}  // namespace memo
