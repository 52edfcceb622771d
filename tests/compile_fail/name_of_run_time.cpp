// expect: a name that is known only at run time goes through resumable::Name::checked\(text\)
// max-lines: 15
#include "resumable/resumable.hpp"

void declare(resumable::Pipeline& memo, const std::string& name) {
  memo.stage(name, [] { return 1; });
}
