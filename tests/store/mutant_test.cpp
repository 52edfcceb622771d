// Stores that break one promise each: the conformance kit finds the section.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/testing/check_store.hpp"
#include "support/temp_folder.hpp"
#include "support/ttl_store.hpp"

namespace resumable::test {
namespace {

using testing::check_store;
using testing::CheckResult;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::StoreReport;
using testing::Verdict;

/// A file store with something wrong about it.
class Mutant : public ForwardingStore {
 public:
  explicit Mutant(const std::filesystem::path& folder)
      : Mutant{std::make_unique<FileStore>(folder)} {}

 private:
  explicit Mutant(std::unique_ptr<FileStore> files)
      : ForwardingStore{*files}, files_{std::move(files)} {}
  std::unique_ptr<FileStore> files_;
};

/// What the lease of a mutant does with a commit.
using Commit = std::function<Ticket(Lease& next, const Batch& batch)>;

class MutantLease final : public ForwardingLease {
 public:
  MutantLease(std::unique_ptr<Lease> next, Commit commit)
      : ForwardingLease{std::move(next)}, commit_{std::move(commit)} {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& /*full*/) override {
    return commit_(next(), batch);
  }
  Commit commit_;
};

/// A mutant that commits in its own way.
class CommittingMutant : public Mutant {
 public:
  using Mutant::Mutant;

 private:
  virtual Ticket commit(Lease& next, const Batch& batch) = 0;
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<MutantLease>(
        next().lease(run, request),
        [this](Lease& next, const Batch& batch) { return commit(next, batch); });
  }
};

/// Acknowledges the second generation of a record, and does not write it.
class DropsAWrite final : public CommittingMutant {
  using CommittingMutant::CommittingMutant;
  Ticket commit(Lease& next, const Batch& batch) override {
    std::vector<Put> puts;
    for (const Put& put : batch.puts) {
      if (put.id.generation != 2) puts.push_back(put);
    }
    return next.commit({.puts = puts, .erases = batch.erases});
  }
};

/// Does not know on which host a run is owned.
class ForgetsTheHost final : public Mutant {
  using Mutant::Mutant;
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override {
    auto owner = next().owner(run, wait);
    if (owner) owner->host.clear();
    return owner;
  }
};

/// Visits the records of a run from the last to the first.
class Reorders final : public Mutant {
  using Mutant::Mutant;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    std::vector<std::pair<std::string, RecordHead>> heads;
    next().scan(run, what, [&](const RecordHead& head) {
      heads.emplace_back(head.id.path, head);
      heads.back().second.header.reset();
      return true;
    });
    for (auto head = heads.rbegin(); head != heads.rend(); ++head) {
      head->second.id.path = head->first;
      if (!visit(head->second)) return;
    }
  }
};

/// Looks at the first of several places alone.
class LooksAtOnePlace final : public Mutant {
  using Mutant::Mutant;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    ScanOptions less = what;
    if (!what.places.empty()) less.places = what.places.first(1);
    next().scan(run, less, visit);
  }
};

/// Reads a run once, and keeps to what it saw until it is opened again.
class ReadsStale final : public Mutant {
  using Mutant::Mutant;
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override {
    const auto& known = seen(run);
    next().get_many(
        run, ids,
        [&](Fetched one) {
          if (!known.contains(id_of(ids[one.index]))) one.record.reset();
          return visit(std::move(one));
        },
        wait);
  }
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    const auto& known = seen(run);
    next().scan(run, what, [&](const RecordHead& head) {
      return !known.contains(id_of(head.id)) || visit(head);
    });
  }
  static std::string id_of(RecordId id) {
    return std::string{id.path} + '.' + std::to_string(id.generation);
  }
  const std::set<std::string>& seen(std::string_view run) const {
    const std::scoped_lock lock{guard_};
    const auto found = seen_.find(run);
    if (found != seen_.end()) return found->second;
    auto& ids = seen_[std::string{run}];
    next().scan(run, {}, [&](const RecordHead& head) {
      ids.insert(id_of(head.id));
      return true;
    });
    return ids;
  }
  mutable std::mutex guard_;
  mutable std::map<std::string, std::set<std::string>, std::less<>> seen_;
};

