// A server that is not ours: RESUMABLE_TEST_S3 is its endpoint. It has an empty bucket named
// `bucket`, and a user with the credentials of S3Server. radosgw.sh starts one, for
// scripts/soak.sh.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "resumable/file_store.hpp"
#include "resumable/s3.hpp"
#include "resumable/testing/check_store.hpp"
#include "s3/objects.hpp"
#include "s3/server.hpp"
#include "store/records.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

struct ForeignServer : ::testing::Test {
  void SetUp() override {
    const char* endpoint = std::getenv("RESUMABLE_TEST_S3");
    if (endpoint == nullptr) GTEST_SKIP() << "RESUMABLE_TEST_S3 names no server";
    options.endpoint = endpoint;
  }
  [[nodiscard]] std::vector<std::string> keys(const std::string& prefix) {
    std::vector<std::string> all;
    s3::Objects{options}.list(prefix, [&](const s3::Listed& one) { all.push_back(one.key); }, {});
    return all;
  }

  S3Server ours;  // sets the credentials
  S3Options options{.bucket = "bucket", .above = 0, .keep_erased = std::chrono::milliseconds{0}};
  TempFolder folder;
};

TEST_F(ForeignServer, TakesAnyKeyInOnePieceAndInParts) {
  options.part_bytes = std::uint64_t{5} << 20U;  // S3 allows no smaller ones
  s3::Objects objects{options};
  std::string large((std::size_t{22} << 20U) + 17, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * i % 251);
  for (const std::string key : {"k/%40cache/1", "k/a=b", "k/a b+c", "k/größe/ü", "k/(a)!*'"}) {
    for (const std::string& bytes : {std::string{}, std::string{"small"}, large}) {
      const StringPayload payload{bytes};
      objects.put(key, payload, s3::sha256_of(payload), {});
      EXPECT_TRUE(objects.get(key, 0, bytes.size(), bytes.size(), {}) == bytes) << key;
      EXPECT_EQ(objects.size_of(key, {}), bytes.size());
    }
    EXPECT_TRUE(objects.get(key, 1000, 7, large.size(), {}) == large.substr(1000, 7));
    EXPECT_EQ(keys(key), std::vector{key});
    objects.remove(key, {});
    EXPECT_EQ(objects.get(key, 0, 1, 1, {}), std::nullopt);
    EXPECT_EQ(objects.size_of(key, {}), std::nullopt);
  }
}

TEST_F(ForeignServer, ListsMoreThanAPage) {
  s3::Objects objects{options};
  const StringPayload nothing{""};
  for (int i = 0; i < 1005; ++i) {
    objects.put("page/" + std::to_string(i), nothing, s3::sha256_of(nothing), {});
  }
  EXPECT_THAT(keys("page/"), SizeIs(1005));
  for (int i = 0; i < 1005; ++i) objects.remove("page/" + std::to_string(i), {});
  EXPECT_THAT(keys("page/"), IsEmpty());
}

TEST_F(ForeignServer, KeepsTheContract) {
  options.prefix = "contract";
  options.keep_erased = S3Options{}.keep_erased;
  const auto report = testing::check_store([&](std::string_view place) {
    return std::make_shared<S3PayloadStore>(std::make_unique<FileStore>(folder / place), options);
  });
  EXPECT_TRUE(report.passed()) << report.text();
}

TEST_F(ForeignServer, HasNoLeftoversInTheEnd) {
  options.prefix = "leftovers";
  S3PayloadStore store{std::make_unique<FileStore>(folder / "files"), options};
  for (const char* run : {"a", "größe/ü @"}) {
    const auto lease = store.lease(run);
    for (std::uint64_t generation = 1; generation < 4; ++generation) {
      commit(*lease, "v", generation, "value");
    }
    const RecordId old{"v", 1};
    lease->commit({.puts = {}, .erases = {&old, 1}});
    EXPECT_EQ(payload(store, run, {"v", 3}), "value");
  }
  EXPECT_THAT(keys("leftovers/"), SizeIs(1 + 2 * 2));
  EXPECT_THAT(store.remove_leftovers().removed, IsEmpty());
  std::filesystem::remove_all(folder / "files/a");
  EXPECT_THAT(store.remove_leftovers().removed, SizeIs(2));
  store.remove("größe/ü @", {});
  EXPECT_THAT(keys("leftovers/"), SizeIs(1));
}

TEST_F(ForeignServer, RefusesAnotherSecret) {
  ::setenv("AWS_SECRET_ACCESS_KEY", "another", 1);
  try {
    static_cast<void>(keys(""));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::unreadable);
    EXPECT_THAT(error.explain(), ::testing::HasSubstr("SignatureDoesNotMatch"));
  }
}

}  // namespace
}  // namespace resumable::test
