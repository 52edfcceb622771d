// A folder as a web server shows it: something to scrape without a network, and without the
// library.
#include "research/site_server.hpp"

#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <resumable/error.hpp>

#include "research/loopback.hpp"
#include "research/web_text.hpp"

namespace research {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, std::string why) {
  throw resumable::Error(resumable::Errc::source_failed,
                         {.what = "no site can be made from the folder: " + std::move(why),
                          .file = file.string(),
                          .kept = "nothing was changed",
                          .next = "name a folder of HTML files"});
}

std::string read_file(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::string content{std::istreambuf_iterator<char>{file}, {}};
  if (!file) refuse(path, "the file cannot be read");
  return content;
}

/// As a web server has it: `/` and `/news/` are the files index.html.
std::string path_of(const fs::path& file) {
  const std::string path = "/" + file.generic_string();
  return file.stem() == "index" ? path.substr(0, path.rfind('/') + 1) : path;
}

std::string as_url(const std::string& path) {
  std::string url;
  for (const char c : path) url += c == '/' ? "/" : percent_encoded({&c, 1});
  return url;
}

std::string start_page(const std::string& title, const std::map<std::string, std::string>& files) {
  std::string links;
  for (const auto& [url, file] : files) {
    links += fmt::format("<li><a href=\"{}\">{}</a></li>\n", escaped(url), escaped(file));
  }
  return fmt::format("<!doctype html>\n<title>{}</title>\n<nav>\n<ul>\n{}</ul>\n</nav>\n",
                     escaped(title), links);
}

}  // namespace

Site load_site(const fs::path& folder) {
  Site site;
  std::error_code error;
  for (const auto& file : fs::recursive_directory_iterator{folder, error}) {
    const std::string ending = lower(file.path().extension().string());
    if (ending != ".html" && ending != ".htm") continue;
    const auto name = file.path().lexically_relative(folder);
    const std::string path = path_of(name);
    site.pages[path] = read_file(file.path());
    site.files[as_url(path)] = name.string();
  }
  if (error) refuse(folder, error.message());
  if (site.pages.empty()) refuse(folder, "it has no HTML files");
  if (!site.pages.contains("/")) {
    site.pages["/"] = start_page(fs::canonical(folder).filename().string(), site.files);
  }
  return site;
}

struct SiteServer::State {
  State(Site served, int port) : site{std::move(served)}, server{port} {}

  Site site;
  mutable std::mutex mutex;
  std::map<std::string, std::size_t> requests;
  Loopback server;

  /// `/news/`, of `/news` and of `/news/index.html`; nullopt: there is none.
  [[nodiscard]] std::optional<std::string> folder_of(const std::string& path) const {
    const std::size_t slash = path.rfind('/') + 1;
    const bool is_index = path.substr(slash).starts_with("index.htm");
    std::string folder = is_index ? path.substr(0, slash) : path + "/";
    if (!site.pages.contains(folder)) return std::nullopt;
    return folder;
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    {
      const std::scoped_lock lock{mutex};
      ++requests[request.path];
    }
    const auto page = site.pages.find(request.path);
    if (page != site.pages.end()) {
      response.set_content(page->second, "text/html; charset=utf-8");
    } else if (const auto folder = folder_of(request.path)) {
      response.set_redirect(as_url(*folder), 301);
    } else {
      response.status = 404;
      response.set_content("no such page\n", "text/plain");
    }
  }
};

SiteServer::SiteServer(Site site, int port)
    : state_{std::make_unique<State>(std::move(site), port)} {
  State& state = *state_;
  state.server.http.new_task_queue = [] { return new httplib::ThreadPool{2}; };
  state.server.http.Get(".*",
                        [&state](const httplib::Request& request, httplib::Response& response) {
                          state.answer(request, response);
                        });
  state.server.start();
}

SiteServer::~SiteServer() = default;

std::string SiteServer::url() const { return state_->server.url(); }

std::map<std::string, std::size_t> SiteServer::requests() const {
  const std::scoped_lock lock{state_->mutex};
  return state_->requests;
}

}  // namespace research
