// Accept, pin and ignore, broken at every change.
#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manage/choices.hpp"

namespace resumable::test {
namespace {

constexpr std::uint64_t changes = 10;  // at least, of each call
constexpr std::uint64_t losses = 50;

class KilledChoice : public ::testing::TestWithParam<std::tuple<NamedChoice, In>> {
 protected:
  static const NamedChoice& of() { return std::get<0>(GetParam()); }
  static BrokenChoice choice() {
    return {of().before, of().options, of().ran, std::get<1>(GetParam())};
  }
};

TEST_P(KilledChoice, AtEveryChangeStandsOnceTheSameCallIsMadeAgain) {
  BrokenChoice call = choice();
  EXPECT_THAT(call.plan(), ::testing::HasSubstr(of().plans));
  expect_survives_kills(call.broken(), changes);
}

TEST_P(KilledChoice, WithoutPowerAtEveryChangeStandsOnceTheSameCallIsMadeAgain) {
  BrokenChoice call = choice();
  expect_survives_power_losses(call.broken(), losses);
}

INSTANTIATE_TEST_SUITE_P(Choices, KilledChoice,
                         ::testing::Combine(::testing::ValuesIn(all_choices()),
                                            ::testing::Values(In::files, In::journal)),
                         [](const auto& test) {
                           const bool journal = std::get<1>(test.param) == In::journal;
                           return std::get<0>(test.param).name +
                                  std::string{journal ? "InAJournal" : ""};
                         });

}  // namespace
}  // namespace resumable::test
