// Planning a run in which everything is done, and resuming it: what a start costs when nothing is
// to do. N = 10 … 100 000 items of one fan-out; the yardstick is reading the store's heads alone.
//
// Load: values of a few bytes, no artifacts. `open_and_plan` is what a new process does: open the
// store, read the heads, decide. `resume` adds the lease, a second look under it, and the report.
#include <map>

#include <benchmark/benchmark.h>
#include <resumable/resumable.hpp>

#include "scratch.hpp"

namespace rs = resumable;

namespace {

rs::Pipeline pipeline_of(std::int64_t items) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(items));
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<std::int64_t>(i);
  rs::Pipeline pipeline{"bench"};
  const auto numbers = pipeline.input("numbers", list);
  pipeline.stage("squares", inputs(each(numbers)), [](std::int64_t n) { return n * n; });
  return pipeline;
}

/// A finished run of N items, made once.
class Finished {
 public:
  explicit Finished(std::int64_t items) : pipeline(pipeline_of(items)) {
    rs::FileStore store{scratch.path()};
    const rs::Report report = rs::resume(pipeline, store, {.run = "r", .concurrency = 8});
    if (!report) std::abort();
  }
  bench::Scratch scratch;
  rs::Pipeline pipeline;
};

const Finished& finished(std::int64_t items) {
  static std::map<std::int64_t, Finished> all;
  return all.try_emplace(items, items).first->second;
}

void heads(benchmark::State& state) {
  const Finished& run = finished(state.range(0));
  for (auto _ : state) {
    rs::FileStore store{run.scratch.path()};
    std::size_t count = 0;
    store.scan("r", {}, [&](const rs::RecordHead&) { return ++count > 0; });
    benchmark::DoNotOptimize(count);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void plan(benchmark::State& state) {
  const Finished& run = finished(state.range(0));
  for (auto _ : state) {
    rs::FileStore store{run.scratch.path()};
    const rs::Plan plan = rs::ResumePlanner{store}.plan(run.pipeline, {.run = "r"});
    if (!plan.complete()) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void resume(benchmark::State& state) {
  const Finished& run = finished(state.range(0));
  for (auto _ : state) {
    rs::FileStore store{run.scratch.path()};
    const rs::Report report = rs::resume(run.pipeline, store, {.run = "r"});
    if (!report) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(heads)
    ->Name("start/raw")
    ->RangeMultiplier(10)
    ->Range(10, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(plan)
    ->Name("start/open_and_plan")
    ->RangeMultiplier(10)
    ->Range(10, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(resume)
    ->Name("start/resume")
    ->RangeMultiplier(10)
    ->Range(10, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
