/// @file
/// What can be done to the runs of a store without the program that made them: verify, copy,
/// fork, tag, roll back, collect garbage, merge, back up.
///
/// None of these functions needs the pipeline. Each takes the lease of the run that it writes, as
/// resume() does, so it throws Error{Errc::busy} while another process owns that run; the runs that
/// it only reads may go on meanwhile. All that one call writes to a run is committed as one: after
/// a kill or a loss of power at any point the run is as it was or as it should be, and the same
/// call again completes. Safe to use from several threads.
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
  std::string key;               ///< the path as people write it, where the header tells it
  Damage damage = Damage::torn;  ///< `torn` also when only the payload is damaged
  bool current = false;          ///< whether no newer record of this path is intact
  std::string file;              ///< where it is: CheckpointStore::locate()
  std::string what;              ///< one sentence: what is wrong
  std::string next;              ///< one sentence: what to do
};

/// What verify_run() has found.
struct Verification {
  std::size_t records = 0;    ///< intact ones, kept generations included
  std::uint64_t bytes = 0;    ///< of their payloads
  std::size_t set_aside = 0;  ///< damaged ones that were moved out of the way earlier
  std::vector<RecordProblem> problems{};
  /// The files that the records say were exported last, by path; nothing of them was read.
  std::vector<KnownArtifact> exported{};

  [[nodiscard]] bool ok() const noexcept { return problems.empty(); }
};

/// Reads every record of a run, kept generations included, and compares all that has a checksum or
/// a digest. Writes nothing, takes no lease, works on read-only media and while another process
/// owns the run. Reads all bytes once, a megabyte at a time.
/// @throws Error{Errc::unknown_run}, Error{Errc::bad_name}
/// @throws Error{Errc::unreadable}  the run as a whole cannot be read
/// @throws Error{Errc::cancelled}   `wait` was over
[[nodiscard]] RESUMABLE_EXPORT Verification verify_run(const CheckpointStore& store,
                                                       std::string_view run, const Wait& wait = {});

// ---- copy --------------------------------------------------------------------------------------

struct CopyOptions {
  /// Copies what is intact where records are damaged, instead of refusing. What is left out is in
  /// CopyResult::left_out.
  bool skip_damaged = false;
  std::chrono::milliseconds wait{0};  ///< for another owner of the run that is written
  std::stop_token stop{};             ///< ends the waiting, and the reading
  /// Reads, compares and refuses the same, but takes no lease and writes nothing.
  bool dry_run = false;
};

/// What was written, or would be.
struct CopyResult {
  std::size_t records = 0;
  std::uint64_t bytes = 0;              ///< of their payloads
  bool existed = false;                 ///< an earlier call had done it: nothing was written
  std::vector<std::string> left_out{};  ///< places of damaged records, with skip_damaged
  /// Of a fork: the stages whose records it does not take, which run in it, by name.
  std::vector<std::string> stages_left_out{};
};

/// Copies a run to another store, under the same or another id: the same run at another place, with
/// the same records, generations, keys of effects and tags. Continue only one of the two. Artifacts
/// are not copied: the next resume() exports them again. Every payload is verified as it is read,
/// and once more in its new place.
///
/// Costs one commit; the bytes are read three times and written once, a megabyte at a time.
/// @throws Error{Errc::unknown_run}, Error{Errc::bad_name}, Error{Errc::busy}
/// @throws Error{Errc::bad_option}      `to` is the store that the run is in: fork it
/// @throws Error{Errc::duplicate_name}  the new run exists and is not a copy of this one
/// @throws Error{Errc::damaged}         a record is, and skip_damaged is not set; nothing changed
/// @throws Error{Errc::unreadable}, Error{Errc::newer}, Error{Errc::foreign}  likewise
/// @throws Error{Errc::store_failed}    nothing changed
RESUMABLE_EXPORT CopyResult copy_run(const CheckpointStore& from, std::string_view run,
                                     CheckpointStore& to, std::string_view new_id,
                                     const CopyOptions& options = {});

// ---- fork --------------------------------------------------------------------------------------

struct ForkOptions {
  /// Leaves out the records of this stage and of all that depend on it, as the records tell: those
  /// stages run in the fork. "": all records are taken.
  std::string from_stage{};
  /// Takes the state that this tag of the source names, instead of the present one.
  std::string tag{};
  bool skip_damaged = false;          ///< as CopyOptions::skip_damaged
  std::chrono::milliseconds wait{0};  ///< for another owner of the new run
  std::stop_token stop{};             ///< ends the waiting, and the reading
  bool dry_run = false;               ///< as CopyOptions::dry_run
};

