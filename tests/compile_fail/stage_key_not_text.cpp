// expect: the key of each\(\) must take one element and return text
// max-lines: 15
#include "resumable/resumable.hpp"

struct Section {
  std::string title;
  int words = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Section, title, words)

void declare(resumable::Pipeline& memo) {
  const auto outline = memo.input("outline", std::vector<Section>{});
  memo.stage("draft", inputs(each(outline, &Section::words)), [](const Section& s) { return s; });
}
