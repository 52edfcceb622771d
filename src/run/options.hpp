/// @file
/// Checks whether the options of a call make sense by themselves, before anything is read.
#pragma once

#include "resumable/resume.hpp"

namespace resumable::run {

/// @throws Error{Errc::bad_name}    the run's id
/// @throws Error{Errc::bad_option}  labels, the time to live, budgets or the reserve
void check_options(const ResumeOptions& options);

}  // namespace resumable::run
