// expect: the function of a fan-out must return a value
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto names = memo.input("names", std::vector<std::string>{});
  memo.stage("pages", inputs(each(names)), [](const std::string&) {});
}
