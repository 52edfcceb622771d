// What a run asks of its store does not grow with what is kept: a store may be a network away.
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run/run_support.hpp"
#include "support/slow_store.hpp"

namespace resumable::test {
namespace {

constexpr int ten_thousand = 10'000;

struct Sums : Pipeline {
  Sums() : Pipeline("sums") {}
  static std::vector<int> numbers() {
    std::vector<int> all(ten_thousand);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  Stage<std::vector<int>> list = stage("list", numbers);
  FanOut<std::string> texts = stage("texts", inputs(each(list)), [](int number) {
    return std::to_string(number) + std::string(95, '.');
  });
  FanOut<std::size_t> sizes =
      stage("sizes", inputs(each(texts)), [](const std::string& text) { return text.size(); });
  Stage<std::size_t> sum = stage("sum", inputs(texts), [](const std::vector<std::string>& all) {
    std::size_t bytes = 0;
    for (const std::string& one : all) bytes += one.size();
    return bytes;
  });
};

class RoundTrips : public ::testing::Test {
 protected:
  MemoryStore memory_;
  SlowStore store_{memory_};
};

TEST_F(RoundTrips, TenThousandFinishedItemsTakeAFewCalls) {
  const Sums sums;
  ASSERT_EQ(resume(sums, store_, {.run = "r"}).outcome(), Outcome::done);
  store_.take_calls();
  EXPECT_EQ(resume(sums, store_, {.run = "r"}).outcome(), Outcome::done);
  EXPECT_LE(store_.take_calls(), 20);
}

TEST_F(RoundTrips, TheValuesOfTenThousandItemsAreReadInAFewCalls) {
  const Sums sums;
  ASSERT_EQ(resume(sums, store_, {.run = "r"}).outcome(), Outcome::done);
  store_.take_calls();
  const Report report = resume(sums, store_, {.run = "r", .redo = {"sum"}});
  EXPECT_EQ(outline(report), "list skipped, texts skipped, sizes skipped, sum ran");
  EXPECT_LE(store_.take_calls(), 40);
  EXPECT_EQ(report[sums.texts].size(), std::size_t{ten_thousand});
  EXPECT_EQ(report[sums.sizes].size(), std::size_t{ten_thousand});
  EXPECT_LE(store_.take_calls(), 30);
}

/// How many records the largest request was for.
class LargestRequest final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  mutable std::size_t most = 0;

 private:
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override {
    most = std::max(most, ids.size());
    next().get_many(run, ids, visit, wait);
  }
};

TEST(Requests, AreForAThousandRecordsAtMostWhichHaveTheWholeTimeout) {
  MemoryStore memory;
  const Sums sums;
  ASSERT_EQ(resume(sums, memory, {.run = "r"}).outcome(), Outcome::done);
  LargestRequest store{memory};
  EXPECT_EQ(resume(sums, store, {.run = "r", .redo = {"sum"}}).outcome(), Outcome::done);
  EXPECT_EQ(store.most, 1'000U);
}

TEST_F(RoundTrips, ItemsThatAreMadeOfKeptItemsReadThoseInAFewCalls) {
  const Sums sums;
  ASSERT_EQ(resume(sums, store_, {.run = "r"}).outcome(), Outcome::done);
  store_.take_calls();
  EXPECT_EQ(resume(sums, store_, {.run = "r", .redo = {"sizes"}, .durability = Durability::queued})
                .outcome(),
            Outcome::done);
  EXPECT_LE(store_.take_calls(), 40 + ten_thousand) << "a commit per item, at most";
}

TEST_F(RoundTrips, AllPayloadsAreVerifiedInAFewCalls) {
  const Sums sums;
  ASSERT_EQ(resume(sums, store_, {.run = "r"}).outcome(), Outcome::done);
  store_.take_calls();
  EXPECT_EQ(resume(sums, store_, {.run = "r", .verify_payloads = true}).outcome(), Outcome::done);
  EXPECT_LE(store_.take_calls(), 60);
}

TEST_F(RoundTrips, AThousandKeptStepsAreReadInAFewCalls) {
  bool fails = true;
  Pipeline pipeline{"p"};
  const auto stage = pipeline.stage("steps", [&](Context& ctx) {
    int sum = 0;
    for (int i = 0; i < 1000; ++i) {
      sum += ctx.step({.name = "step " + std::to_string(i), .retry = {.attempts = 2}},
                      [&] { return i; });
    }
    if (fails) throw std::runtime_error("after all of them");
    return sum;
  });
  ASSERT_EQ(resume(pipeline, store_, {.run = "r"}).outcome(), Outcome::failed);
  fails = false;
  store_.take_calls();
  const Report report = resume(pipeline, store_, {.run = "r"});
  EXPECT_EQ(report[stage], 999 * 500);
  EXPECT_LE(store_.take_calls(), 40);
}

TEST_F(RoundTrips, AHistoryIsReadInAFewCalls) {
  bool fails = true;
  Pipeline pipeline{"p"};
  const auto stage = pipeline.stage("turns", [&](Context& ctx) {
    auto turns = ctx.history<int>({.name = "turns"});
    while (turns.size() < 300) turns.push_back(static_cast<int>(turns.size()));
    if (fails) throw std::runtime_error("after all of them");
    return turns.size();
  });
  ASSERT_EQ(resume(pipeline, store_, {.run = "r"}).outcome(), Outcome::failed);
  fails = false;
  store_.take_calls();
  const Report report = resume(pipeline, store_, {.run = "r"});
  EXPECT_EQ(report[stage], 300U);
  EXPECT_LE(store_.take_calls(), 40);
}

}  // namespace
}  // namespace resumable::test
