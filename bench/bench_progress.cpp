// What a progress display costs: a fan-out of 10 000 items, four at a time, without a display
// ('raw'), with a block and with a log. The block is drawn as on a terminal of 100 columns and 40
// rows; what is written goes to /dev/null. Once with a FileStore, once with a JournalStore, and
// once with a MemoryStore and items that do nothing, which is the worst case: nothing but the
// events is left to pay for.
//
// The difference of two runs drowns in the noise of a disk. So 'display_share' is measured within
// one run: the processor time of the display, which is that of the observer's calls and of the
// display's own thread, divided by the time of the run. A second stands for the whole run.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <resumable/journal_store.hpp>
#include <resumable/resumable.hpp>
#include <time.h>

#include "scratch.hpp"

namespace rs = resumable;

namespace {

constexpr int items = 10'000;

/// The processor time of the calling thread.
std::chrono::nanoseconds thread_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec};
}

/// The ids of this process's threads.
std::set<std::string> threads() {
  std::set<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/task"}) {
    all.insert(entry.path().filename());
  }
  return all;
}

/// What a thread has taken of the processors so far.
std::chrono::nanoseconds time_of(const std::string& thread) {
  std::int64_t taken = 0;
  std::ifstream{"/proc/self/task/" + thread + "/schedstat"} >> taken;
  return std::chrono::nanoseconds{taken};
}

/// Passes events on, and adds up what that takes of the processors.
class Timed final : public rs::Observer {
 public:
  explicit Timed(rs::Observer& next) : next_(next) {}

  void on_event(const rs::Event& event) override {
    // The display's thread begins and ends with the run.
    const bool begins = event.kind == rs::EventKind::run_started;
    const auto others = begins ? threads() : std::set<std::string>{};
    if (event.kind == rs::EventKind::run_finished) own_thread_ = time_of(thread_);
    // What asking for the time takes is not the display's.
    const auto first = thread_time();
    const auto before = thread_time();
    next_.on_event(event);
    calls_ += (thread_time() - before - (before - first)).count();
    if (!begins) return;
    for (const std::string& one : threads()) {
      if (!others.contains(one)) thread_ = one;
    }
  }
  [[nodiscard]] std::chrono::nanoseconds taken() const {
    return own_thread_ + std::chrono::nanoseconds{calls_};
  }

 private:
  rs::Observer& next_;
  std::atomic<std::int64_t> calls_ = 0;
  std::string thread_;
  std::chrono::nanoseconds own_thread_{};
};

rs::ProgressDisplayOptions shown_in(std::ostream& stream, rs::ProgressStyle style) {
  return {.style = style, .stream = &stream, .columns = 100, .rows = 40};
}

void run_once(rs::CheckpointStore& store, rs::Observer* observer) {
  std::vector<int> numbers(items);
  std::iota(numbers.begin(), numbers.end(), 0);
  rs::Pipeline pipeline{"bench"};
  const auto list = pipeline.input("numbers", numbers);
  pipeline.stage("squares", inputs(each(list)), [](int number) { return number * number; });
  rs::ResumeOptions options{.run = "r", .concurrency = 4};
  if (observer != nullptr) options.observers.push_back(observer);
  if (!rs::resume(pipeline, store, options)) std::abort();
}

void run_shown(rs::CheckpointStore& store, std::optional<rs::ProgressStyle> style) {
  std::ofstream nowhere{"/dev/null"};
  std::optional<rs::ProgressDisplay> display;
  if (style) display.emplace(shown_in(nowhere, *style));
  run_once(store, display ? &*display : nullptr);
}

/// A whole second for each run, and of it what the display takes.
void share(benchmark::State& state, rs::CheckpointStore& store, rs::ProgressStyle style) {
  std::ofstream nowhere{"/dev/null"};
  rs::ProgressDisplay display{shown_in(nowhere, style)};
  Timed timed{display};
  const auto begun = std::chrono::steady_clock::now();
  run_once(store, &timed);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begun;
  state.SetIterationTime(std::chrono::duration<double>{timed.taken()} / whole);
}

template <class Store>
void share_of(benchmark::State& state, rs::ProgressStyle style) {
  for (auto _ : state) {
    const bench::Scratch scratch;
    Store store{scratch.path()};
    share(state, store, style);
  }
}

void in_files(benchmark::State& state, std::optional<rs::ProgressStyle> style) {
  for (auto _ : state) {
    const bench::Scratch scratch;
    rs::FileStore store{scratch.path()};
    run_shown(store, style);
  }
}

void in_journal(benchmark::State& state, std::optional<rs::ProgressStyle> style) {
  for (auto _ : state) {
    const bench::Scratch scratch;
    rs::JournalStore store{scratch.path()};
    run_shown(store, style);
  }
}

void in_memory(benchmark::State& state, std::optional<rs::ProgressStyle> style) {
  for (auto _ : state) {
    rs::MemoryStore store;
    run_shown(store, style);
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
    add(std::string{"display/"} + name + "/journal", in_journal, style);
    add(std::string{"display/"} + name + "/memory", in_memory, style);
  }
  const auto add_share = [](const std::string& name, auto function) {
    benchmark::RegisterBenchmark(("display_share/" + name).c_str(), function,
                                 rs::ProgressStyle::block)
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add_share("files", share_of<rs::FileStore>);
  add_share("journal", share_of<rs::JournalStore>);
  return 0;
}();

}  // namespace
