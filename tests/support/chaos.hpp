/// @file
/// Workers and owners of one run that are killed and suspended at random, for every store whose
/// work processes can share.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "run/run_support.hpp"
#include "support/child_process.hpp"

namespace resumable::test {

/// In scripts/soak.sh: more items, and more seeds.
[[nodiscard]] inline bool is_soak() { return std::getenv("RESUMABLE_TEST_SOAK") != nullptr; }

/// A queue: each item of the first generation enqueues three, which enqueue nothing. Each item has
/// a step, and what they make is appended to a file.
struct Flood {
  Flood(std::size_t roots, std::chrono::milliseconds work) {
    Strings names;
    for (std::size_t i = 0; i < roots; ++i) names.push_back("r" + std::to_string(i));
    const auto list = pipeline.input("list", names);
    items.emplace(
        pipeline.queue("items", inputs(each(list)), [=](Context& ctx, const std::string& name) {
          const auto text = ctx.step("text", [&] { return "of " + name; });
          if (name.find('.') == name.npos) {
            for (int i = 0; i < 3; ++i) ctx.enqueue(name + "." + std::to_string(i));
          }
          std::this_thread::sleep_for(work);  // what takes time
          return text;
        }));
    pipeline.append(*items, "all.txt", [](const std::string& text) { return text + "\n"; });
    whole.emplace(pipeline.stage("whole", inputs(*items), [](const Strings& all) {
      std::string text;
      for (const std::string& one : all) text += one + ";";
      return text;
    }));
  }
  Pipeline pipeline{"flood"};
  std::optional<FanOut<std::string>> items;
  std::optional<Stage<std::string>> whole;
};

class Chaos {
 public:
  using Open = std::function<std::unique_ptr<CheckpointStore>()>;
  /// What else may happen, `weight` times in 10 blows to processes.
  struct Blow {
    std::string name;
    unsigned weight = 1;
    std::function<void()> deal;
  };

  Chaos(Open open, std::size_t roots, std::size_t workers, unsigned seed)
      : open_(std::move(open)), roots_(roots), random_(seed) {
    for (std::size_t i = 0; i < workers; ++i) workers_.push_back(worker());
    owner_ = owner();
  }

  /// Deals a blow after a pause of up to 60 ms and more, until the run is done.
  void run(const std::vector<Blow>& others) {
    unsigned weights = 10;
    for (const Blow& one : others) weights += one.weight;
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{10};
    while (std::chrono::steady_clock::now() < end) {
      const auto state = run_state(*open_(), "r");
      if (state == RunState::done) break;
      if (state == RunState::failed) {  // an item has lost its workers three times
        owner_->wait();
        owner_ = owner();
      }
      std::this_thread::sleep_for(milliseconds{30 + random_() % 60});
      auto blow = static_cast<unsigned>(random_() % weights);
      if (blow < 10) {
        hit_a_process(blow);
        continue;
      }
      blow -= 10;
      std::size_t which = 0;
      for (; blow >= others[which].weight; ++which) blow -= others[which].weight;
      others[which].deal();
      ++dealt_[others[which].name];
    }
    owner_->wait();
    for (const auto& one : workers_) {
      one->kill(SIGTERM);
      EXPECT_EQ(one->wait(), (Ended{.exit_code = 0}));
    }
    for (const auto& [name, count] : dealt_) std::printf("%zu %s, ", count, name.c_str());
    std::printf("%d claims lost by workers that lived to tell\n", tally_.of("lost"));
  }

  /// Each value is there once, and the result is what one process makes.
  void expect_whole() const {
    const auto store = open_();
    const Flood flood{roots_, milliseconds{0}};
    ASSERT_EQ(run_state(*store, "r"), RunState::done);
    std::size_t values = 0;
    store->scan("r", {.prefix = "items/"}, [&](const RecordHead& found) {
      EXPECT_EQ(found.id.generation, 1U) << found.id.path;
      EXPECT_EQ(found.damage, Damage::none);
      ++values;
      return true;
    });
    EXPECT_EQ(values, 4 * roots_);
    MemoryStore alone;
    const Report expected = resume(flood.pipeline, alone, options("alone", false));
    const Report report = resume(flood.pipeline, *store, options("files", false));
    EXPECT_EQ(report.outcome(), Outcome::done);
    EXPECT_EQ(report[*flood.whole], expected[*flood.whole]);
    EXPECT_EQ(read_file(folder_ / "files/all.txt"), read_file(folder_ / "alone/all.txt"));
    EXPECT_TRUE(store->capability<WorkQueue>()->work("r").empty());
  }

 private:
  using milliseconds = std::chrono::milliseconds;
  static constexpr milliseconds ttl{400};

  [[nodiscard]] ResumeOptions options(const char* files, bool share) const {
    return {.run = "r", .share = share, .artifact_folder = folder_ / files};
  }
  [[nodiscard]] std::unique_ptr<ChildProcess> owner() const {
    return std::make_unique<ChildProcess>([this] {
      const auto store = open_();
      const Flood flood{roots_, milliseconds{5}};
      return resume(flood.pipeline, *store, options("files", true)).exit_code();
    });
  }
  [[nodiscard]] std::unique_ptr<ChildProcess> worker() const {
    return std::make_unique<ChildProcess>([this] {
      const StopOnSignal signals{SIGTERM};
      const auto store = open_();
      const Flood flood{roots_, milliseconds{5}};
      const WorkReport report =
          work(flood.pipeline, *store, {.slots = 2, .stop = signals.stop(), .ttl = ttl});
      for (std::size_t i = 0; i < report.lost; ++i) tally_("lost");
      return 0;
    });
  }
  void hit_a_process(unsigned blow) {
    auto& one = workers_[random_() % workers_.size()];
    if (blow < 6) {
      one->kill(SIGKILL);
      one->wait();
      one = worker();
      ++dealt_["killed"];
    } else if (blow < 9) {
      one->kill(SIGSTOP);
      std::this_thread::sleep_for(2 * ttl);
      one->kill(SIGCONT);
      ++dealt_["suspended"];
    } else {
      owner_->kill(SIGKILL);
      owner_->wait();
      owner_ = owner();
      ++dealt_["owners killed"];
    }
  }

  Open open_;
  std::size_t roots_;
  std::mt19937_64 random_;
  TempFolder folder_;
  Tally tally_{folder_ / "tally"};
  std::deque<std::unique_ptr<ChildProcess>> workers_;
  std::unique_ptr<ChildProcess> owner_;
  std::map<std::string, std::size_t> dealt_;
};

}  // namespace resumable::test
