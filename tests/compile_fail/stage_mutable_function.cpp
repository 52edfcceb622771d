// expect: the stage's function cannot be called with its inputs
// expect: and is const \(no mutable lambda\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto one = memo.stage("one", [] { return 1; });
  memo.stage("next", inputs(one), [count = 0](int n) mutable { return n + ++count; });
}
