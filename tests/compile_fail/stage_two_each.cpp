// expect: one each\(\) decides the items; name further fan-outs by matching\(\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto names = memo.input("names", std::vector<std::string>{});
  memo.stage("pairs", inputs(each(names), each(names)),
             [](const std::string& a, const std::string& b) { return a + b; });
}
