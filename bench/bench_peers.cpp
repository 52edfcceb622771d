// What people would use instead of a store: SQLite, LMDB, LevelDB and RocksDB, each with a durable
// commit of one key, and the state of the whole program as one JSON file. Only those whose library
// is installed are built.
//
// Load: 4 KiB with new keys, one thread and 16 threads; a million small records that are opened and
// listed; and a text of so many sections that is saved after each.
#include <atomic>
#include <deque>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <resumable/journal_store.hpp>
#ifdef BENCH_SQLITE
#include <sqlite3.h>
#endif
#ifdef BENCH_LEVELDB
#include <leveldb/db.h>
#endif
#ifdef BENCH_ROCKSDB
#include <rocksdb/db.h>
#endif
#ifdef BENCH_LMDB
#include <lmdb.h>
#endif

#include "load.hpp"

namespace rs = resumable;

namespace {

using bench::count;
using bench::must;

/// `Database` has put(key, value), durable on return.
template <class Database>
void one_thread(benchmark::State& state) {
  const bench::Scratch scratch;
  Database database{scratch.path() / "db"};
  const std::string payload = bench::text_of(static_cast<std::size_t>(state.range(0)));
  std::size_t n = 0;
  for (auto _ : state) database.put("s/" + std::to_string(++n), payload);
  count(state, 1, payload.size());
}

template <class Database>
void threads(benchmark::State& state) {
  const bench::Scratch scratch;
  Database database{scratch.path() / "db"};
  const std::string payload = bench::text_of(4096);
  std::atomic<std::size_t> n = 0;
  bench::in_threads(state, state.range(0), 32,
                    [&](std::int64_t) { database.put("s/" + std::to_string(++n), payload); });
}

#ifdef BENCH_SQLITE
/// A connection for each thread, as SQLite's documentation advises.
class Sqlite {
 public:
  explicit Sqlite(const std::filesystem::path& file) : file_(file.string()) {
    execute(connection(), "CREATE TABLE records(key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID");
  }
  void put(const std::string& key, const std::string& value) {
    sqlite3* db = connection();
    sqlite3_stmt* statement = nullptr;
    must(sqlite3_prepare_v2(db, "INSERT INTO records VALUES(?, ?)", -1, &statement, nullptr) ==
         SQLITE_OK);
    sqlite3_bind_text(statement, 1, key.data(), static_cast<int>(key.size()), SQLITE_STATIC);
    sqlite3_bind_blob(statement, 2, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
    must(sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_finalize(statement);
  }

 private:
  static void execute(sqlite3* db, const char* sql) {
    must(sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  sqlite3* connection() {
    struct Closer {
      void operator()(sqlite3* db) const { sqlite3_close(db); }
    };
    thread_local std::unique_ptr<sqlite3, Closer> own;
    thread_local std::string file;
    if (!own || file != file_) {
      sqlite3* db = nullptr;
      must(sqlite3_open(file_.c_str(), &db) == SQLITE_OK);
      sqlite3_busy_timeout(db, 60'000);
      execute(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      own.reset(db);
      file = file_;
    }
    return own.get();
  }
  std::string file_;
};
BENCHMARK(one_thread<Sqlite>)->Name("log/sqlite")->Arg(4096)->UseRealTime();
BENCHMARK(threads<Sqlite>)->Name("log_of_threads/sqlite")->Arg(16)->UseRealTime();
#endif

#ifdef BENCH_LEVELDB
class LevelDb {
 public:
  explicit LevelDb(const std::filesystem::path& folder) {
    leveldb::Options options;
    options.create_if_missing = true;
    leveldb::DB* db = nullptr;
    must(leveldb::DB::Open(options, folder.string(), &db).ok());
    db_.reset(db);
    durable_.sync = true;
  }
  void put(const std::string& key, const std::string& value) {
    must(db_->Put(durable_, key, value).ok());
  }

 private:
  std::unique_ptr<leveldb::DB> db_;
  leveldb::WriteOptions durable_;
};
BENCHMARK(one_thread<LevelDb>)->Name("log/leveldb")->Arg(4096)->UseRealTime();
BENCHMARK(threads<LevelDb>)->Name("log_of_threads/leveldb")->Arg(16)->UseRealTime();
#endif

#ifdef BENCH_ROCKSDB
class RocksDb {
 public:
  explicit RocksDb(const std::filesystem::path& folder) {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    must(rocksdb::DB::Open(options, folder.string(), &db).ok());
    db_.reset(db);
    durable_.sync = true;
  }
  void put(const std::string& key, const std::string& value) {
    must(db_->Put(durable_, key, value).ok());
  }

 private:
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::WriteOptions durable_;
};
BENCHMARK(one_thread<RocksDb>)->Name("log/rocksdb")->Arg(4096)->UseRealTime();
BENCHMARK(threads<RocksDb>)->Name("log_of_threads/rocksdb")->Arg(16)->Arg(64)->UseRealTime();
#endif

constexpr std::size_t million = 1'000'000;

#ifdef BENCH_LMDB
class Lmdb {
 public:
  explicit Lmdb(const std::filesystem::path& folder) {
    std::filesystem::create_directory(folder);
    must(mdb_env_create(&env_) == 0);
    must(mdb_env_set_mapsize(env_, std::size_t{4} << 30U) == 0);
    must(mdb_env_open(env_, folder.c_str(), 0, 0600) == 0);
    MDB_txn* txn = nullptr;
    must(mdb_txn_begin(env_, nullptr, 0, &txn) == 0);
    must(mdb_dbi_open(txn, nullptr, 0, &dbi_) == 0);
    must(mdb_txn_commit(txn) == 0);
  }
  ~Lmdb() { mdb_env_close(env_); }
  Lmdb(const Lmdb&) = delete;
  Lmdb& operator=(const Lmdb&) = delete;

  void put(const std::string& key, const std::string& value) {
    MDB_txn* txn = nullptr;
    must(mdb_txn_begin(env_, nullptr, 0, &txn) == 0);
    add(txn, key, value);
    must(mdb_txn_commit(txn) == 0);
  }
  void fill(std::size_t records, const std::string& value) {
    MDB_txn* txn = nullptr;
    must(mdb_txn_begin(env_, nullptr, 0, &txn) == 0);
    for (std::size_t i = 0; i < records; ++i) add(txn, "s/" + std::to_string(i), value);
    must(mdb_txn_commit(txn) == 0);
  }
  std::size_t list() {
    MDB_txn* txn = nullptr;
    MDB_cursor* cursor = nullptr;
    must(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn) == 0);
    must(mdb_cursor_open(txn, dbi_, &cursor) == 0);
    MDB_val key{};
    MDB_val value{};
    std::size_t bytes = 0;
    while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) bytes += key.mv_size;
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    return bytes;
  }

 private:
  void add(MDB_txn* txn, const std::string& key, const std::string& value) {
    MDB_val name{key.size(), const_cast<char*>(key.data())};      // NOLINT: a C interface
    MDB_val data{value.size(), const_cast<char*>(value.data())};  // NOLINT: a C interface
    must(mdb_put(txn, dbi_, &name, &data, 0) == 0);
  }
  MDB_env* env_ = nullptr;
  MDB_dbi dbi_ = 0;
};

void lmdb_list(benchmark::State& state) {
  const bench::Scratch scratch;
  Lmdb{scratch.path() / "db"}.fill(million, std::string(200, 'v'));
  for (auto _ : state) {
    Lmdb database{scratch.path() / "db"};
    benchmark::DoNotOptimize(database.list());
  }
}
BENCHMARK(one_thread<Lmdb>)->Name("log/lmdb")->Arg(4096)->UseRealTime();
BENCHMARK(lmdb_list)->Name("million/lmdb")->Unit(benchmark::kMillisecond)->UseRealTime();
#endif

void journal_list(benchmark::State& state) {
  const bench::Scratch scratch;
  {
    rs::JournalStore store{scratch.path()};
    const auto lease = store.lease("run");
    bench::Records records{200};
    for (std::size_t i = 0; i < million; i += 1'000) records.commit(*lease, 1'000);
  }
  for (auto _ : state) {
    const rs::JournalStore store{scratch.path()};
    std::size_t found = 0;
    store.scan("run", {}, [&](const rs::RecordHead&) { return ++found > 0; });
    must(found == million);
  }
}
BENCHMARK(journal_list)->Name("million/journal")->Unit(benchmark::kMillisecond)->UseRealTime();

/// A run of so many records is opened, and one of them read.
void journal_get(benchmark::State& state) {
  const bench::Scratch scratch;
  {
    rs::JournalStore store{scratch.path()};
    const auto lease = store.lease("run");
    bench::Records records{200};
    for (std::int64_t i = 0; i < state.range(0); i += 1'000) records.commit(*lease, 1'000);
  }
  const std::string path = "s/" + std::to_string(state.range(0) / 2);
  for (auto _ : state) {
    const rs::JournalStore store{scratch.path()};
    must(store.get("run", {path, 1}).has_value());
  }
}
BENCHMARK(journal_get)->Name("open_and_get/journal")->Arg(1'000)->Arg(million)->UseRealTime();

// ---- a text that grows, section by section -----------------------------------------------------

constexpr std::size_t section_bytes = 13'000;  // about 2000 words

/// As written by hand: all sections so far as one JSON file, replaced by a rename, not synced.
void whole_state_by_hand(benchmark::State& state) {
  const bench::Scratch scratch;
  const auto file = scratch.path() / "state.json";
  const std::string section = bench::text_of(section_bytes);
  for (auto _ : state) {
    nlohmann::json whole = nlohmann::json::array();
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      whole.push_back(section);
      std::ofstream{scratch.path() / "state.json.tmp"} << whole.dump();
      std::filesystem::rename(scratch.path() / "state.json.tmp", file);
    }
  }
}

/// As a program that was written by hand does better: a file for each section, and after each an
/// index of all sections that is replaced by a rename, not synced.
void index_by_hand(benchmark::State& state) {
  const bench::Scratch scratch;
  const std::string section = bench::text_of(section_bytes);
  nlohmann::json index{{"sections", nlohmann::json::array()},
                       {"completed", nlohmann::json::array()}};
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    index["sections"].push_back(
        {{"title", "Section " + std::to_string(i)}, {"about", bench::text_of(80)}});
  }
  for (auto _ : state) {
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      std::ofstream{scratch.path() / ("section-" + std::to_string(i) + ".md")} << section;
      index["completed"].push_back("Section " + std::to_string(i));
      std::ofstream{scratch.path() / "index.json.tmp"} << index.dump(2);
      std::filesystem::rename(scratch.path() / "index.json.tmp", scratch.path() / "index.json");
    }
  }
}

/// Each section as a commit of its own, durable.
void sections(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path()};
  std::int64_t run = 0;
  for (auto _ : state) {
    const auto lease = store.lease("run-" + std::to_string(++run));
    bench::Records records{section_bytes};
    for (std::int64_t i = 0; i < state.range(0); ++i) records.commit(*lease, 1);
  }
}
BENCHMARK(whole_state_by_hand)->Name("corpus/by_hand")->Arg(500)->Iterations(1)->UseRealTime();
BENCHMARK(index_by_hand)->Name("corpus/index_by_hand")->Arg(5000)->Iterations(1)->UseRealTime();
BENCHMARK(sections)->Name("corpus/journal")->Arg(500)->Arg(5000)->Iterations(1)->UseRealTime();

}  // namespace
