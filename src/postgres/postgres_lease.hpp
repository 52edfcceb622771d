/// @file
/// Writing a run in a PostgreSQL database.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "postgres/heartbeat.hpp"
#include "postgres/session.hpp"
#include "postgres/writer.hpp"
#include "resumable/store.hpp"

namespace resumable::postgres {

/// What a store and its leases share.
struct Shared : Session {
  explicit Shared(Target target) : Session(std::move(target)) {}
  Writer writer{*this};
  Heartbeat heartbeat{*this};
};

/// A run's row, as far as leases are concerned.
struct RunRow {
  std::int64_t id = 0;
  std::int64_t fence = 0;
  std::uint64_t stamp = 0;
  std::string token;  ///< of the last lease
  std::string boot;   ///< of the machine, or container, of its owner
  std::int64_t started = 0;
  bool until_later = false;  ///< its time is not over, by the server's clock
  Owner owner;

  /// Whether a process has the run now, as far as can be seen from here.
  [[nodiscard]] bool is_owned(const Session& session) const;
};

/// Where pids mean the same as in this process; empty if that cannot be told: they repeat in
/// containers.
[[nodiscard]] std::string place_of_pids(const sys::SystemProcess& process);

[[nodiscard]] std::optional<RunRow> find_run(Connection& connection, std::string_view run,
                                             const Limit& limit);

class PostgresLease final : public Lease {
 public:
  PostgresLease(std::shared_ptr<Shared> shared, store::RunSite site, const RunRow& row,
                std::chrono::milliseconds ttl);
  ~PostgresLease() override;

  /// Deletes the run, which ends the lease.
  void remove_run();

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override;
  [[nodiscard]] std::optional<std::uint64_t> do_stamp() const override { return stamp_; }
  [[nodiscard]] Ticket do_durable() const noexcept override { return durable_; }
  void do_wait(Ticket ticket, const Wait& wait) override;
  [[nodiscard]] std::stop_token do_lost() const noexcept override { return lost_.get_token(); }
  void do_manifest(std::string_view json, const Wait& wait) override;
  std::string do_quarantine(RecordId id, const Wait& wait) override;

  void check_process() const;
  void note_durable(Ticket ticket) noexcept;

  std::shared_ptr<Shared> shared_;
  Claim claim_;
  std::uint64_t stamp_;
  std::stop_source lost_;
  std::atomic<Ticket> tickets_{0};
  std::atomic<Ticket> durable_{0};
};

[[nodiscard]] std::unique_ptr<PostgresLease> take_lease(const std::shared_ptr<Shared>& shared,
                                                        std::string_view run,
                                                        const LeaseRequest& request);

}  // namespace resumable::postgres
