// expect: each\(\) takes a stage whose value is a list: std::vector, std::array, std::deque
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto one = memo.stage("one", [] { return 1; });
  memo.stage("pages", inputs(each(one)), [](int n) { return n; });
}
