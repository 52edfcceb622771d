/// @file
/// From a plan that refuses to the error that says why, and what to do.
#pragma once

#include <string>
#include <system_error>

#include "resumable/function_ref.hpp"
#include "resumable/plan.hpp"

namespace resumable::run {

/// `cause_of` has what the operating system said when a file could not be read.
/// @throws Error  always: for the first stage that refuses, else for the first note
[[noreturn]] void refuse(const Plan& plan,
                         FunctionRef<std::error_code(const std::string& file)> cause_of);

}  // namespace resumable::run
