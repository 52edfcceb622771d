/// @file
/// A web site on the loopback device, made from a folder of pages: something to scrape that needs
/// no network.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace research {

/// The site of a folder: an answer for every path.
struct Site {
  std::map<std::string, std::string> pages;    ///< path, HTML; `/` is the start page
  std::map<std::string, std::string> files{};  ///< path, file in the folder
};

/// The HTML files of a folder, each at its path there; `index.html` stands for its folder. Without
/// a file `index.html` of its own the folder's start page lists all. A folder with `index.json`,
/// which names pages and the URLs they had, is a mirror: the start page lists those pages that no
/// other page links to, links between the pages lead to this site, and all others stay as they are.
/// @throws resumable::Error{Errc::source_failed}  the folder is not such a folder
Site load_site(const std::filesystem::path& folder);

/// Serves a site from construction to destruction and counts what is asked of it.
class SiteServer {
 public:
  /// @param port  0: pick a free one
  /// @throws resumable::Error{Errc::bad_option}  the port cannot be had
  explicit SiteServer(Site site, int port = 0);
  ~SiteServer();
  SiteServer(const SiteServer&) = delete;
  SiteServer& operator=(const SiteServer&) = delete;

  [[nodiscard]] std::string url() const;  ///< http://127.0.0.1:PORT
  /// How often each path was asked for, those included that the site does not have.
  [[nodiscard]] std::map<std::string, std::size_t> requests() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace research
