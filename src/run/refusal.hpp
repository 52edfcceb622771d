/// @file
/// Turns a plan that refuses into the error that says why, and what to do.
#pragma once

#include <string>
#include <system_error>

#include "resumable/error.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/plan.hpp"

namespace resumable::run {

/// For the first stage that refuses, else for the first note. `cause_of` has what the operating
/// system said when a file could not be read. @pre plan.refused()
[[nodiscard]] Error refusal(const Plan& plan,
                            FunctionRef<std::error_code(const std::string& file)> cause_of);

}  // namespace resumable::run
