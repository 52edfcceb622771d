/// @file
/// The interface of stores, which keep checkpoints.
///
/// A store keeps immutable records under (run, path, generation). It knows nothing about pipelines:
/// the library makes the tags, digests, headers, paths and generation numbers. Five answers are
/// distinguished: absent (nullopt), damaged (RecordHead::damage), unreadable, newer and foreign
/// (Error with that code). To write a store of your own, derive from CheckpointStore and Lease: you
/// must write eleven functions, the others have defaults. To change how an existing store behaves,
/// derive from ForwardingStore (forwarding_store.hpp).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/error.hpp"
#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/lease.hpp"
#include "resumable/record.hpp"

namespace resumable {
inline namespace v0 {

/// Which records a scan visits, and what it reads of them.
struct ScanOptions {
  std::string_view prefix = "";  ///< only paths that begin with it
  /// Instead of a prefix, if there are any: only these paths and, of one that ends with `/`, those
  /// that begin with it.
  std::span<const std::string_view> places{};
  bool quarantined = true;  ///< also those that were set aside
  bool headers = false;     ///< fill RecordHead::header
  Wait wait{};
};

/// What get_many() found for one of the ids.
struct Fetched {
  std::size_t index = 0;                 ///< in the ids that were passed
  std::optional<StoredRecord> record{};  ///< nullopt: absent, or see error
  std::optional<Error> error{};          ///< damaged, unreadable, newer or foreign
};

/// What happens to the exported files of a removed run.
enum class RemoveArtifacts : std::uint8_t {
  keep,    ///< they stay where they are
  remove,  ///< unchanged files are removed, all others stay
};

/// A file that may be removed with its run if its bytes have this digest.
struct KnownArtifact {
  std::string path;  ///< relative to the run's folder
  Digest digest{};
};

struct RemoveOptions {
  RemoveArtifacts artifacts = RemoveArtifacts::keep;
  /// In addition to the files that the run's records name.
  std::span<const KnownArtifact> known{};
  std::chrono::milliseconds wait{0};  ///< for another owner
  std::stop_token stop{};             ///< ends the waiting
  /// Called once no other process can own the run, before anything is changed; if it returns false,
  /// the run is not removed.
  std::function<bool()> condition{};
};

struct RemoveResult {
  bool removed = true;  ///< false: options.condition said no
  /// With RemoveArtifacts::remove, the files that are left in the run's folder: edited files and
  /// files that the run did not export. Relative to that folder, in byte order.
  std::vector<std::string> kept{};
};

/// Something that a store keeps outside of its records, and that no record names any more.
struct Leftover {
  std::string run;
  std::string where;  ///< for instance the URL of an object
  std::uint64_t bytes = 0;
};

struct Leftovers {
  struct Skipped {
    std::string run;
    std::string why;
  };
  std::vector<Leftover> removed{};
  std::vector<Skipped> skipped{};  ///< of these runs nothing was removed
};

/// Keeps checkpoints. Reading is safe from several threads and processes, takes no lock, writes
/// nothing, and works on read-only media and while another process owns the run.
class RESUMABLE_EXPORT CheckpointStore {
 public:
  virtual ~CheckpointStore();
  CheckpointStore(const CheckpointStore&) = delete;
  CheckpointStore& operator=(const CheckpointStore&) = delete;

  /// Takes the lease of `run`: the exclusive right to write to it.
  /// @throws Error{Errc::bad_name}      not a run id
  /// @throws Error{Errc::busy}          another process owns it, and still does after request.wait
  /// @throws Error{Errc::unknown_run}   with Create::never, if it does not exist
  /// @throws Error{Errc::duplicate_name}  with Create::must, if it exists; or the id of another run
  /// differs only in case or accents
  /// @throws Error{Errc::store_failed}, Error{Errc::newer}, Error{Errc::foreign}
  [[nodiscard]] std::unique_ptr<Lease> lease(std::string_view run,
                                             const LeaseRequest& request = {});

  /// Visits the heads of a run's records, by path in byte order and then by generation, until
  /// `visit` returns false. A run that does not exist has no records. Damaged records are reported
  /// to `visit` and do not end the scan. A batch is seen as a whole or not at all. `visit` may read
  /// from the store.
  /// @throws Error{Errc::unreadable}  the run's folder or index as a whole cannot be read
  /// @throws Error{Errc::cancelled}   what.wait is over
  void scan(std::string_view run, const ScanOptions& what,
            FunctionRef<bool(const RecordHead&)> visit) const;

  /// The record, or nullopt when there is none.
  /// @throws Error{Errc::damaged}, Error{Errc::unreadable}, Error{Errc::newer},
  /// Error{Errc::foreign}; Error{Errc::cancelled}  `wait` was over
  [[nodiscard]] std::optional<StoredRecord> get(std::string_view run, RecordId id,
                                                const Wait& wait = {}) const;

  /// Reads many records and visits each once, in an order that suits the store, until `visit`
  /// returns false.
  /// @throws Error{Errc::cancelled}  `wait` was over
  void get_many(std::string_view run, std::span<const RecordId> ids,
                FunctionRef<bool(Fetched)> visit, const Wait& wait = {}) const;

  /// A number that changes with each commit and never returns to an earlier value: while it stays
  /// the same, so do the run's records. nullopt if the store cannot tell, such as a FileStore while
  /// a process owns the run. See Lease::stamp_when_taken().
  /// @throws Error{Errc::bad_name}, Error{Errc::unreadable}; Error{Errc::cancelled}
  [[nodiscard]] std::optional<std::uint64_t> stamp(std::string_view run,
                                                   const Wait& wait = {}) const;

  /// Removes a run. After a kill at any point, the run is either whole, or it is gone and the next
  /// remove() or lease() of that id finishes the removal.
  /// @throws what lease() with Create::never throws
  /// @throws Error{Errc::bad_option}  this store cannot remove runs
  RemoveResult remove(std::string_view run, const RemoveOptions& options = {});

  /// Removes what this store keeps outside of its records and no record names any more, such as the
  /// objects of an S3PayloadStore; most stores keep nothing there. Safe while other processes use
  /// the store. With `dry_run`, lists the same and removes nothing.
  /// @throws Error{Errc::unreadable}, Error{Errc::store_failed}
  Leftovers remove_leftovers(bool dry_run = false) { return do_remove_leftovers(dry_run); }

  /// Visits the ids of the runs that begin with `prefix`, in byte order, until `visit` returns
  /// false.
  /// @throws Error{Errc::unreadable}, Error{Errc::newer}  the store as a whole cannot be read
  /// @throws Error{Errc::cancelled}
  void runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
            const Wait& wait = {}) const;

  /// Who owns the run now; nullopt when no process does.
  /// @throws Error{Errc::bad_name}, Error{Errc::unreadable}; Error{Errc::cancelled}
  [[nodiscard]] std::optional<Owner> owner(std::string_view run, const Wait& wait = {}) const;

  /// The manifest that was last written, or nullopt when there is none.
  /// @throws Error{Errc::bad_name}, Error{Errc::unreadable}; Error{Errc::cancelled}
  [[nodiscard]] std::optional<std::string> manifest(std::string_view run,
                                                    const Wait& wait = {}) const;

  /// Where a record is, for messages: a file's path, a row's key.
  /// @throws Error{Errc::bad_name}
  [[nodiscard]] std::string locate(std::string_view run, RecordId id) const;

  /// What a user should know about this store before trusting it, one sentence each: for instance,
  /// that anyone can write to it.
  /// @throws Error{Errc::unreadable}, Error{Errc::cancelled}
  [[nodiscard]] std::vector<std::string> warnings(const Wait& wait = {}) const {
    return do_warnings(wait);
  }

  /// The store itself, for messages: `file:output`.
  [[nodiscard]] std::string url() const { return do_url(); }

  /// An optional capability, or nullptr: `store.capability<ArtifactFolder>()`.
  template <class Capability>
  [[nodiscard]] Capability* capability() {
    return dynamic_cast<Capability*>(do_capability());
  }
  /// The same, for a constant store.
  template <class Capability>
  [[nodiscard]] const Capability* capability() const {
    // A caller with a constant store gets a constant capability.
    return dynamic_cast<const Capability*>(const_cast<CheckpointStore*>(this)->do_capability());
  }

 protected:
  CheckpointStore() = default;

 private:
  virtual std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) = 0;
  /// May leave RecordHead::header empty even if it was requested: then scan() calls do_get(). May
  /// visit paths that are at none of the `places`: scan() leaves them out. But a store with a
  /// WorkQueue should read the others alone, as workers look at ten places for each item.
  virtual void do_scan(std::string_view run, const ScanOptions& what,
                       FunctionRef<bool(const RecordHead&)> visit) const = 0;
  virtual std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                             const Wait& wait) const = 0;
  virtual void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                       const Wait& wait) const = 0;
  virtual std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const = 0;
  virtual std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const = 0;
  virtual std::string do_locate(std::string_view run, RecordId id) const = 0;
  virtual std::string do_url() const = 0;
  /// Calls do_get() for each id.
  virtual void do_get_many(std::string_view run, std::span<const RecordId> ids,
                           FunctionRef<bool(Fetched)> visit, const Wait& wait) const;
  virtual std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const;
  virtual std::vector<std::string> do_warnings(const Wait& wait) const;
  virtual RemoveResult do_remove(std::string_view run, const RemoveOptions& options);
  virtual Leftovers do_remove_leftovers(bool dry_run);
  virtual CheckpointStore* do_capability() noexcept { return this; }

  friend class ForwardingStore;
};

