// expect: resumable: this type cannot be saved: give it to_json and from_json
// max-lines: 20
#include "resumable/resumable.hpp"

struct Mesh {
  int corners = 0;
};

void declare(resumable::Pipeline& memo) {
  memo.stage("mesh", [] { return Mesh{}; });
}
