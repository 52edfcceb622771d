/// @file
/// The sessions of a store, and which of them continues a batch.
///
/// A session is a run that this program made: other programs may keep theirs in the same store. The
/// first one of a batch has the batch's id; copies and others are called BATCH.2, BATCH.3 and so
/// on. What belongs to a batch is what has recorded its id, whatever phase it is in: a session that
/// cannot be read is an error, never a reason to make a second one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <resumable/error.hpp>
#include <resumable/plan.hpp>
#include <resumable/status.hpp>
#include <resumable/store.hpp>

#include "program/store.hpp"

namespace research {

/// How far a session is.
struct Progress {
  std::vector<std::string> done{};  ///< phases
  std::string at{};                 ///< the phase that goes on, empty when all are done
  std::size_t step = 0;             ///< in phase 3 with a known plan: the step that goes on
  std::size_t steps = 0;            ///< of the plan; 0: not known
  std::size_t steps_done = 0;

  [[nodiscard]] bool finished() const noexcept { return at.empty(); }
  /// `phase 3, step 4 of 8`
  [[nodiscard]] std::string text() const;
};

Progress progress_of(const resumable::Plan& plan);

struct Session {
  std::string id{};
  std::string batch{};
  std::string created{};
  std::optional<resumable::RunState> state{};
  resumable::Plan plan{};  ///< what a call would do, if all is read and proved
  Progress progress{};
  bool begun = true;      ///< else it was stopped before all that it is made from was recorded
  bool outdated = false;  ///< it holds findings of the first version of this program
  bool edited = false;    ///< a person changed the report of the finished session
  std::optional<resumable::Cause> damage{};  ///< what is not whole
  std::optional<resumable::Error> error{};   ///< why it cannot be read; the rest may be missing

  /// Damage or error in one line; empty: it is whole.
  [[nodiscard]] std::string trouble() const;
};

/// Reads all of a session: what one command says is whole, all do.
Session look_at(resumable::CheckpointStore& store, const std::string& id);

/// `completed`, or `in-progress` with what came in between: `in-progress (killed)`; `damaged`.
std::string status_of(const Session& session);

/// All sessions, the newest first. One that cannot be read hides no other.
std::vector<Session> sessions(resumable::CheckpointStore& store);

/// Those of a batch, first the one that goes on: the newest unfinished one by counter; when all are
/// finished, the newest; but one that is not whole before all others.
std::vector<Session> sessions_of(resumable::CheckpointStore& store, const std::string& batch);

/// A command to type: `research resume b1 --out DIR`.
std::string command(const program::Place& place, std::string_view name, std::string_view id = {});

/// Why a session cannot go on as it is, and what to do; nullopt: it can, if it has begun.
std::optional<resumable::Error> obstacle(const Session& session, const program::Place& place);
resumable::Error not_begun(const Session& session, const program::Place& place);

/// What the store has under an id.
enum class Known { nothing, session, other_program };
Known look_up(const resumable::CheckpointStore& store, const std::string& id);

/// The batch that a session has recorded; its own id as long as it has none.
std::string batch_of(const resumable::CheckpointStore& store, const std::string& session);

/// What reading the site has left out, in words; none before phase 0 is done.
std::vector<std::string> notes_of(const resumable::CheckpointStore& store,
                                  const std::string& session);

}  // namespace research
