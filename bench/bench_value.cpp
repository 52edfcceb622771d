// Stages with large values, from the function's return to the end of resume(): a Bytes of 64 MiB
// and of 1 GiB against one plain write and fsync of as many bytes; and a megabyte of prose, a
// std::string that is kept as JSON, of each of 16 steps, against the raw commits of bench_log; and
// one field of a saved megabyte, against parsing all of it.
//
// The values are made, and the runs removed, while no time is taken. The counter peak_MiB is the
// most memory that was used beside the value; CSV files want each counter of all benchmarks.
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <malloc.h>
#include <resumable/journal_store.hpp>
#include <resumable/resumable.hpp>

#include "load.hpp"

namespace rs = resumable;

namespace {

constexpr std::int64_t mib = 1 << 20;

template <class Store>
void value(benchmark::State& state) {
  const bench::Scratch scratch;
  Store store{scratch.path() / "store"};
  for (auto _ : state) {
    state.PauseTiming();
    rs::Bytes made{bench::text_of(static_cast<std::size_t>(state.range(0)))};
    rs::Pipeline pipeline{"bench"};
    pipeline.stage("value", [&] { return std::move(made); });
    malloc_trim(0);
    const bench::Peak peak;
    state.ResumeTiming();
    bench::must(static_cast<bool>(rs::resume(pipeline, store, {.run = "r"})));
    state.PauseTiming();
    state.counters["peak_MiB"] = peak.mib();
    store.remove("r");
    state.ResumeTiming();
  }
  bench::count(state, 1, static_cast<std::size_t>(state.range(0)));
}

void raw(benchmark::State& state) {
  const bench::Scratch scratch;
  const std::string path = (scratch.path() / "value").string();
  const std::string bytes = bench::text_of(static_cast<std::size_t>(state.range(0)));
  const bench::Peak peak;
  for (auto _ : state) {
    const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t count = write(file, bytes.data() + at, bytes.size() - at);
      bench::must(count > 0);
      at += static_cast<std::size_t>(count);
    }
    bench::must(fsync(file) == 0 && close(file) == 0);
    state.PauseTiming();
    bench::must(unlink(path.c_str()) == 0);
    state.ResumeTiming();
  }
  state.counters["peak_MiB"] = peak.mib();
  bench::count(state, 1, static_cast<std::size_t>(state.range(0)));
}

constexpr int steps = 16;

void prose(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::JournalStore store{scratch.path() / "store"};
  const std::string text = bench::text_of(mib);
  rs::Pipeline pipeline{"bench"};
  pipeline.stage("steps", [&](rs::Context& ctx) {
    for (int i = 0; i < steps; ++i) ctx.step("step " + std::to_string(i), [&] { return text; });
  });
  std::int64_t run = 0;
  const bench::Peak peak;
  for (auto _ : state) {
    const rs::Report report = rs::resume(pipeline, store, {.run = "r" + std::to_string(++run)});
    bench::must(static_cast<bool>(report));
  }
  state.counters["peak_MiB"] = peak.mib();
  bench::count(state, steps, static_cast<std::size_t>(mib));
}

/// About a megabyte in paragraphs; of its keys, the one that is read comes last in JSON.
struct Memo {
  std::vector<std::string> paragraphs;
  std::string title;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Memo, paragraphs, title)
};

Memo memo() {
  return {std::vector<std::string>(mib / 800, "\"" + bench::text_of(790) + "\"\n"), "A memo"};
}

/// As another program reads it: opens the store, finds the records of the run, reads the field.
void one_field(benchmark::State& state) {
  const bench::Scratch scratch;
  rs::Pipeline pipeline{"bench"};
  pipeline.stage("memo", &memo);
  {
    rs::JournalStore store{scratch.path() / "store"};
    bench::must(static_cast<bool>(rs::resume(pipeline, store, {.run = "r"})));
  }
  const bench::Peak peak;
  for (auto _ : state) {
    const rs::JournalStore store{scratch.path() / "store"};
    const auto title = rs::Records{store, "r"}.stage<std::string>("memo", "/title");
    bench::must(title.value().value == "A memo");
  }
  state.counters["peak_MiB"] = peak.mib();
}

void parse_all(benchmark::State& state) {
  const std::string text = rs::Json(memo()).dump();
  const bench::Peak peak;
  for (auto _ : state) {
    const auto document = nlohmann::json::parse(text);
    bench::must(document.at("title") == "A memo");
  }
  state.counters["peak_MiB"] = peak.mib();
}

BENCHMARK(value<rs::FileStore>)
    ->Name("value/file_store")
    ->Arg(64 * mib)
    ->Arg(1024 * mib)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(value<rs::JournalStore>)
    ->Name("value/journal")
    ->Arg(64 * mib)
    ->Arg(1024 * mib)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(raw)
    ->Name("value/raw")
    ->Arg(64 * mib)
    ->Arg(1024 * mib)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(one_field)->Name("one_field/journal")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(parse_all)->Name("one_field/nlohmann")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(prose)->Name("prose_16/journal")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
