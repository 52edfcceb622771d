/// @file
/// Labels, by which a run is found among others, and its time to live.
#pragma once

#include "record/small_records.hpp"
#include "resumable/resume.hpp"

namespace resumable::run {

/// @throws Error{Errc::bad_option}  a label is too long, or not UTF-8; a time to live is below 0
void check_labels(const ResumeOptions& options);

/// Puts it into the run's record. Returns whether that changes.
/// @throws Error{Errc::bad_option}  too many labels
bool describe(record::RunRecord& run, const ResumeOptions& options);

}  // namespace resumable::run
