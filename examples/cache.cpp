// One idea: a result that every run of a store can reuse, found by the values it was computed from.
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

int main() {
  int asked = 0;
  rs::FileStore store{"store"};
  for (const std::string city : {"Oslo", "Rome", "Oslo"}) {
    rs::Pipeline guide{"guide"};
    const auto name = guide.input("city", city);
    const auto weather =
        guide.stage("weather", inputs(name), [&](rs::Context& ctx, const std::string& of) {
          return ctx.cached("ask", rs::with(of), [&] {
            ++asked;
            return "the weather of " + of;
          });
        });
    const std::string run = city + "-" + std::to_string(asked);  // a new run each time
    const rs::Report report = rs::resume(guide, store, {.run = run});
    if (!report) return report.exit_code();
    std::cout << run << ": " << report[weather] << ", asked " << asked << " times so far\n";
  }
  return asked == 2 ? 0 : 1;
}
