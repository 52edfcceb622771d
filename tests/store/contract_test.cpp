// Every store keeps the contract: the conformance kit, one test per check.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "resumable/file_store.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/testing/check_store.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using testing::OpenStore;
using testing::StoreCheck;
using testing::StoreCheckOptions;
using testing::Verdict;

/// Stores of one kind, at places of their own.
struct Kind {
  const char* name;
  OpenStore (*make)(const TempFolder& folder);
  /// What it does not offer, by check.
  std::set<std::string_view> lacks{};
  bool survives_process = true;
  bool shares_work = false;
};

OpenStore files(const TempFolder& folder) {
  return [&folder](std::string_view place) { return std::make_unique<FileStore>(folder / place); };
}

OpenStore journal(const TempFolder& folder) {
  return
      [&folder](std::string_view place) { return std::make_unique<JournalStore>(folder / place); };
}

/// The same store for the same place, as there is no disk.
template <class Store>
OpenStore kept() {
  auto stores = std::make_shared<std::map<std::string, std::shared_ptr<Store>, std::less<>>>();
  return [stores](std::string_view place) {
    std::shared_ptr<Store>& store = (*stores)[std::string{place}];
    if (!store) store = std::make_shared<Store>();
    return store;
  };
}

OpenStore memory(const TempFolder& /*no files*/) { return kept<MemoryStore>(); }

/// A variation that varies nothing.
struct Same final : ForwardingStore {
  Same() : ForwardingStore{memory_} {}
  MemoryStore memory_;
};

OpenStore forwarding(const TempFolder& /*no files*/) { return kept<Same>(); }

/// Of stores whose leases end with their process.
const std::set<std::string_view> without_ttl{"ASuspendedOwnerIsFenced", "AnIdleOwnerKeepsItsLease"};

const std::set<std::string_view> in_memory{
    "AcknowledgedSurvivesAKill",   "DataSurvivesAKill",       "AnotherProcessIsKeptOut",
    "AForkedChildDisturbsNothing", "TheFirstEntryStays",      "OneEntryWins",
    "EachRunHasItsFolder",         "ASuspendedOwnerIsFenced", "AnIdleOwnerKeepsItsLease"};

class Contract : public ::testing::TestWithParam<std::tuple<Kind, StoreCheck>> {};

TEST_P(Contract, IsKept) {
  const auto& [kind, check] = GetParam();
  const TempFolder folder;
  const auto result = run_store_check(check.name, kind.make(folder),
                                      StoreCheckOptions{.survives_process = kind.survives_process});
  const bool lacks =
      kind.lacks.contains(check.name) || (check.section == "work" && !kind.shares_work);
  EXPECT_EQ(result.verdict, lacks ? Verdict::not_offered : Verdict::kept) << result.detail;
}

std::string name_of(const ::testing::TestParamInfo<Contract::ParamType>& test) {
  return std::string{std::get<0>(test.param).name} + std::string{std::get<1>(test.param).name};
}

const auto kinds =
    ::testing::Values(Kind{"File", files, without_ttl}, Kind{"Journal", journal, without_ttl},
                      Kind{"Memory", memory, in_memory, false, true},
                      Kind{"Forwarding", forwarding, in_memory, false, true});

INSTANTIATE_TEST_SUITE_P(Stores, Contract,
                         ::testing::Combine(kinds,
                                            ::testing::ValuesIn(testing::store_checks().begin(),
                                                                testing::store_checks().end())),
                         name_of);

}  // namespace
}  // namespace resumable::test
