// expect: no matching function for call to 'export_text\(|no matching function for call to 'export_text'
// max-lines: 15
#include "resumable/resumable.hpp"

template <class T>
void export_text(resumable::Pipeline& memo, const resumable::Stage<T>& stage) {
  memo.artifact(stage, "{item}.txt", [](const T& all) { return std::to_string(all.size()); });
}

void declare(resumable::Pipeline& memo) {
  const auto list = memo.input("list", std::vector<int>{1, 2});
  const auto items = memo.stage("items", inputs(each(list)), [](int i) { return i; });
  export_text(memo, items);
}
