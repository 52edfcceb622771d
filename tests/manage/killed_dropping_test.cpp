// A value that is dropped after use, or made again, broken at every change: the value is whole or
// the drop is, and nothing runs again that was committed.
#include <set>
#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manage/broken.hpp"
#include "manage/dropped_run.hpp"
#include "resumable/manage.hpp"
#include "survey/records.hpp"

namespace resumable::test {
namespace {

/// A call, what there is before it, and what the same call may run after it was broken.
struct Dropped {
  const char* name;
  std::uint32_t former;  ///< revision of `next` in the call before; 0: there is none
  Keep before;           ///< in that call
  std::set<std::string> may_run;
};

void PrintTo(const Dropped& dropped, std::ostream* out) { *out << dropped.name; }

class KilledDrop : public ::testing::TestWithParam<std::tuple<Dropped, In>> {
 protected:
  static const Dropped& of() { return std::get<0>(GetParam()); }

  Broken broken() {
    return {.prepare =
                [](const Stores& stores) {
                  if (of().former == 0) return;
                  DroppedRun run{.revision = of().former, .keep = of().before, .size = 100};
                  run.run(*stores.open("s"), "r", {}, &stores.files());
                },
            .call = [this](const Stores& stores) { ran_ = call(stores); },
            .check_after_break =
                [](const Stores& stores) {
                  const auto store = stores.open("s");
                  EXPECT_TRUE(!exists(*store) || verify_run(*store, "r").ok());
                  EXPECT_TRUE(of().former == 0 || DroppedRun::result(*store) == "sea!");
                },
            .check_when_done =
                [this](const Stores& stores) {
                  EXPECT_THAT(of().may_run, ::testing::Contains(ran_));
                  const auto store = stores.open("s");
                  EXPECT_TRUE(verify_run(*store, "r").ok());
                  EXPECT_EQ(DroppedRun::result(*store), "sea!");
                  const auto raw = survey::records(*store, "r", survey::Depth::heads, "raw");
                  EXPECT_EQ(raw.size(), 1U);
                  EXPECT_TRUE(raw.back().dropped);
                  EXPECT_EQ(call(stores), "");
                },
            .in = std::get<1>(GetParam())};
  }

 private:
  static bool exists(const CheckpointStore& store) {
    bool found = false;
    store.runs("", [&](std::string_view) { return !(found = true); });
    return found;
  }
  static std::string call(const Stores& stores) {
    DroppedRun run{.size = 100};
    if (of().former != 0 && of().before == Keep::until_used) run.revision = of().former + 1;
    return run.run(*stores.open("s"), "r", {}, &stores.files());
  }
  std::string ran_;
};

TEST_P(KilledDrop, AtEveryChangeLeavesTheValueOrTheDrop) { expect_survives_kills(broken(), 10); }

TEST_P(KilledDrop, WithoutPowerAtEveryChangeLeavesTheValueOrTheDrop) {
  expect_survives_power_losses(broken(), 50);
}

INSTANTIATE_TEST_SUITE_P(
    Calls, KilledDrop,
    ::testing::Combine(
        ::testing::Values(Dropped{"Drops", 1, Keep::always, {""}},
                          Dropped{"MakesAndDrops", 0, Keep::until_used, {"next, raw", "next", ""}},
                          Dropped{"MakesAgain", 1, Keep::until_used, {"next, raw", "next", ""}}),
        ::testing::Values(In::files, In::journal)),
    [](const auto& test) {
      return std::string{std::get<0>(test.param).name} +
             (std::get<1>(test.param) == In::journal ? "InAJournal" : "");
    });

}  // namespace
}  // namespace resumable::test
