// One idea: stages that run only under a condition, and a stage that waits for a person.
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

int main() {
  rs::Pipeline memo{"memo"};
  const auto score = memo.stage("score", [] { return 6.5; });
  const auto low = memo.condition("low", inputs(score), [](double s) { return s < 8.0; });
  const auto review =
      memo.stage({.name = "review", .when = low}, inputs(score), [](rs::Context& ctx, double s) {
        ctx.require_approval("the score is " + std::to_string(s) + ": is that enough?");
        return std::string{"approved"};
      });
  const auto praise = memo.stage({.name = "praise", .when = !low}, [] { return std::string{"!"}; });
  const auto done = memo.stage("done", inputs(after(review), after(praise)), [] { return true; });

  rs::MemoryStore store;
  const rs::Report first = rs::resume(memo, store, {.run = "r"});
  std::cout << first.exit_code() << ": " << first.stage("review").message << "\n";
  std::cout << rs::ResumePlanner{store}.plan(memo, {.run = "r"}).text();

  rs::approve(memo, store, "r", "review", "alice");
  const rs::Report second = rs::resume(memo, store, {.run = "r"});
  const bool good =
      first.exit_code() == 75 && second && second[done] && second.find(praise) == nullptr;
  return good ? 0 : 1;
}
