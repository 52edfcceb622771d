// One durable commit of the stores that write logs, against the least that a log can do, and
// against the databases that people would use instead (bench_peers.cpp).
//
// `recycled` writes into a file of a fixed size whose blocks are written already, and fdatasyncs:
// the disk's limit. `append` writes behind the end of a growing file. Load: payloads of 256 B to 1
// MiB with one thread; 4 KiB with 16 and 64 threads, each of which waits for its commit; and 4 KiB
// with Durability::queued and data, where an iteration ends with one wait for all; and a loop of 64
// MiB, each commit of which erases the record of the one before.
#include <fcntl.h>
#include <resumable/journal_store.hpp>
#ifdef BENCH_SQLITE
#include <resumable/sqlite_store.hpp>
#endif

#include "load.hpp"
#include "store/queued_store.hpp"

namespace rs = resumable;

namespace {

using bench::count;
using bench::must;
using bench::Records;

void append(benchmark::State& state) {
  const bench::Scratch scratch;
  const int file =
      open((scratch.path() / "log").c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::string payload = bench::text_of(bytes);
  for (auto _ : state) {
    must(write(file, payload.data(), payload.size()) == static_cast<ssize_t>(payload.size()));
    must(fdatasync(file) == 0);
  }
  close(file);
  count(state, 1, bytes);
}

void journal(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path() / "store"};
  bench::one_thread(state, store);
}

void journal_threads(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path() / "store"};
  bench::many_threads(state, store);
}

constexpr std::int64_t sustained_commits = 16'384;

/// A loop that keeps its last state, 64 MiB in all: full segments, and a log that is cleaned.
void journal_sustained(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path() / "store"};
  const auto lease = store.lease("run");
  Records records{4096};
  for (auto _ : state) {
    for (std::int64_t i = 0; i < sustained_commits; ++i) records.replace(*lease);
  }
  count(state, sustained_commits, 4096);
}

constexpr std::int64_t commits = 2'000;

/// Each iteration commits so many without waiting for each, and then waits for all.
void weaker(benchmark::State& state, rs::Durability durability) {
  const bench::Scratch scratch;
  rs::JournalStore journal{scratch.path() / "store"};
  rs::store::QueuedStore store{journal};
  const auto lease =
      durability == rs::Durability::queued ? store.lease("run") : journal.lease("run");
  Records records{4096};
  for (auto _ : state) {
    for (std::int64_t i = 0; i < commits; ++i) records.commit(*lease, 1, durability);
    lease->wait(lease->commit({}));
  }
  count(state, commits, 4096);
}

void journal_queued(benchmark::State& state) { weaker(state, rs::Durability::queued); }
void journal_data(benchmark::State& state) { weaker(state, rs::Durability::data); }

BENCHMARK(bench::recycled)
    ->Name("log/recycled")
    ->RangeMultiplier(16)
    ->Range(256, 1 << 20)
    ->UseRealTime();
BENCHMARK(append)->Name("log/append")->RangeMultiplier(16)->Range(256, 1 << 20)->UseRealTime();
BENCHMARK(journal)->Name("log/journal")->RangeMultiplier(16)->Range(256, 1 << 20)->UseRealTime();
BENCHMARK(journal_threads)->Name("log_of_threads/journal")->Arg(16)->Arg(64)->UseRealTime();
BENCHMARK(journal_sustained)->Name("log_sustained/journal")->UseRealTime();
BENCHMARK(journal_queued)->Name("log_without_waiting/journal_queued")->UseRealTime();
BENCHMARK(journal_data)->Name("log_without_waiting/journal_data")->UseRealTime();

#ifdef BENCH_SQLITE
void sqlite(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::SqliteStore store{scratch.path() / "store.db"};
  bench::one_thread(state, store);
}

void sqlite_threads(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::SqliteStore store{scratch.path() / "store.db"};
  bench::many_threads(state, store);
}

BENCHMARK(sqlite)->Name("log/sqlite_store")->Arg(4096)->UseRealTime();
BENCHMARK(sqlite_threads)->Name("log_of_threads/sqlite_store")->Arg(16)->UseRealTime();
#endif

}  // namespace
