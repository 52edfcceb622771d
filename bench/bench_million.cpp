// A journal that has grown: a run of a million finished items planned, resumed and asked for its
// status, with its files in memory and without; and a durable commit behind a million records.
//
// Load: values of a few bytes, no artifacts; records of 256 B. `cold` asks the kernel to forget the
// files of the store before each open. The counter peak_MiB is the most memory that an iteration
// used beyond what the process held before.
#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <malloc.h>
#include <resumable/journal_store.hpp>
#include <resumable/resumable.hpp>

#include "finished.hpp"
#include "load.hpp"

namespace rs = resumable;

namespace {

constexpr std::int64_t million = 1'000'000;

/// Has the kernel forget what it holds of the files in a folder.
void forget(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator{folder}) {
    if (!entry.is_regular_file()) continue;
    const int file = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    bench::must(file >= 0 && fdatasync(file) == 0);
    bench::must(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0);
    close(file);
  }
}

template <class Work>
void each_time(benchmark::State& state, bool cold, const Work& work, std::int64_t items = million) {
  const auto& run = bench::finished<rs::JournalStore>(items);
  for (auto _ : state) {
    state.PauseTiming();
    if (cold) forget(run.scratch.path());
    malloc_trim(0);
    const bench::Peak peak;
    state.ResumeTiming();
    {
      rs::JournalStore store = run.open();
      work(run.pipeline, store);
    }
    state.PauseTiming();
    state.counters["peak_MiB"] = peak.mib();
    state.ResumeTiming();
  }
}

void plan_once(const rs::Pipeline& pipeline, rs::CheckpointStore& store) {
  bench::must(rs::ResumePlanner{store}.plan(pipeline, {.run = "r"}).complete());
}

void plan(benchmark::State& state, bool cold) { each_time(state, cold, plan_once); }
void plan_few(benchmark::State& state) { each_time(state, false, plan_once, 10'000); }

void resume(benchmark::State& state, bool cold) {
  each_time(state, cold, [](const rs::Pipeline& pipeline, rs::CheckpointStore& store) {
    bench::must(static_cast<bool>(rs::resume(pipeline, store, {.run = "r"})));
  });
}

void status(benchmark::State& state, bool cold) {
  each_time(state, cold, [](const rs::Pipeline& pipeline, rs::CheckpointStore& store) {
    bench::must(rs::status(pipeline, store, "r").state == rs::RunState::done);
  });
}

/// Durable commits of 256 B to a run that has so many records.
void grown(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path()};
  const auto lease = store.lease("run");
  bench::Records records{256};
  for (std::int64_t made = 0; made < state.range(0);) {
    const std::int64_t batch = std::min<std::int64_t>(1000, state.range(0) - made);
    records.commit(*lease, static_cast<std::size_t>(batch), rs::Durability::data);
    made += batch;
  }
  records.commit(*lease, 1);  // waits for all before it
  const bench::Peak peak;
  for (auto _ : state) records.commit(*lease, 1);
  state.counters["peak_MiB"] = peak.mib();  // CSV files want each counter of all benchmarks
}

BENCHMARK_CAPTURE(plan, warm, false)->Name("million/plan")->UseRealTime();
BENCHMARK_CAPTURE(plan, cold, true)->Name("million/plan_cold")->UseRealTime();
BENCHMARK(plan_few)->Name("ten_thousand/plan")->UseRealTime();
BENCHMARK_CAPTURE(resume, warm, false)->Name("million/resume")->UseRealTime();
BENCHMARK_CAPTURE(resume, cold, true)->Name("million/resume_cold")->UseRealTime();
BENCHMARK_CAPTURE(status, warm, false)->Name("million/status")->UseRealTime();
BENCHMARK_CAPTURE(status, cold, true)->Name("million/status_cold")->UseRealTime();
BENCHMARK(grown)->Name("log_grown/journal")->Arg(10)->Arg(million)->UseRealTime();

}  // namespace
