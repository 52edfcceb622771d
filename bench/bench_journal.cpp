// One durable commit of a journal store against the least that a log can do: a write behind the end
// of a file, and fdatasync.
//
// Load: payloads of 256 B to 1 MiB with one thread, and 4 KiB with 16 threads that commit at the
// same time; the raw side has no threads there: it is what one commit after the other costs. Both
// sides alternate in rounds (run with --benchmark_enable_random_interleaving=true).
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <resumable/journal_store.hpp>

#include "core/record_format.hpp"
#include "scratch.hpp"

namespace rs = resumable;

namespace {

void must(bool good) {
  if (!good) std::abort();
}

void done(benchmark::State& state, std::int64_t per_iteration, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations() * per_iteration);
  state.SetBytesProcessed(state.iterations() * per_iteration * static_cast<std::int64_t>(bytes));
}

void append(benchmark::State& state, std::int64_t per_iteration) {
  const bench::Scratch scratch;
  const int file =
      open((scratch.path() / "log").c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::string payload = bench::text_of(bytes);
  for (auto _ : state) {
    for (std::int64_t i = 0; i < per_iteration; ++i) {
      must(write(file, payload.data(), payload.size()) == static_cast<ssize_t>(payload.size()));
      must(fdatasync(file) == 0);
    }
  }
  close(file);
  done(state, per_iteration, bytes);
}

/// A record as the library makes them: tag, header with digests, payload.
void commit(rs::Lease& lease, const rs::StringPayload& payload, const std::string& path) {
  rs::core::Head head;
  rs::core::Header header;
  header.run_uid = "0123456789abcdef";
  header.pipeline = "bench";
  header.key = path;
  header.generation = 1;
  header.payload_bytes = payload.size();
  header.payload_digest = rs::core::digest_of(payload);
  head.identity = header.payload_digest;
  const rs::Tag tag = rs::core::encode_tag(head, {header.run_uid, path, 1});
  const std::string line = rs::core::encode_header(header, tag);
  const rs::Put put{{path, 1}, tag, line, &payload};
  lease.commit({.puts = {&put, 1}, .erases = {}});
}

void raw(benchmark::State& state) { append(state, 1); }

void journal_store(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path() / "store"};
  const auto lease = store.lease("run");
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const rs::StringPayload payload{bench::text_of(bytes)};
  std::size_t n = 0;
  for (auto _ : state) commit(*lease, payload, "s/" + std::to_string(++n));
  done(state, 1, bytes);
}

constexpr int threads = 16;
constexpr int each = 32;  ///< commits of a thread in one iteration

void raw_one_by_one(benchmark::State& state) { append(state, threads * each); }

void journal_store_threads(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path() / "store"};
  const auto lease = store.lease("run");
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const rs::StringPayload payload{bench::text_of(bytes)};
  std::size_t round = 0;
  for (auto _ : state) {
    ++round;
    std::vector<std::jthread> workers;
    for (int thread = 0; thread < threads; ++thread) {
      workers.emplace_back([&, thread] {
        const std::string path = "s/" + std::to_string(round) + "/" + std::to_string(thread) + "-";
        for (int i = 0; i < each; ++i) commit(*lease, payload, path + std::to_string(i));
      });
    }
  }
  done(state, threads * each, bytes);
}

BENCHMARK(raw)->Name("journal/raw")->RangeMultiplier(16)->Range(256, 1 << 20)->UseRealTime();
BENCHMARK(journal_store)
    ->Name("journal/journal_store")
    ->RangeMultiplier(16)
    ->Range(256, 1 << 20)
    ->UseRealTime();
BENCHMARK(raw_one_by_one)->Name("in_flight_16/raw")->Arg(4096)->UseRealTime();
BENCHMARK(journal_store_threads)->Name("in_flight_16/journal_store")->Arg(4096)->UseRealTime();

}  // namespace
