// What keeping the work inside a stage costs: one step, one safepoint, one entry of a history, each
// with a value of 4 KiB. The yardstick is the least that a log of such values must do: append 4 KiB
// to a file, and fdatasync. A safepoint that does not save is to take at most 50 ns.
#include <chrono>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <resumable/resumable.hpp>
#include <unistd.h>

#include "scratch.hpp"

namespace rs = resumable;

namespace {

const std::string value = bench::text_of(4096);

void append(benchmark::State& state) {
  const bench::Scratch scratch;
  const int file = open((scratch.path() / "log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  for (auto _ : state) {
    if (write(file, value.data(), value.size()) < 0 || fdatasync(file) != 0) std::abort();
  }
  close(file);
}

/// Runs `loop` as the function of a stage.
template <class Loop>
void in_stage(rs::CheckpointStore& store, Loop loop) {
  rs::Pipeline pipeline{"bench"};
  pipeline.stage("loop", [&](rs::Context& ctx) { loop(ctx); });
  if (!rs::resume(pipeline, store, {.run = "r"})) std::abort();
}

template <class Loop>
void in_memory(Loop loop) {
  rs::MemoryStore store;
  in_stage(store, loop);
}

template <class Loop>
void in_files(Loop loop) {
  const bench::Scratch scratch;
  rs::FileStore store{scratch.path()};
  in_stage(store, loop);
}

auto steps(benchmark::State& state) {
  return [&](rs::Context& ctx) {
    std::size_t number = 0;
    for (auto _ : state) {
      benchmark::DoNotOptimize(ctx.step(std::to_string(++number), [] { return value; }));
    }
  };
}

auto safepoints(benchmark::State& state, rs::ProgressOptions cadence) {
  return [&state, cadence](rs::Context& ctx) {
    auto progress = ctx.progress(value, cadence);
    for (auto _ : state) progress.safepoint();
  };
}

/// push_back() when there are so many entries, and nine more.
void push_back(benchmark::State& state, std::size_t entries) {
  constexpr std::size_t timed = 10;
  bool prepares = true;
  rs::Pipeline pipeline{"bench"};
  pipeline.stage("loop", [&](rs::Context& ctx) {
    if (prepares) {
      auto history = ctx.history<std::string>({.every = static_cast<unsigned>(entries)});
      while (history.size() < entries) history.push_back(value);
      throw std::runtime_error("to be gone on with");
    }
    auto history = ctx.history<std::string>();
    if (history.size() != entries) std::abort();
    state.ResumeTiming();
    for (std::size_t i = 0; i < timed; ++i) history.push_back(value);
    state.PauseTiming();
  });
  while (state.KeepRunningBatch(timed)) {
    state.PauseTiming();
    {
      const bench::Scratch scratch;
      rs::FileStore store{scratch.path()};
      prepares = true;
      if (rs::resume(pipeline, store, {.run = "r"})) std::abort();
      prepares = false;
      if (!rs::resume(pipeline, store, {.run = "r"})) std::abort();
    }
    state.ResumeTiming();
  }
}

void step_in_memory(benchmark::State& state) { in_memory(steps(state)); }
void step_in_files(benchmark::State& state) { in_files(steps(state)); }
void idle_by_number(benchmark::State& state) {
  in_memory(safepoints(state, {.every = 2'000'000'000}));
}
void idle_by_time(benchmark::State& state) {
  in_memory(safepoints(state, {.interval = std::chrono::hours{1}}));
}
void save_in_memory(benchmark::State& state) { in_memory(safepoints(state, {.every = 1})); }
void save_in_files(benchmark::State& state) { in_files(safepoints(state, {.every = 1})); }
void push_back_at_10(benchmark::State& state) { push_back(state, 10); }
void push_back_at_1000(benchmark::State& state) { push_back(state, 1000); }

BENCHMARK(append)->Name("inside/raw")->UseRealTime();
BENCHMARK(step_in_memory)->Name("inside/step_memory_store")->UseRealTime();
BENCHMARK(step_in_files)->Name("inside/step_file_store")->UseRealTime();
BENCHMARK(idle_by_number)->Name("inside/safepoint_not_due_by_number")->UseRealTime();
BENCHMARK(idle_by_time)->Name("inside/safepoint_not_due_by_time")->UseRealTime();
BENCHMARK(save_in_memory)->Name("inside/safepoint_saves_memory_store")->UseRealTime();
BENCHMARK(save_in_files)->Name("inside/safepoint_saves_file_store")->UseRealTime();
BENCHMARK(push_back_at_10)->Name("inside/push_back_at_10_file_store")->UseRealTime();
BENCHMARK(push_back_at_1000)->Name("inside/push_back_at_1000_file_store")->UseRealTime();

}  // namespace