/// A capability: the store has a folder for each run in which users read and edit exported files.
class RESUMABLE_EXPORT ArtifactFolder {
 public:
  virtual ~ArtifactFolder();
  /// The run's folder. It exists once the run has been leased.
  [[nodiscard]] virtual std::string artifact_folder(std::string_view run) const = 0;
};

/// How many records there are, and how large.
struct RecordTotals {
  std::uint64_t records = 0;  ///< including damaged ones, but not those set aside
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
};

/// A capability: totals that cost less than a scan.
class RESUMABLE_EXPORT RecordCounter {
 public:
  virtual ~RecordCounter();
  /// @throws Error{Errc::bad_name}, Error{Errc::unreadable}; Error{Errc::cancelled}
  [[nodiscard]] RecordTotals sums(std::string_view run, std::string_view prefix,
                                  const Wait& wait = {}) const;

 private:
  virtual RecordTotals do_sums(std::string_view run, std::string_view prefix,
                               const Wait& wait) const = 0;
};

/// The totals from the store if it is a RecordCounter, otherwise from a scan.
[[nodiscard]] RESUMABLE_EXPORT RecordTotals record_totals(const CheckpointStore& store,
                                                          std::string_view run,
                                                          std::string_view prefix = "");

/// A capability: a cache for all runs, without a lease. A path begins with `@cache/`. Safe to use
/// from several threads and processes.
class RESUMABLE_EXPORT ContentCache {
 public:
  virtual ~ContentCache();
  /// @throws Error{Errc::bad_name}; Error{Errc::damaged}, Error{Errc::unreadable},
  /// Error{Errc::newer}, Error{Errc::foreign}; Error{Errc::cancelled}
  [[nodiscard]] std::optional<StoredRecord> find(std::string_view path,
                                                 const Wait& wait = {}) const;
  /// Stores `put` if there is no entry yet, and returns whether it did. An existing entry, damaged
  /// or not, stays. The generation of `put` is 1.
  /// @throws Error{Errc::bad_name}; Error{Errc::store_failed}, Error{Errc::cancelled}  nothing
  /// changed
  bool put_if_absent(const Put& put, const Wait& wait = {});
  /// Stores `put` whether or not there is an entry: readers see either the old entry or the new
  /// one, whole.
  /// @throws Error{Errc::bad_name}; Error{Errc::store_failed}, Error{Errc::cancelled}  the old one
  /// stays
  void replace(const Put& put, const Wait& wait = {});

 private:
  virtual std::optional<StoredRecord> do_find(std::string_view path, const Wait& wait) const = 0;
  virtual bool do_put_if_absent(const Put& put, const Wait& wait) = 0;
  virtual void do_replace(const Put& put, const Wait& wait) = 0;
};

}  // namespace v0
}  // namespace resumable
