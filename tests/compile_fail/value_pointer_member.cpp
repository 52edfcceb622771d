// expect: a pointer cannot be saved
// max-lines: 15
#include "resumable/resumable.hpp"

struct Node {
  Node* next = nullptr;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Node, next)
};

void declare(resumable::Pipeline& memo) {
  memo.stage("node", [] { return Node{}; });
}
