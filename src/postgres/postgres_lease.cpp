#include "postgres/postgres_lease.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/run_id.hpp"
#include "postgres/schema.hpp"
#include "resumable/detail/saturating.hpp"
#include "sys/random.hpp"

namespace resumable::postgres {
namespace {

/// What a lease writes into the row.
struct Applicant {
  std::string token;
  std::string host;
  std::string boot;
  std::int64_t pid = 0;
  std::int64_t started = 0;
  std::chrono::milliseconds ttl{};
  std::int64_t above = 0;

  void add_to(Parameters& parameters) const {
    parameters.add(token).add(host).add(boot).add(pid).add(started).add(std::int64_t{ttl.count()});
    parameters.add(above);
  }
};

Applicant applicant_for(const Shared& shared, const LeaseRequest& request) {
  Applicant own;
  sys::SystemRandom random;
  if (const auto error = sys::random_name(random, own.token)) {
    throw Error(Errc::store_failed,
                {.what = "no random number for a lease", .operation = "getrandom", .cause = error});
  }
  const sys::SystemProcess& process = shared.process();
  own.host = process.host();
  own.boot = place_of_pids(process);
  own.pid = process.pid();
  own.started = static_cast<std::int64_t>(process.start_time(own.pid));
  own.ttl = request.ttl.count() > 0 ? request.ttl : shared.target().options.ttl;
  own.above = static_cast<std::int64_t>(request.fence_above);
  return own;
}

constexpr const char* create_sql =
    "INSERT INTO runs(run, twin, stamp, owner, host, boot, pid, started, until, fence, since)"
    " VALUES($1::text, $2::text, nextval('stamps'), $3::text, $4::text, $5::text, $6::bigint,"
    " $7::bigint, clock_timestamp() + $8::bigint * interval '1 millisecond', $9::bigint + 1,"
    " clock_timestamp()) ON CONFLICT DO NOTHING RETURNING id";

constexpr const char* take_sql =
    "UPDATE runs SET owner = $4::text, host = $5::text, boot = $6::text, pid = $7::bigint,"
    " started = $8::bigint, until = clock_timestamp() + $9::bigint * interval '1 millisecond',"
    " fence = greatest(fence, $10::bigint) + 1, epoch = 0, calls = 0, since = clock_timestamp()"
    " WHERE id = $1::bigint AND fence = $2::bigint"
    " AND ($3::bigint = 1 OR until IS NULL OR until < clock_timestamp()) RETURNING id";

/// One attempt. nullopt: another process was faster, look again.
/// @throws Error{Errc::busy} and what the request forbids
std::optional<RunRow> try_to_take(Connection& connection, const Shared& shared,
                                  const store::RunSite& site, const Applicant& own, Create create,
                                  const Limit& limit) {
  auto row = find_run(connection, site.run, limit);
  if (!row) {
    if (create == Create::never) throw site.unknown();
    const std::string twin = core::run_twin_key(site.run);
    Parameters parameters;
    parameters.add(site.run).add(twin);
    own.add_to(parameters);
    if (!connection.run(create_sql, parameters, limit).empty()) {
      return find_run(connection, site.run, limit);
    }
    const Rows other =
        connection.run("SELECT run FROM runs WHERE twin = $1::text", Parameters{}.add(twin), limit);
    if (!other.empty() && other.bytes(0, 0) != site.run) {
      throw site.twin(core::encode_run(other.bytes(0, 0)));
    }
    return {};
  }
  if (row->token == own.token) return row;  // the answer to an earlier attempt was lost
  if (create == Create::must) throw site.exists();
  const bool owned = row->is_owned(shared);
  if (owned) throw site.busy(row->owner);
  Parameters parameters;
  // Of this owner: `until` is still in the future if its process was killed.
  parameters.add(row->id).add(row->fence).add(std::int64_t{row->until_later ? 1 : 0});
  own.add_to(parameters);
  if (connection.run(take_sql, parameters, limit).empty()) return {};
  return find_run(connection, site.run, limit);
}

void prepare(Connection& connection, const Shared& shared, const store::RunSite& site,
             Create create, const Limit& limit) {
  if (connection.schema() == schema_version) return;
  connection.find_schema(limit);
  if (connection.schema() == 0 && create == Create::never) throw site.unknown();
  if (connection.schema() == 0 && shared.target().options.create == CreateStore::never) {
    throw site.failed("open", shared.target().url,
                      std::make_error_code(std::errc::no_such_file_or_directory));
  }
  make_tables(connection, shared.target(), limit);
}

}  // namespace

std::string place_of_pids(const sys::SystemProcess& process) {
  const std::string boot = process.boot_id();
  const std::string space = sys::pid_namespace();
  return boot.empty() || space.empty() ? "" : boot + ' ' + space;
}

bool RunRow::is_owned(const Session& session) const {
  if (!until_later) return false;
  const sys::SystemProcess& process = session.process();
  const std::string here = place_of_pids(process);
  const bool is_visible = !here.empty() && here == boot;
  return !is_visible || process.start_time(owner.pid) == static_cast<std::uint64_t>(started);
}

std::optional<RunRow> find_run(Connection& connection, std::string_view run, const Limit& limit) {
// A commit of a worker changes the sum; what makes it smaller raises the run's own stamp.
#define FIND_SQL(commits)                                  \
  "SELECT id, fence, (stamp << 24) + " commits             \
  ", owner, host, boot, pid, started,"                     \
  " floor(extract(epoch FROM since))::bigint,"             \
  " coalesce(until > clock_timestamp(), false),"           \
  " coalesce(floor(extract(epoch FROM until)), 0)::bigint" \
  " FROM runs WHERE run = $1::text"
  constexpr const char* find_sql =
      FIND_SQL("(SELECT coalesce(sum(commits), 0)::bigint FROM work WHERE work.run = runs.id)");
  constexpr const char* find_without_work_sql = FIND_SQL("0");
#undef FIND_SQL
  const Rows rows =
      connection.run(connection.schema() >= version_with_work ? find_sql : find_without_work_sql,
                     Parameters{}.add(run), limit);
  if (rows.empty()) return {};
  const auto time = [&](int column) {
    return std::chrono::sys_seconds{std::chrono::seconds{rows.number(0, column)}};
  };
  RunRow row;
  row.id = rows.number(0, 0);
  row.fence = rows.number(0, 1);
  row.stamp = static_cast<std::uint64_t>(rows.number(0, 2));
  row.token = rows.bytes(0, 3);
  row.boot = rows.bytes(0, 5);
  row.started = rows.number(0, 7);
  row.until_later = rows.flag(0, 9);
  row.owner = {.host = std::string{rows.bytes(0, 4)},
               .pid = rows.number(0, 6),
               .since = time(8),
               .fence = static_cast<std::uint64_t>(row.fence),
               .until = time(10)};
  return row;
}

std::unique_ptr<PostgresLease> take_lease(const std::shared_ptr<Shared>& shared,
                                          std::string_view run, const LeaseRequest& request) {
  constexpr std::chrono::milliseconds longest_pause{250};
  const store::RunSite site = shared->site(run);
  const Applicant own = applicant_for(*shared, request);
  sys::SystemClock clock;
  const sys::BootTime end = detail::later(clock.boot(), request.wait);
  std::chrono::milliseconds pause{10};
  // What was stopped before still takes a lease that is free.
  const bool stopped = request.stop.stop_requested();
  const Wait wait{.stop = stopped ? std::stop_token{} : request.stop, .deadline = request.deadline};
  for (;;) {
    try {
      const auto row = shared->perform(
          Errc::store_failed, wait, [&](Connection& connection, const Limit& limit) {
            prepare(connection, *shared, site, request.create, limit);
            return try_to_take(connection, *shared, site, own, request.create, limit);
          });
      if (row) return std::make_unique<PostgresLease>(shared, site, *row, own.ttl);
    } catch (const Error& error) {
      const sys::BootTime now = clock.boot();
      if (error.errc() != Errc::busy || now >= end) throw;
      if (!sys::sleep_until(clock, std::min(end, now + pause), request.stop)) throw;
      pause = std::min(2 * pause, longest_pause);
    }
  }
}

PostgresLease::PostgresLease(std::shared_ptr<Shared> shared, store::RunSite site, const RunRow& row,
                             std::chrono::milliseconds ttl)
    : Lease(static_cast<std::uint64_t>(row.fence)),
      shared_(std::move(shared)),
      claim_{.site = std::move(site), .row = row.id, .fence = row.fence},
      stamp_(row.stamp) {
  shared_->heartbeat.add(row.id, {.fence = row.fence, .ttl = ttl, .lost = lost_});
}

PostgresLease::~PostgresLease() {
  if (shared_->forked()) return;
  // If the server cannot be reached, the lease ends by itself. One that owes an answer is not given
  // much time for another.
  const std::chrono::milliseconds longest{claim_.epoch_is_old ? 300 : 2'000};
  try {
    shared_->heartbeat.remove(claim_.row);
    const Wait wait{.stop = {}, .deadline = std::chrono::steady_clock::now() + longest};
    shared_->perform(Errc::store_failed, wait, [&](Connection& connection, const Limit& limit) {
      return connection.run(
          "UPDATE runs SET until = NULL WHERE id = $1::bigint AND fence = $2::bigint",
          Parameters{}.add(claim_.row).add(claim_.fence), limit);
    });
  } catch (...) {  // NOLINT(bugprone-empty-catch): see above
  }
}

void PostgresLease::remove_run() {
  shared_->perform(Errc::store_failed, {}, [&](Connection& connection, const Limit& limit) {
    return connection.run(
        "WITH r AS (DELETE FROM runs WHERE id = $1::bigint AND fence = $2::bigint RETURNING id),"
        " w AS (DELETE FROM work USING r WHERE work.run = r.id)"
        " DELETE FROM records USING r WHERE records.run = r.id",
        Parameters{}.add(claim_.row).add(claim_.fence), limit);
  });
}

void PostgresLease::check_process() const {
  if (shared_->forked()) throw claim_.site.forked();
}

Ticket PostgresLease::do_commit(const Batch& batch, const CommitOptions& options) {
  check_process();
  Ticket ticket = 0;
  shared_->writer.commit(claim_, batch, options, [&] { ticket = ++tickets_; });
  if (options.durability != Durability::data) note_durable(ticket);
  return ticket;
}

void PostgresLease::note_durable(Ticket ticket) noexcept {
  for (Ticket last = durable_; last < ticket && !durable_.compare_exchange_weak(last, ticket);) {
  }
}

/// A commit of nothing that waits for the disk.
void PostgresLease::do_wait(Ticket ticket, const Wait& wait) {
  check_process();
  if (durable_ >= ticket) return;
  const Ticket given = tickets_;
  shared_->writer.commit(claim_, {}, {.wait = wait}, [] {});
  note_durable(given);
}

void PostgresLease::do_manifest(std::string_view json, const Wait& wait) {
  check_process();
  static_cast<void>(shared_->writer.update(
      claim_,
      "UPDATE runs SET manifest = $4::bytea WHERE id = $1::bigint AND fence = $2::bigint"
      " AND epoch = $3::bigint RETURNING id",
      Parameters{}.add(json), wait));
}

std::string PostgresLease::do_quarantine(RecordId id, const Wait& wait) {
  check_process();
  const std::string where = shared_->where(claim_.site.run, id);
  const bool found = shared_->writer.update(
      claim_,
      "WITH o AS (UPDATE runs SET stamp = nextval('stamps') WHERE id = $1::bigint"
      " AND fence = $2::bigint AND epoch = $3::bigint RETURNING id)"
      " UPDATE records SET quarantined = true FROM o WHERE records.run = o.id"
      " AND path = $4::text AND generation = $5::bigint RETURNING records.run",
      Parameters{}.add(id.path).add(static_cast<std::int64_t>(id.generation)), wait);
  if (!found) {
    throw claim_.site.failed("quarantine", where,
                             std::make_error_code(std::errc::no_such_file_or_directory));
  }
  return where + " (quarantined)";
}

}  // namespace resumable::postgres
