// Values as objects: what is stored where, what is damaged, what is refused, and what is left.
#include <atomic>
#include <csignal>
#include <future>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "inspector/inspected.hpp"
#include "resumable/encryption.hpp"
#include "resumable/manage.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/s3.hpp"
#include "resumable/sqlite_store.hpp"
#include "resumable/zstd.hpp"
#include "run/run_support.hpp"
#include "s3/server.hpp"
#include "store/offering.hpp"
#include "store/records.hpp"
#include "support/child_process.hpp"
#include "support/claims.hpp"

namespace resumable::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::SizeIs;

/// A small value, and two large ones.
struct Pages {
  explicit Pages(std::string topic = "sea") {
    const auto said = pipeline.input("topic", topic);
    const auto small = pipeline.stage("small", inputs(said), [this](const std::string& of) {
      calls("small");
      return Text{of};
    });
    const auto large = pipeline.stage("large", inputs(small), [this](const Text& of) {
      calls("large");
      return Text{of.text + std::string(5000, 'l')};
    });
    last = pipeline.stage("last", inputs(large), [this](const Text& of) {
      calls("last");
      return Text{of.text + std::string(100, 'x')};
    });
    pipeline.artifact(*last, "last.txt");
  }
  Report run(CheckpointStore& store) { return resume(pipeline, store, {.run = "r"}); }
  /// The error of a run that could not continue.
  Errc refusal(CheckpointStore& store) {
    const Report report = run(store);
    return report.error() == nullptr ? Errc{} : report.error()->errc();
  }
  /// The last value of a run that is done.
  std::string text(CheckpointStore& store) {
    const Report report = run(store);
    EXPECT_TRUE(report);
    return report[*last].text;
  }

  Pipeline pipeline{"pages"};
  Calls calls;
  std::optional<Stage<Text>> last;
};

const std::string last_value = "sea" + std::string(5000, 'l') + std::string(100, 'x');

struct Payloads : ::testing::Test {
  S3Server server;
  TempFolder folder;

  [[nodiscard]] S3Options options(std::uint64_t above = 1000) const {
    S3Options all = server.options();
    all.above = above;
    return all;
  }
  [[nodiscard]] S3PayloadStore files(std::string_view name = "files") const {
    return {std::make_unique<FileStore>(folder / name), options()};
  }
  /// The key of the only value that has `text`.
  [[nodiscard]] std::string key_of(std::string_view text) const {
    std::string key;
    for (const auto& [name, bytes] : server.values()) {
      if (bytes.find(text) == bytes.npos) continue;
      EXPECT_EQ(key, "");
      key = name;
    }
    return key;
  }
};

Errc errc_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.errc();
  }
  return Errc{};
}

TEST_F(Payloads, OnlyLargeValuesAreObjects) {
  Pages pages;
  auto store = files();
  EXPECT_EQ(pages.text(store), last_value);
  const auto values = server.values();
  EXPECT_THAT(values, SizeIs(2));
  for (const auto& [key, bytes] : values) {
    EXPECT_TRUE(key.starts_with("some/team/")) << key;
    EXPECT_THAT(key, HasSubstr("/r/"));
    EXPECT_GT(bytes.size(), 1000U);
  }
  std::map<std::string, std::uint64_t> sizes;
  store.scan("r", {}, [&](const RecordHead& head) {
    sizes[std::string{head.id.path}] = head.payload_bytes;
    return true;
  });
  EXPECT_EQ(sizes["last"], last_value.size()) << "as if it were there";
  EXPECT_EQ(sizes["small"], 3U);
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder / "files/r/.resumable")) {
    if (entry.is_regular_file()) {
      EXPECT_LT(entry.file_size(), 1500U) << entry.path();
    }
  }
  const RecordTotals totals = record_totals(store, "r");
  EXPECT_GT(totals.payload_bytes, 10'000U);
}

TEST_F(Payloads, ARunContinuesInAnotherProcessAndOnAnotherHost) {
  {
    Pages pages;
    auto store = files();
    EXPECT_TRUE(pages.run(store));
  }
  Pages again;
  auto store = files();
  EXPECT_EQ(again.calls.take(), "");
  EXPECT_EQ(again.text(store), last_value);
}

