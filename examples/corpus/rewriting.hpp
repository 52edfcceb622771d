/// @file
/// What is paid for is not written again without a question, and is kept.
#pragma once

#include <resumable/cli.hpp>
#include <resumable/resume.hpp>
#include <resumable/store.hpp>

#include "corpus/arguments.hpp"

namespace corpus {

/// When a call with these options would write again what was paid for: asks, unless --yes was said,
/// then gives the present corpus a tag and says how to bring it back.
/// @throws resumable::Error{Errc::bad_option}  nobody agreed
void confirm_rewriting(const Arguments& arguments, resumable::CheckpointStore& store,
                       const resumable::ResumeOptions& options, resumable::cli::Console& console);

}  // namespace corpus
