/// @file
/// A store in one SQLite database (component `sqlite`), which can be queried with SQL.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/file_store.hpp"
#include "resumable/store.hpp"
#include "resumable/work_queue.hpp"

namespace resumable {
inline namespace v0 {

struct SqliteStoreOptions {
  /// Whether a lease may create the database, with the folders above it.
  CreateStore create = CreateStore::if_absent;
  /// If allowed: all processes that use the database, readers too, must be on one host, because
  /// those of one database share memory.
  SharedFileSystem shared = SharedFileSystem::refuse;
};

/// Keeps all runs in one SQLite database in WAL mode with synchronous=FULL. Commits of several
/// threads that wait at the same time share one transaction, and so one sync. A commit with
/// Durability::data is written with synchronous=NORMAL: it survives the end of the process, and a
/// loss of power once any later commit of the database, of whichever run, has synced the log or
/// the store is closed, which moves the log into the database. While the database is
/// in use, SQLite's own files (`-wal`, `-shm`) are beside it, and `<database>-leases/` with an
/// empty file for each run that is written, whose lock is the lease; the kernel releases it when
/// the process ends. Once the last process has closed the store, the database is one file again.
/// The views `run_list` and `stages` are for people; docs/format.md has the schema.
///
/// Payloads over 64 KiB are stored and read in chunks. A StoredRecord with such a payload keeps a
/// connection and a snapshot of the database, which lets the `-wal` file grow: release it soon.
///
/// SQLite must not be used across fork(2): in a child of the process that opened the store, every
/// call throws Error{Errc::forked}. Close the store before the fork, and open a new one after it.
/// Reading works on read-only media and on a full disk. If the database is moved, removed or
/// replaced while a run is written, the next commit throws Error{Errc::fenced}.
class RESUMABLE_EXPORT SqliteStore final : public CheckpointStore,
                                           public RecordCounter,
                                           public ContentCache,
                                           public WorkQueue {
 public:
  /// Does not touch the disk: the database is opened on first use, and created by the first lease.
  /// @throws Error{Errc::bad_option}  `file` is empty
  explicit SqliteStore(const std::filesystem::path& file, const SqliteStoreOptions& options = {});
  ~SqliteStore() override;

  /// Whether the database exists.
  /// @throws Error{Errc::unreadable}, Error{Errc::newer}, Error{Errc::foreign}
  [[nodiscard]] bool exists() const;

  /// For processes of one host, which share the clock that counts from the start of the machine.
  void take_over(std::string_view run, std::uint64_t fence) override;
  void publish(std::string_view run, std::uint64_t fence, std::span<const WorkTask> tasks) override;
  [[nodiscard]] std::vector<FinishedWork> collect(std::string_view run,
                                                  std::uint64_t fence) override;
  std::vector<WorkItem> withdraw(std::string_view run, std::uint64_t fence, bool stop) override;
  void end(std::string_view run, std::uint64_t fence) override;
  [[nodiscard]] std::uint64_t join(const WorkerInfo& worker,
                                   std::chrono::milliseconds ttl) override;
  [[nodiscard]] Claimed claim(std::uint64_t worker, std::string_view pipeline,
                              std::string_view program, std::string_view run,
                              std::size_t most) override;
  WorkBeat beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                std::span<const std::uint64_t> held) override;
  ClaimState commit(const WorkClaim& claim, const Batch& batch,
                    const CommitOptions& options) override;
  ClaimState finish(const WorkClaim& claim, std::string_view result) override;
  void give_back(const WorkClaim& claim) override;
  void leave(std::uint64_t worker) override;
  [[nodiscard]] std::vector<WorkerInfo> workers() const override;
  [[nodiscard]] std::vector<WorkItem> work(std::string_view run) const override;

 private:
  RecordTotals do_sums(std::string_view run, std::string_view prefix,
                       const Wait& wait) const override;
  std::optional<StoredRecord> do_find(std::string_view path, const Wait& wait) const override;
  /// Entries are records of the run `@cache`: a miss that is stored costs one sync.
  bool do_put_if_absent(const Put& put, const Wait& wait) override;
  void do_replace(const Put& put, const Wait& wait) override;
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                     const Wait& wait) const override;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
               const Wait& wait) const override;
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override;
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;
  std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;

  struct State;
  std::shared_ptr<State> state_;
};

/// The store that `sqlite:FILE` names: a StoreFactory, for open_store() and
/// InspectorOptions::stores["sqlite"].
/// @throws Error{Errc::bad_option}  no file is named, or it does not exist and may not be created;
///         `?shared=yes`: a database is for one host
[[nodiscard]] RESUMABLE_EXPORT std::unique_ptr<CheckpointStore> open_sqlite_store(
    std::string_view url, CreateStore create = CreateStore::never);

}  // namespace v0
}  // namespace resumable