TEST_F(Payloads, APlanDownloadsNothing) {
  auto store = files();
  {
    Pages pages;
    EXPECT_TRUE(pages.run(store));
  }
  Pages again;
  std::atomic<int> reads{0};
  server.on_request([&](const S3Request& request) {
    reads += request.method == "GET" ? 1 : 0;
    return S3Fault::none;
  });
  const Plan plan = ResumePlanner{store}.plan(again.pipeline, {.run = "r"});
  EXPECT_TRUE(plan.complete()) << plan.text();
  EXPECT_EQ(reads, 0);
}

TEST_F(Payloads, AMissingObjectIsDamageAndItsValueIsMadeAgain) {
  {
    Pages pages;
    auto store = files();
    EXPECT_TRUE(pages.run(store));
  }
  server.erase(key_of("xxx"));
  auto store = files();
  Pages again;
  EXPECT_EQ(errc_of([&] { static_cast<void>(again.text(store)); }), Errc::damaged);
  EXPECT_EQ(again.text(store), last_value) << "as soon as it is known";
  EXPECT_EQ(again.calls.take(), "last");
}

TEST_F(Payloads, OtherBytesAreDamageAtAnyPlace) {
  {
    Pages pages;
    auto store = files();
    EXPECT_TRUE(pages.run(store));
  }
  const std::string key = key_of("xxx");
  const std::string whole = server.objects()[key];
  std::vector<std::string> others{"", whole.substr(1), whole + "x", whole + whole};
  for (const std::size_t at : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
    others.push_back(whole);
    others.back()[at] ^= 1;
  }
  for (const std::string& other : others) {
    server.put(key, other);
    auto store = files();
    EXPECT_EQ(errc_of([&] {
                static_cast<void>(payload(store, "r", {"last", 1}));
              }),
              Errc::damaged)
        << other.size();
  }
}

TEST_F(Payloads, AServerThatIsAwayIsNoDamage) {
  Pages pages;
  auto store = files();
  EXPECT_TRUE(pages.run(store));
  server.on_request([](const S3Request&) { return S3Fault::refused; });
  EXPECT_EQ(errc_of([&] {
              static_cast<void>(payload(store, "r", {"last", 1}));
            }),
            Errc::unreadable);
  Pages again;
  auto other = files();
  const std::size_t before = server.values().size();
  EXPECT_EQ(again.refusal(other), Errc::unreadable) << "before anything runs";
  EXPECT_EQ(again.calls.take(), "");
  EXPECT_EQ(server.values().size(), before);
}

TEST_F(Payloads, AnotherBucketOrPrefixIsNoDamage) {
  {
    Pages pages;
    auto store = files();
    EXPECT_TRUE(pages.run(store));
  }
  S3Options elsewhere = options();
  elsewhere.prefix = "other";
  S3PayloadStore store{std::make_unique<FileStore>(folder / "files"), elsewhere};
  EXPECT_EQ(errc_of([&] {
              static_cast<void>(payload(store, "r", {"last", 1}));
            }),
            Errc::unreadable);
  Pages again;
  EXPECT_EQ(again.refusal(store), Errc::unreadable);
  EXPECT_EQ(again.calls.take(), "");
}

TEST_F(Payloads, WhatCannotBeWrittenIsToldBeforeAnythingRuns) {
  server.on_request([](const S3Request& request) {
    return request.method == "PUT" ? S3Fault::refused : S3Fault::none;
  });
  Pages pages;
  auto store = files();
  EXPECT_EQ(pages.refusal(store), Errc::store_failed);
  EXPECT_EQ(pages.calls.take(), "");
}

/// Whatever comes after the refused object, what was acknowledged before it stays.
TEST_F(Payloads, AServerThatRefusesInTheMiddleOfARunLosesNothing) {
  std::atomic<int> objects{0};
  server.on_request([&](const S3Request& request) {
    const bool is_value = request.is_put() && request.key.find("/r/") != std::string::npos;
    return is_value && ++objects > 1 ? S3Fault::refused : S3Fault::none;
  });
  {
    Pages pages;
    auto store = files();
    const Report report = pages.run(store);
    EXPECT_FALSE(report);
    EXPECT_THAT(report.text(),
                AllOf(HasSubstr("SignatureDoesNotMatch"), HasSubstr("check the credentials"),
                      Not(HasSubstr(S3Server::secret))));
    EXPECT_EQ(pages.calls.take(), "large, last, small");
  }
  EXPECT_THAT(server.values(), SizeIs(1));
  server.on_request({});
  Pages again;
  auto store = files();
  EXPECT_EQ(again.text(store), last_value);
  EXPECT_EQ(again.calls.take(), "last");
}

