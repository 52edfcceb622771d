// One idea: items run side by side, and share a limit of calls per second.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include <resumable/resumable.hpp>

namespace rs = resumable;
using std::chrono::steady_clock;

/// At most one call per `pause`, over all threads.
class RateLimit {
 public:
  explicit RateLimit(steady_clock::duration pause) : pause_(pause) {}

  /// Waits for the next turn. Throws when the stage has to stop.
  void wait(const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    const auto turn = std::max(next_, steady_clock::now());
    next_ = turn + pause_;
    std::condition_variable_any never;  // waiting leaves the lock to others
    never.wait_until(lock, stop, turn, [] { return false; });
    if (stop.stop_requested()) throw std::runtime_error("stopped while it waited for its turn");
  }

 private:
  steady_clock::duration pause_;
  steady_clock::time_point next_{};
  std::mutex mutex_;
};

int main() {
  RateLimit limit{std::chrono::milliseconds{20}};
  rs::Pipeline pipeline{"pages"};
  const auto urls = pipeline.input("urls", std::vector<std::string>{"a", "b", "c", "d", "e"});
  const auto pages =
      pipeline.stage("pages", inputs(each(urls)), [&](rs::Context& ctx, const std::string& url) {
        limit.wait(ctx.stop_token());
        return "page " + url;  // the call; on 429: rs::Retryable
      });
  rs::FileStore store{"store"};
  const auto begin = steady_clock::now();
  const rs::Report report = rs::resume(pipeline, store, {.run = "r", .concurrency = 4});
  std::cout << report.text();
  const bool limited = steady_clock::now() - begin >= 4 * std::chrono::milliseconds{20};
  return report && report[pages].size() == 5 && limited ? 0 : 1;
}
