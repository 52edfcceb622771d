// One idea: a display shows what a run is doing; your own output stays whole.
#include <chrono>
#include <cstdio>
#include <numeric>
#include <thread>

#include <resumable/resumable.hpp>

namespace rs = resumable;
using namespace std::chrono_literals;

int main(int argc, char**) {
  const auto pace = argc > 1 ? 400ms : 2ms;  // with any argument: slow enough to watch
  rs::Pipeline pipeline{"numbers"};
  const auto numbers = pipeline.stage("numbers", [pace] {
    std::this_thread::sleep_for(5 * pace);
    std::vector<int> list(30);
    std::iota(list.begin(), list.end(), 1);
    return list;
  });
  const auto squares = pipeline.stage("squares", inputs(each(numbers)), [pace](int number) {
    std::this_thread::sleep_for(pace);
    if (number % 10 == 0) std::printf("%d is done\n", number);  // printed above the block
    return number * number;
  });
  pipeline.stage("sum", inputs(squares), [pace](const std::vector<int>& all) {
    std::this_thread::sleep_for(5 * pace);
    return std::accumulate(all.begin(), all.end(), 0);
  });

  const rs::StopOnSignal ctrl_c{SIGINT};
  rs::ProgressDisplay display{{.stop = ctrl_c.stop()}};
  rs::MemoryStore store;
  const rs::ResumeOptions options{
      .run = "r1", .concurrency = 3, .stop = ctrl_c.stop(), .observers = {&display}};
  return rs::resume(pipeline, store, options).exit_code();
}
