/// @file
/// Writing a run in a database.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/store.hpp"
#include "sqlite/readers.hpp"
#include "sqlite/run_lock.hpp"
#include "sqlite/writer.hpp"
#include "store/run_site.hpp"
#include "sys/clock.hpp"
#include "sys/process.hpp"

namespace resumable::sqlite {

/// What a store, its leases and its payloads share.
struct Shared {
  explicit Shared(std::string file)
      : database(std::move(file)),
        files(sys::posix_file_system()),
        locks(*files, database),
        readers(database),
        writer(database) {}

  std::string database;
  std::unique_ptr<sys::FileSystem> files;
  sys::SystemClock clock;
  sys::SystemProcess process;
  RunLocks locks;
  Readers readers;
  Writer writer;  ///< closed before the readers, which remove a log that it has emptied

  [[nodiscard]] store::RunSite site(std::string_view run) const;
  /// For messages: the database and the row's key.
  [[nodiscard]] std::string where(std::string_view run, RecordId id) const;
};

class SqliteLease final : public Lease {
 public:
  struct Taken {
    std::int64_t row = 0;
    std::uint64_t fence = 0;
    std::uint64_t stamp = 0;      ///< the run's when the lease was taken
    std::uint64_t displaced = 0;  ///< the writer's then
  };

  SqliteLease(std::shared_ptr<Shared> shared, store::RunSite site, RunLocks::Lock lock,
              const Taken& taken);

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override;
  [[nodiscard]] std::optional<std::uint64_t> do_stamp() const override { return taken_.stamp; }
  [[nodiscard]] Ticket do_durable() const noexcept override;
  void do_wait(Ticket ticket, const Wait& wait) override;
  void do_manifest(std::string_view json, const Wait& wait) override;
  std::string do_quarantine(RecordId id, const Wait& wait) override;

  void check_process() const;
  /// Runs `work` in a transaction, if the run is still this process's.
  void write(Writer::Work work, Durability durability = Durability::full);
  void check_fence(Connection& connection) const;
  [[nodiscard]] bool is_of_moved_database(const Error& error) const;
  [[nodiscard]] Error moved() const;
  [[nodiscard]] Error taken(std::string_view why, std::string_view kept) const;
  void insert(Connection& connection, const Put& put) const;
  void note_durable(Ticket ticket) noexcept;

  std::shared_ptr<Shared> shared_;
  store::RunSite site_;
  RunLocks::Lock lock_;
  Taken taken_;
  std::int64_t pid_;
  std::atomic<Ticket> tickets_{0};
  std::atomic<Ticket> durable_{0};
};

/// Gives a run a stamp that no run ever had.
void raise_stamp(Connection& connection, std::int64_t run);

/// Who took the last lease of a run; nullopt when there is no such run.
[[nodiscard]] std::optional<Owner> last_owner(Connection& connection, std::string_view run);

/// The lock of a run, waited for as `wait` and `stop` say. @throws Error{Errc::busy}
[[nodiscard]] RunLocks::Lock lock_run(Shared& shared, const store::RunSite& site,
                                      std::chrono::milliseconds wait, const std::stop_token& stop);

[[nodiscard]] std::unique_ptr<Lease> take_lease(const std::shared_ptr<Shared>& shared,
                                                const store::RunSite& site,
                                                const LeaseRequest& request);

}  // namespace resumable::sqlite
