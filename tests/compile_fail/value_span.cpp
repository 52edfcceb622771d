// expect: a view \(string_view, span, reference_wrapper\) does not own what it shows
// max-lines: 15
#include <span>

#include "resumable/codec.hpp"

const auto& table = resumable::detail::value_type<std::span<int>>();
