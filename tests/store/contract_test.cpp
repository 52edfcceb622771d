// Every store keeps the contract.
#include "store/contract.hpp"

#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "resumable/file_store.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/memory_store.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

class FileUnderTest final : public StoreUnderTest {
 public:
  CheckpointStore& store() override { return *store_; }
  void reopen() override { store_ = std::make_unique<FileStore>(folder_ / "store"); }

 private:
  TempFolder folder_;
  std::unique_ptr<FileStore> store_ = std::make_unique<FileStore>(folder_ / "store");
};

class MemoryUnderTest final : public StoreUnderTest {
 public:
  CheckpointStore& store() override { return store_; }
  void reopen() override {}

 private:
  MemoryStore store_;
};

/// A variation that varies nothing.
class ForwardingUnderTest final : public StoreUnderTest {
 public:
  CheckpointStore& store() override { return store_; }
  void reopen() override {}

 private:
  class Same final : public ForwardingStore {
    using ForwardingStore::ForwardingStore;
  };
  MemoryStore memory_;
  Same store_{memory_};
};

struct Kind {
  const char* name;
  std::unique_ptr<StoreUnderTest> (*make)();
};

template <class T>
std::unique_ptr<StoreUnderTest> make() {
  return std::make_unique<T>();
}

class Contract : public ::testing::TestWithParam<std::tuple<Kind, Capability>> {};

TEST_P(Contract, IsKept) {
  const auto& [kind, capability] = GetParam();
  const auto test = kind.make();
  try {
    capability.check(*test);
  } catch (const std::exception& problem) {
    FAIL() << problem.what();
  }
}

std::string name_of(const ::testing::TestParamInfo<Contract::ParamType>& test) {
  return std::string{std::get<0>(test.param).name} + std::string{std::get<1>(test.param).name};
}

const auto kinds =
    ::testing::Values(Kind{"File", make<FileUnderTest>}, Kind{"Memory", make<MemoryUnderTest>},
                      Kind{"Forwarding", make<ForwardingUnderTest>});

INSTANTIATE_TEST_SUITE_P(Stores, Contract,
                         ::testing::Combine(kinds, ::testing::ValuesIn(capabilities().begin(),
                                                                       capabilities().end())),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Extended, Contract,
                         ::testing::Combine(kinds,
                                            ::testing::ValuesIn(extended_capabilities().begin(),
                                                                extended_capabilities().end())),
                         name_of);

}  // namespace
}  // namespace resumable::test
