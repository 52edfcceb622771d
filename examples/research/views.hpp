/// @file
/// Sessions for people and other tools: a list, and a file for each. Views, made again from the
/// records and never read to decide anything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <resumable/store.hpp>

#include "research/sessions.hpp"

namespace research {

/// `0 0.5 1 2, at step 4 of 8`
std::string phases_of(const Session& session);

/// SESSION BATCH STATUS PHASES CREATED, a line each.
std::string sessions_text(const std::vector<Session>& sessions);

/// One JSON document: `{"schema":1,"sessions":[…]}`.
std::string sessions_json(const std::vector<Session>& sessions);

/// `sessions/session_ID.json`: a session in the form that other tools know: metadata, scratchpad,
/// phase_artifacts, step_digests. The file is replaced as a whole.
/// @throws std::filesystem::filesystem_error, resumable::Error
void write_session_file(resumable::CheckpointStore& store, const std::filesystem::path& folder,
                        const std::string& session);

}  // namespace research
