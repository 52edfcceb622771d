/// @file
/// Phase 0: finds the pages of a site by following links from its start page, breadth first.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "research/types.hpp"

namespace research {

/// Gives what the site answers for a path. Called once per path.
using Fetch = std::function<Response(const std::string& path)>;

/// A site without end (a calendar, a search) ends here.
inline constexpr std::size_t crawl_limit = 1000;

/// Follows the links that stay on the site, each path once, in the order in which they are met: the
/// same answers give the same result. What is no HTML page with status 200 is `missing`.
/// @throws std::runtime_error  the start page is missing, or the site has more than `limit` paths
Scrape crawl(const std::string& origin, const Fetch& fetch, std::size_t limit = crawl_limit);

/// Where a link of the page at `base` leads: a path on the site, without fragment, or empty when it
/// leaves the site or names no page.
std::string on_site(const std::string& origin, const std::string& base, const std::string& link);

}  // namespace research
