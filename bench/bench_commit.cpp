// One durable commit of the file store against the raw sequence that a file per checkpoint cannot
// do without: write a temporary file, fsync, rename, fsync the folder.
//
// Load: new names each time, payloads of 256 B to 64 MiB, one thread; a batch of 100 records of
// 4 KiB; and 16 threads each of which waits for its commit of 4 KiB.
#include <atomic>
#include <deque>

#include <fcntl.h>
#include <resumable/file_store.hpp>

#include "load.hpp"

namespace rs = resumable;

namespace {

using bench::count;
using bench::must;
using bench::Records;

void write_durably(int folder, const std::string& name, std::string_view bytes) {
  const std::string temp = name + ".tmp";
  const int file = openat(folder, temp.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  must(file >= 0);
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t put = write(file, bytes.data() + at, bytes.size() - at);
    must(put > 0);
    at += static_cast<std::size_t>(put);
  }
  must(fsync(file) == 0);
  must(close(file) == 0);
  must(renameat(folder, temp.c_str(), folder, name.c_str()) == 0);
  must(fsync(folder) == 0);
}

void raw(benchmark::State& state) {
  const bench::Scratch scratch;
  const int folder = open(scratch.path().c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC);
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::string payload = bench::text_of(bytes);
  std::size_t n = 0;
  for (auto _ : state) write_durably(folder, std::to_string(++n), payload);
  close(folder);
  count(state, 1, bytes);
}

void file_store(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::FileStore store{scratch.path() / "store"};
  const auto lease = store.lease("run");
  const auto bytes = static_cast<std::size_t>(state.range(0));
  Records records{bytes};
  for (auto _ : state) records.commit(*lease, 1);
  count(state, 1, bytes);
}

constexpr std::int64_t batch = 100;

void raw_one_by_one(benchmark::State& state) {
  const bench::Scratch scratch;
  const int folder = open(scratch.path().c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC);
  const std::string payload = bench::text_of(4096);
  std::size_t n = 0;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < batch; ++i) write_durably(folder, std::to_string(++n), payload);
  }
  close(folder);
  count(state, batch, 4096);
}

void file_store_batch(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::FileStore store{scratch.path() / "store"};
  const auto lease = store.lease("run");
  Records records{4096};
  for (auto _ : state) records.commit(*lease, batch);
  count(state, batch, 4096);
}

constexpr std::int64_t threads = 16;
constexpr std::int64_t each = 25;

void raw_in_flight(benchmark::State& state) {
  const bench::Scratch scratch;
  const int folder = open(scratch.path().c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC);
  const std::string payload = bench::text_of(4096);
  std::atomic<std::size_t> n = 0;
  bench::in_threads(state, threads, each,
                    [&](std::int64_t) { write_durably(folder, std::to_string(++n), payload); });
  close(folder);
}

void file_store_in_flight(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::FileStore store{scratch.path() / "store"};
  const auto lease = store.lease("run");
  std::deque<Records> records;
  for (std::int64_t t = 0; t < threads; ++t) records.emplace_back(4096, "s" + std::to_string(t));
  bench::in_threads(state, threads, each, [&](std::int64_t t) {
    records[static_cast<std::size_t>(t)].commit(*lease, 1);
  });
}

BENCHMARK(raw)
    ->Name("commit/raw")
    ->RangeMultiplier(16)
    ->Range(256, 1 << 20)
    ->Arg(64 << 20)
    ->UseRealTime();
BENCHMARK(file_store)
    ->Name("commit/file_store")
    ->RangeMultiplier(16)
    ->Range(256, 1 << 20)
    ->Arg(64 << 20)
    ->UseRealTime();
BENCHMARK(raw_one_by_one)->Name("batch_of_100/raw")->UseRealTime();
BENCHMARK(file_store_batch)->Name("batch_of_100/file_store")->UseRealTime();
BENCHMARK(raw_in_flight)->Name("files_of_16_threads/raw")->UseRealTime();
BENCHMARK(file_store_in_flight)->Name("files_of_16_threads/file_store")->UseRealTime();

}  // namespace