TEST_F(Payloads, NoRequestHasAConditionThatAServerMightIgnore) {
  std::atomic<int> requests{0};
  std::atomic<int> conditions{0};
  server.on_request([&](const S3Request& request) {
    ++requests;
    for (const auto& [name, value] : request.headers) {
      if (name.starts_with("if-") || name.find("-if-") != name.npos) ++conditions;
    }
    return S3Fault::none;
  });
  auto store = files();
  for (const char* topic : {"sea", "lake", "bay", "pond"}) {
    Pages pages{topic};
    EXPECT_TRUE(pages.run(store));
  }
  EXPECT_THAT(store.remove_leftovers().removed, Not(IsEmpty()));
  store.remove("r", {});
  EXPECT_GT(requests, 10);
  EXPECT_EQ(conditions, 0);
}

TEST_F(Payloads, AProgramWithoutThemRefusesTheRunAndChangesNothing) {
  {
    Pages pages;
    auto store = files();
    EXPECT_TRUE(pages.run(store));
  }
  const auto before = snapshot(folder / "files");
  FileStore plain{folder / "files"};
  Pages again;
  const Report report = again.run(plain);
  ASSERT_NE(report.error(), nullptr);
  EXPECT_EQ(report.error()->errc(), Errc::foreign);
  EXPECT_THAT(report.error()->explain(),
              AllOf(HasSubstr("objects in S3"), HasSubstr("?payloads=s3://")));
  EXPECT_EQ(again.calls.take(), "");
  EXPECT_EQ(snapshot(folder / "files"), before);
}

TEST_F(Payloads, RecordsFromBeforeCanStillBeRead) {
  {
    Pages pages;
    FileStore plain{folder / "files"};
    EXPECT_TRUE(pages.run(plain));
  }
  Pages again{"lake"};
  auto store = files();
  EXPECT_TRUE(again.run(store));
  EXPECT_THAT(server.values(), SizeIs(2));
  EXPECT_EQ(payload(store, "r", {"last", 1}), last_value) << "the earlier generation";
}

TEST_F(Payloads, AHeaderThatLooksLikeAMarkedOneStaysAsItIs) {
  MemoryStore records;
  S3PayloadStore store{records, options(10)};
  const std::string sum(64, 'a');
  const auto lease = store.lease("r");
  std::uint64_t generation = 0;
  for (const std::string& header :
       {R"({"object":"none"})"s, R"({"object":"1/a-1/)" + sum + R"("})",
        R"({"a":1,"object":"1/a-1/)" + sum + R"("})", R"({"object":"none","object":"none"})"s, "x"s,
        "{}"s, R"({"object":""})"s}) {
    for (const std::string& bytes : {"small"s, "a large value"s}) {
      const StringPayload value{bytes};
      const Put put{{"a", ++generation}, tag_of(generation), header, &value};
      lease->commit({.puts = {&put, 1}, .erases = {}});
      const auto stored = store.get("r", {"a", generation});
      ASSERT_TRUE(stored);
      EXPECT_EQ(stored->header, header);
      EXPECT_EQ(stored->tag, tag_of(generation));
      EXPECT_EQ(read_all(*stored->payload), bytes);
    }
  }
}

TEST_F(Payloads, ValuesAreCompressedAndEncryptedBeforeTheyAreObjects) {
  const EncryptionKey key = EncryptionKey::random();
  const EncryptionKeys keys{.current = "k",
                            .find = [&](std::string_view) { return std::optional{key}; }};
  const auto factories = with_compression(with_encryption(keys, with_s3_payloads()));
  const std::string payloads =
      "?payloads=s3://bucket/some/team&payloads_above=50&s3_endpoint=" + server.endpoint();
  const std::string url = "zstd+encrypted+file:" + (folder / "sealed").string() + payloads;
  {
    Pages pages;
    const auto store = open_store(url, factories, CreateStore::if_absent);
    EXPECT_TRUE(pages.run(*store));
    EXPECT_EQ(store->url(), url) << "which opens it again";
  }
  ASSERT_THAT(server.values(), Not(IsEmpty()));
  for (const auto& [name, bytes] : server.values()) {
    EXPECT_LT(bytes.size(), 1000U) << "compressed";
    EXPECT_THAT(bytes, Not(HasSubstr("lll"))) << "encrypted";
  }
  Pages again;
  const auto store = open_store(url, factories);
  EXPECT_EQ(again.text(*store), last_value);
  EXPECT_EQ(again.calls.take(), "");
  EXPECT_THAT(store->remove_leftovers().removed, IsEmpty());
}

