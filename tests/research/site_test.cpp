// The site of a folder, over HTTP.

#include "research/crawl.hpp"
#include "research/fetch.hpp"
#include "research/research_run.hpp"
#include "resumable/context.hpp"
#include "resumable/error.hpp"

namespace research::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

TEST(Site, AFolderOfHtmlFilesIsServedAtItsPaths) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "news");
  write_file(folder / "index.html",
             "<title>The mill</title><p>Welcome.</p><a href=\"news\">news</a>");
  write_file(folder / "about us.htm", "<p>About.</p>");
  write_file(folder / "news/index.html",
             "<p>News.</p><a href=\"../index.html\">home</a> <a href=\"../about%20us.htm\">us</a>");
  write_file(folder / "style.css", "p {}");
  const SiteServer server{load_site(folder.path())};
  const Scrape scrape =
      crawl(server.url(), [&](const std::string& path) { return fetch(server.url(), path, {}); });
  EXPECT_EQ(scrape.title, "The mill");
  std::vector<std::string> paths;
  for (const Page& page : scrape.pages) paths.push_back(page.path);
  EXPECT_THAT(paths, UnorderedElementsAre("/", "/news/", "/about%20us.htm"));
}

TEST(Site, AFolderOfHtmlFilesWithoutAStartPageGetsOneThatListsAll) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "a b");
  write_file(folder / "a b/x&y.html", "<p>X.</p>");
  write_file(folder / "z.HTML", "<p>Z.</p>");
  const Site site = load_site(folder.path());
  EXPECT_THAT(site.pages.at("/"), HasSubstr("<a href=\"/a%20b/x%26y.html\">a b/x&amp;y.html</a>"));
  EXPECT_THAT(site.pages.at("/"), HasSubstr("<a href=\"/z.HTML\">"));
  EXPECT_EQ(site.pages.at("/a b/x&y.html"), "<p>X.</p>");
  EXPECT_EQ(site.files.at("/a%20b/x%26y.html"), "a b/x&y.html");
}

TEST(SiteServer, TwoNeverShareAPort) {
  const SiteServer first{Site{}};
  const std::string url = first.url();
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  EXPECT_THROW((SiteServer{Site{}, port}), rs::Error);
}

}  // namespace
}  // namespace research::testing
