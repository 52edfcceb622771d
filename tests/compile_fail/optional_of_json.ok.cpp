// A Json still converts to std::optional<Json> beside the library's headers.
#include <optional>

#include "resumable/codec.hpp"

std::optional<resumable::Json> first(const resumable::Json& list) { return list.at(0); }
