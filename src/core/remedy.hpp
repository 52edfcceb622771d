#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "resumable/export.hpp"

namespace resumable::core {

/// What to do about an error of the operating system, as an imperative without a full stop:
/// `otherwise` if the error has no remedy of its own.
[[nodiscard]] RESUMABLE_EXPORT std::string remedy(std::error_code cause,
                                                  std::string_view otherwise);

}  // namespace resumable::core
