// expect: the stage's function cannot be called with its inputs: it takes a const T& for each input
// max-lines: 15
#include "resumable/resumable.hpp"

struct Deck {
  int pages = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Deck, pages)

void declare(resumable::Pipeline& memo) {
  const auto deck = memo.stage("deck", [] { return Deck{}; });
  memo.stage("draft", inputs(deck), [](const std::string& text) { return text; });
}
