// Ten times as many sections are ten times as much work, not more.
#include <cstdio>

#include <gtest/gtest.h>

#include "corpus_run.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/memory_store.hpp"

namespace corpus::testing {
namespace {

/// Adds up what is committed.
class MeasuringStore final : public rs::ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::size_t commits = 0;
  std::size_t bytes = 0;

 private:
  class MeasuringLease final : public rs::ForwardingLease {
   public:
    MeasuringLease(std::unique_ptr<rs::Lease> next, MeasuringStore& store)
        : ForwardingLease(std::move(next)), store_(store) {}

   private:
    rs::Ticket do_commit(const rs::Batch& batch, const rs::CommitOptions& options) override {
      ++store_.commits;
      for (const rs::Put& put : batch.puts) {
        store_.bytes +=
            put.id.path.size() + put.tag.raw.size() + put.header.size() + put.payload->size();
      }
      return next().commit(batch, options);
    }
    MeasuringStore& store_;
  };
  std::unique_ptr<rs::Lease> do_lease(std::string_view run,
                                      const rs::LeaseRequest& request) override {
    return std::make_unique<MeasuringLease>(next().lease(run, request), *this);
  }
};

/// Counts how often a view is written, and how many bytes it has at most.
struct Cost {
  std::size_t commits = 0;
  std::size_t bytes = 0;
  std::size_t metadata_bytes = 0;
};

Cost cost_of(std::size_t sections) {
  const TempFolder folder;
  write_file(folder / "outline.json", outline_of(sections / 10, 10));
  Settings settings = brief_settings();
  settings.outline = folder / "outline.json";
  rs::MemoryStore memory;
  MeasuringStore store{memory};
  std::ostringstream said;
  const rs::ResumeOptions look{.run = run_id};
  Generation generation{store, folder / "out", std::move(settings), look, said};
  const rs::Report report = rs::resume(
      generation.pipeline(), store,
      {.run = run_id, .artifact_folder = folder / "out", .observers = generation.observers()});
  EXPECT_TRUE(report);
  EXPECT_EQ(generation.metadata().completed(), sections + 1);
  return {store.commits, store.bytes, read_file(folder / "out/corpus_metadata.json").size()};
}

TEST(Corpus, OfFiveThousandSectionsWritesAsMuchPerSectionAsOneOfFiveHundred) {
  const Cost small = cost_of(500);
  const Cost large = cost_of(5000);
  std::printf("500 sections: %zu commits, %zu bytes; 5000: %zu commits, %zu bytes\n", small.commits,
              small.bytes, large.commits, large.bytes);
  // A commit per section and expansion, one per answer in the cache, and a few for the run.
  EXPECT_EQ(large.commits - small.commits, 4500U + 450U + 450U);
  const double per_section = static_cast<double>(small.bytes) / 500;
  EXPECT_NEAR(static_cast<double>(large.bytes) / 5000, per_section, 0.01 * per_section);
  EXPECT_LE(large.metadata_bytes, small.metadata_bytes + 2) << "a digit more in each count";
}

}  // namespace
}  // namespace corpus::testing
