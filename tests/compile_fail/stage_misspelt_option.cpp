// expect: StageOptions
// max-lines: 20
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto count = memo.input("count", 1);
  memo.stage({.name = "twice", .revison = 2}, inputs(count), [](int n) { return 2 * n; });
}
