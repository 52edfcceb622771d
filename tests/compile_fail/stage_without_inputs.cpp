// expect: a stage is declared by stage\(name, inputs\(\.\.\.\), function\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto count = memo.input("count", 1);
  memo.stage("twice", count, [](int n) { return 2 * n; });
}
