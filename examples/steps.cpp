// One idea: calls inside a stage that are not repeated. The third page makes the first call fail;
// the second call fetches it and the following ones, and takes the first two from the store.
#include <iostream>
#include <stdexcept>

#include <resumable/resumable.hpp>

namespace rs = resumable;

int main() {
  int fetched = 0;
  bool broken = true;
  rs::Pipeline pipeline{"site"};
  const auto words = pipeline.stage("words", [&](rs::Context& ctx) {
    std::size_t count = 0;
    for (const std::string url : {"/index", "/team", "/prices", "/contact"}) {
      count += ctx.step(url, [&] {
        if (broken && url == "/prices") throw std::runtime_error("the line dropped");
        ++fetched;
        return url.size();
      });
    }
    return count;
  });
  rs::FileStore store{"store"};
  if (rs::resume(pipeline, store, {.run = "once"})) return 1;
  std::cout << "broken after " << fetched << " pages\n"
            << rs::ResumePlanner{store}.plan(pipeline, {.run = "once"}).text(true);
  broken = false;
  const rs::Report report = rs::resume(pipeline, store, {.run = "once"});
  if (!report) return report.exit_code();
  std::cout << "done after " << fetched << ", counted " << report[words] << "\n";
  return fetched == 4 ? 0 : 1;
}
