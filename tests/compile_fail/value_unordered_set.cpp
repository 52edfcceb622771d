// expect: elements without a stable order have no stable digest
// max-lines: 15
#include <string>
#include <unordered_set>

#include "resumable/codec.hpp"

const auto& table = resumable::detail::value_type<std::unordered_set<std::string>>();
