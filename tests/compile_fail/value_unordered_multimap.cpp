// expect: elements without a stable order have no stable digest
// max-lines: 15
#include <string>
#include <unordered_map>
#include <utility>

#include "resumable/codec.hpp"

const auto& table =
    resumable::detail::value_type<std::pair<int, std::unordered_multimap<std::string, int>>>();
