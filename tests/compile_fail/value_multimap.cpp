// expect: a JSON object cannot hold one key twice
// max-lines: 15
#include <map>
#include <string>

#include "resumable/codec.hpp"

const auto& table = resumable::detail::value_type<std::multimap<std::string, int>>();
