// The conformance kit, one test per check, with all payloads as objects.
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "resumable/memory_store.hpp"
#include "resumable/sqlite_store.hpp"
#include "resumable/testing/check_store.hpp"
#include "s3/server.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using Parameters = std::tuple<testing::StoreCheck, std::string>;

class PayloadsContract : public ::testing::TestWithParam<Parameters> {};

std::unique_ptr<CheckpointStore> records(const std::string& kind, const std::filesystem::path& at) {
  if (kind == "file") return std::make_unique<FileStore>(at);
  if (kind == "sqlite") return std::make_unique<SqliteStore>(at);
  return std::make_unique<MemoryStore>();
}

TEST_P(PayloadsContract, IsKept) {
  const testing::StoreCheck check = std::get<0>(GetParam());
  const std::string& kind = std::get<1>(GetParam());
  S3Server server;
  const bool on_disk = kind != "memory";
  const TempFolder folder;
  std::map<std::string, std::shared_ptr<CheckpointStore>, std::less<>> in_memory;
  const auto open = [&](std::string_view place) -> std::shared_ptr<CheckpointStore> {
    if (!on_disk && in_memory.contains(place)) return in_memory.find(place)->second;
    std::shared_ptr<CheckpointStore> store = std::make_shared<S3PayloadStore>(
        records(kind, folder / std::string{place}), server.options());
    if (!on_disk) in_memory[std::string{place}] = store;
    return store;
  };
  const auto result = testing::run_store_check(check.name, open, {.survives_process = on_disk});
  EXPECT_NE(result.verdict, testing::Verdict::broken) << result.detail;
  if (check.section == "folders") {
    EXPECT_EQ(result.verdict == testing::Verdict::kept, kind == "file");
  }
  if (check.section == "work") {
    EXPECT_EQ(result.verdict == testing::Verdict::kept, kind != "file");
  }
  if (check.section == "cache") {
    EXPECT_EQ(result.verdict == testing::Verdict::kept, on_disk);
  }
  EXPECT_EQ(server.refusals(), std::vector<std::string>{});
}

std::string name_of_test(const ::testing::TestParamInfo<Parameters>& test) {
  return std::string{std::get<0>(test.param).name} + "On" + std::get<1>(test.param);
}

INSTANTIATE_TEST_SUITE_P(Store, PayloadsContract,
                         ::testing::Combine(::testing::ValuesIn(testing::store_checks().begin(),
                                                                testing::store_checks().end()),
                                            ::testing::Values("file", "sqlite", "memory")),
                         name_of_test);

}  // namespace
}  // namespace resumable::test
