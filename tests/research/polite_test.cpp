// Reading a site as a guest: its rules, its redirects, its limits and ours, over real connections.
#include <memory>
#include <thread>

#include <httplib.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "model/retry_after.hpp"
#include "research/crawl.hpp"
#include "research/fetch.hpp"
#include "research/research_run.hpp"
#include "resumable/context.hpp"

namespace research::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A server with handlers of the test's own, which remembers what it was asked for.
class Guestbook {
 public:
  explicit Guestbook(std::unique_ptr<httplib::Server> server = std::make_unique<httplib::Server>())
      : server_{std::move(server)} {
    server_->set_keep_alive_max_count(1);
    server_->set_pre_routing_handler([this](const httplib::Request& request, httplib::Response&) {
      const std::scoped_lock lock{mutex_};
      asked_.push_back(request.path);
      return httplib::Server::HandlerResponse::Unhandled;
    });
    port_ = server_->bind_to_any_port("127.0.0.1");
  }
  ~Guestbook() {
    server_->stop();
    if (thread_.joinable()) thread_.join();
  }
  Guestbook(const Guestbook&) = delete;
  Guestbook& operator=(const Guestbook&) = delete;

  void page(const std::string& path, const std::string& html) {
    answer(path, [html](httplib::Response& out) { out.set_content(html, "text/html"); });
  }
  void answer(const std::string& path, const std::function<void(httplib::Response&)>& fill) {
    server_->Get(path, [fill](const httplib::Request&, httplib::Response& out) { fill(out); });
  }
  void redirect(const std::string& path, const std::string& target) {
    answer(path, [target](httplib::Response& out) { out.set_redirect(target); });
  }

  void start() {
    thread_ = std::thread{[this] { server_->listen_after_bind(); }};
    while (!server_->is_running()) std::this_thread::yield();
  }
  std::string url(const char* scheme = "http") const {
    return std::string{scheme} + "://127.0.0.1:" + std::to_string(port_);
  }
  std::vector<std::string> asked() const {
    const std::scoped_lock lock{mutex_};
    return asked_;
  }
  Scrape crawled(const Bounds& bounds = {}, const Fetching& how = {}) const {
    return crawl(
        url(), [&](const std::string& path) { return fetch(url(), path, {}, how); }, bounds);
  }

 private:
  std::unique_ptr<httplib::Server> server_;
  std::thread thread_;
  mutable std::mutex mutex_;
  std::vector<std::string> asked_;
  int port_ = 0;
};

TEST(Polite, RobotsIsAskedForFirstAndWhatItKeepsOutIsNotAskedFor) {
  Guestbook site;
  site.answer("/robots.txt", [](httplib::Response& out) {
    out.set_content("User-agent: *\nDisallow: /staff/\nCrawl-delay: 0.25\n", "text/plain");
  });
  site.page("/", "<title>T</title><p>Text.</p><a href=/staff/list><a href=/open>");
  site.page("/open", "<p>Open.</p>");
  site.page("/staff/list", "<p>Secret.</p>");
  site.start();
  milliseconds delay{0};
  Bounds bounds;
  bounds.crawl_delay = [&](milliseconds asked) { delay = asked; };
  const Scrape scrape = site.crawled(bounds);
  EXPECT_THAT(site.asked(), ElementsAre("/robots.txt", "/", "/open"));
  EXPECT_THAT(scrape.notes, ElementsAre("robots.txt keeps 1 path out: /staff/list."));
  EXPECT_EQ(delay, milliseconds{250});
}

TEST(Polite, ASiteThatKeepsUsOutIsAnErrorAndIsNotRead) {
  Guestbook site;
  site.answer("/robots.txt", [](httplib::Response& out) {
    out.set_content("User-agent: resumable-research\nDisallow: /\n", "text/plain");
  });
  site.page("/", "<p>Text.</p>");
  site.start();
  EXPECT_THROW(static_cast<void>(site.crawled()), std::runtime_error);
  EXPECT_THAT(site.asked(), ElementsAre("/robots.txt"));
}

