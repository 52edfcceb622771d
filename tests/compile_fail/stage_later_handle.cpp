// expect: use of .draft. before deduction of .auto.|.draft. declared with deduced type .const auto. cannot appear in its own initializer|was not declared|undeclared identifier
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  // The handle of a stage that comes later does not exist yet: cycles cannot be written.
  const auto deck = memo.stage("deck", inputs(draft), [](int n) { return n; });
  const auto draft = memo.stage("draft", inputs(deck), [](int n) { return n; });
}
