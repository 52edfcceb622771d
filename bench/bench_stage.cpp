// What the library adds to a stage: a trivial stage on the memory store (P13: at most 5 µs on top
// of calling the function), and a whole durable stage on the file store against the raw sequence of
// bench_commit (P11's shape, for this store).
#include <benchmark/benchmark.h>
#include <resumable/resumable.hpp>

#include "scratch.hpp"

namespace rs = resumable;

namespace {

constexpr int stages = 1000;

rs::Pipeline chain() {
  rs::Pipeline pipeline{"bench"};
  auto last = pipeline.stage(rs::Name::checked("s0"), [] { return 0; });
  for (int i = 1; i < stages; ++i) {
    const std::string name = "s" + std::to_string(i);
    last = pipeline.stage(rs::Name::checked(name), inputs(last), [](int n) { return n + 1; });
  }
  return pipeline;
}

void memory_store(benchmark::State& state) {
  const rs::Pipeline pipeline = chain();
  std::int64_t run = 0;
  for (auto _ : state) {
    rs::MemoryStore store;
    const rs::Report report = rs::resume(pipeline, store, {.run = "r" + std::to_string(++run)});
    if (!report) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * stages);
}

void file_store(benchmark::State& state) {
  const rs::Pipeline pipeline = chain();
  const bench::Scratch scratch;
  rs::FileStore store{scratch.path()};
  std::int64_t run = 0;
  for (auto _ : state) {
    const rs::Report report = rs::resume(pipeline, store, {.run = "r" + std::to_string(++run)});
    if (!report) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * stages);
}

BENCHMARK(memory_store)->Name("chain_of_1000/memory_store")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(file_store)->Name("chain_of_1000/file_store")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
