/// @file
/// The parameters at the end of a store's URL: `?name=value&name=value`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"

namespace resumable::store {

/// Where they begin, with their `?`; the URL's size if it has none. A password may have a `?`, too.
[[nodiscard]] RESUMABLE_EXPORT std::size_t parameters_at(std::string_view url);

/// The URL without those of its parameters, which begin at `at`, that `take` returns true for.
[[nodiscard]] RESUMABLE_EXPORT std::string take_parameters(
    std::string_view url, std::size_t at,
    FunctionRef<bool(std::string_view name, std::string_view value)> take);

}  // namespace resumable::store
