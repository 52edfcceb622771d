// expect: a value is a plain object type
// max-lines: 15
#include "resumable/codec.hpp"

const auto& table = resumable::detail::value_type<const int>();
