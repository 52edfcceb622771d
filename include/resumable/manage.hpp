/// @file
/// Functions that manage the runs of a store without the program that made them: verify, copy,
/// fork, tag, roll back, collect garbage, merge, back up.
///
/// None of these functions needs the pipeline. Each takes the lease of the run that it writes to,
/// as resume() does, so it throws Error{Errc::busy} while another process owns that run; runs that
/// it only reads may continue meanwhile. Everything that one call writes to a run is one commit:
/// after a kill or a power loss at any point the run is as it was before or as it should be after,
/// and repeating the call completes it. Safe to use from several threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/garbage.hpp"  // IWYU pragma: export
#include "resumable/record.hpp"
#include "resumable/store.hpp"
#include "resumable/time.hpp"

namespace resumable {
inline namespace v0 {

// ---- verify ------------------------------------------------------------------------------------

/// A record that cannot be used.
struct RecordProblem {
  std::string path;              ///< of the record
  std::uint64_t generation = 0;  ///< of the record
  std::string key;               ///< the path as people write it, if the header has it
  Damage damage = Damage::torn;  ///< `torn` also when only the payload is damaged
  bool current = false;          ///< whether no newer record of this path is intact
  std::string file;              ///< where it is: CheckpointStore::locate()
  std::string what;              ///< one sentence: what is wrong
  std::string next;              ///< one sentence: what to do
  std::vector<Advice> advice{};  ///< the options that do it
};

/// What verify_run() found.
struct Verification {
  std::size_t records = 0;    ///< intact ones, kept generations included
  std::uint64_t bytes = 0;    ///< of their payloads
  std::size_t set_aside = 0;  ///< damaged ones that were set aside earlier
  std::vector<RecordProblem> problems{};
  /// The files that were last exported, according to the records, by path; they were not read.
  std::vector<KnownArtifact> exported{};

  [[nodiscard]] bool ok() const noexcept { return problems.empty(); }
};

/// Reads every record of a run, including older generations, and checks everything that has a
/// checksum or a digest. Writes nothing, takes no lease, works on read-only media and while another
/// process owns the run. Reads all bytes once, a megabyte at a time.
/// @throws Error{Errc::unknown_run}, Error{Errc::bad_name}
/// @throws Error{Errc::unreadable}  the run as a whole cannot be read
/// @throws Error{Errc::cancelled}   `wait` was over
[[nodiscard]] RESUMABLE_EXPORT Verification verify_run(const CheckpointStore& store,
                                                       std::string_view run, const Wait& wait = {});

// ---- copy --------------------------------------------------------------------------------------

struct CopyOptions {
  /// If records are damaged, copies those that are intact instead of refusing. CopyResult::left_out
  /// lists the others.
  bool skip_damaged = false;
  std::chrono::milliseconds wait{0};  ///< for another owner of the run that is written
  std::stop_token stop{};             ///< ends the waiting, and the reading
  /// Checks and refuses as it otherwise would, but takes no lease and writes nothing.
  bool dry_run = false;
};

/// What was written, or would be.
struct CopyResult {
  std::size_t records = 0;
  std::uint64_t bytes = 0;  ///< of their payloads
  bool existed = false;     ///< an earlier call had already done it: nothing was written
  std::vector<std::string> left_out{};  ///< places of damaged records, with skip_damaged
  /// In a fork: the names of the stages whose records were left out, and which will run in the
  /// fork.
  std::vector<std::string> stages_left_out{};
};

/// Copies a run to another store, under the same or another id. It is the same run in another
/// place, with the same records, generations, idempotency keys of effects and tags, so continue
/// only one of the two. Artifacts are not copied: the next resume() exports them again. Every
/// payload is verified as it is read, and again in the copy.
///
/// Costs one commit; the bytes are read three times and written once, a megabyte at a time.
/// @throws Error{Errc::unknown_run}, Error{Errc::bad_name}, Error{Errc::busy}
/// @throws Error{Errc::bad_option}      `to` is the store that the run is in: use fork_run()
/// @throws Error{Errc::duplicate_name}  the new run exists and is not a copy of this one
/// @throws Error{Errc::damaged}         a record is damaged, and skip_damaged is not set; nothing
///         changed
/// @throws Error{Errc::unreadable}, Error{Errc::newer}, Error{Errc::foreign}  likewise
/// @throws Error{Errc::store_failed}    nothing changed
RESUMABLE_EXPORT CopyResult copy_run(const CheckpointStore& from, std::string_view run,
                                     CheckpointStore& to, std::string_view new_id,
                                     const CopyOptions& options = {});

// ---- fork --------------------------------------------------------------------------------------

struct ForkOptions {
  /// Leaves out the records of this stage and of all stages that depend on it, according to the
  /// records: those stages run in the fork. "": all records are copied.
  std::string from_stage{};
  /// Copies the state that this tag of the source names, instead of the present one.
  std::string tag{};
  bool skip_damaged = false;          ///< as CopyOptions::skip_damaged
  std::chrono::milliseconds wait{0};  ///< for another owner of the new run
  std::stop_token stop{};             ///< ends the waiting, and the reading
  bool dry_run = false;               ///< as CopyOptions::dry_run
};

/// Makes a new run from the records of another run of the same store. The source is only read, and
/// may continue meanwhile. The payloads are copied, because a record is bound to its run. The new
/// run has no tags and no labels, and its working time begins at zero.
///
/// Effects that the source has recorded as done are not repeated. An effect that the source has
/// begun, and whose outcome is unknown, keeps its idempotency key in the fork; effects that begin
/// in the fork have keys of their own.
///
/// Costs one commit; the bytes are read twice and written once, a megabyte at a time.
/// @throws Error{Errc::unknown_run}, Error{Errc::bad_name}, Error{Errc::busy}
/// @throws Error{Errc::unknown_stage}   the source has no record of from_stage
/// @throws Error{Errc::no_value}        the source has no such tag
/// @throws Error{Errc::duplicate_name}  the new run exists and is not this fork
/// @throws Error{Errc::damaged}         a record is damaged, and skip_damaged is not set; nothing
///         changed. With from_stage also if it is set: the record says what its stage depends on
/// @throws Error{Errc::unreadable}, Error{Errc::newer}, Error{Errc::foreign}  likewise
/// @throws Error{Errc::store_failed}    nothing changed
RESUMABLE_EXPORT CopyResult fork_run(CheckpointStore& store, std::string_view run,
                                     std::string_view new_id, const ForkOptions& options = {});

// ---- tags --------------------------------------------------------------------------------------

struct TagOptions {
  std::string who{};                  ///< recorded with the tag
  std::chrono::milliseconds wait{0};  ///< for another owner
  std::stop_token stop{};             ///< ends the waiting
};

struct TagResult {
  std::size_t records = 0;  ///< how many records the tag names
  bool existed = false;     ///< an earlier call had already made it: nothing was written
};

/// A name for the state of a run at one moment.
struct RunTag {
  std::string name;
  Timestamp at{};   ///< when it was made
  std::string who;  ///< or ""
  std::size_t records = 0;
};

/// Gives a name to the state of a run: which generation of each record is current. These
/// generations are not erased as long as the tag exists. Costs one commit.
/// @throws Error{Errc::bad_name}        not a valid name: 1 to 128 bytes of UTF-8
/// @throws Error{Errc::duplicate_name}  a tag of that name exists, for another state
/// @throws Error{Errc::unknown_run}, Error{Errc::busy}, Error{Errc::store_failed}
RESUMABLE_EXPORT TagResult tag_run(CheckpointStore& store, std::string_view run,
                                   std::string_view name, const TagOptions& options = {});

/// Removes a tag; returns false if there is none. Later commits may erase what it protected.
/// @throws Error{Errc::bad_name}, Error{Errc::unknown_run}, Error{Errc::busy},
/// Error{Errc::store_failed}
RESUMABLE_EXPORT bool untag_run(CheckpointStore& store, std::string_view run, std::string_view name,
                                const TagOptions& options = {});

/// The tags of a run, by name. Takes no lease. A run that does not exist has none.
/// @throws Error{Errc::bad_name}, Error{Errc::unreadable}
[[nodiscard]] RESUMABLE_EXPORT std::vector<RunTag> run_tags(const CheckpointStore& store,
                                                            std::string_view run);

// ---- roll back ---------------------------------------------------------------------------------

struct RollBackOptions {
  std::uint64_t generation = 0;  ///< the generation to restore; or
  std::string tag{};             ///< the generation that this tag names
  /// The folder of the artifacts, if it is not the store's own folder for the run.
  std::filesystem::path artifact_folder{};
  std::chrono::milliseconds wait{0};  ///< for another owner
  std::stop_token stop{};             ///< ends the waiting
};

struct RollBackResult {
  struct Value {
    std::string key;               ///< `stage` or `stage/item`
    std::uint64_t from = 0;        ///< the generation that was restored
    std::uint64_t generation = 0;  ///< the new one, which has its payload
  };
  std::vector<Value> values{};
  std::size_t unchanged = 0;  ///< values that were already at that generation
};

/// Restores an earlier value of a stage, or of `stage/item`, as a new generation, which counts as
/// made from the present inputs by the present code. So the stage is up to date, and the stages
/// that depend on it run. Its artifact is exported again by the next resume(), unless a person has
/// changed the file. No generation is erased. In a stage with items, a tag restores all items that
/// it names. Costs one commit; the bytes are read twice and written once, a megabyte at a time.
/// @throws Error{Errc::no_value}    no such generation, value or tag; the error lists those that
///         exist
/// @throws Error{Errc::damaged}     that generation is damaged
/// @throws Error{Errc::bad_option}  not exactly one of generation and tag; a generation of a stage
///         that has items
/// @throws Error{Errc::unknown_run}, Error{Errc::busy}, Error{Errc::store_failed}
RESUMABLE_EXPORT RollBackResult roll_back(CheckpointStore& store, std::string_view run,
                                          std::string_view stage, const RollBackOptions& options);

// ---- merge -------------------------------------------------------------------------------------

/// What happens if both runs have a record and the two differ.
enum class MergeConflicts : std::uint8_t {
  refuse,  ///< nothing is written, and MergeResult::conflicts names them
  keep,    ///< the run that is written keeps its own record
  take,    ///< it gets the other run's record, as a new generation
};

struct MergeOptions {
  MergeConflicts conflicts = MergeConflicts::refuse;
  std::chrono::milliseconds wait{0};  ///< for another owner of the run that is written
  std::stop_token stop{};             ///< ends the waiting, and the reading
  bool dry_run = false;               ///< as CopyOptions::dry_run
};

struct MergeResult {
  struct Conflict {
    std::string key;    ///< of the record
    std::string from;   ///< identity of the value in the run that is read
    std::string into;   ///< identity of the value in the run that is written
    std::string where;  ///< the place of that record
  };
  std::size_t merged = 0;  ///< records that were written, or would be
  std::size_t same = 0;    ///< records that are the same in both runs
  std::vector<Conflict> conflicts{};
};

/// Adds the results of one run to another run of the same pipeline: values, lists of items, steps,
/// outcomes of effects, inputs and conditions, in their current generation. Records about the
/// progress of a run are left out: requests, attempts, loops, effects without outcome, tags. The
/// next resume() decides which of the results are up to date, and exports them. Costs one commit.
/// @throws Error{Errc::unknown_run}, Error{Errc::busy}, Error{Errc::store_failed}
/// @throws Error{Errc::foreign}  the runs belong to different pipelines
/// @throws Error{Errc::damaged} and so on: a record of the source is damaged; nothing changed
RESUMABLE_EXPORT MergeResult merge_runs(const CheckpointStore& from, std::string_view run,
                                        CheckpointStore& to, std::string_view into,
                                        const MergeOptions& options = {});

// ---- back up -----------------------------------------------------------------------------------

struct BackUpResult {
  std::size_t runs = 0;
  std::size_t records = 0;
  std::uint64_t bytes = 0;
  std::size_t existed = 0;  ///< runs that an earlier call had copied
  std::vector<std::string> left_out{};
};

/// Copies every run to another store with copy_run(), which reads each copy back and compares. If
/// the other store has an older state of a run, that is refused: back up to an empty store. After a
/// kill, the same call copies the rest. Layout 1 is the only layout so far, so stores need no
/// migration yet; once they do, this will be the first half of it.
/// @throws as copy_run(), at the first run that cannot be copied
RESUMABLE_EXPORT BackUpResult back_up_store(const CheckpointStore& from, CheckpointStore& to,
                                            const CopyOptions& options = {});

}  // namespace v0
}  // namespace resumable
