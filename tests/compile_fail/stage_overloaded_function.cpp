// expect: NotOverloaded
// max-lines: 17
#include "resumable/resumable.hpp"

int twice(int number);
double twice(double number);

void declare(resumable::Pipeline& memo) {
  const auto count = memo.input("count", 1);
  memo.stage("twice", inputs(count), twice);
}
