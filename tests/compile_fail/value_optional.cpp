// expect: to save std::optional, std::variant, durations and times include <resumable/json_types.hpp>
// max-lines: 15
#include <optional>

#include "resumable/codec.hpp"

const auto& table = resumable::detail::value_type<std::optional<int>>();
