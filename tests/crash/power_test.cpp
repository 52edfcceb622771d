// Power is lost before every change: of what was not synced nothing survives, or all, or any part.
// Nothing acknowledged is lost, and the next start finishes.
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crash/draft_run.hpp"
#include "store/scenario.hpp"
#include "support/memory_disk.hpp"
#include "support/power_loss.hpp"
#include "support/store_in.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* store_path = "/disk/store";

// ---- the store ---------------------------------------------------------------------------------

/// The scenario's steps on a disk: at least those that were acknowledged, at most those begun.
void expect_recovery(MemoryDisk& disk, int acknowledged, int begun, std::uint64_t at) {
  FileStore store{store_path, {.files = &disk}};
  const int found = steps_of(state_of(store));
  ASSERT_GE(found, acknowledged) << at;
  ASSERT_LE(found, begun) << at;
  go_on(store, [](int) {});
  ASSERT_EQ(steps_of(state_of(store)), scenario_steps) << at;
}

class PowerLossOfAStore : public ::testing::TestWithParam<std::tuple<bool, CrossRename>> {};

/// The parameters: the store has another run already, instead of being made; the disk.
TEST_P(PowerLossOfAStore, AtEveryChangeLosesNothingAcknowledged) {
  std::mt19937 random{20261122};
  std::size_t states = 0;
  const auto [with_a_run, cross] = GetParam();
  MemoryDisk disk{cross};
  int acknowledged = 0;
  if (with_a_run) static_cast<void>(FileStore{store_path, {.files = &disk}}.lease("other"));
  disk.on_change([&](std::uint64_t at) {
    if (::testing::Test::HasFatalFailure()) return;
    for (const auto& after : losses(disk, random, true)) {
      ++states;
      // And once more while it recovers, at some change.
      const std::uint64_t again_at = 1 + random() % 40;
      after->on_change([&, again_at](std::uint64_t change) {
        if (change != again_at) return;
        const auto twice = after->after_power_loss([&](std::size_t) { return random() % 2 == 0; });
        expect_recovery(*twice, acknowledged, scenario_steps, at);
      });
      expect_recovery(*after, acknowledged, acknowledged + 1, at);
      if (::testing::Test::HasFatalFailure()) return;
    }
  });
  FileStore store{store_path, {.files = &disk}};
  go_on(store, [&](int step) { acknowledged = step; });
  EXPECT_EQ(acknowledged, scenario_steps);
  EXPECT_GT(states, 500U);
  RecordProperty("states", static_cast<int>(states));
}

INSTANTIATE_TEST_SUITE_P(Stores, PowerLossOfAStore,
                         ::testing::Combine(::testing::Values(false, true),
                                            ::testing::Values(CrossRename::with_its_folder,
                                                              CrossRename::with_both_folders)),
                         [](const auto& test) {
                           const bool strict =
                               std::get<1>(test.param) == CrossRename::with_both_folders;
                           return std::string{std::get<0>(test.param) ? "WithARun" : "New"} +
                                  (strict ? "Strict" : "");
                         });

// ---- runs --------------------------------------------------------------------------------------

/// The run goes on after a loss: it finishes, leaves what an undisturbed one leaves, and runs
/// nothing whose commit was told.
void expect_finished(const DraftRun& run, In kind, MemoryDisk& disk, const Journal& journal,
                     const std::map<std::string, std::string>& expected, std::uint64_t at) {
  const auto store = open_store(kind, store_path, &disk);
  const Report report = run.run(*store, journal, &disk);
  ASSERT_EQ(report.exit_code(), 0) << at << (report.error() ? report.error()->explain() : "");
  ASSERT_EQ(disk.artifacts(std::string{store_path} + "/r1"), expected) << at;
  // With `data` the last commits may be lost.
  if (run.durability != Durability::data) {
    ASSERT_EQ(ran_twice(journal), "") << at;
  }
}

struct Loss {
  In kind = In::files;
  bool again = false;  ///< a finished run is made again with other words, instead of a new one
  Durability durability = Durability::full;
  CrossRename cross = CrossRename::with_its_folder;
};

class PowerLossOfARun : public ::testing::TestWithParam<Loss> {};

TEST_P(PowerLossOfARun, AtEveryChangeTheNextStartFinishesAndRunsNothingTwice) {
  const Loss loss = GetParam();
  const DraftRun wanted{.words = "one", .items = {"a"}, .durability = loss.durability};
  const auto expected = undisturbed(wanted);
  const TempFolder folder;
  MemoryDisk disk{loss.cross};
  if (loss.again) {
    const DraftRun before{.words = "zero", .items = {"a"}};
    const auto store = open_store(loss.kind, store_path, &disk);
    ASSERT_EQ(before.run(*store, Journal{folder / "before"}, &disk).exit_code(), 0);
  }
  std::mt19937 random{20261122};
  std::size_t states = 0;
  const Journal journal{folder / "journal"};
  disk.on_change([&](std::uint64_t at) {
    if (::testing::Test::HasFatalFailure()) return;
    for (const auto& after : losses(disk, random, false)) {
      ++states;
      const fs::path copy = folder / "copy";
      fs::remove(copy);
      if (fs::exists(folder / "journal")) fs::copy_file(folder / "journal", copy);
      expect_finished(wanted, loss.kind, *after, Journal{copy}, expected, at);
      if (::testing::Test::HasFatalFailure()) return;
    }
  });
  expect_finished(wanted, loss.kind, disk, journal, expected, 0);
  EXPECT_GT(states, 200U);
  RecordProperty("states", static_cast<int>(states));
}

std::vector<Loss> all_losses() {
  std::vector<Loss> all;
  for (const bool again : {false, true}) {
    for (const auto mode : {Durability::full, Durability::data, Durability::queued}) {
      all.push_back({In::files, again, mode, CrossRename::with_its_folder});
      all.push_back({In::files, again, mode, CrossRename::with_both_folders});
      all.push_back({In::journal, again, mode, CrossRename::with_both_folders});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Runs, PowerLossOfARun, ::testing::ValuesIn(all_losses()),
                         [](const auto& test) {
                           const Loss& loss = test.param;
                           return std::string{loss.again ? "MadeAgain" : "New"} +
                                  (loss.durability == Durability::full   ? ""
                                   : loss.durability == Durability::data ? "Data"
                                                                         : "Queued") +
                                  (loss.kind == In::journal ? "InAJournal" : "") +
                                  (loss.cross == CrossRename::with_both_folders ? "Strict" : "");
                         });

}  // namespace
}  // namespace resumable::test
