#include "resumable/sqlite_store.hpp"

#include <filesystem>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "core/run_id.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "sqlite/records.hpp"
#include "sqlite/sqlite_lease.hpp"
#include "sqlite/work_queue.hpp"

namespace resumable {
inline namespace v0 {
namespace {

constexpr std::string_view cache_run = "@cache";

/// A large payload, with the snapshot of the database that it is in.
class SnapshotPayload final : public Payload {
 public:
  SnapshotPayload(std::shared_ptr<sqlite::Shared> shared, sqlite::Readers::Reader reader,
                  sqlite::Row row)
      : shared_(std::move(shared)),
        reader_(std::move(reader)),
        row_(std::move(row)),
        pid_(shared_->process.pid()) {}
  ~SnapshotPayload() override {
    if (shared_->process.pid() != pid_) return;
    try {
      (*reader_).execute("ROLLBACK");
    } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the connection is given up
    }
  }

  [[nodiscard]] std::uint64_t size() const override { return row_.payload_bytes; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    sqlite::check_process(pid_, shared_->database);
    const std::scoped_lock lock{guard_};
    return sqlite::read_chunks(*reader_, row_, at, to);
  }

 private:
  std::shared_ptr<sqlite::Shared> shared_;
  sqlite::Readers::Reader reader_;
  sqlite::Row row_;
  std::int64_t pid_;
  mutable std::mutex guard_;
};

}  // namespace

struct SqliteStore::State : sqlite::Shared {
  State(std::string file, const SqliteStoreOptions& given)
      : Shared(std::move(file)), options(given) {}
  SqliteStoreOptions options;
  sqlite::Work work{*this};

  /// Makes what a lease needs, if it is not there.
  void prepare(const store::RunSite& at, Create create) {
    const bool is_new = !readers.take();
    if (is_new && create == Create::never) throw at.unknown();
    if (is_new && options.create == CreateStore::never) {
      throw at.failed("open", database, std::make_error_code(std::errc::no_such_file_or_directory));
    }
    locks.prepare(at, options.shared == SharedFileSystem::allow);
  }
};

namespace {

/// The record with its payload. `state` is kept by a payload in chunks.
std::optional<StoredRecord> stored(const std::shared_ptr<sqlite::Shared>& shared,
                                   std::string_view run, RecordId id) {
  auto reader = shared->readers.take();
  if (!reader) return {};
  auto record = [&]() -> std::optional<sqlite::Row> {
    const auto row = sqlite::run_row(*reader, run);
    return row ? sqlite::find_record(*reader, *row, id) : std::nullopt;
  };
  auto found = record();
  if (!found || !found->in_chunks) {
    return found ? std::optional{std::move(found->record)} : std::nullopt;
  }
  // Again, in the snapshot that the chunks will be read from.
  (*reader).execute("BEGIN");
  try {
    found = record();
  } catch (...) {
    (*reader).execute("ROLLBACK");
    throw;
  }
  if (!found || !found->in_chunks) {
    (*reader).execute("ROLLBACK");
    return found ? std::optional{std::move(found->record)} : std::nullopt;
  }
  StoredRecord result = found->record;
  result.payload = std::make_shared<SnapshotPayload>(shared, std::move(reader), std::move(*found));
  return result;
}

/// The row of the run that the cache is, made where it is missing.
std::int64_t cache_row(sqlite::Connection& connection) {
  connection.prepare("INSERT OR IGNORE INTO runs(run, twin, stamp) VALUES(?1, ?1, 0)")
      .bind(1, cache_run)
      .run();
  return *sqlite::run_row(connection, cache_run);
}

}  // namespace

SqliteStore::SqliteStore(const std::filesystem::path& file, const SqliteStoreOptions& options) {
  if (file.empty()) {
    throw Error(Errc::bad_option,
                {.what = "the path of the database is empty", .next = "pass a file name"});
  }
  state_ = std::make_shared<State>(file.string(), options);
}

SqliteStore::~SqliteStore() = default;

bool SqliteStore::exists() const { return static_cast<bool>(state_->readers.take()); }

std::unique_ptr<Lease> SqliteStore::do_lease(std::string_view run, const LeaseRequest& request) {
  const store::RunSite site = state_->site(run);
  state_->prepare(site, request.create);
  return sqlite::take_lease(state_, site, request);
}

void SqliteStore::do_scan(std::string_view run, const ScanOptions& what,
                          FunctionRef<bool(const RecordHead&)> visit) const {
  const auto reader = state_->readers.take();
  if (!reader) return;
  if (const auto row = sqlite::run_row(*reader, run)) {
    sqlite::scan_records(*reader, *row, what, visit);
  }
}

std::optional<StoredRecord> SqliteStore::do_get(std::string_view run, RecordId id,
                                                const Wait& /*nothing to wait for*/) const {
  return stored(state_, run, id);
}

void SqliteStore::do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                          const Wait& /*a disk answers*/) const {
  const auto reader = state_->readers.take();
  if (!reader) return;
  sqlite::Statement rows = (*reader).prepare("SELECT run FROM runs WHERE run >= ? ORDER BY run");
  rows.bind(1, prefix);
  while (rows.step()) {
    const std::string run{rows.bytes(0)};
    if (!run.starts_with(prefix) || !visit(run)) return;
  }
}

