// A call that takes edits of an appended file over, gives them up, or writes the file again is
// broken at every change.
#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exports/appended_verbs.hpp"

namespace resumable::test {
namespace {

class BrokenAppendingCall : public ::testing::TestWithParam<std::tuple<NamedAppendingVerb, In>> {
 protected:
  BrokenAppendingCall() {
    const NamedAppendingVerb& of = std::get<0>(GetParam());
    EXPECT_EQ(verb_.file("numbers.txt"), of.numbers);
    EXPECT_EQ(verb_.file("sum.txt"), of.sum);
  }

  BrokenAppending verb_{std::get<0>(GetParam()).verb, std::get<1>(GetParam())};
};

class KilledAppending : public BrokenAppendingCall {};
class AppendingWithoutPower : public BrokenAppendingCall {};

TEST_P(KilledAppending, AtEveryChangeKeepsTheEditAndTheNextCallCompletes) {
  expect_survives_kills(verb_.broken(), 10);
}

TEST_P(AppendingWithoutPower, AtEveryChangeKeepsTheEditAndTheNextCallCompletes) {
  expect_survives_power_losses(verb_.broken(), 50);
}

std::string name_of(const std::tuple<NamedAppendingVerb, In>& of) {
  return std::string{std::get<0>(of).name} + (std::get<1>(of) == In::journal ? "InAJournal" : "");
}

INSTANTIATE_TEST_SUITE_P(Stores, KilledAppending,
                         ::testing::Combine(::testing::ValuesIn(all_appending_verbs()),
                                            ::testing::Values(In::files, In::journal)),
                         [](const auto& test) { return name_of(test.param); });

INSTANTIATE_TEST_SUITE_P(Stores, AppendingWithoutPower,
                         ::testing::Combine(::testing::ValuesIn(all_appending_verbs()),
                                            ::testing::Values(In::files, In::journal)),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace resumable::test
