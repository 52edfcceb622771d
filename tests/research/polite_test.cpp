// Reading a site as a guest: its rules, its redirects, its limits and ours.
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
#include "resumable/context.hpp"

namespace research::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(Polite, OnlyThisMachineIsAskedWithoutAPause) {
  for (const char* here : {"http://127.0.0.1:80", "https://localhost", "http://[::1]:8080"}) {
    EXPECT_TRUE(is_loopback(here)) << here;
  }
  for (const char* away : {"http://localhost.example", "http://127.0.0.1.example", "https://h"}) {
    EXPECT_FALSE(is_loopback(away)) << away;
  }
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
  const auto write = [&](const char* file, const auto& put) {
    std::FILE* out = std::fopen((folder / file).c_str(), "w");
    ASSERT_NE(out, nullptr);
    put(out);
    std::fclose(out);
  };
  write("cert.pem", [&](std::FILE* out) { PEM_write_X509(out, cert.get()); });
  write("key.pem", [&](std::FILE* out) {
    PEM_write_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
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
  EXPECT_TRUE(is_origin(url));
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

}  // namespace
}  // namespace research::testing
