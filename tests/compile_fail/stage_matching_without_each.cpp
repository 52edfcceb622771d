// expect: matching\(\) needs an each\(\) in the same inputs\(\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto names = memo.input("names", std::vector<std::string>{});
  const auto pages =
      memo.stage("pages", inputs(each(names)), [](const std::string& n) { return n; });
  memo.stage("next", inputs(matching(pages)), [](const std::string& n) { return n; });
}
