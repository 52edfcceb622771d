// The conformance kit, one test per check, on top of each store.
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "encryption/sealed.hpp"
#include "resumable/testing/check_store.hpp"

namespace resumable::test {
namespace {

using Parameters = std::tuple<testing::StoreCheck, Below>;

class EncryptedContract : public ::testing::TestWithParam<Parameters> {};

TEST_P(EncryptedContract, IsKept) {
  const testing::StoreCheck check = std::get<0>(GetParam());
  const Below below = std::get<1>(GetParam());
  const TempFolder folder;
  std::map<std::string, std::shared_ptr<CheckpointStore>, std::less<>> in_memory;
  const auto open = [&](std::string_view place) -> std::shared_ptr<CheckpointStore> {
    auto store = encrypted(below, folder / std::string{place}, {}, {.plaintext_artifacts = true});
    if (below != Below::memory) return store;
    return in_memory.try_emplace(std::string{place}, std::move(store)).first->second;
  };
  const auto result =
      testing::run_store_check(check.name, open, {.survives_process = below != Below::memory});
  EXPECT_NE(result.verdict, testing::Verdict::broken) << result.detail;
  if (check.section == "cache" || check.section == "folders") {
    EXPECT_EQ(result.verdict == testing::Verdict::kept, below != Below::memory)
        << "what the next store lacks is not offered";
  }
  if (check.section == "work") {
    EXPECT_EQ(result.verdict, testing::Verdict::not_offered) << "names would be in the table";
  }
}

std::string name_of_test(const ::testing::TestParamInfo<Parameters>& test) {
  return std::string{std::get<0>(test.param).name} + "On" +
         std::string{name_of(std::get<1>(test.param))};
}

INSTANTIATE_TEST_SUITE_P(Store, EncryptedContract,
                         ::testing::Combine(::testing::ValuesIn(testing::store_checks().begin(),
                                                                testing::store_checks().end()),
                                            ::testing::Values(Below::memory, Below::files,
                                                              Below::journal)),
                         name_of_test);

}  // namespace
}  // namespace resumable::test
