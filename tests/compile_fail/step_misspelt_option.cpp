// expect: StepOptions
// max-lines: 22
#include "resumable/resumable.hpp"

int search(resumable::Context& ctx) {
  return ctx.step({.name = "web", .retires = 3}, [] { return 1; });
}
