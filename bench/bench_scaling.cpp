// How commits and plans scale, for the plots of scripts/plots.sh (scripts/bench.sh leaves this
// program out): durable commits of 256 B to 1 GiB, and of 4 KiB with 1 to 64 threads, for each
// store; steps that return values of 256 B to 8 MiB, for each codec; and plans of 10 to 1 000 000
// finished items, with the counter peak_MiB: what one takes beyond what the process held before.
//
// The names are scaling/PLOT/CURVE/N, where N is the value of the horizontal axis.
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <malloc.h>
#include <resumable/file.hpp>
#include <resumable/journal_store.hpp>
#include <resumable/resumable.hpp>
#ifdef BENCH_SQLITE
#include <resumable/sqlite_store.hpp>
#endif

#include "finished.hpp"
#include "load.hpp"

namespace rs = resumable;

namespace bench {

struct Row {
  std::int64_t id = 0;
  double price = 0;
  std::string name;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Row, id, price, name)
};

/// Records of numbers and short texts, in a form that Codec<> below chooses.
template <rs::CodecId form>
struct Table {
  std::vector<Row> rows;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Table, rows)
};

}  // namespace bench

template <>
struct resumable::Codec<bench::Table<resumable::CodecId::cbor>>
    : resumable::CborCodec<bench::Table<resumable::CodecId::cbor>> {};
template <>
struct resumable::Codec<bench::Table<resumable::CodecId::msgpack>>
    : resumable::MsgpackCodec<bench::Table<resumable::CodecId::msgpack>> {};

namespace {

constexpr std::int64_t mib = 1 << 20;

// ---- sizes, threads ----------------------------------------------------------------------------

template <class Store, class Work>
void on_new(benchmark::State& state, const Work& work) {
  if constexpr (std::is_same_v<Store, rs::MemoryStore>) {
    rs::MemoryStore store;
    work(state, store);
  } else {
    const bench::Scratch scratch;
    Store store{scratch.path() / "store"};
    work(state, store);
  }
}

template <class Store>
void sizes(benchmark::State& state) {
  on_new<Store>(state, bench::one_thread);
}

template <class Store>
void threads(benchmark::State& state) {
  on_new<Store>(state, bench::many_threads);
}

// ---- codecs ------------------------------------------------------------------------------------

template <class Value>
void make(std::size_t bytes, Value& value) {
  value = Value{bench::text_of(bytes)};
}

/// As many rows as have so many bytes in JSON.
template <rs::CodecId form>
void make(std::size_t bytes, bench::Table<form>& table) {
  while (bytes > 0) {
    const auto n = static_cast<std::int64_t>(table.rows.size());
    table.rows.push_back({n * 2'654'435'761, static_cast<double>(n % 99'999) / 100, "item"});
    bytes -= std::min(bytes, rs::Json(table.rows.back()).dump().size() + 1);
  }
}

/// A run with steps that return such a value, several where it is small.
template <class Value>
void codecs(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::int64_t steps = std::clamp<std::int64_t>(4 * mib / state.range(0), 1, 64);
  Value value;
  make(bytes, value);
  rs::Pipeline pipeline{"bench"};
  pipeline.stage("steps", [&](rs::Context& ctx) {
    for (std::int64_t i = 0; i < steps; ++i) ctx.step(std::to_string(i), [&] { return value; });
  });
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path() / "store"};
  std::int64_t run = 0;
  for (auto _ : state) {
    const std::string name = "r" + std::to_string(++run);
    bench::must(static_cast<bool>(rs::resume(pipeline, store, {.run = name})));
    state.PauseTiming();
    store.remove(name);
    state.ResumeTiming();
  }
  bench::count(state, steps, bytes);
}

// ---- items -------------------------------------------------------------------------------------

