#include "resumable/postgres_store.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "postgres/postgres_lease.hpp"
#include "postgres/records.hpp"
#include "postgres/schema.hpp"
#include "postgres/target.hpp"
#include "postgres/work_queue.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {

using postgres::Connection;
using postgres::Limit;
using postgres::Parameters;

namespace {

constexpr std::string_view cache_run = "@cache";

}  // namespace

struct PostgresStore::State : postgres::Shared {
  using Shared::Shared;
  postgres::Work work{*this};

  /// What `query` returns, or an empty result when there are no tables.
  template <class Query>
  auto read(const Wait& wait, const Query& query) {
    return perform(Errc::unreadable, wait, [&](Connection& connection, const Limit& limit) {
      if (connection.schema() < postgres::schema_version) connection.find_schema(limit);
      return connection.schema() == 0 ? decltype(query(connection, limit)){}
                                      : query(connection, limit);
    });
  }

  /// A run's row; nullopt when there is none.
  std::optional<postgres::RunRow> row(std::string_view run, const Wait& wait) {
    return read(wait, [&](Connection& connection, const Limit& limit) {
      return postgres::find_run(connection, run, limit);
    });
  }

  /// Inserts an entry of the cache; whether there was none, or one was replaced.
  bool put_entry(const Put& put, const char* sql, const Wait& wait) {
    const std::string payload = read_all(*put.payload);
    const std::string_view tag{reinterpret_cast<const char*>(put.tag.raw.data()),
                               put.tag.raw.size()};
    return perform(Errc::store_failed, wait, [&](Connection& connection, const Limit& limit) {
      if (connection.schema() == 0) postgres::make_tables(connection, target(), limit);
      connection.run(
          "INSERT INTO runs(run, twin, stamp) VALUES($1::text, $1::text, 0)"
          " ON CONFLICT DO NOTHING",
          Parameters{}.add(cache_run), limit);
      return !connection
                  .run(sql,
                       Parameters{}
                           .add(cache_run)
                           .add(put.id.path)
                           .add(tag)
                           .add(put.header)
                           .add(payload),
                       limit)
                  .empty();
    });
  }
};

PostgresStore::PostgresStore(std::string_view url, const PostgresStoreOptions& options)
    // In a forked child, where the threads are missing, nothing of it may be destroyed.
    : state_(new State(postgres::target_of(url, options)), [](State* state) {
        if (!state->forked()) delete state;
      }) {}

PostgresStore::~PostgresStore() = default;

bool PostgresStore::exists() const {
  return state_->read({}, [](Connection&, const Limit&) { return true; });
}

std::unique_ptr<Lease> PostgresStore::do_lease(std::string_view run, const LeaseRequest& request) {
  return postgres::take_lease(state_, run, request);
}

void PostgresStore::do_scan(std::string_view run, const ScanOptions& what,
                            FunctionRef<bool(const RecordHead&)> visit) const {
  postgres::scan_records(*state_, run, what, visit);
}

std::optional<StoredRecord> PostgresStore::do_get(std::string_view run, RecordId id,
                                                  const Wait& wait) const {
  return postgres::get_record(*state_, run, id, wait);
}

void PostgresStore::do_get_many(std::string_view run, std::span<const RecordId> ids,
                                FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  postgres::get_records(*state_, run, ids, visit, wait);
}

void PostgresStore::do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                            const Wait& wait) const {
  const auto rows = state_->read(wait, [&](Connection& connection, const Limit& limit) {
    return std::optional{connection.run(
        "SELECT run FROM runs WHERE run >= $1::text AND starts_with(run, $1::text) ORDER BY run",
        Parameters{}.add(prefix), limit)};
  });
  for (int row = 0; rows && row < rows->count(); ++row) {
    if (!visit(rows->bytes(row, 0))) return;
  }
}

std::optional<Owner> PostgresStore::do_owner(std::string_view run, const Wait& wait) const {
  const auto row = state_->row(run, wait);
  return row && row->is_owned(*state_) ? std::optional{row->owner} : std::nullopt;
}

std::optional<std::string> PostgresStore::do_manifest(std::string_view run,
                                                      const Wait& wait) const {
  const auto rows = state_->read(wait, [&](Connection& connection, const Limit& limit) {
    return std::optional{
        connection.run("SELECT manifest FROM runs WHERE run = $1::text AND manifest IS NOT NULL",
                       Parameters{}.add(run), limit)};
  });
  if (!rows || rows->empty()) return {};
  return std::string{rows->bytes(0, 0)};
}

std::optional<std::uint64_t> PostgresStore::do_stamp(std::string_view run, const Wait& wait) const {
  const auto row = state_->row(run, wait);
  return row ? std::optional{row->stamp} : std::nullopt;
}

RecordTotals PostgresStore::do_sums(std::string_view run, std::string_view prefix,
                                    const Wait& wait) const {
  return postgres::sum_records(*state_, run, prefix, wait);
}

RemoveResult PostgresStore::do_remove(std::string_view run, const RemoveOptions& options) {
  const auto lease = postgres::take_lease(
      state_, run, {.create = Create::never, .wait = options.wait, .stop = options.stop});
  if (options.condition && !options.condition()) return {.removed = false};
  lease->remove_run();
  return {};
}

