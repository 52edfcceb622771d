// Labels of a run, and how long it is kept.
#include <gmock/gmock.h>

#include "resumable/run_list.hpp"
#include "run/run_support.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using Labels = std::map<std::string, std::string>;
using ::testing::HasSubstr;

Outcome labelled(CheckpointStore& store, const Labels& labels, std::chrono::seconds kept = 0s) {
  Pipeline p{"p"};
  p.stage("s", [] { return 1; });
  return resume(p, store, {.run = "r", .labels = labels, .time_to_live = kept}).outcome();
}

Labels labels_of(const CheckpointStore& store) { return run_info(store, "r").value().labels; }

std::string refusal(CheckpointStore& store, const Labels& labels, std::chrono::seconds kept = 0s) {
  try {
    static_cast<void>(labelled(store, labels, kept));
  } catch (const Error& error) {
    return error.errc() == Errc::bad_option ? error.info().what : error.what();
  }
  return "not refused";
}

TEST(Labels, StayWithTheRunAndAreReplacedByName) {
  MemoryStore store;
  ASSERT_EQ(labelled(store, {{"batch_id", "7"}, {"by", "ann"}}), Outcome::done);
  EXPECT_EQ(labels_of(store), (Labels{{"batch_id", "7"}, {"by", "ann"}}));
  ASSERT_EQ(labelled(store, {}), Outcome::done);
  EXPECT_EQ(labels_of(store), (Labels{{"batch_id", "7"}, {"by", "ann"}}));
  ASSERT_EQ(labelled(store, {{"by", "bob"}, {"batch_id", ""}, {"none", ""}}), Outcome::done)
      << "although nothing is left to run";
  EXPECT_EQ(labels_of(store), (Labels{{"by", "bob"}}));
}

TEST(Labels, AreKnownWithoutTheManifest) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  ASSERT_EQ(labelled(store, {{"batch_id", "7"}}, 24h), Outcome::done);
  std::filesystem::remove(folder / "store/r/.resumable/run.json");
  EXPECT_EQ(labels_of(store), (Labels{{"batch_id", "7"}}));
  EXPECT_EQ(run_info(store, "r")->time_to_live, 24h);
  ASSERT_EQ(labelled(store, {}), Outcome::done);
  std::filesystem::remove(folder / "store/r/.resumable/run.json");
  EXPECT_EQ(labels_of(store), (Labels{{"batch_id", "7"}})) << "a later call keeps them";
}

TEST(Labels, ThatWereSaidBeforeCostNoRecord) {
  MemoryStore store;
  ASSERT_EQ(labelled(store, {{"batch_id", "7"}}, 24h), Outcome::done);
  const auto before = record_totals(store, "r").records;
  ASSERT_EQ(labelled(store, {{"batch_id", "7"}}, 24h), Outcome::done);
  EXPECT_EQ(record_totals(store, "r").records, before);
}

TEST(Labels, ThatDoNotFitAreRefusedAndNothingIsChanged) {
  MemoryStore store;
  EXPECT_EQ(refusal(store, {{"", "7"}}), "'=7' cannot be a label");
  EXPECT_THAT(refusal(store, {{std::string(129, 'n'), "7"}}), HasSubstr("cannot be a label"));
  EXPECT_THAT(refusal(store, {{"n", std::string(1025, 'v')}}), HasSubstr("cannot be a label"));
  EXPECT_THAT(refusal(store, {{"n", "\xff"}}), HasSubstr("cannot be a label"));
  Labels many;
  for (int i = 0; i < 65; ++i) many["n" + std::to_string(i)] = "v";
  EXPECT_EQ(refusal(store, many), "a run has at most 64 labels");
  EXPECT_EQ(refusal(store, {}, -1s), "a time to live is below 0");
  EXPECT_EQ(record_totals(store, "r").records, 0U);
}

}  // namespace
}  // namespace resumable::test
