// expect: a pointer cannot be saved
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo, int* count) { memo.input("count", count); }
