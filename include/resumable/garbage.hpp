/// @file
/// Collecting garbage: removes what is no longer needed from a store. Part of manage.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

struct GarbageOptions {
  std::string prefix{};  ///< only runs whose ids begin with it
  /// Removes whole runs whose last record is older than this. Not set: only runs whose own
  /// ResumeOptions::time_to_live is over.
  std::optional<std::chrono::seconds> runs_older_than{};
  RemoveArtifacts artifacts = RemoveArtifacts::keep;  ///< of removed runs
  /// How many generations of each record are kept, including the current one; 0 counts as 1. A
  /// generation with a newer schema than the current one is always kept.
  std::size_t keep_generations = 2;
  /// Removes only those surplus generations that are older than this.
  std::optional<std::chrono::seconds> older_than{};
  /// Removes further old generations, the oldest first, until the payloads have no more bytes than
  /// this, or only current ones are left. Counts the payloads of all visited runs together, except
  /// runs that a process owns.
  std::optional<std::uint64_t> max_bytes{};
  /// Removes files that were set aside longer ago than this: damaged records in
  /// `.resumable/quarantine`, and copies of replaced files, with what people wrote, in
  /// `.resumable/removed`. Nothing is removed from a run that has a damaged record, or a set-aside
  /// record without a newer value: see GarbageResult::skipped. Reads the payloads of runs that have
  /// such files. Not set: removes none.
  std::optional<std::chrono::seconds> set_aside_older_than{};
  /// Removes the records of items and stages that the pipeline has not had for longer than this:
  /// the time counts from the first call of resume() that ended `done` without them. Only of runs
  /// whose last work ended so. These stay: records of side effects, which an item that returns
  /// would repeat; stages and items in which an edit of a person or an adopted file is; all of a
  /// run that has a tag or a record that cannot be read. If an item returns, it runs again. Not
  /// set: removes none.
  std::optional<std::chrono::seconds> left_older_than{};
  bool dry_run = false;  ///< lists the same, and removes nothing
};

/// What was removed, or would be.
struct Garbage {
  std::string run;
  std::string path;              ///< of a record, or of a file in the run's folder; "": the run
  std::uint64_t generation = 0;  ///< of a record
  std::uint64_t bytes = 0;       ///< of payloads, or of the file
  std::string where;             ///< CheckpointStore::locate(), or the run
  bool left = false;             ///< of a stage or item that the pipeline does not have any more
};

struct GarbageResult {
  struct Skipped {
    std::string run;
    std::string why;
  };
  std::vector<Garbage> removed{};
  std::uint64_t bytes = 0;  ///< of all that was removed, and of the leftovers
  /// What the store kept outside of its records, and no record named any more, before anything was
  /// removed: see CheckpointStore::remove_leftovers(). Only without a GarbageOptions::prefix.
  std::vector<Leftover> leftovers{};
  /// What the disk got back: by how much the runs' folders have become smaller. A journal may keep
  /// the room for its next records, and a small file takes a block. nullopt: with dry_run, and in
  /// stores without a folder for each run, which keep the room.
  std::optional<std::uint64_t> disk_bytes{};
  /// Files in `.resumable/quarantine` and `.resumable/removed` that stay: see
  /// GarbageOptions::set_aside_older_than.
  std::size_t set_aside = 0;
  std::uint64_t set_aside_bytes = 0;
  std::vector<Skipped>
      skipped{};  ///< what was left, and why: another process owns it, for instance
};

/// Removes old generations, and whole runs whose time is over. These are kept, unless
/// `left_older_than` says otherwise: the current generation of each record and, if that is damaged,
/// all older ones; the generations that a tag names; runs that have a tag, that a process owns, or
/// that have a record that cannot be read. Then CheckpointStore::remove_leftovers(). Safe while
/// other processes use the store. If it is killed, the next call removes the rest.
///
/// Reads all headers of the store, and the payloads of records of which a generation is removed.
/// @throws Error{Errc::unreadable}  the runs cannot be listed. Errors of single runs are in
/// `skipped`
RESUMABLE_EXPORT GarbageResult collect_garbage(CheckpointStore& store,
                                               const GarbageOptions& options = {});

}  // namespace v0
}  // namespace resumable
