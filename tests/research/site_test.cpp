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

TEST(Site, AllPagesAreReachedFromTheStartPageByLinksAlone) {
  const SiteServer server{load_site(pages)};
  const Scrape scrape =
      crawl(server.url(), [&](const std::string& path) { return fetch(server.url(), path, {}); });
  EXPECT_EQ(scrape.pages.size(), 38U);
  EXPECT_TRUE(scrape.missing.empty());
  for (const auto& [path, count] : server.requests()) EXPECT_EQ(count, 1U) << path;
  EXPECT_EQ(scrape.pages.front().url.rfind("https://18f.gsa.gov/", 0), 0U);
}

TEST(Site, TheStartPageNamesOnlyPagesThatNoOtherLinksTo) {
  const Site site = load_site(pages);
  EXPECT_THAT(site.pages.at("/"), HasSubstr("/2021/10/19/navigating-atos/"));
  EXPECT_THAT(site.pages.at("/"), Not(HasSubstr("/2018/01/25/getting-devops-buy-in/")));
}

TEST(Site, PagesThatLinkInACircleAreReachedToo) {
  const TempFolder folder;
  write_file(folder / "a.html", "<p>A.</p><a href=\"http://x/b\">b</a>");
  write_file(folder / "b.html", "<p>B.</p><a href=\"http://x/a#top\">a</a> <a href=\"http://y/\">");
  write_file(folder / "index.json", R"({"topic":"T","pages":[
      {"url":"http://x/a","file":"a.html","title":"A","links_in_set":["http://x/b"]},
      {"url":"http://x/b","file":"b.html","title":"B","links_in_set":["http://x/a"]}]})");
  const Site site = load_site(folder.path());
  EXPECT_THAT(site.pages.at("/"), HasSubstr("\"/a\""));
  EXPECT_EQ(site.pages.at("/a"), "<p>A.</p><a href=\"/b\">b</a>");
  EXPECT_EQ(site.pages.at("/b"), "<p>B.</p><a href=\"/a#top\">a</a> <a href=\"http://y/\">");
}

TEST(Site, TheStartPageOfAFolderIsKeptAndNamesWhatNobodyLinksTo) {
  const TempFolder folder;
  write_file(folder / "start.html", "<body><p>Welcome to the mill.</p></body>");
  write_file(folder / "a.html", "<p>A.</p>");
  write_file(folder / "index.json", R"({"topic":"T","pages":[
      {"url":"http://x/","file":"start.html","title":"S","links_in_set":[]},
      {"url":"http://x/a","file":"a.html","title":"A","links_in_set":[]}]})");
  const Site site = load_site(folder.path());
  EXPECT_THAT(site.pages.at("/"), HasSubstr("Welcome to the mill."));
  EXPECT_THAT(site.pages.at("/"), HasSubstr("\"/a\""));
}

TEST(Site, AFolderOfHtmlFilesIsServedAtItsPaths) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "news");
  write_file(folder / "index.html", "<title>The mill</title><a href=\"news\">news</a>");
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

TEST_F(ResearchTest, ASourceWithoutAnAddressIsCitedByItsFile) {
  const auto site = folder / "mill";
  std::filesystem::create_directories(site);
  write_file(site / "how.html",
             "<h1>The mill</h1><p>The mill grinds 300 kg of oats a day.</p>"
             "<p>The mill has two pairs of stones and one wheel.</p>");
  write_file(site / "index.json", R"({"topic":"The mill","pages":[
      {"url":"/how/","file":"how.html","title":"How","links_in_set":[]}]})");
  const Said said = go_on({"--pages", site.string()});
  ASSERT_EQ(said.code, 0) << said.err;
  const std::string file = (std::filesystem::canonical(site) / "how.html").string();
  EXPECT_THAT(read_file(report()), HasSubstr(": `" + file + "`\n"));
}

TEST(Site, AFolderThatIsNoSiteIsAnErrorWithTheFile) {
  const TempFolder folder;
  const auto problem = [&] {
    try {
      static_cast<void>(load_site(folder.path()));
      return std::string{};
    } catch (const rs::Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      return error.explain();
    }
  };
  EXPECT_THAT(problem(), HasSubstr("index.json"));
  write_file(folder / "index.json", R"({"topic":"T"})");
  EXPECT_THAT(problem(), HasSubstr("pages"));
  write_file(folder / "index.json", R"({"topic":"T","pages":[
      {"url":"http://x/a","file":"a.html","title":"A","links_in_set":[]}]})");
  EXPECT_THAT(problem(), HasSubstr("a.html"));
}

TEST(SiteServer, TwoNeverShareAPort) {
  const SiteServer first{Site{}};
  const std::string url = first.url();
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  EXPECT_THROW((SiteServer{Site{}, port}), rs::Error);
}

TEST(Fetch, NoAnswerIsWorthAnotherTry) {
  std::string url;
  { url = SiteServer{Site{}}.url(); }
  EXPECT_THROW(static_cast<void>(fetch(url, "/", {})), rs::Retryable);
}

}  // namespace
}  // namespace research::testing
