// expect: a name is 1 to 64 characters of a-z, A-Z, 0-9, '_', '-', '.', first a letter
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo) {
  memo.stage("my draft", [] { return 1; });
}
