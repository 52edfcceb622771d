/// @file
/// A run in each store, and a sample of its allocations.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "resumable/effect.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/resumable.hpp"
#include "resumable/sqlite_store.hpp"
#include "support/run_log.hpp"

namespace resumable::test {

using Opened = std::unique_ptr<CheckpointStore> (*)(const std::filesystem::path& folder);

inline std::unique_ptr<CheckpointStore> files(const std::filesystem::path& folder) {
  return std::make_unique<FileStore>(folder / "store");
}
inline std::unique_ptr<CheckpointStore> journal(const std::filesystem::path& folder) {
  return std::make_unique<JournalStore>(folder / "store");
}
inline std::unique_ptr<CheckpointStore> sqlite(const std::filesystem::path& folder) {
  return std::make_unique<SqliteStore>(folder / "store.db");
}

struct Host {
  const char* name;
  Opened open;
  Durability durability = Durability::full;
  unsigned concurrency = 1;
};

inline void PrintTo(const Host& host, std::ostream* out) { *out << host.name; }

/// Five stages: a list, items with steps, a loop and a history, an effect, a sum; with artifacts
/// and a time limit.
inline Pipeline five_stages(const Journal& log) {
  Pipeline p{"five"};
  const auto words = p.input("words", std::vector<std::string>{"a", "b", "c", "d"});
  const auto list = p.stage("list", inputs(words), [=](const std::vector<std::string>& all) {
    log.note("run list");
    return all;
  });
  const auto items = p.stage({.name = "items", .timeout = std::chrono::hours{1}},
                             inputs(each(list)), [=](Context& ctx, const std::string& word) {
                               log.note("run items/" + word);
                               return Text{ctx.step("twice", [&] { return word + word + "\n"; })};
                             });
  const auto loop =
      p.stage("loop", inputs(list), [=](Context& ctx, const std::vector<std::string>&) {
        log.note("run loop");
        auto turns = ctx.history<std::string>();
        while (turns.size() < 3) {
          turns.push_back("turn");
          turns.safepoint();
        }
        return turns.size();
      });
  const auto sent = p.stage("sent", inputs(loop), [=](Context& ctx, std::size_t turns) {
    log.note("run sent");
    return ctx.effect(
        "send", with(turns), [&](const std::string&) { return turns; },
        [](const std::string&) { return Verified<std::size_t>::did_not_happen(); });
  });
  const auto sum =
      p.stage("sum", inputs(items, sent), [=](const std::vector<Text>& all, std::size_t turns) {
        log.note("run sum");
        std::string text = std::to_string(turns) + "\n";
        for (const Text& one : all) text += one.text;
        return Text{text};
      });
  p.artifact(items, "items/{item}.md");
  p.artifact(sum, "sum.md");
  return p;
}

/// One in so many, by a printed seed; all with RESUMABLE_TEST_SOAK.
class Allocations {
 public:
  explicit Allocations(int one_in) : seed_(std::random_device{}()), random_(seed_) {
    const char* every = std::getenv("RESUMABLE_TEST_EVERY");
    one_in_ = every != nullptr ? std::atoi(every) : one_in;
    if (std::getenv("RESUMABLE_TEST_SOAK") != nullptr) one_in_ = 1;
    std::cout << "seed " << seed_ << '\n';
  }
  /// How far to go to the next one.
  long step() { return std::uniform_int_distribution<long>{1, 2 * one_in_ - 1}(random_); }

 private:
  unsigned seed_;
  std::mt19937 random_;
  int one_in_ = 1;
};

}  // namespace resumable::test
