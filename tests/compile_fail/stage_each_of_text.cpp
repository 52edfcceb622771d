// expect: each\(\) of a text would be called for each character
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  const auto company = memo.input("company", std::string{"Fernstone"});
  memo.stage("letters", inputs(each(company)), [](char c) { return std::string(1, c); });
}
