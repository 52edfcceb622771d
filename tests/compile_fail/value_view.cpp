// expect: a view \(string_view, span, reference_wrapper\) does not own what it shows
// max-lines: 15
#include <string_view>

#include "resumable/codec.hpp"

const auto& table = resumable::detail::value_type<std::string_view>();
