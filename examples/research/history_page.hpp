/// @file
/// The history of all sessions as one page of HTML.
#pragma once

#include <string>
#include <vector>

#include "research/runs.hpp"
#include "research/sessions.hpp"

namespace research {

/// A table with a button for each session that can continue. Plain forms: no script, and the
/// keyboard reaches all of it. While something is running, the page loads itself again.
std::string history_page(const std::vector<Session>& sessions, const Runs& runs);

}  // namespace research
