// expect: render must take the value and return text
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto one = memo.stage("one", [] { return 1; });
  memo.artifact(one, "one.md", [](const std::string& text) { return text; });
}
