/// @file
/// Sessions for tests: a site that counts, the program in process, and a child that is killed.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "research/commands.hpp"
#include "research/pipeline.hpp"
#include "research/site_server.hpp"
#include "resumable/file_store.hpp"
#include "resumable/resume.hpp"
#include "support/child_process.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace research::testing {

namespace rs = resumable;
using resumable::test::ChildProcess;
using resumable::test::Ended;
using resumable::test::read_file;
using resumable::test::snapshot;
using resumable::test::TempFolder;

inline const std::filesystem::path pages =
    resumable::test::source_folder() / "examples/data/research";
inline constexpr const char* batch = "20251117_072443";
inline const Ended killed{-1, SIGKILL};

/// Calls back at every event of a run.
class Watch final : public rs::Observer {
 public:
  explicit Watch(std::function<void(const rs::Event&)> call) : call_(std::move(call)) {}
  void on_event(const rs::Event& event) override { call_(event); }

 private:
  std::function<void(const rs::Event&)> call_;
};

/// What the program said.
struct Said {
  int code = -1;
  std::string out;
  std::string err;
};

/// A store below a folder of the test's own, and the site that its sessions scrape.
class ResearchTest : public ::testing::Test {
 protected:
  std::filesystem::path out() const { return folder / "out"; }
  std::filesystem::path report() const { return out() / batch / "report.md"; }
  std::filesystem::path view() const {
    return out() / "sessions" / ("session_" + std::string{batch} + ".json");
  }

  /// The program, in process.
  Said research(std::vector<std::string> words) const {
    words.insert(words.begin(), "research");
    words.insert(words.end(), {"--out", out().string()});
    std::vector<const char*> argv;
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream said;
    std::ostringstream talk;
    rs::cli::Console console{said, talk};
    const int code = command(static_cast<int>(argv.size()), argv.data(), console);
    return {code, said.str(), talk.str()};
  }

  Said go_on(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"continue", batch});
    return research(std::move(more));
  }
  Said begin() const { return go_on({"--site", server.url()}); }

  Settings settings() const { return settings(server.url()); }
  static Settings settings(const std::string& site) {
    Settings all;
    all.batch = batch;
    all.created = "2025-11-17T15:24:44Z";
    all.topic = "";
    all.site = site;
    all.provider = "quote";
    all.limits = Limits{};
    return all;
  }

  /// A session of the batch in a child that kills itself, with SIGKILL, at the first event for
  /// which `strike` gives true.
  Ended run_until(const std::function<bool(const rs::Event&)>& strike,
                  const std::string& session = batch) const {
    ChildProcess child{[&] {
      const ResearchPipeline pipeline{settings()};
      rs::FileStore store{out()};
      Watch watch{[&](const rs::Event& event) {
        if (strike(event)) static_cast<void>(raise(SIGKILL));
      }};
      return rs::resume(pipeline.pipeline(), store, {.run = session, .observers = {&watch}})
          .exit_code();
    }};
    return child.wait();
  }
  /// The same: killed when the value of a phase or step is durable.
  Ended run_until_saved(const std::string& stage, const std::string& item = "",
                        const std::string& session = batch) const {
    return run_until(
        [&](const rs::Event& event) {
          return event.kind == rs::EventKind::committed && event.stage == stage &&
                 event.item == item && event.step.empty();
        },
        session);
  }

  std::vector<std::string> sessions() const {
    std::vector<std::string> ids;
    rs::FileStore{out()}.runs("", [&](std::string_view id) {
      ids.emplace_back(id);
      return true;
    });
    return ids;
  }

  void expect_every_page_fetched_once() const {
    const auto requests = server.requests();
    EXPECT_EQ(requests.size(), 40U) << "38 pages, the start page and robots.txt";
    for (const auto& [path, count] : requests) EXPECT_EQ(count, 1U) << path;
  }

  /// report.md of a session that nothing interrupted.
  static const std::string& uninterrupted() {
    static const std::string text = [] {
      const TempFolder own;
      const SiteServer site{load_site(pages)};
      const ResearchPipeline pipeline{settings(site.url())};
      rs::FileStore store{own.path()};
      if (!rs::resume(pipeline.pipeline(), store, {.run = batch})) std::abort();
      return read_file(own / batch / "report.md");
    }();
    return text;
  }

  TempFolder folder;
  SiteServer server{load_site(pages)};
};

}  // namespace research::testing
