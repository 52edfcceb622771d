#include "research/crawl.hpp"

#include <deque>
#include <filesystem>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "research/html.hpp"

namespace research {
namespace {

constexpr const char* start = "/";

bool is_page(const Response& response) {
  return response.status == 200 && response.type.starts_with("text/html");
}

Page page_of(const std::string& path, Document document) {
  return {path,
          document.canonical.empty() ? path : std::move(document.canonical),
          std::move(document.title),
          std::move(document.date),
          std::move(document.tags),
          std::move(document.passages)};
}

}  // namespace

std::string on_site(const std::string& origin, const std::string& base, const std::string& link) {
  std::string target = link.substr(0, link.find('#'));
  if (target == origin) target += start;
  if (target.starts_with(origin + "/")) target.erase(0, origin.size());
  const std::size_t colon = target.find(':');
  const bool has_scheme = colon != target.npos && colon < target.find('/');
  if (target.empty() || has_scheme || target.starts_with("//")) return {};
  if (!target.starts_with('/')) target = base.substr(0, base.rfind('/') + 1) + target;
  const std::size_t query = std::min(target.find('?'), target.size());
  return std::filesystem::path{target.substr(0, query)}.lexically_normal().generic_string() +
         target.substr(query);
}

Scrape crawl(const std::string& origin, const Fetch& fetch, std::size_t limit) {
  Scrape scrape;
  std::deque<std::string> frontier{start};
  std::set<std::string> met{start};
  while (!frontier.empty()) {
    const std::string path = std::move(frontier.front());
    frontier.pop_front();
    const Response response = fetch(path);
    if (!is_page(response)) {
      if (path == start) {
        throw std::runtime_error(
            fmt::format("{} has no start page: it answered {} to GET /", origin, response.status));
      }
      scrape.missing.push_back(path);
      continue;
    }
    Document document = read_html(response.body);
    for (const std::string& link : document.links) {
      std::string next = on_site(origin, path, link);
      if (next.empty() || !met.insert(next).second) continue;
      if (met.size() > limit) {
        throw std::runtime_error(fmt::format("{} has more than {} paths", origin, limit));
      }
      frontier.push_back(std::move(next));
    }
    if (path == start) scrape.title = document.title;
    if (!document.passages.empty()) scrape.pages.push_back(page_of(path, std::move(document)));
  }
  return scrape;
}

}  // namespace research