/// How many scans of all mutants have ended: what tells a writer that a reader was there.
class Scans {
 public:
  void note() {
    const std::scoped_lock lock{guard_};
    ++count_;
    changed_.notify_all();
  }
  /// Until two more have ended, so that one of them has begun by now; or nobody reads.
  void await_two() {
    std::unique_lock lock{guard_};
    const auto from = count_;
    changed_.wait_for(lock, std::chrono::milliseconds{20}, [&] { return count_ >= from + 2; });
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::uint64_t count_ = 0;
};

Scans& scans() {
  static Scans all;
  return all;
}

/// Writes a batch in two halves, between which readers may look.
class IsNotIsolated final : public CommittingMutant {
  using CommittingMutant::CommittingMutant;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override {
    next().scan(run, what, visit);
    scans().note();
  }
  Ticket commit(Lease& next, const Batch& batch) override {
    if (batch.puts.size() != 3) return next.commit(batch);
    next.commit({.puts = batch.puts.first(1), .erases = {}});
    scans().await_two();
    return next.commit({.puts = batch.puts.subspan(1), .erases = batch.erases});
  }
};

/// Writes record after record, and leaves those before the one that fails.
class IsNotAtomic final : public CommittingMutant {
  using CommittingMutant::CommittingMutant;
  Ticket commit(Lease& next, const Batch& batch) override {
    Ticket last = 0;
    for (const Put& put : batch.puts) last = next.commit({.puts = {&put, 1}, .erases = {}});
    return batch.erases.empty() ? last : next.commit({.puts = {}, .erases = batch.erases});
  }
};

/// Loses its runs when it is closed.
class ForgetsAfterReopen final : public Mutant {
 public:
  using Mutant::Mutant;
  ~ForgetsAfterReopen() override {
    std::vector<std::string> runs;
    next().runs("", [&](std::string_view run) {
      runs.emplace_back(run);
      return true;
    });
    for (const std::string& run : runs) {
      if (!next().owner(run)) next().remove(run);
    }
  }
};

/// Acknowledges a batch when it has it in memory, where readers of the same object find it, and
/// writes it with the next commit, or at the end of the lease.
class LiesAboutDurability final : public Mutant {
  using Mutant::Mutant;

  class Late final : public ForwardingLease {
   public:
    using ForwardingLease::ForwardingLease;
    ~Late() override { write(); }

   private:
    struct Copy {
      std::string path, header;
      std::unique_ptr<StringPayload> payload;
    };
    Ticket do_commit(const Batch& batch, const CommitOptions& /*full*/) override {
      const std::lock_guard lock{mutex_};
      write();
      if (batch.puts.size() != 3) return next().commit(batch);
      for (const Put& put : batch.puts) {
        const Copy& copy =
            copies_.emplace_back(Copy{std::string{put.id.path}, std::string{put.header},
                                      std::make_unique<StringPayload>(read_all(*put.payload))});
        puts_.push_back({{copy.path, put.id.generation}, put.tag, copy.header, copy.payload.get()});
      }
      return next().durable() + 1;
    }
    [[nodiscard]] Ticket do_durable() const noexcept override {
      const std::lock_guard lock{mutex_};
      return next().durable() + (puts_.empty() ? 0 : 1);
    }
    void write() {
      if (!puts_.empty()) next().commit({.puts = puts_, .erases = {}});
      puts_.clear();
      copies_.clear();
    }
    mutable std::mutex mutex_;
    std::deque<Copy> copies_;
    std::vector<Put> puts_;
  };

  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<Late>(next().lease(run, request));
  }
};

template <class Store>
StoreReport report_of() {
  const TempFolder folder;
  return check_store(
      [&](std::string_view place) { return std::make_shared<Store>(folder / place); });
}

std::vector<std::string> sections(const StoreReport& report, Verdict verdict) {
  std::vector<std::string> found;
  for (const auto& section : report.sections) {
    if (section.verdict == verdict) found.emplace_back(section.section);
  }
  return found;
}

TEST(Mutants, NoMutationBreaksNoSection) {
  const StoreReport report = report_of<Mutant>();
  EXPECT_TRUE(report.passed()) << report.text();
  EXPECT_THAT(sections(report, Verdict::not_offered), ElementsAre("takeover", "work"));
}

/// It breaks `section`, and none of `others`, which have nothing to do with it.
template <class Store>
void expect_broken(std::string_view section, const std::vector<std::string_view>& others) {
  const StoreReport report = report_of<Store>();
  EXPECT_FALSE(report.passed());
  ASSERT_NE(report.find(section), nullptr);
  EXPECT_EQ(report.find(section)->verdict, Verdict::broken) << report.text();
  for (const std::string_view other : others) {
    ASSERT_NE(report.find(other), nullptr) << other;
    EXPECT_EQ(report.find(other)->verdict, Verdict::kept) << report.text();
  }
}

/// Of a store whose leases end by themselves.
template <TtlFault fault>
CheckResult takeover_of(std::string_view check) {
  const TempFolder folder;
  return testing::run_store_check(check, [&](std::string_view place) {
    return std::make_shared<TtlStore<fault>>(folder / place);
  });
}

