// expect: (invalid initialization of reference|no viable conversion|conversion from|could not convert)
// max-lines: 20
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto list = memo.input("list", std::vector<int>{1, 2});
  const auto items = memo.stage("items", inputs(each(list)), [](int i) { return i; });
  const resumable::Stage<int>& item = items;
  (void)item;
}
