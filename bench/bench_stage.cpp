// What the library adds to a stage. On the memory store: a stage that does nothing, which is to
// cost at most 5 µs more than calling its function. On the file store: a durable stage, against the
// raw sequence of bench_commit. Steps: 100 within one stage, against appending 100 records of their
// size to one file with an fdatasync each, which is the least that a log must do.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <resumable/journal_store.hpp>
#include <resumable/resumable.hpp>
#include <unistd.h>

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

void on_disk(benchmark::State& state, rs::CheckpointStore& store) {
  const rs::Pipeline pipeline = chain();
  std::int64_t run = 0;
  for (auto _ : state) {
    const rs::Report report = rs::resume(pipeline, store, {.run = "r" + std::to_string(++run)});
    if (!report) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * stages);
}

void file_store(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::FileStore store{scratch.path()};
  on_disk(state, store);
}

void journal_store(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path()};
  on_disk(state, store);
}

/// The disk's limit for as many stages: writes of 100 bytes into blocks that are written already.
void recycled(benchmark::State& state) {
  const bench::Scratch scratch;
  const std::string block(1 << 20, '\0');
  const int file = open((scratch.path() / "log").c_str(), O_CREAT | O_RDWR, 0600);
  if (write(file, block.data(), block.size()) < 0 || fsync(file) != 0) std::abort();
  for (auto _ : state) {
    for (int i = 0; i < stages; ++i) {
      if (pwrite(file, block.data(), 100, 100 * i) < 0 || fdatasync(file) != 0) std::abort();
    }
  }
  close(file);
  state.SetItemsProcessed(state.iterations() * stages);
}

constexpr int steps = 100;

void run_steps(benchmark::State& state, rs::CheckpointStore& store) {
  rs::Pipeline pipeline{"bench"};
  pipeline.stage("steps", [](rs::Context& ctx) {
    for (int i = 0; i < steps; ++i) ctx.step("step " + std::to_string(i), [i] { return i; });
  });
  std::int64_t run = 0;
  for (auto _ : state) {
    if (!rs::resume(pipeline, store, {.run = "r" + std::to_string(++run)})) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * steps);
}

void steps_in_memory(benchmark::State& state) {
  rs::MemoryStore store;
  run_steps(state, store);
}

void steps_in_files(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::FileStore store{scratch.path()};
  run_steps(state, store);
}

void appends(benchmark::State& state) {
  const bench::Scratch scratch;
  const std::string record(700, 'x');
  const int file = open((scratch.path() / "log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  for (auto _ : state) {
    for (int i = 0; i < steps; ++i) {
      if (write(file, record.data(), record.size()) < 0 || fdatasync(file) != 0) std::abort();
    }
  }
  close(file);
  state.SetItemsProcessed(state.iterations() * steps);
}

BENCHMARK(appends)->Name("steps_100/raw")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(steps_in_files)
    ->Name("steps_100/file_store")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(steps_in_memory)
    ->Name("steps_100/memory_store")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(recycled)->Name("chain_of_1000/recycled")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(memory_store)
    ->Name("chain_of_1000/memory_store")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(journal_store)
    ->Name("chain_of_1000/journal_store")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(file_store)
    ->Name("chain_of_1000/file_store")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
