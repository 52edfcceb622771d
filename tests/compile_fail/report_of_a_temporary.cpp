// expect: use of deleted function|overload resolution selected deleted operator
// max-lines: 15
#include "resumable/resumable.hpp"

int first(resumable::Pipeline& memo, resumable::CheckpointStore& store,
          resumable::Stage<int> stage) {
  return resumable::resume(memo, store, {.run = "r"})[stage];
}
