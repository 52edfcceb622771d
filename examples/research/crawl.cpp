// Reads HTML, and knows nothing of the library: what `fetch` records is not its business.
#include "research/crawl.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "research/fetch.hpp"
#include "research/robots.hpp"
#include "research/web_text.hpp"
#include "text/html.hpp"

namespace research {
namespace {

constexpr const char* start = "/";
constexpr int longest_chain = 5;  ///< redirects, as many as RFC 9309 follows for robots.txt

bool is_page(const Response& response) {
  return response.status == 200 && (response.type.starts_with("text/html") ||
                                    response.type.starts_with("application/xhtml+xml"));
}

bool is_redirect(const Response& response) {
  const bool moved = response.status >= 301 && response.status <= 308;
  return moved && response.status != 304 && !response.location.empty();
}

/// Its passages but for those that are the name of another page, and no more.
Page page_of(const std::string& path, const text::Page& read) {
  Page page{
      path, read.canonical.empty() ? path : read.canonical, read.document.title, read.date, {}};
  for (const auto& one : read.document.passages) {
    if (std::ranges::find(read.document.links, one.body, &text::Link::text) ==
        read.document.links.end()) {
      page.passages.push_back({one.body, one.title, path, one.line});
    }
  }
  return page;
}

class Crawl {
 public:
  Crawl(const std::string& origin, const Fetch& fetch, const Bounds& bounds)
      : origin_(origin), fetch_(fetch), bounds_(bounds) {}

  Scrape run() {
    read_rules();
    if (!robots_.allows(start)) {
      throw std::runtime_error(
          fmt::format("robots.txt of {} does not allow / to {}", origin_, crawler_name));
    }
    met_.insert(start);
    frontier_.push_back({start, 0, true});
    while (!frontier_.empty()) {
      if (bounds_.out_of_time()) {
        if (!started_) {
          throw std::runtime_error(
              fmt::format("the time for reading {} is over before its start page", origin_));
        }
        scrape_.notes.push_back(fmt::format(
            "The time for reading the site was over: {} not read, of those that were found.",
            counted(frontier_.size(), "path")));
        break;
      }
      const Visit visit = std::move(frontier_.front());
      frontier_.pop_front();
      take(visit);
    }
    if (!started_) {
      throw std::runtime_error(
          fmt::format("{} has no start page: GET {} leads to none", origin_, start));
    }
    tell();
    return std::move(scrape_);
  }

 private:
  struct Visit {
    std::string path;
    int redirects = 0;
    bool is_start = false;  ///< the start page, or where it redirects to
  };

  /// Without such a file, or with one somewhere else, everything is allowed.
  void read_rules() {
    std::string path = "/robots.txt";
    for (int hop = 0; hop <= longest_chain; ++hop) {
      const Response response = fetch_(path);
      met_.insert(path);
      if (response.status == 200) {
        robots_ = Robots{response.body, crawler_name};
        if (robots_.delay()) bounds_.crawl_delay(*robots_.delay());
        return;
      }
      path = is_redirect(response) ? on_site(origin_, path, response.location) : "";
      if (path.empty() || met_.contains(path)) return;
    }
  }

  /// The start page cannot be left out; any other page may stay unread.
  Response ask(const Visit& visit) {
    try {
      return fetch_(visit.path);
    } catch (const ServerFault&) {
      if (visit.is_start) throw;
      faulty_.push_back(visit.path);
      return {500, {}, {}};
    }
  }

  void take(const Visit& visit) {
    const Response response = ask(visit);
    if (is_redirect(response)) return redirect(visit, response);
    if (!is_page(response)) {
      if (visit.is_start) {
        throw std::runtime_error(fmt::format("{} has no start page: it answered {} to GET {}",
                                             origin_, response.status, visit.path));
      }
      scrape_.missing.push_back(visit.path);
      return;
    }
    if (response.cut) cut_.push_back(visit.path);
    const text::Page read = text::read_html(visit.path, response.body);
    for (const text::Link& link : read.document.links) {
      meet({on_site(origin_, visit.path, link.url), 0, false});
    }
    if (visit.is_start) scrape_.title = read.document.title;
    started_ = started_ || visit.is_start;
    Page page = page_of(visit.path, read);
    if (!page.passages.empty()) scrape_.pages.push_back(std::move(page));
  }

