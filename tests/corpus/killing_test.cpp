// The corpus is killed at fifty places of a queue that grows from 1 to 149 items.
#include <csignal>
#include <cstdio>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus_run.hpp"
#include "support/child_process.hpp"

namespace corpus::testing {
namespace {

using resumable::test::ChildProcess;
using resumable::test::Ended;

constexpr unsigned seed = 20261122;
constexpr int blows = 50;

/// EuroVoc at full length.
Settings full() {
  Settings settings = brief_settings();
  settings.section_words = Settings{}.section_words;
  return settings;
}

/// Notes commits where the writer notes questions, then strikes at an event.
class Killer final : public rs::Observer {
 public:
  Killer(const std::filesystem::path& file, int left) : journal_(file), left_(left) {}

  void on_event(const rs::Event& event) override {
    const bool value = event.kind == rs::EventKind::committed && event.step.empty();
    if (value && event.stage == "pieces") journal_.note("committed " + event.item);
    if (--left_ == 0) static_cast<void>(::raise(SIGKILL));
  }

 private:
  Journal journal_;
  int left_;
};

/// How often each section was written, and which of them again after its commit.
struct Writing {
  std::map<std::string, int> times;
  std::vector<std::string> again;

  explicit Writing(const std::vector<std::string>& lines) {
    std::set<std::string> committed;
    for (const std::string& line : lines) {
      const std::size_t space = line.find(' ');
      const std::string what = line.substr(0, space);
      const std::string key = line.substr(space + 1);
      if (what == "committed") committed.insert(key);
      if (what != "write") continue;
      ++times[key];
      if (committed.contains(key)) again.push_back(key);
    }
  }
};

const std::map<std::string, std::string>& uninterrupted() {
  static const auto files = [] {
    const TempFolder folder;
    Place place{folder};
    if (!place.generate(full())) std::abort();
    return place.files();
  }();
  return files;
}

TEST(Corpus, KilledAtFiftyRandomPlacesIsWrittenWithoutDoingAnythingTwice) {
  const auto& expected = uninterrupted();
  ASSERT_EQ(names_in(expected, "sections").size(), 128U);
  std::printf("seed %u\n", seed);
  std::mt19937 random{seed};
  int killed = 0;
  int corpora = 0;
  while (killed < blows) {
    const TempFolder folder;
    for (bool done = false; !done;) {
      // About six events per item: the blows fall between its start, commit and exports.
      const int left = static_cast<int>(1 + random() % 60);
      const unsigned concurrency = random() % 3 == 0 ? 4 : 1;
      const bool spare = killed >= blows;
      ChildProcess child([&] {
        Place place{folder};
        Killer killer{folder / "asked", spare ? -1 : left};
        return place.generate(full(), &killer, {.run = run_id, .concurrency = concurrency})
            .exit_code();
      });
      const Ended ended = child.wait();
      killed += ended.signal == SIGKILL ? 1 : 0;
      done = ended == Ended{0, 0};
      ASSERT_TRUE(done || ended.signal == SIGKILL) << "exit code " << ended.exit_code;
    }
    ++corpora;
    Place place{folder};
    const Writing writing{place.asked.lines()};
    EXPECT_EQ(writing.times.size(), 127U) << "every section is written";
    EXPECT_THAT(writing.again, ::testing::IsEmpty()) << "none again after its commit";
    EXPECT_EQ(place.files(), expected);
    EXPECT_EQ(place.store.owner(run_id), std::nullopt);
  }
  std::printf("%d blows, %d corpora\n", killed, corpora);
  EXPECT_EQ(killed, blows);
}

TEST(Corpus, GrowsFromOneItemTo149) {
  const TempFolder folder;
  Place place{folder};
  const rs::Report report = place.generate(brief_settings());
  ASSERT_TRUE(report);
  const auto items = report.items(place.generation->corpus().pieces());
  ASSERT_EQ(items.size(), 149U);
  std::size_t begun_by_nobody = 0;
  for (const rs::ItemReport& item : items) begun_by_nobody += item.parents.empty() ? 1U : 0U;
  EXPECT_EQ(begun_by_nobody, 1U);
  EXPECT_EQ(items[0].key, "_CONCEPT");
  EXPECT_THAT(items[1].parents, ::testing::ElementsAre("_CONCEPT"));
  EXPECT_THAT(items[148].parents, ::testing::ElementsAre("International_Organisations"));
}

TEST(Corpus, AtConcurrencyFourIsTheSameByteForByte) {
  const TempFolder folder;
  Place place{folder};
  ASSERT_TRUE(place.generate(full(), nullptr, {.run = run_id, .concurrency = 4}));
  EXPECT_EQ(place.files(), uninterrupted());
}

}  // namespace
}  // namespace corpus::testing
