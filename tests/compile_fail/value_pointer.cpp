// expect: a pointer cannot be saved, its address means nothing in the next process
// max-lines: 15
#include "resumable/codec.hpp"

const auto& table = resumable::detail::value_type<const char*>();
