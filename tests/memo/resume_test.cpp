// The memo as a pipeline: killed at every stage, and between record and export.
#include "resumable/resume.hpp"

#include <csignal>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "memo/memo_run.hpp"
#include "memo/pipeline.hpp"
#include "resumable/file_store.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"

namespace memo::testing {
namespace {

namespace rs = resumable;
using resumable::test::ChildProcess;
using resumable::test::Ended;
using resumable::test::read_file;
using resumable::test::snapshot;
using resumable::test::TempFolder;

constexpr const char* run_id = "Aldermere-v0.0.1";

/// What people see of a run: everything but the library's own folder.
std::map<std::string, std::string> artifacts(const std::filesystem::path& store) {
  std::map<std::string, std::string> files;
  for (const auto& [path, content] : snapshot(store / run_id)) {
    if (path.rfind(".resumable", 0) != 0) files[path] = content;
  }
  return files;
}

const std::map<std::string, std::string>& uninterrupted() {
  static const auto files = [] {
    TempFolder folder;
    const MemoPipeline memo{made_settings()};
    rs::FileStore store{folder.path()};
    if (!rs::resume(memo.pipeline(), store, {.run = run_id})) std::abort();
    return artifacts(folder.path());
  }();
  return files;
}

using Place = std::pair<std::string, std::string>;  ///< stage, item

/// Notes bodies and commits in a file that outlives the process, then strikes.
class Killer final : public rs::Observer {
 public:
  Killer(std::filesystem::path log, std::string stage, rs::EventKind when, int skip)
      : log_(std::move(log)), stage_(std::move(stage)), when_(when), skip_(skip) {}

  void on_event(const rs::Event& event) override {
    const bool started = event.kind == rs::EventKind::item_started ||
                         (event.kind == rs::EventKind::stage_started && event.attempt > 0);
    // A commit of a step is none of the stage: its body runs again, and finds the step.
    const bool value = event.kind == rs::EventKind::committed && event.step.empty();
    if (value) {
      std::ofstream{log_, std::ios::app} << event.stage << '\t' << event.item << '\n';
    }
    const bool here =
        event.stage == stage_ && (when_ == rs::EventKind::committed ? value : started);
    if (here && skip_-- == 0) static_cast<void>(raise(SIGKILL));
  }

 private:
  std::filesystem::path log_;
  std::string stage_;
  rs::EventKind when_;
  int skip_;
};

/// Which bodies ran.
class Bodies final : public rs::Observer {
 public:
  void on_event(const rs::Event& event) override {
    const bool item = event.kind == rs::EventKind::item_started;
    if (item || (event.kind == rs::EventKind::stage_started && event.attempt > 0)) {
      ran.insert({event.stage, event.item});
    }
  }
  std::set<Place> ran;
};

std::set<Place> committed(const std::filesystem::path& log) {
  std::set<Place> places;
  std::ifstream lines{log};
  for (std::string line; std::getline(lines, line);) {
    const auto tab = line.find('\t');
    places.insert({line.substr(0, tab), line.substr(tab + 1)});
  }
  return places;
}

struct Blow {
  std::string stage;
  rs::EventKind when;
  int skip;  ///< items of the stage that come through before
};

void PrintTo(const Blow& blow, std::ostream* out) {
  *out << blow.stage << " at " << to_string(blow.when) << " " << blow.skip;
}

class KilledMemo : public ::testing::TestWithParam<Blow> {};

TEST_P(KilledMemo, ResumesToTheSameMemoWithoutDoingAnythingTwice) {
  TempFolder folder;
  const auto log = folder / "commits.log";
  ChildProcess child{[&] {
    const MemoPipeline memo{made_settings()};
    rs::FileStore store{folder / "store"};
    Killer killer{log, GetParam().stage, GetParam().when, GetParam().skip};
    return rs::resume(memo.pipeline(), store, {.run = run_id, .observers = {&killer}}).exit_code();
  }};
  ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));

  const MemoPipeline memo{Settings{}};  // nothing given: everything was recorded
  rs::FileStore store{folder / "store"};
  Bodies bodies;
  const rs::Report report =
      rs::resume(memo.pipeline(), store, {.run = run_id, .observers = {&bodies}});
  ASSERT_TRUE(report) << (report.error() ? report.error()->explain() : "");
  EXPECT_EQ(artifacts(folder / "store"), uninterrupted());
  const auto kept = committed(log);
  for (const Place& place : kept) {
    EXPECT_FALSE(bodies.ran.contains(place)) << place.first << "/" << place.second;
  }
  const bool struck_in_body = GetParam().when == rs::EventKind::stage_started;
  if (struck_in_body) {
    EXPECT_TRUE(std::any_of(bodies.ran.begin(), bodies.ran.end(),
                            [&](const Place& place) { return place.first == GetParam().stage; }));
  }
}

std::vector<Blow> blows() {
  std::vector<Blow> all;
  for (const std::string& stage : stages) {
    all.push_back({stage, rs::EventKind::stage_started, 0});
    all.push_back({stage, rs::EventKind::committed, 0});
  }
  all.push_back({"draft", rs::EventKind::stage_started, 7});
  all.push_back({"enrich_links", rs::EventKind::committed, 3});
  return all;
}

INSTANTIATE_TEST_SUITE_P(EveryStage, KilledMemo, ::testing::ValuesIn(blows()),
                         [](const auto& blow) {
                           return blow.param.stage + "_" + std::string{to_string(blow.param.when)} +
                                  "_" + std::to_string(blow.param.skip);
                         });

TEST(MemoPipeline, TwoUninterruptedRunsAreEqualByteForByte) {
  TempFolder folder;
  const MemoPipeline memo{made_settings()};
  rs::FileStore store{folder.path()};
  ASSERT_TRUE(rs::resume(memo.pipeline(), store, {.run = run_id, .concurrency = 4}));
  EXPECT_EQ(artifacts(folder.path()), uninterrupted());
}

}  // namespace
}  // namespace memo::testing
