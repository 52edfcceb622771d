/// @file
/// Former states of a corpus: each has a tag, and is brought back as a whole.
#pragma once

#include <string>
#include <vector>

#include <resumable/store.hpp>

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
/// the rest.
/// @throws resumable::Error  no such run or tag; a process owns the run; a record is damaged
std::string restore_former(resumable::CheckpointStore& store, const std::string& run,
                           const std::string& tag);

}  // namespace corpus
