// What a progress display costs: a fan-out of 10 000 items, four at a time, without a display
// ('raw'), with a block and with a log. The block is drawn as on a terminal of 100 columns and 40
// rows; what is written goes to /dev/null. Once with a FileStore, and once with a MemoryStore and
// items that do nothing, which is the worst case: nothing but the events is left to pay for.
#include <fstream>
#include <numeric>
#include <optional>
#include <vector>

#include <benchmark/benchmark.h>
#include <resumable/resumable.hpp>

#include "scratch.hpp"

namespace rs = resumable;

namespace {

constexpr int items = 10'000;

void run_once(rs::CheckpointStore& store, std::optional<rs::ProgressStyle> style) {
  std::vector<int> numbers(items);
  std::iota(numbers.begin(), numbers.end(), 0);
  rs::Pipeline pipeline{"bench"};
  const auto list = pipeline.input("numbers", numbers);
  pipeline.stage("squares", inputs(each(list)), [](int number) { return number * number; });
  std::ofstream nowhere{"/dev/null"};
  std::optional<rs::ProgressDisplay> display;
  rs::ResumeOptions options{.run = "r", .concurrency = 4};
  if (style) {
    display.emplace(rs::ProgressDisplayOptions{
        .style = *style, .stream = &nowhere, .columns = 100, .rows = 40});
    options.observers.push_back(&*display);
  }
  if (!rs::resume(pipeline, store, options)) std::abort();
}

void in_files(benchmark::State& state, std::optional<rs::ProgressStyle> style) {
  for (auto _ : state) {
    const bench::Scratch scratch;
    rs::FileStore store{scratch.path()};
    run_once(store, style);
  }
}

void in_memory(benchmark::State& state, std::optional<rs::ProgressStyle> style) {
  for (auto _ : state) {
    rs::MemoryStore store;
    run_once(store, style);
  }
}

const int registered = [] {
  const auto add = [](const std::string& name, auto function,
                      std::optional<rs::ProgressStyle> style) {
    benchmark::RegisterBenchmark(name.c_str(), function, style)
        ->Iterations(1)
        ->UseRealTime()
        ->MeasureProcessCPUTime()
        ->Unit(benchmark::kMillisecond);
  };
  const std::pair<const char*, std::optional<rs::ProgressStyle>> ways[] = {
      {"raw", std::nullopt}, {"block", rs::ProgressStyle::block}, {"log", rs::ProgressStyle::log}};
  for (const auto& [name, style] : ways) {
    add(std::string{"display/"} + name + "/files", in_files, style);
    add(std::string{"display/"} + name + "/memory", in_memory, style);
  }
  return 0;
}();

}  // namespace
