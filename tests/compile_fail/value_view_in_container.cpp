// expect: a view \(string_view, span, reference_wrapper\) does not own what it shows
// max-lines: 15
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/codec.hpp"

const auto& table =
    resumable::detail::value_type<std::map<std::string, std::vector<std::string_view>>>();
