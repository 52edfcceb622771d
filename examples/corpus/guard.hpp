/// @file
/// What is paid for is not written again without a question, and is kept: each former state of a
/// corpus has a tag, and is brought back as a whole.
#pragma once

#include <string>
#include <vector>

#include <resumable/cli.hpp>
#include <resumable/resume.hpp>
#include <resumable/store.hpp>

#include "corpus/arguments.hpp"

namespace corpus {

/// The tags that tag_former() gave, the oldest first.
[[nodiscard]] std::vector<std::string> former_tags(const resumable::CheckpointStore& store,
                                                   const std::string& run);

/// What tag_former() would call the present state: `former-1`, `former-2` and so on.
[[nodiscard]] std::string next_former(const resumable::CheckpointStore& store,
                                      const std::string& run);

/// Keeps the present state of a run until the tag that it returns is removed.
/// @throws resumable::Error  no such run; a process owns it
std::string tag_former(resumable::CheckpointStore& store, const std::string& run);

/// Makes all records of a run, settings included, those that `tag` names, and returns the tag of
/// those that they replace. The next resume() writes the files. Killed anywhere, the same call does
/// the rest. No roll-back, which would count the values as made from the present inputs.
/// @throws resumable::Error  no such run or tag; a process owns the run; a record is damaged
std::string restore_former(resumable::CheckpointStore& store, const std::string& run,
                           const std::string& tag);

/// When a call with these options would write again what was paid for: asks, unless --yes was said,
/// then gives the present corpus a tag and says how to bring it back.
/// @throws resumable::Error{Errc::bad_option}  nobody agreed
void confirm_rewriting(const Arguments& arguments, resumable::CheckpointStore& store,
                       const resumable::ResumeOptions& options, resumable::cli::Console& console);

}  // namespace corpus
