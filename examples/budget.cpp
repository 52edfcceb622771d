// One idea: a call that ends in time. Each call may take 200 ms; it saves and returns before that,
// and the next call continues. All calls together write every page once.
#include <iostream>
#include <thread>

#include <resumable/resumable.hpp>

namespace rs = resumable;
using namespace std::chrono_literals;

int main() {
  int written = 0;
  rs::Pipeline pipeline{"book"};
  const auto pages = pipeline.stage("pages", [&](rs::Context& ctx) {
    auto page = ctx.progress(0);
    while (*page < 12) {
      std::this_thread::sleep_for(40ms);  // imagine a call of a model
      ++*page;
      ++written;
      page.safepoint();  // saves and leaves the stage when the budget is nearly exhausted
    }
    return *page;
  });

  rs::FileStore store{"store"};
  for (int call = 1; call <= 50; ++call) {
    const rs::Report report =
        rs::resume(pipeline, store, {.run = "r", .budget = 200ms, .reserve = 50ms});
    std::cout << "call " << call << ": " << to_string(report.outcome()) << ", " << written
              << " pages\n";
    if (report.exit_code() == 75) continue;  // suspended: call again
    return report && report[pages] == 12 && written == 12 && call > 1 ? 0 : 1;
  }
  return 1;
}
