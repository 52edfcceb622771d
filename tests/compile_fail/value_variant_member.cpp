// expect: to save std::optional, std::variant, durations and times include <resumable/json_types.hpp>
// max-lines: 15
#include <variant>

#include "resumable/resumable.hpp"

struct Answer {
  std::variant<int, std::string> text;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Answer, text)
};

void declare(resumable::Pipeline& memo) {
  memo.stage("answer", [] { return Answer{}; });
}
