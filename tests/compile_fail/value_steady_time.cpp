// expect: only times of std::chrono::system_clock mean something after a restart
// max-lines: 15
#include <chrono>

#include "resumable/json_types.hpp"

const auto& table = resumable::detail::value_type<std::chrono::steady_clock::time_point>();
