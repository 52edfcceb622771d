/// @file
/// Phase 0: finds the pages of a site by following links from its start page, breadth first, as far
/// as robots.txt allows. crawl() knows nothing of the library; scrape() makes a step of each
/// request.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include <resumable/context.hpp>

#include "research/types.hpp"

namespace research {

/// Gives what the site answers for a path. Called once per path, /robots.txt first.
using Fetch = std::function<Response(const std::string& path)>;

/// Where a crawl ends although the site does not (a calendar, a search), and how it is told.
struct Bounds {
  std::size_t paths = 1000;
  /// Asked before each page; true: what has been found is all.
  std::function<bool()> out_of_time = [] { return false; };
  /// Called once if robots.txt names a Crawl-delay.
  std::function<void(std::chrono::milliseconds)> crawl_delay = [](std::chrono::milliseconds) {};
};

/// Follows the links and redirects that stay on the site, each path once, in the order in which
/// they are met: the same answers give the same result. What is no HTML page with status 200 is
/// `missing`, and so is a page for which `fetch` throws ServerFault. What robots.txt keeps out,
/// what redirects lead elsewhere, what was cut and what the server failed to answer is in `notes`,
/// in words.
/// @throws std::runtime_error  there is no start page, or robots.txt does not allow it
/// @throws whatever `fetch` throws otherwise
Scrape crawl(const std::string& origin, const Fetch& fetch, const Bounds& bounds = {});

/// How a site is visited; none of it changes what is found.
struct Visiting {
  std::chrono::milliseconds pace{0};  ///< how long an answer takes at least
  /// Between two requests; robots.txt may ask for more. Not given: a second, but none on this
  /// machine.
  std::optional<std::chrono::milliseconds> delay{};
  std::string ca{};  ///< a file of certificates to trust, for https
};

/// Crawls with steps: what was fetched once is not fetched again.
/// @param site  an origin, or a folder of HTML files, which is served as long as it is read
/// @throws as crawl()
Scrape scrape(resumable::Context& ctx, const std::string& site, const Limits& limits,
              const Visiting& how);

/// Where a link of the page at `base` leads: a path on the site, without fragment, or empty when it
/// leaves the site or names no page.
std::string on_site(const std::string& origin, const std::string& base, const std::string& link);

}  // namespace research