std::string PostgresStore::do_locate(std::string_view run, RecordId id) const {
  return state_->where(run, id);
}

std::string PostgresStore::do_url() const { return state_->target().url; }

std::vector<std::string> PostgresStore::do_warnings(const Wait& wait) const {
  const auto [fsync, pages, standby] =
      state_->perform(Errc::unreadable, wait, [](Connection& connection, const Limit& limit) {
        const auto rows = connection.run(
            "SELECT current_setting('fsync') = 'off', current_setting('full_page_writes') = 'off',"
            " current_setting('synchronous_standby_names') = ''"
            " AND EXISTS(SELECT FROM pg_stat_replication)",
            {}, limit);
        return std::array{rows.flag(0, 0), rows.flag(0, 1), rows.flag(0, 2)};
      });
  std::vector<std::string> warnings;
  if (fsync) {
    warnings.emplace_back(
        "the PostgreSQL server has fsync = off: a power loss may destroy the whole database");
  }
  if (pages) {
    warnings.emplace_back(
        "the PostgreSQL server has full_page_writes = off: a power loss may damage the database");
  }
  if (standby) {
    warnings.emplace_back(
        "the PostgreSQL server has an asynchronous standby: a failover to it loses the last"
        " commits (synchronous_standby_names is empty)");
  }
  return warnings;
}

std::optional<StoredRecord> PostgresStore::do_find(std::string_view path, const Wait& wait) const {
  return postgres::get_record(*state_, cache_run, {path, 1}, wait);
}

bool PostgresStore::do_put_if_absent(const Put& put, const Wait& wait) {
  return state_->put_entry(
      put,
      "INSERT INTO records(run, path, generation, payload_bytes, tag, header, payload)"
      " SELECT id, $2::text, 1, octet_length($5::bytea), $3::bytea, $4::bytea, $5::bytea"
      " FROM runs WHERE run = $1::text ON CONFLICT DO NOTHING RETURNING run",
      wait);
}

void PostgresStore::do_replace(const Put& put, const Wait& wait) {
  static_cast<void>(state_->put_entry(
      put,
      "INSERT INTO records(run, path, generation, payload_bytes, tag, header, payload)"
      " SELECT id, $2::text, 1, octet_length($5::bytea), $3::bytea, $4::bytea, $5::bytea"
      " FROM runs WHERE run = $1::text"
      " ON CONFLICT(run, path, generation) DO UPDATE SET payload_bytes = excluded.payload_bytes,"
      " tag = excluded.tag, header = excluded.header, payload = excluded.payload RETURNING run",
      wait));
}

// ---- work --------------------------------------------------------------------------------------

void PostgresStore::take_over(std::string_view run, std::uint64_t fence) {
  state_->work.take_over(run, fence);
}
void PostgresStore::publish(std::string_view run, std::uint64_t fence,
                            std::span<const WorkTask> tasks) {
  state_->work.publish(run, fence, tasks);
}
std::vector<FinishedWork> PostgresStore::collect(std::string_view run, std::uint64_t fence) {
  return state_->work.collect(run, fence);
}
std::vector<WorkItem> PostgresStore::withdraw(std::string_view run, std::uint64_t fence,
                                              bool stop) {
  return state_->work.withdraw(run, fence, stop);
}
void PostgresStore::end(std::string_view run, std::uint64_t fence) { state_->work.end(run, fence); }
std::uint64_t PostgresStore::join(const WorkerInfo& worker, std::chrono::milliseconds ttl) {
  return state_->work.join(worker, ttl);
}
Claimed PostgresStore::claim(std::uint64_t worker, std::string_view pipeline,
                             std::string_view program, std::string_view run, std::size_t most) {
  return state_->work.claim(worker, pipeline, program, run, most);
}
WorkBeat PostgresStore::beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                             std::span<const std::uint64_t> held) {
  return state_->work.beat(worker, ttl, held);
}
ClaimState PostgresStore::commit(const WorkClaim& claim, const Batch& batch,
                                 const CommitOptions& options) {
  return state_->work.commit(claim, batch, options);
}
ClaimState PostgresStore::finish(const WorkClaim& claim, std::string_view result) {
  return state_->work.finish(claim, result);
}
void PostgresStore::give_back(const WorkClaim& claim) { state_->work.give_back(claim); }
void PostgresStore::leave(std::uint64_t worker) { state_->work.leave(worker); }
std::vector<WorkerInfo> PostgresStore::workers() const { return state_->work.workers(); }
std::vector<WorkItem> PostgresStore::work(std::string_view run) const {
  return state_->work.work(run);
}

std::unique_ptr<CheckpointStore> open_postgres_store(std::string_view url, CreateStore create) {
  PostgresStoreOptions options{.create = create};
  const std::string rest = postgres::take_options(url, options);
  auto store = std::make_unique<PostgresStore>(rest, options);
  if (create == CreateStore::never && !store->exists()) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("the database has no schema '{}' with runs", options.schema),
                 .file = store->url(),
                 .kept = "nothing was changed",
                 .next = "name a store that exists",
                 .advice = {{.option = Option::create_store, .purpose = "to create it"}}});
  }
  return store;
}

}  // namespace v0
}  // namespace resumable