TEST_F(Payloads, TheWrongOrderOfFactoriesIsRefused) {
  const auto factories = with_s3_payloads(with_compression());
  EXPECT_EQ(errc_of([&] {
              static_cast<void>(
                  open_store("zstd+file:" + (folder / "a").string() + "?payloads=s3://bucket/x",
                             factories, CreateStore::if_absent));
            }),
            Errc::bad_option);
}

TEST_F(Payloads, AnyStoreOpensByItsUrl) {
  const auto factories = with_s3_payloads({{"sqlite", open_sqlite_store}});
  const std::string payloads =
      "?payloads=s3://bucket&payloads_above=1KiB&s3_endpoint=" + server.endpoint();
  for (const std::string kind : {"", "file:", "journal:", "sqlite:"}) {
    const std::string url = kind + (folder / ("of" + kind.substr(0, 2))).string() + payloads;
    const std::size_t before = server.values().size();
    Pages pages;
    const auto store = open_store(url, factories, CreateStore::if_absent);
    EXPECT_EQ(pages.text(*store), last_value);
    EXPECT_EQ(server.values().size(), before + 2) << url;
    Pages again;
    EXPECT_TRUE(again.run(*open_store(url, factories)));
    EXPECT_EQ(again.calls.take(), "");
  }
  for (const std::string odd : {"s3:bucket", "s3://", "s3://id:hidden@bucket", "gs://bucket"}) {
    EXPECT_EQ(errc_of([&] {
                static_cast<void>(open_store((folder / "odd").string() + "?payloads=" + odd,
                                             factories, CreateStore::if_absent));
              }),
              Errc::bad_option)
        << odd;
    EXPECT_FALSE(std::filesystem::exists(folder / "odd")) << odd;
  }
}

TEST_F(Payloads, ARunIsCopiedThereAndBack) {
  FileStore plain{folder / "plain"};
  Pages pages;
  EXPECT_TRUE(pages.run(plain));
  SqliteStore records{folder / "records"};
  S3PayloadStore there{records, options()};
  copy_run(plain, "r", there, "r");
  EXPECT_THAT(server.values(), SizeIs(2));
  FileStore back{folder / "back"};
  copy_run(there, "r", back, "r");
  EXPECT_EQ(payload(back, "r", {"last", 1}), last_value);
  EXPECT_EQ(payload(there, "r", {"last", 1}), last_value);
  Pages again;
  EXPECT_EQ(again.text(back), last_value);
  EXPECT_EQ(again.calls.take(), "");
}

TEST_F(Payloads, AForkHasObjectsOfItsOwn) {
  auto store = files();
  Pages pages;
  EXPECT_TRUE(pages.run(store));
  fork_run(store, "r", "f");
  EXPECT_EQ(payload(store, "f", {"last", 1}), last_value);
  store.remove("r", {});
  EXPECT_EQ(payload(store, "f", {"last", 1}), last_value);
  EXPECT_THAT(server.values(), SizeIs(2));
  EXPECT_THAT(store.remove_leftovers().removed, IsEmpty());
}

TEST_F(Payloads, ARemovedRunTakesItsObjectsAndArtifactsAlong) {
  auto store = files();
  {
    Pages pages;
    EXPECT_TRUE(pages.run(store));
  }
  ASSERT_TRUE(std::filesystem::exists(folder / "files/r/last.txt"));
  store.remove("r", {.artifacts = RemoveArtifacts::remove});
  EXPECT_THAT(server.values(), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder / "files/r/last.txt"));
}

TEST_F(Payloads, LeftoversAreRemovedAndNamedOnesStay) {
  auto store = files();
  for (const char* topic : {"sea", "lake", "bay", "pond"}) {
    Pages pages{topic};
    EXPECT_TRUE(pages.run(store));
  }
  EXPECT_THAT(server.values(), SizeIs(8));
  EXPECT_THAT(store.remove_leftovers().removed, SizeIs(4)) << "two generations are kept";
  EXPECT_EQ(payload(store, "r", {"last", 3}), "bay" + last_value.substr(3));
  const auto before = server.values();
  const GarbageResult dry = collect_garbage(store, {.keep_generations = 1, .dry_run = true});
  EXPECT_EQ(server.values(), before);
  const GarbageResult result = collect_garbage(store, {.keep_generations = 1});
  EXPECT_EQ(result.bytes, dry.bytes);
  EXPECT_THAT(server.values(), SizeIs(2));
  EXPECT_EQ(payload(store, "r", {"last", 4}), "pond" + last_value.substr(3));
  EXPECT_THAT(store.remove_leftovers().removed, IsEmpty());
}

