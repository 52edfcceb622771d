// expect: a condition's predicate returns bool
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto score = memo.input("score", 5.0);
  memo.condition("low", inputs(score), [](double s) { return s < 8 ? "yes" : "no"; });
}
