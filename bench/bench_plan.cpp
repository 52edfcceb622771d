// Planning a run in which everything is done, and resuming it: what a start costs when nothing is
// to do. N = 10 … 100 000 items of one fan-out; the yardstick is reading the store's heads alone.
//
// Load: values of a few bytes, no artifacts. `open_and_plan` is what a new process does: open the
// store, read the heads, decide. `resume` adds the lease, a second look under it, and the report.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>
#include <resumable/journal_store.hpp>
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

template <class Store>
std::unique_ptr<rs::CheckpointStore> open_in(const bench::Scratch& scratch) {
  return std::make_unique<Store>(scratch.path());
}

/// A finished run of N items, made once.
template <class Store>
class Finished {
 public:
  explicit Finished(std::int64_t items) : pipeline(pipeline_of(items)) {
    const auto store = open_in<Store>(scratch);
    const rs::Report report = rs::resume(
        pipeline, *store, {.run = "r", .concurrency = 8, .durability = rs::Durability::queued});
    if (!report) std::abort();
  }
  bench::Scratch scratch;
  rs::Pipeline pipeline;
};

template <class Store>
const Finished<Store>& finished(std::int64_t items) {
  static std::map<std::int64_t, Finished<Store>> all;
  return all.try_emplace(items, items).first->second;
}

void heads(benchmark::State& state) {
  const auto& run = finished<rs::FileStore>(state.range(0));
  for (auto _ : state) {
    const auto store = open_in<rs::FileStore>(run.scratch);
    std::size_t count = 0;
    store->scan("r", {}, [&](const rs::RecordHead&) { return ++count > 0; });
    benchmark::DoNotOptimize(count);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Store>
void plan(benchmark::State& state) {
  const auto& run = finished<Store>(state.range(0));
  for (auto _ : state) {
    const auto store = open_in<Store>(run.scratch);
    const rs::Plan plan = rs::ResumePlanner{*store}.plan(run.pipeline, {.run = "r"});
    if (!plan.complete()) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Store>
void resume(benchmark::State& state) {
  const auto& run = finished<Store>(state.range(0));
  for (auto _ : state) {
    const auto store = open_in<Store>(run.scratch);
    const rs::Report report = rs::resume(run.pipeline, *store, {.run = "r"});
    if (!report) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Store>
void status(benchmark::State& state) {
  const auto& run = finished<Store>(state.range(0));
  for (auto _ : state) {
    const auto store = open_in<Store>(run.scratch);
    if (rs::status(run.pipeline, *store, "r").state != rs::RunState::done) std::abort();
  }
}

/// What people use to find that nothing is to do: Ninja, or GNU make, on as many files that are
/// newer than what they are made from. Both are called as a program; so their start counts, too.
class UpToDate {
 public:
  UpToDate(std::string program, std::int64_t edges) : program_(std::move(program)) {
    namespace fs = std::filesystem;
    const fs::path folder = scratch_.path();
    std::ofstream ninja{folder / "build.ninja"};
    std::ofstream make{folder / "Makefile"};
    ninja << "rule copy\n  command = cp $in $out\n  generator = 1\n";
    make << "all:";
    for (std::int64_t i = 0; i < edges; ++i) make << " o" << i;
    make << '\n';
    for (std::int64_t i = 0; i < edges; ++i) {
      const std::string name = std::to_string(i);
      std::ofstream{folder / ("i" + name)};
      ninja << "build o" << name << ": copy i" << name << '\n';
      make << 'o' << name << ": i" << name << "\n\tcp $< $@\n";
    }
    for (std::int64_t i = 0; i < edges; ++i) std::ofstream{folder / ("o" + std::to_string(i))};
  }
  void look() const {
    const std::string command =
        program_ + " -C " + scratch_.path().string() + " >" + scratch_.path().string() + "/said";
    if (std::system(command.c_str()) != 0) std::abort();
  }

 private:
  bench::Scratch scratch_;
  std::string program_;
};

void up_to_date(benchmark::State& state, const char* program) {
  if (std::system((std::string{program} + " --version >/dev/null 2>&1").c_str()) != 0) {
    state.SkipWithError("not installed");
    return;
  }
  const UpToDate files{program, state.range(0)};
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
BENCHMARK(ninja)->Name("start/ninja")->Arg(100'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(make)->Name("start/make")->Arg(10'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
