#include "sqlite/sqlite_lease.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/run_id.hpp"
#include "sqlite/records.hpp"

namespace resumable::sqlite {
namespace {

/// Throws what `create` forbids; whether the run exists.
bool check_create(Connection& connection, const store::RunSite& site, const std::string& twin,
                  Create create) {
  const bool exists = run_row(connection, site.run).has_value();
  if (exists && create == Create::must) throw site.exists();
  if (exists) return true;
  if (create == Create::never) throw site.unknown();
  Statement other = connection.prepare("SELECT run FROM runs WHERE twin = ? LIMIT 1");
  if (other.bind(1, twin).step()) throw site.twin(core::encode_run(other.bytes(0)));
  return false;
}

/// Before anything is created: what the request forbids in any case.
void look_first(Shared& shared, const store::RunSite& site, const std::string& twin,
                Create create) {
  const auto reader = shared.readers.take();
  if (reader) {
    check_create(*reader, site, twin, create);
  } else if (create == Create::never) {
    throw site.unknown();
  }
}

/// Records this process as the run's owner, under its lock.
SqliteLease::Taken note_owner(Connection& connection, const Shared& shared,
                              const store::RunSite& site, const std::string& twin,
                              const LeaseRequest& request) {
  if (!check_create(connection, site, twin, request.create)) {
    connection.prepare("INSERT INTO runs(run, twin, stamp) VALUES(?, ?, 0)")
        .bind(1, site.run)
        .bind(2, twin)
        .run();
    raise_stamp(connection, connection.last_row());
  }
  SqliteLease::Taken taken;
  taken.displaced = shared.writer.displaced();
  {
    Statement run = connection.prepare("SELECT id, fence, stamp FROM runs WHERE run = ?");
    run.bind(1, site.run).step();
    taken.row = run.number(0);
    taken.fence = std::max(static_cast<std::uint64_t>(run.number(1)), request.fence_above) + 1;
    taken.stamp = static_cast<std::uint64_t>(run.number(2));
  }
  const std::string host = shared.process.host();
  const auto since = std::chrono::floor<std::chrono::seconds>(shared.clock.wall());
  connection.prepare("UPDATE runs SET fence = ?, host = ?, pid = ?, since = ? WHERE id = ?")
      .bind(1, static_cast<std::int64_t>(taken.fence))
      .bind(2, host)
      .bind(3, shared.process.pid())
      .bind(4, std::int64_t{since.time_since_epoch().count()})
      .bind(5, taken.row)
      .run();
  return taken;
}

}  // namespace

store::RunSite Shared::site(std::string_view run) const {
  return {database, std::string{run}, core::encode_run(run)};
}

std::string Shared::where(std::string_view run, RecordId id) const {
  return fmt::format("{}: records of {}, {} {}", database, core::encode_run(run), id.path,
                     id.generation);
}

void raise_stamp(Connection& connection, std::int64_t run) {
  connection.prepare("UPDATE counter SET stamp = stamp + 1").run();
  connection.prepare("UPDATE runs SET stamp = (SELECT stamp FROM counter) WHERE id = ?")
      .bind(1, run)
      .run();
}

std::optional<Owner> last_owner(Connection& connection, std::string_view run) {
  Statement row = connection.prepare("SELECT host, pid, since, fence FROM runs WHERE run = ?");
  if (!row.bind(1, run).step()) return {};
  return Owner{.host = std::string{row.bytes(0)},
               .pid = row.number(1),
               .since = std::chrono::sys_seconds{std::chrono::seconds{row.number(2)}},
               .fence = static_cast<std::uint64_t>(row.number(3))};
}

RunLocks::Lock lock_run(Shared& shared, const store::RunSite& site, std::chrono::milliseconds wait,
                        const std::stop_token& stop) {
  store::Waiting waiting{shared.clock, wait, stop};
  if (auto lock = shared.locks.take(site, waiting)) return std::move(*lock);
  const auto reader = shared.readers.take();
  throw site.busy(reader ? last_owner(*reader, site.run).value_or(Owner{}) : Owner{});
}

std::unique_ptr<Lease> take_lease(const std::shared_ptr<Shared>& shared, const store::RunSite& site,
                                  const LeaseRequest& request) {
  const std::string twin = core::run_twin_key(site.run);
  look_first(*shared, site, twin, request.create);
  auto lock = lock_run(*shared, site, request.wait, request.stop);
  SqliteLease::Taken taken;
  shared->writer.run([&](Connection& connection) {
    taken = note_owner(connection, *shared, site, twin, request);
  });
  return std::make_unique<SqliteLease>(shared, site, std::move(lock), taken);
}

SqliteLease::SqliteLease(std::shared_ptr<Shared> shared, store::RunSite site, RunLocks::Lock lock,
                         const Taken& taken)
    : Lease(taken.fence),
      shared_(std::move(shared)),
      site_(std::move(site)),
      lock_(std::move(lock)),
      taken_(taken),
      pid_(shared_->process.pid()) {}

void SqliteLease::check_process() const {
  if (shared_->process.pid() != pid_) throw site_.forked();
}

Error SqliteLease::taken(std::string_view why, std::string_view kept) const {
  return site_.error(
      Errc::fenced, {.what = fmt::format("run {} was taken from this process: {}", site_.name, why),
                     .file = shared_->database,
                     .kept = std::string{kept},
                     .next = "do not touch the database during a run; resume again"});
}

Error SqliteLease::moved() const {
  return taken("its database was moved, removed or replaced",
               "everything saved before is where it was moved to");
}

void SqliteLease::check_fence(Connection& connection) const {
  if (shared_->writer.displaced() != taken_.displaced) throw moved();
  Statement run = connection.prepare("SELECT fence FROM runs WHERE id = ?");
  if (run.bind(1, taken_.row).step() && static_cast<std::uint64_t>(run.number(0)) == fence()) {
    return;
  }
  throw taken("its row has another fence, or is gone", "everything saved before");
}

/// Whether `error` is the writer's, because the database is not where it was.
bool SqliteLease::is_of_moved_database(const Error& error) const {
  const ErrorInfo& info = error.info();
  return info.run.empty() && info.file == shared_->database &&
         (error.errc() == Errc::fenced || info.cause == std::errc::no_such_file_or_directory);
}

void SqliteLease::write(Writer::Work work, Durability durability) {
  check_process();
  try {
    shared_->writer.run(
        [&](Connection& connection) {
          check_fence(connection);
          work(connection);
        },
        durability);
  } catch (const Error& error) {
    if (!is_of_moved_database(error)) throw;
    throw moved();
  }
}

void SqliteLease::insert(Connection& connection, const Put& put) const {
  try {
    insert_record(connection, taken_.row, put);
  } catch (const Error& error) {
    if (!is_clash(error)) throw;
    throw site_.record_exists(put.id, shared_->where(site_.run, put.id));
  }
}

Ticket SqliteLease::do_commit(const Batch& batch, const CommitOptions& options) {
  const bool data = options.durability == Durability::data;
  Ticket ticket = 0;
  write(
      [&](Connection& connection) {
        for (const Put& put : batch.puts) insert(connection, put);
        for (const RecordId id : batch.erases) erase_record(connection, taken_.row, id);
        raise_stamp(connection, taken_.row);
        ticket = ++tickets_;  // here, so that tickets are in the order of the log
      },
      data ? Durability::data : Durability::full);
  if (!data) note_durable(ticket);
  return ticket;
}

void SqliteLease::note_durable(Ticket ticket) noexcept {
  for (Ticket last = durable_; last < ticket && !durable_.compare_exchange_weak(last, ticket);) {
  }
}

Ticket SqliteLease::do_durable() const noexcept { return durable_; }

/// Only a transaction that writes is synced.
void SqliteLease::do_wait(Ticket ticket, const Wait& /*a disk answers*/) {
  check_process();
  if (durable_ >= ticket) return;
  const Ticket given = tickets_;
  write([&](Connection& connection) { raise_stamp(connection, taken_.row); });
  note_durable(given);
}

void SqliteLease::do_manifest(std::string_view json, const Wait& /*a disk answers*/) {
  write([&](Connection& connection) {
    connection.prepare("UPDATE runs SET manifest = ? WHERE id = ?")
        .bind(1, json)
        .bind(2, taken_.row)
        .run();
  });
}

std::string SqliteLease::do_quarantine(RecordId id, const Wait& /*a disk answers*/) {
  const std::string where = shared_->where(site_.run, id);
  write([&](Connection& connection) {
    connection
        .prepare("UPDATE records SET quarantined = 1 WHERE run = ? AND path = ? AND generation = ?")
        .bind(1, taken_.row)
        .bind(2, id.path)
        .bind(3, static_cast<std::int64_t>(id.generation))
        .run();
    if (connection.changes() == 0) {
      throw site_.failed("quarantine", where,
                         std::make_error_code(std::errc::no_such_file_or_directory));
    }
    raise_stamp(connection, taken_.row);
  });
  return where + " (quarantined)";
}

}  // namespace resumable::sqlite