TEST(Mutants, NoMutationOfALeaseThatEndsBreaksTakeovers) {
  for (const char* check : {"ASuspendedOwnerIsFenced", "AnIdleOwnerKeepsItsLease"}) {
    const CheckResult result = takeover_of<TtlFault::none>(check);
    EXPECT_EQ(result.verdict, Verdict::kept) << result.detail;
  }
}

TEST(Mutants, CommitsWithoutAFenceBreakTakeovers) {
  const CheckResult result = takeover_of<TtlFault::checks_no_fence>("ASuspendedOwnerIsFenced");
  EXPECT_EQ(result.verdict, Verdict::broken);
  EXPECT_EQ(result.detail, "a commit of a former owner is fenced");
}

TEST(Mutants, ALeaseThatIsNeverRenewedBreaksTakeovers) {
  const CheckResult result = takeover_of<TtlFault::never_renews>("AnIdleOwnerKeepsItsLease");
  EXPECT_EQ(result.verdict, Verdict::broken);
  EXPECT_THAT(result.detail, HasSubstr("not refused"));
}

TEST(Mutants, AWriteThatIsDroppedBreaksReading) {
  expect_broken<DropsAWrite>("reading", {"atomic", "names", "leases", "runs", "removal"});
}

TEST(Mutants, ScansInAnotherOrderBreakOrder) {
  expect_broken<Reorders>("order", {"reading", "atomic", "isolated", "lasting", "durable"});
}

TEST(Mutants, PlacesThatAreNotLookedAtBreakOrder) {
  expect_broken<LooksAtOnePlace>("order", {"reading", "atomic", "fresh", "lasting"});
}

TEST(Mutants, StaleReadsBreakFreshness) {
  expect_broken<ReadsStale>("fresh", {"reading", "order", "lasting", "isolated"});
}

TEST(Mutants, BatchesInHalvesBreakIsolation) {
  expect_broken<IsNotIsolated>("isolated", {"reading", "atomic", "order", "lasting", "fresh"});
}

TEST(Mutants, BatchesThatLeaveAPartBreakAtomicity) {
  expect_broken<IsNotAtomic>("atomic", {"reading", "order", "lasting", "fresh", "leases"});
}

TEST(Mutants, RunsThatAreForgottenBreakLasting) {
  expect_broken<ForgetsAfterReopen>("lasting", {"order", "immutable", "isolated", "fresh"});
}

TEST(Mutants, CommitsThatAreWrittenLateBreakDurability) {
  expect_broken<LiesAboutDurability>("durable", {"reading", "atomic", "lasting", "fresh"});
}

TEST(CheckStore, TheReportNamesTheSectionTheCheckAndWhatWasFound) {
  const TempFolder folder;
  const auto open = [&](std::string_view place) {
    return std::make_shared<Reorders>(folder / place);
  };
  const StoreReport report = check_store(open, {.sections = {"order", "atomic"}});
  ASSERT_EQ(report.sections.size(), 2U);
  const std::string text = report.text();
  EXPECT_THAT(text, HasSubstr("BROKEN  order "));
  EXPECT_THAT(text, HasSubstr(R"(ScansObey: below: ["draft/b.1", "draft/a.1"] instead of )"
                              R"(["draft/a.1", "draft/b.1"])"));
  EXPECT_THAT(text, HasSubstr("kept    atomic "));
  EXPECT_THAT(text, HasSubstr("1 kept, 1 broken, 0 not offered\n"));
  EXPECT_EQ(report.store, "file:" + (folder / "ScansAreInOrder").string());
}

TEST(CheckStore, OfAnOwnerItSaysWhatWasExpectedAndWhatWasFound) {
  const TempFolder folder;
  const auto open = [&](std::string_view place) {
    return std::make_shared<ForgetsTheHost>(folder / place);
  };
  EXPECT_THAT(check_store(open, {.sections = {"leases"}}).text(),
              HasSubstr("OneWriter: owner(): expected a process id, a host and since when, got "));
}

TEST(CheckStore, ASectionOrACheckThatDoesNotExistIsRefused) {
  const auto open = [](std::string_view) { return std::shared_ptr<CheckpointStore>{}; };
  EXPECT_THROW(static_cast<void>(check_store(open, {.sections = {"colour"}})), Error);
  EXPECT_THROW(static_cast<void>(testing::run_store_check("Colour", open)), Error);
}

TEST(CheckStore, AStoreThatIsNotOpenedBreaksEverySection) {
  const auto open = [](std::string_view) { return std::shared_ptr<CheckpointStore>{}; };
  const StoreReport report = check_store(open);
  EXPECT_THAT(sections(report, Verdict::kept), IsEmpty());
  EXPECT_THAT(sections(report, Verdict::not_offered), IsEmpty());
}

}  // namespace
}  // namespace resumable::test
