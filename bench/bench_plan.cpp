// Planning a run in which everything is done, and resuming it: what a start costs when nothing is
// to do. N = 10 … 100 000 items of one fan-out; the yardstick is reading the store's heads alone.
//
// Load: values of a few bytes, no artifacts. `open_and_plan` is what a new process does: open the
// store, read the heads, decide. `resume` adds the lease, a second look under it, and the report.
#include <cstdlib>

#include <benchmark/benchmark.h>
#include <resumable/journal_store.hpp>
#include <resumable/resumable.hpp>

#include "finished.hpp"

namespace rs = resumable;

namespace {

using bench::finished;

void heads(benchmark::State& state) {
  const auto& run = finished<rs::FileStore>(state.range(0));
  for (auto _ : state) {
    rs::FileStore store = run.open();
    std::size_t count = 0;
    store.scan("r", {}, [&](const rs::RecordHead&) { return ++count > 0; });
    benchmark::DoNotOptimize(count);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Store>
void plan(benchmark::State& state) {
  const auto& run = finished<Store>(state.range(0));
  for (auto _ : state) {
    Store store = run.open();
    const rs::Plan plan = rs::ResumePlanner{store}.plan(run.pipeline, {.run = "r"});
    if (!plan.complete()) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// Each item has a file, which a plan looks at.
void plan_with_files(benchmark::State& state) {
  static const bench::Finished<rs::JournalStore> run{100'000, true};
  for (auto _ : state) {
    rs::JournalStore store = run.open();
    if (!rs::ResumePlanner{store}.plan(run.pipeline, {.run = "r"}).complete()) std::abort();
  }
}

template <class Store>
void resume(benchmark::State& state) {
  const auto& run = finished<Store>(state.range(0));
  for (auto _ : state) {
    Store store = run.open();
    const rs::Report report = rs::resume(run.pipeline, store, {.run = "r"});
    if (!report) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Store>
void status(benchmark::State& state) {
  const auto& run = finished<Store>(state.range(0));
  for (auto _ : state) {
    Store store = run.open();
    if (rs::status(run.pipeline, store, "r").state != rs::RunState::done) std::abort();
  }
}

void up_to_date(benchmark::State& state, const char* program) {
  if (!bench::UpToDate::installed(program)) {
    state.SkipWithError("not installed");
    return;
  }
  const bench::UpToDate files{program, state.range(0)};
  files.look();
  for (auto _ : state) files.look();
}
void ninja(benchmark::State& state) { up_to_date(state, "ninja"); }
void make(benchmark::State& state) { up_to_date(state, "make"); }

BENCHMARK(heads)
    ->Name("start/raw")
    ->RangeMultiplier(10)
    ->Range(10, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(plan<rs::FileStore>)
    ->Name("start/open_and_plan")
    ->RangeMultiplier(10)
    ->Range(10, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(resume<rs::FileStore>)
    ->Name("start/resume")
    ->RangeMultiplier(10)
    ->Range(10, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

BENCHMARK(plan<rs::JournalStore>)
    ->Name("start/journal_plan")
    ->RangeMultiplier(10)
    ->Range(1'000, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(resume<rs::JournalStore>)
    ->Name("start/journal_resume")
    ->RangeMultiplier(10)
    ->Range(1'000, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(status<rs::JournalStore>)
    ->Name("start/journal_status")
    ->RangeMultiplier(10)
    ->Range(1'000, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(plan_with_files)
    ->Name("start/journal_plan_with_files/100000")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(ninja)->Name("start/ninja")->Arg(100'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(make)->Name("start/make")->Arg(10'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
