// Reading a site as a guest: its rules, its redirects, its limits and ours; and a site of files.
#include <memory>
#include <thread>

#include <httplib.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "research/crawl.hpp"
#include "research/fetch.hpp"
#include "research/loopback.hpp"
#include "research/research_run.hpp"
#include "research/robots.hpp"
#include "resumable/context.hpp"

namespace research::testing {
namespace {

using resumable::test::write_file;
using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

/// A site that remembers what it was asked for. Status 500 stands for a server that fails.
struct Guestbook {
  std::map<std::string, Response> answers{};
  std::vector<std::string> asked{};

  static Response page(const std::string& html) { return {200, "text/html", html}; }
  static Response moved(const std::string& to) { return {302, "", "", to}; }

  Scrape crawled(const Bounds& bounds = {}) {
    const auto get = [this](const std::string& path) {
      asked.push_back(path);
      const auto found = answers.find(path);
      if (found == answers.end()) return Response{404, "", ""};
      if (found->second.status == 500) throw ServerFault("it fails");
      return found->second;
    };
    return crawl("http://guest.example", get, bounds);
  }
};

TEST(Polite, RobotsIsAskedForFirstAndWhatItKeepsOutIsNotAskedFor) {
  Guestbook site{
      {{"/robots.txt", Guestbook::page("User-agent: *\nDisallow: /staff/\nCrawl-delay: 0.25\n")},
       {"/", Guestbook::page("<p>Text.</p><a href=/staff/list><a href=/open>")},
       {"/open", Guestbook::page("<p>Open.</p>")}}};
  milliseconds delay{0};
  Bounds bounds;
  bounds.crawl_delay = [&](milliseconds asked) { delay = asked; };
  const Scrape scrape = site.crawled(bounds);
  EXPECT_THAT(site.asked, ElementsAre("/robots.txt", "/", "/open"));
  EXPECT_THAT(scrape.notes, ElementsAre("robots.txt keeps 1 path out: /staff/list."));
  EXPECT_EQ(delay, milliseconds{250});
}

TEST(Polite, ASiteThatKeepsUsOutIsAnErrorAndIsNotRead) {
  Guestbook site{{{"/robots.txt", Guestbook::page("User-agent: resumable-research\nDisallow: /\n")},
                  {"/", Guestbook::page("<p>Text.</p>")}}};
  EXPECT_THROW(static_cast<void>(site.crawled()), std::runtime_error);
  EXPECT_THAT(site.asked, ElementsAre("/robots.txt"));
}

TEST(Polite, RedirectsAreFollowedOnTheSiteAndNotBeyondIt) {
  Guestbook site{{{"/", Guestbook::moved("/en/")},
                  {"/en/", Guestbook::page("<title>Home</title><p>Text.</p><a href=/old>"
                                           "<a href=/away><a href=/round><a href=/1>")},
                  {"/old", Guestbook::moved("new?x=1")},
                  {"/new?x=1", Guestbook::page("<p>New.</p>")},
                  {"/away", Guestbook::moved("https://elsewhere.example/x")},
                  {"/round", Guestbook::moved("/round2")},
                  {"/round2", Guestbook::moved("/round")}}};
  for (int i = 1; i < 9; ++i) {
    site.answers["/" + std::to_string(i)] = Guestbook::moved("/" + std::to_string(i + 1));
  }
  const Scrape scrape = site.crawled();
  EXPECT_EQ(scrape.title, "Home");
  ASSERT_EQ(scrape.pages.size(), 2U);
  EXPECT_EQ(scrape.pages[1].path, "/new?x=1");
  EXPECT_THAT(scrape.notes, ElementsAre("/away redirects to another site, "
                                        "https://elsewhere.example/x: it was not followed.",
                                        "/6 redirects once too often: it was not followed."));
  EXPECT_THAT(site.asked, Not(Contains("/7")));
  site.answers["/"] = Guestbook::moved("https://elsewhere.example/");
  EXPECT_THROW(static_cast<void>(site.crawled()), std::runtime_error);
}

TEST(Polite, WhenTheTimeIsOverWhatWasFoundIsAllAndThatIsTold) {
  Guestbook site{{{"/", Guestbook::page("<p>Text.</p><a href=/a><a href=/b><a href=/c>")},
                  {"/a", Guestbook::page("<p>A.</p>")}}};
  int left = 2;
  Bounds bounds;
  bounds.out_of_time = [&] { return left-- == 0; };
  const Scrape scrape = site.crawled(bounds);
  EXPECT_EQ(scrape.pages.size(), 2U);
  EXPECT_THAT(scrape.notes, ElementsAre("The time for reading the site was over: 2 paths not "
                                        "read, of those that were found."));
}

TEST(Polite, APageThatTheServerFailsToAnswerIsLeftOutUnlessItIsTheFirst) {
  Guestbook site{{{"/", Guestbook::page("<p>Text.</p><a href=/broken><a href=/open>")},
                  {"/broken", {500, "", ""}},
                  {"/open", Guestbook::page("<p>Open.</p><ul><li><a href=/>Home</a></ul>")}}};
  const Scrape scrape = site.crawled();
  ASSERT_EQ(scrape.pages.size(), 2U);
  EXPECT_EQ(scrape.pages[1].passages.size(), 1U) << "the name of another page says nothing";
  EXPECT_THAT(scrape.missing, ElementsAre("/broken"));
  EXPECT_THAT(scrape.notes, ElementsAre("The site could not answer for 1 path: /broken."));
  site.answers["/"].status = 500;
  EXPECT_THROW(static_cast<void>(site.crawled()), resumable::Retryable);
}

TEST(Fetch, TextIsReadInItsEncodingUpToALimitAndWhatIsNoTextIsLeftOut) {
  Loopback server{0};
  const auto answer = [&](const char* path, const std::string& body, const char* type) {
    server.http.Get(path, [=](const auto&, auto& out) { out.set_content(body, type); });
  };
  answer("/header", "Caf\xE9 \x80", "text/html; charset=ISO-8859-1");
  answer("/meta", "<meta charset='iso-8859-2'>\xB9koda", "text/html");
  answer("/long", std::string(100'000, 'x'), "text/html");
  answer("/image", "\x89PNG\xFF", "image/png");
  server.http.Get("/later", [](const auto&, auto& out) {
    out.status = 429;
    out.set_header("Retry-After", "7");
  });
  server.start();
  EXPECT_EQ(fetch(server.url(), "/header", {}).body, "Caf\u00E9 \u20AC");
  EXPECT_THAT(fetch(server.url(), "/meta", {}).body, HasSubstr("\u0161koda"));
  EXPECT_EQ(fetch(server.url(), "/image", {}).body, "");
  const Response cut = fetch(server.url(), "/long", {}, {.limit = 5000, .ca = {}});
  EXPECT_TRUE(cut.cut);
  EXPECT_EQ(cut.body.size(), 5000U);
  try {
    static_cast<void>(fetch(server.url(), "/later", {}));
    ADD_FAILURE();
  } catch (const rs::Retryable& error) {
    EXPECT_EQ(error.retry_after(), std::chrono::seconds{7});
  }
}

/// A certificate for 127.0.0.1 that signs itself, and its key, in two files.
void make_certificate(const std::filesystem::path& folder) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key{
      EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"), EVP_PKEY_free};
  const std::unique_ptr<X509, decltype(&X509_free)> cert{X509_new(), X509_free};
  X509_set_version(cert.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(cert.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(cert.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(cert.get()), 24 * 3600);
  X509_set_pubkey(cert.get(), key.get());
  X509_NAME* name = X509_get_subject_name(cert.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("127.0.0.1"), -1, -1, 0);
  X509_set_issuer_name(cert.get(), name);
  std::string host = "IP:127.0.0.1";
  X509_EXTENSION* address =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, host.data());
  X509_add_ext(cert.get(), address, -1);
  X509_EXTENSION_free(address);
  ASSERT_GT(X509_sign(cert.get(), key.get(), EVP_sha256()), 0);
  std::FILE* out = std::fopen((folder / "cert.pem").c_str(), "w");
  PEM_write_X509(out, cert.get());
  std::fclose(out);
  out = std::fopen((folder / "key.pem").c_str(), "w");
  PEM_write_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(out);
}

TEST(Fetch, HttpsIsReadWithACertificateThatIsTrustedAndNotWithoutIt) {
  const TempFolder folder;
  make_certificate(folder.path());
  const std::string cert = folder / "cert.pem";
  httplib::SSLServer server{cert.c_str(), (folder / "key.pem").c_str()};
  server.Get("/", [](const auto&, auto& out) { out.set_content("<p>Text.</p>", "text/html"); });
  const std::string url = fmt::format("https://127.0.0.1:{}", server.bind_to_any_port("127.0.0.1"));
  std::jthread serving{[&] { server.listen_after_bind(); }};
  while (!server.is_running()) std::this_thread::yield();
  EXPECT_TRUE(is_origin(url) && is_loopback(url) && !is_loopback("http://127.0.0.1.example"));
  EXPECT_EQ(fetch(url, "/", {}, {.ca = cert}).body, "<p>Text.</p>");
  try {
    static_cast<void>(fetch(url, "/", {}));
    ADD_FAILURE() << "not trusted";
  } catch (const rs::Retryable& error) {
    EXPECT_THAT(error.what(), HasSubstr(" to GET /: its certificate cannot be trusted"));
  }
  server.stop();
  EXPECT_THROW(static_cast<void>(fetch("https://127.0.0.1:1", "/", {})), rs::Retryable);
}

TEST_F(ResearchTest, OtherLimitsFetchNothingAgain) {
  ASSERT_EQ(run_until_saved("phase0_5"), killed);
  const Said said = go_on({"--max-pages", "20"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(read_file(report()), HasSubstr("The site has more than 20 paths"));
  expect_every_page_fetched_once();
}

TEST_F(ResearchTest, WhatWasLeftOutIsInTheReportAndInStatus) {
  const SiteServer site{Site{{{"/robots.txt", "User-agent: *\nDisallow: /staff\n"},
                              {"/",
                               "<title>Mill</title><p>The mill was built in 1712.</p>"
                               "<a href=/staff><a href=/a><a href=/b>"},
                              {"/a", "<title>Wheel</title><p>The mill's wheel turns.</p>"}}}};
  const Said said = research({"continue", "mill", "--site", site.url(), "--max-pages", "2"});
  EXPECT_EQ(said.code, 0) << said.err;
  for (const char* note : {"The site has more than 2 paths: the rest was not read.",
                           "robots.txt keeps 1 path out: /staff."}) {
    EXPECT_THAT(read_file(out() / "mill/report.md"), HasSubstr(note));
    EXPECT_THAT(research({"status", "mill"}).err, HasSubstr(note));
  }
  EXPECT_FALSE(site.requests().contains("/staff"));
}

struct Rule {
  const char* text;
  const char* path;
  bool allowed;
};

void check(std::initializer_list<Rule> rules) {
  for (const auto& [text, path, allowed] : rules) {
    EXPECT_EQ(Robots(text, crawler_name).allows(path), allowed) << path << " by\n" << text;
  }
}

TEST(Robots, WithoutRulesEverythingIsAllowed) {
  for (const char* text : {"", "User-agent: *\nDisallow:\n", "no rules\n", "\xEF\xBB\xBF",
                           "Disallow: /\n", "User-agent: other\nDisallow: /\n"}) {
    EXPECT_TRUE(Robots(text, crawler_name).allows("/x")) << text;
  }
}

TEST(Robots, TheGroupsThatNameUsCountAndElseTheOneForAll) {
  const char* ours =
      "User-agent: *\nDisallow: /\n\nUser-agent: a\nUser-agent: Resumable-Research/2.0\n"
      "Disallow: /x\n\nUser-agent: b\nDisallow: /z\n\nUser-agent: RESUMABLE-RESEARCH\nDisallow: "
      "/y\n";
  const char* all = "User-agent: *\nDisallow: /\n";
  check({{ours, "/x", false}, {ours, "/y", false}, {ours, "/z", true}});
  check({{all, "/y", false}, {all, "/robots.txt", true}});
}

TEST(Robots, TheLongestRuleDecidesAndOfEqualOnesTheOneThatAllows) {
  const char* text =
      "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /e\nDisallow: /e\n";
  check({{text, "/a", false}, {text, "/ab", false}, {text, "/a/b", true}});
  check({{text, "/a/b/c/d", false}, {text, "/e", true}, {text, "/", true}});
}

TEST(Robots, StarsStandForAnythingAndADollarForTheEnd) {
  const char* text =
      "User-agent: *\nDisallow: /*.pdf$\nDisallow: /p/*/q\nDisallow: *?print=\nDisallow: /end$\n";
  check({{text, "/a/b.pdf", false}, {text, "/a.pdf.pdf", false}, {text, "/a.pdfx", true}});
  check({{text, "/a.pdf?x", true}, {text, "/p/1/2/q/r", false}, {text, "/p/q", true}});
  check({{text, "/x?a=1&?print=1", false}, {text, "/end", false}, {text, "/ending", true}});
}

TEST(Robots, TwoSpellingsOfAPathAreOneButAnEncodedSlashIsNone) {
  const char* text = "User-agent: *\nDisallow: /caf\xC3\xA9\nDisallow: /%7Ejo/\nDisallow: /a%2Fb\n";
  check({{text, "/caf%c3%a9/menu", false}, {text, "/~jo/", false}, {text, "/%zz%", true}});
  check({{text, "/a%2fb", false}, {text, "/a/b", true}});
}

TEST(Robots, CommentsLineEndsAndCaseDoNotMatterAndADelayIsRead) {
  const Robots robots{"# all\r\nUSER-AGENT:*#us\rdisALLOW : /x # no\r\nCrawl-Delay: 2.5\r\n",
                      crawler_name};
  EXPECT_FALSE(robots.allows("/x"));
  EXPECT_EQ(robots.delay(), milliseconds{2500});
  EXPECT_EQ(Robots("User-agent: *\nCrawl-delay: soon\n", crawler_name).delay(), std::nullopt);
  EXPECT_EQ(Robots("User-agent: *\nCrawl-delay: -1\n", crawler_name).delay(), std::nullopt);
  EXPECT_EQ(Robots("User-agent: *\nCrawl-delay: 1e99\n", crawler_name).delay(),
            milliseconds{86'400'000});
}

TEST(Site, AFolderOfHtmlFilesIsServedAtItsPathsWithAStartPage) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "a b");
  write_file(folder / "a b/x&y.html", "<p>X.</p><a href=\"..\">home</a><a href=\"../a%20b\">b</a>");
  write_file(folder / "a b/index.html", "<title>B</title><p>B.</p>");
  write_file(folder / "style.css", "p {}");
  const SiteServer server{load_site(folder.path())};
  const Scrape scrape =
      crawl(server.url(), [&](const std::string& path) { return fetch(server.url(), path, {}); });
  EXPECT_EQ(scrape.title, folder.path().filename().string());
  std::vector<std::string> paths;
  for (const Page& page : scrape.pages) paths.push_back(page.path);
  EXPECT_THAT(paths, UnorderedElementsAre("/a%20b/", "/a%20b/x%26y.html"));
}

}  // namespace
}  // namespace research::testing
