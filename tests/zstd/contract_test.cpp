// The conformance kit, one test per check, on top of each store and of encrypted ones.
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "resumable/testing/check_store.hpp"
#include "zstd/compressed.hpp"

namespace resumable::test {
namespace {

using Parameters = std::tuple<testing::StoreCheck, std::string>;

class CompressedContract : public ::testing::TestWithParam<Parameters> {};

TEST_P(CompressedContract, IsKept) {
  const testing::StoreCheck check = std::get<0>(GetParam());
  const std::string& below = std::get<1>(GetParam());
  const bool on_disk = below != "memory";
  const TempFolder folder;
  std::map<std::string, std::shared_ptr<CheckpointStore>, std::less<>> in_memory;
  const auto open = [&](std::string_view place) -> std::shared_ptr<CheckpointStore> {
    auto store = compressed(below, folder / std::string{place}, {.least_bytes = 1});
    if (on_disk) return store;
    return in_memory.try_emplace(std::string{place}, std::move(store)).first->second;
  };
  const auto result = testing::run_store_check(check.name, open, {.survives_process = on_disk});
  EXPECT_NE(result.verdict, testing::Verdict::broken) << result.detail;
  const bool artifacts = below == "file" || below == "journal";
  if (check.section == "folders" || check.section == "cache") {
    const bool offered = check.section == "cache" ? on_disk : artifacts;
    EXPECT_EQ(result.verdict == testing::Verdict::kept, offered);
  }
  if (check.section == "work") {
    EXPECT_EQ(result.verdict == testing::Verdict::kept, below == "memory");
  }
}

std::string name_of_test(const ::testing::TestParamInfo<Parameters>& test) {
  std::string below = std::get<1>(test.param);
  std::erase(below, '+');
  return std::string{std::get<0>(test.param).name} + "On" + below;
}

INSTANTIATE_TEST_SUITE_P(Store, CompressedContract,
                         ::testing::Combine(::testing::ValuesIn(testing::store_checks().begin(),
                                                                testing::store_checks().end()),
                                            ::testing::ValuesIn(stores_below())),
                         name_of_test);

}  // namespace
}  // namespace resumable::test
