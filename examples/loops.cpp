// One idea: a loop inside a stage resumes where it left off. `sum` saves its state every ten
// passes, `talk` saves each turn. Both are stopped in the middle and continue in the next call.
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

struct Sum {
  int next = 1;
  long total = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sum, next, total)

int main() {
  int passes = 0;
  std::stop_source stop;
  rs::Pipeline pipeline{"loops"};
  const auto sum = pipeline.stage("sum", [&](rs::Context& ctx) {
    auto state = ctx.progress(Sum{}, {.every = 10});
    while (state->next <= 100) {
      state->total += state->next++;
      if (++passes == 55) stop.request_stop();  // as Ctrl+C would
      state.safepoint();                        // the state is consistent here
    }
    return state->total;
  });
  const auto talk = pipeline.stage("talk", inputs(sum), [&](rs::Context& ctx, long total) {
    auto turns = ctx.history<std::string>();
    while (turns.size() < 5) {
      turns.push_back("turn " + std::to_string(turns.size()) + " about " + std::to_string(total));
      if (turns.size() == 3) stop.request_stop();
      turns.safepoint();
    }
    return turns.entries();
  });

  rs::FileStore store{"store"};
  int calls = 0;
  while (true) {
    stop = std::stop_source{};
    const rs::Report report = rs::resume(pipeline, store, {.run = "r", .stop = stop.get_token()});
    std::cout << "call " << ++calls << ": " << to_string(report.outcome()) << " after " << passes
              << " passes\n";
    if (report.outcome() == rs::Outcome::interrupted && calls < 5) continue;
    return report && passes == 100 && report[sum] == 5050 && report[talk].size() == 5 ? 0 : 1;
  }
}