template <class Store>
void items(benchmark::State& state) {
  const auto& run = bench::finished<Store>(state.range(0));
  double most = 0;
  for (auto _ : state) {
    state.PauseTiming();
    malloc_trim(0);
    const bench::Peak peak;
    state.ResumeTiming();
    {
      Store store = run.open();
      bench::must(rs::ResumePlanner{store}.plan(run.pipeline, {.run = "r"}).complete());
    }
    state.PauseTiming();
    most = std::max(most, peak.mib());
    state.ResumeTiming();
  }
  state.counters["peak_MiB"] = most;
}

void ninja(benchmark::State& state) {
  if (!bench::UpToDate::installed("ninja")) return state.SkipWithError("not installed");
  const bench::UpToDate files{"ninja", state.range(0)};
  files.look();
  for (auto _ : state) files.look();
}

using Benchmark = benchmark::internal::Benchmark;

void by_size(Benchmark* benchmark) {
  for (std::int64_t bytes = 256; bytes < 1024 * mib; bytes *= 8) benchmark->Arg(bytes);
  benchmark->Arg(1024 * mib)->UseRealTime();
}
void by_size_in_memory(Benchmark* benchmark) {
  for (std::int64_t bytes = 256; bytes <= 32 * mib; bytes *= 8) benchmark->Arg(bytes);
  benchmark->UseRealTime();
}
void by_threads(Benchmark* benchmark) {
  benchmark->RangeMultiplier(2)->Range(1, 64)->UseRealTime();
}
void by_items(Benchmark* benchmark) {
  benchmark->RangeMultiplier(10)->Range(10, 1'000'000)->UseRealTime();
}

BENCHMARK(bench::recycled)->Name("scaling/sizes/disk")->Apply(by_size);
BENCHMARK(sizes<rs::MemoryStore>)->Name("scaling/sizes/memory_store")->Apply(by_size);
BENCHMARK(sizes<rs::JournalStore>)->Name("scaling/sizes/journal")->Apply(by_size);
BENCHMARK(sizes<rs::FileStore>)->Name("scaling/sizes/file_store")->Apply(by_size);

BENCHMARK(threads<rs::MemoryStore>)->Name("scaling/threads/memory_store")->Apply(by_threads);
BENCHMARK(threads<rs::JournalStore>)->Name("scaling/threads/journal")->Apply(by_threads);
BENCHMARK(threads<rs::FileStore>)->Name("scaling/threads/file_store")->Apply(by_threads);

BENCHMARK(codecs<rs::Bytes>)->Name("scaling/codecs/bytes")->Apply(by_size_in_memory);
BENCHMARK(codecs<std::string>)->Name("scaling/codecs/prose_json")->Apply(by_size_in_memory);
BENCHMARK(codecs<bench::Table<rs::CodecId::json>>)
    ->Name("scaling/codecs/rows_json")
    ->Apply(by_size_in_memory);
BENCHMARK(codecs<bench::Table<rs::CodecId::cbor>>)
    ->Name("scaling/codecs/rows_cbor")
    ->Apply(by_size_in_memory);
BENCHMARK(codecs<bench::Table<rs::CodecId::msgpack>>)
    ->Name("scaling/codecs/rows_msgpack")
    ->Apply(by_size_in_memory);

BENCHMARK(items<rs::JournalStore>)->Name("scaling/items/journal")->Apply(by_items);
BENCHMARK(items<rs::FileStore>)->Name("scaling/items/file_store")->Apply(by_items);

#ifdef BENCH_SQLITE
BENCHMARK(sizes<rs::SqliteStore>)->Name("scaling/sizes/sqlite_store")->Apply(by_size);
BENCHMARK(threads<rs::SqliteStore>)->Name("scaling/threads/sqlite_store")->Apply(by_threads);
BENCHMARK(items<rs::SqliteStore>)->Name("scaling/items/sqlite_store")->Apply(by_items);
#endif

// Behind the stores: a CSV file has the counters of the benchmark that runs first.
BENCHMARK(ninja)
    ->Name("scaling/items/ninja")
    ->RangeMultiplier(10)
    ->Range(10, 100'000)
    ->UseRealTime();

}  // namespace