TEST(Polite, RedirectsAreFollowedOnTheSiteAndNotBeyondIt) {
  Guestbook site;
  site.redirect("/", "/en/");
  site.page("/en/", "<title>Home</title><p>Text.</p><a href=/old><a href=/away><a href=/round>");
  site.redirect("/old", "new?x=1");
  site.page("/new", "<p>New.</p>");
  site.redirect("/away", "https://elsewhere.example/x");
  site.redirect("/round", "/round2");
  site.redirect("/round2", "/round");
  site.start();
  const Scrape scrape = site.crawled();
  EXPECT_EQ(scrape.title, "Home");
  ASSERT_EQ(scrape.pages.size(), 2U);
  EXPECT_EQ(scrape.pages[1].path, "/new?x=1");
  EXPECT_THAT(scrape.notes, ElementsAre("/away redirects to another site, "
                                        "https://elsewhere.example/x: it was not followed."));
}

TEST(Polite, AChainOfRedirectsEnds) {
  Guestbook site;
  site.page("/", "<p>Text.</p><a href=/1>");
  for (int i = 1; i < 9; ++i) {
    site.redirect("/" + std::to_string(i), "/" + std::to_string(i + 1));
  }
  site.start();
  const Scrape scrape = site.crawled();
  EXPECT_THAT(scrape.notes, ElementsAre("/6 redirects once too often: it was not followed."));
  EXPECT_THAT(site.asked(), Not(Contains("/7")));
}

