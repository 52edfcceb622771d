/// @file
/// Lists of sessions as people and programs read them.
#pragma once

#include <string>
#include <vector>

#include "research/sessions.hpp"

namespace research {

/// `0 0.5 1 2, at step 4 of 8`
std::string phases_of(const Session& session);

/// SESSION BATCH STATUS PHASES CREATED, a line each.
std::string sessions_text(const std::vector<Session>& sessions);

/// One JSON document: `{"schema":1,"sessions":[…]}`.
std::string sessions_json(const std::vector<Session>& sessions);

}  // namespace research