TEST_F(Payloads, ObjectsOfARunThatIsGoneAreLeftovers) {
  auto store = files();
  {
    Pages pages;
    EXPECT_TRUE(pages.run(store));
  }
  std::filesystem::remove_all(folder / "files/r");
  const GarbageResult dry = collect_garbage(store, {.dry_run = true});
  EXPECT_THAT(dry.leftovers, SizeIs(2));
  EXPECT_THAT(server.values(), SizeIs(2));
  const GarbageResult result = collect_garbage(store);
  EXPECT_THAT(result.leftovers, SizeIs(2));
  EXPECT_EQ(result.bytes, dry.bytes);
  EXPECT_GT(result.bytes, 10'000U);
  EXPECT_THAT(server.values(), IsEmpty());
}

TEST_F(Payloads, GarbageThatCannotBeListedOrRemovedIsToldAndStays) {
  auto store = files();
  {
    Pages pages;
    EXPECT_TRUE(pages.run(store));
  }
  std::filesystem::remove_all(folder / "files/r");
  for (const std::string method : {"GET", "DELETE"}) {
    server.on_request([=](const S3Request& request) {
      return request.method == method ? S3Fault::refused : S3Fault::none;
    });
    try {
      static_cast<void>(collect_garbage(store));
      ADD_FAILURE() << method;
    } catch (const Error& error) {
      EXPECT_THAT(error.explain(), HasSubstr("SignatureDoesNotMatch")) << method;
    }
    EXPECT_THAT(server.values(), SizeIs(2)) << method;
  }
  server.on_request({});
  EXPECT_THAT(collect_garbage(store).leftovers, SizeIs(2));
  EXPECT_THAT(server.values(), IsEmpty());
}

TEST_F(Payloads, ARunWithDamageKeepsAllObjects) {
  auto store = files();
  {
    Pages pages;
    EXPECT_TRUE(pages.run(store));
    Pages again{"lake"};
    EXPECT_TRUE(again.run(store));
  }
  write_file(folder / "files/r/.resumable/checkpoints/last.1.ckpt", "other bytes");
  const auto before = server.values();
  const Leftovers found = store.remove_leftovers();
  EXPECT_THAT(found.removed, IsEmpty());
  EXPECT_THAT(found.skipped, SizeIs(1));
  EXPECT_EQ(server.values(), before);
}

TEST_F(Payloads, TwoStoresInOneBucketLeaveEachOtherAlone) {
  auto one = files("one");
  auto two = files("two");
  Pages pages;
  EXPECT_TRUE(pages.run(one));
  Pages same;
  EXPECT_TRUE(same.run(two));
  one.remove("r", {});
  EXPECT_THAT(one.remove_leftovers().removed, IsEmpty());
  EXPECT_EQ(payload(two, "r", {"last", 1}), last_value);
}

TEST_F(Payloads, AnOwnedRunKeepsItsObjects) {
  MemoryStore records;
  S3PayloadStore store{records, options(10)};
  {
    const auto lease = store.lease("r");
    commit(*lease, "a", 1, "a large value");
    const RecordId old{"a", 1};
    lease->commit({.puts = {}, .erases = {&old, 1}});
    EXPECT_THAT(store.remove_leftovers().removed, IsEmpty());
    EXPECT_THAT(store.remove_leftovers().skipped, SizeIs(1));
    EXPECT_THAT(store.remove_leftovers(true).skipped, SizeIs(1));
  }
  EXPECT_THAT(store.remove_leftovers(true).removed, SizeIs(1));
  EXPECT_THAT(store.remove_leftovers().removed, SizeIs(1));
  EXPECT_THAT(server.values(), IsEmpty());
}

ClaimState commit_large(CheckpointStore& store, const WorkClaim& claim, std::string_view path) {
  const StringPayload value{"a large value"};
  const Put put{{path, 1}, tag_of(1), "{}", &value};
  return commit_claimed(store, claim, put);
}

TEST_F(Payloads, WhatWorkersCommitBecomesObjects) {
  MemoryStore records;
  S3PayloadStore store{records, options(10)};
  auto lease = store.lease("r");
  const WorkClaim claim = claim_of_item(store, "r", *lease);
  EXPECT_EQ(commit_large(store, claim, "a"), ClaimState::held);
  EXPECT_THAT(server.values(), SizeIs(1));
  EXPECT_EQ(payload(records, "r", {"a", 1}), "") << "it is elsewhere";
  EXPECT_EQ(payload(store, "r", {"a", 1}), "a large value");
  lease = nullptr;
  lease = store.lease("r");
  EXPECT_EQ(commit_large(store, claim, "b"), ClaimState::other_owner);
  EXPECT_THAT(server.values(), SizeIs(1)) << "nothing is stored for a commit that is refused";
}

/// Records in memory, and what happens before a worker commits some.
class Interrupted final : public ForwardingStore {
 public:
  explicit Interrupted(MemoryStore& memory) : ForwardingStore(memory), queue_(*this, memory) {}
  std::function<void()> before_commit = [] {};

 private:
  struct Queue final : store::Sharing {
    Queue(Interrupted& of, MemoryStore& memory) : Sharing(memory, memory), of_(of) {}
    ClaimState commit(const WorkClaim& claim, const Batch& batch,
                      const CommitOptions& options) override {
      if (!batch.puts.empty()) of_.before_commit();
      return Sharing::commit(claim, batch, options);
    }
    Interrupted& of_;
  };
  CheckpointStore* do_capability() noexcept override { return &queue_; }
  Queue queue_;
};

TEST_F(Payloads, AnObjectThatAWorkerHasJustStoredIsNotTakenForALeftover) {
  MemoryStore memory;
  Interrupted records{memory};
  S3PayloadStore store{records, options(10)};
  auto lease = store.lease("r");
  const WorkClaim claim = claim_of_item(store, "r", *lease);
  records.before_commit = [&] {  // the object is there, the record is not
    lease.reset();
    EXPECT_THAT(store.remove_leftovers().removed, SizeIs(1));
    lease = store.lease("r");
    store.capability<WorkQueue>()->take_over("r", lease->fence());
  };
  EXPECT_EQ(commit_large(store, claim, "a"), ClaimState::lost);
  EXPECT_FALSE(store.get("r", {"a", 1})) << "its object is gone";
}

TEST_F(Payloads, APasswordMayHaveAQuestionMark) {
  std::string opened;
  const auto factories = with_s3_payloads({{"postgres", [&](std::string_view url, CreateStore) {
                                              opened = url;
                                              return std::make_unique<MemoryStore>();
                                            }}});
  const auto store = open_store(
      "postgres://ann:what?&payloads=x@db/work?ttl=5s&payloads=s3://bucket/x&sslmode=require",
      factories);
  EXPECT_EQ(opened, "postgres://ann:what?&payloads=x@db/work?ttl=5s&sslmode=require");
  EXPECT_THAT(store->url(), HasSubstr("payloads=s3://bucket/x"));
}

/// Replaces a value in one lease.
void replace(Lease& lease, std::uint64_t generation, Durability durability = Durability::full) {
  const StringPayload value{"a large value"};
  const Put put{{"a", generation}, tag_of(generation), "{}", &value};
  const RecordId old{"a", generation - 1};
  lease.commit({.puts = {&put, 1}, .erases = {&old, generation == 1 ? 0U : 1U}},
               {.durability = durability, .wait = {}});
}

TEST_F(Payloads, ALeaseRemovesWhatItHasReplacedLongEnoughAgo) {
  MemoryStore records;
  for (const auto keep : {std::chrono::milliseconds{0}, S3Options{}.keep_erased}) {
    S3Options own = options(10);
    own.keep_erased = keep;
    S3PayloadStore store{records, own};
    const auto lease = store.lease("r");
    for (std::uint64_t generation = 1; generation < 5; ++generation) replace(*lease, generation);
    EXPECT_THAT(server.values(), SizeIs(keep.count() == 0 ? 1 : 4));
    EXPECT_EQ(payload(store, "r", {"a", 4}), "a large value");
    const RecordId last{"a", 4};
    lease->commit({.puts = {}, .erases = {&last, 1}});
  }
}

TEST_F(Payloads, AnErasedObjectStaysUntilItsRecordCannotReturn) {
  S3Options own = options(10);
  own.keep_erased = std::chrono::milliseconds{0};
  S3PayloadStore store{std::make_unique<FileStore>(folder / "files"), own};
  const auto lease = store.lease("r");
  replace(*lease, 1, Durability::data);
  replace(*lease, 2, Durability::data);
  EXPECT_THAT(server.values(), SizeIs(2)) << "after a power loss the first may be there again";
  replace(*lease, 3);
  EXPECT_THAT(server.values(), SizeIs(1));
}

TEST_F(Payloads, AReaderThatComesTooLateIsToldThatTheValueWasReplaced) {
  MemoryStore records;
  S3Options own = options(10);
  own.keep_erased = std::chrono::milliseconds{0};
  S3PayloadStore store{records, own};
  const auto lease = store.lease("r");
  replace(*lease, 1);
  const auto stored = store.get("r", {"a", 1});
  replace(*lease, 2);
  EXPECT_EQ(errc_of([&] { static_cast<void>(read_all(*stored->payload)); }), Errc::unreadable);
}

TEST_F(Payloads, AProgramThatCannotDoItRefusesTheUrl) {
  for (const std::string kind : {"", "file:", "journal:", "sqlite:", "zstd+sqlite:"}) {
    const auto factories = with_compression({{"sqlite", open_sqlite_store}});
    const std::string url = kind + (folder / "no").string() + "?payloads=s3://bucket/a";
    EXPECT_EQ(
        errc_of([&] { static_cast<void>(open_store(url, factories, CreateStore::if_absent)); }),
        Errc::bad_option)
        << url;
    EXPECT_THAT(snapshot(folder.path()), IsEmpty());
  }
}

TEST_F(Payloads, AKillAtAnyRequestLosesNothingThatWasAcknowledged) {
  for (const S3Fault how : {S3Fault::cut, S3Fault::lost_answer}) {
    bool ended = false;
    for (int nth = 1; !ended; ++nth) {
      ASSERT_LT(nth, 100);
      const std::string name = std::to_string(static_cast<int>(how)) + "-" + std::to_string(nth);
      std::atomic<int> requests{0};
      std::atomic<pid_t> victim{0};
      server.on_request([&](const S3Request&) {
        if (victim == 0 || ++requests != nth) return S3Fault::none;
        ::kill(victim, SIGKILL);
        return how;
      });
      const Signpost known;
      ChildProcess child{[&] {
        known.await();
        Pages pages;
        S3PayloadStore store = files(name);
        return pages.run(store) ? 0 : 1;
      }};
      victim = child.pid();
      known.say();
      ended = child.wait() == Ended{.exit_code = 0};
      victim = 0;
      auto store = files(name);
      Pages again;
      EXPECT_EQ(again.text(store), last_value);
      static_cast<void>(store.remove_leftovers());
      EXPECT_EQ(payload(store, "r", {"last", 1}), last_value);
      EXPECT_THAT(server.values(), SizeIs(2)) << nth;
      store.remove("r", {});
    }
  }
}

/// Commits values, replaces them, and removes runs, at random; knows what must be there.
class Writer {
 public:
  Writer(CheckpointStore& store, CheckpointStore& records, std::vector<std::uint8_t> choices)
      : store_(store), records_(records), choices_(std::move(choices)) {}

  /// false: there are no more.
  bool step() {
    if (next_ == choices_.size()) return false;
    const std::uint8_t choice = choices_[next_++];
    const std::string run = choice % 2 == 0 ? "a" : "b";
    try {
      if (choice % 16 < 4) {
        // The records alone: as if it was killed before it came to the objects.
        (choice % 16 < 2 ? store_ : records_).remove(run, {});
        expected_.erase(run);
      } else {
        replace(run, std::string(20, static_cast<char>('a' + choice / 2 % 3)));
      }
    } catch (const Error& error) {
      if (error.errc() != Errc::busy && error.errc() != Errc::unknown_run) throw;
    }
    return true;
  }

  [[nodiscard]] bool finds_all() const {
    for (const auto& [run, last] : expected_) {
      if (payload(store_, run, {"v", last.first}) != last.second) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t values() const { return expected_.size(); }

 private:
  void replace(const std::string& run, const std::string& bytes) {
    const auto lease = store_.lease(run);
    const auto found = expected_.find(run);
    const std::uint64_t before = found == expected_.end() ? 0 : found->second.first;
    const StringPayload value{bytes};
    const Put put{{"v", before + 1}, tag_of(before), "{}", &value};
    const RecordId old{"v", before};
    lease->commit({.puts = {&put, 1}, .erases = {&old, before == 0 ? 0U : 1U}});
    expected_[run] = {before + 1, bytes};
  }

  CheckpointStore& store_;
  CheckpointStore& records_;
  std::vector<std::uint8_t> choices_;
  std::size_t next_ = 0;
  std::map<std::string, std::pair<std::uint64_t, std::string>> expected_;
};

/// Calls something before each look at a run, and before its lease is taken.
class Hooked final : public ForwardingStore {
 public:
  Hooked(CheckpointStore& next, std::function<void()> hook)
      : ForwardingStore(next), hook_(std::move(hook)) {}

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    hook_();
    return next().lease(run, request);
  }
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    hook_();
    next().scan(run, what, visit);
    hook_();
  }
  std::function<void()> hook_;
};

/// Calls something once, between the objects of a commit and its records.
class Halfway final : public ForwardingStore {
 public:
  Halfway(CheckpointStore& next, std::function<void()> hook)
      : ForwardingStore(next), hook_(std::move(hook)) {}

 private:
  struct HookedLease final : ForwardingLease {
    HookedLease(std::unique_ptr<Lease> next, const std::function<void()>& hook)
        : ForwardingLease(std::move(next)), hook_(hook) {}
    Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
      hook_();
      return next().commit(batch, options);
    }
    const std::function<void()>& hook_;
  };
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    auto lease = next().lease(run, request);
    if (run.starts_with('@')) return lease;
    return std::make_unique<HookedLease>(std::move(lease), hook_);
  }
  std::function<void()> hook_;
};

