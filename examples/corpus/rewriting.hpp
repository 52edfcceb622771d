/// @file
/// What is paid for is not written again without a question.
#pragma once

#include <resumable/cli.hpp>
#include <resumable/store.hpp>

#include "corpus/arguments.hpp"

namespace corpus {

/// Returns when nothing of the run was paid for, or a person agrees to write it again.
/// @throws resumable::Error{Errc::bad_option}  nobody agreed
void confirm_rewriting(const Arguments& arguments, resumable::CheckpointStore& store,
                       resumable::cli::Console& console);

}  // namespace corpus