std::optional<Owner> SqliteStore::do_owner(std::string_view run,
                                           const Wait& /*a disk answers*/) const {
  if (!state_->locks.is_taken(state_->site(run))) return {};
  const auto reader = state_->readers.take();
  return reader ? sqlite::last_owner(*reader, run) : std::nullopt;
}

std::optional<std::string> SqliteStore::do_manifest(std::string_view run,
                                                    const Wait& /*a disk answers*/) const {
  const auto reader = state_->readers.take();
  if (!reader) return {};
  sqlite::Statement row = (*reader).prepare("SELECT manifest FROM runs WHERE run = ?");
  if (!row.bind(1, run).step() || row.is_null(0)) return {};
  return std::string{row.bytes(0)};
}

std::optional<std::uint64_t> SqliteStore::do_stamp(std::string_view run,
                                                   const Wait& /*a disk answers*/) const {
  const auto reader = state_->readers.take();
  if (!reader) return {};
  sqlite::Statement row = (*reader).prepare("SELECT stamp FROM runs WHERE run = ?");
  if (!row.bind(1, run).step()) return {};
  return static_cast<std::uint64_t>(row.number(0));
}

RecordTotals SqliteStore::do_sums(std::string_view run, std::string_view prefix,
                                  const Wait& /*a disk answers*/) const {
  const auto reader = state_->readers.take();
  if (!reader) return {};
  const auto row = sqlite::run_row(*reader, run);
  return row ? sqlite::sum_records(*reader, *row, prefix) : RecordTotals{};
}

RemoveResult SqliteStore::do_remove(std::string_view run, const RemoveOptions& options) try {
  const store::RunSite site = state_->site(run);
  state_->prepare(site, Create::never);
  const auto row = [&] {
    const auto reader = state_->readers.take();
    return sqlite::run_row(*reader, run);
  };
  if (!row()) throw site.unknown();
  const auto lock = sqlite::lock_run(*state_, site, options.wait, options.stop);
  const auto id = row();  // another process may have removed it meanwhile
  if (!id) throw site.unknown();
  if (options.condition && !options.condition()) return {.removed = false};
  state_->writer.run([&](sqlite::Connection& connection) {
    connection.prepare("DELETE FROM records WHERE run = ?").bind(1, *id).run();
    connection.prepare("DELETE FROM work WHERE run = ?").bind(1, *id).run();
    connection.prepare("DELETE FROM runs WHERE id = ?").bind(1, *id).run();
  });
  return {};
} catch (const Error& error) {
  if (error.info().cause != std::errc::no_space_on_device) throw;
  ErrorInfo info = error.info();
  info.next =
      "free some space: removing a run takes some, for the log. If there is nothing else to"
      " remove, copy the runs that you want to keep to a store on another disk, which takes none"
      " here, and delete this database";
  throw Error(error.errc(), std::move(info));
}

std::string SqliteStore::do_locate(std::string_view run, RecordId id) const {
  return state_->where(run, id);
}

std::string SqliteStore::do_url() const { return "sqlite:" + state_->database; }

std::optional<StoredRecord> SqliteStore::do_find(std::string_view path,
                                                 const Wait& /*a disk answers*/) const {
  return stored(state_, cache_run, {path, 1});
}

bool SqliteStore::do_put_if_absent(const Put& put, const Wait& /*a disk answers*/) {
  state_->prepare(state_->site(cache_run), Create::if_absent);
  bool is_new = true;
  state_->writer.run([&](sqlite::Connection& connection) {
    const std::int64_t run = cache_row(connection);
    sqlite::Statement entry =
        connection.prepare("SELECT 1 FROM records WHERE run = ? AND path = ? AND generation = 1");
    is_new = !entry.bind(1, run).bind(2, put.id.path).step();
    if (is_new) sqlite::insert_record(connection, run, put);
  });
  return is_new;
}

