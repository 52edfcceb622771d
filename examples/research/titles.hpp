/// @file
/// Titles of pages without the name of their site.
#pragma once

#include <string>
#include <vector>

#include "research/types.hpp"

namespace research {

/// Takes what at least half of the titles, and three, end with behind a bar or a dash, or begin
/// with before one, out of them: `Opening hours – Town Library` is `Opening hours`.
void leave_out_site_name(std::vector<Page>& pages);

/// What stands before, between and behind the bars, dashes and colons of a title.
[[nodiscard]] std::vector<std::string> parts_of_title(const std::string& title);

}  // namespace research
