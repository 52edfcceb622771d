// One durable commit of the file store against the raw sequence that a file per checkpoint cannot
// do without: write a temporary file, fsync, rename, fsync the folder.
//
// Load: new names each time, payloads of 256 B to 64 MiB, one thread, and a batch of 100 records of
// 4 KiB, and 16 threads each of which waits for its commit of 4 KiB. Both sides alternate in rounds
// (run with --benchmark_enable_random_interleaving=true).
#include <atomic>
#include <deque>
#include <thread>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <resumable/file_store.hpp>

#include "core/record_format.hpp"
#include "scratch.hpp"

namespace rs = resumable;

namespace {

void check(bool good) {
  if (!good) std::abort();
}

void write_durably(int folder, const std::string& name, std::string_view bytes) {
  const std::string temp = name + ".tmp";
  const int file = openat(folder, temp.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  check(file >= 0);
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t put = write(file, bytes.data() + at, bytes.size() - at);
    check(put > 0);
    at += static_cast<std::size_t>(put);
  }
  check(fsync(file) == 0);
  check(close(file) == 0);
  check(renameat(folder, temp.c_str(), folder, name.c_str()) == 0);
  check(fsync(folder) == 0);
}

void count(benchmark::State& state, std::int64_t per_iteration, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations() * per_iteration);
  state.SetBytesProcessed(state.iterations() * per_iteration * static_cast<std::int64_t>(bytes));
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

/// Records as the library makes them: tag, header with digests, payload.
class Records {
 public:
  explicit Records(std::size_t bytes, std::string stage = "s")
      : stage_(std::move(stage)), payload_(bench::text_of(bytes)) {}

  void commit(rs::Lease& lease, std::size_t puts) {
    std::vector<std::string> paths(puts);
    std::vector<std::string> headers(puts);
    std::vector<rs::Put> batch;
    for (std::size_t i = 0; i < puts; ++i) {
      paths[i] = stage_ + "/" + std::to_string(++last_);
      rs::core::Head head;
      rs::core::Header header;
      header.run_uid = "0123456789abcdef";
      header.pipeline = "bench";
      header.key = paths[i];
      header.generation = 1;
      header.payload_bytes = payload_.size();
      header.payload_digest = rs::core::digest_of(payload_);
      head.identity = header.payload_digest;
      const rs::Tag tag = rs::core::encode_tag(head, {header.run_uid, paths[i], 1});
      headers[i] = rs::core::encode_header(header, tag);
      batch.push_back({{paths[i], 1}, tag, headers[i], &payload_});
    }
    lease.commit({batch, {}});
  }

 private:
  std::string stage_;
  rs::StringPayload payload_;
  std::size_t last_ = 0;
};

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

constexpr std::int64_t in_flight = 16;

/// `work(thread)` in so many threads, in each iteration.
template <class Work>
void in_threads(benchmark::State& state, const Work& work) {
  constexpr std::int64_t each = 25;
  for (auto _ : state) {
    std::vector<std::thread> threads;
    for (std::int64_t t = 0; t < in_flight; ++t) {
      threads.emplace_back([&, t] {
        for (std::int64_t i = 0; i < each; ++i) work(t);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  count(state, in_flight * each, 4096);
}

void raw_in_flight(benchmark::State& state) {
  const bench::Scratch scratch;
  const int folder = open(scratch.path().c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC);
  const std::string payload = bench::text_of(4096);
  std::atomic<std::size_t> n = 0;
  in_threads(state, [&](std::int64_t) { write_durably(folder, std::to_string(++n), payload); });
  close(folder);
}

void file_store_in_flight(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::FileStore store{scratch.path() / "store"};
  const auto lease = store.lease("run");
  std::deque<Records> records;
  for (std::int64_t t = 0; t < in_flight; ++t) records.emplace_back(4096, "s" + std::to_string(t));
  in_threads(state,
             [&](std::int64_t t) { records[static_cast<std::size_t>(t)].commit(*lease, 1); });
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
BENCHMARK(raw_in_flight)->Name("in_flight_16/raw")->UseRealTime();
BENCHMARK(file_store_in_flight)->Name("in_flight_16/file_store")->UseRealTime();
BENCHMARK(file_store_batch)->Name("batch_of_100/file_store")->UseRealTime();

}  // namespace
