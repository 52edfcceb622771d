// The pages of a site: those that an index names, with their links turned to one another, or the
// HTML files of a folder as they are.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <resumable/error.hpp>

#include "research/html_text.hpp"
#include "research/site_server.hpp"

namespace research {
namespace {

namespace rs = resumable;
using Json = nlohmann::json;

[[noreturn]] void refuse(const std::filesystem::path& file, std::string why) {
  throw rs::Error(
      rs::Errc::source_failed,
      {.what = "no site can be made from the folder: " + std::move(why),
       .file = file.string(),
       .kept = "nothing was changed",
       .next = "name a folder of HTML files, or one with index.json, which lists them"});
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::string content{std::istreambuf_iterator<char>{file}, {}};
  if (!file) refuse(path, "the file cannot be read");
  return content;
}

struct Entry {
  std::string url;
  std::string path;  ///< of the URL
  std::string file;
  std::string title;
  std::vector<std::string> links;  ///< URLs of other pages of the set
};

std::string path_of(const std::string& url) {
  const std::size_t scheme = url.find("://");
  const std::size_t slash = scheme == url.npos ? url.npos : url.find('/', scheme + 3);
  return slash == url.npos ? "/" : url.substr(slash);
}

Entry entry_of(const Json& json) {
  Entry entry;
  json.at("url").get_to(entry.url);
  json.at("file").get_to(entry.file);
  json.at("title").get_to(entry.title);
  json.at("links_in_set").get_to(entry.links);
  entry.path = path_of(entry.url);
  return entry;
}

/// Entries from which all others can be reached: those that nobody links to and, of a circle that
/// nobody links to, the first.
std::vector<const Entry*> roots(const std::vector<Entry>& entries) {
  std::map<std::string, const Entry*> by_url;
  std::set<std::string> linked;
  for (const Entry& entry : entries) {
    by_url[entry.url] = &entry;
    for (const std::string& link : entry.links) {
      if (link != entry.url) linked.insert(link);
    }
  }
  std::vector<const Entry*> roots;
  std::set<const Entry*> reached;
  const auto take = [&](const Entry& root) {
    roots.push_back(&root);
    std::vector<const Entry*> open{&root};
    while (!open.empty()) {
      const Entry* at = open.back();
      open.pop_back();
      if (!reached.insert(at).second) continue;
      for (const std::string& link : at->links) {
        if (by_url.contains(link)) open.push_back(by_url[link]);
      }
    }
  };
  for (const Entry& entry : entries) {
    if (!linked.contains(entry.url)) take(entry);
  }
  for (const Entry& entry : entries) {
    if (!reached.contains(&entry)) take(entry);
  }
  return roots;
}

std::string links_to(const std::vector<const Entry*>& roots) {
  std::string html = "<nav>\n<ul>\n";
  for (const Entry* entry : roots) {
    html += fmt::format("<li><a href=\"{}\">{}</a></li>\n", escaped(entry->path),
                        escaped(entry->title));
  }
  return html + "</ul>\n</nav>\n";
}

std::string start_page(const std::string& title, const std::vector<const Entry*>& roots) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
         escaped(title) + "</title>\n</head>\n<body>\n" + links_to(roots) + "</body>\n</html>\n";
}

/// The set's own start page, with links to what could not be reached else.
std::string with_links(std::string html, const std::vector<const Entry*>& roots) {
  const std::size_t end = std::min(html.rfind("</body>"), html.size());
  return html.insert(end, links_to(roots));
}

/// `<a href="https://…">` of a page of the set becomes a link of this site.
std::string with_own_links(const std::string& html, const std::map<std::string, std::string>& own) {
  constexpr std::string_view begin = "<a href=\"";
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t link = html.find(begin, at);
    const std::size_t from = link == html.npos ? html.size() : link + begin.size();
    out.append(html, at, from - at);
    if (link == html.npos) return out;
    at = std::min(html.find('"', from), html.size());
    const std::string target = html.substr(from, at - from);
    const std::size_t fragment = std::min(target.find('#'), target.size());
    const auto found = own.find(target.substr(0, fragment));
    out += found == own.end() ? target : found->second + target.substr(fragment);
  }
}

/// As a web server has it: `/` and `/news/` are the files index.html.
std::string path_of(const std::filesystem::path& file) {
  const std::string path = "/" + file.generic_string();
  return file.stem() == "index" ? path.substr(0, path.rfind('/') + 1) : path;
}

std::string as_url(const std::string& path) {
  std::string url;
  for (const char c : path) url += c == '/' ? "/" : percent_encoded({&c, 1});
  return url;
}

/// The HTML files of a folder. Without a start page of its own, one that lists all.
Site site_of_files(const std::filesystem::path& folder) {
  Site site;
  std::vector<Entry> entries;
  using Walk = std::filesystem::recursive_directory_iterator;
  std::error_code error;
  for (const auto& file : Walk{folder, error}) {
    const std::string ending = lower(file.path().extension().string());
    if (ending != ".html" && ending != ".htm") continue;
    const auto name = file.path().lexically_relative(folder);
    const std::string path = path_of(name);
    site.pages[path] = read_file(file.path());
    site.files[as_url(path)] = name.string();
    entries.push_back({.url = path, .path = as_url(path), .file = {}, .title = name, .links = {}});
  }
  if (error) refuse(folder, error.message());
  if (entries.empty()) refuse(folder, "it has neither index.json nor HTML files");
  std::ranges::sort(entries, {}, &Entry::path);
  if (!site.pages.contains("/")) {
    const std::string title = std::filesystem::canonical(folder).filename().string();
    site.pages["/"] = start_page(title, roots(entries));
  }
  return site;
}

/// The pages that `index` names.
Site site_of_index(const std::filesystem::path& folder, const std::filesystem::path& index) {
  Site site;
  std::string title;
  std::vector<Entry> entries;
  try {
    const Json json = Json::parse(read_file(index));
    json.at("topic").get_to(title);
    for (const Json& page : json.at("pages")) entries.push_back(entry_of(page));
  } catch (const Json::exception& error) {
    refuse(index, error.what());
  }
  std::map<std::string, std::string> own;
  for (const Entry& entry : entries) own[entry.url] = entry.path;
  for (const Entry& entry : entries) {
    site.pages[entry.path] = with_own_links(read_file(folder / entry.file), own);
    site.files[entry.path] = entry.file;
  }
  const auto first = site.pages.find("/");
  site.pages["/"] = first == site.pages.end() ? start_page(title, roots(entries))
                                              : with_links(first->second, roots(entries));
  return site;
}

}  // namespace

Site load_site(const std::filesystem::path& folder) {
  const auto index = folder / "index.json";
  return std::filesystem::exists(index) ? site_of_index(folder, index) : site_of_files(folder);
}

}  // namespace research
