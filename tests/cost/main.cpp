// cost WHAT UNITS TIMES: does something that costs nothing but the library's own work, on one
// thread and in memory, so that instructions.sh can count its instructions.
//   stages      a chain of UNITS stages is run; again TIMES times, in other runs
//   steps       a stage with UNITS steps
//   items       a fan-out of UNITS items
//   plan        a finished fan-out of UNITS items is planned
//   safepoints  a loop of UNITS turns, none of whose states is due to be saved
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <resumable/resumable.hpp>

namespace rs = resumable;

namespace {

void must(bool good) {
  if (!good) std::abort();
}

rs::Pipeline chain(int stages) {
  rs::Pipeline pipeline{"cost"};
  auto last = pipeline.stage(rs::Name::checked("s0"), [] { return 0; });
  for (int i = 1; i < stages; ++i) {
    const std::string name = "s" + std::to_string(i);
    last = pipeline.stage(rs::Name::checked(name), inputs(last), [](int n) { return n + 1; });
  }
  return pipeline;
}

rs::Pipeline stage_of_steps(int steps) {
  rs::Pipeline pipeline{"cost"};
  static_cast<void>(pipeline.stage("work", [steps](rs::Context& context) {
    int sum = 0;
    for (int i = 0; i < steps; ++i) sum += context.step(std::to_string(i), [i] { return i; });
    return sum;
  }));
  return pipeline;
}

rs::Pipeline fan_out(int items) {
  rs::Pipeline pipeline{"cost"};
  const auto list = pipeline.stage("list", [items] {
    std::vector<std::string> keys;
    for (int i = 0; i < items; ++i) keys.push_back("item-" + std::to_string(i));
    return keys;
  });
  static_cast<void>(pipeline.stage("each", inputs(each(list)),
                                   [](const std::string& key) { return key.size(); }));
  return pipeline;
}

rs::Pipeline loop_of(int turns) {
  rs::Pipeline pipeline{"cost"};
  static_cast<void>(pipeline.stage("work", [turns](rs::Context& context) {
    auto state = context.progress(0, {.every = 1'000'000'000});
    for (int i = 0; i < turns; ++i) {
      ++*state;
      state.safepoint();
    }
    return *state;
  }));
  return pipeline;
}

void run(const rs::Pipeline& pipeline, rs::CheckpointStore& store, int number) {
  const std::string run = "r" + std::to_string(number);
  must(rs::resume(pipeline, store, {.run = run, .concurrency = 1}).exit_code() == 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string_view what = argv[1];
  const int units = std::atoi(argv[2]);
  const int times = std::atoi(argv[3]);
  rs::MemoryStore store;
  const rs::Pipeline pipeline = what == "stages"       ? chain(units)
                                : what == "steps"      ? stage_of_steps(units)
                                : what == "safepoints" ? loop_of(units)
                                                       : fan_out(units);
  if (what == "plan") {
    run(pipeline, store, 0);
    for (int i = 0; i < times; ++i) {
      must(rs::ResumePlanner{store}.plan(pipeline, {.run = "r0"}).complete());
    }
  } else {
    for (int i = 0; i < times; ++i) run(pipeline, store, i);
  }
  return 0;
}
