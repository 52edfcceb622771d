// expect: inputs\(\) takes one each\(\); join other fan-outs with matching\(\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto names = memo.input("names", std::vector<std::string>{});
  memo.stage("pairs", inputs(each(names), each(names)),
             [](const std::string& a, const std::string& b) { return a + b; });
}
