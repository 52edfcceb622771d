// expect: .*cannot be saved.*
// max-lines: 20
#include "resumable/resumable.hpp"

struct Socket {
  int descriptor = 0;
};

void declare(resumable::Pipeline& memo) {
  memo.stage("web", [](resumable::Context& ctx) { ctx.step("connect", [] { return Socket{3}; }); });
}
