// A call that takes a person's edit over, gives it up or replaces it is broken at every change.
// What the person wrote is in the file or in .resumable/removed, nothing committed is lost, and the
// same call again ends as an uninterrupted one.
#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "exports/verbs.hpp"

namespace resumable::test {
namespace {

constexpr std::uint64_t changes = 20;  // at least, of each call
constexpr std::uint64_t losses = 100;

class BrokenCall : public ::testing::TestWithParam<std::tuple<NamedVerb, In>> {
 protected:
  BrokenCall() { expect_undisturbed(std::get<0>(GetParam()), verb_); }

  BrokenVerb verb_{std::get<0>(GetParam()).verb, std::get<1>(GetParam())};
};

class KilledVerb : public BrokenCall {};
class VerbWithoutPower : public BrokenCall {};

TEST_P(KilledVerb, AtEveryChangeKeepsTheEditAndTheNextCallCompletes) {
  expect_survives_kills(verb_.broken(), changes);
}

TEST_P(VerbWithoutPower, AtEveryChangeKeepsTheEditAndTheNextCallCompletes) {
  expect_survives_power_losses(verb_.broken(), losses);
}

std::string name_of(const std::tuple<NamedVerb, In>& of) {
  return std::string{std::get<0>(of).name} + (std::get<1>(of) == In::journal ? "InAJournal" : "");
}

INSTANTIATE_TEST_SUITE_P(Stores, KilledVerb,
                         ::testing::Combine(::testing::ValuesIn(verbs_of_durable_edits()),
                                            ::testing::Values(In::files, In::journal)),
                         [](const auto& test) { return name_of(test.param); });

INSTANTIATE_TEST_SUITE_P(Stores, VerbWithoutPower,
                         ::testing::Combine(::testing::ValuesIn(all_verbs()),
                                            ::testing::Values(In::files, In::journal)),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace resumable::test
