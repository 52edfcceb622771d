// expect: a condition is asked once, not per item: name the stage itself instead of each\(\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto names = memo.input("names", std::vector<std::string>{});
  memo.condition("any", inputs(each(names)), [](const std::string& n) { return n.empty(); });
}
