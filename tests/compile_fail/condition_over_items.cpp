// expect: a condition is evaluated once, not per item: pass the stage, not each\(stage\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto names = memo.input("names", std::vector<std::string>{});
  memo.condition("any", inputs(each(names)), [](const std::string& n) { return n.empty(); });
}
