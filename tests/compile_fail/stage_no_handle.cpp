// expect: inputs\(\) takes handles of stages, each\(\), matching\(\) and after\(\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto one = memo.stage("one", [] { return 1; });
  memo.stage("next", inputs(one, 5), [](int n, int m) { return n + m; });
}
