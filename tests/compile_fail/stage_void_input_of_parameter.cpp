// expect: a Stage<void> has no value: name it in after\(\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto notify = memo.stage("notify", [] {});
  memo.stage("next", inputs(notify), [](int) { return 1; });
}
