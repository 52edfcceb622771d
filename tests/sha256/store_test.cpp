// SHA-256 of payloads: known digests, stores with and without them, and what somebody has forged.
#include <numeric>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/record_format.hpp"
#include "encryption/tampering.hpp"
#include "inspector/inspected.hpp"
#include "resumable/file.hpp"
#include "resumable/manage.hpp"
#include "resumable/sha256.hpp"
#include "resumable/zstd.hpp"
#include "run/run_support.hpp"
#include "sha256/sha256.hpp"
#include "support/slow_store.hpp"

namespace resumable::test {
namespace {

using sha256::Sha256;

std::string sum_of(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.finish();
}

TEST(Sha256Test, AgreesWithTheVectorsOfTheStandard) {
  EXPECT_EQ(sum_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 sum;
  for (int i = 0; i < 1000; ++i) sum.add(std::string(1000, 'a'));
  EXPECT_EQ(sum.finish(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

const std::string bytes_of_big(600'000, 'b');

/// A small value, and one that stores keep in a file of their own.
struct TwoValues {
  explicit TwoValues(std::string draft = "abc", std::uint32_t revision = 1) {
    small = pipeline.stage({.name = "small", .revision = revision}, [this, draft] {
      calls("small");
      return Text{draft};
    });
    big = pipeline.stage("big", inputs(*small), [this](const Text&) {
      calls("big");
      return Bytes{bytes_of_big};
    });
  }
  Report run(CheckpointStore& store) { return resume(pipeline, store, {.run = "r"}); }

  Pipeline pipeline{"two"};
  Calls calls;
  std::optional<Stage<Text>> small;
  std::optional<Stage<Bytes>> big;
};

/// By path: the SHA-256 in the header of each record.
std::map<std::string, std::string> sums(const CheckpointStore& store) {
  std::map<std::string, std::string> found;
  store.scan("r", {.headers = true}, [&](const RecordHead& head) {
    found[std::string{head.id.path}] =
        Json::parse(head.header.value()).at("payload").value("sha256", "");
    return true;
  });
  return found;
}

class Sha256On : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<CheckpointStore> open(const std::string& filters) const {
    return open_store(filters + GetParam() + ":" + folder_.path().string(),
                      with_sha256(with_compression()), CreateStore::if_absent);
  }
  std::unique_ptr<CheckpointStore> digesting() const { return open("sha256+"); }
  std::unique_ptr<CheckpointStore> plain() const { return open(""); }

  TempFolder folder_;
};

TEST_P(Sha256On, TheHeaderHasThatOfThePayload) {
  TwoValues values;
  const auto store = digesting();
  ASSERT_TRUE(values.run(*store));
  const auto found = sums(*store);
  EXPECT_EQ(found.at("small"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(found.at("big"), sum_of(bytes_of_big));
  EXPECT_TRUE(verify_run(*store, "r").ok());
}

TEST_P(Sha256On, ARunIsReadWithoutIt) {
  TwoValues values;
  ASSERT_TRUE(values.run(*digesting()));
  values.calls.take();
  const auto store = plain();
  const Report report = values.run(*store);
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(values.calls.take(), "");
  EXPECT_EQ(report[*values.big].bytes, bytes_of_big);
  EXPECT_TRUE(verify_run(*store, "r").ok());
}

TEST_P(Sha256On, ARunMayHaveRecordsWithAndWithout) {
  TwoValues values;
  ASSERT_TRUE(values.run(*plain()));
  EXPECT_EQ(sums(*plain()).at("small"), "");
  TwoValues changed{"abcd", 2};
  const auto store = digesting();
  ASSERT_TRUE(changed.run(*store));
  EXPECT_EQ(changed.calls.take(), "big, small");
  EXPECT_NE(sums(*store).at("small"), "");
  EXPECT_TRUE(verify_run(*store, "r").ok());
  TwoValues again{"abc", 3};
  ASSERT_TRUE(again.run(*plain()));
  EXPECT_EQ(sums(*plain()).at("small"), "") << "never the digest of an earlier value";
}

TEST_P(Sha256On, ItIsThatOfTheValueAndNotOfItsCompressedBytes) {
  TwoValues values;
  const auto store = open("sha256+zstd+");
  ASSERT_TRUE(values.run(*store));
  EXPECT_EQ(sums(*store).at("big"), sum_of(bytes_of_big));
  EXPECT_TRUE(verify_run(*store, "r").ok());
}

TEST_P(Sha256On, AForkKeepsIt) {
  TwoValues values;
  const auto store = digesting();
  ASSERT_TRUE(values.run(*store));
  const auto bare = plain();
  fork_run(*bare, "r", "copy");
  std::string copied;
  bare->scan("copy", {.headers = true}, [&](const RecordHead& head) {
    if (head.id.path == "big") {
      copied = Json::parse(head.header.value()).at("payload").value("sha256", "");
    }
    return true;
  });
  EXPECT_EQ(copied, sum_of(bytes_of_big));
}

INSTANTIATE_TEST_SUITE_P(Store, Sha256On, ::testing::Values("file", "journal"),
                         [](const auto& test) { return test.param; });

TEST_P(Sha256On, AFileIsDigestedWhileItIsStored) {
  const TempFolder outside;
  const std::string bytes(3'000'001, 'f');
  write_file(outside / "film", bytes);
  Pipeline pipeline{"films"};
  pipeline.stage("big", [&] { return File::of(outside / "film"); });
  const auto store = digesting();
  const Report report = resume(pipeline, *store, {.run = "r"});
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(sums(*store).at("big"), sum_of(bytes));
  EXPECT_TRUE(verify_run(*store, "r").ok());
}

/// The payload is another one, and the header says the XXH3 of that: with every check made again.
void forge(StoredRecord& record) {
  std::string bytes = read_all(*record.payload);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  auto header = core::decode_header(record.header, record.tag).value();
  header.payload_digest = digest(bytes);
  record.header = core::encode_header(header, record.tag);
  record.payload = std::make_shared<StringPayload>(std::move(bytes));
}

/// As a store that does not have the bytes in memory.
class Piecewise final : public Payload {
 public:
  explicit Piecewise(std::shared_ptr<const Payload> next) : next_(std::move(next)) {}
  [[nodiscard]] std::uint64_t size() const override { return next_->size(); }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    return next_->read(at, to.first(std::min<std::size_t>(to.size(), 1000)));
  }

 private:
  std::shared_ptr<const Payload> next_;
};

TEST(Sha256StoreTest, WhatWorkersCommitHasItToo) {
  Pipeline pipeline{"shared"};
  const auto names = pipeline.input("names", Strings{"abc", "de"});
  pipeline.stage("texts", inputs(each(names)), [](const std::string& name) { return Text{name}; });
  MemoryStore memory;
  Sha256Store store{memory};
  // The owner claims its items as any worker does.
  ASSERT_TRUE(resume(pipeline, store, {.run = "r", .share = true}));
  std::set<std::string> found;
  for (const auto& [path, sum] : sums(memory)) {
    if (path.starts_with("texts/")) found.insert(sum);
  }
  EXPECT_THAT(found, ::testing::UnorderedElementsAre(sum_of("abc"), sum_of("de")));
}

TEST(Sha256StoreTest, ReadsManyRecordsInOneCall) {
  MemoryStore memory;
  SlowStore slow{memory};
  Sha256Store store{slow};
  EXPECT_EQ(calls_to_read_many(slow, store), 1);
}

TEST(Sha256StoreTest, APayloadThatWasForgedWithItsXxh3IsDamage) {
  for (const bool piecewise : {false, true}) {
    MemoryStore memory;
    Sha256Store writing{memory};
    TwoValues values;
    ASSERT_TRUE(values.run(writing));
    TamperingStore forged{memory};
    forged.change = [&](std::string_view path, StoredRecord& record) {
      if (path == "big") forge(record);
      if (piecewise) record.payload = std::make_shared<Piecewise>(record.payload);
    };
    EXPECT_TRUE(verify_run(forged, "r").ok()) << "by XXH3 alone nothing is wrong with it";
    const Sha256Store store{forged, Sha256Use::check};
    const Verification found = verify_run(store, "r");
    ASSERT_EQ(found.problems.size(), 1U);
    EXPECT_EQ(found.problems[0].path, "big");
  }
}

TEST(Sha256StoreTest, AValueThatWasForgedIsMadeAgain) {
  MemoryStore memory;
  Sha256Store writing{memory};
  TwoValues values;
  ASSERT_TRUE(values.run(writing));
  values.calls.take();
  TamperingStore forged{memory};
  forged.change = [](std::string_view path, StoredRecord& record) {
    if (path == "big" && record.header.find("\"generation\":1,") != record.header.npos) {
      forge(record);
    }
  };
  Sha256Store store{forged};
  const Report report = values.run(store);
  EXPECT_EQ(values.calls.take(), "") << "planning reads heads alone";
  const Report strict = resume(values.pipeline, store, {.run = "r", .verify_payloads = true});
  ASSERT_TRUE(strict) << strict.text();
  EXPECT_EQ(values.calls.take(), "big");
  EXPECT_EQ(strict[*values.big].bytes, bytes_of_big);
}

TEST(Sha256StoreTest, PartsMayBeReadInAnyOrder) {
  MemoryStore memory;
  Sha256Store writing{memory};
  TwoValues values;
  ASSERT_TRUE(values.run(writing));
  TamperingStore slow{memory};
  slow.change = [](std::string_view, StoredRecord& record) {
    record.payload = std::make_shared<Piecewise>(record.payload);
  };
  const Sha256Store store{slow, Sha256Use::check};
  const auto record = store.get("r", {"big", 1}).value();
  std::string part(900, '\0');
  EXPECT_EQ(record.payload->read(500'000, part), 900U);
  EXPECT_EQ(read_all(*record.payload), bytes_of_big);
  EXPECT_EQ(record.payload->read(100, part), 900U);
  EXPECT_EQ(part, std::string(900, 'b'));
}

class Sha256Inspected : public Inspected {};

TEST_F(Sha256Inspected, VerifyChecksWhatIsThere) {
  Sha256Store digesting{store()};
  ASSERT_TRUE(resume(greeting("Acme"), digesting, {.run = "a"}));
  options.stores = with_sha256();
  options.through = [](std::unique_ptr<CheckpointStore> opened) {
    return std::make_unique<Sha256Store>(std::move(opened), Sha256Use::check);
  };
  EXPECT_EQ(inspect({"verify", "a"}).code, 0);
  flip_last_byte(record_file("a", "note"));
  const Said said = inspect({"verify", "a"});
  EXPECT_EQ(said.code, 3) << said.out;
  EXPECT_THAT(said.out, ::testing::HasSubstr("the record 'note'"));
  url.insert(0, "sha256+");
  EXPECT_EQ(inspect({"verify", "a"}).code, 3);
}

}  // namespace
}  // namespace resumable::test
