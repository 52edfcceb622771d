// expect: to save std::optional, std::variant, durations and times include <resumable/json_types.hpp>
// max-lines: 15
#include <optional>

#include "resumable/resumable.hpp"

struct Company {
  std::string name;
  std::optional<int> founded;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Company, name, founded)
};

void declare(resumable::Pipeline& memo) {
  memo.stage("company", [] { return Company{}; });
}
