// One idea: a stage that fails for a temporary reason is tried again, and each failed attempt is
// recorded.
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;
using namespace std::chrono_literals;

int main() {
  rs::Pipeline pipeline{"fetch"};
  const auto page =
      pipeline.stage({.name = "page",
                      .retry = {.attempts = 4, .initial_delay = 10ms, .max_delay = 1s},
                      .timeout = 30s},
                     [](rs::Context& ctx) {
                       ctx.spend({.usd = 0.01});
                       if (ctx.attempt_number() < 3)
                         throw rs::Retryable("HTTP 429", 5ms);  // what the server asked for
                       return rs::Text{"got it at try " + std::to_string(ctx.attempt_number())};
                     });
  rs::MemoryStore store;
  const rs::Report report = rs::resume(pipeline, store, {.run = "once"});
  if (!report) return report.exit_code();
  std::cout << report[page].text << ", paid $" << report.cost().usd << " in all\n";
  return report.stage("page").attempts == 3 ? 0 : 1;
}