TEST_F(Payloads, ACommitThatEndsWhileGarbageIsCollectedKeepsItsObject) {
  MemoryStore records;
  std::promise<void> stored;
  std::promise<void> looked;
  std::promise<void> released;
  Halfway halfway{records, [&] {
                    stored.set_value();
                    looked.get_future().wait();
                  }};
  S3PayloadStore written{halfway, options(10)};
  std::thread writer{[&] {
    commit(*written.lease("r"), "v", 1, "a large value");
    released.set_value();
  }};
  stored.get_future().wait();
  int calls = 0;
  Hooked hooked{records, [&] {
                  // Before and after the look for the folder, and before and after that at the run.
                  if (++calls != 4) return;
                  looked.set_value();
                  released.get_future().wait();
                }};
  S3PayloadStore collected{hooked, options(10)};
  EXPECT_THAT(collected.remove_leftovers().removed, IsEmpty());
  EXPECT_GE(calls, 4);
  writer.join();
  EXPECT_EQ(payload(written, "r", {"v", 1}), "a large value");
}

/// One of the two does all it does at each request of the other, and at each of its looks at the
/// records.
void collect_beside(const std::vector<std::uint8_t>& choices, bool collects_inside) {
  S3Server server;
  S3Options options = server.options();
  options.above = 10;
  options.keep_erased = std::chrono::milliseconds{0};
  MemoryStore records;
  std::atomic<bool> inside{false};
  std::function<void()> other;
  const auto meanwhile = [&] {
    if (inside.exchange(true)) return;
    other();
    inside = false;
  };
  Hooked hooked{records, meanwhile};
  S3PayloadStore written{collects_inside ? static_cast<CheckpointStore&>(hooked) : records,
                         options};
  S3PayloadStore collected{collects_inside ? static_cast<CheckpointStore&>(records) : hooked,
                           options};
  Writer writer{written, records, choices};
  other = [&] {
    if (collects_inside) {
      static_cast<void>(collected.remove_leftovers());
    } else {
      writer.step();
    }
  };
  server.on_request([&](const S3Request&) {
    meanwhile();
    return S3Fault::none;
  });
  if (collects_inside) {
    while (writer.step()) {
      inside = true;
      RC_ASSERT(writer.finds_all());
      inside = false;
    }
  } else {
    // Each of its requests takes a step, so it ends.
    for (std::size_t i = 0; i <= choices.size(); ++i) {
      static_cast<void>(collected.remove_leftovers());
      inside = true;
      RC_ASSERT(writer.finds_all());
      inside = false;
    }
  }
  inside = true;
  static_cast<void>(collected.remove_leftovers());
  RC_ASSERT(writer.finds_all());
  RC_ASSERT(server.values().size() == writer.values());
}

RC_GTEST_PROP(PayloadsProperty, NoNamedObjectIsRemovedWhenGarbageIsCollectedAtEachRequestOfARun,
              (const std::vector<std::uint8_t>& choices)) {
  collect_beside(choices, true);
}

RC_GTEST_PROP(PayloadsProperty, NoNamedObjectIsRemovedWhenARunGoesOnAtEachRequestOfTheCollection,
              (const std::vector<std::uint8_t>& choices)) {
  collect_beside(choices, false);
}

}  // namespace
}  // namespace resumable::test