void SqliteStore::do_replace(const Put& put, const Wait& /*a disk answers*/) {
  state_->prepare(state_->site(cache_run), Create::if_absent);
  state_->writer.run([&](sqlite::Connection& connection) {
    const std::int64_t run = cache_row(connection);
    connection.prepare("DELETE FROM records WHERE run = ? AND path = ? AND generation = 1")
        .bind(1, run)
        .bind(2, put.id.path)
        .run();
    sqlite::insert_record(connection, run, put);
  });
}

void SqliteStore::take_over(std::string_view run, std::uint64_t fence) {
  state_->work.take_over(run, fence);
}
void SqliteStore::publish(std::string_view run, std::uint64_t fence,
                          std::span<const WorkTask> tasks) {
  state_->work.publish(run, fence, tasks);
}
std::vector<FinishedWork> SqliteStore::collect(std::string_view run, std::uint64_t fence) {
  return state_->work.collect(run, fence);
}
std::vector<WorkItem> SqliteStore::withdraw(std::string_view run, std::uint64_t fence, bool stop) {
  return state_->work.withdraw(run, fence, stop);
}
void SqliteStore::end(std::string_view run, std::uint64_t fence) { state_->work.end(run, fence); }
std::uint64_t SqliteStore::join(const WorkerInfo& worker, std::chrono::milliseconds ttl) {
  state_->prepare(state_->site(cache_run), Create::if_absent);
  return state_->work.join(worker, ttl);
}
Claimed SqliteStore::claim(std::uint64_t worker, std::string_view pipeline,
                           std::string_view program, std::string_view run, std::size_t most) {
  return state_->work.claim(worker, pipeline, program, run, most);
}
WorkBeat SqliteStore::beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                           std::span<const std::uint64_t> held) {
  return state_->work.beat(worker, ttl, held);
}
ClaimState SqliteStore::commit(const WorkClaim& claim, const Batch& batch,
                               const CommitOptions& options) {
  return state_->work.commit(claim, batch, options);
}
ClaimState SqliteStore::finish(const WorkClaim& claim, std::string_view result) {
  return state_->work.finish(claim, result);
}
void SqliteStore::give_back(const WorkClaim& claim) { state_->work.give_back(claim); }
void SqliteStore::leave(std::uint64_t worker) { state_->work.leave(worker); }
std::vector<WorkerInfo> SqliteStore::workers() const { return state_->work.workers(); }
std::vector<WorkItem> SqliteStore::work(std::string_view run) const {
  return state_->work.work(run);
}

namespace {

/// Of a database that does not exist, or has no tables.
Error no_runs(const std::string& file) {
  const std::string name = core::printable(file);
  sys::Stat stat;
  if (sys::stat_path(file, stat)) {
    return {Errc::bad_option,
            {.what = fmt::format("there is no database '{}'", name),
             .next = "name a store that exists",
             .advice = {{.option = Option::create_store, .purpose = "to create it"}}}};
  }
  return {
      Errc::bad_option,
      {.what = fmt::format("the database '{}' is empty: no run was begun in it, or it was copied"
                           " without its log '{}-wal'",
                           name, name),
       .file = file,
       .kept = "it is untouched",
       .next = "begin a run in it, or copy the database together with its log"}};
}

}  // namespace

std::unique_ptr<CheckpointStore> open_sqlite_store(std::string_view url, CreateStore create) {
  constexpr std::string_view scheme = "sqlite:";
  const std::string_view file = url.starts_with(scheme) ? url.substr(scheme.size()) : url;
  if (file.empty()) {
    throw Error(Errc::bad_option,
                {.what = "the URL of the store names no database", .next = "write sqlite:FILE"});
  }
  if (file.ends_with("?shared=yes")) {
    throw Error(Errc::bad_option,
                {.what = "an SQLite database cannot be shared by hosts: its processes share memory",
                 .next = "use file:DIR?shared=yes or journal:DIR?shared=yes, or a PostgreSQL"
                         " server"});
  }
  auto store = std::make_unique<SqliteStore>(std::filesystem::path{file},
                                             SqliteStoreOptions{.create = create});
  if (create == CreateStore::never && !store->exists()) throw no_runs(std::string{file});
  return store;
}

}  // namespace v0
}  // namespace resumable