/// Makes a new run from the records of another one of the same store. The source is only read, and
/// may go on. The payloads are copied: a record is bound to its run. The new run has no tags and no
/// labels, and its working time begins at zero.
///
/// Effects: what the source has recorded as done is not done again. One that the source has begun,
/// and whose outcome is not known, keeps its idempotency key in the fork; those that begin in the
/// fork have keys of its own.
///
/// Costs one commit; the bytes are read twice and written once, a megabyte at a time.
/// @throws Error{Errc::unknown_run}, Error{Errc::bad_name}, Error{Errc::busy}
/// @throws Error{Errc::unknown_stage}   the source has no record of from_stage
/// @throws Error{Errc::no_value}        the source has no such tag
/// @throws Error{Errc::duplicate_name}  the new run exists and is not this fork
/// @throws Error{Errc::damaged}         a record is, and skip_damaged is not set; nothing changed.
///         With from_stage also when it is set: the record would say what the stage depends on
/// @throws Error{Errc::unreadable}, Error{Errc::newer}, Error{Errc::foreign}  likewise
/// @throws Error{Errc::store_failed}    nothing changed
RESUMABLE_EXPORT CopyResult fork_run(CheckpointStore& store, std::string_view run,
                                     std::string_view new_id, const ForkOptions& options = {});

// ---- tags --------------------------------------------------------------------------------------

struct TagOptions {
  std::string who{};                  ///< is recorded with the tag
  std::chrono::milliseconds wait{0};  ///< for another owner
  std::stop_token stop{};             ///< ends the waiting
};

struct TagResult {
  std::size_t records = 0;  ///< that the tag names
  bool existed = false;     ///< an earlier call had made it: nothing was written
};

/// A name for the state of a run at a moment.
struct RunTag {
  std::string name;
  Timestamp at{};   ///< when it was made
  std::string who;  ///< or ""
  std::size_t records = 0;
};

/// Gives a name to the state of a run: which generation of each record is current. Those are not
/// erased by commits as long as the tag is there. Costs one commit.
/// @throws Error{Errc::bad_name}        no name for a tag: 1 to 128 bytes of UTF-8
/// @throws Error{Errc::duplicate_name}  there is a tag of that name, of another state
/// @throws Error{Errc::unknown_run}, Error{Errc::busy}, Error{Errc::store_failed}
RESUMABLE_EXPORT TagResult tag_run(CheckpointStore& store, std::string_view run,
                                   std::string_view name, const TagOptions& options = {});

/// Removes a tag; false when there is none. What it protected goes with later commits.
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
  /// Where the artifacts are, if not in the store's own folder for the run.
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
  std::size_t unchanged = 0;  ///< values that were at that generation already
};

/// Restores an earlier value of a stage, or of `stage/item`, as a new generation, which counts as
/// made from the present inputs by the present code. So the stage is up to date, and what depends
/// on it runs. Its artifact is exported again by the next resume(), unless a person has changed the
/// file. No generation is erased. With a tag, all items that the tag names are restored in a stage
/// that has items. Costs one commit; the bytes are read twice and written once, a megabyte at a
/// time.
/// @throws Error{Errc::no_value}    no such generation, value or tag; the error lists what there is
/// @throws Error{Errc::damaged}     that generation is
/// @throws Error{Errc::bad_option}  not exactly one of generation and tag; a generation of a stage
///         that has items
/// @throws Error{Errc::unknown_run}, Error{Errc::busy}, Error{Errc::store_failed}
RESUMABLE_EXPORT RollBackResult roll_back(CheckpointStore& store, std::string_view run,
                                          std::string_view stage, const RollBackOptions& options);

// ---- merge -------------------------------------------------------------------------------------

/// What happens where both runs have a record, and not the same.
enum class MergeConflicts : std::uint8_t {
  refuse,  ///< nothing is written, and MergeResult::conflicts names them
  keep,    ///< the run that is written keeps its own
  take,    ///< it gets the other's, as a new generation
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
    std::string into;   ///< in the run that is written
    std::string where;  ///< that record
  };
  std::size_t merged = 0;  ///< records that were written, or would be
  std::size_t same = 0;    ///< that both runs have
  std::vector<Conflict> conflicts{};
};

/// Adds to one run what another one of the same pipeline has worked out: values, lists of items,
/// steps, outcomes of effects, inputs and conditions, in their current generation. What belongs to
/// one run's own course stays out: requests, attempts, loops, effects without outcome, tags. The
/// next resume() decides what of it is up to date, and exports. Costs one commit.
/// @throws Error{Errc::unknown_run}, Error{Errc::busy}, Error{Errc::store_failed}
/// @throws Error{Errc::foreign}  the runs belong to different pipelines
/// @throws Error{Errc::damaged} and so on: a record of the run that is read is; nothing changed
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

/// Copies every run to another store by copy_run(), which reads each copy back and compares. A run
/// that the other store has in an older state is refused: back up to an empty store. Killed at any
/// point, the same call again copies the rest. Layout 1 is the only one that there is, so a store
/// needs no migration; when it will, this is its first half.
/// @throws as copy_run(), at the first run that cannot be copied
RESUMABLE_EXPORT BackUpResult back_up_store(const CheckpointStore& from, CheckpointStore& to,
                                            const CopyOptions& options = {});

}  // namespace v0
}  // namespace resumable
