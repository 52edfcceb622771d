// expect: validate: the check returns a text: empty, or what is wrong
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto one = memo.stage("one", [] { return 1; });
  memo.validate(one, [](int n) { return n > 0; });
}
