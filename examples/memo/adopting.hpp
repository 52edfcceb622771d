/// @file
/// What a memo's files show of a run that has no checkpoints.
#pragma once

#include <resumable/found_file.hpp>

#include "memo/review.hpp"
#include "memo/types.hpp"

namespace memo {

/// The values that Markdown shows in part. What a statement was backed by is not in the file: cite
/// looks it up in the sources again.
Section adopted_section(const resumable::FoundFile& file);
Header adopted_header(const resumable::FoundFile& file);
FinalDraft adopted_draft(const resumable::FoundFile& file);

/// The list of profiles and channels.
bool shows_profiles(const resumable::FoundFile& section);
/// A link above the list of profiles.
bool shows_links(const resumable::FoundFile& section);
bool shows_tables(const resumable::FoundFile& section);
bool shows_citations(const resumable::FoundFile& draft);
/// Whether 3-validation.json has this part, whatever its value.
bool shows_part(const resumable::FoundFile& validation, const char* part);

}  // namespace memo
