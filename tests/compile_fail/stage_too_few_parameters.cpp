// expect: the stage's function cannot be called with its inputs
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto one = memo.stage("one", [] { return 1; });
  const auto two = memo.stage("two", [] { return 2; });
  memo.stage("sum", inputs(one, two), [](int n) { return n; });
}
