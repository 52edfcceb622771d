/// @file
/// Titles of pages without the name of their site.
#pragma once

#include <vector>

#include "research/types.hpp"

namespace research {

/// Takes what at least half of the titles, and three, end with behind a bar or a dash, or begin
/// with before one, out of them: `Opening hours – Town Library` is `Opening hours`.
void leave_out_site_name(std::vector<Page>& pages);

}  // namespace research
