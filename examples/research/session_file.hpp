/// @file
/// `sessions/session_ID.json`: a session in the form that other tools know. A view for people and
/// tools, made again from the records after every call and never read to decide anything.
#pragma once

#include <filesystem>
#include <string>

#include <resumable/store.hpp>

namespace research {

/// Replaces the file as a whole: metadata, scratchpad, phase_artifacts, step_digests.
/// @return where it is
/// @throws std::filesystem::filesystem_error, resumable::Error
std::filesystem::path write_session_file(resumable::CheckpointStore& store,
                                         const std::filesystem::path& folder,
                                         const std::string& session);

}  // namespace research
