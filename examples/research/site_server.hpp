/// @file
/// A web site on the loopback device, made from a folder of HTML files: something to scrape that
/// needs no network.
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
  std::map<std::string, std::string> files{};  ///< path as in a URL, file in the folder
};

/// The HTML files of a folder, each at its path there; `index.html` stands for its folder. A folder
/// without a start page gets one that lists all.
/// @throws resumable::Error{Errc::source_failed}  the folder has none, or cannot be read
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
