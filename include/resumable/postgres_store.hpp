/// @file
/// A store in a PostgreSQL database (component `postgres`), for runs that may move between hosts.
#pragma once

#include <chrono>
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

struct PostgresStoreOptions {
  /// Of the database: the tables are in it. Letters, digits and underscores, at most 48.
  std::string schema = "resumable";
  /// Whether a lease may create the schema and its tables. The database must exist.
  CreateStore create = CreateStore::if_absent;
  /// How long a lease outlives the last sign of life of its process, if LeaseRequest::ttl does not
  /// say. 1 s to 1 h.
  std::chrono::milliseconds ttl{30'000};
  /// How long a call waits for a server that does not answer, or for a lost connection to come
  /// back. 100 ms to 1 h.
  std::chrono::milliseconds timeout{30'000};
};

/// Keeps all runs in one schema of a PostgreSQL database, version 13 or later. A commit is one
/// statement and one round trip; commits of several threads that wait at the same time share a
/// statement, and so one sync.
///
/// The lease of a run is a row that a thread of the store renews, by the clock of the server. It
/// ends when it is released, when its process has ended and the next one asks on the same host, and
/// otherwise when its time is over. A late owner is fenced: each statement that writes checks the
/// fence. Processes that share the items of a run (`resumable/work.hpp`) commit beside it: each of
/// their statements checks the claim of its item. If a connection is lost, the store connects again
/// and finds out whether what it had sent has been committed; a caller notices nothing, unless that
/// takes longer than the timeout.
///
/// A store opens at most seven connections: one that commits, one that renews leases, one for the
/// beats of a worker, up to four that read. A payload is read at once, and has at most 256 MiB.
/// Passwords are in no message: url() leaves them out.
///
/// A connection must not be used across fork(2): in a child of the process that opened the store,
/// every call throws Error{Errc::forked}.
class RESUMABLE_EXPORT PostgresStore final : public CheckpointStore,
                                             public RecordCounter,
                                             public ContentCache,
                                             public WorkQueue {
 public:
  /// `url`: `postgres://user@host:port/database`, or the keywords of libpq (`host=… dbname=…`).
  /// Connects on first use.
  /// @throws Error{Errc::bad_option}  the URL or an option is not one
  explicit PostgresStore(std::string_view url, const PostgresStoreOptions& options = {});
  ~PostgresStore() override;

  /// Whether the tables exist.
  /// @throws Error{Errc::unreadable}, Error{Errc::newer}, Error{Errc::foreign}
  [[nodiscard]] bool exists() const;

  /// For processes of any number of hosts, by the clock of the server.
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
  /// Entries are records of the run `@cache`.
  std::optional<StoredRecord> do_find(std::string_view path, const Wait& wait) const override;
  bool do_put_if_absent(const Put& put, const Wait& wait) override;
  void do_replace(const Put& put, const Wait& wait) override;
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                     const Wait& wait) const override;
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
               const Wait& wait) const override;
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override;
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;
  std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const override;
  std::vector<std::string> do_warnings(const Wait& wait) const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;

  struct State;
  std::shared_ptr<State> state_;
};

/// The store that `postgres://…` names: a StoreFactory, for open_store() and
/// InspectorOptions::stores["postgres"]. Of the URL's query, `schema=NAME`, `ttl=SECONDS` and
/// `timeout=SECONDS` are PostgresStoreOptions; the rest is libpq's.
/// @throws Error{Errc::bad_option}  not a URL; or the tables do not exist and may not be created
[[nodiscard]] RESUMABLE_EXPORT std::unique_ptr<CheckpointStore> open_postgres_store(
    std::string_view url, CreateStore create = CreateStore::never);

}  // namespace v0
}  // namespace resumable