TEST(Polite, OfALongPageTheBeginningIsReadAndThatIsTold) {
  Guestbook site;
  site.page("/", "<p>Begin.</p><p>" + std::string(100'000, 'x') + "</p><p>End.</p>");
  site.start();
  const Scrape scrape = site.crawled({}, {.limit = 5000, .ca = {}});
  ASSERT_EQ(scrape.pages.size(), 1U);
  EXPECT_EQ(scrape.pages[0].passages.front().text, "Begin.");
  EXPECT_LE(scrape.pages[0].passages.back().text.size(), 5000U);
  EXPECT_THAT(scrape.notes,
              ElementsAre("Only the beginning was read of 1 page, too large for the limit: /."));
}

TEST(Polite, WhenTheTimeIsOverWhatWasFoundIsAllAndThatIsTold) {
  Guestbook site;
  site.page("/", "<p>Text.</p><a href=/a><a href=/b><a href=/c>");
  site.page("/a", "<p>A.</p>");
  site.start();
  int left = 2;
  Bounds bounds;
  bounds.out_of_time = [&] { return left-- == 0; };
  const Scrape scrape = site.crawled(bounds);
  EXPECT_EQ(scrape.pages.size(), 2U);
  EXPECT_THAT(scrape.notes,
              ElementsAre("The time for reading the site was over: 2 paths not read, of those that "
                          "were found."));
}

TEST(Polite, APageThatTheServerFailsToAnswerIsLeftOutAndNamed) {
  Guestbook site;
  site.page("/", "<title>T</title><p>Text.</p><a href=/broken><a href=/open>");
  site.answer("/broken", [](httplib::Response& out) { out.status = 500; });
  site.page("/open", "<p>Open.</p>");
  site.start();
  const Scrape scrape = site.crawled();
  EXPECT_EQ(scrape.pages.size(), 2U);
  EXPECT_THAT(scrape.missing, ElementsAre("/broken"));
  EXPECT_THAT(scrape.notes, ElementsAre("The site could not answer for 1 path: /broken."));
}

TEST(Polite, PagesOfOtherEncodingsAreReadAndWhatIsNoTextIsLeftOut) {
  Guestbook site;
  site.page("/",
            "<title>T</title><p>Text.</p><a href=/header><a href=/meta><a href=/none>"
            "<a href=/wrong><a href=/image>");
  const auto send = [&](const char* path, const char* body, const char* type) {
    site.answer(path, [=](httplib::Response& out) { out.set_content(body, type); });
  };
  send("/header", "<p>Caf\xE9 12 \x80</p>", "text/html; charset=ISO-8859-1");
  send("/meta", "<meta charset='iso-8859-2'><p>\xB9koda</p>", "text/html");
  send("/none", "<p>Caf\xE9</p>", "text/html");
  send("/wrong", "<p>Caf\xE9 \xC3\xA9</p>", "text/html; charset=utf-8");
  send("/image", "\x89PNG\xFF", "image/png");
  site.start();
  const Scrape scrape = site.crawled();
  std::vector<std::string> texts;
  for (const Page& page : scrape.pages) texts.push_back(page.passages.at(0).text);
  EXPECT_THAT(texts, ElementsAre("Text.", "Caf\u00E9 12 \u20AC", "\u0161koda", "Caf\u00E9",
                                 "Caf\uFFFD \u00E9"));
  EXPECT_THAT(scrape.missing, ElementsAre("/image"));
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

TEST(Polite, HttpsIsReadWithACertificateThatIsTrustedAndNotWithoutIt) {
  const TempFolder folder;
  make_certificate(folder.path());
  const std::string cert = folder / "cert.pem";
  const std::string key = folder / "key.pem";
  Guestbook site{std::make_unique<httplib::SSLServer>(cert.c_str(), key.c_str())};
  site.page("/", "<p>Text.</p>");
  site.start();
  const std::string url = site.url("https");
  EXPECT_TRUE(is_origin(url));
  EXPECT_EQ(fetch(url, "/", {}, {.ca = cert}).body, "<p>Text.</p>");
  try {
    static_cast<void>(fetch(url, "/", {}));
    ADD_FAILURE() << "not trusted";
  } catch (const rs::Retryable& error) {
    EXPECT_THAT(error.what(), HasSubstr(" to GET /: its certificate cannot be trusted"));
  }
  try {
    static_cast<void>(fetch("https://127.0.0.1:1", "/robots.txt", {}));
    ADD_FAILURE() << "nobody is there";
  } catch (const rs::Retryable& error) {
    EXPECT_STREQ(error.what(),
                 "no answer from https://127.0.0.1:1 to GET /robots.txt: nothing listens there, or "
                 "it does not accept");
  }
}

using PoliteSession = ResearchTest;

TEST_F(PoliteSession, ASiteThatAsksForLongerPausesThanThereIsTimeIsNotWaitedFor) {
  Guestbook site;
  site.answer("/robots.txt", [](httplib::Response& out) {
    out.set_content("User-agent: *\nCrawl-delay: 3600\n", "text/plain");
  });
  site.page("/", "<p>Text.</p>");
  site.start();
  const Said said = research({"continue", "slow", "--site", site.url(), "--max-time", "60"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, HasSubstr("is over before its start page"));
  EXPECT_THAT(site.asked(), ElementsAre("/robots.txt"));
}

TEST_F(PoliteSession, OtherLimitsFetchNothingAgain) {
  ASSERT_EQ(run_until_saved("phase0_5"), killed);
  const Said said = go_on({"--max-pages", "20"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(read_file(report()), HasSubstr("The site has more than 20 paths"));
  expect_every_page_fetched_once();
}

TEST_F(PoliteSession, WhatWasLeftOutIsInTheReportAndInStatus) {
  Guestbook site;
  site.answer("/robots.txt", [](httplib::Response& out) {
    out.set_content("User-agent: *\nDisallow: /staff\n", "text/plain");
  });
  site.page("/",
            "<title>Mill</title><p>The mill was built in 1712 of grey stone.</p>"
            "<p>Its wheel was 4 metres wide, and the mill ground 12 sacks a day.</p>"
            "<a href=/staff><a href=/a><a href=/b>");
  site.page("/a", "<title>Mill wheel</title><p>The mill's wheel turns eight times a minute.</p>");
  site.start();
  const Said said = research({"continue", "mill", "--site", site.url(), "--max-pages", "2"});
  EXPECT_EQ(said.code, 0) << said.err;
  const std::string text = read_file(out() / "mill/report.md");
  for (const char* note : {"The site has more than 2 paths: the rest was not read.",
                           "robots.txt keeps 1 path out: /staff."}) {
    EXPECT_THAT(text, HasSubstr(note));
    EXPECT_THAT(research({"status", "mill"}).err, HasSubstr(note));
  }
  EXPECT_THAT(site.asked(), Not(Contains("/staff")));
  EXPECT_EQ(research({"continue", "x", "--site", site.url(), "--max-pages", "0"}).code, 2);
}

}  // namespace
}  // namespace research::testing