  void redirect(const Visit& from, const Response& response) {
    const std::string path = on_site(origin_, from.path, response.location);
    std::string why;
    if (path.empty()) why = "to another site, " + response.location;
    if (from.redirects == longest_chain) why = "once too often";
    if (why.empty()) return meet({path, from.redirects + 1, from.is_start});
    if (from.is_start) {
      throw std::runtime_error(
          fmt::format("{} has no start page: GET {} redirects {}", origin_, from.path, why));
    }
    scrape_.notes.push_back(fmt::format("{} redirects {}: it was not followed.", from.path, why));
    scrape_.missing.push_back(from.path);
  }

  /// Each path once; a redirect in a circle ends here, too.
  void meet(Visit visit) {
    if (visit.path.empty() || met_.contains(visit.path)) return;
    if (!robots_.allows(visit.path)) {
      met_.insert(visit.path);
      kept_out_.push_back(visit.path);
      return;
    }
    if (queued_ >= bounds_.paths) {
      full_ = true;
      return;
    }
    met_.insert(visit.path);
    ++queued_;
    // What a page has moved to takes its place.
    visit.redirects > 0 ? frontier_.push_front(std::move(visit))
                        : frontier_.push_back(std::move(visit));
  }

  void tell() {
    const auto note = [&](std::string text) { scrape_.notes.push_back(std::move(text)); };
    if (full_) {
      note(fmt::format("The site has more than {}: the rest was not read.",
                       counted(bounds_.paths, "path")));
    }
    if (!kept_out_.empty()) {
      note(fmt::format("robots.txt keeps {} out: {}.", counted(kept_out_.size(), "path"),
                       listed(kept_out_)));
    }
    if (!faulty_.empty()) {
      note(fmt::format("The site could not answer for {}: {}.", counted(faulty_.size(), "path"),
                       listed(faulty_)));
    }
    if (!cut_.empty()) {
      note(fmt::format("Only the beginning was read of {}, too large for the limit: {}.",
                       counted(cut_.size(), "page"), listed(cut_)));
    }
  }

  const std::string& origin_;
  const Fetch& fetch_;
  const Bounds& bounds_;
  Robots robots_;
  Scrape scrape_;
  std::deque<Visit> frontier_;
  std::set<std::string> met_;
  std::vector<std::string> kept_out_;
  std::vector<std::string> cut_;
  std::vector<std::string> faulty_;  ///< paths that the server has failed to answer for
  std::size_t queued_ = 1;           ///< paths, the start page among them
  bool started_ = false;
  bool full_ = false;
};

}  // namespace

std::string on_site(const std::string& origin, const std::string& base, const std::string& link) {
  std::string target = link.substr(0, link.find('#'));
  if (target == origin) target += start;
  if (target.starts_with(origin + "/")) target.erase(0, origin.size());
  const std::size_t colon = target.find(':');
  const bool has_scheme = colon != target.npos && colon < target.find_first_of("/?");
  if (target.empty() || has_scheme || target.starts_with("//")) return {};
  if (target.starts_with('?')) target = base.substr(0, base.find('?')) + target;
  const std::string here = base.substr(0, base.find('?'));
  if (!target.starts_with('/')) target = here.substr(0, here.rfind('/') + 1) + target;
  const std::size_t query = std::min(target.find('?'), target.size());
  target = std::filesystem::path{target.substr(0, query)}.lexically_normal().generic_string() +
           target.substr(query);
  std::string path;  // spaces and letters beyond ASCII have one spelling
  for (const char c : target) {
    const auto byte = static_cast<unsigned char>(c);
    path += byte > ' ' && byte < 0x7F ? std::string{c} : fmt::format("%{:02X}", byte);
  }
  return path;
}

Scrape crawl(const std::string& origin, const Fetch& fetch, const Bounds& bounds) {
  return Crawl{origin, fetch, bounds}.run();
}

}  // namespace research
