// One idea: an observer gets every event once and in order; a file sink is included.
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

class Count final : public rs::Observer {
 public:
  void on_event(const rs::Event& event) override {
    ordered = ordered && event.seq == ++seen;
    if (event.kind == rs::EventKind::committed) std::cout << event.stage << " is safe\n";
  }
  std::uint64_t seen = 0;
  bool ordered = true;
};

int main() {
  rs::Pipeline pipeline{"numbers"};
  const auto numbers = pipeline.stage("numbers", [] { return std::vector<int>{1, 2, 3}; });
  pipeline.stage("squares", inputs(each(numbers)), [](int n) { return n * n; });

  Count count;
  rs::EventFile file{"events.jsonl"};
  rs::MemoryStore store;
  const rs::Report report = rs::resume(pipeline, store, {.run = "r", .observers = {&count, &file}});
  return report && count.ordered && count.seen > 0 ? 0 : 1;
}
