/// @file
/// Checks whether the options of a call make sense by themselves, before anything is read.
#pragma once

#include "resumable/resume.hpp"
#include "resumable/work_queue.hpp"

namespace resumable::run {

/// @throws Error{Errc::bad_name}    the run's id
/// @throws Error{Errc::bad_option}  labels, the time to live, budgets, the reserve, or what cannot
///         be together with sharing
void check_options(const ResumeOptions& options);

/// What shares the items of the store's runs. @throws Error{Errc::bad_option}  it cannot
[[nodiscard]] WorkQueue& work_queue_of(CheckpointStore& store);

}  // namespace resumable::run
