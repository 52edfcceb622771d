// The conformance kit, one test per check, on stores that record SHA-256.
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "resumable/memory_store.hpp"
#include "resumable/sha256.hpp"
#include "resumable/testing/check_store.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using Parameters = std::tuple<testing::StoreCheck, std::string>;

class Sha256Contract : public ::testing::TestWithParam<Parameters> {};

TEST_P(Sha256Contract, IsKept) {
  const testing::StoreCheck check = std::get<0>(GetParam());
  const std::string& below = std::get<1>(GetParam());
  const bool on_disk = below != "memory";
  const TempFolder folder;
  std::map<std::string, std::shared_ptr<CheckpointStore>, std::less<>> in_memory;
  const auto open = [&](std::string_view place) -> std::shared_ptr<CheckpointStore> {
    if (on_disk) {
      return open_store("sha256+" + below + ":" + (folder / std::string{place}).string(),
                        with_sha256(), CreateStore::if_absent);
    }
    auto& store = in_memory[std::string{place}];
    if (!store) store = std::make_shared<Sha256Store>(std::make_unique<MemoryStore>());
    return store;
  };
  const auto result = testing::run_store_check(check.name, open, {.survives_process = on_disk});
  EXPECT_NE(result.verdict, testing::Verdict::broken) << result.detail;
  if (check.section == "folders" || check.section == "cache") {
    EXPECT_EQ(result.verdict == testing::Verdict::kept, on_disk);
  }
  if (check.section == "work") {
    EXPECT_EQ(result.verdict == testing::Verdict::kept, below == "memory");
  }
}

INSTANTIATE_TEST_SUITE_P(Store, Sha256Contract,
                         ::testing::Combine(::testing::ValuesIn(testing::store_checks().begin(),
                                                                testing::store_checks().end()),
                                            ::testing::Values("memory", "file", "journal")),
                         [](const auto& test) {
                           return std::string{std::get<0>(test.param).name} + "On" +
                                  std::get<1>(test.param);
                         });

}  // namespace
}  // namespace resumable::test
