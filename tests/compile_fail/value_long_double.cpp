// expect: JSON holds no number wider than 64 bits
// max-lines: 15
#include <vector>

#include "resumable/codec.hpp"

const auto& table = resumable::detail::value_type<std::vector<long double>>();
