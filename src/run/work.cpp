#include "resumable/work.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "record/environment.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/error.hpp"
#include "run/options.hpp"
#include "run/work_loop.hpp"

namespace resumable {
inline namespace v0 {
namespace {

/// The events of each run, numbered by themselves.
class EventsOfRuns {
 public:
  EventsOfRuns(sys::Clock& clock, std::string pipeline, std::vector<Observer*> observers)
      : clock_(clock), pipeline_(std::move(pipeline)), observers_(std::move(observers)) {}

  record::Events& of(const std::string& run) {
    const std::scoped_lock lock{guard_};
    auto& events = all_[run];
    if (!events) events = std::make_unique<record::Events>(clock_, run, pipeline_, observers_);
    return *events;
  }
  [[nodiscard]] std::vector<std::string> warnings() const {
    const std::scoped_lock lock{guard_};
    std::vector<std::string> warnings;
    for (const auto& [run, events] : all_) {
      for (std::string& one : events->warnings()) warnings.push_back(std::move(one));
    }
    return warnings;
  }

 private:
  sys::Clock& clock_;
  std::string pipeline_;
  std::vector<Observer*> observers_;
  mutable std::mutex guard_;
  std::map<std::string, std::unique_ptr<record::Events>> all_;
};

/// Longer than any run, and short enough for every store to add it to a time.
constexpr std::chrono::milliseconds longest_ttl = std::chrono::years{100};

void check(const WorkOptions& options) {
  constexpr std::chrono::milliseconds shortest{100};
  if (options.ttl >= shortest && options.idle.count() >= 0) return;
  throw Error(Errc::bad_option,
              {.what = "the ttl of a worker is shorter than 100 ms, or its idle time is negative",
               .next = "use a ttl of some seconds"});
}

/// Until it is stopped, has had nothing to do for the idle time, or cannot use the store.
void wait(const run::WorkLoop& loop, const WorkOptions& options, sys::Clock& clock,
          std::size_t& of_others) {
  constexpr std::chrono::milliseconds look{20};
  auto busy = clock.boot();
  std::size_t seen = 0;
  while (true) {
    const auto counts = loop.counts();
    if (counts.error) std::rethrow_exception(counts.error);
    of_others = std::max(of_others, counts.of_others);
    const std::size_t through = counts.committed + counts.failed + counts.lost + counts.given_back;
    if (counts.running > 0 || through != seen) busy = clock.boot();
    seen = through;
    if (options.idle.count() > 0 && clock.boot() - busy >= options.idle) return;
    if (!sys::sleep_until(clock, detail::later(clock.boot(), look), options.stop.token())) return;
  }
}

}  // namespace

WorkReport work(const Pipeline& pipeline, CheckpointStore& store, const WorkOptions& options) {
  check(options);
  const detail::Graph& graph = detail::graph_of(pipeline);
  WorkQueue& queue = run::work_queue_of(store);
  record::World world;
  sys::Timer timer{world.clock()};
  const stage::Limits limits{world.clock()};
  EventsOfRuns events{world.clock(), graph.pipeline, options.observers};
  WorkReport report;
  std::size_t of_others = 0;
  run::WorkLoop::Counts counts;
  {
    run::WorkLoop loop{{.runner = {.graph = graph,
                                   .store = store,
                                   .queue = queue,
                                   .clock = world.clock(),
                                   .files = world.files(),
                                   .timer = timer,
                                   .limits = limits,
                                   .ttl = std::min(options.ttl, longest_ttl),
                                   .events = [&](const std::string& run) -> record::Events& {
                                     return events.of(run);
                                   }},
                        .program = run::program_of(graph, world.build()),
                        .run = options.run,
                        .threads = options.slots != 0
                                       ? options.slots
                                       : std::max(1U, std::thread::hardware_concurrency()),
                        .stop = options.stop.token()}};
    wait(loop, options, world.clock(), of_others);
    loop.finish();
    counts = loop.counts();
  }
  report.committed = counts.committed;
  report.failed = counts.failed;
  report.lost = counts.lost;
  report.given_back = counts.given_back;
  if (of_others > 0) {
    report.warnings.push_back(
        fmt::format("{} items were ready for another build of this program, or for a pipeline "
                    "that is declared otherwise: this process leaves them alone",
                    of_others));
  }
  for (std::string& one : events.warnings()) report.warnings.push_back(std::move(one));
  return report;
}

}  // namespace v0
}  // namespace resumable
